// SPDX-License-Identifier: Apache-2.0
#include "analysis/needs.h"

#include "analysis/extrema.h"

namespace lathe::analysis {
namespace {

using ir::PwAff;

bool is_at_least(const PwAff& a, const PwAff& b) { return is_never_negative(a - b); }

}  // namespace

PwAff lower_of(const PwAff& a, const PwAff& b) {
  if (is_at_least(b, a)) return a;
  return is_at_least(a, b) ? b : min(a, b);
}
PwAff upper_of(const PwAff& a, const PwAff& b) {
  if (is_at_least(a, b)) return a;
  return is_at_least(b, a) ? b : max(a, b);
}

void add(Region& to, const Region& from) {
  for (std::size_t k = 0; k < to.lo.size(); ++k) {
    to.lo[k] = lower_of(to.lo[k], from.lo[k]);
    to.hi[k] = upper_of(to.hi[k], from.hi[k]);
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
