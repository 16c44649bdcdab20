// SPDX-License-Identifier: Apache-2.0
#pragma once
// What positions.cpp does, by vectors of 64 bytes. Only for processors with AVX-512 F and BW.

#include <cstdint>

namespace lathe::api {

constexpr std::int64_t kPositionBytes = 64;  // looked at together

// How many of 64 * vectors bytes are not zero.
std::int64_t count_vectors(const char* bytes, std::int64_t vectors);

struct Found {
  std::int64_t seen;  // all bytes before this one
  std::int64_t* to;   // where the next position goes
};
// The positions from lo on, as long as there are 64 bytes before hi and 64 places before end.
Found find_vectors(const char* bytes, std::int64_t lo, std::int64_t hi, std::int64_t* to,
                   const std::int64_t* end);

}  // namespace lathe::api
