// SPDX-License-Identifier: Apache-2.0
#pragma once
// The straight-line code of one point of a loop: document 000's list scheduling.
//
// In come tasks - stores and assignments, in the order in which the program has them, each with the
// conditions under which it happens. Out come statements of Loops: every shared operation is
// computed once, nothing is computed or read where nobody needs it, and what happens under one
// condition stands together in one `if`.
//
//   tasks                                        body
//   v[i] = select(c, sqrt(u[i]) + u[i-1], u[i])  let t.0 = u[i]
//   where c: w[i] = u[i-1]                       var t.1: f64 = ...
//                                                if c:
//                                                  let t.2 = u[i-1]
//                                                  t.1 = sqrt(t.0) + t.2
//                                                  w[i] = t.2
//                                                else:
//                                                  t.1 = t.0
//                                                v[i] = t.1
//
// Rules:
// * Conditions of a node are an ordered list, tests of bounds (comparisons of indices and
//   parameters alone) before others. A node used in several places has the common prefix of the
//   conditions of its uses. Nodes that are conditions are computed unconditionally at the level
//   of the list that stands before them.
// * select(c, a, b) puts c (not c) before what only a (b) needs, when that is worth a branch: when
//   a side holds something that must not be evaluated otherwise (see `risky`), or more than
//   kWorthABranch operations. Otherwise it stays an expression. `and`, `or`, gate likewise.
// * Order: bottom-up from the tasks, uses before definitions, a ready list, least cost first: cost
//   = {conditions to leave, conditions to enter}, change of live registers (with one step of
//   looking ahead), time in the ready list.
// * Reads of a buffer stay between the tasks that write that buffer before and after them in
//   program order, unless both indices are constants apart. A read of exactly the element that an
//   earlier task of the list writes unconditionally takes that task's value.
// * A guard that the conditions around already imply is dropped (same node, or its negation
//   excluded; comparisons `e < a` imply `e < a + k`).
// * A node that is used once, is not risky and is no long chain stays inside its user's expression,
//   so that the C text reads like the program.

#include <cstddef>
#include <vector>

#include "base/function_ref.h"
#include "ir/build.h"
#include "ir/loops.h"

namespace lathe::lower {

using ir::Expr;
using ir::Symbol;

inline constexpr std::size_t kWorthABranch = 8;

struct Task {
  std::vector<Expr> conditions;  // all hold; none: always
  Symbol target;                 // a buffer, or with `assign` a Var
  bool assign = false;
  bool stream = false;
  std::vector<Expr> indices;
  Expr value = nullptr;
  Symbol label;  // of the statement: for names and comments
};

struct OrderOptions {
  // For vector loops: no `if`. Conditions of stores become `select(c, value, what is there)`, lazy
  // operations stay operations: the caller knows that everything may be evaluated.
  bool flat = false;
  // Reads of one element after another - the last index differs by 0, 1 ... w - 1, w = 2, 3 or 4,
  // all of them there, under the same conditions - become one VectorLoad. Not when flat.
  bool channels = false;
  // Reads that may only happen where the program has them happen: by default those with policy
  // Error. They become Trusted reads behind a test and a Fault.
  // `site_of(read)` gives the number of the Fault's site. Null when there are none.
  FunctionRef<std::size_t(Expr read)>* site_of = nullptr;
  // In range for all points: Trusted reads whose evaluation elsewhere is harmless. Reads that are
  // not known to be (policy Trusted but `risky` says true) only happen under their conditions.
  FunctionRef<bool(Expr read)>* risky = nullptr;
  // The declared range of a buffer, for tests: lo and hi per axis.
  FunctionRef<std::vector<ir::Axis>(Symbol buffer)>* axes_of = nullptr;
};

// Expressions of the tasks have no Reduce and no policies but Error and Trusted. Names of new
// scalars are fresh in the graph.
loops::Body order_body(ir::Maker& maker, const std::vector<Task>& tasks,
                       const OrderOptions& options);

}  // namespace lathe::lower
