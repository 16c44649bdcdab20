// SPDX-License-Identifier: Apache-2.0
// Integers are exact or left to their text; floats are rounded once.

#include "frontend/python/number_value.h"

#include <limits>
#include <string>

#include "base/number_text.h"

namespace lathe::python {
namespace {

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return (c | 0x20) - 'a' + 10;
}

void set_integer(Constant& constant) {
  constant.what = ConstantKind::Int;
  std::string_view digits = constant.text;
  std::int64_t base = 10;
  if (digits.size() > 2 && digits[0] == '0') {
    const char letter = static_cast<char>(digits[1] | 0x20);
    base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
    if (base != 10) digits.remove_prefix(2);
  }
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  std::int64_t value = 0;
  for (const char c : digits) {
    if (c == '_') continue;
    const std::int64_t digit = digit_value(c);
    if (value > (kMax - digit) / base) return;  // the text says it all
    value = value * base + digit;
  }
  constant.integer = value;
  constant.fits = true;
}

// As base/number_text.h wants it: no underscores, digits on both sides of the point.
double real_value(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c == '_') continue;
    const bool after_point = !plain.empty() && plain.back() == '.';
    if (c == '.' && plain.empty()) plain += '0';
    if (after_point && (c < '0' || c > '9')) plain += '0';
    plain += c;
  }
  if (plain.back() == '.') plain += '0';
  const ParsedNumber<double> number = parse_double(plain);
  check(number.fault != NumberFault::Malformed, "a malformed float that the lexer let pass");
  return number ? number.value : std::numeric_limits<double>::infinity();
}

}  // namespace

void set_number(Constant& constant) {
  std::string_view text = constant.text;
  const bool based = text.find_first_of("xXoObB") == 1;
  if (!based && (text.back() | 0x20) == 'j') {
    text.remove_suffix(1);
    constant.what = ConstantKind::Imaginary;
    constant.real = real_value(text);
  } else if (!based && text.find_first_of(".eE") != text.npos) {
    constant.what = ConstantKind::Float;
    constant.real = real_value(text);
  } else {
    set_integer(constant);
  }
}

}  // namespace lathe::python
