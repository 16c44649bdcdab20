// SPDX-License-Identifier: Apache-2.0
#include "frontend/stencil/constant.h"

#include <cmath>

namespace lathe::stencil {
namespace {

using python::BinaryOperator;
using python::ExprKind;
using Kind = Value::Kind;

Value too_large() { return Value::unknown("an int of more than 64 bits"); }

// Ints that floats hold exactly.
bool exact(std::int64_t i) { return -(std::int64_t{1} << 53) <= i && i <= std::int64_t{1} << 53; }

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

// Where Python raises, or has a complex number, it has no value.
Value power(double a, double b) {
  const double r = std::pow(a, b);
  if (std::isfinite(a) && std::isfinite(b) && !std::isfinite(r))
    return Value::unknown("a power that is no float");
  return Value::of_float(r);
}

// As Python computes it: floor(1.0 / 0.1) is 10, but 1.0 // 0.1 is 9.
Value floor_div(double a, double b) {
  const double rest = std::fmod(a, b);
  double q = (a - rest) / b;
  if (rest != 0 && (rest < 0) != (b < 0)) q -= 1;
  if (q == 0) return Value::of_float(std::copysign(0.0, a / b));
  const double whole = std::floor(q);
  return Value::of_float(q - whole > 0.5 ? whole + 1 : whole);
}

Value integers(BinaryOperator op, std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  switch (op) {
    case BinaryOperator::Add:
      return __builtin_add_overflow(a, b, &r) ? too_large() : Value::of_int(r);
    case BinaryOperator::Sub:
      return __builtin_sub_overflow(a, b, &r) ? too_large() : Value::of_int(r);
    case BinaryOperator::Mult:
      return __builtin_mul_overflow(a, b, &r) ? too_large() : Value::of_int(r);
    case BinaryOperator::Div:
      if (b == 0) return Value::unknown("a division by zero");
      if (!exact(a) || !exact(b)) return Value::unknown("a division of large ints");
      return Value::of_float(static_cast<double>(a) / static_cast<double>(b));
    case BinaryOperator::FloorDiv:
    case BinaryOperator::Mod:
      if (b == 0) return Value::unknown("a division by zero");
      if (b == -1)
        return op == BinaryOperator::Mod ? Value::of_int(0) : integers(BinaryOperator::Sub, 0, a);
      r = floor_div(a, b);
      return Value::of_int(op == BinaryOperator::Mod ? a - r * b : r);
    case BinaryOperator::Pow: {
      if (b < 0) return power(static_cast<double>(a), static_cast<double>(b));
      if (a == -1) return Value::of_int(b % 2 == 0 ? 1 : -1);
      r = 1;
      for (std::int64_t i = 0; i < b; ++i) {
        if (r == 0 || (r == 1 && a == 1)) break;
        if (__builtin_mul_overflow(r, a, &r)) return too_large();
      }
      return Value::of_int(r);
    }
    case BinaryOperator::LShift:
      if (b < 0 || b > 62) return too_large();
      return integers(BinaryOperator::Mult, a, std::int64_t{1} << b);
    case BinaryOperator::RShift:
      if (b < 0) return Value::unknown("a negative shift");
      return Value::of_int(a >> std::min<std::int64_t>(b, 63));
    case BinaryOperator::BitAnd: return Value::of_int(a & b);
    case BinaryOperator::BitOr: return Value::of_int(a | b);
    case BinaryOperator::BitXor: return Value::of_int(a ^ b);
    case BinaryOperator::MatMult: break;
  }
  return Value::unknown("an operation that ints do not have");
}

Value reals(BinaryOperator op, double a, double b) {
  switch (op) {
    case BinaryOperator::Add: return Value::of_float(a + b);
    case BinaryOperator::Sub: return Value::of_float(a - b);
    case BinaryOperator::Mult: return Value::of_float(a * b);
    case BinaryOperator::Div:
      return b == 0 ? Value::unknown("a division by zero") : Value::of_float(a / b);
    case BinaryOperator::FloorDiv:
      return b == 0 ? Value::unknown("a division by zero") : floor_div(a, b);
    case BinaryOperator::Mod: {
      if (b == 0) return Value::unknown("a division by zero");
      const double r = std::fmod(a, b);
      if (r == 0) return Value::of_float(std::copysign(0.0, b));
      return Value::of_float((r < 0) != (b < 0) ? r + b : r);
    }
    case BinaryOperator::Pow: return power(a, b);
    default: return Value::unknown("an operation that floats do not have");
  }
}

// NumPy scalars keep their dtype; a Python number beside one does not change it.
std::optional<ir::DType> joined(const Value& a, const Value& b) {
  if (a.dtype && b.dtype) return ir::promote(*a.dtype, *b.dtype);
  return a.dtype ? a.dtype : b.dtype;
}

Value typed(Value v, std::optional<ir::DType> t) {
  if (!t || !v.is_number()) return v;
  if (ir::is_float(*t) && v.is(Kind::Int)) v = Value::of_float(static_cast<double>(v.integer));
  if (*t == ir::DType::F32) v.real = static_cast<double>(static_cast<float>(v.real));
  if (v.is(Kind::Float) == ir::is_float(*t)) v.dtype = t;
  return v;
}

Value convert(const Value& to, const Value& x) {
  const ir::DType t = *to.dtype;
  if (ir::is_bool(t)) return Value::boolean(truth(x));
  std::optional<ir::DType> keep;
  if (!to.weak) keep = t;
  if (ir::is_float(t)) return typed(Value::of_float(x.as_real()), keep);
  if (!x.is(Kind::Float)) return Value::of_int(x.integer, keep);
  if (!(std::abs(x.real) < 0x1p63)) return too_large();
  return Value::of_int(static_cast<std::int64_t>(x.real), keep);
}

Value math_call(std::string_view name, double x) {
  struct Function {
    std::string_view name;
    double (*f)(double);
  };
  static constexpr Function kFunctions[] = {
      {"sqrt", std::sqrt}, {"exp", std::exp},   {"log", std::log},     {"log10", std::log10},
      {"sin", std::sin},   {"cos", std::cos},   {"tan", std::tan},     {"asin", std::asin},
      {"acos", std::acos}, {"atan", std::atan}, {"gamma", std::tgamma}};
  for (const Function& f : kFunctions)
    if (f.name == name) {
      const double r = f.f(x);
      if (std::isfinite(x) && !std::isfinite(r)) break;  // Python raises
      return Value::of_float(r);
    }
  return Value::unknown("a call of '" + std::string(name) + "'");
}

Value call(const python::Call& c, Names names) {
  const Value function = evaluate(*c.function, names);
  std::vector<Value> arguments;
  for (const python::Expr* a : c.arguments) {
    if (a->kind == ExprKind::Starred) return Value::unknown("a call with '*'");
    arguments.push_back(evaluate(*a, names));
    if (arguments.back().is(Kind::Unknown)) return arguments.back();
  }
  if (function.is(Kind::Builtin) &&
      (function.text == "SimpleNamespace" || function.text == "dict") && arguments.empty()) {
    Members members;
    for (const python::Keyword& k : c.keywords) {
      if (k.name.empty()) return Value::unknown("a call with '**'");
      members.emplace(std::string(k.name), evaluate(*k.value, names));
    }
    return Value::scope(function.text == "dict" ? Kind::Dict : Kind::Namespace, std::move(members));
  }
  if (!c.keywords.empty()) return Value::unknown("a call with keywords");
  if (function.is(Kind::DType) && arguments.size() == 1 && arguments[0].is_constant())
    return convert(function, arguments[0]);
  if (function.is(Kind::Builtin)) {
    const std::string& name = function.text;
    if (name == "dtype" && arguments.size() == 1) {
      if (arguments[0].is(Kind::DType)) return Value::type(*arguments[0].dtype);
      if (arguments[0].is(Kind::String))
        if (const auto t = dtype_named(arguments[0].text)) return Value::type(*t->dtype);
    }
    if (name == "abs" && arguments.size() == 1 && arguments[0].is_number())
      return truth(compare(python::CompareOperator::Lt, arguments[0], Value::of_int(0)))
                 ? apply(python::UnaryOperator::USub, arguments[0])
                 : arguments[0];
    if ((name == "min" || name == "max") && arguments.size() == 2 && arguments[0].is_number() &&
        arguments[1].is_number()) {
      const auto op = name == "min" ? python::CompareOperator::Lt : python::CompareOperator::Gt;
      return arguments[truth(compare(op, arguments[1], arguments[0])) ? 1 : 0];
    }
    if (arguments.size() == 1 && arguments[0].is_number())
      return math_call(name, arguments[0].as_real());
  }
  return Value::unknown("the result of a call");
}

Value subscript(const python::Subscript& s, Names names) {
  const Value from = evaluate(*s.value, names);
  if (from.is(Kind::Unknown)) return from;
  const Value index = evaluate(*s.index, names);
  if (index.is(Kind::Unknown)) return index;
  if (from.is(Kind::Axes) && from.text.size() == 1 && index.is(Kind::Int))
    return Value::axis_index(from.text, index.integer);
  if (from.is(Kind::Tuple) && index.is(Kind::Int)) {
    const auto n = static_cast<std::int64_t>(from.elements.size());
    const std::int64_t i = index.integer < 0 ? index.integer + n : index.integer;
    if (i >= 0 && i < n) return from.elements[static_cast<std::size_t>(i)];
  }
  if (from.is(Kind::Dict) && index.is(Kind::String))
    if (const auto at = from.members->find(index.text); at != from.members->end())
      return at->second;
  return Value::unknown("an element that is not known");
}

}  // namespace

bool truth(const Value& v) {
  switch (v.kind) {
    case Kind::None: return false;
    case Kind::Bool:
    case Kind::Int: return v.integer != 0;
    case Kind::Float: return v.real != 0;
    case Kind::String: return !v.text.empty();
    case Kind::Tuple: return !v.elements.empty();
    case Kind::Dict: return !v.members->empty();
    default: return true;
  }
}

Value apply(python::UnaryOperator op, const Value& x) {
  if (op == python::UnaryOperator::Not) return x.is(Kind::Unknown) ? x : Value::boolean(!truth(x));
  if (!x.is_constant()) return Value::unknown("an operation on " + describe(x));
  switch (op) {
    case python::UnaryOperator::UAdd:
      return x.is(Kind::Float) ? x : Value::of_int(x.integer, x.dtype);
    case python::UnaryOperator::USub:
      if (x.is(Kind::Float)) return Value::of_float(-x.real, x.dtype);
      return typed(integers(BinaryOperator::Sub, 0, x.integer), x.dtype);
    case python::UnaryOperator::Invert:
      if (x.is(Kind::Float)) return Value::unknown("'~' of a float");
      return Value::of_int(~x.integer, x.dtype);
    case python::UnaryOperator::Not: break;
  }
  return x;
}

Value apply(BinaryOperator op, const Value& a, const Value& b) {
  const bool plus = op == BinaryOperator::Add, minus = op == BinaryOperator::Sub;
  if (a.is(Kind::AxisIndex) && b.is(Kind::Int) && (plus || minus)) {
    Value v = a;
    const bool large = plus ? __builtin_add_overflow(v.integer, b.integer, &v.integer)
                            : __builtin_sub_overflow(v.integer, b.integer, &v.integer);
    return large ? too_large() : v;
  }
  if (b.is(Kind::AxisIndex) && a.is(Kind::Int) && plus) return apply(op, b, a);
  if (!a.is_constant() || !b.is_constant())
    return Value::unknown("an operation on " + describe(a.is_constant() ? b : a));
  const bool real = a.is(Kind::Float) || b.is(Kind::Float);
  const auto t = joined(a, b);
  const bool simple = op == BinaryOperator::Add || op == BinaryOperator::Sub ||
                      op == BinaryOperator::Mult || op == BinaryOperator::Div;
  if (t == ir::DType::F32 && !simple)  // what float64 gives may round to another float32
    return Value::unknown("an operation on float32 that only NumPy can evaluate");
  if (a.is(Kind::Bool) && b.is(Kind::Bool)) {
    if (op == BinaryOperator::BitAnd) return Value::boolean((a.integer & b.integer) != 0);
    if (op == BinaryOperator::BitOr) return Value::boolean((a.integer | b.integer) != 0);
    if (op == BinaryOperator::BitXor) return Value::boolean(a.integer != b.integer);
  }
  const Value v = real ? reals(op, a.as_real(), b.as_real()) : integers(op, a.integer, b.integer);
  return typed(v, t);
}

// Are they equal, or the same object? Nothing: not certain. Lists and tuples are not told apart.
namespace {
std::optional<bool> equal(const Value& a, const Value& b, bool same_object) {
  if (a.is(Kind::Unknown) || b.is(Kind::Unknown)) return std::nullopt;
  if (a.is(Kind::None) || b.is(Kind::None)) return a.kind == b.kind;
  if (a.is_constant() && b.is_constant()) {
    if (same_object && a.kind != b.kind) return false;
    if (same_object && !a.is(Kind::Bool)) return std::nullopt;
    if (!a.is(Kind::Float) && !b.is(Kind::Float)) return a.integer == b.integer;
    return a.as_real() == b.as_real();
  }
  const bool plain =
      (a.is_constant() || a.is(Kind::String)) && (b.is_constant() || b.is(Kind::String));
  if (plain && a.kind != b.kind) return false;
  if (a.kind != b.kind) return std::nullopt;
  switch (a.kind) {
    case Kind::String:
      if (same_object) return std::nullopt;
      return a.text == b.text;
    case Kind::Axes: return a.text == b.text;
    case Kind::Function:
      if (a.function != nullptr && a.function == b.function) return true;
      return std::nullopt;
    case Kind::DType:
      if (*a.dtype != *b.dtype) return false;
      if (a.weak != b.weak || ir::is_bool(*a.dtype)) return std::nullopt;  // float, np.float64
      return true;
    default: return std::nullopt;
  }
}
}  // namespace

Value compare(python::CompareOperator op, const Value& a, const Value& b) {
  using C = python::CompareOperator;
  const bool both = a.is_constant() && b.is_constant();
  const auto inexact = [](const Value& x, const Value& y) {
    return y.is(Kind::Float) && !x.is(Kind::Float) && !exact(x.integer);
  };
  if (both && (inexact(a, b) || inexact(b, a)))
    return Value::unknown("a comparison of a large int with a float");
  const bool ints = both && !a.is(Kind::Float) && !b.is(Kind::Float);
  const bool less = ints ? a.integer < b.integer : a.as_real() < b.as_real();
  const bool a_is_b = ints ? a.integer == b.integer : a.as_real() == b.as_real();
  const bool more = ints ? a.integer > b.integer : a.as_real() > b.as_real();
  const auto not_known = [&] {
    return Value::unknown("a comparison of " + describe(a) + " with " + describe(b));
  };
  if (op == C::Eq || op == C::NotEq || op == C::Is || op == C::IsNot) {
    const auto same = equal(a, b, op == C::Is || op == C::IsNot);
    return same ? Value::boolean(*same == (op == C::Eq || op == C::Is)) : not_known();
  }
  if (!both) return not_known();
  switch (op) {
    case C::Lt: return Value::boolean(less);
    case C::Gt: return Value::boolean(more);
    case C::LtE: return Value::boolean(less || a_is_b);
    case C::GtE: return Value::boolean(more || a_is_b);
    default: return Value::unknown("'in'");
  }
}

Value evaluate(const python::Expr& e, Names names) {
  switch (e.kind) {
    case ExprKind::Constant: {
      const auto& c = e.as<python::Constant>();
      switch (c.what) {
        case python::ConstantKind::None: return Value::none();
        case python::ConstantKind::True: return Value::boolean(true);
        case python::ConstantKind::False: return Value::boolean(false);
        case python::ConstantKind::Int: return c.fits ? Value::of_int(c.integer) : too_large();
        case python::ConstantKind::Float: return Value::of_float(c.real);
        case python::ConstantKind::Str: return Value::string(std::string(c.text));
        default: return Value::unknown("a constant that stencils do not have");
      }
    }
    case ExprKind::Name: {
      const auto& n = e.as<python::Name>();
      if (const Value* v = names(n.name)) return *v;
      return Value::unknown("'" + std::string(n.name) + "', which is not known at compile time");
    }
    case ExprKind::Attribute: {
      const auto& a = e.as<python::Attribute>();
      const Value from = evaluate(*a.value, names);
      if (from.is(Kind::Unknown)) return from;
      if (from.members)
        if (const auto at = from.members->find(a.name); at != from.members->end())
          return at->second;
      if (a.name == "value" && from.is_constant()) return from;  // of an enum's member
      return Value::unknown("'" + std::string(a.name) + "' of " + describe(from));
    }
    case ExprKind::UnaryOp: {
      const auto& u = e.as<python::UnaryOp>();
      const Value x = evaluate(*u.operand, names);
      return x.is(Kind::Unknown) ? x : apply(u.op, x);
    }
    case ExprKind::BinOp: {
      const auto& b = e.as<python::BinOp>();
      const Value left = evaluate(*b.left, names);
      if (left.is(Kind::Unknown)) return left;
      const Value right = evaluate(*b.right, names);
      return right.is(Kind::Unknown) ? right : apply(b.op, left, right);
    }
    case ExprKind::BoolOp: {
      const auto& b = e.as<python::BoolOp>();
      Value v;
      for (const python::Expr* part : b.values) {
        v = evaluate(*part, names);
        if (v.is(Kind::Unknown) || truth(v) == (b.op == python::BoolOperator::Or)) break;
      }
      return v;
    }
    case ExprKind::Compare: {
      const auto& c = e.as<python::Compare>();
      Value left = evaluate(*c.left, names), result = Value::boolean(true);
      for (std::size_t i = 0; i < c.ops.size(); ++i) {
        if (left.is(Kind::Unknown)) return left;
        Value right = evaluate(*c.comparators[i], names);
        if (right.is(Kind::Unknown)) return right;
        result = compare(c.ops[i], left, right);
        if (result.is(Kind::Unknown) || !truth(result)) return result;
        left = std::move(right);
      }
      return result;
    }
    case ExprKind::IfExp: {
      const auto& i = e.as<python::IfExp>();
      const Value c = evaluate(*i.condition, names);
      return c.is(Kind::Unknown) ? c : evaluate(truth(c) ? *i.yes : *i.no, names);
    }
    case ExprKind::Tuple:
    case ExprKind::List: {
      const python::ExprList elements = e.kind == ExprKind::Tuple ? e.as<python::Tuple>().elements
                                                                  : e.as<python::List>().elements;
      Value v;
      v.kind = Kind::Tuple;
      for (const python::Expr* part : elements) {
        if (part->kind == ExprKind::Starred) return Value::unknown("a list with '*'");
        v.elements.push_back(evaluate(*part, names));
      }
      return v;
    }
    case ExprKind::Dict: {
      const auto& d = e.as<python::Dict>();
      Members members;
      for (std::size_t i = 0; i < d.keys.size(); ++i) {
        Value value = evaluate(*d.values[i], names);
        if (d.keys[i] == nullptr) {  // **value
          if (!value.is(Kind::Dict)) return Value::unknown("a dict with '**'");
          for (const auto& [name, inner] : *value.members) members.insert_or_assign(name, inner);
          continue;
        }
        const Value key = evaluate(*d.keys[i], names);
        if (!key.is(Kind::String) && !key.is(Kind::DType))
          return Value::unknown("a dict whose keys are not strings");
        std::string text = key.text;
        if (key.is(Kind::DType)) text = ir::is_float(*key.dtype) ? "float" : "int";
        members.insert_or_assign(std::move(text), std::move(value));
      }
      return Value::scope(Kind::Dict, std::move(members));
    }
    case ExprKind::Subscript: return subscript(e.as<python::Subscript>(), names);
    case ExprKind::Call: return call(e.as<python::Call>(), names);
    default: return Value::unknown("an expression that only Python can evaluate");
  }
}

}  // namespace lathe::stencil
