// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tokens of Python source: what the lexer gives and the parser takes.

#include <cstdint>
#include <string_view>

namespace lathe::python {

enum class TokenKind : std::uint8_t {
  End,
  Newline,  // end of a logical line
  Indent,
  Dedent,
  Error,  // something that was reported; the statement around it is not worth a second message
  Name,
  Integer,
  Float,
  Imaginary,
  String,         // str or bytes, prefix and quotes included; never an f-string
  FStringStart,   // f", rb''' ...: prefix and opening quotes
  FStringMiddle,  // literal text between replacement fields, or of a format
  FStringEnd,     // closing quotes
  FormatColon,    // ':' that begins the format of a replacement field
#define KEYWORD(name, spelling) Kw##name,
#define MARK(name, spelling) name,
#include "frontend/python/tokens.def"
#undef KEYWORD
#undef MARK
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::uint32_t begin = 0, end = 0;  // bytes of the source
};

// "while", "**="; of the kinds without a spelling of their own, a description: "a name".
std::string_view spelling(TokenKind kind);

bool is_keyword(TokenKind kind);

// The keyword that the word is, or Name.
TokenKind keyword_or_name(std::string_view word);

}  // namespace lathe::python
