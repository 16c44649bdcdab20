// SPDX-License-Identifier: Apache-2.0
// One operation on single values. Floats use C's own operators; integers go through functions that
// wrap, except for indices and sizes, which read better plain: u[i * s + j + 1].

#include <algorithm>

#include "emit/c/evaluate.h"
#include "emit/c/types.h"

namespace lathe::emit {

namespace {

std::string infinity(DType t) { return literal(ir::Scalar::of_double(t, __builtin_inf())); }

}  // namespace

Value Evaluator::apply(std::string_view function, DType t, int lanes, std::span<const Value> args) {
  std::string text = printer_.library().function(function, t, lanes) + "(";
  for (std::size_t i = 0; i < args.size(); ++i) text += (i == 0 ? "" : ", ") + args[i].text;
  return {text + ")", kAtom, t, lanes};
}

// To the nearest half, if the value is one.
Value Evaluator::rounded(Value v, DType t) {
  if (!ir::is_half(t)) return v;
  v.text = printer_.library().function("round", t, v.lanes) + "(" + v.text + ")";
  v.strength = kAtom;
  return v;
}

Value Evaluator::infix(Expr e, std::string_view sign, Strength strength,
                       std::span<const Value> args) {
  const Strength right = static_cast<Strength>(strength + 1);
  Value v{args[0].wrapped(strength) + " " + std::string(sign) + " " + args[1].wrapped(right),
          strength, e->dtype, std::max(args[0].lanes, args[1].lanes)};
  return rounded(std::move(v), e->dtype);
}

Value Evaluator::integer(Expr e, std::string_view function, std::string_view sign,
                         Strength strength, std::span<const Value> args) {
  if (ir::is_float(e->dtype)) return infix(e, sign, strength, args);
  const bool constants = is_const(e->arg(0)) && is_const(e->arg(1));
  if (e->dtype == DType::I64 && args[0].tame && args[1].tame && !constants) {
    if (args[1].text == "0" && e->op != Op::Mul) return args[0];
    if (args[0].text == "0" && e->op == Op::Add) return args[1];
    Value v = infix(e, sign, strength, args);
    v.tame = e->op != Op::Mul || is_const(e->arg(0)) || is_const(e->arg(1));
    return v;
  }
  return apply(function, e->dtype, 1, args);
}

Value Evaluator::scalar_op(Expr e, std::span<const Value> args) {
  const DType t = e->dtype;
  const DType h = held(e->args().back()->dtype);  // what the operands are computed in
  const auto compare = [&](std::string_view sign) {
    return Value{args[0].wrapped(kSum) + " " + std::string(sign) + " " + args[1].wrapped(kSum),
                 kLoose};
  };
  const auto logic = [&](std::string_view sign) {
    return Value{
        args[0].wrapped(kProduct) + " " + std::string(sign) + " " + args[1].wrapped(kProduct),
        kLoose};
  };
  const auto function = [&](std::string_view name) { return apply(name, h, 1, args); };
  const auto cut = [&](Value v) {  // narrow integers were promoted
    return Value{"(" + printer_.value_type(t, 1, 0) + ")(" + v.text + ")"};
  };
  switch (e->op) {
    case Op::Const:
    case Op::Index:
    case Op::Param:
    case Op::Read:
    case Op::Inside:
    case Op::Reduce: break;
    case Op::Lookup: return {printer_.library().table(e->table()) + "[" + args[0].text + "]"};
    case Op::Add: return integer(e, "add", "+", kSum, args);
    case Op::Sub: return integer(e, "sub", "-", kSum, args);
    case Op::Mul: return integer(e, "mul", "*", kProduct, args);
    case Op::Div: return infix(e, "/", kProduct, args);
    case Op::FloorDiv: return rounded(function("floordiv"), t);
    case Op::Mod: return rounded(function("floormod"), t);
    case Op::TruncDiv: return rounded(function("truncdiv"), t);
    case Op::TruncMod: return rounded(function("truncmod"), t);
    case Op::Neg:
      if (ir::is_float(t)) return {"-" + args[0].wrapped(kAtom), kProduct};
      return function("neg");
    case Op::Abs: return ir::is_unsigned_int(t) ? args[0] : function("abs");
    case Op::Sign: return function("sign");
    case Op::Fma: return rounded(function("fma"), t);
    case Op::Min: return function("min");
    case Op::Max: return function("max");
    case Op::FMin: return function("fmin");
    case Op::FMax: return function("fmax");
    case Op::Lt: return compare("<");
    case Op::Le: return compare("<=");
    case Op::Gt: return compare(">");
    case Op::Ge: return compare(">=");
    case Op::Eq: return compare("==");
    case Op::Ne: return compare("!=");
    case Op::And: return logic("&&");
    case Op::Or: return logic("||");
    case Op::Not: return {"!" + args[0].wrapped(kAtom), kLoose};
    case Op::Select:
      return {
          args[0].wrapped(kProduct) + " ? " + args[1].wrapped(kSum) + " : " + args[2].wrapped(kSum),
          kLoose};
    case Op::Gate:
      return {args[0].wrapped(kProduct) + " ? " + args[1].wrapped(kSum) + " : 0", kLoose};
    case Op::BitAnd: return ir::is_bool(t) ? logic("&&") : cut(logic("&"));
    case Op::BitOr: return ir::is_bool(t) ? logic("||") : cut(logic("|"));
    case Op::BitXor: return ir::is_bool(t) ? logic("!=") : cut(logic("^"));
    case Op::BitNot:
      if (ir::is_bool(t)) return {"!" + args[0].wrapped(kAtom), kLoose};
      // gcc takes ~ of a converted comparison for a mistake.
      if (e->arg(0)->op == Op::Cast && ir::is_bool(e->arg(0)->arg(0)->dtype))
        return cut({args[0].wrapped(kAtom) + " ^ -1"});
      return cut({"~" + args[0].wrapped(kAtom)});
    case Op::Shl: return function("shl");
    case Op::Shr: return function("shr");
    case Op::Floor: return function("floor");
    case Op::Ceil: return function("ceil");
    case Op::Trunc: return function("trunc");
    case Op::Round: return function("round");
    case Op::RoundAway: return function("round_away");
    case Op::Copysign: return function("copysign");
    case Op::IsNan: return {"__builtin_isnan(" + args[0].text + ") != 0", kLoose};
    case Op::IsInf: return {function("abs").text + " == " + infinity(h), kLoose};
    case Op::IsFinite: return {function("abs").text + " < " + infinity(h), kLoose};
    case Op::Sqrt: return rounded(function("sqrt"), t);
    case Op::Pow:
      if (ir::is_int(t)) return function("ipow");
      [[fallthrough]];
    case Op::Rsqrt:
    case Op::Cbrt:
    case Op::Exp:
    case Op::Exp2:
    case Op::Expm1:
    case Op::Log:
    case Op::Log2:
    case Op::Log10:
    case Op::Log1p:
    case Op::Sin:
    case Op::Cos:
    case Op::Tan:
    case Op::Asin:
    case Op::Acos:
    case Op::Atan:
    case Op::Atan2:
    case Op::Sinh:
    case Op::Cosh:
    case Op::Tanh:
    case Op::Asinh:
    case Op::Acosh:
    case Op::Atanh:
    case Op::Erf:
    case Op::Erfc:
    case Op::Gamma:
    case Op::Lgamma: return elementary(e, args, 1);
    case Op::Cast: return scalar_cast(e, args[0]);
    case Op::BitCast: return scalar_bit_cast(e, args[0]);
  }
  internal_error("an operation that has a C form");
}

Value Evaluator::elementary(Expr e, std::span<const Value> args, int lanes) {
  std::string text = printer_.elementary(e->op, held(e->dtype), lanes) + "(";
  for (std::size_t i = 0; i < args.size(); ++i) text += (i == 0 ? "" : ", ") + args[i].text;
  return rounded({text + ")", kAtom, e->dtype, lanes}, e->dtype);
}

Value Evaluator::scalar_cast(Expr e, const Value& x) {
  const DType from = e->arg(0)->dtype, to = e->dtype;
  if (from == to) return x;
  if (ir::is_bool(to)) return {x.wrapped(kSum) + " != 0", kLoose};
  const bool plain = !ir::is_half(to) && !(ir::is_float(from) && ir::is_int(to));
  if (ir::is_bool(from) || plain)
    return {"(" + printer_.value_type(to, 1, 0) + ")" + x.wrapped(kAtom)};
  return {printer_.library().conversion(from, to, 1) + "(" + x.text + ")"};
}

Value Evaluator::scalar_bit_cast(Expr e, const Value& x) {
  const DType from = e->arg(0)->dtype, to = e->dtype;
  if (from == to && !ir::is_float(to)) return x;
  Library& library = printer_.library();
  std::string bits = x.text;  // as an integer
  if (ir::is_half(from)) {
    bits = library.function("narrow", from, 1) + "(" + bits + ")";
  } else if (ir::is_float(from)) {
    if (!raw_bits) bits = library.function("canonical", from, 1) + "(" + bits + ")";
    bits = library.function("bits", from, 1) + "(" + bits + ")";
  } else {
    bits = x.wrapped(kAtom);
  }
  if (ir::is_bool(to)) return {bits + " != 0", kLoose};
  if (ir::is_half(to)) return {library.function("widen", to, 1) + "((u16)" + bits + ")"};
  if (ir::is_float(to)) {
    const std::string unsigned_type = printer_.value_type(unsigned_of(ir::size_bytes(to)), 1, 0);
    return {library.function("of_bits", to, 1) + "((" + unsigned_type + ")" + bits + ")"};
  }
  return {"(" + printer_.value_type(to, 1, 0) + ")" + bits};
}

}  // namespace lathe::emit
