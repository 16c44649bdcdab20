// SPDX-License-Identifier: Apache-2.0
#include "api/positions.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

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

}  // namespace
}  // namespace lathe::api
