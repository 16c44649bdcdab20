// SPDX-License-Identifier: Apache-2.0
#pragma once
// The ranges of items that compute extended temporaries, as they grow; and the answer made of them.

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "analysis/extents.h"
#include "analysis/needs.h"

namespace lathe::analysis {

class WidenedRanges {
 public:
  explicit WidenedRanges(const ir::Program& program);

  bool any() const { return !declared_.empty(); }
  bool is_extended(Symbol array) const { return declared_.count(array) != 0; }
  bool is_extended(Symbol array, std::size_t axis) const {
    return program_.find_array(array)->is_extended_along(axis);
  }
  const Region& declared(Symbol array) const { return declared_.at(array); }

  // lo and hi of an item's range, widened as far as is known.
  using Interval = std::pair<ir::PwAff, ir::PwAff>;
  Interval interval_of(Symbol label, const ir::Range& range) const;
  bool is_widened(Symbol label, const ir::Range& range) const;
  ir::SetExpr set_of(Symbol label, const ir::Range& range) const;

  // The item's ranges that span an axis of its target's declared range grow to what is needed.
  void widen(Symbol label, const std::vector<ir::Range>& ranges, const ir::Target& target,
             const Region& need);
  // Branches and loops contain the items in them.
  void contain_all(Symbol outer, const std::vector<ir::Range>& ranges, const ir::Body& items);

  // Nothing, and an error, when a range would depend on data.
  std::optional<Extents> answer(Diagnostics& diagnostics) const;

 private:
  void contain(Symbol outer, const std::vector<ir::Range>& outer_ranges, Symbol inner);

  const ir::Program& program_;
  Needs declared_, written_;
  std::map<std::pair<Symbol, Symbol>, Interval> ranges_;  // by label and variable
};

// Does the index move with the variable?
bool mentions(const ir::PwAff& index, const std::string& variable);

}  // namespace lathe::analysis
