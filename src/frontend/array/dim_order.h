// SPDX-License-Identifier: Apache-2.0
#pragma once
// How normal forms of sizes are made and sorted: for dim*.cpp alone.

#include "base/hash.h"
#include "frontend/array/dim.h"

namespace lathe::array {

constexpr std::uint64_t hash_combine(std::uint64_t a, std::uint64_t b) {
  return mix_bits(a * 0xbf58476d1ce4e5b9u + b + 1);
}

struct DimMaker {
  static Dim make(std::vector<DimTerm> terms, std::int64_t constant);
  static Dim atom(DimAtom::Kind kind, const Dim& a, const Dim& b, bool is_closed = false);
};

// With how many atoms it is written, at most kHeaviest of them counted.
inline constexpr std::uint32_t kHeaviest = 1 << 20;
std::uint32_t weight_of(const Dim& d);

std::uint64_t next_serial();
std::int64_t fitting(std::optional<std::int64_t> v);  // throws UserError
int order(const Dim& a, const Dim& b);
int order(const AtomRef& a, const AtomRef& b);
int order(const std::vector<AtomRef>& a, const std::vector<AtomRef>& b);

}  // namespace lathe::array
