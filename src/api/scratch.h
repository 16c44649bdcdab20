// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which whole temporaries of a kernel may lie in the same memory?
//
//   for i: a[i] = ...            a  0..1
//   for i: b[i] = a[i] + a[i+1]  b     1..2
//   for i: c[i] = b[i] * b[i]    c        2..3     c takes over a's memory
//   for i: out[i] = c[i] - 1
//
// A temporary lives from the first to the last statement of the kernel's own body that touches it.
// Two share a place when they never live at once. Places are assigned once per kernel; how large
// they are is known at the call: as large as the largest of their temporaries.

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/loops.h"

namespace lathe::api {

// Statements of the body by number, both included.
struct Lifetime {
  std::size_t first = 0, last = 0;
  friend bool operator==(const Lifetime&, const Lifetime&) = default;
};

struct ScratchPlaces {
  // Per buffer of the kernel; nothing for those that are no scratch, or that nobody touches.
  std::vector<std::optional<Lifetime>> lifetimes;
  std::vector<std::optional<std::size_t>> places;
  std::size_t count = 0;  // of places
};

ScratchPlaces plan_scratch(const loops::Kernel& kernel);

}  // namespace lathe::api
