// SPDX-License-Identifier: Apache-2.0
#pragma once
// What two graphs must have in common so that one program serves both: their structure, not their
// data. Sizes count by where they appear first; lengths that are constants, and which axes of
// length 1 are spread, are part of it.

#include "frontend/array/lower.h"

namespace lathe::array {

struct GraphKey {
  std::vector<std::uint64_t> words;
  std::uint64_t hash = 0;
  std::vector<SymbolRef> symbols;       // by number
  std::vector<const Node*> leaf_nodes;  // inputs, data and other leaves, by number
};

GraphKey graph_key(const std::vector<const Node*>& order, const Nodes& outputs, const Sizes& sizes,
                   const NodeSet& leaves);

}  // namespace lathe::array
