// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program that was made of arrays fails in its own words; users get theirs.

#include <vector>

#include "base/diagnostics.h"
#include "frontend/array/node.h"

namespace lathe::api {

// `order`: the nodes of the graph.
Diagnostic in_the_users_words(const Diagnostic& said, const std::vector<const array::Node*>& order);

}  // namespace lathe::api
