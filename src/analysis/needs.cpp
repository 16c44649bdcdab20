// SPDX-License-Identifier: Apache-2.0
#include "analysis/needs.h"

namespace lathe::analysis {

void add(Region& to, const Region& from) {
  for (std::size_t k = 0; k < to.lo.size(); ++k) {
    to.lo[k] = min(to.lo[k], from.lo[k]);
    to.hi[k] = max(to.hi[k], from.hi[k]);
  }
}

void add(Needs& to, Symbol array, const Region& region) {
  const auto [at, fresh] = to.try_emplace(array, region);
  if (!fresh) add(at->second, region);
}

void add(Needs& to, const Needs& from) {
  for (const auto& [array, region] : from) add(to, array, region);
}

}  // namespace lathe::analysis
