// SPDX-License-Identifier: Apache-2.0
#pragma once
// 64-bit arithmetic on sizes, strides and offsets that notices overflow.

#include <cstdint>
#include <limits>
#include <optional>

namespace lathe {

using CheckedInt = std::optional<std::int64_t>;  // nothing: the result does not fit

constexpr CheckedInt checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_add_overflow(a, b, &r)) return std::nullopt;
  return r;
}

constexpr CheckedInt checked_sub(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_sub_overflow(a, b, &r)) return std::nullopt;
  return r;
}

constexpr CheckedInt checked_mul(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_mul_overflow(a, b, &r)) return std::nullopt;
  return r;
}

constexpr CheckedInt checked_neg(std::int64_t a) { return checked_sub(0, a); }

// The same on results: an overflow anywhere in a formula is an overflow of the formula.
constexpr CheckedInt checked_add(CheckedInt a, CheckedInt b) {
  return a && b ? checked_add(*a, *b) : std::nullopt;
}
constexpr CheckedInt checked_sub(CheckedInt a, CheckedInt b) {
  return a && b ? checked_sub(*a, *b) : std::nullopt;
}
constexpr CheckedInt checked_mul(CheckedInt a, CheckedInt b) {
  return a && b ? checked_mul(*a, *b) : std::nullopt;
}

// Division rounding down and up, and the remainder that goes with rounding down (it has the sign of
// b). The divisor must not be 0, and INT64_MIN / -1 must not be asked for.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return a / b + (a % b != 0 && (a < 0) == (b < 0) ? 1 : 0);
}
constexpr std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
  if (b == -1) return 0;  // INT64_MIN % -1 traps
  const std::int64_t r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

}  // namespace lathe
