// SPDX-License-Identifier: Apache-2.0
#pragma once
// Python source as a list of tokens.

#include <vector>

#include "base/diagnostics.h"
#include "frontend/python/token.h"

namespace lathe::python {

// As deep as brackets and replacement fields may nest together, and blocks: Python's own limits.
inline constexpr std::size_t kMaxBrackets = 200;
inline constexpr std::size_t kMaxIndents = 100;
// F-strings inside fields of f-strings.
inline constexpr std::size_t kMaxFStrings = 100;

struct TokenList {
  std::vector<Token> tokens;   // the last one is End
  std::vector<Span> comments;  // from '#' to the end of the line, in order
};

enum class Lines : std::uint8_t {
  Matter,  // Newline, Indent, Dedent: a module
  Join,    // as inside brackets: one expression
};

// Reports what is no token, bad indentation and unbalanced brackets, and goes on: what was reported
// is an Error token, except where the lexer knows what was meant. The text under `where` must be
// free of NUL and valid UTF-8. One pass, linear.
TokenList tokenize(const SourceMap& sources, Span where, Lines lines, Diagnostics& diagnostics);

}  // namespace lathe::python
