// SPDX-License-Identifier: Apache-2.0
// Bounds are expressions of the variables before them, evaluated each time they are asked for.

#include "interp/nest.h"

#include <algorithm>

#include "ir/traverse.h"

namespace lathe::interp {

Nest::Nest(Space& space, std::vector<ir::Range> ranges)
    : space_(space), ranges_(std::move(ranges)), bounds_(ranges_.size()) {
  for (const ir::Range& r : ranges_) variables_.push_back(space.variable(r.variable));
}

Interval Nest::bounds(std::size_t level) {
  const ir::Range& range = ranges_[level];
  if (!bounds_[level])
    bounds_[level] = std::make_unique<RowProgram>(space_, std::vector<Expr>{range.lo, range.hi},
                                                  std::vector<ir::Target>{}, Symbol(), false);
  RowProgram& rows = *bounds_[level];
  rows.start();
  rows.run(0, 1);
  if (rows.faulty())
    for (std::size_t root : {0u, 1u})
      if (rows.root_fault(root, 0)) rows.explain_root(root, 0);
  return {ir::Scalar::load(range.lo->dtype, rows.row(0)).as_int(),
          ir::Scalar::load(range.hi->dtype, rows.row(1)).as_int()};
}

std::vector<Interval> Nest::hull() {
  const auto is_own = [&](Symbol v) {
    return std::any_of(ranges_.begin(), ranges_.end(),
                       [&](const ir::Range& r) { return r.variable == v; });
  };
  bool box = true;
  for (const ir::Range& r : ranges_)
    for (Expr bound : {r.lo, r.hi})
      for (Symbol v : ir::free_variables(bound)) box = box && !is_own(v);

  std::vector<Interval> hull(ranges_.size());
  if (box) {
    for (std::size_t level = 0; level < ranges_.size(); ++level) hull[level] = bounds(level);
    const bool none = std::any_of(hull.begin(), hull.end(), [](Interval i) { return i.empty(); });
    if (none) hull.assign(ranges_.size(), {});
    return hull;
  }
  bool first = true;
  for_each_row([&](std::int64_t lo, std::int64_t hi) {
    set(ranges_.size() - 1, lo);
    for (std::size_t level = 0; level < ranges_.size(); ++level) {
      const std::int64_t x = space_.value(variables_[level]);
      const bool last = level + 1 == ranges_.size();
      const Interval here = last ? Interval{lo, hi} : Interval{x, x + 1};
      hull[level] =
          first ? here
                : Interval{std::min(hull[level].lo, here.lo), std::max(hull[level].hi, here.hi)};
    }
    first = false;
  });
  return hull;
}

}  // namespace lathe::interp
