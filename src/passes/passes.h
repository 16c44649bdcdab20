// SPDX-License-Identifier: Apache-2.0
#pragma once
// The passes over Program, in pipeline order, and the mechanisms. Each is a pure function and keeps
// every bit of every output, inout and state. src/pipeline.cpp is the one place where the order of
// passes is written; the driver there verifies after each.

#include <string>
#include <variant>
#include <vector>

#include "base/diagnostics.h"
#include "ir/program.h"

namespace lathe::passes {

// ---- Passes: what never costs anything, so it runs before any decision.

// Widens the statements that write `extended` temporaries to what later statements read, and their
// declared ranges with them. Throws UserError where a region would grow with each iteration.
//   temp t: f64[i: n] extended             temp t: f64[i: -1..n]
//   for i in 0..n: t[i] = u[i]        =>   for i in -1..n: t[i] = u[i]
//   for i in 0..n: v[i] = t[i-1]           for i in 0..n: v[i] = t[i-1]
ir::Program compute_extents(const ir::Program& program);

// Simplifies every expression by the exact rules; drops guards that are true and items that can
// never run (guard false, constant empty range, `when false`).
ir::Program simplify(const ir::Program& program);

// A group that writes temporaries and also what the caller sees becomes one statement per line, so
// that each array can have a place of its own. Locals go into the lines that read them.
//   for i in 0..n:
//     local c: f64
//     c = u[i] / 2                          for i in 0..n: t[i] = u[i] / 2 + 1
//     t[i] = c + 1                    =>    for i in 0..n: v[i] = t[i] * (u[i] / 2)
//     v[i] = t[i] * c
// Stays: one that accumulates, or whose locals read what a line changes before they are used.
ir::Program split_groups(const ir::Program& program);

struct SplitOptions {
  // Document 004 versions every array that a branch references; those that no branch writes keep
  // their content, so by default only written ones get a version.
  bool version_reads = false;
};
// Branches become a mask, versions, guarded statements and guarded commits:
//   for i in 0..n if f[i] > 0: out[i] = u[i]
//     else: out[i] = 2 * u[i]
// =>
//   for i in 0..n: out.mask[i] = f[i] > 0
//   for i in 0..n where out.mask[i]: out.if[i] = u[i]
//   for i in 0..n where not out.mask[i]: out.else[i] = 2 * u[i]
//   for i in 0..n where out.mask[i]: out[i] = out.if[i]
//   for i in 0..n where not out.mask[i]: out[i] = out.else[i]
// A branch that holds anything but statements and branches stays as it is.
ir::Program split_conditionals(const ir::Program& program, const SplitOptions& options);
ir::Program split_conditionals(const ir::Program& program);

// Neighbours that write one array at one index under complementary guards become a select.
//   where m[i]: out[i] = a[i]
//   where not m[i]: out[i] = b[i]      =>   out[i] = select(m[i], a[i], b[i])
ir::Program reunite_conditionals(const ir::Program& program);

// Document 004's second transformation: a write that a later one overwrites - everywhere, or where
// the later guard holds - without a read in between moves into the later one.
//   for i in 0..n: t[i] = 0
//   for i in 0..n where m[i]: t[i] = u[i]   =>   for i in 0..n: t[i] = select(m[i], u[i], 0)
ir::Program remove_shadowed_writes(const ir::Program& program);

// A temporary that is set, read and set again as a whole - or in the plane of the loop around -
// holds two values in turn; the first gets an array of its own. So does each of several bodies that
// use one name for values that they set and read themselves.
//   for i in 0..n: t[i] = u[i] - u[i+1]
//   for i in 0..n: t[i] = max(t[i], 0)
// =>
//   for i in 0..n: t.old[i] = u[i] - u[i+1]
//   for i in 0..n: t[i] = max(t.old[i], 0)
ir::Program separate_versions(const ir::Program& program);

// What statements compute at neighbouring points is computed once, into a temporary; the schedule
// may still decide to compute it again.
//   for i in 0..n: l[i] = max(max(u[i-1], u[i]), 0)
//   for i in 0..n: r[i] = max(max(u[i], u[i+1]), 0)
// =>
//   for i in 0..n+1: shared[i] = max(max(u[i-1], u[i]), 0)
//   for i in 0..n: l[i] = shared[i]
//   for i in 0..n: r[i] = shared[i+1]
ir::Program share_shifted(const ir::Program& program);

// Reductions in expressions become accumulating statements, in the order and accumulator dtype they
// state. Those whose bounds or place make that impossible stay (and mean the same).
//   for i in 0..n: r[i] = sum j in 0..m: u[i, j]
// =>
//   for i in 0..n: r[i] = 0
//   for i in 0..n, j in 0..m: r[i] += u[i, j]
ir::Program lower_reductions(const ir::Program& program);

// Drops statements whose temporaries nobody reads, then temporaries, consts and combiners that
// nobody names. An error that only a dropped statement would have reported goes with it.
ir::Program remove_dead_code(const ir::Program& program);

// ---- Preparation: the simple programs that loops are made from. Everything that a schedule
// decides is decided by now; what these passes write is not meant to be pretty. After all four:
//   - items are Statement, Group, Sweep, When, Repeat and Call. Rare leftovers, each with its
//   reason
//     below: a While (with all it holds) over points that no array can be declared over, a Branch
//     or While in which something rotates;
//   - an accumulation is not fresh and accumulates in its target's dtype; a tree of a float sum or
//     product has one reduced variable, but for combiners and for bounds that depend on each other;
//   - no point reads an element that another point of its statement or group writes, the old value
//     of an accumulation aside;
//   - reductions in expressions that lower_reductions left are still there.
// Inside a Branch or While that stays, all four leave everything as it is.

// Branches and whiles of any content become masks, guards, versions with maps of what was written,
// and commits. The loop of a while is a capped Repeat with its label (see ir::Repeat).
//   w: for i in 0..n while u[i] > 1: u[i] = u[i] / 2
// =>
//   for i in 0..n: w.on[i] = u[i] > 1
//   for i in 0..n: fresh w.any or= w.on[i]
//   when w.any:
//     w: repeat w.round in 0..2147483648 capped w.on until not w.any:
//       for i in 0..n where w.on[i]: u[i] = u[i] / 2
//       for i in 0..n: w.on[i] = w.on[i] and u[i] > 1
//       for i in 0..n: fresh w.any or= w.on[i]
// Stays: a while over points that no array can be declared over, and what holds a rotation (it has
// no meaning for some points only).
ir::Program lower_masks(const ir::Program& program);

// Scans become sweeps that carry one running value per point.
//   for i in 0..n scan j in 0..m: t[i, j] += x[i, j]
// =>
//   for i in 0..n: t.run[i] = 0
//   forward j in 0..m:
//     for i in 0..n: t.run[i] = t.run[i] + x[i, j]
//     for i in 0..n: t[i, j] = t.run[i]
ir::Program lower_scans(const ir::Program& program);

// Accumulations lose `fresh`, accumulate in their target's dtype, and form trees along one
// variable.
//   fresh r[i] += [tree] u[i, j, k]
// =>
//   for x in 0..n: r[x] = 0
//   for i in 0..n, j in 0..m: r.rows[i, j] = -0.0
//   for i in 0..n, j in 0..m, k in 0..l: r.rows[i, j] += [tree] u[i, j, k]
//   for i in 0..n, j in 0..m: r[i] += [tree] r.rows[i, j]
// Combiners keep their trees, and so do statements in which the bounds of a variable other than the
// last reduced one depend on another variable or on data.
ir::Program lower_accumulations(const ir::Program& program);

// No point reads what another point of the same statement writes.
//   for i in 1..n: t[i] = t[i-1]
// =>
//   for i in 1..n: t.new[i] = t[i-1]
//   for i in 1..n: t[i] = t.new[i]
// Accumulations, and statements whose guard, indices or bounds read the target, read a copy of the
// target instead.
ir::Program separate_overlaps(const ir::Program& program);

// The first item that preparation should have replaced and why it is one, for the leftovers above:
// "'w' is a while". Nothing when there is none.
std::string why_unprepared(const ir::Body& body);

// ---- Variants: what src/api asks for of a prepared program. Always possible.

// The program for calls in which these sizes have these values. They stay parameters.
struct FixedSize {
  ir::Symbol size;
  std::int64_t value = 0;
};
ir::Program fix_sizes(const ir::Program& program, const std::vector<FixedSize>& sizes);

// ---- Mechanisms: decisions, each with an explicit argument and a reason when refused. The
// schedule calls inline_temporary, the pass lower_masks demote_temporary; the other two have tests
// and wait for a caller.

struct Refusal {
  std::string reason;  // "'t' is read at i-1 before it is written there"
  Span first, second;  // the two places, where known
};
using Outcome = std::variant<ir::Program, Refusal>;

// Replaces reads of temporary `temp` - in statement `reader`, or everywhere when it is empty - by
// the value that the reaching writes compute, kept in the temporary's dtype. Documents 001 and
// 004: the index of each write can be solved for its variables; no operand is written in between;
// no recurrence; a guarded write is read under the same (shifted) guard, or an earlier write
// supplies the rest; the reading statement's target does not come back with an offset. When no read
// is left, the writes and the temporary go too.
Outcome inline_temporary(const ir::Program& program, ir::Symbol temp, ir::Symbol reader = {});

// Two neighbouring statements or groups over one domain become one group, if points stay
// independent: what one writes and the other touches, both touch at the same index.
Outcome fuse_statements(const ir::Program& program, ir::Symbol first, ir::Symbol second);

// A temporary that is touched only inside one group, always at the same index, written before it
// is read, becomes a local of that group.
Outcome demote_temporary(const ir::Program& program, ir::Symbol temp);

// `what`, as it occurs in the statements `labels` (neighbours with the same ranges), is computed
// once, into a new temporary called `name`, before the first of them.
Outcome share_subexpression(const ir::Program& program, const std::vector<ir::Symbol>& labels,
                            ir::Expr what, const std::string& name);

}  // namespace lathe::passes
