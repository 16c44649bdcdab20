// SPDX-License-Identifier: Apache-2.0
#include "passes/rebuild.h"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "ir/group_rule.h"
#include "rewrite/rules.h"

namespace lathe::passes {
namespace {

// f(label, e) for every expression, in the order of map_own_expressions(). What is constant gives
// constant expressions: looking at them copies nothing.
template <class Range, class F>
void visit_range(Range& r, Symbol label, F&& f) {
  f(label, r.lo);
  f(label, r.hi);
}

template <class Domain, class F>
void visit_domain(Domain& d, Symbol label, F&& f) {
  for (auto& r : d.ranges) visit_range(r, label, f);
  if (d.guard) f(label, d.guard);
}

template <class Statement, class F>
void visit_statement(Statement& s, F&& f) {
  visit_domain(s.domain, s.label, f);
  for (auto& t : s.targets)
    for (auto& e : t.indices) f(s.label, e);
  for (auto& e : s.values) f(s.label, e);
}

template <class AnyItem, class F>
void visit_own(AnyItem& item, F&& f) {
  std::visit(
      [&](auto& n) {
        using T = std::decay_t<decltype(n)>;
        if constexpr (std::is_same_v<T, ir::Statement>) {
          visit_statement(n, f);
        } else if constexpr (std::is_same_v<T, ir::Group>) {
          visit_domain(n.domain, n.label, f);
          for (auto& s : n.statements) visit_statement(s, f);
        } else if constexpr (std::is_same_v<T, ir::Branch> || std::is_same_v<T, ir::While>) {
          visit_domain(n.domain, n.label, f);
          f(n.label, n.condition);
        } else if constexpr (std::is_same_v<T, ir::Sweep>) {
          visit_range(n.range, n.label, f);
        } else if constexpr (std::is_same_v<T, ir::Scan>) {
          visit_range(n.range, n.statement.label, f);
          visit_statement(n.statement, f);
        } else if constexpr (std::is_same_v<T, ir::When>) {
          f(n.label, n.condition);
        } else if constexpr (std::is_same_v<T, ir::Repeat>) {
          visit_range(n.range, n.label, f);
          if (n.until) f(n.label, n.until);
        } else {
          static_assert(std::is_same_v<T, ir::Call>);
        }
      },
      item.node);
}

void note_expression(Expr e, Touched& t) {
  for (Expr r : ir::reads(e)) t.reads.insert(r->name);
}

void note_statement(const ir::Statement& s, Touched& t) {
  for (Expr e : expressions(s)) note_expression(e, t);
  for (const ir::Target& target : s.targets) {
    t.writes.insert(target.array);
    if (s.accumulate && !s.accumulate->fresh) t.reads.insert(target.array);
  }
}

}  // namespace

void map_bodies(Item& item, FunctionRef<Body(Body)> f) {
  std::visit(
      [&](auto& n) {
        using T = std::decay_t<decltype(n)>;
        if constexpr (std::is_same_v<T, ir::Branch> || std::is_same_v<T, ir::When>) {
          n.then_body = f(std::move(n.then_body));
          n.else_body = f(std::move(n.else_body));
        } else if constexpr (std::is_same_v<T, ir::While> || std::is_same_v<T, ir::Sweep> ||
                             std::is_same_v<T, ir::Repeat>) {
          n.body = f(std::move(n.body));
        }
      },
      item.node);
}

Body map_all_bodies(Body body, FunctionRef<Body(Body)> f) {
  for (Item& item : body)
    map_bodies(item, [&](Body inner) { return map_all_bodies(std::move(inner), f); });
  return f(std::move(body));
}

Body map_items(const Body& body, FunctionRef<void(Item, Body&)> f) {
  Body out;
  for (Item item : body) {
    map_bodies(item, [&](Body inner) { return map_items(inner, f); });
    f(std::move(item), out);
  }
  return out;
}

namespace {

// False when both sides are empty.
template <class TwoSided>
bool turn_sides(ir::Maker& maker, TwoSided& n) {
  if (n.then_body.empty() && !n.else_body.empty()) {
    n.condition = ir::Build(maker).logical_not(n.condition);
    std::swap(n.then_body, n.else_body);
  }
  return !n.then_body.empty();
}

}  // namespace

void append_tidy(ir::Maker& maker, Item item, Body& out) {
  bool keep = true;
  if (auto* g = std::get_if<ir::Group>(&item.node)) {
    keep = !g->statements.empty();
    if (g->statements.size() == 1 && g->locals.empty()) {
      ir::Statement s = std::move(g->statements[0]);
      s.domain.guard = both(maker, g->domain.guard, s.domain.guard);
      s.domain.ranges = std::move(g->domain.ranges);
      item.node = std::move(s);
    }
  } else if (auto* b = std::get_if<ir::Branch>(&item.node)) {
    keep = turn_sides(maker, *b);
  } else if (auto* w = std::get_if<ir::When>(&item.node)) {
    keep = turn_sides(maker, *w);
  } else if (auto* sweep = std::get_if<ir::Sweep>(&item.node)) {
    keep = !sweep->body.empty();
  } else if (auto* r = std::get_if<ir::Repeat>(&item.node)) {
    keep = !r->body.empty() || !r->rotate.empty();
  }
  if (keep) out.push_back(std::move(item));
}

bool rotates_nothing(const Body& body) {
  bool found = false;
  for (const Item& item : body) {
    if (auto* r = std::get_if<ir::Repeat>(&item.node)) found = found || r->body.empty();
    ir::for_each_body(item, [&](const Body& inner) { found = found || rotates_nothing(inner); });
  }
  return found;
}

void map_statement_expressions(ir::Statement& s, MapExpr f) {
  visit_statement(s, [&](Symbol label, Expr& e) { e = f(label, e); });
}

void map_own_expressions(Item& item, MapExpr f) {
  visit_own(item, [&](Symbol label, Expr& e) { e = f(label, e); });
}

ir::Program map_expressions(const ir::Program& program, MapExpr f) {
  ir::Program out = program;
  out.body = map_items(program.body, [&](Item item, Body& to) {
    map_own_expressions(item, f);
    to.push_back(std::move(item));
  });
  return out;
}

std::vector<Expr> own_expressions(const Item& item) {
  std::vector<Expr> found;
  visit_own(item, [&](Symbol, Expr e) { found.push_back(e); });
  return found;
}

std::vector<Expr> expressions(const ir::Statement& s) {
  std::vector<Expr> found;
  visit_statement(s, [&](Symbol, Expr e) { found.push_back(e); });
  return found;
}

Symbol label_of(const Item& item) {
  return std::visit(
      [](const auto& n) {
        if constexpr (std::is_same_v<std::decay_t<decltype(n)>, ir::Scan>)
          return n.statement.label;
        else
          return n.label;
      },
      item.node);
}

Span span_of(const Item& item) {
  return std::visit(
      [](const auto& n) {
        if constexpr (std::is_same_v<std::decay_t<decltype(n)>, ir::Scan>)
          return n.statement.span;
        else
          return n.span;
      },
      item.node);
}

Touched touched(const ir::Statement& s) {
  Touched t;
  note_statement(s, t);
  return t;
}

Touched touched(const Item& item) {
  Touched t;
  for (Expr e : own_expressions(item)) note_expression(e, t);
  if (auto* s = std::get_if<ir::Statement>(&item.node)) note_statement(*s, t);
  // A scan starts from the neutral element: it does not read its target.
  if (auto* s = std::get_if<ir::Scan>(&item.node))
    for (const ir::Target& target : s->statement.targets) t.writes.insert(target.array);
  if (auto* g = std::get_if<ir::Group>(&item.node))
    for (const ir::Statement& s : g->statements) note_statement(s, t);
  if (auto* c = std::get_if<ir::Call>(&item.node)) {
    t.reads.insert(c->inputs.begin(), c->inputs.end());
    t.writes.insert(c->outputs.begin(), c->outputs.end());
  }
  if (auto* r = std::get_if<ir::Repeat>(&item.node)) {
    t.reads.insert(r->rotate.begin(), r->rotate.end());
    t.writes.insert(r->rotate.begin(), r->rotate.end());
    if (r->capped) t.reads.insert(r->capped);
  }
  ir::for_each_body(item, [&](const Body& body) {
    const Touched inner = touched(body);
    t.reads.insert(inner.reads.begin(), inner.reads.end());
    t.writes.insert(inner.writes.begin(), inner.writes.end());
  });
  return t;
}

Touched touched(const Body& body) {
  Touched t;
  for (const Item& item : body) {
    const Touched one = touched(item);
    t.reads.insert(one.reads.begin(), one.reads.end());
    t.writes.insert(one.writes.begin(), one.writes.end());
  }
  return t;
}

bool is_size_formula(Expr e) {
  const std::vector<Expr> nodes = ir::post_order(e);
  return std::none_of(nodes.begin(), nodes.end(), [](Expr n) {
    return n->op == ir::Op::Index || n->op == ir::Op::Read || n->op == ir::Op::Inside ||
           n->op == ir::Op::Reduce;
  });
}

bool declarable(const ir::Range& range) {
  return is_size_formula(range.lo) && is_size_formula(range.hi);
}

bool declarable(const std::vector<ir::Range>& ranges) {
  return std::all_of(ranges.begin(), ranges.end(),
                     [](const ir::Range& r) { return declarable(r); });
}

bool reads_array(Expr e, Symbol array) {
  if (!ir::may_name(e, array)) return false;
  const std::vector<Expr> reads = ir::reads(e);
  return std::any_of(reads.begin(), reads.end(), [&](Expr r) { return r->name == array; });
}

bool reads_elsewhere(Expr e, const ir::Target& target) {
  for (Expr r : ir::reads(e)) {
    const ir::view::Read v(r);
    if (v.array == target.array && !std::equal(v.indices.begin(), v.indices.end(),
                                               target.indices.begin(), target.indices.end()))
      return true;
  }
  return false;
}

std::vector<Expr> conjuncts(Expr guard) {
  std::vector<Expr> found;
  std::vector<Expr> stack;
  if (guard) stack.push_back(guard);
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    if (e->op == ir::Op::And) {
      const ir::view::Binary v(e);
      stack.push_back(v.right);
      stack.push_back(v.left);
    } else if (!(ir::is_const(e) && e->scalar().as_bool())) {
      found.push_back(e);
    }
  }
  return found;
}

Expr conjunction(ir::Maker& maker, const std::vector<Expr>& parts) {
  Expr all = nullptr;
  for (Expr e : parts) all = all ? ir::Build(maker).logical_and(all, e) : e;
  return all;
}

Expr both(ir::Maker& maker, Expr guard, Expr more) {
  if (!guard || !more) return guard ? guard : more;
  return ir::Build(maker).logical_and(guard, more);
}

bool complementary(ir::Graph& graph, Expr a, Expr b) {
  rewrite::Simplifier simplifier(graph);
  const ir::Build build(simplifier);
  return simplifier.simplify(build.logical_not(a)) == simplifier.simplify(b);
}

void push_guard_down(ir::Graph& graph, ir::Group& g) {
  ir::RawMaker maker(graph);
  Expr guard = g.domain.guard;
  std::optional<ir::Statement> asking;
  if (ir::changes_own_guard(g)) {
    const Symbol asked = graph.fresh_symbol(std::string(g.label.text()) + ".asked");
    g.locals.push_back({asked, ir::DType::Bool});
    asking.emplace();
    asking->label = asked;
    asking->span = g.span;
    asking->targets = {{asked, {}}};
    asking->values = {guard};
    guard = graph.read(asked, ir::DType::Bool, {});
  }
  g.domain.guard = nullptr;
  for (ir::Statement& s : g.statements) s.domain.guard = both(maker, guard, s.domain.guard);
  if (asking) g.statements.insert(g.statements.begin(), std::move(*asking));
}

bool same_ranges(const std::vector<ir::Range>& a, const std::vector<ir::Range>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ir::Range& x, const ir::Range& y) {
                      return x.variable == y.variable && x.lo == y.lo && x.hi == y.hi;
                    });
}

}  // namespace lathe::passes
