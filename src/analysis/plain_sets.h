// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a look at boxes and at single comparisons tells about sets: nearly all that stencils and
// arrays ask. Every answer is "yes" or "perhaps not".

#include "analysis/intervals.h"

namespace lathe::analysis {

// Is there a sample of parameters at which a's first or last point exists and is not in b? `a_set`
// is the set that a was made from.
bool has_counterexample(const ir::Box& a, const ir::SetExpr& a_set, const ir::SetExpr& b,
                        const ir::SetExpr& context);

bool box_is_subset(const ir::Box& a, const ir::Box& b, const LowerBounds& parameters);

// Is an element of an array among its terms? Equal texts of reads need not be equal values: they
// may be read at different times.
bool reads_arrays(const ir::PwAff& e);

// Where single comparisons fail everywhere, or two deny each other.
bool plainly_empty(const ir::SetExpr& s, const LowerBounds& parameters);

// A box around the set: what says something about one variable alone.
std::optional<ir::Box> box_around(const ir::SetExpr& s);

// What is left of a conjunction when the conditions are forgotten of which nothing is known.
ir::SetExpr without_opaque(const ir::SetExpr& s);
// The same of comparisons with elements of arrays.
ir::SetExpr without_reads(const ir::SetExpr& s);

}  // namespace lathe::analysis
