// SPDX-License-Identifier: Apache-2.0
#pragma once
// The bounds of arrays are integer formulas over a program's parameters: n, m + 1, max(0, n - 2).
// A call evaluates all of them, so each is compiled once, into a few instructions for a stack.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/checked.h"
#include "ir/program.h"

namespace lathe::api {

class Formula {
 public:
  // Nothing for what is not i64 sums, differences, products, negation, min, max, // and % of
  // parameters and constants, or is larger than any bound that people write: the interpreter
  // evaluates those.
  static std::optional<Formula> compile(ir::Expr e, std::span<const ir::Parameter> parameters);

  // Parameters as element bits, in the order given to compile(). Nothing when it overflows, or
  // divides by zero: the interpreter has the words for it.
  CheckedInt evaluate(const std::uint64_t* parameters) const;

  // "p0 c2 -", and back: nothing for what is no formula over so many parameters.
  std::string text() const;
  static std::optional<Formula> parse(std::string_view text, std::size_t parameters);

 private:
  enum class Code : std::uint8_t { Constant, Parameter, Add, Sub, Mul, Neg, Min, Max, Div, Mod };
  struct Instruction {
    Code code;
    std::int64_t value;  // Constant: itself; Parameter: its number
  };
  static constexpr std::size_t kMaxInstructions = 64;

  std::vector<Instruction> code_;  // postfix
};

}  // namespace lathe::api
