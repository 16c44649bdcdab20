// SPDX-License-Identifier: Apache-2.0
#pragma once
// A row of items in a few pieces of about the same length, one for each thread.

#include <cstdint>

#include "base/function_ref.h"

namespace lathe::api {

inline constexpr std::int64_t kMostPieces = 32;  // more threads only wait for memory

// At least one; `least` items are worth a thread. threads as in CallOptions.
std::int64_t piece_count(std::int64_t length, int threads, std::int64_t least = 1 << 16);

// f(piece, its first item, the first behind it) for each piece. f must not throw.
void in_pieces(std::int64_t length, std::int64_t pieces,
               FunctionRef<void(std::int64_t, std::int64_t, std::int64_t)> f);

}  // namespace lathe::api
