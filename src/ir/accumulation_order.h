// SPDX-License-Identifier: Apache-2.0
#pragma once
// The order that an accumulation has when the program does not state one. It follows from the index
// structure alone - never from strides, target or schedule - because it decides the bits of a float
// sum (semantics.md, "Order of accumulation is part of the program").

#include <span>
#include <vector>

#include "ir/program.h"

namespace lathe::ir {

// `tree` or `chain` for the reduction of `values` over `reduced` (outermost first):
//   tree   iff the reduced variables are the trailing axes of every read that carries them, and at
//          most one read has an output index that no other read has:
//            sum j: a[i, j]      sum k: x[k] * y[k]      sum k: a[i, k] * x[k]
//   chain  everything else:
//            sum i: a[i, j]      sum k: a[i, k] * b[k, j]      sum k: (x[i, k] - x[j, k]) ** 2
// Every other variable in `values` counts as an index of the output.
Order structural_order(std::span<const Symbol> reduced, std::span<const Expr> values);

// For a Reduce expression: `free` where the order does not matter, `seq` for operations that are
// not associative (- / ** ...), else structural_order.
Order default_order(Op op, DType accumulator, std::span<const Symbol> reduced,
                    std::span<const Expr> values);

// For an accumulating statement (`ranges`: those of its domain, or of its group's). The reduced
// variables are those that the targets' indices do not have. Where an index is more than a variable
// plus something constant, different points meet in one element in no regular pattern - a
// scatter - and domain order, `seq`, is the only one there is.
Order default_order(const Statement& statement, std::span<const Range> ranges);

// The variables of `ranges` that the targets do not have; nothing for a scatter.
std::optional<std::vector<Symbol>> reduced_variables(std::span<const Target> targets,
                                                     std::span<const Range> ranges);

// The dtype that partial results are kept in when the program does not say.
DType default_accumulator(DType summand);

}  // namespace lathe::ir
