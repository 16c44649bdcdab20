// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where a graph is cut that is too large for one kernel.

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "frontend/array/lower.h"

namespace lathe::api {

// The last place in the order where a node is read; order.size() for results.
using LastReaders = std::unordered_map<const array::Node*, std::size_t>;
LastReaders last_readers(const std::vector<const array::Node*>& order, const array::Nodes& outputs,
                         const array::NodeSet& leaves);

bool is_too_large(const std::vector<const array::Node*>& order);
// Where the piece ends that begins there; order.size() if nothing needs to be cut off any more.
std::size_t end_of_piece(const std::vector<const array::Node*>& order, std::size_t begin,
                         const LastReaders& last_reader, const array::NodeSet& leaves);

}  // namespace lathe::api
