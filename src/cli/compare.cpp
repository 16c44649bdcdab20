// SPDX-License-Identifier: Apache-2.0
#include "cli/compare.h"

#include <fmt/format.h>

#include <algorithm>

namespace lathe::cli {
namespace {

// Floats in order as naturals: negative ones count down from the middle, both zeros are the middle.
std::uint64_t place_of(const ir::Scalar& s) {
  const std::uint64_t sign = std::uint64_t{1} << (ir::width_bits(s.dtype) - 1);
  const std::uint64_t magnitude = s.bits & (sign - 1);
  return (s.bits & sign) != 0 ? sign - magnitude : sign + magnitude;
}

std::vector<std::int64_t> index_of(const interp::Buffer& b, std::int64_t element) {
  std::vector<std::int64_t> index(b.lo.size());
  for (std::size_t x = b.lo.size(); x-- > 0;) {
    index[x] = b.lo[x] + element % b.extent(x);
    element /= b.extent(x);
  }
  return index;
}

}  // namespace

std::uint64_t ulps_between(const ir::Scalar& a, const ir::Scalar& b) {
  if (a == b) return 0;
  if (!is_float(a.dtype) || a.dtype != b.dtype || a.is_nan() || b.is_nan()) return kNoUlps;
  const std::uint64_t x = place_of(a), y = place_of(b);
  return x > y ? x - y : y - x;
}

Comparison compare(const interp::Buffer& a, const interp::Buffer& b, std::uint64_t ulps) {
  Comparison out;
  const std::size_t size_a = size_bytes(a.dtype), size_b = size_bytes(b.dtype);
  out.dtype = size_a < size_b ? a.dtype : b.dtype;
  if (a.lo != b.lo || a.hi != b.hi) {
    out.ranges_differ = true;
    return out;
  }
  out.elements = a.element_count();
  for (std::int64_t i = 0; i < out.elements; ++i) {
    const auto n = static_cast<std::size_t>(i);
    const ir::Scalar x = ir::Scalar::load(a.dtype, a.data.data() + n * size_a);
    const ir::Scalar y = ir::Scalar::load(b.dtype, b.data.data() + n * size_b);
    const ir::Scalar here = x.cast(out.dtype), there = y.cast(out.dtype);
    if (here == there) continue;
    const std::uint64_t apart = ulps_between(here, there);
    if (ulps > 0 && apart != kNoUlps && apart <= ulps) continue;
    if (out.different++ == 0) {
      out.first = index_of(a, i);
      out.a = x;
      out.b = y;
      out.ulps = apart;
    }
    out.max_ulps = std::max(out.max_ulps, apart);
  }
  return out;
}

std::string bits_text(const ir::Scalar& s) {
  return fmt::format("{:#0{}x}", s.bits, ir::width_bits(s.dtype) / 4 + 2);
}

}  // namespace lathe::cli
