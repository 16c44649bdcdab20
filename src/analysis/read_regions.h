// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which region of an extended temporary does an expression read?

#include <optional>

#include "analysis/lazy_reads.h"
#include "analysis/sets.h"
#include "analysis/widened_ranges.h"
#include "base/function_ref.h"

namespace lathe::analysis {

struct ReadRegion {
  Symbol array;
  Region region;                       // the declared range included
  bool of_this_round = true;           // not at another value of a sequential loop's counter
  std::optional<ir::PwAff> unbounded;  // an affine index over a range without bounds: an error
};

class ReadRegions {
 public:
  ReadRegions(const ir::Program& program, const WidenedRanges& widened)
      : program_(program), widened_(widened), sizes_(size_context(program)) {}

  // Calls f for every read below `e` that may reach beyond the declared range of an extended
  // temporary. A policy speaks of that range, so reads with one do not.
  void for_each(ir::Expr e, const Scope& scope, FunctionRef<void(const ReadRegion&)> f);

 private:
  bool is_inside(const ir::PwAff& index, const ir::PwAff& lo, const ir::PwAff& hi,
                 const ir::SetExpr& points);

  const ir::Program& program_;
  const WidenedRanges& widened_;
  SetQuery query_;
  ir::SetExpr sizes_;
};

}  // namespace lathe::analysis
