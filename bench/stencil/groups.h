// SPDX-License-Identifier: Apache-2.0
#pragma once
// Peers hold fields of their own. Where all of them together would not fit into memory they take
// part in groups, each of which also has the limit and Lathe: ratios are always of one round.

#include <vector>

#include "road/measure.h"
#include "stencil/rows.h"

namespace lathe::bench {

// So many peers at once for this row; at least one.
std::size_t peers_at_once(const StencilRow& row);

// Rounds one after the other; whoever was not in a group sat out.
void append(std::vector<Result>& all, std::vector<Result> group);

}  // namespace lathe::bench
