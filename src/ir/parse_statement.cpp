// SPDX-License-Identifier: Apache-2.0
// The lines of a `for`, ranges and assignments. One line makes a Statement, several lines or any
// local a Group. What a line stores is converted to the dtype of its target; an accumulation
// without `how` gets the order that its index structure implies.

#include "ir/accumulation_order.h"
#include "ir/text_parser.h"
#include "ir/typing.h"

namespace lathe::ir {

Range Parser::range() {
  Range r;
  r.variable = name("a loop variable");
  expect("in", "after the loop variable '" + std::string(r.variable.text()) + "'");
  r.lo = bound(expression());
  if (!at(".."))
    fail(span(peek()),
         "expected '..' between the bounds of '" + std::string(r.variable.text()) + "', not " +
             shown(peek()),
         "a range is lo..hi, without hi itself: " + std::string(r.variable.text()) + " in 0..n");
  next();
  r.hi = bound(expression());
  bind(r.variable, {Meaning::Variable, DType::I64, {}});
  return r;
}

std::vector<Range> Parser::ranges() {
  std::vector<Range> found;
  do {
    found.push_back(range());
  } while (accept(","));
  return found;
}

Expr Parser::guard() { return accept("where") ? plain(expression()) : nullptr; }

// [tree], [tree, f64], [f64], or nothing.
Parser::How Parser::how() {
  How h;
  const Token& first = peek();
  if (!accept("[")) return h;
  const Token& word = peek();
  if (const auto t = parse_dtype(word.text); t && word.kind == TokenKind::Name) {
    next();
    h.dtype = t;
  } else {
    h.blocked = word.kind == TokenKind::Name && word.text == "blocked";
    if (h.blocked) h.order = Order::Seq;
    for (const Order o : {Order::Free, Order::Tree, Order::Chain, Order::Seq})
      if (word.kind == TokenKind::Name && word.text == ir::name(o)) h.order = o;
    if (!h.order)
      fail(span(word), "expected an order or a dtype, not " + shown(word),
           "the orders are free, tree, chain, seq and, for scans, blocked");
    next();
    if (accept(",")) h.dtype = dtype("the accumulator");
  }
  expect("]", "after the order of accumulation");
  h.span = span_from(first);
  return h;
}

void Parser::lines(Body& body, Symbol label, Domain domain, const Token& first, int owner) {
  const Span where = span_from(first);
  expect(":", "after the ranges of 'for'");
  if (!at(TokenKind::Newline)) {
    Statement s = line(domain.ranges);
    merge_line(s, label, domain.guard, where);
    body.push_back({std::move(s)});
    return;
  }
  const Token& line_end = next();
  if (!at(TokenKind::Indent)) fail(span(line_end), "expected an indented block after 'for'");
  next();
  Group group{label, std::move(domain), {}, {}, where};
  const ScopeMark scope(*this);
  std::size_t failed = 0;
  std::vector<int> owners;
  while (!at(TokenKind::Dedent) && !at(TokenKind::End)) {
    const std::size_t before = position_;
    try {
      if (at("local")) {
        local(group);
        continue;
      }
      const ScopeMark line_scope(*this);
      owners.push_back(owner_ = new_owner());
      while (at("let")) let_line();
      group.statements.push_back(line(group.domain.ranges));
    } catch (const Bail&) {
      ++failed;
      skip_statement();
      if (position_ == before) next();
    }
  }
  owner_ = owner;
  if (at(TokenKind::Dedent)) next();
  if (failed > 0) return;
  if (group.statements.empty()) fail(where, "this 'for' has no statement");
  if (group.locals.empty() && group.statements.size() == 1) {
    owners_[static_cast<std::size_t>(owners[0])] = owner;
    Statement& s = group.statements[0];
    merge_line(s, label, group.domain.guard, where);
    body.push_back({std::move(s)});
    return;
  }
  for (Statement& s : group.statements) s.domain.ranges.clear();
  body.push_back({std::move(group)});
}

void Parser::local(Group& group) {
  next();
  const Token& first = peek();
  if (!group.statements.empty())
    fail(span(first), "locals are declared before the first line of the block");
  Local l;
  l.name = name("a local");
  expect(":", "after the local '" + std::string(first.text) + "'");
  l.dtype = dtype("the local '" + std::string(first.text) + "'");
  end_line();
  group.locals.push_back(l);
  bind(l.name, {Meaning::Local, l.dtype, {}});
}

void Parser::let_line() {
  next();
  const Symbol n = name("a let");
  expect("=", "after the name of a let");
  const Value v = expression();
  if (at("in"))
    fail(span(peek()), "a let on a line of its own has no 'in'",
         "drop 'in', or put the whole expression in the statement");
  end_line();
  bind(n, {Meaning::Let, DType::I64, v});
  past_lets_.insert(n);
}

// [label:] [where g:] assignment, over the given ranges.
Statement Parser::line(const std::vector<Range>& ranges) {
  const Token& first = peek();
  const Symbol label = optional_label();
  Expr condition = nullptr;
  if (at("where")) {
    condition = guard();
    expect(":", "after the guard of the line");
  }
  Statement s = assignment(ranges);
  s.label = label;
  s.domain = {ranges, condition};
  s.span = span_from(first);
  end_line();
  return s;
}

// A `for` with one line is a statement: label, place and guard of both become one.
void Parser::merge_line(Statement& s, Symbol label, Expr condition, Span where) {
  if (label && s.label) fail(s.span, "this statement has two labels");
  if (label) s.label = label;
  s.span = join(where, s.span);
  const Expr own = s.domain.guard;
  if (!own) {
    s.domain.guard = condition;
  } else if (condition && is_bool(own->dtype) && is_bool(condition->dtype)) {
    s.domain.guard = build_.logical_and(condition, own);
  }
}

// What is written in front of a block of its own in other languages follows the ranges here.
std::string Parser::help_at(const Token& word) {
  for (const char* after : {"if", "while", "scan"})
    if (word.text == after)
      return "'" + std::string(after) +
             "' follows the ranges, without ':' between: for i in 0..n " + after + " ...:";
  if (word.text == "for") return "one 'for' has all ranges: for i in 0..n, j in 0..m:";
  return "a statement assigns: v[i] = ..., s += ...";
}

Target Parser::target() {
  Target t;
  const Token& first = peek();
  if (!at_name()) fail(span(first), "expected a statement, not " + shown(first), help_at(first));
  t.array = name("a target");
  if (accept("[")) {
    do {
      t.indices.push_back(plain(expression()));
    } while (accept(","));
    expect("]", "after the indices of '" + std::string(first.text) + "'");
  }
  return t;
}

std::optional<DType> Parser::target_dtype(const Target& t, Span where) {
  if (const Binding* b = find(t.array)) {
    if (b->meaning == Meaning::Local) return b->dtype;
    error(where, "'" + std::string(t.array.text()) + "' cannot be assigned to: it is " +
                     (b->meaning == Meaning::Variable ? "a loop variable" : "a let"));
    return std::nullopt;
  }
  if (const Array* a = array_of(t.array)) return a->dtype;
  if (parameters_.contains(t.array)) {
    error(where, "parameter '" + std::string(t.array.text()) + "' cannot be assigned to").help =
        "write to a temp or output";
    return std::nullopt;
  }
  if (!reported_.insert(t.array.text()).second) return std::nullopt;
  Diagnostic& d = error(where, "unknown array '" + std::string(t.array.text()) + "'");
  const std::string near = nearest_name(t.array.text(), Candidates::Arrays);
  d.help = near.empty() ? "declare it: temp " + std::string(t.array.text()) + ": f64" +
                              (t.indices.empty() ? "" : "[...]")
                        : "did you mean '" + near + "'?";
  return std::nullopt;
}

Statement Parser::assignment(std::span<const Range> ranges) {
  Statement s;
  const Token& first = peek();
  const bool fresh = accept("fresh");
  if (at("(")) {
    tuple_assignment(s);
  } else {
    const Token& name_token = peek();
    s.targets.push_back(target());
    const Span where = span_from(name_token);
    const auto is_equals = [&](const Token& t) {
      return t.kind == TokenKind::Mark && t.text == "=";
    };
    if (!is_equals(peek()) && !is_equals(peek(1)))
      fail(where, "this is no statement: nothing is assigned",
           "a statement looks like v[i] = ..., s += ... or s min= ...");
    const auto t = target_dtype(s.targets[0], where);
    if (accept("=")) {
      if (fresh)
        fail(span(first), "'fresh' clears a target before an accumulation; '=' needs none");
      const Value v = expression();
      s.values.push_back(t ? converted(v, *t, s.targets[0].array.text()) : nullptr);
    } else {
      accumulation(s, t);
    }
  }
  if (s.accumulate) {
    s.accumulate->fresh = fresh;
    finish_order(s, ranges);
  }
  return s;
}

// After the target: OP = [how] value, contract = [how] factors.
void Parser::accumulation(Statement& s, std::optional<DType> t) {
  const std::string_view target = s.targets[0].array.text();
  Accumulation a;
  const Token& word = peek();
  if (accept("contract")) {
    a.op = Op::Fma;
  } else {
    a.op = reducing_op(false);
  }
  expect("=", "after '" + std::string(word.text) + "'");
  stated_ = how();
  do {
    const Value v = expression();
    s.values.push_back(t ? converted(v, *t, target) : nullptr);
  } while (a.op == Op::Fma && accept(","));
  a.dtype = stated_.dtype.value_or(t ? default_accumulator(*t) : DType::F64);
  s.accumulate = a;
}

// (a, b) combiner = [how] (x, y)
void Parser::tuple_assignment(Statement& s) {
  next();
  do {
    const Token& first = peek();
    s.targets.push_back(target());
    target_dtype(s.targets.back(), span_from(first));
  } while (accept(","));
  expect(")", "after the targets");
  const Token& word = peek();
  Accumulation a;
  a.combiner = name("a combiner");
  expect("=", "after the combiner");
  stated_ = how();
  const Combiner* combiner = program_.find_combiner(a.combiner);
  if (!combiner)
    fail(span(word), "unknown combiner '" + std::string(word.text) + "'",
         "declare it: combiner " + std::string(word.text) +
             "(a: f64, ...; b: f64, ...) = (...) neutral (...)");
  if (stated_.dtype) fail(stated_.span, "a combiner accumulates in the dtypes of its operands");
  if (combiner->left.size() != s.targets.size())
    fail(span(word), "'" + std::string(word.text) + "' combines " +
                         std::to_string(combiner->left.size()) + " values, but there are " +
                         std::to_string(s.targets.size()) + " targets");
  s.values = tuple(combiner->left);
  a.dtype = combiner->left[0].dtype;
  s.accumulate = a;
}

void Parser::finish_order(Statement& s, std::span<const Range> ranges) {
  for (Expr e : s.values)
    if (!e) return;
  for (const Target& t : s.targets)
    for (Expr e : t.indices)
      if (!e) return;
  if (in_scan_) {
    in_scan_->blocked = stated_.blocked;
    s.accumulate->order = stated_.order.value_or(Order::Seq);
    return;
  }
  if (stated_.blocked)
    fail(stated_.span, "'blocked' is an order of scans", "use tree, chain or seq");
  s.accumulate->order = stated_.order.value_or(default_order(s, ranges));
}

// The operation before '=' or after 'reduce': + - min ...
Op Parser::reducing_op(bool after_reduce) {
  const Token& token = peek();
  if (token.kind == TokenKind::Mark || token.kind == TokenKind::Name) {
    auto op = find_op(Form::Infix, token.text);
    if (!op) op = find_op(Form::Call, token.text);
    if (op && info(*op).arity == 2) {
      next();
      return *op;
    }
  }
  if (after_reduce)
    fail(span(token), "expected an operation of two operands after 'reduce', not " + shown(token),
         "as in reduce fmax k in 0..n: x[k]; the common ones have names: sum, product, minimum, "
         "maximum, any, all");
  fail(span(token), "expected '=' or an operation that accumulates, not " + shown(token),
       "as in += -= *= min= max= and= or=");
}

}  // namespace lathe::ir
