// SPDX-License-Identifier: Apache-2.0
// Strings side by side are one; with an f-string among them they are a JoinedStr:
//
//   "a" f"b{x!r:>{n}}" "c"
//   JoinedStr('ab', FormattedValue(x, 'r', JoinedStr('>', FormattedValue(n))), 'c')
//
// f"{x = }" prints its expression, too: the text up to the end of the '=' and the blanks after it.

#include "frontend/python/parser_state.h"
#include "frontend/python/string_value.h"

namespace lathe::python {

Expr* Parser::strings() {
  const std::uint32_t start = begin();
  std::size_t after = at_;
  while (tokens_[after].kind == TokenKind::String) ++after;
  const bool joined = tokens_[after].kind == TokenKind::FStringStart;
  if (!joined) return plain_strings(start);
  const Nesting nesting(*this);
  JoinedParts parts;
  parts.u_prefix = at(TokenKind::String) && string_form(text(token())).u_prefix;
  for (;;) {
    if (at(TokenKind::FStringStart)) {
      fstring(parts);
    } else if (at(TokenKind::String)) {
      const Token& t = next();
      if (parts.text.empty()) parts.text_begin = t.begin;
      parts.text_end = t.end;
      if (string_form(text(t)).bytes)
        fail(span(t), "bytes and strings cannot stand side by side", "give both the prefix b");
      append_string(parts.text, t);
    } else {
      break;
    }
  }
  flush_text(parts);
  return make<JoinedStr>(start, parts.values.copy_to(arena_));
}

Expr* Parser::plain_strings(std::uint32_t start) {
  const Token& first = next();
  const StringForm form = string_form(text(first));
  Constant c{};
  c.what = form.bytes ? ConstantKind::Bytes : ConstantKind::Str;
  const std::string_view body = text(first).substr(form.body, form.length);
  if (!at(TokenKind::String) && !form.bytes && is_verbatim(body, {form.bytes, form.raw, false})) {
    c.text = body;  // most strings: nothing to copy
  } else {
    std::string value;
    append_string(value, first);
    while (at(TokenKind::String)) {
      const Token& t = next();
      if (string_form(text(t)).bytes != form.bytes)
        fail(span(t), "bytes and strings cannot stand side by side", "give both the prefix b");
      append_string(value, t);
    }
    c.text = arena_.copy(std::string_view(value));
  }
  return make<Constant>(start, c.what, false, form.u_prefix, c.text);
}

void Parser::append_string(std::string& out, const Token& t) {
  const StringForm form = string_form(text(t));
  append_body(out, t.begin + static_cast<std::uint32_t>(form.body),
              text(t).substr(form.body, form.length), form.bytes, form.raw, false);
}

void Parser::append_body(std::string& out, std::uint32_t begin, std::string_view body, bool bytes,
                         bool raw, bool braces) {
  const auto fault = append_value(out, body, {bytes, raw, braces});
  if (!fault) return;
  fail({file_, begin + static_cast<std::uint32_t>(fault->begin),
        begin + static_cast<std::uint32_t>(fault->end)},
       fault->message, fault->help);
}

void Parser::fstring(JoinedParts& parts) {
  const Token& start = next();
  const bool raw = string_form(text(start)).raw;
  for (;;) {
    switch (kind()) {
      case TokenKind::FStringMiddle: add_text(parts, next(), raw, true); break;
      case TokenKind::LeftBrace: field(parts, raw); break;
      case TokenKind::FStringEnd: next(); return;
      default: fail_expected("the rest of the f-string");
    }
  }
}

void Parser::add_text(JoinedParts& parts, const Token& t, bool raw, bool braces) {
  if (parts.text.empty()) parts.text_begin = t.begin;
  parts.text_end = t.end;
  append_body(parts.text, t.begin, text(t), false, raw, braces);
}

// The text so far becomes a Constant, unless there is none.
void Parser::flush_text(JoinedParts& parts) {
  if (parts.text.empty()) return;
  const std::string_view value = arena_.copy(std::string_view(parts.text));
  Expr* constant =
      make<Constant>(parts.text_begin, ConstantKind::Str, false, parts.u_prefix, value);
  constant->span.end = parts.text_end;
  parts.values.add(constant);
  parts.text.clear();
}

void Parser::field(JoinedParts& parts, bool raw) {
  const Token& open = next();
  if (at(TokenKind::RightBrace) || at(TokenKind::FormatColon) || at(TokenKind::Exclamation) ||
      at(TokenKind::Equal))
    fail_expected("an expression in the replacement field", "write '{{' for the character '{'");
  Expr* value = right_side();
  const bool shows_itself = accept(TokenKind::Equal);
  if (shows_itself) add_source_text(parts, open.end, begin(), raw);
  char how = at(TokenKind::Exclamation) ? conversion() : '\0';
  Expr* spec = accept(TokenKind::FormatColon) ? format(raw) : nullptr;
  if (!at(TokenKind::RightBrace))
    fail_expected("'}' after the expression of the replacement field",
                  at_expression() ? "is an operator missing before it?" : "");
  next();
  if (shows_itself && how == '\0' && !spec) how = 'r';
  flush_text(parts);
  parts.values.add(make<FormattedValue>(open.begin, value, how, spec));
}

// The source as it is written, without comments; Python reads escapes in it as in other text.
void Parser::add_source_text(JoinedParts& parts, std::uint32_t begin, std::uint32_t end, bool raw) {
  if (parts.text.empty()) parts.text_begin = begin;
  parts.text_end = end;
  const auto before = [](const Span& comment, std::uint32_t at) { return comment.begin < at; };
  auto comment = std::lower_bound(comments_.begin(), comments_.end(), begin, before);
  for (; comment != comments_.end() && comment->begin < end; ++comment) {
    append_body(parts.text, begin, text_.substr(begin, comment->begin - begin), false, raw, false);
    begin = comment->end;
  }
  append_body(parts.text, begin, text_.substr(begin, end - begin), false, raw, false);
}

// !r, !s or !a
char Parser::conversion() {
  const Token& mark = next();
  const Token& t = token();
  const std::string_view letter = t.kind == TokenKind::Name ? text(t) : std::string_view();
  if (t.begin != mark.end || (letter != "r" && letter != "s" && letter != "a"))
    fail_expected("'r', 's' or 'a' right after '!'", "they call repr, str and ascii");
  next();
  return letter[0];
}

Expr* Parser::format(bool raw) {
  const Nesting nesting(*this);
  const std::uint32_t start = last_end_ - 1;  // with its colon
  JoinedParts parts;
  for (;;) {
    if (at(TokenKind::FStringMiddle)) {
      add_text(parts, next(), raw, false);
    } else if (at(TokenKind::LeftBrace)) {
      field(parts, raw);
    } else {
      break;
    }
  }
  flush_text(parts);
  return make<JoinedStr>(start, parts.values.copy_to(arena_));
}

}  // namespace lathe::python
