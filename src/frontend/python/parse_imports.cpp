// SPDX-License-Identifier: Apache-2.0
// Imports, and other statements that are lists of names.

#include "frontend/python/parser_state.h"

namespace lathe::python {

// a.b.c. The name is a view of the source unless somebody put blanks between its parts.
std::string_view Parser::dotted_name(std::string_view of_what) {
  const std::uint32_t start = begin();
  std::string joined(identifier(of_what));
  while (accept(TokenKind::Dot)) {
    joined += '.';
    joined += identifier(of_what);
  }
  const std::string_view written = text_.substr(start, last_end_ - start);
  return written == joined ? written : arena_.copy(std::string_view(joined));
}

Alias Parser::alias(bool dotted) {
  const std::uint32_t start = begin();
  Alias a;
  a.name = dotted ? dotted_name("a module") : identifier("what is imported");
  if (accept(TokenKind::KwAs)) a.as_name = identifier("what is imported");
  a.span = since(start);
  return a;
}

const Stmt* Parser::import_statement() {
  const std::uint32_t start = next().begin;
  Gather<Alias> names;
  do {
    names.add(alias(true));
  } while (accept(TokenKind::Comma));
  return make_stmt<Import>(start, names.copy_to(arena_));
}

// from ..a.b import c as d, e
const Stmt* Parser::from_statement() {
  const std::uint32_t start = next().begin;
  int level = 0;
  for (; at(TokenKind::Dot) || at(TokenKind::Ellipsis); next()) level += at(TokenKind::Dot) ? 1 : 3;
  std::string_view module;
  if (level == 0 || !at(TokenKind::KwImport)) module = dotted_name("a module");
  expect(TokenKind::KwImport, "after the module");
  Gather<Alias> names;
  if (at(TokenKind::Star)) {
    const Token& star = next();
    names.add({text(star), {}, span(star)});
    return make_stmt<ImportFrom>(start, module, names.copy_to(arena_), level);
  }
  const bool parenthesised = accept(TokenKind::LeftParen);
  do {
    if (parenthesised && !names.empty() && at(TokenKind::RightParen)) break;
    names.add(alias(false));
  } while (accept(TokenKind::Comma));
  if (parenthesised) expect(TokenKind::RightParen, "after the imported names");
  return make_stmt<ImportFrom>(start, module, names.copy_to(arena_), level);
}

Seq<std::string_view> Parser::name_list(std::string_view of_what) {
  Gather<std::string_view> names;
  do {
    names.add(identifier(of_what));
  } while (accept(TokenKind::Comma));
  return names.copy_to(arena_);
}

}  // namespace lathe::python
