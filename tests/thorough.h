// SPDX-License-Identifier: Apache-2.0
#pragma once
// Two depths of the same tests. `make test` samples where everything takes long: each compiler with
// some dtypes, some of 2^24 triples. .ci/run sets LATHE_THOROUGH=1, which leaves nothing out.

#include <cstdlib>
#include <string_view>

namespace lathe::testing {

inline bool is_thorough() {
  const char* const set = std::getenv("LATHE_THOROUGH");
  return set != nullptr && std::string_view(set) == "1";
}

}  // namespace lathe::testing
