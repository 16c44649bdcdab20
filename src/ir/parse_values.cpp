// SPDX-License-Identifier: Apache-2.0
// The dtypes of what is parsed. A literal without suffix waits for the dtype that it takes and is
// converted once, from its digits: in `x * 0.1` with x: f32 the constant is the float32 nearest to
// 0.1, not the float32 nearest to the double nearest to 0.1.

#include "base/quoted.h"
#include "ir/text_parser.h"
#include "ir/typing.h"

namespace lathe::ir {
namespace {

std::string help_for(Op op) {
  switch (info(op).typing) {
    case Typing::Logic: return "compare first: x != 0";
    case Typing::Select:
    case Typing::Gate: return "the first operand is the condition: compare first, as in x != 0";
    case Typing::Bits:
    case Typing::Integer: return "convert first, as in i64(x)";
    case Typing::Arith:
    case Typing::Order: return "convert bools first, as in i64(b)";
    default: return {};
  }
}

}  // namespace

Parser::Value Parser::literal_value(bool negative) {
  const Token& token = next();
  if (token.kind == TokenKind::Name) return special_literal(token, negative);
  Value v;
  v.span = span(token);
  v.literal = {token.text, token.kind == TokenKind::Real, negative};
  v.weak = true;
  if (token.suffix.empty()) return v;
  v.e = settle(v, *parse_dtype(token.suffix));
  v.weak = false;
  return v;
}

// inf, nan and these with a dtype behind them.
Parser::Value Parser::special_literal(const Token& token, bool negative) {
  Value v;
  v.span = span(token);
  v.literal = {token.text.substr(0, 3), true, negative};
  v.weak = true;
  if (token.text.size() == 3) return v;
  v.e = settle(v, *parse_dtype(token.text.substr(3)));
  v.weak = false;
  return v;
}

bool Parser::at_literal(std::size_t ahead) const {
  const Token& t = peek(ahead);
  if (t.kind == TokenKind::Integer || t.kind == TokenKind::Real) return true;
  if (t.kind != TokenKind::Name) return false;
  const std::string_view head = t.text.substr(0, 3);
  return (head == "inf" || head == "nan") && is_keyword(t.text);
}

// The value in dtype t: converts a literal, casts anything else.
Expr Parser::settle(const Value& v, DType t) {
  if (!v.weak) return v.e ? build_.cast(t, v.e) : nullptr;
  const auto scalar = to_scalar(v.literal, t);
  if (auto* why = std::get_if<std::string>(&scalar)) {
    error(v.span, *why);
    return nullptr;
  }
  return graph_.constant(std::get<Scalar>(scalar));
}

Expr Parser::plain(const Value& v) {
  if (!v.weak) return v.e;
  return settle(v, v.literal.real ? DType::F64 : DType::I64);
}

Expr Parser::bound(const Value& v) { return build_.bound(plain(v)); }

DType Parser::common_dtype(std::span<const Value> values, bool wants_float) const {
  std::vector<OperandKind> kinds;
  for (const Value& v : values)
    kinds.push_back({v.e ? std::optional(v.e->dtype) : std::nullopt, v.weak && v.literal.real});
  return ir::common_dtype(kinds, wants_float);
}

Parser::Value Parser::apply(Op op, std::span<Value> args, Span operator_span, Span whole) {
  Value result;
  result.span = whole;
  const Typing typing = info(op).typing;
  const std::size_t first = typing == Typing::Select || typing == Typing::Gate ? 1 : 0;
  std::vector<Expr> operands;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!args[i].ok()) return result;
    if (i < first) operands.push_back(plain(args[i]));
  }
  if (args.size() > first) {
    const std::span<Value> values = args.subspan(first);
    const DType t = common_dtype(values, typing == Typing::Float || typing == Typing::Test);
    // Only literals are converted here: Build casts the others, and says why when it cannot.
    for (const Value& v : values) operands.push_back(v.weak ? settle(v, t) : v.e);
  }
  for (Expr e : operands)
    if (!e) return result;
  result.e = build_.op(op, operands);
  if (result.e) {
    use(result.e, whole);
  } else {
    refuse_operation(op, operator_span);
  }
  return result;
}

void Parser::refuse_operation(Op op, Span where) {
  Diagnostic& d = error(where, build_.refusal());
  if (d.message.find("operand") == std::string::npos) d.help = help_for(op);
}

// What is stored takes the target's dtype. Conversions that lose the kind - a float to an integer,
// a number to a bool - must be written.
Expr Parser::converted(const Value& v, DType t, std::string_view target) {
  if (!v.ok()) return nullptr;
  if (v.weak) return settle(v, t);
  const DType from = v.e->dtype;
  if (converts_silently(from, t)) return build_.cast(t, v.e);
  error(v.span, quoted(target) + " is " + std::string(ir::name(t)) + ", but this is " +
                    std::string(ir::name(from)))
      .help = is_bool(t) ? "compare, or convert: bool(...) is true for everything but zero"
                         : "convert: " + std::string(ir::name(t)) +
                               "(...) cuts off the fraction and saturates";
  return nullptr;
}

void Parser::use(Expr e, Span where) {
  if (e) uses_.push_back({owner_, e, where});
}

}  // namespace lathe::ir
