// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random numbers that are the same on every platform, so that a seed is a test case.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace lathe::testing {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(mix_bits(seed + 0x9e3779b97f4a7c15u)) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  // 0 <= result < n, for n >= 1. The bias is below 2^-40 for the small n that are asked for here.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
  // Both ends included.
  std::int64_t between(std::int64_t lo, std::int64_t hi) {
    return lo + static_cast<std::int64_t>(below(static_cast<std::size_t>(hi - lo + 1)));
  }
  bool percent(int p) { return static_cast<int>(below(100)) < p; }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  template <class T>
  const T& pick(const std::vector<T>& items) {
    return items[below(items.size())];
  }
  template <class T, std::size_t n>
  const T& pick(const T (&items)[n]) {
    return items[below(n)];
  }
  // An index, each as often as its weight says; some weight is positive.
  std::size_t weighted(const std::vector<int>& weights) {
    int total = 0;
    for (int w : weights) total += w;
    int at = static_cast<int>(below(static_cast<std::size_t>(total)));
    std::size_t i = 0;
    while (at >= weights[i]) at -= weights[i++];
    return i;
  }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }
  // A stream of its own: what one part draws does not move what another part draws.
  Rng fork() { return Rng(next()); }

 private:
  std::uint64_t state_;
};

}  // namespace lathe::testing
