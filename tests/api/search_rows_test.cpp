// SPDX-License-Identifier: Apache-2.0
#include "api/search_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "api/search_vector.h"
#include "api/sort_rows.h"
#include "ir/scalar.h"

namespace lathe::api {
namespace {

using ir::DType;
using ir::Scalar;

// As ir/calls.h says it: NaN is behind all numbers, both zeros are equal.
bool is_less(const Scalar& a, const Scalar& b) {
  if (ir::is_float(a.dtype)) {
    if (a.is_nan() || b.is_nan()) return !a.is_nan() && b.is_nan();
    return a.as_double() < b.as_double();
  }
  if (ir::is_signed_int(a.dtype)) return a.as_int() < b.as_int();
  return a.bits < b.bits;
}

struct Row {
  DType dtype;
  std::vector<char> bytes;
  std::int64_t length;

  Scalar at(std::int64_t i) const {
    return Scalar::load(dtype, bytes.data() + static_cast<std::size_t>(i) * ir::size_bytes(dtype));
  }
  std::vector<Scalar> all() const {
    std::vector<Scalar> out;
    for (std::int64_t i = 0; i < length; ++i) out.push_back(at(i));
    return out;
  }
  DenseRow dense() const { return {bytes.data(), length}; }
};

enum class Values { Any, Few, Near };

// Any: all bits, NaNs and infinities among them. Few: mostly equal ones, both zeros. Near: numbers
// of a narrow range.
Row make_row(DType t, std::int64_t length, Values values, std::mt19937_64& random) {
  const std::size_t size = ir::size_bytes(t);
  Row row{t, std::vector<char>(static_cast<std::size_t>(length) * size + 8), length};
  for (std::int64_t i = 0; i < length; ++i) {
    std::uint64_t bits = random();
    if (values == Values::Few) bits = (bits % 3) << (8 * size - 2);
    if (ir::is_bool(t)) bits = bits % 2;
    if (values == Values::Near && !ir::is_bool(t))
      bits = Scalar::of_double(t, static_cast<double>(bits % 97)).bits;
    std::memcpy(row.bytes.data() + static_cast<std::size_t>(i) * size, &bits, size);
  }
  return row;
}

Row sorted(Row row) {
  const auto size = static_cast<std::int64_t>(ir::size_bytes(row.dtype));
  sort_row(row.dtype, {row.bytes.data(), size, row.bytes.data(), size, row.length}, 1);
  return row;
}

void compare_places(const Row& row, const Row& wanted, int threads) {
  const std::vector<Scalar> elements = row.all();
  std::vector<std::int64_t> places(static_cast<std::size_t>(wanted.length));
  for (const bool behind : {false, true}) {
    search_row(row.dtype, behind, row.dense(), wanted.dense(), places.data(), threads);
    for (std::int64_t i = 0; i < wanted.length; ++i) {
      const auto at =
          behind ? std::upper_bound(elements.begin(), elements.end(), wanted.at(i), is_less)
                 : std::lower_bound(elements.begin(), elements.end(), wanted.at(i), is_less);
      ASSERT_EQ(places[static_cast<std::size_t>(i)], at - elements.begin())
          << ir::name(row.dtype) << ", " << wanted.length << " in " << row.length << ", number "
          << i << (behind ? ", behind" : "");
    }
  }
}

void compare_found(const Row& row, const Row& wanted, int threads) {
  std::vector<Scalar> elements = row.all();
  std::sort(elements.begin(), elements.end(), is_less);
  std::vector<char> found(static_cast<std::size_t>(wanted.length), 7);
  find_in_row(row.dtype, row.dense(), wanted.dense(), found.data(), threads);
  for (std::int64_t i = 0; i < wanted.length; ++i) {
    const Scalar v = wanted.at(i);
    const bool is_there =
        !v.is_nan() && std::binary_search(elements.begin(), elements.end(), v, is_less);
    ASSERT_EQ(found[static_cast<std::size_t>(i)], is_there ? 1 : 0)
        << ir::name(row.dtype) << ", " << wanted.length << " in " << row.length << ", number " << i;
  }
}

TEST(SearchRows, AllDtypesAsOneComparisonAtATime) {
  std::mt19937_64 random(5);
  for (int t = 0; t < ir::kDTypeCount; ++t)
    for (std::int64_t length : {0, 1, 2, 7, 8, 9, 47, 48, 49, 96, 97, 1000})
      for (Values values : {Values::Any, Values::Few, Values::Near})
        for (std::int64_t count : {0, 1, 15, 64, 200}) {
          const auto dtype = static_cast<DType>(t);
          const Row row = make_row(dtype, length, values, random);
          const Row wanted = make_row(dtype, count, values, random);
          compare_places(sorted(row), wanted, 1);
          compare_places(sorted(row), sorted(row), 1);
          compare_found(row, wanted, 1);
          compare_found(row, row, 1);
        }
}

// A row in disorder has the interpreter's result, whatever that is good for.
TEST(SearchRows, Disorder) {
  std::mt19937_64 random(6);
  for (DType t : {DType::I32, DType::U64, DType::F16, DType::F64})
    for (std::int64_t length : {2, 30, 500})
      compare_places(make_row(t, length, Values::Any, random),
                     make_row(t, 300, Values::Any, random), 1);
}

// Wanted ones in order are near each other, and those in two heaps are in part.
TEST(SearchRows, NearOnes) {
  std::mt19937_64 random(7);
  for (DType t : {DType::I16, DType::I64, DType::F32, DType::F64}) {
    const Row row = sorted(make_row(t, 5000, Values::Any, random));
    Row wanted = sorted(make_row(t, 3001, Values::Any, random));
    compare_places(row, wanted, 1);
    std::reverse(wanted.bytes.begin(), wanted.bytes.end());
    compare_places(row, wanted, 1);
  }
}

TEST(SearchRows, SameForAnyNumberOfThreads) {
  std::mt19937_64 random(8);
  for (DType t : {DType::F32, DType::I64})
    for (int threads : {2, 3}) {
      const Row row = make_row(t, 300, Values::Any, random);
      const Row wanted = make_row(t, 100'001, Values::Any, random);
      compare_places(sorted(row), wanted, threads);
      compare_found(row, wanted, threads);
    }
}

#ifdef __x86_64__
// What search_rows.cpp takes for short rows alone.
template <class T>
void compare_vectors() {
  std::mt19937_64 random(9);
  for (std::int64_t length : {0, 1, 5, 64})
    for (int round = 0; round < 20; ++round) {
      std::vector<T> few(static_cast<std::size_t>(length));
      T wanted[kLookupBlock];
      for (T& x : few) x = static_cast<T>(static_cast<std::int64_t>(random() % 50) - 25);
      for (T& x : wanted) x = static_cast<T>(static_cast<std::int64_t>(random() % 60) - 30);
      if (std::is_floating_point_v<T>) wanted[3] = std::numeric_limits<T>::quiet_NaN();
      std::int64_t below[kLookupBlock], upto[kLookupBlock];
      char same[kLookupBlock];
      const VectorLookup<T>& by = avx2_lookup(T{});
      by.count(false, few.data(), length, wanted, below);
      by.count(true, few.data(), length, wanted, upto);
      by.equals(few.data(), length, wanted, same);
      for (std::int64_t k = 0; k < kLookupBlock; ++k) {
        const T w = wanted[k];
        ASSERT_EQ(below[k], std::count_if(few.begin(), few.end(), [&](T x) { return !(x >= w); }));
        ASSERT_EQ(upto[k], std::count_if(few.begin(), few.end(), [&](T x) { return !(x > w); }));
        ASSERT_EQ(same[k], std::count(few.begin(), few.end(), w) > 0 ? 1 : 0);
      }
    }
}

TEST(SearchRows, VectorsCompareWithAll) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this processor has no AVX2";
  compare_vectors<std::int32_t>();
  compare_vectors<std::int64_t>();
  compare_vectors<float>();
  compare_vectors<double>();
}
#endif

}  // namespace
}  // namespace lathe::api
