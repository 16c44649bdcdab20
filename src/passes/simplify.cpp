// SPDX-License-Identifier: Apache-2.0
// Every expression goes through the exact rules; then what can never run is dropped.
//
//   for i in 0..n where 1 < 2: v[i] = u[i+1-1] * 1   =>   for i in 0..n: v[i] = u[i]

#include <algorithm>
#include <set>

#include "ir/verify.h"
#include "passes/passes.h"
#include "passes/rebuild.h"
#include "rewrite/rules.h"

namespace lathe::passes {
namespace {

bool is_constant(Expr e, bool value) {
  return e && ir::is_const(e) && is_bool(e->dtype) && e->scalar().as_bool() == value;
}

bool never_runs(const ir::Range& r) {
  return ir::is_const(r.lo) && ir::is_const(r.hi) &&
         r.hi->scalar().as_int() <= r.lo->scalar().as_int();
}

// Drops a true guard; answers whether no point is left.
bool tidy(ir::Domain& d) {
  if (is_constant(d.guard, true)) d.guard = nullptr;
  return is_constant(d.guard, false) || std::any_of(d.ranges.begin(), d.ranges.end(), never_runs);
}

struct Tidy {
  ir::Maker& maker;
  Body& out;

  void keep(Item item) { append_tidy(maker, std::move(item), out); }

  void operator()(ir::Statement& s) {
    const bool empty = tidy(s.domain);
    // A fresh accumulation over no point still clears its target.
    if (!empty || (s.accumulate && s.accumulate->fresh)) keep({std::move(s)});
  }
  void operator()(ir::Group& g) {
    if (tidy(g.domain)) return;
    std::erase_if(g.statements, [](ir::Statement& s) { return tidy(s.domain); });
    keep({std::move(g)});
  }
  void operator()(ir::Branch& b) {
    if (!tidy(b.domain)) keep({std::move(b)});
  }
  void operator()(ir::While& w) {
    if (!tidy(w.domain) && !is_constant(w.condition, false)) keep({std::move(w)});
  }
  void operator()(ir::Sweep& s) {
    if (!never_runs(s.range)) keep({std::move(s)});
  }
  void operator()(ir::Scan& s) {
    if (!tidy(s.statement.domain) && !never_runs(s.range)) keep({std::move(s)});
  }
  void operator()(ir::When& w) {
    if (ir::is_const(w.condition)) {
      Body& taken = w.condition->scalar().as_bool() ? w.then_body : w.else_body;
      std::move(taken.begin(), taken.end(), std::back_inserter(out));
    } else {
      keep({std::move(w)});
    }
  }
  void operator()(ir::Repeat& r) {
    if (!never_runs(r.range)) keep({std::move(r)});
  }
  void operator()(ir::Call& c) { keep({std::move(c)}); }
};

// Items that write one of `kept` stay even if they never run: an output is written somewhere.
Body simplified(rewrite::Simplifier& simplifier, const Body& body, const std::set<Symbol>& kept) {
  return map_items(body, [&](Item item, Body& to) {
    map_own_expressions(item, [&](Symbol, Expr e) { return simplifier.simplify(e); });
    if (!kept.empty()) {
      const std::set<Symbol> writes = touched(item).writes;
      if (std::any_of(kept.begin(), kept.end(), [&](Symbol a) { return writes.contains(a); }))
        return append_tidy(simplifier, std::move(item), to);
    }
    std::visit(Tidy{simplifier, to}, item.node);
  });
}

}  // namespace

ir::Program simplify(const ir::Program& program) {
  rewrite::Simplifier simplifier(*program.graph);
  ir::Program out = program;
  for (ir::Array& a : out.arrays)
    for (ir::Axis& axis : a.axes) {
      axis.lo = simplifier.simplify(axis.lo);
      axis.hi = simplifier.simplify(axis.hi);
    }
  for (ir::Combiner& c : out.combiners)
    for (Expr& e : c.result) e = simplifier.simplify(e);
  out.body = simplified(simplifier, program.body, {});
  std::set<Symbol> lost;
  const Touched left = touched(out.body);
  for (const ir::Array& a : out.arrays) {
    const bool wanted =
        a.role == ir::Role::Output || (a.role == ir::Role::Temp && left.reads.contains(a.name));
    if (wanted && !left.writes.contains(a.name)) lost.insert(a.name);
  }
  if (!lost.empty()) out.body = simplified(simplifier, program.body, lost);
  // What never runs can still be the first to write what is read later: then everything stays.
  Diagnostics refusals;
  if (rotates_nothing(out.body) || !ir::verify(out, refusals)) {
    for (const ir::Array& a : out.arrays) lost.insert(a.name);
    out.body = simplified(simplifier, program.body, lost);
  }
  return out;
}

}  // namespace lathe::passes
