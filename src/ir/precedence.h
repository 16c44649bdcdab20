// SPDX-License-Identifier: Apache-2.0
#pragma once
// How tightly operations bind in the text form, from loose to tight, as the grammar in
// docs/language.md lists them. Parser and printer share this table.

#include "ir/op.h"

namespace lathe::ir {

inline constexpr int kSlotLevel = 0;  // takes any expression: reductions, lets
inline constexpr int kNotLevel = 3, kComparisonLevel = 4, kUnaryLevel = 11, kPowerLevel = 12;
inline constexpr int kAtomLevel = 13;

constexpr int level(Op op) {
  switch (op) {
    case Op::Reduce: return kSlotLevel;
    case Op::Or: return 1;
    case Op::And: return 2;
    case Op::Not: return kNotLevel;
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
    case Op::Eq:
    case Op::Ne: return kComparisonLevel;
    case Op::BitOr: return 5;
    case Op::BitXor: return 6;
    case Op::BitAnd: return 7;
    case Op::Shl:
    case Op::Shr: return 8;
    case Op::Add:
    case Op::Sub: return 9;
    case Op::Mul:
    case Op::Div:
    case Op::FloorDiv:
    case Op::Mod: return 10;
    case Op::Neg:
    case Op::BitNot: return kUnaryLevel;
    case Op::Pow: return kPowerLevel;
    default: return kAtomLevel;
  }
}

// What an infix operation asks of its operands. Operations group to the left, powers to the right,
// comparisons not at all.
constexpr int left_level(Op op) {
  if (op == Op::Pow) return kAtomLevel;
  return level(op) == kComparisonLevel ? kComparisonLevel + 1 : level(op);
}
constexpr int right_level(Op op) { return op == Op::Pow ? kUnaryLevel : level(op) + 1; }

}  // namespace lathe::ir
