// SPDX-License-Identifier: Apache-2.0
#include "api/sort_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "ir/scalar.h"
#include "thorough.h"

namespace lathe::api {
namespace {

using ir::DType;
using ir::Scalar;

// What ir/calls.h says, one comparison at a time.
bool comes_before(const Scalar& a, const Scalar& b) {
  if (ir::is_float(a.dtype)) {
    if (a.is_nan() || b.is_nan()) return !a.is_nan() && b.is_nan();
    const double x = a.as_double(), y = b.as_double();
    return x < y || (x == y && std::signbit(x) && !std::signbit(y));
  }
  if (ir::is_signed_int(a.dtype)) return a.as_int() < b.as_int();
  return a.bits < b.bits;
}

struct Case {
  DType dtype;
  std::size_t size, step;  // bytes of an element, and to the next one
  std::vector<char> bytes;
  std::int64_t length;

  Scalar at(std::int64_t i) const {
    return Scalar::load(dtype, bytes.data() + static_cast<std::size_t>(i) * step);
  }
};

// Any bits: NaNs of all kinds, both infinities. `few`: mostly equal elements, both zeros.
Case make_case(DType t, std::int64_t length, std::size_t gap, bool few, std::mt19937_64& random) {
  Case c{t, ir::size_bytes(t), ir::size_bytes(t) * gap, {}, length};
  c.bytes.resize(static_cast<std::size_t>(length) * c.step + 8);
  for (std::int64_t i = 0; i < length; ++i) {
    std::uint64_t bits = random();
    if (ir::is_bool(t)) bits &= 1;
    if (few) bits = (random() % 3) << (8 * c.size - (ir::is_bool(t) ? 8 : 2));
    if (ir::is_bool(t) && few) bits = bits != 0;
    std::memcpy(c.bytes.data() + static_cast<std::size_t>(i) * c.step, &bits, c.size);
  }
  return c;
}

void compare(const Case& c, int threads) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(c.length));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return comes_before(c.at(a), c.at(b)); });
  std::vector<char> sorted = c.bytes;  // in place
  const auto step = static_cast<std::int64_t>(c.step);
  sort_row(c.dtype, {sorted.data(), step, sorted.data(), step, c.length}, threads);
  std::vector<std::int64_t> places(2 * order.size());
  argsort_row(c.dtype, {c.bytes.data(), step, reinterpret_cast<char*>(places.data()), 16, c.length},
              threads);
  for (std::size_t i = 0; i < order.size(); ++i) {
    ASSERT_EQ(places[2 * i], order[i]) << ir::name(c.dtype) << " " << c.length << " at " << i;
    ASSERT_EQ(Scalar::load(c.dtype, sorted.data() + i * c.step).bits, c.at(order[i]).bits)
        << ir::name(c.dtype) << " " << c.length << " at " << i;
  }
}

TEST(SortRows, AllDtypesAsOneComparisonAtATime) {
  std::mt19937_64 random(7);
  for (int t = 0; t < ir::kDTypeCount; ++t)
    for (std::int64_t length :
         {0, 1, 2, 7, 8, 17, 33, 64, 65, 129, 159, 160, 256, 257, 1024, 1055, 1087, 3000})
      for (std::size_t gap : {std::size_t{1}, std::size_t{3}})
        for (bool few : {false, true})
          compare(make_case(static_cast<DType>(t), length, gap, few, random), 1);
}

// Long enough to be shared among threads.
TEST(SortRows, SameForAnyNumberOfThreads) {
  std::mt19937_64 random(8);
  for (DType t : {DType::U8, DType::F32, DType::F64})
    for (int threads : {2, 0, 1, 3}) {
      compare(make_case(t, 200'001, 1, t == DType::F32, random), threads);
      if (threads == 0 && !lathe::testing::is_thorough()) break;
    }
}

TEST(SortRows, InOrderAlready) {
  Case c{DType::I64, 8, 8, std::vector<char>(8 * 1000), 1000};
  for (std::int64_t i = 0; i < c.length; ++i) std::memcpy(c.bytes.data() + 8 * i, &i, 8);
  compare(c, 2);
}

}  // namespace
}  // namespace lathe::api
