// SPDX-License-Identifier: Apache-2.0
#pragma once
// Loops that gcc must not turn into vectors. Up to version 13 it mixes up conditional reads of
// neighbours in one iteration (its bug 114375):
//
//   for (j = 0; j < n; j += 2) {
//     if (j < m) a = t[j + 1];       one masked load of t[j], t[j + 1] ...
//     v[j] = a;
//     if (j < m) b = t[j];           ... whose lanes are stored in the other order, as they are
//     v[j + 1] = b;
//   }

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/function_ref.h"
#include "ir/loops.h"

namespace lathe::emit {

// Several elements of one buffer are read under conditions in one iteration, and iterations are
// more than one element apart, by a number that the C compiler knows or may find out.
// `stride_of(buffer, axis)`: in elements; none: known at run time only.
// `in_lanes(loop)`: it is printed with vectors.
bool reads_neighbours(
    const loops::For& loop,
    FunctionRef<std::optional<std::int64_t>(ir::Symbol buffer, std::size_t axis)> stride_of,
    FunctionRef<bool(const loops::For& loop)> in_lanes);

}  // namespace lathe::emit
