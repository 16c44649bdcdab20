// SPDX-License-Identifier: Apache-2.0
// Reads at places that other reads say. No test before a vector loop can vouch for them, so the
// lanes test them where they happen, all at once; the first lane that lies outside faults:
//
//                                   vector i in 0..m by 8:
//   for i in 0..m:                    let t = idx[i]
//     v[i] = u[idx[i]]       =>       if not (0 <= t and t < n):
//                                       fault 0 (t)
//                                     v[i] = u[t]
//
// Point by point the test costs a branch and keeps everything else of the loop out of vectors.

#include <algorithm>

#include "ir/traverse.h"
#include "lower/lowering.h"

namespace lathe::lower {

std::vector<ir::Axis> Lowering::axes_of(Symbol buffer) const {
  if (const auto it = buffer_axes_.find(buffer); it != buffer_axes_.end()) return it->second;
  const ir::Array* a = nest_.program.find_array(buffer);
  return a ? a->axes : std::vector<ir::Axis>{};
}

// The reads of a vector loop that test themselves; all others lie where vector_safety() can say
// whether they are in range. None if one of them happens only under conditions: its lanes that are
// off have no place to read from. None either if they may fault at different points, since lanes
// would do one test for all points before the other one, and not report the first point.
std::unordered_set<Expr> Lowering::tested_in_lanes(Symbol v, const std::vector<Task>& tasks) {
  if (options_.watch) return {};
  std::unordered_set<Symbol> inner;  // scalars of the loop's own iterations
  std::vector<Expr> roots;
  for (const Task& t : tasks) {
    if (t.assign) inner.insert(t.target);
    roots.push_back(t.value);
    roots.insert(roots.end(), t.conditions.begin(), t.conditions.end());
    roots.insert(roots.end(), t.indices.begin(), t.indices.end());
  }
  const auto differs = [&](Expr index) {
    const std::vector<Expr> nodes = ir::post_order(index);
    return std::any_of(nodes.begin(), nodes.end(), [&](Expr e) {
      return e->op == Op::Index ? e->name == v : e->op == Op::Param && inner.count(e->name) > 0;
    });
  };
  const auto by_data = [&](Expr index) {
    return differs(index) && (!coefficient(index, v) || !ir::reads(index).empty());
  };
  const std::unordered_set<Expr> certain = unconditional(tasks);
  std::unordered_set<Expr> found;
  Expr first = nullptr;
  const auto alike = [&](Expr a, Expr b) {
    const std::vector<ir::Axis> x = axes_of(a->name), y = axes_of(b->name);
    return std::equal(a->args().begin(), a->args().end(), b->args().begin(), b->args().end()) &&
           std::equal(
               x.begin(), x.end(), y.begin(), y.end(),
               [](const ir::Axis& p, const ir::Axis& q) { return p.lo == q.lo && p.hi == q.hi; });
  };
  for (Expr e : ir::post_order(roots)) {
    if (e->op != Op::Read || e->policy != ir::Policy::Error || e->arg_count == 0) continue;
    if (std::none_of(e->args().begin(), e->args().end(), by_data)) continue;
    if (!certain.count(e) || !checked_reads_.count(e) || (first && !alike(first, e))) return {};
    if (!first) first = e;
    found.insert(e);
  }
  return found;
}

// The same with every read in range, but for those that are tested.
Expr Lowering::trusted_but(const std::unordered_set<Expr>& tested, Expr root) {
  return ir::rewrite(maker_, root, [&](Expr x) -> Expr {
    if (x->op != Op::Read || x->policy != ir::Policy::Error || x->arg_count == 0) return nullptr;
    std::vector<Expr> indices;
    for (Expr i : x->args()) indices.push_back(trusted_but(tested, i));
    const bool asks = tested.count(x) > 0;
    const Expr read =
        graph_.read(x->name, x->dtype, indices, asks ? ir::Policy::Error : ir::Policy::Trusted);
    if (asks) rename_checked(x, read);
    return read;
  });
}

// A checked read in other words: it reports what the first one reports.
void Lowering::rename_checked(Expr read, Expr renamed) {
  const auto own = checked_reads_.find(read);
  if (read == renamed || own == checked_reads_.end()) return;
  const std::pair told = own->second;
  if (!checked_reads_.emplace(renamed, told).second) return;
  if (const auto site = read_sites_.find({told.first, read}); site != read_sites_.end())
    read_sites_.emplace(std::pair(told.first, renamed), site->second);
}

}  // namespace lathe::lower
