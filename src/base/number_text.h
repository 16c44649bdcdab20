// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers as text and back, the same in every locale.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lathe {

// The shortest text that reads back as the same number of that type: "1.0", "-0.0", "0.1", "1e+22",
// "inf", "-inf", "nan". It always looks like a float: it holds a '.', an 'e' or a letter.
std::string to_text(double x);
std::string to_text(float x);

// All bits, as C writes them: "0x1.8p+1". Infinities and NaN as above.
std::string to_hex_text(double x);
std::string to_hex_text(float x);

enum class NumberFault { None, Malformed, TooLarge };

template <class T>
struct ParsedNumber {
  T value{};
  NumberFault fault = NumberFault::None;

  explicit operator bool() const { return fault == NumberFault::None; }
};

// The whole text must be the number: no blanks, no '+', digits on both sides of a point or none.
// Decimal, or hexadecimal after "0x"; "inf" and "nan", with a minus sign or without. Floats are
// rounded once, to nearest even, directly to the type: float is not read by way of double.
// TooLarge: the nearest number would be infinite. Too small numbers become zero.
ParsedNumber<double> parse_double(std::string_view text);
ParsedNumber<float> parse_float(std::string_view text);

// Digits with a minus sign or without; hexadecimal after "0x".
ParsedNumber<std::int64_t> parse_int64(std::string_view text);
ParsedNumber<std::uint64_t> parse_uint64(std::string_view text);

}  // namespace lathe
