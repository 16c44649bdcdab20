// SPDX-License-Identifier: Apache-2.0
#include "schedule/bound_variables.h"

#include <algorithm>

#include "base/quoted.h"
#include "ir/traverse.h"
#include "passes/rebuild.h"

namespace lathe::schedule {
using ir::Expr;

namespace {

class Renamer {
 public:
  Renamer(ir::Program& program, const Bound& bound)
      : maker_(*program.graph), graph_(*program.graph), bound_(bound) {}

  void rename(ir::Body& body) {
    for (ir::Item& item : body) {
      if (auto* s = std::get_if<ir::Statement>(&item.node)) rename_item(*s);
      if (auto* g = std::get_if<ir::Group>(&item.node)) rename_item(*g);
      if (auto* w = std::get_if<ir::While>(&item.node)) rename_item(*w);
      if (auto* s = std::get_if<ir::Sweep>(&item.node)) rename_inside(s->range.variable, s->body);
      if (auto* r = std::get_if<ir::Repeat>(&item.node)) rename_inside(r->range.variable, r->body);
      if (auto* w = std::get_if<ir::When>(&item.node)) {
        rename(w->then_body);
        rename(w->else_body);
      }
    }
  }

 private:
  void rename_inside(Symbol variable, ir::Body& body) {
    around_.push_back(variable);
    rename(body);
    around_.pop_back();
  }

  template <class Item>
  void rename_item(Item& item) {
    const auto it = bound_.find(item.label);
    if (it == bound_.end()) return;
    binds_ = it->second->binds;
    renaming_.clear();
    for (const Bind& b : binds_) {
      check(b, item.label, item.domain, it->second->span);
      if (b.variable != b.loop) renaming_.push_back({b.variable, graph_.index(b.loop)});
    }
    if (!renaming_.empty()) apply(item);
  }

  void check(const Bind& b, Symbol label, const ir::Domain& domain, const Span& span) const {
    const auto has = [&](Symbol v) {
      return std::any_of(domain.ranges.begin(), domain.ranges.end(),
                         [&](const ir::Range& r) { return r.variable == v; });
    };
    if (!has(b.variable))
      throw UserError(quoted(label) + " has no variable " + quoted(b.variable), span);
    for (const Bind& other : binds_) {
      if (&other == &b) continue;
      if (other.variable == b.variable)
        throw UserError(quoted(label) + " binds its " + quoted(b.variable) + " twice", span,
                        "a variable of a statement runs in one loop");
      if (other.loop == b.loop)
        throw UserError(quoted(label) + " cannot run both " + quoted(b.variable) + " and " +
                            quoted(other.variable) + " in the loop over " + quoted(b.loop),
                        span, "a loop runs one variable of a statement");
    }
    if (b.variable == b.loop) return;
    if (has(b.loop) || std::count(around_.begin(), around_.end(), b.loop))
      throw UserError(quoted(label) + " has a variable " + quoted(b.loop) + " of its own, so its " +
                          quoted(b.variable) + " cannot run in that loop",
                      span);
  }

  void apply(ir::Statement& s) {
    passes::map_statement_expressions(s, [&](Symbol, Expr e) { return renamed(e); });
    apply_to_variables(s.domain);
  }
  void apply(ir::Group& g) {
    apply_to_bounds(g.domain);
    apply_to_variables(g.domain);
    for (ir::Statement& s : g.statements) apply(s);
  }
  void apply(ir::While& w) {
    apply_to_bounds(w.domain);
    apply_to_variables(w.domain);
    w.condition = renamed(w.condition);
    if (auto* g = std::get_if<ir::Group>(&w.body[0].node)) apply(*g);
    if (auto* s = std::get_if<ir::Statement>(&w.body[0].node)) apply(*s);
  }
  void apply_to_bounds(ir::Domain& domain) {
    if (domain.guard) domain.guard = renamed(domain.guard);
    for (ir::Range& r : domain.ranges) {
      r.lo = renamed(r.lo);
      r.hi = renamed(r.hi);
    }
  }
  void apply_to_variables(ir::Domain& domain) const {
    for (ir::Range& r : domain.ranges)
      for (const Bind& b : binds_)
        if (r.variable == b.variable) {
          r.variable = b.loop;
          break;
        }
  }
  Expr renamed(Expr e) { return ir::rename(maker_, e, renaming_); }

  ir::RawMaker maker_;
  ir::Graph& graph_;
  const Bound& bound_;
  std::vector<Symbol> around_;  // variables of sweeps and repeats
  std::vector<Bind> binds_;     // of one item
  ir::Renaming renaming_;
};

}  // namespace

void rename_bound(ir::Program& program, const Bound& bound) {
  Renamer(program, bound).rename(program.body);
}

}  // namespace lathe::schedule
