// SPDX-License-Identifier: Apache-2.0
#pragma once
// The wall in front of isl: the isl_*.cpp files alone include it. Takes affine sets only
// (analysis/linear.h makes them), knows nothing of contexts, reads or opaque conditions. Nothing is
// answered when the operation budget runs out or isl reports an error.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/loop_nest.h"
#include "ir/domain.h"

namespace lathe::analysis {

struct Extreme {
  ir::PwAff value;
  bool exact = true;  // false: a bound that may never be attained
};

class IslSets {
 public:
  explicit IslSets(long max_operations);
  ~IslSets();

  std::optional<bool> is_empty(const ir::SetExpr& s);
  std::optional<bool> is_subset(const ir::SetExpr& a, const ir::SetExpr& b);
  // Are all parameter values that give `a` a point among those that give `b` one?
  std::optional<bool> parameters_subset(const ir::SetExpr& a, const ir::SetExpr& b);
  // The largest (or smallest) value of e in s, in parameters.
  std::optional<Extreme> extreme(const ir::PwAff& e, const ir::SetExpr& s, bool largest);
  std::optional<ir::SetExpr> gist(const ir::SetExpr& s, const ir::SetExpr& context);
  std::optional<std::vector<std::vector<std::int64_t>>> points(
      const ir::SetExpr& s, const std::vector<std::string>& order, std::size_t max_points);
  std::optional<LoopNest> scan(const ir::SetExpr& s, const std::vector<std::string>& order,
                               const ir::SetExpr& context);

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

}  // namespace lathe::analysis
