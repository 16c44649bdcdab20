// SPDX-License-Identifier: Apache-2.0
#include "ir/scalar.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/half.h"
#include "base/number_text.h"

namespace lathe::ir {
namespace {

constexpr std::uint64_t mask(DType t) {
  return width_bits(t) == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width_bits(t)) - 1;
}

std::int64_t sign_extend(DType t, std::uint64_t bits) {
  const int unused = 64 - width_bits(t);
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

std::uint64_t bits_of(float v) { return std::bit_cast<std::uint32_t>(v); }
std::uint64_t bits_of(double v) { return std::bit_cast<std::uint64_t>(v); }

// Truncates towards zero and saturates at the type's limits.
std::uint64_t saturate(DType t, double v) {
  if (std::isnan(v)) return 0;
  const int digits = width_bits(t) - (is_signed_int(t) ? 1 : 0);
  const double limit = std::ldexp(1.0, digits);
  const std::uint64_t highest = digits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << digits) - 1;
  if (v >= limit) return highest;
  if (is_unsigned_int(t)) return v <= 0 ? 0 : static_cast<std::uint64_t>(v);
  if (v < -limit) return ~highest & mask(t);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(v)) & mask(t);
}

// An integer in sign and magnitude to a half, rounded once: halves have at most 11 significant
// bits, so a magnitude above 2^53 is first made odd-rounded to 54 bits, which double holds exactly.
double sticky_double(std::uint64_t magnitude) {
  const int extra = 64 - 53 - std::countl_zero(magnitude);
  if (extra <= 0) return static_cast<double>(magnitude);
  const std::uint64_t low = (std::uint64_t{1} << extra) - 1;
  const std::uint64_t kept = (magnitude & ~low) | ((magnitude & low) != 0 ? low + 1 : 0);
  return static_cast<double>(kept);
}

std::uint64_t from_integer(DType t, bool negative, std::uint64_t magnitude) {
  switch (t) {
    case DType::F64: {
      const double v = static_cast<double>(magnitude);
      return bits_of(negative ? -v : v);
    }
    case DType::F32: {
      const float v = static_cast<float>(magnitude);
      return bits_of(negative ? -v : v);
    }
    case DType::F16:
    case DType::BF16: {
      const double v = negative ? -sticky_double(magnitude) : sticky_double(magnitude);
      return t == DType::F16 ? double_to_half(v) : double_to_bfloat16(v);
    }
    default: return (negative ? 0 - magnitude : magnitude) & mask(t);
  }
}

}  // namespace

Scalar Scalar::of_int(DType t, std::int64_t v) {
  if (is_bool(t)) return of_bool(v != 0);
  const bool negative = v < 0;
  const std::uint64_t u = static_cast<std::uint64_t>(v);
  return {t, from_integer(t, negative, negative ? 0 - u : u)};
}

Scalar Scalar::of_uint(DType t, std::uint64_t v) {
  if (is_bool(t)) return of_bool(v != 0);
  return {t, from_integer(t, false, v)};
}

Scalar Scalar::of_double(DType t, double v) {
  switch (t) {
    case DType::Bool: return of_bool(v != 0);
    case DType::F64: return of_bits(t, bits_of(v));
    case DType::F32: return of_bits(t, bits_of(static_cast<float>(v)));
    case DType::F16: return {t, double_to_half(v)};
    case DType::BF16: return {t, double_to_bfloat16(v)};
    default: return {t, saturate(t, v)};
  }
}

Scalar Scalar::of_float(DType t, float v) { return of_double(t, static_cast<double>(v)); }

Scalar Scalar::of_bits(DType t, std::uint64_t bits) {
  Scalar s{t, bits & mask(t)};
  if (is_bool(t)) s.bits = s.bits != 0;
  if (!s.is_nan()) return s;
  const FloatLayout layout = t == DType::F64   ? kFloat64
                             : t == DType::F32 ? kFloat32
                             : t == DType::F16 ? kFloat16
                                               : kBFloat16;
  return {t, layout.quiet_nan()};
}

Scalar Scalar::load(DType t, const void* from) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, from, size_bytes(t));  // little-endian machines only
  return of_bits(t, bits);
}

void Scalar::store(void* to) const { std::memcpy(to, &bits, size_bytes(dtype)); }

double Scalar::as_double() const {
  switch (dtype) {
    case DType::F64: return std::bit_cast<double>(bits);
    case DType::F32: return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case DType::F16: return half_to_float(static_cast<std::uint16_t>(bits));
    case DType::BF16: return bfloat16_to_float(static_cast<std::uint16_t>(bits));
    default:
      return is_signed_int(dtype) ? static_cast<double>(sign_extend(dtype, bits))
                                  : static_cast<double>(bits);
  }
}

bool Scalar::as_bool() const { return is_float(dtype) ? as_double() != 0 : bits != 0; }

std::int64_t Scalar::as_int() const {
  if (is_float(dtype)) return static_cast<std::int64_t>(saturate(DType::I64, as_double()));
  return is_signed_int(dtype) ? sign_extend(dtype, bits) : static_cast<std::int64_t>(bits);
}

bool Scalar::is_nan() const { return is_float(dtype) && std::isnan(as_double()); }
bool Scalar::is_zero() const { return is_float(dtype) ? as_double() == 0 : bits == 0; }

Scalar Scalar::cast(DType t) const {
  if (t == dtype) return *this;
  if (is_float(dtype)) return of_double(t, as_double());
  return is_signed_int(dtype) ? of_int(t, as_int()) : of_uint(t, bits);
}

namespace {

// As few digits as read back as the same 16-bit float. lathe::to_text(float) would give those of a
// float, of which there are many more. A decimal half-way between two of them is none of either.
std::string shortest_text(const Scalar& s) {
  const double x = s.as_double();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (int digits = 0; std::isfinite(x) && digits < 8; ++digits) {
    char buffer[32];
    const auto end =
        std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::scientific, digits);
    const ParsedNumber<double> d = parse_double(std::string_view(buffer, end.ptr));
    if (d && Scalar::of_double(s.dtype, std::nextafter(d.value, kInfinity)) == s &&
        Scalar::of_double(s.dtype, std::nextafter(d.value, -kInfinity)) == s)
      return lathe::to_text(d.value);
  }
  return lathe::to_text(static_cast<float>(x));
}

}  // namespace

std::string to_text(const Scalar& s) {
  switch (s.dtype) {
    case DType::Bool: return s.bits != 0 ? "true" : "false";
    case DType::F64: return lathe::to_text(s.as_double());
    case DType::F32: return lathe::to_text(static_cast<float>(s.as_double()));
    case DType::F16:
    case DType::BF16: return shortest_text(s);
    default: return is_signed_int(s.dtype) ? std::to_string(s.as_int()) : std::to_string(s.bits);
  }
}

}  // namespace lathe::ir
