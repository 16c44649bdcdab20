// SPDX-License-Identifier: Apache-2.0
// The grammar of expressions. Binary operations climb precedence levels: operands on the left are
// gathered in a loop, so `a + b + c ...` costs no stack however long it is; only what really nests
// (brackets, prefixes, `**`) recurses, up to kMaxNesting.

#include <algorithm>

#include "ir/accumulation_order.h"
#include "ir/precedence.h"
#include "ir/text_parser.h"
#include "ir/typing.h"

namespace lathe::ir {
namespace {

// The infix operation that a token spells; `**` binds tighter than prefixes, so power() takes it.
std::optional<Op> infix(const Token& token) {
  if (token.kind != TokenKind::Mark && token.kind != TokenKind::Name) return std::nullopt;
  const auto op = find_op(Form::Infix, token.text);
  return op == Op::Pow ? std::nullopt : op;
}

constexpr std::pair<std::string_view, Op> kReductions[] = {
    {"sum", Op::Add}, {"product", Op::Mul}, {"minimum", Op::Min}, {"maximum", Op::Max},
    {"any", Op::Or},  {"all", Op::And},     {"contract", Op::Fma}};

bool begins_reduction(const Token& token) {
  if (token.kind != TokenKind::Name) return false;
  if (token.text == "reduce") return true;
  return std::any_of(std::begin(kReductions), std::end(kReductions),
                     [&](const auto& r) { return r.first == token.text; });
}

}  // namespace

Parser::Value Parser::expression() {
  const Nesting nesting(*this);
  if (at("let")) return lets();
  if (begins_reduction(peek())) return reduction();
  return binary(level(Op::Or));
}

// let a = ... in let b = ... in ...: in a loop, for programs are printed with thousands of them.
Parser::Value Parser::lets() {
  const ScopeMark scope(*this);
  while (accept("let")) {
    const Symbol n = name("a let");
    expect("=", "after the name of a let");
    Binding b{Meaning::Let, DType::I64, expression()};
    expect("in", "after the value of the let");
    bind(n, std::move(b));
  }
  return begins_reduction(peek()) ? reduction() : binary(level(Op::Or));
}

Parser::Value Parser::binary(int min_level) {
  const Token& first = peek();
  Value left;
  if (at("not") && min_level <= kNotLevel) {
    const Nesting nesting(*this);
    const Token& word = next();
    Value args[] = {binary(kNotLevel)};
    left = apply(Op::Not, args, span(word), span_from(first));
  } else {
    left = unary();
  }
  for (;;) {
    const Token& token = peek();
    const auto found = infix(token);
    if (!found || level(*found) < min_level) return left;
    // `a and= b` and `(x) += 1` end before the operation.
    if (peek(1).kind == TokenKind::Mark && peek(1).text == "=") return left;
    next();
    Value args[] = {std::move(left), binary(right_level(*found))};
    left = apply(*found, args, span(token), span_from(first));
    if (level(*found) != kComparisonLevel) continue;
    if (const auto again = infix(peek()); again && level(*again) == kComparisonLevel)
      fail(span(peek()), "comparisons do not chain",
           "join two comparisons with 'and': a < b and b < c");
  }
}

Parser::Value Parser::unary() {
  const Token& first = peek();
  if (!at("-") && !at("~")) return power();
  const Nesting nesting(*this);
  next();
  // A minus right before a number belongs to it, unless a power takes the number first.
  const bool to_power = peek(1).kind == TokenKind::Mark && peek(1).text == "**";
  if (first.text == "-" && at_literal(0) && !to_power) {
    Value v = literal_value(true);
    v.span = span_from(first);
    return v;
  }
  Value args[] = {unary()};
  return apply(first.text == "-" ? Op::Neg : Op::BitNot, args, span(first), span_from(first));
}

Parser::Value Parser::power() {
  const Token& first = peek();
  Value base = atom();
  const Token& token = peek();
  if (!at("**") || (peek(1).kind == TokenKind::Mark && peek(1).text == "=")) return base;
  next();
  const Nesting nesting(*this);
  Value args[] = {std::move(base), unary()};
  return apply(Op::Pow, args, span(token), span_from(first));
}

Parser::Value Parser::atom() {
  const Token& token = peek();
  if (at_literal(0)) return literal_value(false);
  if (accept("(")) {
    Value v = expression();
    expect(")", "after the expression in parentheses");
    v.span = span_from(token);
    return v;
  }
  if (token.kind == TokenKind::Name) return name_atom();
  std::string help;  // for those who write && and ||
  if (at("&")) help = "write 'a and b', or 'a & b' for the bits of integers";
  if (at("|")) help = "write 'a or b', or 'a | b' for the bits of integers";
  fail(span(token), "expected an expression, not " + shown(token), help);
}

Parser::Value Parser::name_atom() {
  const Token& token = peek();
  const bool call = peek(1).kind == TokenKind::Mark && peek(1).text == "(";
  if (token.text == "true" || token.text == "false") {
    next();
    Value v;
    v.e = build_.boolean(token.text == "true");
    v.span = span(token);
    return v;
  }
  if (accept("inside")) return access(true);
  if (const auto t = parse_dtype(token.text)) return conversion(Op::Cast, *t);
  if (token.text.substr(0, 8) == "bitcast_" && is_keyword(token.text))
    return conversion(Op::BitCast, *parse_dtype(token.text.substr(8)));
  if (token.text == "let" || begins_reduction(token))
    fail(span(token),
         "'" + std::string(token.text) + "' cannot stand in the middle of an expression",
         "put it in parentheses");
  if (token.text == "not")
    fail(span(token), "'not' binds looser than what stands before it", "put it in parentheses");
  if (is_keyword(token.text))
    fail(span(token), "expected an expression, not the word '" + std::string(token.text) + "'",
         token.text == "if" || token.text == "where" ? "write select(condition, yes, no)" : "");
  if (call) return function_call();
  if (peek(1).kind == TokenKind::Mark && peek(1).text == "[") return access(false);
  next();
  return resolve(token);
}

Parser::Value Parser::conversion(Op op, DType to) {
  const Token& first = next();
  expect("(", "after '" + std::string(first.text) + "'");
  const Value v = expression();
  expect(")", "after the operand of '" + std::string(first.text) + "'");
  Value result;
  result.span = span_from(first);
  const Expr x = plain(v);
  if (!x) return result;
  // What is written stays, even a conversion to the same dtype.
  if (op == Op::Cast || x->dtype == to) {
    result.e = maker_.make(op, to, std::span(&x, 1));
  } else {
    result.e = build_.bit_cast(to, x);
    if (!result.e) error(span(first), build_.refusal());
  }
  use(result.e, result.span);
  return result;
}

Parser::Value Parser::function_call() {
  const Token& first = next();
  const auto op = find_op(Form::Call, first.text);
  if (!op) {
    const Symbol called = graph_.symbol(first.text);
    if (array_of(called))
      fail(span(first), "'" + std::string(first.text) + "' is an array, not a function",
           "index it with brackets: " + std::string(first.text) + "[...]");
    unknown_name(first, "function", Candidates::Functions);
  }
  next();
  std::vector<Value> args = arguments(")");
  if (op) return apply(*op, args, span(first), span_from(first));
  Value bad;
  bad.span = span_from(first);
  return bad;
}

// One or more expressions, then the bracket.
std::vector<Parser::Value> Parser::arguments(std::string_view close) {
  std::vector<Value> args;
  if (accept(close)) return args;
  do {
    args.push_back(expression());
  } while (accept(","));
  expect(close, "after the operands");
  return args;
}

Parser::Value Parser::access(bool inside) {
  const Token& first = peek();
  const Symbol array_name = name("an array");
  const Array* array = array_of(array_name);
  Value result;
  if (!array) {
    const bool known = find(array_name) || parameters_.contains(array_name);
    if (known && reported_.insert(first.text).second)
      error(span(first), "'" + std::string(first.text) + "' is not an array: it has no elements");
    else if (!known)
      unknown_name(first, "array", Candidates::Arrays);
  }
  expect("[", "after the array '" + std::string(first.text) + "'");
  std::vector<Expr> indices;
  bool ok = array != nullptr;
  do {
    indices.push_back(plain(expression()));
    ok = ok && indices.back();
  } while (accept(","));
  Policy policy = inside ? Policy::Error : implied_policy_;
  Expr fill = nullptr;
  if (!inside && accept(";")) {
    policy = access_policy();
    if (policy == Policy::Value) {
      const Value v = expression();
      fill = array ? converted(v, array->dtype, first.text) : nullptr;
      ok = ok && fill;
    }
  }
  expect("]", "after the indices of '" + std::string(first.text) + "'");
  result.span = span_from(first);
  if (!ok) return result;
  result.e = inside ? graph_.inside(array_name, indices)
                    : graph_.read(array_name, array->dtype, indices, policy, fill);
  use(result.e, result.span);
  return result;
}

Policy Parser::access_policy() {
  const Token& token = next();
  for (int p = 0; p <= static_cast<int>(Policy::Trusted); ++p)
    if (token.kind == TokenKind::Name && token.text == ir::name(static_cast<Policy>(p)))
      return static_cast<Policy>(p);
  fail(span(token), "expected what a read outside the array gives, not " + shown(token),
       "one of error, zero, clamp, wrap, mirror, trusted, value x");
}

Parser::Value Parser::reduction() {
  const Token& word = next();
  Op op = Op::Add;
  if (word.text == "reduce") {
    op = reducing_op(true);
  } else {
    for (const auto& [text, reduced] : kReductions)
      if (text == word.text) op = reduced;
  }
  const How stated = how();
  if (stated.blocked) fail(stated.span, "'blocked' is an order of scans", "use tree, chain or seq");
  const ScopeMark scope(*this);
  const std::vector<Range> over = ranges();
  const Expr condition = guard();
  expect(":", "before what the reduction combines");
  std::vector<Value> parts;
  if (op == Op::Fma) {
    expect("(", "before the factors of contract");
    parts = arguments(")");
    if (parts.empty()) fail(span_from(word), "a contract needs at least one factor");
  } else {
    parts.push_back(expression());
  }
  Value result;
  result.span = span_from(word);
  std::vector<Expr> args, values;
  ReduceInfo info;
  info.op = op;
  for (const Range& r : over) {
    info.variables.push_back(r.variable);
    args.insert(args.end(), {r.lo, r.hi});
  }
  args.push_back(condition ? condition : build_.boolean(true));
  for (const Value& v : parts)
    args.push_back(v.ok() ? settle(v, common_dtype(parts, false)) : nullptr);
  if (std::find(args.begin(), args.end(), nullptr) != args.end()) return result;
  values.assign(args.end() - static_cast<std::ptrdiff_t>(parts.size()), args.end());
  const DType t = values[0]->dtype;
  if (!can_accumulate(op, t)) {
    error(span(word),
          "'" + std::string(word.text) + "' cannot combine " + std::string(ir::name(t)) + " values")
        .help = is_bool(t)      ? "to count, convert: i64(...)"
                : op == Op::Fma ? "contract multiplies and adds floats in one rounding: use sum"
                                : "convert first";
    return result;
  }
  info.accumulator = stated.dtype.value_or(default_accumulator(t));
  info.order = stated.order.value_or(default_order(op, info.accumulator, info.variables, values));
  result.e = graph_.reduce(std::move(info), args, t);
  use(result.e, result.span);
  return result;
}

}  // namespace lathe::ir
