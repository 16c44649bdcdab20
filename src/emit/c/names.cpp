// SPDX-License-Identifier: Apache-2.0
// Everything that a program's author can write is cut down to letters that are harmless in C.

#include "emit/c/names.h"

namespace lathe::emit {

std::string identifier(char kind, int number, std::string_view name) {
  constexpr std::size_t kLongest = 24;
  std::string tail;
  for (char c : name) {
    if (tail.size() == kLongest) break;
    if (c >= 'A' && c <= 'Z') {
      tail += static_cast<char>(c - 'A' + 'a');
    } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      tail += c;
    } else if (!tail.empty() && tail.back() != '_') {
      tail += '_';
    }
  }
  while (!tail.empty() && tail.back() == '_') tail.pop_back();
  std::string result = kind + std::to_string(number);
  return tail.empty() ? result : result + "_" + tail;
}

std::string comment_text(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c < ' ' || c > '~' || c == '\\') continue;
    const char before = out.empty() ? ' ' : out.back();
    const bool ends = before == '*' && c == '/', begins = before == '/' && (c == '*' || c == '/');
    const bool trigraph = before == '?' && c == '?';
    if (ends || begins || trigraph) out += ' ';
    out += c;
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace lathe::emit
