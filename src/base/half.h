// SPDX-License-Identifier: Apache-2.0
#pragma once
// float16 and bfloat16 as storage: conversions by integer operations, so that every target can do
// the same ones. Rounding is to nearest, ties to even, once; denormals are kept; every NaN becomes
// the canonical quiet one of the result's type.

#include <bit>
#include <cstdint>

namespace lathe {

// The layout of a binary interchange format: sign, exponent, mantissa.
struct FloatLayout {
  int exponent_bits;
  int mantissa_bits;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr int sign_shift() const { return exponent_bits + mantissa_bits; }
  constexpr std::uint64_t infinity() const {
    return ((std::uint64_t{1} << exponent_bits) - 1) << mantissa_bits;
  }
  constexpr std::uint64_t quiet_nan() const {
    return infinity() | (std::uint64_t{1} << (mantissa_bits - 1));
  }
  // The exponent of the smallest denormal: values are integers times two to this or more.
  constexpr int min_quantum() const { return 1 - bias() - mantissa_bits; }
};

inline constexpr FloatLayout kFloat16{5, 10};
inline constexpr FloatLayout kBFloat16{8, 7};
inline constexpr FloatLayout kFloat32{8, 23};
inline constexpr FloatLayout kFloat64{11, 52};

// Rounds `bits`, a number of layout `from`, to the narrower layout `to`.
constexpr std::uint64_t narrow_float(std::uint64_t bits, FloatLayout from, FloatLayout to) {
  const std::uint64_t sign = (bits >> from.sign_shift()) & 1;
  const std::uint64_t signed_zero = sign << to.sign_shift();
  const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << from.sign_shift());
  if (magnitude > from.infinity()) return to.quiet_nan();
  if (magnitude == from.infinity()) return signed_zero | to.infinity();

  // The number is significand * 2^scale.
  const int exponent = static_cast<int>(magnitude >> from.mantissa_bits);
  const std::uint64_t fraction = magnitude & ((std::uint64_t{1} << from.mantissa_bits) - 1);
  const std::uint64_t significand =
      exponent == 0 ? fraction : fraction | (std::uint64_t{1} << from.mantissa_bits);
  const int scale = (exponent == 0 ? 1 : exponent) + from.min_quantum() - 1;
  if (significand == 0) return signed_zero;

  // The result is a whole number of quanta 2^quantum: its lowest mantissa bit, or that of
  // denormals.
  const int top = 63 - std::countl_zero(significand);
  const int wanted = top + scale - to.mantissa_bits;
  const int quantum = wanted > to.min_quantum() ? wanted : to.min_quantum();
  const int shift = quantum - scale;                       // always positive: `to` is narrower
  if (shift > from.mantissa_bits + 1) return signed_zero;  // below half the smallest denormal
  const std::uint64_t rest = significand & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  std::uint64_t quanta = significand >> shift;
  if (rest > half || (rest == half && (quanta & 1) != 0)) ++quanta;

  // The hidden bit of `quanta` adds itself to the exponent field, and so does a carry.
  const auto step = static_cast<std::uint64_t>(quantum - to.min_quantum());
  const std::uint64_t result = (step << to.mantissa_bits) + quanta;
  return signed_zero | (result < to.infinity() ? result : to.infinity());
}

// Writes `bits`, a number of layout `from`, in the wider layout `to`: always exact.
constexpr std::uint64_t widen_float(std::uint64_t bits, FloatLayout from, FloatLayout to) {
  const std::uint64_t sign = (bits >> from.sign_shift()) & 1;
  const std::uint64_t signed_zero = sign << to.sign_shift();
  const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << from.sign_shift());
  if (magnitude > from.infinity()) return to.quiet_nan();
  if (magnitude == from.infinity()) return signed_zero | to.infinity();
  const int exponent = static_cast<int>(magnitude >> from.mantissa_bits);
  const std::uint64_t fraction = magnitude & ((std::uint64_t{1} << from.mantissa_bits) - 1);
  const std::uint64_t significand =
      exponent == 0 ? fraction : fraction | (std::uint64_t{1} << from.mantissa_bits);
  const int scale = (exponent == 0 ? 1 : exponent) + from.min_quantum() - 1;
  if (significand == 0) return signed_zero;

  const int top = 63 - std::countl_zero(significand);
  const int wanted = top + scale - to.mantissa_bits;
  const int quantum = wanted > to.min_quantum() ? wanted : to.min_quantum();
  const auto step = static_cast<std::uint64_t>(quantum - to.min_quantum());
  return signed_zero | ((step << to.mantissa_bits) + (significand << (scale - quantum)));
}

constexpr std::uint16_t float_to_half(float x) {
  return static_cast<std::uint16_t>(
      narrow_float(std::bit_cast<std::uint32_t>(x), kFloat32, kFloat16));
}
constexpr std::uint16_t double_to_half(double x) {
  return static_cast<std::uint16_t>(
      narrow_float(std::bit_cast<std::uint64_t>(x), kFloat64, kFloat16));
}
constexpr float half_to_float(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(widen_float(bits, kFloat16, kFloat32)));
}

constexpr std::uint16_t float_to_bfloat16(float x) {
  return static_cast<std::uint16_t>(
      narrow_float(std::bit_cast<std::uint32_t>(x), kFloat32, kBFloat16));
}
constexpr std::uint16_t double_to_bfloat16(double x) {
  return static_cast<std::uint16_t>(
      narrow_float(std::bit_cast<std::uint64_t>(x), kFloat64, kBFloat16));
}
constexpr float bfloat16_to_float(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(widen_float(bits, kBFloat16, kFloat32)));
}

}  // namespace lathe
