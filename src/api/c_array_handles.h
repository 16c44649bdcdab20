// SPDX-License-Identifier: Apache-2.0
#pragma once
// What stands behind the handles of lathe/c_array.h. A lathe_lazy is the node itself: a handle is
// one reference, and costs no memory of its own.

#include <lathe/c_array.h>

#include "api/c_handles.h"
#include "frontend/array/make.h"

struct lathe_size {
  lathe::array::Dim dim;
  mutable std::string text;
};

namespace lathe::api {

inline array::NodeRef to_node(const lathe_lazy* handle) {
  require(handle != nullptr, "an array is null");
  const auto* node = reinterpret_cast<const array::Node*>(handle);
  node->references.fetch_add(1, std::memory_order_relaxed);
  return array::NodeRef(node);
}
inline const array::Node& node_of(const lathe_lazy* handle) {
  return *reinterpret_cast<const array::Node*>(handle);
}
inline lathe_lazy* to_handle(array::NodeRef node) {
  return reinterpret_cast<lathe_lazy*>(const_cast<array::Node*>(node.release()));
}
inline array::Place to_place(const lathe_place& place) {
  return array::make_place(place.file, place.line);
}

}  // namespace lathe::api
