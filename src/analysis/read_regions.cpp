// SPDX-License-Identifier: Apache-2.0
#include "analysis/read_regions.h"

namespace lathe::analysis {

using ir::Expr;
using ir::PwAff;

bool ReadRegions::is_inside(const PwAff& index, const PwAff& lo, const PwAff& hi,
                            const ir::SetExpr& points) {
  using ir::Comparison;
  const ir::SetExpr inside =
      ir::SetExpr::intersection({ir::SetExpr::compare(lo, Comparison::Le, index),
                                 ir::SetExpr::compare(index, Comparison::Lt, hi)});
  return query_.is_subset(points, inside, sizes_) == Proof::Yes;
}

void ReadRegions::for_each(Expr e, const Scope& scope, FunctionRef<void(const ReadRegion&)> f) {
  for_each_read(program_, e, scope, [&](Expr read, const Scope& at) {
    const ir::view::Read v(read);
    if (!widened_.is_extended(v.array)) return;
    if (v.policy != ir::Policy::Error && v.policy != ir::Policy::Trusted) return;
    // Where no point is, nothing is read, and there are no bounds to find.
    if (query_.is_empty(at.set, sizes_) == Proof::Yes) return;
    ReadRegion r;
    r.array = v.array;
    r.region = widened_.declared(v.array);
    for (std::size_t k = 0; k < v.indices.size(); ++k) {
      const auto index = ir::to_pw_aff(v.indices[k]);
      for (const std::string& counter : scope.sequential)
        if (index && mentions(*index, counter) && !(*index == PwAff::var(counter)))
          r.of_this_round = false;
      if (!widened_.is_extended(v.array, k)) continue;  // whether it is inside is for check_access
      const Bounds bounds = index ? query_.bounds(*index, at.set, sizes_) : Bounds{};
      if (!bounds.lower || !bounds.upper) {
        // The index depends on data or the region is not known: within the declared range.
        if (index && index->is_affine() && !r.unbounded) r.unbounded = index;
        continue;
      }
      const PwAff lo = lower_of(r.region.lo[k], *bounds.lower);
      const PwAff hi = upper_of(r.region.hi[k], *bounds.upper + PwAff::integer(1));
      // t[0] in a loop over 0..n is inside of 0..n wherever it is read, though max(n, 1) is not n.
      const bool wider = !(lo == r.region.lo[k] && hi == r.region.hi[k]);
      if (wider && is_inside(*index, r.region.lo[k], r.region.hi[k], at.set)) continue;
      r.region.lo[k] = lo;
      r.region.hi[k] = hi;
    }
    f(r);
  });
}

}  // namespace lathe::analysis
