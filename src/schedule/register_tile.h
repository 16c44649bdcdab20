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

// A tile whose elements never leave the registers: what sets them, the accumulation, and what uses
// each element, all over the same rows and lanes, one after another in one loop body.
//
//   for i/6:
//     unroll i/6: vector j/64: c.init -> register
//     for k: unroll i/6: vector j/64: c -> register
//     unroll i/6: vector j/64: d                       # reads c[i, j]
struct RegisterGroup {
  Symbol array;           // c
  std::size_t first = 0;  // where in the parent's body, and how many nodes
  std::size_t count = 0;
  std::size_t init = 0, main = 0;  // numbers of leaves
  std::vector<std::size_t> users;
  RegisterTile tile;  // of the accumulation
};

// The group that keeps this temporary, which has the place `register`.
std::optional<RegisterGroup> register_group(const Nest& nest, Symbol array);

}  // namespace lathe::schedule
