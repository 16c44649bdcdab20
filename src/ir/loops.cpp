// SPDX-License-Identifier: Apache-2.0
#include "ir/loops.h"

namespace lathe::loops {

std::string_view name(Space s) {
  constexpr std::string_view kNames[] = {"argument", "table", "scratch",
                                         "thread",   "stack", "lanes"};
  return kNames[static_cast<int>(s)];
}

std::string_view name(Site::Kind k) {
  constexpr std::string_view kNames[] = {"range",    "unwritten",      "twice",
                                         "division", "negative_power", "while_cap"};
  return kNames[static_cast<int>(k)];
}

const Buffer* Kernel::find_buffer(Symbol wanted) const {
  for (const Buffer& b : buffers)
    if (b.name == wanted) return &b;
  return nullptr;
}

}  // namespace lathe::loops
