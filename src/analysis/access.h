// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which elements does each statement read and write, and at which points?
//
// One StatementAccess per statement, in textual order, and one for each item that reads something
// itself (conditions, bounds, calls, rotations), under the item's label. Conditions of lazy
// operations count: in select(i > 0, u[i - 1], 0) the read of u happens where i > 0. So do the
// guard and everything around the statement: ranges of sweeps and repeats, conditions of
// branches and whens.

#include <optional>
#include <string>
#include <vector>

#include "ir/domain.h"
#include "ir/program.h"

namespace lathe::analysis {

struct Access {
  Symbol array;
  bool write = false;
  bool whole = false;      // the whole array: calls, rotations, the reset of a fresh accumulation
  bool old_value = false;  // the read that an accumulation makes of its own target
  ir::Policy policy = ir::Policy::Error;
  std::vector<ir::Expr> indices;                 // empty when whole
  std::vector<std::optional<ir::PwAff>> affine;  // one per index; empty where it is not a PwAff
  // Where it happens, as far as it is known: opaque parts where it is not.
  ir::SetExpr domain = ir::SetExpr::universe();
  // Of the target of an accumulation under conditions on what it reduces: without those. Loops load
  // the element before them and store it behind them, also where no point takes part.
  std::optional<ir::SetExpr> touched;
  std::vector<std::string> variables;  // the loops around, outermost first, reductions included
  ir::Expr node = nullptr;             // the Read; null for writes, whole accesses, old values

  const ir::SetExpr& reach() const { return touched ? *touched : domain; }
  bool is_affine(std::size_t axis) const;  // that index is a PwAff without Reads
  bool is_affine() const;                  // every one
};

struct StatementAccess {
  Symbol label;
  const ir::Statement* statement = nullptr;  // null: an item's own reads, a call, a rotation
  ir::SetExpr domain = ir::SetExpr::universe();
  std::vector<std::string> variables;   // the loops around, outermost first
  std::vector<std::string> sequential;  // those of sweeps and repeats: one value after another
  std::vector<int> directions;          // 1 or -1 for each of those: backward sweeps run down
  std::vector<int> rounds;              // and which loop each of them is, by number
  std::vector<int> loops;  // sweeps, repeats and whiles around it, by number, outermost first
  std::vector<Access> reads, writes;
  Span span;
};

std::vector<StatementAccess> collect_accesses(const ir::Program& program);

// How many sweeps and repeats are around both: the first so many of their `sequential`. Loops of
// one name need not be one loop.
std::size_t shared_rounds(const StatementAccess& a, const StatementAccess& b);
// The same of sweeps, repeats and whiles.
std::size_t shared_loops(const StatementAccess& a, const StatementAccess& b);

// Where an access was written: its own place, or else its statement's.
Span place(const ir::Program& program, const StatementAccess& statement, const Access& access);

// Sizes are not negative.
ir::SetExpr size_context(const ir::Program& program, std::int64_t least = 0);

}  // namespace lathe::analysis
