// SPDX-License-Identifier: Apache-2.0
#pragma once
// What positions.cpp does, by vectors, for processors that have AVX-512 (F and BW) or AVX2.

#include <cstdint>

namespace lathe::api {

struct Found {
  std::int64_t seen;  // all bytes before this one
  std::int64_t* to;   // where the next position goes
};

// What one instruction set does.
struct VectorPositions {
  // How many of the bytes lo..hi are not zero, as long as there is a whole vector of them.
  std::int64_t (*count)(const char* bytes, std::int64_t lo, std::int64_t hi, std::int64_t* seen);
  // Their positions from lo on, as long as there is a whole vector of bytes, and as many places
  // before end as it has bytes.
  Found (*find)(const char* bytes, std::int64_t lo, std::int64_t hi, std::int64_t* to,
                const std::int64_t* end);
};

// Only where the processor has the instructions.
const VectorPositions& avx512_positions();
const VectorPositions& avx2_positions();

}  // namespace lathe::api
