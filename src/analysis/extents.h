// SPDX-License-Identifier: Apache-2.0
#pragma once
// On which region must each `extended` temporary be computed?
//
// The box hull of what later statements read, and of its declared range: found by walking
// backwards, since a statement that is widened reads more itself. Only ranges that span the
// temporary's declared axis are widened (a statement over part of an axis - one K interval of
// several - keeps that range), and only those of statements that write nothing but extended
// temporaries. Document 004's example:
//
//   temp u: f64[i: ni, j: nj] extended                    u: i -2..ni+1, j -2..nj
//   for i in 0..ni, j in 0..nj: u[i, j] = 1               i in -2..ni+1, j in -2..nj
//   for i in 0..ni, j in 0..nj: b[i, j] = u[i-2, j] + u[i+1, j] + u[i, j-1] + u[i, j-2]

#include <optional>
#include <vector>

#include "base/diagnostics.h"
#include "ir/program.h"

namespace lathe::analysis {

struct Extents {
  struct Widened {
    Symbol label;  // of a statement, group, branch, while or scan
    std::vector<ir::Range> ranges;
  };
  struct Resized {
    Symbol array;
    std::vector<ir::Axis> axes;
  };
  std::vector<Widened> items;   // only those that change, in textual order
  std::vector<Resized> arrays;  // every extended temporary

  const Widened* find(Symbol label) const;
  const Resized* find_array(Symbol array) const;
};

// Nothing, and an error for each reason: a region that grows with every iteration of a loop; a read
// that no region bounds; a widened statement that shares a loop with an output.
std::optional<Extents> compute_extents(const ir::Program& program, Diagnostics& diagnostics);

}  // namespace lathe::analysis
