// SPDX-License-Identifier: Apache-2.0
#pragma once
// Comparisons with minima and maxima, taken apart: i < min(a, b) is i < a AND i < b, and
// i < max(a, b) is i < a OR i < b. So is every sum with such a term.

#include <optional>

#include "ir/domain.h"

namespace lathe::analysis {

// The comparison as an intersection or union of comparisons with one extremum less; empty when it
// has none in its sums (or only in divisions, products of names, or beyond 64 bits).
std::optional<ir::SetExpr> open_extremum(const ir::SetExpr& comparison);

// Is it at least 0 for all sizes, as far as its form shows? So are max(n-1, 0) and n - min(n, 1).
bool is_never_negative(const ir::PwAff& e);

}  // namespace lathe::analysis
