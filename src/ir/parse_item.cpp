// SPDX-License-Identifier: Apache-2.0
// Items and their blocks. An item without `for` inside a branch or while takes the ranges of the
// innermost one, so that what is written once
//
//   for i in 0..n if u[i] > 0:
//     v[i] = 1
//
// gives a statement that is complete in itself: its domain holds a copy of `i in 0..n`.

#include "ir/text_parser.h"

namespace lathe::ir {

int Parser::new_owner() {
  owners_.push_back(static_cast<int>(owners_.size()));
  return owners_.back();
}

Domain Parser::inherited_domain() const {
  return inherited_ ? Domain{*inherited_, nullptr} : Domain{};
}

void Parser::items(Body& body) {
  while (!at(TokenKind::Dedent) && !at(TokenKind::End) && !diagnostics_.full()) {
    const std::size_t before = position_;
    try {
      item(body);
    } catch (const Bail&) {
      skip_statement();
      if (position_ == before) next();
    }
  }
}

// LABEL ':' if it is there.
Symbol Parser::optional_label() {
  const bool colon = peek(1).kind == TokenKind::Mark && peek(1).text == ":";
  if (!at_name() || !colon) return {};
  const Symbol label = graph_.symbol(next().text);
  next();
  return label;
}

void Parser::item(Body& body) {
  const Nesting nesting(*this);
  const ScopeMark scope(*this);
  if (at(TokenKind::Indent))
    fail(span(peek()), "this line is indented deeper than the lines before it");
  if (at_declaration())
    fail(span(peek()), "declarations come before the first statement",
         "move it up, below the header of the program");
  const int around = owner_;
  owner_ = new_owner();
  while (at("let")) let_line();
  const Token& first = peek();
  const Symbol label = optional_label();
  if (at("for")) {
    for_item(body, label);
  } else if (at("forward") || at("backward")) {
    sweep_item(body, label);
  } else if (at("when")) {
    when_item(body, label);
  } else if (at("repeat")) {
    repeat_item(body, label);
  } else if (at("call")) {
    call_item(body, label);
  } else if (at("scan")) {
    scan_item(body, label, inherited_domain(), first);
  } else if (at("if") || at("while")) {
    if (!inherited_)
      fail(span(peek()), "'" + std::string(peek().text) + "' needs points to decide about",
           "write 'for i in 0..n " + std::string(peek().text) + " ...:', or '" +
               (at("if") ? "when ...:'" : "repeat r in 0..n until ...:'") +
               " for one condition on scalars");
    branch_or_while(body, label, inherited_domain(), first);
  } else if (at("else")) {
    fail(span(peek()), "this 'else' belongs to no 'if' or 'when'");
  } else {
    Statement s = line(inherited_domain().ranges);
    merge_line(s, label, nullptr, span_from(first));
    body.push_back({std::move(s)});
  }
  owner_ = around;
}

void Parser::block(Body& body, std::string_view after) {
  expect(":", after);
  if (!at(TokenKind::Newline)) {
    item(body);
    return;
  }
  const Token& line_end = next();
  if (!at(TokenKind::Indent))
    fail(span(line_end), "expected an indented block " + std::string(after));
  next();
  items(body);
  if (at(TokenKind::Dedent)) next();
}

void Parser::for_item(Body& body, Symbol label) {
  const Token& first = next();
  const int owner = owner_;
  // Inside a branch a `for` states all ranges again, so the branch's variables give way to them.
  const ScopeMark scope(*this);
  Domain domain;
  domain.ranges = ranges();
  domain.guard = guard();
  if (at("if") || at("while")) return branch_or_while(body, label, std::move(domain), first);
  if (at("scan")) return scan_item(body, label, std::move(domain), first);
  lines(body, label, std::move(domain), first, owner);
}

void Parser::branch_or_while(Body& body, Symbol label, Domain domain, const Token& first) {
  const bool is_branch = next().text == "if";
  const Expr condition = plain(expression());
  const Span where = span_from(first);
  Body yes, no;
  const std::vector<Range>* const around = inherited_;
  const std::vector<Range> ranges = domain.ranges;
  // A Bail that passes through leaves inherited_ pointing at `ranges`.
  struct Restore {
    const std::vector<Range>*& place;
    const std::vector<Range>* old;
    ~Restore() { place = old; }
  } const restore{inherited_, around};
  inherited_ = &ranges;
  block(yes, is_branch ? "after the condition of 'if'" : "after the condition of 'while'");
  if (is_branch && accept("else")) block(no, "after 'else'");
  if (is_branch) {
    body.push_back(
        {Branch{label, std::move(domain), condition, std::move(yes), std::move(no), where}});
  } else {
    body.push_back({While{label, std::move(domain), condition, std::move(yes), where}});
  }
}

void Parser::scan_item(Body& body, Symbol label, Domain domain, const Token& first) {
  next();
  Scan scan;
  const ScopeMark scope(*this);
  scan.range = range();
  scan.exclusive = accept("exclusive");
  expect(":", "after the range of the scan");
  if (at(TokenKind::Newline)) {
    const Token& line_end = next();
    if (!at(TokenKind::Indent)) fail(span(line_end), "expected the statement of the scan");
    next();
    while (at("let")) let_line();
    scan_line(scan, domain);
    if (!at(TokenKind::Dedent))
      fail(span(peek()), "a scan holds one statement", "write a second scan");
    next();
  } else {
    scan_line(scan, domain);
  }
  merge_line(scan.statement, label, domain.guard, span(first));
  body.push_back({std::move(scan)});
}

void Parser::scan_line(Scan& scan, const Domain& domain) {
  in_scan_ = &scan;
  struct Restore {
    Scan*& place;
    ~Restore() { place = nullptr; }
  } const restore{in_scan_};
  scan.statement = line(domain.ranges);
}

void Parser::sweep_item(Body& body, Symbol label) {
  const Token& first = next();
  Sweep sweep;
  sweep.label = label;
  sweep.forward = first.text == "forward";
  const ScopeMark scope(*this);
  sweep.range = range();
  sweep.span = span_from(first);
  block(sweep.body, "after the range of the sweep");
  body.push_back({std::move(sweep)});
}

void Parser::when_item(Body& body, Symbol label) {
  const Token& first = next();
  When when;
  when.label = label;
  when.condition = plain(expression());
  when.span = span_from(first);
  block(when.then_body, "after the condition of 'when'");
  if (accept("else")) block(when.else_body, "after 'else'");
  body.push_back({std::move(when)});
}

void Parser::repeat_item(Body& body, Symbol label) {
  const Token& first = next();
  Repeat repeat;
  repeat.label = label;
  const ScopeMark scope(*this);
  repeat.range = range();
  if (accept("rotate")) {
    do {
      repeat.rotate.push_back(array_name("rotate"));
    } while (accept(","));
  }
  if (accept("capped")) repeat.capped = array_name("cap");
  if (accept("until")) repeat.until = plain(expression());
  repeat.span = span_from(first);
  block(repeat.body, "after the head of 'repeat'");
  body.push_back({std::move(repeat)});
}

void Parser::call_item(Body& body, Symbol label) {
  const Token& first = next();
  Call call;
  call.label = label;
  call.function = name("the operation to call");
  expect("(", "after the name of the operation");
  if (!at(")")) {
    do {
      call.inputs.push_back(array_name("pass"));
    } while (accept(","));
  }
  expect(")", "after the inputs");
  expect("->", "before the outputs");
  do {
    call.outputs.push_back(array_name("pass"));
  } while (accept(","));
  call.span = span_from(first);
  end_line();
  body.push_back({std::move(call)});
}

Symbol Parser::array_name(std::string_view purpose) {
  const Token& token = peek();
  const Symbol n = name("an array to " + std::string(purpose));
  if (array_of(n)) return n;
  if (parameters_.contains(n) || find(n)) {
    error(span(token), "'" + std::string(token.text) + "' is not an array");
  } else {
    unknown_name(token, "array", Candidates::Arrays);
  }
  return n;
}

}  // namespace lathe::ir
