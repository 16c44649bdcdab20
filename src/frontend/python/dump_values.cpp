// SPDX-License-Identifier: Apache-2.0
// Strings and numbers as Python's repr() prints them.

#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "base/utf8.h"
#include "frontend/python/dump_writer.h"

namespace lathe::python {
namespace {

void append_hex(std::string& out, const char* escape, char32_t code, int digits) {
  constexpr char kDigits[] = "0123456789abcdef";
  out += escape;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += kDigits[(code >> shift) & 15];
}

// A string's value may hold lone surrogates in their three bytes, which decode_utf8 refuses.
Utf8Char decode_value(std::string_view value, std::size_t at) {
  Utf8Char c = decode_utf8(value, at);
  if (c.valid || at + 2 >= value.size()) return c;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(value[at + i]); };
  const char32_t code = (byte(0) & 0x0fu) << 12 | (byte(1) & 0x3fu) << 6 | (byte(2) & 0x3fu);
  return {code, 3, true};
}

// Shortest digits that read back as the same number, and where the point stands: 0.d1d2... * 10^n.
struct Decimal {
  std::string digits;
  int point = 0;
};

Decimal shortest(double x) {
  std::array<char, 40> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), x, std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
  const std::size_t mark = text.find('e');
  Decimal result;
  for (const char c : text.substr(0, mark))
    if (c != '.') result.digits += c;
  const std::size_t sign = text[mark + 1] == '+' ? 2 : 1;
  std::from_chars(text.data() + mark + sign, text.data() + text.size(), result.point);
  ++result.point;
  return result;
}

// Exponents from -4 to 15 are written out.
void append_real(std::string& out, double x, bool point_zero) {
  if (std::isinf(x)) {
    out += "inf";
    return;
  }
  const Decimal d = shortest(x);
  const int count = static_cast<int>(d.digits.size());
  if (x != 0 && (d.point > 16 || d.point < -3)) {
    out += d.digits[0];
    if (count > 1) out += "." + d.digits.substr(1);
    const int exponent = d.point - 1;
    out += exponent < 0 ? "e-" : "e+";
    if (std::abs(exponent) < 10) out += '0';
    out += std::to_string(std::abs(exponent));
    return;
  }
  if (d.point <= 0) {
    out += "0." + std::string(static_cast<std::size_t>(-d.point), '0') + d.digits;
    return;
  }
  const auto whole = static_cast<std::size_t>(d.point);
  if (count <= d.point) {
    out += d.digits + std::string(whole - d.digits.size(), '0');
    if (point_zero) out += ".0";
    return;
  }
  out += d.digits.substr(0, whole) + "." + d.digits.substr(whole);
}

// In limbs of nine decimal digits, lowest first. Quadratic, which is fine for what people write.
void append_big(std::string& out, std::string_view text) {
  std::uint64_t base = 10;
  const char letter = text.size() > 1 ? static_cast<char>(text[1] | 0x20) : '0';
  if (letter == 'x' || letter == 'o' || letter == 'b') {
    base = letter == 'x' ? 16 : letter == 'o' ? 8 : 2;
    text.remove_prefix(2);
  }
  constexpr std::uint64_t kLimb = 1'000'000'000;
  std::vector<std::uint64_t> limbs = {0};
  for (const char c : text) {
    if (c == '_') continue;
    const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    auto carry = static_cast<std::uint64_t>(digit);
    for (std::uint64_t& limb : limbs) {
      carry += limb * base;
      limb = carry % kLimb;
      carry /= kLimb;
    }
    if (carry > 0) limbs.push_back(carry);
  }
  out += std::to_string(limbs.back());
  for (std::size_t i = limbs.size() - 1; i-- > 0;) {
    const std::string part = std::to_string(limbs[i]);
    out += std::string(9 - part.size(), '0') + part;
  }
}

}  // namespace

void append_repr(std::string& out, std::string_view value, bool bytes) {
  const bool double_quotes = value.find('\'') != value.npos && value.find('"') == value.npos;
  const char quote = double_quotes ? '"' : '\'';
  if (bytes) out += 'b';
  out += quote;
  for (std::size_t i = 0; i < value.size();) {
    const char byte = value[i];
    if ((byte & 0x80) != 0) {
      const Utf8Char c = decode_value(value, i);
      const auto code = bytes ? char32_t{static_cast<unsigned char>(byte)} : c.code;
      if (code < 0x100)
        append_hex(out, "\\x", code, 2);
      else if (code < 0x10000)
        append_hex(out, "\\u", code, 4);
      else
        append_hex(out, "\\U", code, 8);
      i += bytes ? 1 : c.length;
      continue;
    }
    ++i;
    if (byte == quote || byte == '\\') {
      out += '\\';
      out += byte;
    } else if (byte == '\n') {
      out += "\\n";
    } else if (byte == '\r') {
      out += "\\r";
    } else if (byte == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      append_hex(out, "\\x", static_cast<char32_t>(byte), 2);
    } else {
      out += byte;
    }
  }
  out += quote;
}

void append_number(std::string& out, const Constant& c) {
  if (c.what == ConstantKind::Int) {
    if (c.fits)
      out += std::to_string(c.integer);
    else
      append_big(out, c.text);
    return;
  }
  append_real(out, c.real, c.what == ConstantKind::Float);
  if (c.what == ConstantKind::Imaginary) out += 'j';
}

}  // namespace lathe::python
