// SPDX-License-Identifier: Apache-2.0
// A walk over the items of a program that carries the scope: the ranges and conditions around.

#include "analysis/access.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analysis/lazy_reads.h"
#include "analysis/plain_sets.h"
#include "base/diagnostics.h"
#include "ir/accumulation_order.h"
#include "ir/text.h"
#include "ir/traverse.h"

namespace lathe::analysis {
namespace {

using ir::Expr;
using ir::SetExpr;

Access make_access(Symbol array, std::span<const Expr> indices, const Scope& scope) {
  Access a;
  a.array = array;
  a.indices.assign(indices.begin(), indices.end());
  for (const Expr e : indices) a.affine.push_back(ir::to_pw_aff(e));
  a.domain = scope.set;
  a.variables = scope.variables;
  return a;
}

void note_written(const ir::Body& body, std::set<Symbol>& arrays) {
  const auto targets = [&](const ir::Statement& s) {
    for (const ir::Target& t : s.targets) arrays.insert(t.array);
  };
  for (const ir::Item& item : body) {
    if (const auto* s = std::get_if<ir::Statement>(&item.node)) targets(*s);
    if (const auto* s = std::get_if<ir::Scan>(&item.node)) targets(s->statement);
    if (const auto* g = std::get_if<ir::Group>(&item.node))
      for (const ir::Statement& s : g->statements) targets(s);
    if (const auto* call = std::get_if<ir::Call>(&item.node))
      arrays.insert(call->outputs.begin(), call->outputs.end());
    if (const auto* repeat = std::get_if<ir::Repeat>(&item.node))
      arrays.insert(repeat->rotate.begin(), repeat->rotate.end());
    ir::for_each_body(item, [&](const ir::Body& inner) { note_written(inner, arrays); });
  }
}

std::set<Symbol> written(std::initializer_list<const ir::Body*> bodies) {
  std::set<Symbol> arrays;
  for (const ir::Body* body : bodies) note_written(*body, arrays);
  return arrays;
}

bool reads_any(Expr e, const std::set<Symbol>& arrays) {
  const auto read = e == nullptr ? std::vector<Symbol>{} : ir::arrays_read(e);
  return std::any_of(read.begin(), read.end(), [&](Symbol a) { return arrays.count(a) > 0; });
}

// It held when it was evaluated. Of what is read later, and has the same text, it says nothing.
SetExpr once(Expr e) {
  std::vector<std::string> variables;
  for (const Symbol v : ir::free_variables(e)) variables.emplace_back(v.text());
  return SetExpr::opaque("once " + ir::print(e, 40), std::move(variables));
}

class Collector {
 public:
  explicit Collector(const ir::Program& program) : program_(program) {}
  std::vector<StatementAccess> take() {
    for (StatementAccess& s : out_) extents(s);
    return std::move(out_);
  }

  void body(const ir::Body& items, const Scope& scope) {
    for (const ir::Item& item : items)
      std::visit([&](const auto& node) { this->item(node, scope); }, item.node);
  }

 private:
  static void at(StatementAccess& s, const Scope& scope) {
    s.domain = scope.set;
    s.variables = scope.variables;
    s.sequential = scope.sequential;
    s.directions = scope.directions;
    s.rounds = scope.rounds;
    s.loops = scope.loops;
  }
  Scope in_loop(Scope scope) {
    scope.loops.push_back(loops_++);
    return scope;
  }
  Scope in_loop(Scope scope, const ir::Range& range, bool forward) {
    scope.sequential.emplace_back(range.variable.text());
    scope.directions.push_back(forward ? 1 : -1);
    scope.rounds.push_back(loops_);
    return in_loop(std::move(scope));
  }

  StatementAccess& open(Symbol label, Span span, const Scope& scope) {
    StatementAccess s;
    s.label = label;
    s.span = span;
    at(s, scope);
    out_.push_back(std::move(s));
    return out_.back();
  }

  void reads(StatementAccess& to, Expr e, const Scope& scope) {
    for_each_read(program_, e, scope, [&](Expr read, const Scope& at) {
      const ir::view::Read v(read);
      if (std::find(locals_.begin(), locals_.end(), v.array) != locals_.end()) return;
      Access a = make_access(v.array, v.indices, at);
      a.policy = v.policy;
      a.node = read;
      to.reads.push_back(std::move(a));
    });
  }
  void whole(StatementAccess& to, Symbol array, bool write, const Scope& scope) {
    Access a;
    a.array = array;
    a.write = write;
    a.whole = true;
    a.domain = scope.set;
    a.variables = scope.variables;
    (write ? to.writes : to.reads).push_back(std::move(a));
  }

  // Who touches an array of a computed extent needs the scalars that it is computed from.
  void extents(StatementAccess& to) {
    std::set<Symbol> scalars;
    for (const auto* list : {&to.reads, &to.writes})
      for (const Access& a : *list)
        if (const ir::Array* array = program_.find_array(a.array))
          for (const ir::Axis& axis : array->axes)
            for (const Expr bound : {axis.lo, axis.hi})
              for (const Symbol scalar : ir::arrays_read(bound)) scalars.insert(scalar);
    for (const Symbol scalar : scalars) {
      Access a;
      a.array = scalar;
      a.domain = SetExpr::universe();
      to.reads.push_back(std::move(a));
    }
  }

  // inside(), where many statements have the same ranges.
  Scope in_range(Scope scope, const ir::Range& r) {
    auto [at, fresh] = sets_.try_emplace({scope.set.key(), r.variable, r.lo, r.hi}, scope.set);
    if (fresh) at->second = SetExpr::intersection({scope.set, to_set(r)});
    scope.set = at->second;
    const std::string name(r.variable.text());
    if (std::find(scope.variables.begin(), scope.variables.end(), name) == scope.variables.end())
      scope.variables.push_back(name);
    return scope;
  }

  // The scope inside the domain; what its bounds and guard read goes to `to`.
  Scope enter(StatementAccess& to, const ir::Domain& domain, Scope scope) {
    for (const ir::Range& r : domain.ranges) {
      reads(to, r.lo, scope);
      reads(to, r.hi, scope);
      scope = in_range(std::move(scope), r);
    }
    if (domain.guard == nullptr) return scope;
    reads(to, domain.guard, scope);
    return inside(scope, to_set(domain.guard, &program_));
  }

  // The same for what runs inside and writes these arrays, perhaps before it reads them.
  Scope enter(StatementAccess& to, const ir::Domain& domain, const Scope& scope,
              const std::set<Symbol>& changed) {
    Scope inner = enter(to, domain, scope);
    const auto changes = [&](const ir::Range& r) {
      return reads_any(r.lo, changed) || reads_any(r.hi, changed);
    };
    const bool guard_changes = reads_any(domain.guard, changed);
    if (!guard_changes && std::none_of(domain.ranges.begin(), domain.ranges.end(), changes))
      return inner;
    std::vector<SetExpr> parts = {scope.set};
    for (const ir::Range& r : domain.ranges)
      if (!changes(r))
        parts.push_back(to_set(r));
      else
        for (const Expr bound : {r.lo, r.hi}) parts.push_back(once(bound));
    if (domain.guard)
      parts.push_back(guard_changes ? once(domain.guard) : to_set(domain.guard, &program_));
    inner.set = SetExpr::intersection(std::move(parts));
    return inner;
  }

  // Both sides of a condition, for what runs there and writes these arrays.
  std::pair<SetExpr, SetExpr> sides(Expr condition, const std::set<Symbol>& changed) {
    if (reads_any(condition, changed)) return {once(condition), once(condition)};
    const SetExpr set = to_set(condition, &program_);
    return {set, complement(set)};
  }

  std::optional<SetExpr> without_reduced(const ir::Statement& s, Scope scope) {
    const auto reduced = ir::reduced_variables(s.targets, s.domain.ranges);
    if (!s.domain.guard || !reduced || reduced->empty()) return std::nullopt;
    for (const ir::Range& r : s.domain.ranges) scope = in_range(std::move(scope), r);
    std::vector<SetExpr> parts = {scope.set};
    std::vector<Expr> conjuncts = {s.domain.guard};
    while (!conjuncts.empty()) {
      const Expr e = conjuncts.back();
      conjuncts.pop_back();
      if (e->op == ir::Op::And)
        conjuncts.insert(conjuncts.end(), e->args().begin(), e->args().end());
      else if (std::none_of(reduced->begin(), reduced->end(),
                            [&](Symbol v) { return ir::mentions(e, v); }))
        parts.push_back(to_set(e, &program_));
    }
    return SetExpr::intersection(std::move(parts));
  }

  void statement(const ir::Statement& s, const Scope& around) {
    StatementAccess to;  // not in out_ yet: enter() must not move it
    to.label = s.label;
    to.statement = &s;
    to.span = s.span;
    const Scope scope = enter(to, s.domain, around);
    at(to, scope);
    for (const ir::Target& t : s.targets)
      for (const Expr e : t.indices) reads(to, e, scope);
    for (const Expr e : s.values) reads(to, e, scope);
    for (const ir::Target& t : s.targets) {
      if (std::find(locals_.begin(), locals_.end(), t.array) != locals_.end()) continue;
      Access a = make_access(t.array, t.indices, scope);
      if (s.accumulate) {
        a.touched = without_reduced(s, around);
        a.old_value = true;
        if (s.accumulate->fresh)
          whole(to, t.array, true, around);
        else
          to.reads.push_back(a);
        a.old_value = false;
      }
      a.write = true;
      to.writes.push_back(std::move(a));
    }
    out_.push_back(std::move(to));
  }

  void item(const ir::Statement& s, const Scope& scope) { statement(s, scope); }

  void item(const ir::Group& g, const Scope& scope) {
    StatementAccess own;
    std::set<Symbol> changed;
    for (const ir::Statement& s : g.statements)
      for (const ir::Target& t : s.targets) changed.insert(t.array);
    const Scope inner = enter(own, g.domain, scope, changed);
    keep(own, g.label, g.span, scope);
    for (const ir::Local& l : g.locals) locals_.push_back(l.name);
    for (const ir::Statement& s : g.statements) statement(s, inner);
    locals_.clear();
  }

  void item(const ir::Branch& b, const Scope& scope) {
    StatementAccess own;
    const std::set<Symbol> changed = written({&b.then_body, &b.else_body});
    const Scope inner = enter(own, b.domain, scope, changed);
    reads(own, b.condition, inner);
    keep(own, b.label, b.span, scope);
    const auto [yes, no] = sides(b.condition, changed);
    body(b.then_body, inside(inner, yes));
    body(b.else_body, inside(inner, no));
  }

  void item(const ir::While& w, const Scope& scope) {
    StatementAccess bounds, test;  // the condition is evaluated at each point
    const std::set<Symbol> changed = written({&w.body});
    const Scope points = enter(bounds, {w.domain.ranges, nullptr}, scope, changed);
    keep(bounds, w.label, w.span, scope);
    const Scope inner = enter(test, {{}, w.domain.guard}, points, changed);
    reads(test, w.condition, inner);
    keep(test, w.label, w.span, points);
    body(w.body, in_loop(inside(inner, sides(w.condition, changed).first)));
  }

  void item(const ir::Sweep& s, const Scope& scope) {
    StatementAccess own;
    const Scope inner = enter(own, {{s.range}, nullptr}, scope, written({&s.body}));
    keep(own, s.label, s.span, scope);
    body(s.body, in_loop(inner, s.range, s.forward));
  }

  void item(const ir::Scan& s, const Scope& scope) {
    ir::Statement whole_statement = s.statement;
    whole_statement.domain.ranges.push_back(s.range);
    whole_statement.accumulate.reset();  // the old content of the target is not used
    statement(whole_statement, scope);
    out_.back().statement = &s.statement;
  }

  void item(const ir::When& w, const Scope& scope) {
    StatementAccess own;
    reads(own, w.condition, scope);
    keep(own, w.label, w.span, scope);
    const auto [yes, no] = sides(w.condition, written({&w.then_body, &w.else_body}));
    body(w.then_body, inside(scope, yes));
    body(w.else_body, inside(scope, no));
  }

  void item(const ir::Repeat& r, const Scope& scope) {
    StatementAccess own;
    std::set<Symbol> changed = written({&r.body});
    changed.insert(r.rotate.begin(), r.rotate.end());
    Scope inner = in_loop(enter(own, {{r.range}, nullptr}, scope, changed), r.range, true);
    keep(own, r.label, r.span, scope);
    if (r.until != nullptr) {
      // Only the first round is certain.
      const ir::PwAff counter = ir::PwAff::var(std::string(r.range.variable.text()));
      inner = inside(
          inner,
          SetExpr::unite({SetExpr::compare(counter, ir::Comparison::Eq, ir::to_bound(r.range.lo)),
                          SetExpr::opaque("not ended", {})}));
    }
    body(r.body, inner);
    if (r.rotate.empty() && r.until == nullptr) return;
    StatementAccess& end = open(r.label, r.span, inner);
    for (const Symbol array : r.rotate) {
      whole(end, array, false, inner);
      whole(end, array, true, inner);
    }
    reads(end, r.until, inner);
  }

  void item(const ir::Call& c, const Scope& scope) {
    StatementAccess& own = open(c.label, c.span, scope);
    for (const Symbol array : c.inputs) whole(own, array, false, scope);
    for (const Symbol array : c.outputs) whole(own, array, true, scope);
  }

  void keep(StatementAccess& own, Symbol label, Span span, const Scope& scope) {
    if (own.reads.empty()) return;
    own.label = label;
    own.span = span;
    at(own, scope);
    out_.push_back(std::move(own));
  }

  const ir::Program& program_;
  std::vector<Symbol> locals_;
  std::map<std::tuple<std::string, Symbol, Expr, Expr>, SetExpr> sets_;  // of in_range
  int loops_ = 0;
  std::vector<StatementAccess> out_;
};

std::size_t common_prefix(const std::vector<int>& a, const std::vector<int>& b) {
  const auto [end, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(end - a.begin());
}

}  // namespace

std::size_t shared_rounds(const StatementAccess& a, const StatementAccess& b) {
  return common_prefix(a.rounds, b.rounds);
}

std::size_t shared_loops(const StatementAccess& a, const StatementAccess& b) {
  return common_prefix(a.loops, b.loops);
}

bool Access::is_affine(std::size_t axis) const {
  return affine[axis].has_value() && !reads_arrays(*affine[axis]);
}

bool Access::is_affine() const {
  for (std::size_t axis = 0; axis < affine.size(); ++axis)
    if (!is_affine(axis)) return false;
  return true;
}

std::vector<StatementAccess> collect_accesses(const ir::Program& program) {
  Collector collector(program);
  collector.body(program.body, {});
  return collector.take();
}

Span place(const ir::Program& program, const StatementAccess& statement, const Access& access) {
  if (access.node != nullptr && program.spans != nullptr)
    if (const Span s = program.spans->find(statement.label, access.node); s.known()) return s;
  return statement.span;
}

SetExpr size_context(const ir::Program& program, std::int64_t least) {
  std::vector<SetExpr> parts;
  for (const ir::Parameter& p : program.parameters)
    if (p.is_size)
      parts.push_back(SetExpr::compare(ir::PwAff::integer(std::max(least, p.least)),
                                       ir::Comparison::Le,
                                       ir::PwAff::param(std::string(p.name.text()))));
  return SetExpr::intersection(std::move(parts));
}

}  // namespace lathe::analysis
