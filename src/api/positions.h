// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which bytes of a row are not zero: the calls `nonzero_count` and `nonzero` (ir/calls.h) of bools.

#include <cstdint>

namespace lathe::api {

std::int64_t count_nonzero(const char* bytes, std::int64_t length, int threads);

// Their positions, in order; there are `count` of them.
void find_nonzero(const char* bytes, std::int64_t length, std::int64_t* positions,
                  std::int64_t count, int threads);

}  // namespace lathe::api
