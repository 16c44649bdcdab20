// SPDX-License-Identifier: Apache-2.0
#pragma once
// The two sides of a rule, parsed from their text once, and matching.

#include <array>
#include <string_view>
#include <vector>

#include "ir/expr.h"
#include "rewrite/rules.h"

namespace lathe::rewrite {

// A dtype named in a conversion: one of the variables T, S, U, or a dtype itself.
struct TypeName {
  enum Variable : std::int8_t { T, S, U, Fixed };
  Variable variable = Fixed;
  ir::DType fixed = ir::DType::Bool;
};

struct Term {
  enum class Kind : std::uint8_t { Variable, Constant, Literal, Apply, Fold };
  Kind kind = Kind::Apply;
  ir::Op op = ir::Op::Const;  // Apply
  int slot = 0;               // Variable: x y z b c d are 0..5; Constant: k l are 0, 1
  bool is_bool = false;       // Variable, Literal: bool whatever T is
  double value = 0;           // Literal
  TypeName type;              // Apply of Cast, BitCast
  std::vector<Term> args;     // Apply; Fold has one
};

inline constexpr int kVariableCount = 6;
inline constexpr int kConstantCount = 2;
inline constexpr std::string_view kVariableNames = "xyzbcd";
inline constexpr std::string_view kConstantNames = "kl";

// Throws InternalError on text that is not a pattern.
Term parse_term(std::string_view text);

struct Binding {
  std::array<ir::Expr, kVariableCount> variables{};
  std::array<ir::Expr, kConstantCount> constants{};
  std::array<bool, 3> has_type{};
  std::array<ir::DType, 3> types{};
};

// Structural, operands in the order of the pattern; a variable that occurs twice stands for one
// expression, which for interned expressions is one pointer.
bool match(const Term& pattern, ir::Expr e, Binding& binding);
bool match_operands(const Term& pattern, std::span<const ir::Expr> args, Binding& binding);

// The dtype that the rule speaks of: T where x, y, z or a conversion gave it, else that of the
// constants. And everything a Condition may ask.
Given given(const Binding& binding, ir::DType result);

// Integers have no 0.5, inf or nan.
bool has_value(const Term& literal, ir::DType t);
// A literal as a constant of a dtype that has it.
ir::Scalar literal(const Term& term, ir::DType t);

// The pattern with operands of commutative operations in every order; the one as written first.
// `swaps_lazy`: some `and` or `or` was turned round.
struct Variant {
  Term pattern;
  bool swaps_lazy = false;
};
std::vector<Variant> all_orders(const Term& pattern);

// Slots of the variables that stand in a term where they are always evaluated.
std::array<bool, kVariableCount> strict_variables(const Term& term);
std::array<bool, kVariableCount> variables_of(const Term& term);
std::size_t operation_count(const Term& term);  // folds count nothing

}  // namespace lathe::rewrite
