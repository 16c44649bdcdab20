// SPDX-License-Identifier: Apache-2.0
#include "api/positions.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "api/positions_vector.h"

namespace lathe::api {
namespace {

TEST(Positions, AsOneByOne) {
  std::mt19937_64 random(9);
  for (std::int64_t length : {0, 1, 7, 8, 9, 63, 64, 65, 100, 193, 65536, 200'003})
    for (unsigned part : {0U, 1U, 128U, 255U, 256U})  // of 256
      for (int threads : {1, 2, 3, 0}) {
        std::vector<char> bytes(static_cast<std::size_t>(length));
        std::vector<std::int64_t> wanted;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
          // Any bit counts, also the highest.
          if (random() % 256 >= part) continue;
          bytes[i] = static_cast<char>(random() % 2 == 0 ? 1 : 1 << (random() % 8));
          wanted.push_back(static_cast<std::int64_t>(i));
        }
        const auto count = static_cast<std::int64_t>(wanted.size());
        ASSERT_EQ(count_nonzero(bytes.data(), length, threads), count);
        std::vector<std::int64_t> found(wanted.size() + 1, -1);
        find_nonzero(bytes.data(), length, found.data(), count, threads);
        ASSERT_EQ(found.back(), -1) << "written behind the end";
        found.pop_back();
        ASSERT_EQ(found, wanted) << length << " " << part << " " << threads;
      }
}

#ifdef __x86_64__
// Each instruction set that this processor has: positions.cpp uses the widest one alone.
TEST(Positions, ByVectors) {
  std::vector<const VectorPositions*> all;
  if (__builtin_cpu_supports("avx512bw")) all.push_back(&avx512_positions());
  if (__builtin_cpu_supports("avx2")) all.push_back(&avx2_positions());
  std::mt19937_64 random(10);
  for (const VectorPositions* by : all)
    for (std::int64_t hi : {0, 31, 32, 64, 100, 1000}) {
      std::vector<char> bytes(static_cast<std::size_t>(hi));
      for (char& b : bytes) b = static_cast<char>(random() % 4 == 0 ? 1 << (random() % 8) : 0);
      const std::int64_t lo = hi / 50;
      std::int64_t seen = -1;
      const std::int64_t count = by->count(bytes.data(), lo, hi, &seen);
      EXPECT_LT(hi - seen, 64);
      std::vector<std::int64_t> wanted, found(static_cast<std::size_t>(hi) + 64);
      for (std::int64_t i = lo; i < seen; ++i)
        if (bytes[static_cast<std::size_t>(i)] != 0) wanted.push_back(i);
      EXPECT_EQ(count, static_cast<std::int64_t>(wanted.size()));
      const Found last = by->find(bytes.data(), lo, hi, found.data(), found.data() + found.size());
      EXPECT_EQ(last.seen, seen);
      found.resize(static_cast<std::size_t>(last.to - found.data()));
      EXPECT_EQ(found, wanted);
    }
}
#endif

}  // namespace
}  // namespace lathe::api
