// SPDX-License-Identifier: Apache-2.0
#pragma once
// How Node::ints holds the labels of a contraction: those of each factor's axes, -1 after each
// factor, then those of the result's axes. Labels that the result has not are summed over.
//   "ij,jk->ik": 0 1 -1 1 2 -1 0 2

#include <algorithm>
#include <span>

#include "frontend/array/node.h"

namespace lathe::array {

inline std::span<const std::int64_t> result_labels(const Node& contraction) {
  return std::span(contraction.ints).last(contraction.rank());
}

inline bool is_kept(const Node& contraction, std::int64_t label) {
  const auto kept = result_labels(contraction);
  return std::find(kept.begin(), kept.end(), label) != kept.end();
}

// visit(label, factor, axis) for each axis of each factor, in their order, until it says false.
// The answer is whether it never did.
template <class Visit>
bool all_factor_axes(const Node& contraction, Visit visit) {
  std::size_t factor = 0, axis = 0;
  for (const std::int64_t label :
       std::span(contraction.ints).first(contraction.ints.size() - contraction.rank())) {
    if (label < 0) {
      ++factor;
      axis = 0;
    } else if (!visit(label, factor, axis++)) {
      return false;
    }
  }
  return true;
}

}  // namespace lathe::array
