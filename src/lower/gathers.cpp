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
//
// A gather out of memory waits for one line after the other, as many at a time as the processor
// sees ahead. A prefetch asks for those of later points:
//
//   let mid = select(n*8 > 8388608, m-128 & -8, 0)
//   vector i in 0..mid by 8:
//     prefetch u[idx[i+128]]
//     ...
//   vector i in mid..m by 8:
//     ...

#include <algorithm>

#include "ir/index_form.h"
#include "ir/traverse.h"
#include "lower/lowering.h"

namespace lathe::lower {
namespace {

// Bytes of an array. Up to here its lines and the pages that they lie on are at hand: prefetches
// cost up to a third of the time. With three times as much they save a third (Zen 5, one thread).
constexpr std::int64_t kCached = std::int64_t{8} << 20;

std::vector<Expr> roots_of_tasks(const std::vector<Task>& tasks) {
  std::vector<Expr> roots;
  for (const Task& t : tasks) {
    roots.push_back(t.value);
    roots.insert(roots.end(), t.conditions.begin(), t.conditions.end());
    roots.insert(roots.end(), t.indices.begin(), t.indices.end());
  }
  return roots;
}

// Indices in a loop over v whose iterations set scalars.
class Indices {
 public:
  Indices(Symbol v, const std::vector<Task>& tasks) : v_(v) {
    for (const Task& t : tasks)
      if (t.assign) inner_.insert(t.target);
  }
  bool is_inner(Expr e) const { return e->op == Op::Param && inner_.count(e->name) > 0; }
  // Does it differ from point to point, in no way that bounds could tell?
  bool by_data(Expr index) const {
    const std::vector<Expr> nodes = ir::post_order(index);
    const bool differs = std::any_of(nodes.begin(), nodes.end(), [&](Expr e) {
      return (e->op == Op::Index && e->name == v_) || is_inner(e);
    });
    return differs && (!coefficient(index, v_) || !ir::reads(index).empty());
  }

 private:
  Symbol v_;
  std::unordered_set<Symbol> inner_;
};

}  // namespace

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
  const Indices indices(v, tasks);
  const auto by_data = [&](Expr index) { return indices.by_data(index); };
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
  for (Expr e : ir::post_order(roots_of_tasks(tasks))) {
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

Lowering::Ahead Lowering::ahead_of_gathers(Symbol v, const std::vector<Task>& tasks) {
  Ahead out;
  if (jam_ || prefetches_.empty()) return out;
  const Indices indices(v, tasks);
  const std::unordered_set<Expr> certain = unconditional(tasks);
  std::set<Symbol> written;
  for (const Task& t : tasks)
    if (!t.assign) written.insert(t.target);
  // Later points of the loop read there too, so whatever the index reads is in range and set.
  const auto can_look_up = [&](Expr index) {
    const std::vector<Expr> nodes = ir::post_order(index);
    return ir::is_quick(index) && std::all_of(nodes.begin(), nodes.end(), [&](Expr e) {
             return !indices.is_inner(e) &&
                    (e->op != Op::Read ||
                     (e->policy == ir::Policy::Trusted && written.count(e->name) == 0));
           });
  };
  for (const Node* p : prefetches_) {
    const ir::Array* array = nest_.program.find_array(p->name);
    const Symbol buffer = buffer_of(p->name);
    if (p->next || !array) continue;
    const auto size = static_cast<std::int64_t>(ir::size_bytes(array->dtype));
    const std::int64_t points = p->bytes / size;
    const std::vector<std::size_t> layout = layout_of(p->name);
    Expr bytes = i64(size);
    for (const ir::Axis& axis : axes_of(buffer))
      bytes = build_.mul(ranges_.tidy(build_.sub(axis.hi, axis.lo)), bytes);
    const Expr pays = build_.lt(i64(kCached), bytes);
    if (ir::is_const(pays) && !pays->scalar().as_bool()) continue;
    const std::size_t before = out.prefetches.size();
    for (Expr e : ir::post_order(roots_of_tasks(tasks))) {
      if (e->op != Op::Read || e->name != buffer || e->arg_count == 0 || !certain.count(e))
        continue;
      const std::span<const Expr> at = e->args();
      const Expr contiguous = at[layout.empty() ? at.size() - 1 : layout.back()];
      if (coefficient(contiguous, v) == 1 || written.count(buffer) ||
          std::none_of(at.begin(), at.end(), [&](Expr x) { return indices.by_data(x); }) ||
          !std::all_of(at.begin(), at.end(), can_look_up))
        continue;
      std::vector<Expr> later;
      for (Expr x : at)
        later.push_back(
            ranges_.tidy(ir::rename(maker_, x, {{v, ranges_.add(graph_.index(v), points)}})));
      out.prefetches.push_back({loops::Prefetch{buffer, std::move(later)}});
    }
    if (out.prefetches.size() == before) continue;
    out.points = std::max(out.points, points);
    out.pays = out.pays ? build_.logical_or(out.pays, pays) : pays;
  }
  return out;
}

}  // namespace lathe::lower
