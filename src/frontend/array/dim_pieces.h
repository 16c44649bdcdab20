// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sizes with minima and maxima in one form: the maximum of minima of sums. For dim_*.cpp.
//
//   max(0, n - min(1, n)) = max(0, n + max(-1, -n)) = max(0, n - 1, 0) = max(0, n - 1)
//
// so that lengths of slices that are equal look equal. What is provably not the largest, or not the
// smallest, is left out. Lengths of more pieces than people write stay as they are.

#include <optional>
#include <vector>

#include "frontend/array/dim.h"

namespace lathe::array {

using Lower = std::vector<Dim>;     // the minimum of these, which hold no minimum and no maximum
using Pieces = std::vector<Lower>;  // the maximum of these

// Nothing: too many pieces.
std::optional<Pieces> pieces_of(const Dim& d);
std::optional<Pieces> least(const std::optional<Pieces>& a, const std::optional<Pieces>& b);
std::optional<Pieces> greatest(const std::optional<Pieces>& a, const std::optional<Pieces>& b);
// f of each sum, where f never turns a larger number into a smaller one.
std::optional<Pieces> each(const Pieces& pieces, FunctionRef<Dim(const Dim&)> f);
Dim size_of(const Pieces& pieces);

bool has_pieces(const Dim& d);  // is a term of it a minimum or a maximum?
// By signs alone, without a look at pieces.
bool has_no_negative_sign(const Dim& d);

}  // namespace lathe::array
