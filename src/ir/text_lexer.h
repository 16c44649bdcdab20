// SPDX-License-Identifier: Apache-2.0
#pragma once
// Program text as a list of tokens: for the parser, and for `lathe fmt`.

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"

namespace lathe::ir {

enum class TokenKind : std::uint8_t {
  Name,     // u, ccol.0, for
  Integer,  // 12, 3i8
  Real,     // 1.5, 1e-3f32
  Mark,     // + ** .. ( [ : ...
  Newline,  // end of a logical line
  Indent,
  Dedent,
  End,
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::uint32_t begin = 0, end = 0;
  std::string_view text;    // the number without its suffix
  std::string_view suffix;  // letters glued to a number: "f32"
};

// Words that cannot name anything. Policies, orders and functions are not among them: their place
// tells them apart.
bool is_keyword(std::string_view word);

// Reports what is no token, bad indentation and unbalanced brackets; the tokens are then not worth
// parsing. `text` must outlive the tokens. One pass, linear. With `comments`, a comment on a line
// of its own is a Mark that begins with '#', in the block that its indentation says.
std::vector<Token> tokenize(std::uint32_t file, std::string_view text, Diagnostics& diagnostics,
                            bool comments = false);

}  // namespace lathe::ir
