// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a write covers, as far as its indices can be solved.

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "analysis/access.h"
#include "analysis/intervals.h"

namespace lathe::analysis {

bool is_sequential(const StatementAccess& s, const std::string& variable);

// Is every parallel variable of the statement alone in some index? Then no two points of it write
// one element.
bool indices_determine_point(const StatementAccess& s, const Access& write);

// The elements that a write covers, with `names[k]` for index k: solves each index `v + c` for v.
// Nothing when a variable is left over or an index is not of that form.
std::optional<ir::SetExpr> written_elements(const Access& write,
                                            const std::vector<std::string>& names);

// Who writes which array, and what `repeat` rotates: made once per program.
struct WriteIndex {
  WriteIndex(const ir::Program& program, const std::vector<StatementAccess>& all);
  std::map<Symbol, std::vector<std::size_t>> writers;  // positions in `all`, ascending
  std::set<Symbol> rotated;
};

// The points of read `a` (in statement `reader`) whose element no write put anything in: none
// textually before it, none in the same loop. Empty when intervals show that one write covers them
// all (`least`: the parameters' lower bounds); nothing when some write is not understood.
std::optional<ir::SetExpr> points_not_written(const WriteIndex& index,
                                              const std::vector<StatementAccess>& all,
                                              std::size_t reader, const Access& a,
                                              const LowerBounds& least);

}  // namespace lathe::analysis
