// SPDX-License-Identifier: Apache-2.0
// Tokens and errors: what the parser stands on; and the public functions.

#include "frontend/python/parser.h"

#include <vector>

#include "base/quoted.h"
#include "frontend/python/encoding.h"
#include "frontend/python/parser_state.h"

namespace lathe::python {
namespace {

// Lexer and parser find errors one after the other; a reader goes from top to bottom.
void report_in_order(const Diagnostics& found, Diagnostics& diagnostics) {
  std::vector<const Diagnostic*> order;
  for (const Diagnostic& d : found.all()) order.push_back(&d);
  std::stable_sort(order.begin(), order.end(), [](const Diagnostic* a, const Diagnostic* b) {
    return a->span.begin < b->span.begin;
  });
  for (const Diagnostic* d : order) diagnostics.add(*d);
}

Diagnostics without_limit() { return Diagnostics(static_cast<std::size_t>(-1) / 2); }

}  // namespace

std::optional<Module> parse_module(const SourceMap& sources, std::uint32_t file,
                                   Diagnostics& diagnostics, Arena& arena) {
  if (!check_encoding(sources, file, diagnostics)) return std::nullopt;
  Diagnostics found = without_limit();
  const auto size = static_cast<std::uint32_t>(sources.file(file).text.size());
  TokenList list = tokenize(sources, {file, 0, size}, Lines::Matter, found);
  Module module;
  module.file = file;
  module.comments = arena.copy(std::span<const Span>(list.comments));
  module.body = Parser(sources, file, std::move(list), found, arena).module();
  report_in_order(found, diagnostics);
  if (found.has_errors()) return std::nullopt;
  return module;
}

Expr* parse_expression(const SourceMap& sources, Span where, Diagnostics& diagnostics,
                       Arena& arena) {
  if (!check_bytes(sources, where, diagnostics)) return nullptr;
  Diagnostics found = without_limit();
  TokenList list = tokenize(sources, where, Lines::Join, found);
  Expr* e = Parser(sources, where.file, std::move(list), found, arena).only_expression();
  report_in_order(found, diagnostics);
  return found.has_errors() ? nullptr : e;
}

Parser::Parser(const SourceMap& sources, std::uint32_t file, TokenList list,
               Diagnostics& diagnostics, Arena& arena)
    : file_(file),
      text_(sources.file(file).text),
      tokens_(std::move(list.tokens)),
      comments_(std::move(list.comments)),
      diagnostics_(diagnostics),
      arena_(arena) {}

StmtList Parser::module() {
  StmtList body = statements();
  check(at(TokenKind::End), "a module that was not read to its end");
  return body;
}

Expr* Parser::only_expression() {
  try {
    Expr* e = star_expressions();
    if (!at(TokenKind::End)) fail_expected("the end of the expression");
    return e;
  } catch (const Bail&) {
    return nullptr;
  }
}

bool Parser::at_word(std::string_view word, std::size_t ahead) const {
  return kind(ahead) == TokenKind::Name && text(token(ahead)) == word;
}

const Token& Parser::next() {
  const Token& t = tokens_[at_];
  if (t.kind > TokenKind::Dedent) last_end_ = t.end;
  if (at_ + 1 < tokens_.size()) ++at_;
  return t;
}

bool Parser::accept(TokenKind k) {
  if (!at(k)) return false;
  next();
  return true;
}

void Parser::expect(TokenKind k, std::string_view where, std::string help) {
  if (accept(k)) return;
  fail_expected(quoted(spelling(k)) + " " + std::string(where), std::move(help));
}

std::string_view Parser::identifier(std::string_view of_what) {
  if (at(TokenKind::Name)) return text(next());
  const Token& t = token();
  if (is_keyword(t.kind))
    fail(span(t),
         quoted(text(t)) + " cannot name " + std::string(of_what) + ": it is a word of Python",
         "call it " + std::string(text(t)) + "_");
  fail_expected("the name of " + std::string(of_what));
}

std::string Parser::missing_mark() const {
  if (at_for_clause()) return "an element that is a tuple needs parentheses: (a, b) for ...";
  return at_expression() ? "is an operator or a comma missing before it?" : "";
}

std::string Parser::shown(const Token& t) const {
  if (t.kind == TokenKind::Name || is_keyword(t.kind) || t.kind > TokenKind::KwYield)
    return quoted(text(t));
  switch (t.kind) {
    case TokenKind::Integer:
    case TokenKind::Float:
    case TokenKind::Imaginary: return quoted(text(t).substr(0, 40));
    default: return std::string(spelling(t.kind));
  }
}

// Silent when the lexer reported something in the same line: that is the cause.
void Parser::fail(Span where, std::string message, std::string help) {
  std::size_t i = at_;
  while (tokens_[i].kind > TokenKind::Error || tokens_[i].kind == TokenKind::Indent) ++i;
  if (tokens_[i].kind == TokenKind::Error) throw Bail{};
  diagnostics_.error(where, std::move(message)).help = std::move(help);
  throw Bail{};
}

void Parser::fail_expected(std::string_view what, std::string help) {
  fail(span(token()), "expected " + std::string(what) + ", not " + shown(token()), std::move(help));
}

void Parser::fail_nesting() {
  fail(span(token()), "this is nested too deeply to be read",
       "give parts of the expression names, or split the statement");
}

}  // namespace lathe::python
