// SPDX-License-Identifier: Apache-2.0
#pragma once
// One value of any dtype, held by its bits. Two Scalars are equal when dtype and bits are: +0 and
// -0 differ, and every NaN is canonicalised on the way in, so NaN equals NaN.

#include <cstdint>
#include <string>

#include "ir/dtype.h"

namespace lathe::ir {

struct Scalar {
  DType dtype = DType::F64;
  std::uint64_t bits = 0;  // zero-extended element bits; bool is 0 or 1

  static Scalar of_bool(bool b) { return {DType::Bool, b ? 1u : 0u}; }
  // Rounds (float dtypes), wraps (integer dtypes), tests against zero (bool).
  static Scalar of_int(DType t, std::int64_t v);
  static Scalar of_uint(DType t, std::uint64_t v);
  // Rounds once (float dtypes), saturates with NaN -> 0 (integer dtypes).
  static Scalar of_double(DType t, double v);
  static Scalar of_float(DType t, float v);
  // From element bits as they lie in memory; canonicalises NaN.
  static Scalar of_bits(DType t, std::uint64_t bits);
  static Scalar load(DType t, const void* from);
  void store(void* to) const;

  bool as_bool() const;         // != 0
  std::int64_t as_int() const;  // ints and bool exactly (u64 wraps); floats as `cast(i64)`
  double as_double() const;     // floats and ints up to 53 bits exactly
  bool is_nan() const;
  bool is_zero() const;  // either zero
  // As `cast(t, x)` of the language.
  Scalar cast(DType t) const;

  friend bool operator==(const Scalar&, const Scalar&) = default;
};

// The text form without a dtype suffix: shortest decimal that reads back as the same bits in
// this dtype; "true"/"false"; "inf", "-inf", "nan". Floats always carry '.', 'e', or are inf/nan.
std::string to_text(const Scalar& s);

}  // namespace lathe::ir
