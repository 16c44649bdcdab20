// SPDX-License-Identifier: Apache-2.0
// Byte x of element (i...) of a is byte y of element (j...) of b when
//
//   a.begin + sum(i * sa) + x = b.begin + sum(j * sb) + y
//
// Axes of equal stride are one unknown, i - j, within its limits. From the largest stride down, the
// smaller ones can only make up for so much, so there are few candidates for each unknown - mostly
// one or two - and the search is a walk.

#include "api/overlap.h"

#include <algorithm>
#include <vector>

namespace lathe::api {
namespace {

// Calls f(extent - 1, stride made positive) for each axis along which elements differ.
template <class F>
void for_each_step(const Footprint& a, F&& f) {
  for (std::size_t x = 0; x < a.rank; ++x)
    if (a.extents[x] > 1 && a.strides[x] != 0)
      f(a.extents[x] - 1, a.strides[x] < 0 ? -a.strides[x] : a.strides[x]);
}

struct Unknown {
  std::int64_t stride, lo, hi;  // lo <= value <= hi
};

class Search {
 public:
  Search(const Footprint& a, const Footprint& b) {
    for_each_step(a, [&](std::int64_t n, std::int64_t stride) { add({stride, 0, n}); });
    for_each_step(b, [&](std::int64_t n, std::int64_t stride) { add({stride, -n, 0}); });
    std::sort(unknowns_.begin(), unknowns_.end(),
              [](const Unknown& x, const Unknown& y) { return x.stride > y.stride; });
    unknowns_.push_back({1, -(b.size - 1), a.size - 1});  // x - y
    least_.resize(unknowns_.size() + 1);
    most_.resize(unknowns_.size() + 1);
    for (std::size_t k = unknowns_.size(); k-- > 0;) {
      const Unknown& u = unknowns_[k];
      least_[k] = least_[k + 1] + static_cast<__int128>(u.lo) * u.stride;
      most_[k] = most_[k + 1] + static_cast<__int128>(u.hi) * u.stride;
    }
  }

  bool finds(__int128 target, std::size_t k = 0) {
    if (target < least_[k] || target > most_[k]) return false;
    if (k + 1 == unknowns_.size()) return true;  // stride 1: everything in between is reached
    const Unknown& u = unknowns_[k];
    // target - most of the rest <= value * stride <= target - least of the rest
    const __int128 lo = std::max<__int128>(u.lo, ceil(target - most_[k + 1], u.stride));
    const __int128 hi = std::min<__int128>(u.hi, floor(target - least_[k + 1], u.stride));
    for (__int128 v = lo; v <= hi; ++v) {
      if (--work_ < 0) return true;
      if (finds(target - v * u.stride, k + 1)) return true;
    }
    return false;
  }

 private:
  static __int128 floor(__int128 a, __int128 b) { return a / b - (a % b < 0 ? 1 : 0); }
  static __int128 ceil(__int128 a, __int128 b) { return a / b + (a % b > 0 ? 1 : 0); }

  void add(Unknown u) {
    for (Unknown& known : unknowns_) {
      if (known.stride != u.stride) continue;
      known.lo += u.lo;
      known.hi += u.hi;
      return;
    }
    unknowns_.push_back(u);
  }

  std::vector<Unknown> unknowns_;
  std::vector<__int128> least_, most_;  // of the sum from this unknown on
  int work_ = 10000;
};

}  // namespace

Footprint::Footprint(const void* data, std::int64_t size, std::size_t rank,
                     const std::int64_t* extents, const std::int64_t* strides)
    : begin(reinterpret_cast<std::uintptr_t>(data)),
      end(begin + static_cast<std::uint64_t>(size)),
      size(size),
      rank(rank),
      extents(extents),
      strides(strides) {
  for (std::size_t x = 0; x < rank; ++x) {
    if (extents[x] <= 0) {
      end = begin;
      return;
    }
    const auto reach =
        static_cast<std::uint64_t>(extents[x] - 1) * static_cast<std::uint64_t>(strides[x]);
    (strides[x] < 0 ? begin : end) += reach;  // wraps: backwards
  }
}

bool overlap(const Footprint& a, const Footprint& b) {
  if (a.begin >= b.end || b.begin >= a.end || a.begin == a.end || b.begin == b.end) return false;
  return Search(a, b).finds(static_cast<__int128>(b.begin) - static_cast<__int128>(a.begin));
}

bool overlaps_itself(const Footprint& a) {
  if (a.begin == a.end) return false;
  struct Step {
    std::int64_t count, stride;
  };
  std::vector<Step> steps;
  for (std::size_t x = 0; x < a.rank; ++x)
    if (a.extents[x] > 1 && a.strides[x] == 0) return true;
  for_each_step(a, [&](std::int64_t n, std::int64_t stride) { steps.push_back({n, stride}); });
  std::sort(steps.begin(), steps.end(),
            [](const Step& x, const Step& y) { return x.stride < y.stride; });
  __int128 reach = a.size;  // bytes from the first to the last of the axes so far
  for (const Step& x : steps) {
    if (x.stride < reach) return true;
    reach += static_cast<__int128>(x.count) * x.stride;
  }
  return false;
}

}  // namespace lathe::api
