// SPDX-License-Identifier: Apache-2.0
#pragma once
// A piecewise value of isl's as one minimum or maximum of its pieces.

#include <isl/aff.h>

#include <optional>
#include <vector>

namespace lathe::analysis {

// The minimum or maximum of those pieces whose bits are set.
struct Fold {
  unsigned which = 0;
  bool minimum = true;
};

// The fold of its pieces that equals `value` wherever it is defined. Nothing if there is none, or
// if there is only one piece.
std::optional<Fold> fold_of(const std::vector<isl_aff*>& pieces, isl_pw_aff* value);

}  // namespace lathe::analysis
