// SPDX-License-Identifier: Apache-2.0
#pragma once
// Ranges of indices along one axis of the compute domain, 0..n, whatever n is.
//
//   i in 0..n            {0} .. {n}            reading x[-1]:  {-1} .. {n-1}
//   region[I[-1], :]     {max(0, n-1)} .. {n}  reading x[-1]:  {max(-1, n-2)} .. {n-1}

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "ir/build.h"

namespace lathe::stencil {

// A lower end: the larger of `start` and n + `end`, of which at least one is there. An upper end:
// the smaller of them.
struct Edge {
  std::optional<std::int64_t> start, end;
  friend bool operator==(const Edge&, const Edge&) = default;
};

class Extent {
 public:
  Extent() = default;  // nothing
  Extent(Edge lo, Edge hi) : lo_{lo}, hi_{hi} {}
  static Extent domain() { return {{0, {}}, {{}, 0}}; }

  bool empty() const { return lo_.empty(); }
  Extent shifted(std::int64_t by) const;
  Extent clipped(Edge lo, Edge hi) const;
  void add(const Extent& other);  // the smallest range around both

  // How far it reaches beyond 0..n when n is large: {2, 1} for -2..n+1; may be negative. Nothing
  // for a side that hangs on the other end.
  std::optional<std::int64_t> below() const, above() const;

  // lo and hi for an axis of n points.
  std::pair<std::int64_t, std::int64_t> bounds(std::int64_t n) const;
  // One number per side, from the start below and from the end above: at least as much, for all n
  // of at least `least`.
  Extent flattened(std::int64_t least) const;
  // What is the same for all n of at least `least`, said shorter.
  void settle(std::int64_t least);

  ir::Expr lo(const ir::Build& build, ir::Expr n) const;
  ir::Expr hi(const ir::Build& build, ir::Expr n) const;
  friend bool operator==(const Extent&, const Extent&) = default;

 private:
  std::vector<Edge> lo_, hi_;  // the smallest of these, the largest of those
};

}  // namespace lathe::stencil
