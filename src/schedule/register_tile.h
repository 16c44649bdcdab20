// SPDX-License-Identifier: Apache-2.0
#pragma once
// An accumulation whose kept variables run inside of its reduced ones: a tile of the result waits
// in registers while the reduced loops run.
//
//   for k:                              reduced
//     unroll i/6:                       rows
//       vector j/64: c                  lanes
//
// Points of different elements never meet, so these loops may be interchanged at will: each element
// sees its own points in the order that the program states.

#include <optional>
#include <vector>

#include "schedule/nest.h"

namespace lathe::schedule {

struct RegisterTile {
  std::size_t first = 0;             // where in the leaf's path the outermost reduced loop stands
  std::vector<const Node*> reduced;  // For, point by point, in the program's order
  std::vector<const Node*> rows;     // Unroll
  const Node* lanes = nullptr;       // Vector; null: none
  // The loop over tiles of the last reduced variable, and where it stands; null: none.
  const Node* piece = nullptr;
  std::size_t piece_at = 0;
};

// Of one statement alone in its reduced loops; nothing when the tree has another shape there, or
// bounds and guards tie its variables together.
std::optional<RegisterTile> register_tile(const Leaf& leaf);

}  // namespace lathe::schedule
