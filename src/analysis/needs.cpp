// SPDX-License-Identifier: Apache-2.0
#include "analysis/needs.h"

#include <algorithm>

namespace lathe::analysis {
namespace {

using ir::PwAff;

// a >= b for all sizes, as far as their form shows it.
bool is_at_least(const PwAff& a, const PwAff& b) {
  const PwAff difference = a - b;
  if (difference.kind() == PwAff::Kind::Zero) return true;
  if (difference.kind() == PwAff::Kind::Int) return difference.value() >= 0;
  const auto above = [&](const PwAff& x) { return is_at_least(x, b); };
  const auto below = [&](const PwAff& x) { return is_at_least(a, x); };
  const auto& of_a = a.operands();
  const auto& of_b = b.operands();
  if (a.kind() == PwAff::Kind::Max && std::any_of(of_a.begin(), of_a.end(), above)) return true;
  if (a.kind() == PwAff::Kind::Min && std::all_of(of_a.begin(), of_a.end(), above)) return true;
  if (b.kind() == PwAff::Kind::Min && std::any_of(of_b.begin(), of_b.end(), below)) return true;
  return b.kind() == PwAff::Kind::Max && std::all_of(of_b.begin(), of_b.end(), below);
}

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
