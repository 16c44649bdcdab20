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
//   v[i] = select(c, sqrt(u[i]) + r[i-1], u[i])  var t = 0.0
//   where c: w[i] = r[i-1]                       let t.1 = u[i]
//                                                if c:
//   (r[i-1] is risky)                              let t.2 = r[i-1]
//                                                  t = sqrt(t.1) + t.2
//                                                  w[i] = t.2
//                                                else:
//                                                  t = t.1
//                                                v[i] = t
//
// Rules:
// * Conditions of a node are an ordered list; each is evaluated only where those before it hold.
//   The conditions of a task, and the parts of a conjunction, are sorted: tests of bounds
//   (comparisons of indices and parameters alone) before others, but never before a test that may
//   end the call. A node used in several places has the common prefix of the conditions of its
//   uses. A node that is a condition is computed at the level of the list that stands before it.
// * What may lie outside its buffer (see `risky`), and what is made of it, is never evaluated where
//   the program does not: uses without a common test make it be computed once for each of them.
//   Unless conditions of its own, as in gate(1 <= i, r[i-1]), keep it inside: then the gate may
//   stand anywhere. (`axes_of` must be there to see that.)
// * Other reads lie inside at all points of their statement. A loop may run over more: the first
//   conditions of a task, its domain, say which points are the statement's. Such a read is
//   evaluated where the domain of one of its uses holds; uses whose common prefix says less than
//   every domain, as [k < m] and [1 <= k, k < m], have a read each.
// * select(c, a, b) puts c (not c) behind its own conditions for what only a (b) needs, when that
//   is worth a branch: when a side holds something risky, or when what stands under c there comes
//   to more than kWorthABranch operations (a division counts 4, an elementary function 8).
//   Otherwise it stays an expression. `and`, `or`, gate likewise.
// * Order: bottom-up from the tasks, uses before definitions, a ready list, least cost first: cost
//   = {conditions to leave, conditions to enter}, change of live registers (with one step of
//   looking ahead while few are ready), time in the ready list.
// * Reads of a buffer stay between the tasks that write that buffer before and after them in
//   program order, unless both indices are constants apart. Stores to one buffer keep their order.
//   A read of exactly the element that an earlier task writes takes that task's value, if the task
//   happens always or its conditions are a prefix of the reading task's.
// * A guard that the conditions around already decide is dropped (same node, or its negation;
//   comparisons `e < a` imply `e < a + k`), and so are tests of checked reads.
// * A node that is used once and is no long chain stays inside its user's expression, so that the C
//   text reads like the program. Checked reads with tests left get a scalar.
// * Of several faults, any may be the one that is met; tasks before it may or may not have
// happened.
//
// Near linear in the number of operations, without recursion, and the same in every run. Nesting is
// not limited for what is risky; other branches nest 48 deep at most.

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
  std::size_t domain = 0;        // so many of them, the first, are its domain
  Symbol target;                 // a buffer, or with `assign` a Var; tasks read it as a Param
  bool assign = false;
  bool stream = false;
  std::vector<Expr> indices;
  Expr value = nullptr;     // of the buffer's dtype
  Symbol label;             // of the statement: for names and comments
  std::size_t segment = 0;  // only tasks of one segment are ordered together
};

struct OrderOptions {
  // For vector loops: no `if`. Conditions of stores become `select(c, value, what is there)`, lazy
  // operations stay operations: the caller knows that everything may be evaluated. Checked reads
  // are tested in every lane.
  bool flat = false;
  // Reads of one element after another - the last index differs by 0, 1 ... w - 1, w = 2, 3 or 4,
  // all of them there, under the same conditions - become one VectorLoad. Not when flat.
  bool channels = false;
  // Reads that may only happen where the program has them happen: by default those with policy
  // Error. They become Trusted reads behind a test and a Fault.
  // `site_of(read)` gives the number of the Fault's site. Null when there are none. It and `risky`
  // are asked about reads as the tasks have them.
  FunctionRef<std::size_t(Expr read)>* site_of = nullptr;
  // In range for all points of the task's domain: Trusted reads whose evaluation there is harmless.
  // Reads that are not known to be (policy Trusted but `risky` says true) only happen under their
  // conditions.
  FunctionRef<bool(Expr read)>* risky = nullptr;
  // Reads of what other threads may write meanwhile: wherever the program does not have them they
  // would be races. Not asked when flat.
  FunctionRef<bool(Expr read)>* is_shared = nullptr;
  // The declared range of a buffer, for tests: lo and hi per axis. Must be there for checked reads
  // and for `inside`.
  FunctionRef<std::vector<ir::Axis>(Symbol buffer)>* axes_of = nullptr;
  // Checked reads that are tested by statements of the caller's own: `watch(read, indices, out)`
  // writes them, right before the read happens. Null when there are none.
  FunctionRef<bool(Expr read)>* is_watched = nullptr;
  FunctionRef<void(Expr read, const std::vector<Expr>& indices, loops::Body& out)>* watch = nullptr;
};

// Expressions of the tasks have no Reduce and no policies but Error and Trusted. Names of new
// scalars are fresh in the graph.
loops::Body order_body(ir::Maker& maker, const std::vector<Task>& tasks,
                       const OrderOptions& options);

}  // namespace lathe::lower
