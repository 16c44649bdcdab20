// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lazy arrays as text: what they are, document 003's listing, and its tree of the loop domain.

#include <string>

#include "frontend/array/node.h"

namespace lathe::array {

// "f64(n, 3) = sin(A + 1)"; of an array with values, those.
std::string to_text(const Node& n, std::size_t max_nodes = 60);
// The values of an array that has some, as NumPy lays them out; the text begins at column `indent`.
std::string values_text(const Node& n, std::size_t indent);
std::string expression_text(const Node& n, std::size_t max_nodes = 60);

// The instructions that document 003 writes: one line flattened, pinned arrays before it.
std::string listing(const NodeRef& array);
// OR of a part for the array and one for each array that pin_cse() stores, as a picture.
std::string domain_tree(const NodeRef& array);

}  // namespace lathe::array
