// SPDX-License-Identifier: Apache-2.0
// Document 004: a branch is a mask, a version of each field per side, statements on the versions
// under the mask, and commits.
//
//   for i in 0..n if f[i] > 0:                 for i in 0..n: b.mask[i] = f[i] > 0
//     t[i] = w[i]                              for i in -1..n: t.if[i] = t[i]
//     w[i] = t[i-1]                       =>   for i in 0..n: w.if[i] = w[i]
//                                              for i in 0..n where b.mask[i]: t.if[i] = w.if[i]
//                                              for i in 0..n where b.mask[i]: w.if[i] = t.if[i-1]
//                                              for i in 0..n where b.mask[i]: t[i] = t.if[i]
//                                              for i in 0..n where b.mask[i]: w[i] = w.if[i]
//
// Which branches can be split: branch_rule.h. What a version holds: branch_versions.h. One that is
// written before it is read, at the branch's own point and under no other guard, needs no copy.

#include <algorithm>
#include <functional>
#include <map>

#include "analysis/access.h"
#include "analysis/sets.h"
#include "ir/domain.h"
#include "ir/traverse.h"
#include "passes/branch_commits.h"
#include "passes/branch_rule.h"
#include "passes/branch_versions.h"
#include "passes/passes.h"
#include "passes/rebuild.h"

namespace lathe::passes {
namespace {

using ir::Expr;

class Splitter {
 public:
  Splitter(ir::Program& program, const SplitOptions& options)
      : program_(program), graph_(*program.graph), raw_(graph_), build_(raw_), options_(options) {
    note_sequential(program.body);
    for (const ir::Array& a : program.arrays)
      if (a.role != ir::Role::Temp && a.role != ir::Role::Output) written_.insert(a.name);
  }

  // The walk has passed this item.
  void passed(const Item& item) { written_.merge(touched(item).writes); }

  // A sequential loop begins: what its body writes may be there when it runs again.
  void enter_loop(const Item& item, const ir::Range& range) {
    written_.merge(touched(item).writes);
    around_.push_back(range);
  }
  void leave_loop() { around_.pop_back(); }

  // Appends the flat form. `mask` is the condition under which the branch itself runs.
  void split(const ir::Branch& b, Expr mask, Body& out) {
    const Expr here = make_mask(b, mask, out);
    const Expr around = both(raw_, mask, b.domain.guard);
    const std::set<Symbol> writes = branch_writes(b);
    Side then_side{"if", &b.then_body, both(raw_, around, here), writes, {}, {}};
    Side else_side{"else", &b.else_body, both(raw_, around, build_.logical_not(here)),
                   writes, {},           {}};
    prepare(b, then_side, out);
    prepare(b, else_side, out);
    run(b, then_side, out);
    run(b, else_side, out);
    const auto exists = [&](const ir::Domain& domain, const ir::Target& t) {
      return is_inside(domain, *program_.find_array(t.array), t.indices);
    };
    for (const Side* side : {&then_side, &else_side})
      append_commits(graph_, side->versions, side->commits, side->mask, exists, out);
  }

 private:
  struct Side {
    std::string suffix;
    const Body* body;
    Expr mask;
    std::set<Symbol>
        branch_writes;  // by both sides: commits of one are seen by guards of the other
    std::vector<Version> versions;
    std::vector<Commit> commits;
  };

  void note_sequential(const Body& body) {
    for (const Item& item : body) {
      if (auto* s = std::get_if<ir::Sweep>(&item.node)) sequential_.insert(s->range.variable);
      if (auto* r = std::get_if<ir::Repeat>(&item.node)) sequential_.insert(r->range.variable);
      ir::for_each_body(item, [&](const Body& inner) { note_sequential(inner); });
    }
  }

  Symbol declare(const std::string& stem, ir::DType t, std::vector<ir::Axis> axes, Span span) {
    ir::Array a;
    a.name = graph_.fresh_symbol(stem);
    a.dtype = t;
    a.axes = std::move(axes);
    a.span = span;
    program_.arrays.push_back(a);
    return a.name;
  }

  // The mask is evaluated once, before anything in the branch runs.
  Expr make_mask(const ir::Branch& b, Expr outer, Body& out) {
    const Symbol mask =
        declare(std::string(b.label.text()) + ".mask", ir::DType::Bool, axes_of(b.domain), b.span);
    ir::Domain domain = b.domain;
    domain.guard = both(raw_, outer, domain.guard);
    out.push_back({assignment(mask, domain, {mask, point(graph_, b.domain)}, b.condition, b.span)});
    return graph_.read(mask, ir::DType::Bool, point(graph_, b.domain));
  }

  void prepare(const ir::Branch& b, Side& side, Body& out) {
    const Touched all = touched(*side.body);
    std::vector<Symbol> arrays(all.writes.begin(), all.writes.end());
    if (options_.version_reads)
      for (Symbol r : all.reads)
        if (!all.writes.contains(r)) arrays.push_back(r);
    for (Symbol name : arrays) {
      const ir::Array a = *program_.find_array(name);  // a copy: declaring versions moves arrays
      if (a.role == ir::Role::Const) continue;
      Version v = plan_version(graph_, b, *side.body, a);
      v.name = declare(std::string(name.text()) + "." + side.suffix, a.dtype, v.declared, b.span);
      side.versions.push_back(v);
      if (v.set_first) continue;
      // Nothing has been written so far: the branch reads what it writes itself, or it may not
      // read.
      if (!written_.contains(name) && !touched(out).writes.contains(name)) continue;
      copy_in(b, v, out);
    }
  }

  // The axis' own name, unless a sequential loop might be using it.
  Symbol copy_variable(Symbol axis) const {
    return sequential_.contains(axis) ? graph_.fresh_symbol(axis.text()) : axis;
  }

  // version[x] = original[x, fixed...], over the branch's points or the whole declared range.
  void copy_in(const ir::Branch& b, const Version& v, Body& out) {
    const ir::Array& original = *program_.find_array(v.original);
    ir::Domain domain;
    if (v.at_point) {
      domain.ranges = b.domain.ranges;
    } else {
      for (std::size_t axis : v.axes) {
        const ir::Axis& x = original.axes[axis];
        domain.ranges.push_back({copy_variable(x.name), x.lo, x.hi});
      }
    }
    const std::vector<Expr> at = point(graph_, domain);
    std::vector<Expr> from;
    std::size_t next = 0;
    for (const Expr fixed : v.fixed) from.push_back(fixed ? fixed : at[next++]);
    // The branch may guard what lies outside of the array; the copy then takes anything.
    const ir::Policy policy =
        is_inside(domain, original, from) ? ir::Policy::Error : ir::Policy::Zero;
    out.push_back({assignment(v.name, domain, {v.name, at},
                              graph_.read(v.original, v.dtype, from, policy), b.span)});
  }

  bool is_inside(const ir::Domain& domain, const ir::Array& array, const std::vector<Expr>& at) {
    std::vector<ir::SetExpr> inside;
    for (std::size_t x = 0; x < at.size(); ++x) {
      const auto index = ir::to_pw_aff(at[x]);
      if (!index) return false;
      inside.push_back(
          ir::SetExpr::compare(*index, ir::Comparison::Ge, ir::to_bound(array.axes[x].lo)));
      inside.push_back(
          ir::SetExpr::compare(*index, ir::Comparison::Lt, ir::to_bound(array.axes[x].hi)));
    }
    std::vector<ir::SetExpr> points = {ir::to_set(domain, &program_)};
    for (const ir::Range& r : around_) points.push_back(ir::to_set(r));
    return query_.is_subset(ir::SetExpr::intersection(points), ir::SetExpr::intersection(inside),
                            analysis::size_context(program_)) == analysis::Proof::Yes;
  }

  void run(const ir::Branch& b, Side& side, Body& out) {
    for (const Item& item : *side.body) {
      if (auto* s = std::get_if<ir::Statement>(&item.node)) {
        run_statement(b, side, *s, out);
        continue;
      }
      ir::Branch inner = std::get<ir::Branch>(item.node);
      const auto to_versions = [&](Symbol, Expr e) {
        return on_versions(graph_, side.versions, e);
      };
      Item copy{inner};
      map_own_expressions(copy, to_versions);
      inner = std::get<ir::Branch>(copy.node);
      retarget(side, inner.then_body);
      retarget(side, inner.else_body);
      note_commits(std::get<ir::Branch>(item.node), side.mask, side.commits);
      split(inner, side.mask, out);
    }
  }

  // The body of an inner branch, on this side's versions.
  void retarget(const Side& side, Body& body) {
    const auto to_versions = [&](Symbol, Expr e) { return on_versions(graph_, side.versions, e); };
    body = map_items(body, [&](Item item, Body& to) {
      map_own_expressions(item, to_versions);
      if (auto* s = std::get_if<ir::Statement>(&item.node))
        if (const Version* v = find_version(side.versions, s->targets[0].array))
          s->targets[0] = {v->name, version_indices(*v, s->targets[0].indices)};
      to.push_back(std::move(item));
    });
  }

  void run_statement(const ir::Branch&, Side& side, const ir::Statement& s, Body& out) {
    ir::Statement ran = s;
    map_statement_expressions(
        ran, [&](Symbol, Expr e) { return on_versions(graph_, side.versions, e); });
    const Version& v = *find_version(side.versions, s.targets[0].array);
    ran.targets[0] = {v.name, version_indices(v, ran.targets[0].indices)};
    ran.domain.guard = keep_guard(side, s, ran.domain, out);
    side.commits.push_back({ran, s.targets[0]});
    out.push_back({std::move(ran)});
  }

  // The guard of a statement must still say the same when its writes are committed: if the branch
  // writes what it reads, it is kept in a mask of its own.
  Expr keep_guard(const Side& side, const ir::Statement& s, const ir::Domain& ran, Body& out) {
    if (!s.domain.guard) return side.mask;
    if (is_stable(s.domain.guard, side.branch_writes)) return both(raw_, side.mask, ran.guard);
    const Symbol mask =
        declare(std::string(s.label.text()) + ".mask", ir::DType::Bool, axes_of(s.domain), s.span);
    ir::Domain domain = s.domain;
    domain.guard = side.mask;
    out.push_back({assignment(mask, domain, {mask, point(graph_, domain)}, ran.guard, s.span)});
    return both(raw_, side.mask, graph_.read(mask, ir::DType::Bool, point(graph_, domain)));
  }

  ir::Program& program_;
  analysis::SetQuery query_;
  std::vector<ir::Range> around_;  // of the sweeps and repeats
  ir::Graph& graph_;
  ir::RawMaker raw_;
  ir::Build build_;
  SplitOptions options_;
  std::set<Symbol> sequential_;  // variables of sweeps and repetitions
  std::set<Symbol> written_;     // arrays with content, as far as the walk has come
};

}  // namespace

ir::Program split_conditionals(const ir::Program& program, const SplitOptions& options) {
  ir::Program out = program;
  Splitter splitter(out, options);
  // Not map_items: inner branches are split by their outer one, or not at all.
  const std::function<Body(const Body&)> walk = [&](const Body& body) {
    Body result;
    for (Item item : body) {
      if (auto* b = std::get_if<ir::Branch>(&item.node)) {
        if (can_split(*b)) {
          splitter.split(*b, nullptr, result);
          splitter.passed(item);
          continue;
        }
      } else if (auto* w = std::get_if<ir::When>(&item.node)) {
        w->then_body = walk(w->then_body);
        w->else_body = walk(w->else_body);
      } else if (auto* s = std::get_if<ir::Sweep>(&item.node)) {
        splitter.enter_loop(item, s->range);
        s->body = walk(s->body);
        splitter.leave_loop();
      } else if (auto* r = std::get_if<ir::Repeat>(&item.node)) {
        splitter.enter_loop(item, r->range);
        r->body = walk(r->body);
        splitter.leave_loop();
      }
      splitter.passed(item);
      result.push_back(std::move(item));
    }
    return result;
  };
  out.body = walk(program.body);
  return out;
}

ir::Program split_conditionals(const ir::Program& program) {
  return split_conditionals(program, {});
}

}  // namespace lathe::passes
