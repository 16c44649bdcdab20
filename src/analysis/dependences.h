// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which points of which statements must stay in order?
//
// A dependence says: some point x of the source and a point y of the sink, later in the program,
// touch one element, and at least one of them writes it. Loop variables are matched by name: the
// distance is y - x in the variables that both have. Sweeps and repeats count as loops around: a
// dependence may go from one round to the next, also from a statement to itself or an earlier one.
//
//   for i in 0..n: t[i] = u[i]
//   for i in 0..n: v[i] = t[i-1]       flow t: i +1

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/access.h"
#include "analysis/sets.h"

namespace lathe::analysis {

enum class DependenceKind { Flow, Anti, Output };  // write-read, read-write, write-write

struct Dependence {
  DependenceKind kind = DependenceKind::Flow;
  Symbol source, sink, array;
  std::vector<std::string> variables;  // those that both have, in the source's order
  // One per variable when it is the same for all pairs of points.
  std::optional<std::vector<std::int64_t>> distance;
  // Otherwise the pairs, the sink's variables with a prime, and perhaps more: what cannot be said
  // in sets is left out. Nothing when nothing is known.
  std::optional<SetExpr> relation;
  // Of an accumulation on itself, by its old content and its writes alone: what its values and
  // conditions read has no part in it.
  bool accumulates = false;

  bool same_point() const;  // distance known and zero everywhere
};

// Dependences from `source` to `sink`, both executed in this order with no loop in between; empty
// when there is none for any size.
std::vector<Dependence> dependences(const ir::Program& program, const StatementAccess& source,
                                    const StatementAccess& sink, SetQuery& query);
// All of the program, in textual order of source, then sink.
std::vector<Dependence> dependences(const ir::Program& program, SetQuery& query);

// Do `first` and `second` touch `array` only at equal values of all their loop variables? False
// when not shown, and when they have different variables.
bool same_point_only(const ir::Program& program, Symbol first, Symbol second, Symbol array,
                     SetQuery& query);

std::string to_text(const Dependence& d);

}  // namespace lathe::analysis
