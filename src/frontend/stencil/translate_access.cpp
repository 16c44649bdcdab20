// SPDX-License-Identifier: Apache-2.0
// Fields at offsets, levels and data indices:
//
//   f    f[1, 0, -1]    f[I+1, K-1]    f[0, 0, n]    f[0, 0, 0][2]    f.A[2]    f.at(K=n, ddim=[2])

#include "base/quoted.h"
#include "frontend/stencil/translator.h"

namespace lathe::stencil {

using python::ExprKind;
using Kind = Value::Kind;

namespace {

std::string axes_text(const bool (&has)[3]) {
  std::string text;
  for (std::size_t a = 0; a < 3; ++a)
    if (has[a]) text += kAxisNames[a];
  return text;
}

std::vector<const python::Expr*> parts(const python::Expr& index) {
  if (const auto* t = index.try_as<python::Tuple>())
    return {t->elements.begin(), t->elements.end()};
  return {&index};
}

}  // namespace

std::optional<Translator::Place> Translator::place(const Node& e) {
  if (const auto* name = e.try_as<python::Name>()) {
    const Variable* v = find(name->name);
    if (!v || v->kind != Variable::Kind::Field) return std::nullopt;
    Place p;
    p.field = v->index;
    p.span = e.span;
    if (fields_[v->index].table)
      fail(e.span, "table " + quoted(name->name) + " is read without an index",
           "write " + std::string(name->name) + ".A[i]");
    return p;
  }
  if (const auto* s = e.try_as<python::Subscript>()) {
    if (const auto* a = s->value->try_as<python::Attribute>(); a && a->name == "A") {
      const auto* name = a->value->try_as<python::Name>();
      const Variable* v = name ? find(name->name) : nullptr;
      if (!v || v->kind != Variable::Kind::Field) return std::nullopt;
      Place p;
      p.field = v->index;
      p.span = e.span;
      data_indices(*s->index, p);
      return p;
    }
    if (const auto* name = s->value->try_as<python::Name>()) {
      const Variable* v = find(name->name);
      if (!v || v->kind != Variable::Kind::Field) return std::nullopt;
      Place p;
      p.field = v->index;
      p.span = e.span;
      if (fields_[v->index].table)
        fail(e.span, "table " + quoted(name->name) + " has no offsets",
             "did you mean absolute indexing via .A: " + std::string(name->name) + ".A[i]?");
      offsets(*s->index, p);
      return p;
    }
    auto p = place(*s->value);
    if (!p) return std::nullopt;
    p->span = e.span;
    data_indices(*s->index, *p);
    return p;
  }
  if (const auto* c = e.try_as<python::Call>()) {
    const auto* a = c->function->try_as<python::Attribute>();
    const auto* name = a && a->name == "at" ? a->value->try_as<python::Name>() : nullptr;
    const Variable* v = name ? find(name->name) : nullptr;
    if (v && v->kind == Variable::Kind::Field) return absolute(*c, *a);
  }
  return std::nullopt;
}

// I, I+1, K-n: an axis, and perhaps something added to it.
bool Translator::axis_form(const Node& e, char& axis, const Node*& rest, bool& minus) const {
  const Node* name = &e;
  rest = nullptr;
  minus = false;
  if (const auto* b = e.try_as<python::BinOp>();
      b && (b->op == python::BinaryOperator::Add || b->op == python::BinaryOperator::Sub)) {
    name = b->left;
    rest = b->right;
    minus = b->op == python::BinaryOperator::Sub;
  }
  const auto* n = name->try_as<python::Name>();
  if (!n || find(n->name)) return false;
  const Value v = constant(*name);
  if (!v.is(Kind::Axes) || v.text.size() != 1) return false;
  axis = v.text[0];
  return true;
}

void Translator::offsets(const Node& index, Place& p) {
  const FieldVar& f = fields_[p.field];
  const std::string axes = axes_text(f.has_axis);
  if (const auto* c = index.try_as<python::Constant>();
      c && c->what == python::ConstantKind::Ellipsis)
    return;
  const std::vector<const Node*> given = parts(index);
  const auto set = [&](char axis, const Node& e, bool minus) {
    const std::size_t a = static_cast<std::size_t>(axis - 'I');
    const std::int64_t sign = minus ? -1 : 1;
    if (a < 2) {
      p.offset[a] = sign * integer_constant(e, std::string("the offset in ") + axis);
      return;
    }
    const Value v = constant(e);
    if (v.is(Kind::Int)) {
      p.level = sign * checked_distance(v.integer, "the offset in K", e.span);
      return;
    }
    ir::Expr by = expr(e);
    if (!ir::is_int(by->dtype))
      fail(e.span, "the offset in K is " + std::string(python_name(by->dtype)) + ", not an integer",
           "cast it: int(x)");
    by = cast(ir::DType::I64, by);
    const ir::Build& build = builder_.build();
    p.level.reset();
    p.level_expr = minus ? build.sub(k_.expr(), by) : build.add(k_.expr(), by);
  };
  char axis = 0;
  const Node* rest = nullptr;
  bool minus = false;
  if (!given.empty() && axis_form(*given[0], axis, rest, minus)) {
    int last = -1;
    for (const Node* e : given) {
      if (!axis_form(*e, axis, rest, minus))
        fail(e->span, "offsets are written all with axes, or all without",
             "write " + f.name + "[I+1], or " + f.name + "[1, 0, 0]");
      if (axes.find(axis) == std::string::npos)
        fail(e->span, quoted(f.name) + " lies over " + axes + ", and has no axis " + axis,
             "leave that axis out");
      if (axis - 'I' <= last)
        fail(e->span, std::string("axis ") + axis + " is out of order, or given twice",
             "write I, J and K in this order");
      last = axis - 'I';
      if (rest) set(axis, *rest, minus);
    }
    return;
  }
  if (given.size() != axes.size())
    fail(index.span,
         "incorrect offset specification: " + quoted(f.name) + " lies over " + axes + ", and " +
             std::to_string(given.size()) + (given.size() == 1 ? " offset is" : " offsets are") +
             " given",
         "write " + f.name + "[" +
             (axes.size() == 3   ? "0, 0, 0"
              : axes.size() == 2 ? "0, 0"
                                 : "0") +
             "], or name the axis: " + f.name + "[" + axes.substr(0, 1) + "+1]");
  for (std::size_t i = 0; i < given.size(); ++i) set(axes[i], *given[i], false);
}

void Translator::data_indices(const Node& index, Place& p) {
  const FieldVar& f = fields_[p.field];
  if (!p.data.empty()) fail(index.span, quoted(f.name) + " has a data index already");
  const auto given = parts(index);
  if (given.size() != f.dims.size())
    fail(index.span,
         "incorrect data index length: " + quoted(f.name) + " has " +
             std::to_string(f.dims.size()) +
             (f.dims.size() == 1 ? " data dimension, and " : " data dimensions, and ") +
             std::to_string(given.size()) + (given.size() == 1 ? " index is" : " indices are") +
             " given",
         f.dims.empty() ? "leave out [" + std::string(given.size() == 1 ? "i" : "i, j") + "]" : "");
  for (std::size_t d = 0; d < given.size(); ++d) {
    const Value v = constant(*given[d]);
    if (v.is(Kind::Int) && (v.integer < 0 || v.integer >= f.dims[d]))
      fail(given[d]->span,
           "data index out of bounds: " + std::to_string(v.integer) + " of " +
               std::to_string(f.dims[d]),
           "indices run from 0 to " + std::to_string(f.dims[d] - 1));
    const ir::Expr e = expr(*given[d]);
    if (!ir::is_int(e->dtype))
      fail(given[d]->span,
           "a data index is " + std::string(python_name(e->dtype)) + ", not an integer",
           "cast it: int(x)");
    p.data.push_back(cast(ir::DType::I64, e));
  }
}

// f.at(K=e, ddim=[...])
Translator::Place Translator::absolute(const python::Call& c, const python::Attribute& at) {
  Place p = *place(*at.value);
  p.span = c.span;
  const Node* level = nullptr;
  const Node* data = nullptr;
  for (const python::Keyword& k : c.keywords) {
    if (k.name == "K" && !level && !data)
      level = k.value;
    else if (k.name == "ddim" && level && !data)
      data = k.value;
    else
      fail(k.span, "at() takes K=..., and ddim=[...] after it",
           "in I and J it reads at the point itself: write .at(K=0)");
  }
  if (!level || !c.arguments.empty())
    fail(c.span, "at() takes the level by name", "write .at(K=0)");
  if (!fields_[p.field].has_axis[2])
    fail(c.span, quoted(fields_[p.field].name) + " has no axis K",
         "leave out .at(...): it is the same on every level");
  if (const auto* name = level->try_as<python::Name>(); name && name->name == "K")
    fail(level->span, "at(K=K) is the field itself", "leave out .at(...)");
  const ir::Expr e = expr(*level);
  if (!ir::is_int(e->dtype))
    fail(level->span, "the level is " + std::string(python_name(e->dtype)) + ", not an integer",
         "cast it: int(x)");
  p.level.reset();
  p.level_expr = cast(ir::DType::I64, e);
  if (const Value v = constant(*level); v.is(Kind::Int))
    p.at = checked_distance(v.integer, "the level", level->span);
  if (data) {
    const auto* list = data->try_as<python::List>();
    if (!list) fail(data->span, "ddim is a list of indices");
    python::Tuple tuple{};
    tuple.kind = ExprKind::Tuple;
    tuple.span = data->span;
    tuple.elements = list->elements;
    data_indices(tuple, p);
  }
  return p;
}

// The array element; components of the vector that is being assigned fill in data indices.
ir::Expr Translator::array_element(const Place& p) const {
  const FieldVar& f = fields_[p.field];
  const ir::Build& build = builder_.build();
  const auto shifted = [&](ir::Expr index, std::int64_t by) {
    if (by == 0) return index;
    return by > 0 ? build.add(index, build.integer(by)) : build.sub(index, build.integer(-by));
  };
  std::vector<ir::Expr> indices = p.data;
  for (char c : options_.layout) {
    const std::size_t a = static_cast<std::size_t>(c - 'I');
    if (!f.has_axis[a]) continue;
    if (a == 0) indices.push_back(shifted(i_.expr(), p.offset[0]));
    if (a == 1) indices.push_back(shifted(j_.expr(), p.offset[1]));
    if (a == 2) indices.push_back(p.level ? shifted(k_.expr(), *p.level) : p.level_expr);
  }
  return builder_.graph().read(f.symbol, f.dtype, indices);
}

ir::Expr Translator::read(const Place& from) {
  Place p = from;
  FieldVar& f = fields_[p.field];
  if (p.data.size() != f.dims.size()) {
    if (!component_ || component_->size() != f.dims.size())
      fail(p.span,
           quoted(f.name) + " has data dimensions, but no data dimensions index is specified",
           "write " + f.name + "[0, 0, 0][i], or assign whole vectors at the top of an interval");
    for (std::int64_t d : *component_) p.data.push_back(builder_.build().integer(d));
  }
  f.read = true;
  if (reads_) reads_->push_back({p.field, p.offset, p.level, p.at, p.span, lazy_});
  return array_element(p);
}

}  // namespace lathe::stencil
