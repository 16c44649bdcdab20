// SPDX-License-Identifier: Apache-2.0
// One operation in lanes, by the compilers' vector extensions. Comparisons give masks as wide as
// what they compared; a mask is converted where it meets values of another width.

#include <algorithm>

#include "emit/c/evaluate.h"
#include "emit/c/types.h"

namespace lathe::emit {

// One value in all lanes.
Value Evaluator::splat(const Value& v) {
  if (v.lanes > 1) return v;
  if (ir::is_bool(v.dtype)) {
    Value result = apply("splat", DType::I8, form_.lanes, std::span(&v, 1));
    result.text = "-" + printer_.library().function("splat", DType::I8, form_.lanes) + "((i8)" +
                  v.wrapped(kAtom) + ")";
    result.strength = kProduct;
    result.dtype = DType::Bool;
    result.mask = 1;
    return result;
  }
  Value result = apply("splat", held(v.dtype), form_.lanes, std::span(&v, 1));
  result.dtype = v.dtype;
  return result;
}

// A bool as a mask of that width.
Value Evaluator::mask(const Value& v, std::size_t bytes) {
  const std::string type = printer_.value_type(signed_of(bytes), form_.lanes, 0);
  if (v.lanes == 1) {
    const std::string one = printer_.library().function("splat", signed_of(bytes), form_.lanes);
    return {"-" + one + "(" + v.text + ")", kProduct, DType::Bool, form_.lanes, bytes};
  }
  if (v.mask == bytes) return v;
  return {"__builtin_convertvector(" + v.text + ", " + type + ")", kAtom, DType::Bool, form_.lanes,
          bytes};
}

std::string Evaluator::named(const Value& v) {
  if (v.text.find_first_of(" (") == v.text.npos) return v.text;
  const std::string name = printer_.temporary();
  out_->line("const " + printer_.value_type(v.dtype, v.lanes, v.mask) + " " + name + " = " +
             v.text + ";");
  return name;
}

Value Evaluator::comparison(Expr e, std::string_view sign, std::span<const Value> args) {
  const DType t = e->arg(0)->dtype;
  const Value a = splat(args[0]), b = splat(args[1]);
  const std::size_t bytes = ir::size_bytes(held(t));
  return {"(" + printer_.value_type(signed_of(bytes), form_.lanes, 0) + ")(" + a.wrapped(kSum) +
              " " + std::string(sign) + " " + b.wrapped(kSum) + ")",
          kAtom, DType::Bool, form_.lanes, bytes};
}

// Operations on bools: bitwise on masks of one width.
Value Evaluator::vector_logic(Expr e, std::span<const Value> args) {
  std::size_t bytes = 1;
  for (const Value& v : args) bytes = std::max(bytes, v.mask);
  std::vector<std::string> m;
  for (const Value& v : args) m.push_back(mask(v, bytes).wrapped(kAtom));
  std::string text;
  switch (e->op) {
    case Op::And:
    case Op::BitAnd: text = m[0] + " & " + m[1]; break;
    case Op::Or:
    case Op::BitOr: text = m[0] + " | " + m[1]; break;
    case Op::Ne:
    case Op::BitXor: text = m[0] + " ^ " + m[1]; break;
    case Op::Eq: text = "~(" + m[0] + " ^ " + m[1] + ")"; break;
    case Op::Lt: text = "~" + m[0] + " & " + m[1]; break;
    case Op::Le: text = "~" + m[0] + " | " + m[1]; break;
    case Op::Gt: text = m[0] + " & ~" + m[1]; break;
    case Op::Ge: text = m[0] + " | ~" + m[1]; break;
    case Op::Not:
    case Op::BitNot: text = "~" + m[0]; break;
    default: internal_error("an operation on bools");
  }
  return {text, kLoose, DType::Bool, form_.lanes, bytes};
}

namespace {

struct Bounds {
  double lo = -__builtin_inf(), hi = __builtin_inf();
};

// Of what is not a NaN; elementary functions clamp their arguments.
Bounds bounds(Expr e, int depth = 0) {
  constexpr int kDeep = 12;
  if (depth > kDeep) return {};
  const auto of = [&](std::size_t i) { return bounds(e->arg(i), depth + 1); };
  switch (e->op) {
    case Op::Const: {
      const double v = e->scalar().as_double();
      return v == v ? Bounds{v, v} : Bounds{};
    }
    case Op::Select: {  // x < c ? c : x, x > c ? c : x
      const Expr test = e->arg(0);
      const bool less = test->op == Op::Lt;
      if ((!less && test->op != Op::Gt) || test->arg(1) != e->arg(1) || test->arg(0) != e->arg(2))
        return {};
      const Bounds c = of(1), x = of(2);
      return less ? Bounds{std::max(c.lo, x.lo), std::max(c.hi, x.hi)}
                  : Bounds{std::min(c.lo, x.lo), std::min(c.hi, x.hi)};
    }
    case Op::Mul: {
      const std::size_t side = ir::is_const(e->arg(0)) ? 0 : 1;
      if (!ir::is_const(e->arg(side))) return {};
      const double k = of(side).lo;
      const Bounds x = of(1 - side);
      if (!(k > 0)) return {};
      return {x.lo * k, x.hi * k};
    }
    case Op::Round:
    case Op::Floor:
    case Op::Ceil:
    case Op::Trunc: {
      const Bounds x = of(0);
      return {x.lo - 1, x.hi + 1};
    }
    default: return {};
  }
}

bool is_small(Expr e) {
  const Bounds b = bounds(e);
  return b.lo > -0x1p30 && b.hi < 0x1p30;
}

}  // namespace

Value Evaluator::vector_select(Expr e, std::span<const Value> args) {
  const DType t = e->dtype;
  const bool gate = e->op == Op::Gate;
  if (ir::is_bool(t)) {
    std::size_t bytes = 1;
    for (const Value& v : args) bytes = std::max(bytes, v.mask);
    const std::string c = named(mask(args[0], bytes));
    const std::string yes = mask(args[1], bytes).wrapped(kAtom);
    if (gate) return {c + " & " + yes, kLoose, t, form_.lanes, bytes};
    const std::string no = mask(args[2], bytes).wrapped(kAtom);
    return {"(" + c + " & " + yes + ") | (~" + c + " & " + no + ")", kLoose, t, form_.lanes, bytes};
  }
  if (args[0].lanes == 1) {  // one condition for all lanes
    const Value yes = splat(args[1]);
    const std::string no =
        gate ? "(" + printer_.value_type(held(t), form_.lanes, 0) + "){0}" : splat(args[2]).text;
    return {args[0].wrapped(kProduct) + " ? " + yes.text + " : " + no, kLoose, t, form_.lanes};
  }
  const DType h = held(t);
  const Value c = mask(args[0], ir::size_bytes(h));
  if (gate) {
    const std::string bits = printer_.value_type(signed_of(ir::size_bytes(h)), form_.lanes, 0);
    return {"(" + printer_.value_type(h, form_.lanes, 0) + ")(" + c.wrapped(kAtom) + " & (" + bits +
                ")" + splat(args[1]).wrapped(kAtom) + ")",
            kAtom, t, form_.lanes};
  }
  const Value all[] = {c, splat(args[1]), splat(args[2])};
  // a < b ? a : b and the like are one instruction.
  const Expr test = e->arg(0), yes = e->arg(1), no = e->arg(2);
  const bool less = test->op == Op::Lt, more = test->op == Op::Gt;
  if (ir::is_float(t) && !ir::is_half(t) && (less || more)) {
    if (test->arg(0) == yes && test->arg(1) == no)
      return apply(less ? "lesser" : "greater", h, form_.lanes, std::span(all).subspan(1));
    if (test->arg(0) == no && test->arg(1) == yes)
      return apply(less ? "greater" : "lesser", h, form_.lanes, std::span(all).subspan(1));
  }
  return apply("select", h, form_.lanes, all);
}

Value Evaluator::vector_op(Expr e, std::span<const Value> raw) {
  const DType t = e->dtype;
  const DType operand = e->args().empty() ? t : e->args().back()->dtype;
  const DType h = held(operand);
  const bool bools = ir::is_bool(operand);
  if (e->op == Op::Select || e->op == Op::Gate) return vector_select(e, raw);
  if (e->op == Op::Cast) return vector_cast(e, raw[0]);
  if (e->op == Op::BitCast) return vector_bit_cast(e, raw[0]);
  if (bools) return vector_logic(e, raw);

  std::vector<Value> args;
  for (const Value& v : raw) args.push_back(splat(v));
  const auto function = [&](std::string_view name) { return apply(name, h, form_.lanes, args); };
  const auto arithmetic = [&](std::string_view name, std::string_view sign, Strength strength) {
    return ir::is_float(t) ? infix(e, sign, strength, args) : function(name);
  };
  const auto test = [&](const std::string& text) {
    const std::size_t bytes = ir::size_bytes(h);
    return Value{"(" + printer_.value_type(signed_of(bytes), form_.lanes, 0) + ")(" + text + ")",
                 kAtom, DType::Bool, form_.lanes, bytes};
  };
  const auto bitwise = [&](std::string_view sign) {
    return Value{args[0].wrapped(kAtom) + " " + std::string(sign) + " " + args[1].wrapped(kAtom),
                 kLoose, t, form_.lanes};
  };
  const std::string infinity = literal(ir::Scalar::of_double(h, __builtin_inf()));
  switch (e->op) {
    case Op::Const:
    case Op::Index:
    case Op::Param:
    case Op::Read:
    case Op::Inside:
    case Op::Reduce:
    case Op::Select:
    case Op::Gate:
    case Op::Cast:
    case Op::BitCast:
    case Op::And:
    case Op::Or:
    case Op::Not: break;
    case Op::Lookup: {
      const DType index = ir::size_bytes(operand) == 8 ? DType::I64 : DType::I32;
      std::string at = args[0].text;
      const std::string type = printer_.value_type(index, form_.lanes, 0);
      if (ir::size_bytes(operand) < 4)
        at = "__builtin_convertvector(" + at + ", " + type + ")";
      else if (index != operand)
        at = "(" + type + ")" + args[0].wrapped(kAtom);
      const std::string name = index == DType::I64 ? "lookup_i64" : "lookup_i32";
      return {printer_.library().function(name, t, form_.lanes) + "(" +
                  printer_.library().table(e->table()) + ", " + at + ")",
              kAtom, t, form_.lanes};
    }
    case Op::Add: return arithmetic("add", "+", kSum);
    case Op::Sub: return arithmetic("sub", "-", kSum);
    case Op::Mul: return arithmetic("mul", "*", kProduct);
    case Op::Div: return infix(e, "/", kProduct, args);
    case Op::FloorDiv: return rounded(function("floordiv"), t);
    case Op::Mod: return rounded(function("floormod"), t);
    case Op::TruncDiv: return rounded(function("truncdiv"), t);
    case Op::TruncMod: return rounded(function("truncmod"), t);
    case Op::Neg:
      if (ir::is_float(t)) return {"-" + args[0].wrapped(kAtom), kProduct, t, form_.lanes};
      return function("neg");
    case Op::Abs: return ir::is_unsigned_int(t) ? args[0] : function("abs");
    case Op::Sign: return function("sign");
    case Op::Fma: return rounded(function("fma"), t);
    case Op::Min: return function("min");
    case Op::Max: return function("max");
    case Op::FMin: return function("fmin");
    case Op::FMax: return function("fmax");
    case Op::Lt: return comparison(e, "<", args);
    case Op::Le: return comparison(e, "<=", args);
    case Op::Gt: return comparison(e, ">", args);
    case Op::Ge: return comparison(e, ">=", args);
    case Op::Eq: return comparison(e, "==", args);
    case Op::Ne: return comparison(e, "!=", args);
    case Op::BitAnd: return bitwise("&");
    case Op::BitOr: return bitwise("|");
    case Op::BitXor: return bitwise("^");
    case Op::BitNot: return {"~" + args[0].wrapped(kAtom), kProduct, t, form_.lanes};
    case Op::Shl: return function("shl");
    case Op::Shr: return function("shr");
    case Op::Floor: return function("floor");
    case Op::Ceil: return function("ceil");
    case Op::Trunc: return function("trunc");
    case Op::Round: return function("round");
    case Op::RoundAway: return function("round_away");
    case Op::Copysign: return function("copysign");
    case Op::IsNan: {
      const std::string x = named(args[0]);
      return test(x + " != " + x);
    }
    case Op::IsInf: return test(function("abs").text + " == " + infinity);
    case Op::IsFinite: return test(function("abs").text + " < " + infinity);
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
    case Op::Lgamma: return elementary(e, args, form_.lanes);
  }
  internal_error("an operation that has a C form in lanes");
}

Value Evaluator::vector_cast(Expr e, const Value& x) {
  const DType from = e->arg(0)->dtype, to = e->dtype;
  if (from == to) return x;
  if (ir::is_bool(to)) {
    const std::size_t bytes = ir::size_bytes(held(from));
    return {"(" + printer_.value_type(signed_of(bytes), form_.lanes, 0) + ")(" + x.wrapped(kSum) +
                " != 0)",
            kAtom, to, form_.lanes, bytes};
  }
  if (ir::is_bool(from)) {  // the bits of one where the mask is set
    const DType h = held(to);
    const std::size_t bytes = ir::size_bytes(h);
    const std::string bits = literal(static_cast<std::int64_t>(ir::Scalar::of_int(h, 1).bits));
    return {"(" + printer_.value_type(h, form_.lanes, 0) + ")(" + mask(x, bytes).wrapped(kAtom) +
                " & " + bits + ")",
            kAtom, to, form_.lanes};
  }
  const bool small = ir::is_float(from) && !ir::is_half(from) && ir::is_signed_int(to) &&
                     ir::size_bytes(to) >= 4 && is_small(e->arg(0));
  return {printer_.library().conversion(from, to, form_.lanes, small) + "(" + x.text + ")", kAtom,
          to, form_.lanes};
}

Value Evaluator::vector_bit_cast(Expr e, const Value& x) {
  const DType from = e->arg(0)->dtype, to = e->dtype;
  if (from == to && !ir::is_float(to)) return x;
  Library& library = printer_.library();
  std::string bits = x.wrapped(kAtom);  // as some vector of that width
  if (ir::is_bool(from)) {
    bits = "(" + mask(x, 1).wrapped(kAtom) + " & 1)";
  } else if (ir::is_half(from)) {
    bits = library.function("narrow", from, form_.lanes) + "(" + x.text + ")";
  } else if (ir::is_float(from) && !raw_bits) {
    bits = library.function("canonical", from, form_.lanes) + "(" + x.text + ")";
  }
  if (ir::is_bool(to))
    return {"(" + printer_.value_type(DType::I8, form_.lanes, 0) + ")(" + bits + " != 0)", kAtom,
            to, form_.lanes, 1};
  if (ir::is_half(to)) {
    const std::string type = printer_.value_type(DType::U16, form_.lanes, 0);
    return {library.function("widen", to, form_.lanes) + "((" + type + ")" + bits + ")", kAtom, to,
            form_.lanes};
  }
  return {"(" + printer_.value_type(to, form_.lanes, 0) + ")" + bits, kAtom, to, form_.lanes};
}

}  // namespace lathe::emit
