// SPDX-License-Identifier: Apache-2.0
// Every access of the branch's side to the array is looked at; what they have in common makes the
// version small.

#include "passes/branch_versions.h"

#include <algorithm>
#include <unordered_map>

#include "ir/domain.h"

namespace lathe::passes {
namespace {

// One access of a branch to an array, in textual order.
struct Access {
  std::span<const Expr> indices;
  bool write;
  bool unguarded;       // a write by every point of the branch
  bool policy = false;  // a read that may leave the array: the version must keep its ranges
};

// Every access of a body to an array.
void collect(const Body& body, const ir::Branch& b, Symbol array, bool certain,
             std::vector<Access>& found) {
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
bool varies(Expr e, const std::set<Symbol>& inside) {
  const auto free = ir::free_variables(e);
  return !ir::reads(e).empty() ||
         std::any_of(free.begin(), free.end(), [&](Symbol v) { return inside.contains(v); });
}

// Variables that items bind, in their ranges and in reductions.
void note_variables(const Body& body, std::set<Symbol>& inside) {
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

std::set<Symbol> variables_inside(const ir::Branch& b) {
  std::set<Symbol> inside;
  note_variables({{b}}, inside);
  return inside;
}

}  // namespace

Version plan_version(ir::Graph& graph, const ir::Branch& b, const Body& side, const ir::Array& a) {
  std::vector<Access> accesses;
  collect(side, b, a.name, true, accesses);
  const std::set<Symbol> inside = variables_inside(b);
  Version v;
  v.original = a.name;
  v.dtype = a.dtype;
  const bool policies =
      std::any_of(accesses.begin(), accesses.end(), [](const Access& x) { return x.policy; });

  for (std::size_t axis = 0; axis < a.axes.size(); ++axis) {
    const Expr first = accesses[0].indices[axis];
    // The copy evaluates it even where the branch does not: it must not fail.
    const bool fixed = !policies && !varies(first, inside) && ir::to_pw_aff(first) &&
                       ir::to_pw_aff(first)->is_affine() &&
                       std::all_of(accesses.begin(), accesses.end(),
                                   [&](const Access& x) { return x.indices[axis] == first; });
    v.fixed.push_back(fixed ? first : nullptr);
    if (fixed) continue;
    v.axes.push_back(axis);
    v.declared.push_back(a.axes[axis]);
  }
  const std::vector<Expr> own = point(graph, b.domain);
  v.at_point = !policies && std::all_of(accesses.begin(), accesses.end(), [&](const Access& x) {
    return version_indices(v, x.indices) == own;
  });
  if (v.at_point) v.declared = axes_of(b.domain);
  v.set_first = v.at_point && accesses[0].write && accesses[0].unguarded;
  return v;
}

const Version* find_version(const std::vector<Version>& versions, Symbol array) {
  for (const Version& v : versions)
    if (v.original == array) return &v;
  return nullptr;
}

std::vector<Expr> version_indices(const Version& v, std::span<const Expr> indices) {
  std::vector<Expr> kept;
  for (std::size_t axis : v.axes) kept.push_back(indices[axis]);
  return kept;
}

Expr on_versions(ir::Graph& graph, const std::vector<Version>& versions, Expr e) {
  // Bottom-up, so that an index that reads a versioned array is rewritten too.
  std::unordered_map<Expr, Expr> done;
  for (Expr n : ir::post_order(e)) {
    std::vector<Expr> args;
    for (Expr a : n->args()) args.push_back(done.at(a));
    const Version* v = n->op == ir::Op::Read ? find_version(versions, n->name) : nullptr;
    if (!v) {
      done[n] = args.empty() ? n : graph.with_args(n, args);
      continue;
    }
    const ir::view::Read r(n);
    const std::span<const Expr> indices(args.data(), r.indices.size());
    const std::vector<Expr> at = version_indices(*v, indices);
    done[n] = graph.read(v->name, v->dtype, at, at.empty() ? ir::Policy::Error : r.policy,
                         r.fill ? args.back() : nullptr);
  }
  return done.at(e);
}

std::vector<Expr> point(ir::Graph& graph, const ir::Domain& d) {
  std::vector<Expr> p;
  for (const ir::Range& r : d.ranges) p.push_back(graph.index(r.variable));
  return p;
}

std::vector<ir::Axis> axes_of(const ir::Domain& d) {
  std::vector<ir::Axis> axes;
  for (const ir::Range& r : d.ranges) axes.push_back({r.variable, r.lo, r.hi});
  return axes;
}

}  // namespace lathe::passes
