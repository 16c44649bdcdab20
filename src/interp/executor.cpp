// SPDX-License-Identifier: Apache-2.0
// Items one after another: statements, groups, sweeps, when, repeat.

#include "interp/executor.h"

#include <algorithm>

#include "ir/build.h"
#include "ir/group_rule.h"
#include "ir/traverse.h"

namespace lathe::interp {

void Executor::run(const ir::Item& item) {
  std::visit([&](const auto& node) { run_node(node); }, item.node);
}

void Executor::finish() {
  for (std::size_t id = 0; id < space.program.arrays.size(); ++id)
    if (space.program.arrays[id].role == ir::Role::Output) {
      guarded(space.program.arrays[id].name, space.program.arrays[id].span,
              [&] { space.allocated(static_cast<Id>(id)); });
    }
}

namespace {

bool names(const Fault& fault, Symbol variable) {
  return std::any_of(fault.point.begin(), fault.point.end(),
                     [&](const auto& at) { return at.first == variable; });
}

// Where k runs over ptr[i]..ptr[i+1], a fault at k alone does not say enough.
void add_outer_variables(Space& space, const std::vector<ir::Range>& ranges, Fault& fault) {
  for (auto r = ranges.rbegin(); r != ranges.rend(); ++r) {
    if (!names(fault, r->variable)) continue;
    for (Expr bound : {r->hi, r->lo})
      for (Symbol v : ir::free_variables(bound))
        if (!names(fault, v))
          fault.point.emplace(fault.point.begin(), v, space.value(space.variable(v)));
  }
}

void run_in(Space& space, const std::vector<ir::Range>& ranges, Runner& runner) {
  try {
    runner.run();
  } catch (Fault& fault) {
    add_outer_variables(space, ranges, fault);
    throw;
  }
}

}  // namespace

void Executor::run_body(const ir::Body& body) {
  for (const ir::Item& item : body) run(item);
}

void Executor::run_statement(const ir::Statement& s, const ir::Domain& domain) {
  guarded(s.label, s.span, [&] {
    std::unique_ptr<Runner>& runner = runners_[&s];
    if (!runner) {
      ir::Domain all = masked(domain);
      runner = s.accumulate ? make_accumulation(space, s, std::move(all))
                            : make_plain(space, s, std::move(all));
    }
    run_in(space, domain.ranges, *runner);
  });
}

void Executor::run_node(const ir::Statement& s) { run_statement(s, s.domain); }

// The guard decides which points take part; then line after line over all of them. A local lives in
// a hidden array over the domain.
void Executor::run_node(const ir::Group& g) {
  guarded(g.label, g.span, [&] {
    auto& locals = group_locals_[&g];
    Bounds bounds;
    if (!g.locals.empty()) {
      for (const Interval& i : Nest(space, g.domain.ranges).hull()) {
        bounds.lo.push_back(i.lo);
        bounds.hi.push_back(i.hi);
      }
    }
    for (const ir::Local& l : g.locals) {
      Space::Local& local = locals[l.name];
      if (local.indices.size() != g.domain.ranges.size() || local.array == kNone) {
        local.array =
            space.hidden(l.name.text(), l.dtype, "local '" + std::string(l.name.text()) + "'");
        for (const ir::Range& r : g.domain.ranges)
          local.indices.push_back(space.program.graph->index(r.variable));
      }
      space.reset(local.array, bounds);
      RunArray& a = space.array(local.array);
      if (space.options.checked)
        a.written.assign(static_cast<std::size_t>(a.buffer->element_count()), 0);
    }
    space.locals = locals;
  });
  if (ir::changes_own_guard(g))
    run_lines_where_asked(g);
  else
    run_lines(g, g.domain);
  space.locals.clear();
}

void Executor::run_lines(const ir::Group& g, const ir::Domain& points) {
  for (const ir::Statement& s : g.statements) {
    ir::Domain domain = points;
    domain.guard = both(points.guard, s.domain.guard);
    run_statement(s, domain);
  }
}

void Executor::run_node(const ir::Scan& s) {
  guarded(s.statement.label, s.statement.span, [&] {
    std::unique_ptr<Runner>& runner = runners_[&s];
    if (!runner) runner = make_scan(space, s, masked(s.statement.domain));
    std::vector<ir::Range> ranges = s.statement.domain.ranges;
    ranges.push_back(s.range);
    run_in(space, ranges, *runner);
  });
}

void Executor::run_node(const ir::Sweep& s) {
  Interval i;
  guarded(s.label, s.span, [&] { i = {space.evaluate(s.range.lo), space.evaluate(s.range.hi)}; });
  const Id variable = space.variable(s.range.variable);
  for (std::int64_t step = 0; step < i.length(); ++step) {
    space.value(variable) = s.forward ? i.lo + step : i.hi - 1 - step;
    run_body(s.body);
  }
}

void Executor::run_node(const ir::When& w) {
  bool taken = false;
  guarded(w.label, w.span, [&] { taken = space.evaluate(w.condition) != 0; });
  run_body(taken ? w.then_body : w.else_body);
}

void Executor::run_node(const ir::Repeat& r) {
  Interval i;
  guarded(r.label, r.span, [&] { i = {space.evaluate(r.range.lo), space.evaluate(r.range.hi)}; });
  std::vector<Id> rotated;
  for (Symbol a : r.rotate) rotated.push_back(space.find(a));
  const Id variable = space.variable(r.range.variable);
  if (r.capped) i.hi = i.lo + std::min(i.length(), space.options.while_cap);
  for (std::int64_t x = i.lo; x < i.hi; ++x) {
    space.value(variable) = x;
    run_body(r.body);
    space.rotate(rotated);
    bool stop = false;
    if (r.until != nullptr) guarded(r.label, r.span, [&] { stop = space.evaluate(r.until) != 0; });
    if (stop) return;
  }
  if (!r.capped) return;
  const Id mask = space.find(r.capped);
  const RunArray& on = space.allocated(mask);
  std::vector<Symbol> variables;
  for (const ir::Axis& axis : on.declared->axes) variables.push_back(axis.name);
  for (std::int64_t offset = 0; offset < on.buffer->element_count(); ++offset)
    if (*on.element(offset) != std::byte{0})
      fail_still_on(r.label, r.span, mask, offset, variables, i.length());
}

void Executor::run_node(const ir::Call& c) {
  if (!masks_.empty())
    throw UserError("call '" + std::string(c.label.text()) +
                        "' works on whole arrays, but stands inside a branch",
                    c.span, "move it before or after the branch");
  guarded(c.label, c.span, [&] { run_call(space, c); });
}

}  // namespace lathe::interp
