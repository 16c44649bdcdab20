// SPDX-License-Identifier: Apache-2.0
// Expressions as ast.dump prints them.

#include <vector>

#include "frontend/python/dump_writer.h"

namespace lathe::python {
namespace {

std::string_view class_name(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::Add: return "Add";
    case BinaryOperator::Sub: return "Sub";
    case BinaryOperator::Mult: return "Mult";
    case BinaryOperator::MatMult: return "MatMult";
    case BinaryOperator::Div: return "Div";
    case BinaryOperator::Mod: return "Mod";
    case BinaryOperator::Pow: return "Pow";
    case BinaryOperator::LShift: return "LShift";
    case BinaryOperator::RShift: return "RShift";
    case BinaryOperator::BitOr: return "BitOr";
    case BinaryOperator::BitXor: return "BitXor";
    case BinaryOperator::BitAnd: return "BitAnd";
    case BinaryOperator::FloorDiv: return "FloorDiv";
  }
  internal_error("an unknown operator");
}

std::string_view class_name(CompareOperator op) {
  switch (op) {
    case CompareOperator::Eq: return "Eq";
    case CompareOperator::NotEq: return "NotEq";
    case CompareOperator::Lt: return "Lt";
    case CompareOperator::LtE: return "LtE";
    case CompareOperator::Gt: return "Gt";
    case CompareOperator::GtE: return "GtE";
    case CompareOperator::Is: return "Is";
    case CompareOperator::IsNot: return "IsNot";
    case CompareOperator::In: return "In";
    case CompareOperator::NotIn: return "NotIn";
  }
  internal_error("an unknown comparison");
}

std::string_view class_name(UnaryOperator op) {
  switch (op) {
    case UnaryOperator::Invert: return "Invert";
    case UnaryOperator::Not: return "Not";
    case UnaryOperator::UAdd: return "UAdd";
    case UnaryOperator::USub: return "USub";
  }
  internal_error("an unknown operator");
}

}  // namespace

void DumpWriter::write(BinaryOperator op) { Node(*this, class_name(op)); }
void DumpWriter::write(CompareOperator op) { Node(*this, class_name(op)); }

void DumpWriter::write(Context context) {
  Node(*this, context == Context::Load ? "Load" : context == Context::Store ? "Store" : "Del");
}

void DumpWriter::write(ConstantKind singleton) {
  switch (singleton) {
    case ConstantKind::None: out_ += "None"; return;
    case ConstantKind::True: out_ += "True"; return;
    case ConstantKind::False: out_ += "False"; return;
    default: out_ += "Ellipsis"; return;
  }
}

void DumpWriter::constant(const Constant& c) {
  Node node(*this, "Constant", c.span);
  node.begin("value");
  switch (c.what) {
    case ConstantKind::Int:
    case ConstantKind::Float:
    case ConstantKind::Imaginary: append_number(out_, c); break;
    case ConstantKind::Str: append_repr(out_, c.text, false); break;
    case ConstantKind::Bytes: append_repr(out_, c.text, true); break;
    default: write(c.what); break;
  }
  if (c.u_prefix) node.field("kind", std::string_view("u"));
}

void DumpWriter::comprehension(const Comprehension& c) {
  constexpr std::string_view kNames[] = {"ListComp", "SetComp", "DictComp", "GeneratorExp"};
  Node node(*this, kNames[static_cast<std::size_t>(c.makes)], c.span);
  if (c.value) {
    node.field("key", c.element).field("value", c.value);
  } else {
    node.field("elt", c.element);
  }
  node.field("generators", c.clauses);
}

void DumpWriter::operators(const Expr* e) {
  if (const auto* b = e->try_as<BoolOp>()) {
    Node node(*this, "BoolOp", e->span);
    node.begin("op");
    out_ += b->op == BoolOperator::And ? "And()" : "Or()";
    node.field("values", b->values);
  } else if (const auto* u = e->try_as<UnaryOp>()) {
    Node node(*this, "UnaryOp", e->span);
    node.begin("op");
    Node(*this, class_name(u->op));
    node.field("operand", u->operand);
  } else {
    const auto& c = e->as<Compare>();
    Node(*this, "Compare", e->span)
        .field("left", c.left)
        .field("ops", c.ops)
        .field("comparators", c.comparators);
  }
}

void DumpWriter::write(const Expr* e) {
  if (!e) {
    out_ += "None";
    return;
  }
  const Span span = e->span;
  switch (e->kind) {
    case ExprKind::BoolOp:
    case ExprKind::UnaryOp:
    case ExprKind::Compare: operators(e); return;
    case ExprKind::Constant: constant(e->as<Constant>()); return;
    case ExprKind::Comprehension: comprehension(e->as<Comprehension>()); return;
    case ExprKind::NamedExpr: {
      const auto& n = e->as<NamedExpr>();
      Node(*this, "NamedExpr", span).field("target", n.target).field("value", n.value);
      return;
    }
    case ExprKind::BinOp: {
      const auto& b = e->as<BinOp>();
      Node(*this, "BinOp", span).field("left", b.left).field("op", b.op).field("right", b.right);
      return;
    }
    case ExprKind::Lambda: {
      const auto& l = e->as<Lambda>();
      Node(*this, "Lambda", span).field("args", l.parameters).field("body", l.body);
      return;
    }
    case ExprKind::IfExp: {
      const auto& i = e->as<IfExp>();
      Node(*this, "IfExp", span)
          .field("test", i.condition)
          .field("body", i.yes)
          .field("orelse", i.no);
      return;
    }
    case ExprKind::Dict: {
      const auto& d = e->as<Dict>();
      Node(*this, "Dict", span).field("keys", d.keys).field("values", d.values);
      return;
    }
    case ExprKind::Set: Node(*this, "Set", span).field("elts", e->as<Set>().elements); return;
    case ExprKind::Await: Node(*this, "Await", span).field("value", e->as<Await>().value); return;
    case ExprKind::Yield:
      Node(*this, "Yield", span).optional("value", e->as<Yield>().value);
      return;
    case ExprKind::YieldFrom:
      Node(*this, "YieldFrom", span).field("value", e->as<YieldFrom>().value);
      return;
    case ExprKind::Call: {
      const auto& c = e->as<Call>();
      Node(*this, "Call", span)
          .field("func", c.function)
          .field("args", c.arguments)
          .field("keywords", c.keywords);
      return;
    }
    case ExprKind::FormattedValue: {
      const auto& f = e->as<FormattedValue>();
      Node(*this, "FormattedValue", span)
          .field("value", f.value)
          .field("conversion", f.conversion == 0 ? -1 : int{f.conversion})
          .optional("format_spec", f.format);
      return;
    }
    case ExprKind::JoinedStr:
      Node(*this, "JoinedStr", span).field("values", e->as<JoinedStr>().values);
      return;
    case ExprKind::Attribute: {
      const auto& a = e->as<Attribute>();
      Node(*this, "Attribute", span)
          .field("value", a.value)
          .field("attr", a.name)
          .field("ctx", a.context);
      return;
    }
    case ExprKind::Subscript: {
      const auto& s = e->as<Subscript>();
      Node(*this, "Subscript", span)
          .field("value", s.value)
          .field("slice", s.index)
          .field("ctx", s.context);
      return;
    }
    case ExprKind::Starred: {
      const auto& s = e->as<Starred>();
      Node(*this, "Starred", span).field("value", s.value).field("ctx", s.context);
      return;
    }
    case ExprKind::Name: {
      const auto& n = e->as<Name>();
      Node(*this, "Name", span).field("id", n.name).field("ctx", n.context);
      return;
    }
    case ExprKind::List: {
      const auto& l = e->as<List>();
      Node(*this, "List", span).field("elts", l.elements).field("ctx", l.context);
      return;
    }
    case ExprKind::Tuple: {
      const auto& t = e->as<Tuple>();
      Node(*this, "Tuple", span).field("elts", t.elements).field("ctx", t.context);
      return;
    }
    case ExprKind::Slice: {
      const auto& s = e->as<Slice>();
      Node(*this, "Slice", span)
          .optional("lower", s.lower)
          .optional("upper", s.upper)
          .optional("step", s.step);
      return;
    }
  }
}

void DumpWriter::write(const Parameter& p) {
  Node(*this, "arg", p.span).field("arg", p.name).optional("annotation", p.annotation);
}

// Python keeps the defaults apart from the parameters: those by position without gaps, those by
// name with None where there is none.
void DumpWriter::write(const Parameters* parameters) {
  std::vector<Expr*> defaults, keyword_defaults;
  for (const auto& list : {parameters->positional_only, parameters->positional})
    for (const Parameter& p : list)
      if (p.default_value) defaults.push_back(p.default_value);
  for (const Parameter& p : parameters->keyword_only) keyword_defaults.push_back(p.default_value);
  Node node(*this, "arguments");
  node.field("posonlyargs", parameters->positional_only).field("args", parameters->positional);
  if (parameters->rest) node.field("vararg", *parameters->rest);
  node.field("kwonlyargs", parameters->keyword_only);
  node.field("kw_defaults", ExprList(keyword_defaults));
  if (parameters->keywords) node.field("kwarg", *parameters->keywords);
  node.field("defaults", ExprList(defaults));
}

void DumpWriter::write(const Keyword& k) {
  Node(*this, "keyword", k.span).optional("arg", k.name).field("value", k.value);
}

void DumpWriter::write(const ForClause& clause) {
  Node(*this, "comprehension")
      .field("target", clause.target)
      .field("iter", clause.iterable)
      .field("ifs", clause.conditions)
      .field("is_async", clause.is_async ? 1 : 0);
}

}  // namespace lathe::python
