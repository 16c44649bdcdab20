// SPDX-License-Identifier: Apache-2.0
// Expressions. Types are ordered bool, int8 ... int64, float32, float64, and two operands meet in
// the higher one (unlike NumPy, int64 with float32 is float32). Literals have the precision that
// the options say; `/` of two integers is done in it.

#include "base/quoted.h"
#include "frontend/stencil/translator.h"

namespace lathe::stencil {

using ir::DType;
using ir::Op;
using python::BinaryOperator;
using python::ExprKind;
using Kind = Value::Kind;

namespace {

// DType's own order, without the types that fields cannot have.
DType common(DType a, DType b) { return a < b ? b : a; }

std::string_view spelling(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::Add: return "+";
    case BinaryOperator::Sub: return "-";
    case BinaryOperator::Mult: return "*";
    case BinaryOperator::MatMult: return "@";
    case BinaryOperator::Div: return "/";
    case BinaryOperator::Mod: return "%";
    case BinaryOperator::Pow: return "**";
    case BinaryOperator::LShift: return "<<";
    case BinaryOperator::RShift: return ">>";
    case BinaryOperator::BitOr: return "|";
    case BinaryOperator::BitXor: return "^";
    case BinaryOperator::BitAnd: return "&";
    case BinaryOperator::FloorDiv: return "//";
  }
  return "";
}

}  // namespace

DType Translator::literal_type(bool real) const {
  const auto at = options_.dtypes.find(real ? "float" : "int");
  if (at != options_.dtypes.end()) return at->second;
  if (real) return options_.float_bits == 32 ? DType::F32 : DType::F64;
  return options_.int_bits == 32 ? DType::I32 : DType::I64;
}

Value Translator::constant(const Node& e) const {
  return evaluate(e, [&](std::string_view name) -> const Value* {
    if (const Variable* v = find(name))
      return v->kind == Variable::Kind::Constant ? &v->value : nullptr;
    if (const Value* v = scope().find(name); v && !v->is(Kind::Unknown)) return v;
    const Value* given = external(name);
    return given ? given : scope().find(name);
  });
}

std::int64_t Translator::integer_constant(const Node& e, std::string_view what) {
  const Value v = constant(e);
  if (v.is(Kind::Int)) return checked_distance(v.integer, what, e.span);
  fail(e.span,
       std::string(what) + " is " +
           (v.is(Kind::Unknown) ? "not known when the stencil is compiled" : describe(v)),
       "it must be an int: a literal, a constant of the file or an external");
}

ir::Expr Translator::literal(const Value& v, Span span) {
  ir::Graph& graph = builder_.graph();
  switch (v.kind) {
    case Kind::Bool: return graph.constant(ir::Scalar::of_bool(v.integer != 0));
    case Kind::Int: {
      const DType t = v.dtype.value_or(literal_type(false));
      if (t == DType::I32 && (v.integer > INT32_MAX || v.integer < INT32_MIN))
        fail(span, "the int " + std::to_string(v.integer) + " does not fit 32 bits",
             "use literal_int_precision=64");
      return graph.constant(ir::Scalar::of_int(t, v.integer));
    }
    case Kind::Float:
      return graph.constant(ir::Scalar::of_double(v.dtype.value_or(literal_type(true)), v.real));
    default: break;
  }
  fail(ErrorKind::Value, sources_->text(span), span,
       (v.is(Kind::Unknown) ? "missing or invalid value: " : "not a number: ") + describe(v),
       v.imported ? std::string(kHelpForImports)
                  : "stencils use numbers, bools, fields and functions");
}

// Fields have offsets; they have no attributes but .T, in assignments to whole matrices.
ir::Expr Translator::attribute(const python::Attribute& a) {
  if (const auto* name = a.value->try_as<python::Name>())
    if (const Variable* v = find(name->name); v && v->kind != Variable::Kind::Constant) {
      const bool field = v->kind == Variable::Kind::Field;
      if (a.name == "T" && field && fields_[v->index].dims.size() == 2)
        fail(a.span, quoted(name->name) + ".T stands in assignments to whole vectors and matrices",
             "read one element: " + std::string(name->name) + "[0, 0, 0][i, j]");
      fail(a.span,
           std::string(field ? "fields" : "scalars") + " have no attribute " + quoted(a.name),
           field && a.name == "A"
               ? "tables have it: GlobalTable[(float, (3,))]"
               : "read " + std::string(name->name) + " itself" +
                     (field ? ", or at an offset: " + std::string(name->name) + "[1, 0, 0]" : ""));
    }
  return literal(constant(a), a.span);
}

ir::Expr Translator::op(Op op, std::initializer_list<ir::Expr> args, Span span) {
  if (const ir::Expr e = builder_.build().op(op, args)) return e;
  fail(span, builder_.build().refusal());
}

ir::Expr Translator::name_value(std::string_view name, Span span) {
  if (const Variable* v = find(name)) {
    if (v->kind == Variable::Kind::Constant)
      return v->value.is(Kind::Axes) ? axis_value(v->value, span) : literal(v->value, span);
    ScalarVar& s = scalars_[v->index];  // fields are places
    s.used = true;
    return builder_.graph().param(s.symbol, s.dtype);
  }
  const Value* v = scope().find(name);
  if (!v || v->is(Kind::Unknown))
    if (const Value* given = external(name)) v = given;
  if (!v) fail_unknown(name, span);
  return v->is(Kind::Axes) ? axis_value(*v, span) : literal(*v, span);
}

ir::Expr Translator::axis_value(const Value& axis, Span span) {
  if (axis.text == "K") return cast(literal_type(false), k_.expr());
  fail(span, "parallel axis " + axis.text + " cannot be queried",
       "only K has a value: the level that is being computed");
}

ir::Expr Translator::expr(const Node& e) {
  if (const auto p = place(e)) return read(*p);
  switch (e.kind) {
    case ExprKind::Constant: return literal(constant(e), e.span);
    case ExprKind::Name: return name_value(e.as<python::Name>().name, e.span);
    case ExprKind::Attribute: return attribute(e.as<python::Attribute>());
    case ExprKind::Subscript: return subscripted(e.as<python::Subscript>());
    case ExprKind::UnaryOp: return unary(e.as<python::UnaryOp>());
    case ExprKind::BinOp: return binary(e.as<python::BinOp>());
    case ExprKind::BoolOp: return logical(e.as<python::BoolOp>());
    case ExprKind::Compare: return comparison(e.as<python::Compare>());
    case ExprKind::IfExp: return ternary(e.as<python::IfExp>());
    case ExprKind::Call: return call(e.as<python::Call>());
    case ExprKind::Lambda: fail(e.span, "'lambda' is not part of GTScript", "use a @function");
    case ExprKind::NamedExpr: fail(e.span, "':=' is not part of GTScript", "assign it before");
    default: fail(e.span, "this expression is not part of GTScript");
  }
}

// Of something that is not a field.
ir::Expr Translator::subscripted(const python::Subscript& s) {
  const Value v = constant(s);
  if (v.is_constant()) return literal(v, s.span);
  if (const auto* name = s.value->try_as<python::Name>()) {
    const Variable* known = find(name->name);
    if (known && known->kind == Variable::Kind::Scalar)
      fail(s.span, "scalar " + quoted(name->name) + " is read with an offset",
           "only fields have offsets: write " + std::string(name->name));
    if (known)
      fail(s.span,
           quoted(name->name) + " is " + describe(known->value) + " here, and has no offsets",
           frame_->caller ? "pass a field to " + quoted(frame_->function->name)
                          : "only fields have offsets");
    if (!scope().find(name->name)) fail_unknown(name->name, name->span);
  } else {
    fail(s.span, "an expression is read with an offset",
         "assign it to a temporary first: t = ..., then t[1, 0, 0]");
  }
  return literal(v, s.span);
}

ir::Expr Translator::condition(const Node& e, std::string_view of) {
  const ir::Expr test = expr(e);
  if (!ir::is_bool(test->dtype))
    fail(e.span,
         "the condition of '" + std::string(of) + "' is " + std::string(python_name(test->dtype)) +
             ", not bool",
         "compare it: != 0");
  return test;
}

// --- Operators.

ir::Expr Translator::binary(const python::BinOp& b) {
  if (b.op == BinaryOperator::MatMult) return matrix_product(b);
  const ir::Expr left = expr(*b.left), right = expr(*b.right);
  return binary(b.op, left, right, b.span);
}

ir::Expr Translator::binary(BinaryOperator op, ir::Expr a, ir::Expr b, Span span) {
  const auto refuse = [&](std::string help) {
    fail(span, "'" + std::string(spelling(op)) + "' is not an operation of GTScript",
         std::move(help));
  };
  switch (op) {
    case BinaryOperator::FloorDiv: refuse("use floor(a / b)"); break;
    case BinaryOperator::LShift:
    case BinaryOperator::RShift:
    case BinaryOperator::BitOr:
    case BinaryOperator::BitXor:
    case BinaryOperator::BitAnd: refuse("conditions are joined by 'and' and 'or'"); break;
    case BinaryOperator::MatMult: refuse("it stands in assignments to whole vectors"); break;
    default: break;
  }
  if (ir::is_bool(a->dtype) && ir::is_bool(b->dtype))
    fail(span, "'" + std::string(spelling(op)) + "' of two bools",
         "join conditions by 'and' and 'or', or cast them: float(a)");
  DType t = common(a->dtype, b->dtype);
  if (op == BinaryOperator::Div && !ir::is_float(t)) {
    t = literal_type(true);
    remark_division(a, b, t, span);
  }
  if (op == BinaryOperator::Mod) remark_remainder(a, b, span);
  a = cast(t, a);
  b = cast(t, b);
  switch (op) {
    case BinaryOperator::Add: return this->op(Op::Add, {a, b}, span);
    case BinaryOperator::Sub: return this->op(Op::Sub, {a, b}, span);
    case BinaryOperator::Mult: return this->op(Op::Mul, {a, b}, span);
    case BinaryOperator::Div: return this->op(Op::Div, {a, b}, span);
    case BinaryOperator::Mod: return this->op(Op::Mod, {a, b}, span);
    case BinaryOperator::Pow: return power(a, b, span);
    default: break;
  }
  return nullptr;
}

// As NumPy: squares are products, powers of a half are roots.
ir::Expr Translator::power(ir::Expr a, ir::Expr b, Span span) {
  if (ir::is_const(b) && ir::is_float(a->dtype)) {
    const double exponent = b->scalar().as_double();
    if (exponent == 2) return op(Op::Mul, {a, a}, span);
    if (exponent == 1) return a;
    if (exponent == 0.5) return op(Op::Sqrt, {a}, span);
    if (exponent == -1) return op(Op::Div, {builder_.build().constant(a->dtype, 1), a}, span);
  }
  return op(Op::Pow, {a, b}, span);
}

ir::Expr Translator::unary(const python::UnaryOp& u) {
  // A negative literal, whole: -2147483648 is an int32.
  if (u.op == python::UnaryOperator::USub && u.operand->kind == ExprKind::Constant)
    return literal(constant(u), u.span);
  const ir::Expr x = expr(*u.operand);
  const bool flag = ir::is_bool(x->dtype);
  switch (u.op) {
    case python::UnaryOperator::Not:
      if (!flag)
        fail(u.span, "'not' of " + std::string(python_name(x->dtype)) + ", not of a bool",
             "compare it: == 0");
      return op(Op::Not, {x}, u.span);
    case python::UnaryOperator::Invert:
      fail(u.span, "'~' is not an operation of GTScript", "use 'not'");
    case python::UnaryOperator::UAdd:
    case python::UnaryOperator::USub: break;
  }
  if (flag) fail(u.span, "a sign before a bool", "cast it: float(a)");
  return u.op == python::UnaryOperator::UAdd ? x : op(Op::Neg, {x}, u.span);
}

ir::Expr Translator::comparison(const python::Compare& c) {
  if (c.ops.size() > 1)
    fail(c.span, "a chain of comparisons is not part of GTScript", "write a < b and b < c");
  using C = python::CompareOperator;
  if (c.ops[0] == C::Is || c.ops[0] == C::IsNot || c.ops[0] == C::In || c.ops[0] == C::NotIn)
    fail(c.span, "'is' and 'in' are not part of GTScript",
         "compare with ==; for constants write if __INLINED(X is None):");
  const ir::Expr a = expr(*c.left), b = expr(*c.comparators[0]);
  const DType t = common(a->dtype, b->dtype);
  const ir::Expr x = cast(t, a), y = cast(t, b);
  switch (c.ops[0]) {
    case C::Eq: return op(Op::Eq, {x, y}, c.span);
    case C::NotEq: return op(Op::Ne, {x, y}, c.span);
    case C::Lt: return op(Op::Lt, {x, y}, c.span);
    case C::LtE: return op(Op::Le, {x, y}, c.span);
    case C::Gt: return op(Op::Gt, {x, y}, c.span);
    case C::GtE: return op(Op::Ge, {x, y}, c.span);
    default: return nullptr;
  }
}

ir::Expr Translator::logical(const python::BoolOp& b) {
  ir::Expr all = nullptr;
  const bool outer = lazy_;
  for (const Node* part : b.values) {
    const ir::Expr x = expr(*part);
    lazy_ = true;
    if (!ir::is_bool(x->dtype))
      fail(part->span,
           std::string(b.op == python::BoolOperator::And ? "'and'" : "'or'") + " of " +
               std::string(python_name(x->dtype)) + ", not of a bool",
           "compare it: != 0");
    all = all ? op(b.op == python::BoolOperator::And ? Op::And : Op::Or, {all, x}, b.span) : x;
  }
  lazy_ = outer;
  return all;
}

ir::Expr Translator::ternary(const python::IfExp& i) {
  const ir::Expr test = condition(*i.condition, "if");
  const bool outer = std::exchange(lazy_, true);
  const ir::Expr yes = expr(*i.yes), no = expr(*i.no);
  lazy_ = outer;
  const DType t = common(yes->dtype, no->dtype);
  return op(Op::Select, {test, cast(t, yes), cast(t, no)}, i.span);
}

}  // namespace lathe::stencil
