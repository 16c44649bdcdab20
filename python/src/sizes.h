// SPDX-License-Identifier: Apache-2.0
#pragma once
// lathe.Size: a length that may be a symbol.

#include <lathe/c_array.h>
#include <nanobind/nanobind.h>

#include <vector>

namespace lathe_python {

struct Size {
  explicit Size(lathe_size* owned) : handle(owned) {}
  Size(Size&& other) noexcept : handle(other.handle) { other.handle = nullptr; }
  Size(const Size&) = delete;
  Size& operator=(const Size&) = delete;
  ~Size() { lathe_size_destroy(handle); }
  lathe_size* handle;
};

// Ints, sizes, and names of sizes; owned by it.
struct Sizes {
  std::vector<lathe_size*> all;
  Sizes() = default;
  Sizes(const Sizes&) = delete;
  Sizes& operator=(const Sizes&) = delete;
  ~Sizes() {
    for (lathe_size* s : all) lathe_size_destroy(s);
  }
  // Keeps it.
  const lathe_size* add(nanobind::handle object, const char* what);
  std::int32_t count() const { return static_cast<std::int32_t>(all.size()); }
};

// An int if its value is known, else a Size. Takes the handle over.
nanobind::object size_object(lathe_size* size);
nanobind::object shape_object(const lathe_lazy* array);

void bind_sizes(nanobind::module_& module);

}  // namespace lathe_python
