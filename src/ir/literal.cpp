// SPDX-License-Identifier: Apache-2.0
// A decimal number is rounded once, directly to the dtype that it takes. float64 and float32 have
// parsers of their own. The 16-bit floats go by way of double, which is the same number unless the
// double lies exactly half-way between two of them: then the digits decide on which side they are.

#include "ir/literal.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "base/number_text.h"

namespace lathe::ir {
namespace {

std::string range_text(DType t) {
  const int bits = width_bits(t) - (is_signed_int(t) ? 1 : 0);
  const std::uint64_t highest =
      bits == 64 ? std::numeric_limits<std::uint64_t>::max() : (std::uint64_t{1} << bits) - 1;
  const std::string lowest = is_signed_int(t) ? "-" + std::to_string(highest + 1) : "0";
  return lowest + " to " + std::to_string(highest);
}

std::string shown(const Literal& literal) {
  return (literal.negative ? "-" : "") + std::string(literal.text);
}

std::variant<Scalar, std::string> to_integer(const Literal& literal, DType t) {
  const ParsedNumber<std::uint64_t> parsed = parse_uint64(literal.text);
  const std::uint64_t v = parsed.value;
  const int bits = width_bits(t) - (is_signed_int(t) ? 1 : 0);
  const std::uint64_t highest =
      bits == 64 ? std::numeric_limits<std::uint64_t>::max() : (std::uint64_t{1} << bits) - 1;
  const std::uint64_t limit = !literal.negative ? highest : is_signed_int(t) ? highest + 1 : 0;
  if (!parsed || v > limit)
    return shown(literal) + " does not fit " + std::string(name(t)) + ", which holds " +
           range_text(t);
  return Scalar::of_uint(t, literal.negative ? 0 - v : v);
}

// Digits without leading and trailing zeros, and the power of ten of 0.digits.
struct Decimal {
  std::string digits;
  long exponent = 0;
};

Decimal decimal_of(std::string_view text) {
  Decimal d;
  long point = -1, position = 0;
  std::size_t i = 0;
  for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
    if (text[i] == '.') {
      point = position;
      continue;
    }
    d.digits += text[i];
    ++position;
  }
  if (point < 0) point = position;
  long exponent = 0;
  if (i < text.size()) exponent = std::strtol(std::string(text.substr(i + 1)).c_str(), nullptr, 10);
  const std::size_t zeros = std::min(d.digits.find_first_not_of('0'), d.digits.size());
  d.digits.erase(0, zeros);
  d.exponent = point - static_cast<long>(zeros) + exponent;
  while (!d.digits.empty() && d.digits.back() == '0') d.digits.pop_back();
  return d;
}

// Is the number that the text means below, at or above the double nearest to it?
int compare_with_double(std::string_view text, double d) {
  std::vector<char> exact(1200);  // no double has more significant digits than 767
  const int n = std::snprintf(exact.data(), exact.size(), "%.1080e", d);
  const Decimal a = decimal_of(text);
  const Decimal b = decimal_of({exact.data(), static_cast<std::size_t>(n)});
  if (a.exponent != b.exponent) return a.exponent < b.exponent ? -1 : 1;
  return a.digits.compare(b.digits) < 0 ? -1 : a.digits == b.digits ? 0 : 1;
}

// Steps of half a unit in the last place between neighbours: d is a tie when both ways of nudging
// it round to different numbers.
Scalar round_to_half(std::string_view text, double d, DType t) {
  const double inf = std::numeric_limits<double>::infinity();
  const Scalar below = Scalar::of_double(t, std::nextafter(d, -inf));
  const Scalar above = Scalar::of_double(t, std::nextafter(d, inf));
  if (below == above) return Scalar::of_double(t, d);
  const int side = compare_with_double(text, d);
  return side < 0 ? below : side > 0 ? above : Scalar::of_double(t, d);
}

std::variant<Scalar, std::string> to_float(const Literal& literal, DType t) {
  const bool special = literal.text == "inf" || literal.text == "nan";
  // An integer zero has no sign.
  const bool negative = literal.negative && (literal.real || literal.text.find_first_not_of('0') !=
                                                                 std::string_view::npos);
  const ParsedNumber<double> d = parse_double(literal.text);
  const ParsedNumber<float> f = parse_float(literal.text);
  Scalar s;
  if (t == DType::F32) {
    s = Scalar::of_float(t, f.value);
  } else if (is_half(t) && !special && d.value != 0) {
    s = round_to_half(literal.text, d.value, t);
  } else {
    s = Scalar::of_double(t, d.value);
  }
  const bool fits = t == DType::F32 ? static_cast<bool>(f) : static_cast<bool>(d);
  if (!special && (!fits || !std::isfinite(s.as_double())))
    return shown(literal) + " is too large for " + std::string(name(t));
  // The sign is a bit: numbers round to nearest, which is symmetric.
  if (negative) s = Scalar::of_bits(t, s.bits ^ (std::uint64_t{1} << (width_bits(t) - 1)));
  return s;
}

}  // namespace

DType common_dtype(std::span<const OperandKind> operands, bool wants_float) {
  std::optional<DType> typed;
  bool weak = false, real = false;
  for (const OperandKind& o : operands) {
    if (o.typed) typed = typed ? promote(*typed, *o.typed) : *o.typed;
    weak = weak || !o.typed;
    real = real || (!o.typed && o.real);
  }
  DType t = typed.value_or(real ? DType::F64 : DType::I64);
  if (real && !is_float(t)) t = DType::F64;
  if (weak && is_bool(t)) t = DType::I64;
  return wants_float && !is_float(t) ? DType::F64 : t;
}

bool converts_silently(DType from, DType to) {
  return !(is_float(from) && !is_float(to)) && !(is_bool(to) && !is_bool(from));
}

std::variant<Scalar, std::string> to_scalar(const Literal& literal, DType t) {
  if (is_float(t)) return to_float(literal, t);
  if (is_bool(t)) return shown(literal) + " is not a bool: write true or false";
  if (literal.real)
    return shown(literal) + " is not an integer, as " + std::string(name(t)) + " needs";
  return to_integer(literal, t);
}

std::string literal_text(const Scalar& s, bool integers_allowed) {
  if (integers_allowed && is_float(s.dtype)) {
    const double v = s.as_double();
    constexpr double kReadable = 1e6;  // beyond that, exponents read better
    const bool negative_zero = v == 0 && std::signbit(v);
    if (v == std::floor(v) && std::fabs(v) < kReadable && !negative_zero)
      return std::to_string(static_cast<std::int64_t>(v));
  }
  return to_text(s);
}

}  // namespace lathe::ir
