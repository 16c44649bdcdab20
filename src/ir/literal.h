// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers of the text form: decimal digits to a Scalar of a given dtype, rounded once.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "ir/scalar.h"

namespace lathe::ir {

// NEP 50, for operands of which some are literals without a dtype of their own ("weak"): typed
// operands promote among themselves; weak ones follow, unless they are of a higher kind (a real
// among integers, a number among bools). Without typed operands: f64 if any is real, else i64.
struct OperandKind {
  std::optional<DType> typed;
  bool real = false;  // of a weak one
};
DType common_dtype(std::span<const OperandKind> operands, bool wants_float);

// May a value of one dtype be stored in another without saying so? Not a float as an integer, not a
// number as a bool.
bool converts_silently(DType from, DType to);

struct Literal {
  std::string_view text;  // digits with '.' or exponent where real; "inf"; "nan"
  bool real = false;
  bool negative = false;
};

// An integer literal fits an integer dtype when it lies in its range; a real literal never does.
// Float dtypes take both. Else why not: "300 does not fit u8, which holds 0 to 255".
std::variant<Scalar, std::string> to_scalar(const Literal& literal, DType t);

// A constant as text that to_scalar reads back in a place whose dtype is known: 4.0 as "4", if
// `integers_allowed`.
std::string literal_text(const Scalar& s, bool integers_allowed);

}  // namespace lathe::ir
