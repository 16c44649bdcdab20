// SPDX-License-Identifier: Apache-2.0
#pragma once
// The ranges of a domain, run through in order: the last one as rows.

#include <memory>
#include <vector>

#include "interp/row_program.h"

namespace lathe::interp {

struct Interval {
  std::int64_t lo = 0, hi = 0;
  bool empty() const { return hi <= lo; }
  std::int64_t length() const { return hi <= lo ? 0 : hi - lo; }
};

class Nest {
 public:
  Nest(Space& space, std::vector<ir::Range> ranges);

  std::size_t levels() const { return ranges_.size(); }
  const std::vector<ir::Range>& ranges() const { return ranges_; }
  // The variable of the rows; none when there are no ranges, and then there is one row of one
  // point.
  Symbol row_variable() const { return ranges_.empty() ? Symbol() : ranges_.back().variable; }
  // The bounds of a level, with the variables before it at their present values. Throws a Fault.
  Interval bounds(std::size_t level);
  void set(std::size_t level, std::int64_t x) { space_.value(variables_[level]) = x; }

  // Calls row(lo, hi) for each row in order.
  template <class F>
  void for_each_row(F&& row) {
    walk(0, row);
  }
  // For each variable the lowest and one past the highest value that it takes; all empty when
  // there is no point.
  std::vector<Interval> hull();

 private:
  template <class F>
  void walk(std::size_t level, F& row) {
    if (ranges_.empty()) return row(std::int64_t{0}, std::int64_t{1});
    const Interval i = bounds(level);
    if (level + 1 == ranges_.size()) {
      if (!i.empty()) row(i.lo, i.hi);
      return;
    }
    for (std::int64_t x = i.lo; x < i.hi; ++x) {
      set(level, x);
      walk(level + 1, row);
    }
  }

  Space& space_;
  std::vector<ir::Range> ranges_;
  std::vector<Id> variables_;
  std::vector<std::unique_ptr<RowProgram>> bounds_;  // made when first asked for
};

// Calls piece(first, n) for lo..hi in pieces of at most kRow points.
template <class F>
void for_each_piece(std::int64_t lo, std::int64_t hi, F&& piece) {
  for (std::int64_t first = lo; first < hi;) {
    const std::int64_t n = std::min(hi - first, static_cast<std::int64_t>(kRow));
    piece(first, static_cast<std::size_t>(n));
    first += n;
  }
}

}  // namespace lathe::interp
