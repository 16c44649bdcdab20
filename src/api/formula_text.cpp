// SPDX-License-Identifier: Apache-2.0
// Formulas as text, for recipes: postfix, one word per instruction.

#include <charconv>

#include "api/formula.h"

namespace lathe::api {

namespace {
constexpr std::string_view kWords[] = {"c", "p", "+", "-", "*", "neg", "min", "max", "//", "%"};
}  // namespace

std::string Formula::text() const {
  std::string out;
  for (const Instruction& i : code_) {
    if (!out.empty()) out += ' ';
    out += kWords[static_cast<std::size_t>(i.code)];
    if (i.code == Code::Constant || i.code == Code::Parameter) out += std::to_string(i.value);
  }
  return out;
}

std::optional<Formula> Formula::parse(std::string_view text, std::size_t parameters) {
  Formula out;
  std::size_t depth = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    Instruction next{Code::Constant, 0};
    if (word.starts_with('c') || word.starts_with('p')) {
      next.code = word.front() == 'c' ? Code::Constant : Code::Parameter;
      const char* const end = word.data() + word.size();
      const auto [rest, error] = std::from_chars(word.data() + 1, end, next.value);
      if (error != std::errc() || rest != end) return std::nullopt;
      if (next.code == Code::Parameter &&
          (next.value < 0 || static_cast<std::size_t>(next.value) >= parameters))
        return std::nullopt;
      ++depth;
    } else {
      std::size_t code = 2;
      while (code < std::size(kWords) && kWords[code] != word) ++code;
      if (code == std::size(kWords)) return std::nullopt;
      next.code = static_cast<Code>(code);
      const std::size_t operands = next.code == Code::Neg ? 1 : 2;
      if (depth < operands) return std::nullopt;
      depth -= operands - 1;
    }
    out.code_.push_back(next);
    if (out.code_.size() > kMaxInstructions) return std::nullopt;
  }
  if (depth != 1) return std::nullopt;
  return out;
}

}  // namespace lathe::api
