// SPDX-License-Identifier: Apache-2.0
// Numbers as text, by std::to_chars and std::from_chars: exact, and deaf to the locale.
//
// from_chars accepts more spellings than a program should hold ("infinity", "nan(7)", ".5"), so the
// shape of the text is checked first and from_chars only computes the value.

#include "base/number_text.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "base/diagnostics.h"

namespace lathe {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

template <class T>
std::string special_text(T x) {
  if (std::isnan(x)) return "nan";
  return x < 0 ? "-inf" : "inf";
}

template <class T>
std::string shortest_text(T x) {
  if (!std::isfinite(x)) return special_text(x);
  char buffer[64];
  const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, x);
  check(end.ec == std::errc(), "a number whose text does not fit");
  std::string text(buffer, end.ptr);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

template <class T>
std::string hex_text(T x) {
  if (!std::isfinite(x)) return special_text(x);
  char buffer[64];
  const std::to_chars_result end =
      std::to_chars(buffer, buffer + sizeof buffer, std::abs(x), std::chars_format::hex);
  check(end.ec == std::errc(), "a number whose text does not fit");
  return (std::signbit(x) ? "-0x" : "0x") + std::string(buffer, end.ptr);
}

// The shape of an unsigned number without its "0x".
struct Shape {
  bool well_formed = false;
  bool hex = false;
  // The number is at least 1 (only asked for when its value is out of range).
  bool at_least_one = false;
};

Shape shape_of(std::string_view text, bool hex) {
  Shape shape{.hex = hex};
  const auto digit = [hex](char c) { return hex ? is_hex_digit(c) : is_digit(c); };
  std::size_t i = 0;
  // Where the first digit that is not zero stands, counted from the point: its power, roughly.
  std::int64_t leading = 0;
  bool seen_nonzero = false;
  const auto take_digits = [&](bool before_point) {
    const std::size_t start = i;
    for (; i < text.size() && digit(text[i]); ++i) {
      seen_nonzero = seen_nonzero || text[i] != '0';
      if (before_point && seen_nonzero) ++leading;
      if (!before_point && !seen_nonzero) --leading;
    }
    return i > start;
  };
  if (!take_digits(true)) return shape;
  if (i < text.size() && text[i] == '.') {
    ++i;
    if (!take_digits(false)) return shape;
  }
  std::int64_t exponent = 0;
  const char mark = hex ? 'p' : 'e';
  if (i < text.size() && (text[i] | 0x20) == mark) {
    ++i;
    const bool negative = i < text.size() && text[i] == '-';
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    const std::size_t start = i;
    for (; i < text.size() && is_digit(text[i]); ++i) {
      if (exponent < 1'000'000'000'000) exponent = exponent * 10 + (text[i] - '0');
    }
    if (i == start) return shape;
    if (negative) exponent = -exponent;
  }
  shape.well_formed = i == text.size();
  shape.at_least_one = seen_nonzero && leading * (hex ? 4 : 1) + exponent > 0;
  return shape;
}

template <class T>
ParsedNumber<T> parse_floating(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const auto give = [negative](T magnitude) {
    return ParsedNumber<T>{negative ? -magnitude : magnitude};
  };
  if (text == "inf") return give(std::numeric_limits<T>::infinity());
  if (text == "nan") return {std::numeric_limits<T>::quiet_NaN()};

  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  const Shape shape = shape_of(text, hex);
  if (!shape.well_formed) return {T{}, NumberFault::Malformed};
  T value{};
  const auto format = hex ? std::chars_format::hex : std::chars_format::general;
  const std::from_chars_result end =
      std::from_chars(text.data(), text.data() + text.size(), value, format);
  if (end.ec == std::errc::result_out_of_range) {
    return shape.at_least_one ? ParsedNumber<T>{T{}, NumberFault::TooLarge} : give(T{});
  }
  if (end.ec != std::errc() || end.ptr != text.data() + text.size()) {
    return {T{}, NumberFault::Malformed};
  }
  if (std::isinf(value)) return {T{}, NumberFault::TooLarge};
  return give(value);
}

ParsedNumber<std::uint64_t> parse_magnitude(std::string_view text) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const std::from_chars_result end =
      std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (end.ptr != text.data() + text.size() || end.ec == std::errc::invalid_argument) {
    return {0, NumberFault::Malformed};
  }
  if (end.ec != std::errc()) return {0, NumberFault::TooLarge};
  return {value};
}

}  // namespace

std::string to_text(double x) { return shortest_text(x); }
std::string to_text(float x) { return shortest_text(x); }
std::string to_hex_text(double x) { return hex_text(x); }
std::string to_hex_text(float x) { return hex_text(x); }

ParsedNumber<double> parse_double(std::string_view text) { return parse_floating<double>(text); }
ParsedNumber<float> parse_float(std::string_view text) { return parse_floating<float>(text); }

ParsedNumber<std::uint64_t> parse_uint64(std::string_view text) { return parse_magnitude(text); }

ParsedNumber<std::int64_t> parse_int64(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const ParsedNumber<std::uint64_t> magnitude = parse_magnitude(text);
  if (!magnitude) return {0, magnitude.fault};
  const std::uint64_t limit = (std::uint64_t{1} << 63) - (negative ? 0 : 1);
  if (magnitude.value > limit) return {0, NumberFault::TooLarge};
  return {static_cast<std::int64_t>(negative ? 0 - magnitude.value : magnitude.value)};
}

}  // namespace lathe
