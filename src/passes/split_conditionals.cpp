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
// A version holds what the branch touches: axes along which every access in the branch stands at
// one index that the branch does not vary (the k of a sweep) are left out, and when every access
// stands at the branch's own point, only the branch's domain is copied. A version that is written
// before it is read, at that point and under no other guard, needs no copy at all.

#include <algorithm>
#include <functional>
#include <map>

#include "passes/passes.h"
#include "passes/rebuild.h"

namespace lathe::passes {
namespace {

using ir::Expr;

// One access of a branch to an array, in textual order.
struct Access {
  std::span<const Expr> indices;
  bool write;
  bool unguarded;       // a write by every point of the branch
  bool policy = false;  // a read that may leave the array: the version must keep its ranges
};

struct Version {
  Symbol original, name;
  ir::DType dtype;
  std::vector<std::size_t> axes;  // of the original, those that the version keeps
  std::vector<Expr> fixed;        // per axis of the original: the one index, where left out
  bool at_point = false;          // every access is at the branch's own point
};

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

  // Only statements and branches inside, nothing fresh, no index or bound that a write could move.
  bool can_split(const ir::Branch& b) const {
    const std::set<Symbol> writes = writes_of(b);
    return declarable(b.domain) && (!b.domain.guard || stable(b.domain.guard, writes)) &&
           can_split_body(b.then_body, b, writes) && can_split_body(b.else_body, b, writes) &&
           commits_keep_apart(b);
  }

  // A sequential loop begins: what its body writes may be there when it runs again.
  void enter_loop(const Item& item) { written_.merge(touched(item).writes); }

  // Appends the flat form. `mask` is the condition under which the branch itself runs.
  void split(const ir::Branch& b, Expr mask, Body& out) {
    const Expr here = make_mask(b, mask, out);
    const Expr around = both(raw_, mask, b.domain.guard);
    const std::set<Symbol> writes = writes_of(b);
    Side then_side{"if", &b.then_body, both(raw_, around, here), writes, {}, {}};
    Side else_side{"else", &b.else_body, both(raw_, around, build_.logical_not(here)),
                   writes, {},           {}};
    prepare(b, then_side, out);
    prepare(b, else_side, out);
    run(b, then_side, out);
    run(b, else_side, out);
    commit(then_side, out);
    commit(else_side, out);
  }

 private:
  struct Commit {
    ir::Statement statement;  // as it ran, on the version
    ir::Target original;
  };
  struct Side {
    std::string suffix;
    const Body* body;
    Expr mask;
    std::set<Symbol>
        branch_writes;  // by both sides: commits of one are seen by guards of the other
    std::vector<Version> versions;
    std::vector<Commit> commits;
  };

  bool declarable(const ir::Domain& d) const {
    return std::all_of(d.ranges.begin(), d.ranges.end(), [](const ir::Range& r) {
      return is_size_formula(r.lo) && is_size_formula(r.hi);
    });
  }

  void note_sequential(const Body& body) {
    for (const Item& item : body) {
      if (auto* s = std::get_if<ir::Sweep>(&item.node)) sequential_.insert(s->range.variable);
      if (auto* r = std::get_if<ir::Repeat>(&item.node)) sequential_.insert(r->range.variable);
      ir::for_each_body(item, [&](const Body& inner) { note_sequential(inner); });
    }
  }

  static std::set<Symbol> writes_of(const ir::Branch& b) {
    std::set<Symbol> all = touched(b.then_body).writes;
    all.merge(touched(b.else_body).writes);
    return all;
  }

  static bool stable(Expr e, const std::set<Symbol>& writes) {
    const auto arrays = ir::arrays_read(e);
    return std::none_of(arrays.begin(), arrays.end(), [&](Symbol a) { return writes.contains(a); });
  }

  bool can_split_body(const Body& body, const ir::Branch& b, const std::set<Symbol>& writes) const {
    for (const Item& item : body) {
      if (auto* inner = std::get_if<ir::Branch>(&item.node)) {
        if (!can_split(*inner) || !writes_at_point(inner->then_body, b) ||
            !writes_at_point(inner->else_body, b))
          return false;
        continue;
      }
      auto* s = std::get_if<ir::Statement>(&item.node);
      if (!s || !can_split_statement(*s, b, writes)) return false;
    }
    return true;
  }

  bool can_split_statement(const ir::Statement& s, const ir::Branch& b,
                           const std::set<Symbol>& writes) const {
    if (s.domain.ranges.size() < b.domain.ranges.size()) return false;
    if (s.accumulate && (s.accumulate->fresh || s.targets.size() > 1 || !at_point(s, b)))
      return false;
    if (s.domain.guard && !stable(s.domain.guard, writes) && !declarable(s.domain)) return false;
    for (const ir::Range& r : s.domain.ranges)
      if (!stable(r.lo, writes) || !stable(r.hi, writes)) return false;
    for (Expr e : s.targets[0].indices)
      if (!stable(e, writes)) return false;
    for (Expr e : expressions(s))
      for (Expr n : ir::post_order(e))
        if (n->op == ir::Op::Inside) return false;  // versions may have other ranges
    return true;
  }

  // Commits of inner branches and of accumulations go by the outer mask: an element that was not
  // written gets its old value. Safe only where no other point can have written it.
  bool at_point(const ir::Statement& s, const ir::Branch& b) const {
    std::vector<Expr> own = point(b.domain);
    for (Expr e : s.targets[0].indices)
      if (!own.empty() && e == own.front()) own.erase(own.begin());
    return own.empty();
  }
  // Such a commit also puts old values back: no side may write that array at another point.
  bool commits_keep_apart(const ir::Branch& b) const {
    std::set<Symbol> coarse, astray;
    for (const Body* body : {&b.then_body, &b.else_body})
      for (const Item& item : *body) {
        auto* s = std::get_if<ir::Statement>(&item.node);
        if (!s || s->accumulate) coarse.merge(touched(item).writes);
        ir::for_each_statement({item}, [&](const ir::Statement& t) {
          if (!at_point(t, b)) astray.insert(t.targets[0].array);
        });
      }
    return std::none_of(astray.begin(), astray.end(), [&](Symbol a) { return coarse.contains(a); });
  }
  bool writes_at_point(const Body& body, const ir::Branch& b) const {
    bool all = true;
    ir::for_each_statement(body, [&](const ir::Statement& s) { all = all && at_point(s, b); });
    return all;
  }

  std::vector<Expr> point(const ir::Domain& d) const {
    std::vector<Expr> p;
    for (const ir::Range& r : d.ranges) p.push_back(graph_.index(r.variable));
    return p;
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

  std::vector<ir::Axis> axes_of(const ir::Domain& d) const {
    std::vector<ir::Axis> axes;
    for (const ir::Range& r : d.ranges) axes.push_back({r.variable, r.lo, r.hi});
    return axes;
  }

  void set(Symbol label, ir::Domain domain, ir::Target target, Expr value, Span span, Body& out) {
    ir::Statement s;
    s.label = label;
    s.domain = std::move(domain);
    s.targets = {std::move(target)};
    s.values = {value};
    s.span = span;
    out.push_back({std::move(s)});
  }

  // The mask is evaluated once, before anything in the branch runs.
  Expr make_mask(const ir::Branch& b, Expr outer, Body& out) {
    const Symbol mask =
        declare(std::string(b.label.text()) + ".mask", ir::DType::Bool, axes_of(b.domain), b.span);
    ir::Domain domain = b.domain;
    domain.guard = both(raw_, outer, domain.guard);
    set(mask, domain, {mask, point(b.domain)}, b.condition, b.span, out);
    return graph_.read(mask, ir::DType::Bool, point(b.domain));
  }

  // Every access of a body to an array.
  void collect(const Body& body, const ir::Branch& b, Symbol array, bool certain,
               std::vector<Access>& found) const {
    const auto note_reads = [&](Expr root) {
      for (Expr e : ir::reads(root))
        if (e->name == array) {
          const ir::view::Read r(e);
          const bool inside = r.policy == ir::Policy::Error || r.policy == ir::Policy::Trusted;
          found.push_back({r.indices, false, false, !inside});
        }
    };
    for (const Item& item : body) {
      for (Expr e : own_expressions(item)) note_reads(e);
      if (auto* s = std::get_if<ir::Statement>(&item.node)) {
        if (s->targets[0].array != array) continue;
        if (s->accumulate) found.push_back({s->targets[0].indices, false, false});
        const bool every_point = certain && !s->domain.guard && !s->accumulate &&
                                 same_ranges(s->domain.ranges, b.domain.ranges);
        found.push_back({s->targets[0].indices, true, every_point});
      }
      if (auto* inner = std::get_if<ir::Branch>(&item.node)) {
        collect(inner->then_body, b, array, false, found);
        collect(inner->else_body, b, array, false, found);
      }
    }
  }

  // Does the index vary with a loop of the branch, or of a statement in it?
  static bool varies(Expr e, const std::set<Symbol>& inside) {
    const auto free = ir::free_variables(e);
    return !ir::reads(e).empty() ||
           std::any_of(free.begin(), free.end(), [&](Symbol v) { return inside.contains(v); });
  }

  std::set<Symbol> variables_inside(const ir::Branch& b) const {
    std::set<Symbol> inside;
    note_variables({{b}}, inside);
    return inside;
  }

  // Variables that items bind, in their ranges and in reductions.
  void note_variables(const Body& body, std::set<Symbol>& inside) const {
    for (const Item& item : body) {
      std::visit(
          [&](const auto& n) {
            if constexpr (requires { n.domain; })
              for (const ir::Range& r : n.domain.ranges) inside.insert(r.variable);
          },
          item.node);
      for (Expr e : own_expressions(item))
        for (Expr n : ir::post_order(e))
          if (n->op == ir::Op::Reduce)
            inside.insert(n->reduce().variables.begin(), n->reduce().variables.end());
      ir::for_each_body(item, [&](const Body& inner) { note_variables(inner, inside); });
    }
  }

  Version make_version(const ir::Branch& b, const Side& side, const ir::Array& a,
                       const std::vector<Access>& accesses) {
    const std::set<Symbol> inside = variables_inside(b);
    Version v;
    v.original = a.name;
    v.dtype = a.dtype;
    const bool policies =
        std::any_of(accesses.begin(), accesses.end(), [](const Access& x) { return x.policy; });
    std::vector<ir::Axis> kept;
    for (std::size_t axis = 0; axis < a.axes.size(); ++axis) {
      const Expr first = accesses[0].indices[axis];
      const bool fixed = !policies && !varies(first, inside) &&
                         std::all_of(accesses.begin(), accesses.end(),
                                     [&](const Access& x) { return x.indices[axis] == first; });
      v.fixed.push_back(fixed ? first : nullptr);
      if (fixed) continue;
      v.axes.push_back(axis);
      kept.push_back(a.axes[axis]);
    }
    const std::vector<Expr> own = point(b.domain);
    v.at_point = !policies && std::all_of(accesses.begin(), accesses.end(), [&](const Access& x) {
      std::vector<Expr> indices;
      for (std::size_t axis : v.axes) indices.push_back(x.indices[axis]);
      return indices == own;
    });
    if (v.at_point) kept = axes_of(b.domain);
    v.name = declare(std::string(a.name.text()) + "." + side.suffix, a.dtype, kept, b.span);
    return v;
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
      std::vector<Access> accesses;
      collect(*side.body, b, name, true, accesses);
      const Version v = make_version(b, side, a, accesses);
      side.versions.push_back(v);
      // Written by every point before anything is read: no copy.
      if (v.at_point && accesses[0].write && accesses[0].unguarded) continue;
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
    const std::vector<Expr> at = point(domain);
    std::vector<Expr> from;
    std::size_t next = 0;
    for (const Expr fixed : v.fixed) from.push_back(fixed ? fixed : at[next++]);
    set(v.name, domain, {v.name, at}, graph_.read(v.original, v.dtype, from), b.span, out);
  }

  // Reads and writes of versioned arrays go to the versions.
  std::vector<Expr> version_indices(const Version& v, std::span<const Expr> indices) const {
    std::vector<Expr> kept;
    for (std::size_t axis : v.axes) kept.push_back(indices[axis]);
    return kept;
  }

  const Version* find(const Side& side, Symbol array) const {
    for (const Version& v : side.versions)
      if (v.original == array) return &v;
    return nullptr;
  }

  Expr on_versions(const Side& side, Expr e) {
    // Bottom-up, so that an index that reads a versioned array is rewritten too.
    std::unordered_map<Expr, Expr> done;
    for (Expr n : ir::post_order(e)) {
      std::vector<Expr> args;
      for (Expr a : n->args()) args.push_back(done.at(a));
      const Version* v = n->op == ir::Op::Read ? find(side, n->name) : nullptr;
      if (!v) {
        done[n] = args.empty() ? n : graph_.with_args(n, args);
        continue;
      }
      const ir::view::Read r(n);
      const std::span<const Expr> indices(args.data(), r.indices.size());
      const std::vector<Expr> at = version_indices(*v, indices);
      done[n] = graph_.read(v->name, v->dtype, at, at.empty() ? ir::Policy::Error : r.policy,
                            r.fill ? args.back() : nullptr);
    }
    return done.at(e);
  }

  void run(const ir::Branch& b, Side& side, Body& out) {
    for (const Item& item : *side.body) {
      if (auto* s = std::get_if<ir::Statement>(&item.node)) {
        run_statement(b, side, *s, out);
        continue;
      }
      ir::Branch inner = std::get<ir::Branch>(item.node);
      const auto to_versions = [&](Symbol, Expr e) { return on_versions(side, e); };
      Item copy{inner};
      map_own_expressions(copy, to_versions);
      inner = std::get<ir::Branch>(copy.node);
      retarget(side, inner.then_body);
      retarget(side, inner.else_body);
      note_commits(side, std::get<ir::Branch>(item.node));
      split(inner, side.mask, out);
    }
  }

  // The body of an inner branch, on this side's versions.
  void retarget(const Side& side, Body& body) {
    const auto to_versions = [&](Symbol, Expr e) { return on_versions(side, e); };
    body = map_items(body, [&](Item item, Body& to) {
      map_own_expressions(item, to_versions);
      if (auto* s = std::get_if<ir::Statement>(&item.node))
        if (const Version* v = find(side, s->targets[0].array))
          s->targets[0] = {v->name, version_indices(*v, s->targets[0].indices)};
      to.push_back(std::move(item));
    });
  }

  // What an inner branch may have written is committed from this side's version wherever this side
  // ran: elements that it did not write still hold what they held before.
  void note_commits(Side& side, const ir::Branch& original) {
    for (const Body* body : {&original.then_body, &original.else_body})
      for (const Item& item : *body) {
        if (auto* inner = std::get_if<ir::Branch>(&item.node)) {
          note_commits(side, *inner);
        } else {
          const auto& s = std::get<ir::Statement>(item.node);
          ir::Statement ran = s;
          ran.domain.guard = side.mask;
          side.commits.push_back({ran, s.targets[0]});
        }
      }
  }

  void run_statement(const ir::Branch&, Side& side, const ir::Statement& s, Body& out) {
    ir::Statement ran = s;
    map_statement_expressions(ran, [&](Symbol, Expr e) { return on_versions(side, e); });
    const Version& v = *find(side, s.targets[0].array);
    ran.targets[0] = {v.name, version_indices(v, ran.targets[0].indices)};
    ran.domain.guard = keep_guard(side, s, ran.domain, out);
    side.commits.push_back({ran, s.targets[0]});
    out.push_back({std::move(ran)});
  }

  // The guard of a statement must still say the same when its writes are committed: if the branch
  // writes what it reads, it is kept in a mask of its own.
  Expr keep_guard(const Side& side, const ir::Statement& s, const ir::Domain& ran, Body& out) {
    if (!s.domain.guard) return side.mask;
    if (stable(s.domain.guard, side.branch_writes)) return both(raw_, side.mask, ran.guard);
    const Symbol mask =
        declare(std::string(s.label.text()) + ".mask", ir::DType::Bool, axes_of(s.domain), s.span);
    ir::Domain domain = s.domain;
    domain.guard = side.mask;
    set(mask, domain, {mask, point(domain)}, ran.guard, s.span, out);
    return both(raw_, side.mask, graph_.read(mask, ir::DType::Bool, point(domain)));
  }

  // An accumulation visits an element once per reduced point; its commit visits it once.
  static void drop_reduced(const ir::Target& target, Expr mask, ir::Domain& domain) {
    domain.guard = mask;
    std::erase_if(domain.ranges, [&](const ir::Range& r) {
      return std::none_of(target.indices.begin(), target.indices.end(),
                          [&](Expr e) { return ir::mentions(e, r.variable); });
    });
  }

  void commit(const Side& side, Body& out) {
    std::vector<std::pair<ir::Target, ir::Domain>> done;
    for (const Commit& c : side.commits) {
      const Version& v = *find(side, c.original.array);
      ir::Domain domain = c.statement.domain;
      if (c.statement.accumulate) drop_reduced(c.original, side.mask, domain);
      const bool repeated = std::any_of(done.begin(), done.end(), [&](const auto& d) {
        return d.first == c.original && same_ranges(d.second.ranges, domain.ranges) &&
               d.second.guard == domain.guard;
      });
      if (repeated) continue;
      done.push_back({c.original, domain});
      const Symbol label = graph_.fresh_symbol(std::string(c.statement.label.text()) + ".commit");
      set(label, domain, c.original,
          graph_.read(v.name, v.dtype, version_indices(v, c.original.indices)), c.statement.span,
          out);
    }
  }

  ir::Program& program_;
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
        if (splitter.can_split(*b)) {
          splitter.split(*b, nullptr, result);
          splitter.passed(item);
          continue;
        }
      } else if (auto* w = std::get_if<ir::When>(&item.node)) {
        w->then_body = walk(w->then_body);
        w->else_body = walk(w->else_body);
      } else if (auto* s = std::get_if<ir::Sweep>(&item.node)) {
        splitter.enter_loop(item);
        s->body = walk(s->body);
      } else if (auto* r = std::get_if<ir::Repeat>(&item.node)) {
        splitter.enter_loop(item);
        r->body = walk(r->body);
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
