// SPDX-License-Identifier: Apache-2.0
// Where GT4Py's result differs from the meaning here: notes, for `lathe check`.

#include <cmath>

#include "base/quoted.h"
#include "frontend/stencil/translator.h"
#include "ir/traverse.h"

namespace lathe::stencil {

using python::ExprKind;
using Kind = Value::Kind;

// Once for a place, however often its statement is made.
void Translator::remark(Span span, std::string message) {
  if (!options_.remarks || !remarked_.insert(std::to_string(span.begin) + message).second) return;
  Diagnostic d;
  d.severity = Severity::Note;
  d.message = std::move(message);
  d.span = span;
  diagnostics_.add(std::move(d));
}

// a, b = b, a
void Translator::remark_order(python::ExprList targets, const std::vector<ir::Expr>& values,
                              Span span) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const auto* name = targets[i]->try_as<python::Name>();
    const Variable* v = name ? find(name->name) : nullptr;
    if (!v || v->kind != Variable::Kind::Field) continue;
    for (std::size_t later = i + 1; later < values.size(); ++later)
      for (const ir::Expr read : ir::reads(values[later]))
        if (read->name == fields_[v->index].symbol)
          return remark(span,
                        "all values are computed before any is assigned, as in Python; "
                        "GT4Py assigns one after the other, and the values after " +
                            quoted(name->name) + " would see the new one");
  }
}

void Translator::remark_division(ir::Expr a, ir::Expr b, ir::DType t, Span span) {
  if (ir::is_const(a) && ir::is_const(b)) {
    const double q = a->scalar().as_double() / b->scalar().as_double();
    if (q == static_cast<double>(static_cast<float>(q))) return;
  }
  if (t != ir::DType::F32)
    remark(span, "'/' of two integers is computed in " + std::string(python_name(t)) +
                     "; GT4Py computes it in float32");
}

void Translator::remark_remainder(ir::Expr a, ir::Expr b, Span span) {
  const auto negative = [&](ir::Expr e) {
    while (e->op == ir::Op::Cast) e = e->arg(0);
    if (ir::is_const(e)) return std::signbit(e->scalar().as_double());
    return e->op != ir::Op::Abs && e != k_.expr();
  };
  if (negative(a) || negative(b))
    remark(span,
           "the remainder has the sign of the divisor, as in Python; with GT4Py's compiled "
           "backends it has that of the dividend");
}

// The dtype that GT4Py finds before it inserts casts; nothing where this does not follow it.
std::optional<ir::DType> Translator::type_before_casts(const Node& e) const {
  const auto larger = [&](const Node& x, const Node& y) -> std::optional<ir::DType> {
    const auto a = type_before_casts(x), b = type_before_casts(y);
    if (!a || !b) return std::nullopt;
    return std::max(*a, *b);
  };
  switch (e.kind) {
    case ExprKind::BinOp: return larger(*e.as<python::BinOp>().left, *e.as<python::BinOp>().right);
    case ExprKind::UnaryOp: return type_before_casts(*e.as<python::UnaryOp>().operand);
    case ExprKind::IfExp: return larger(*e.as<python::IfExp>().yes, *e.as<python::IfExp>().no);
    case ExprKind::Call: {
      const auto& c = e.as<python::Call>();
      if (!constant(*c.function).is(Kind::Builtin) || c.arguments.empty()) return std::nullopt;
      return c.arguments.size() == 1 ? type_before_casts(*c.arguments[0])
                                     : larger(*c.arguments[0], *c.arguments[1]);
    }
    case ExprKind::Constant:
    case ExprKind::Name:
    case ExprKind::Attribute: break;
    default: return std::nullopt;
  }
  if (const auto* name = e.try_as<python::Name>())
    if (const Variable* v = find(name->name)) {
      if (v->kind == Variable::Kind::Field) return fields_[v->index].dtype;
      if (v->kind == Variable::Kind::Scalar) return scalars_[v->index].dtype;
    }
  const Value v = constant(e);
  if (v.is(Kind::Axes)) return literal_type(false);
  if (!v.is_number()) return std::nullopt;
  return v.dtype.value_or(literal_type(v.is(Kind::Float)));
}

// t = 1 / 2, t = sqrt(2)
void Translator::remark_type(std::string_view name, const Node& value, ir::DType type, Span span) {
  if (!options_.remarks || !ir::is_float(type)) return;
  const auto theirs = type_before_casts(value);
  if (theirs && ir::is_int(*theirs))
    remark(span, "temporary " + quoted(name) + " is " + std::string(python_name(type)) +
                     ", as its value is; in GT4Py it is " + std::string(python_name(*theirs)) +
                     ", the type of what the value is made of");
}

}  // namespace lathe::stencil
