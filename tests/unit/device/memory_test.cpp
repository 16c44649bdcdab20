// SPDX-License-Identifier: Apache-2.0
#include "device/host/memory.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <limits>
#include <thread>

#include "device/host/limits.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#define LATHE_ASAN 1
#endif
#endif

namespace lathe::host {
namespace {

constexpr std::int64_t kMega = 1 << 20;

std::uintptr_t address(const Block& block) {
  return reinterpret_cast<std::uintptr_t>(block.data());
}

TEST(Memory, AlignedAndWritable) {
  MemoryPool pool;
  for (const std::int64_t bytes :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{64}, std::int64_t{1000},
        100000 * std::int64_t{1}, kMega, 2 * kMega, 3 * kMega + 1, 20 * kMega}) {
    Allocation got = pool.allocate(bytes);
    ASSERT_FALSE(got.error);
    ASSERT_TRUE(got.block);
    EXPECT_EQ(got.block.size(), bytes);
    EXPECT_EQ(address(got.block) % (bytes >= 2 * kMega ? 2 * kMega : 64), 0u) << bytes;
    std::memset(got.block.data(), 1, static_cast<std::size_t>(bytes));
  }
  EXPECT_EQ(pool.stats().in_use, 0);
}

TEST(Memory, CapacityIsNotMuchMore) {
  EXPECT_FALSE(MemoryPool::capacity_for(-1));
  EXPECT_FALSE(MemoryPool::capacity_for(std::numeric_limits<std::int64_t>::max()));
  for (std::int64_t bytes = 64; bytes < std::int64_t{1} << 40; bytes += bytes / 7 + 1) {
    const std::int64_t capacity = *MemoryPool::capacity_for(bytes);
    EXPECT_GE(capacity, bytes);
    EXPECT_LE(capacity - bytes, std::max(bytes / 8, bytes > kMega ? 2 * kMega : 64)) << bytes;
    EXPECT_EQ(capacity % (capacity >= 2 * kMega ? 2 * kMega : 64), 0) << bytes;
    EXPECT_EQ(*MemoryPool::capacity_for(capacity), capacity);
  }
}

TEST(Memory, NearSizesReuseBlocks) {
  MemoryPool pool(64 * kMega);
  void* first = nullptr;
  {
    Allocation got = pool.allocate(8 * kMega);
    first = got.block.data();
  }
  EXPECT_EQ(pool.stats().idle, 8 * kMega);
  {
    Allocation near = pool.allocate(7 * kMega);
    EXPECT_EQ(near.block.data(), first);
    EXPECT_EQ(pool.stats().in_use, 8 * kMega);
    Allocation far = pool.allocate(7 * kMega);
    EXPECT_NE(far.block.data(), first);
  }
  Allocation small = pool.allocate(kMega);  // would waste too much of them
  EXPECT_EQ(pool.stats().reused, 1);
  EXPECT_EQ(pool.stats().fresh, 3);
  pool.trim();
  EXPECT_EQ(pool.stats().idle, 0);
  EXPECT_EQ(pool.stats().peak_in_use, 16 * kMega);
}

TEST(Memory, TheLastSmallBlocksAreKept) {
  MemoryPool pool(64 * kMega);
  void* first = nullptr;
  {
    Allocation got = pool.allocate(8000);
    first = got.block.data();
  }
  const std::int64_t capacity = *MemoryPool::capacity_for(8000);
  EXPECT_EQ(pool.stats().idle, capacity);
  {
    Allocation same = pool.allocate(8000);
    EXPECT_EQ(same.block.data(), first);
    Allocation other = pool.allocate(8000);
    EXPECT_NE(other.block.data(), first);
    Allocation shorter = pool.allocate(4000);
    EXPECT_EQ(pool.stats().reused, 1);
    EXPECT_EQ(pool.stats().fresh, 3);
  }
  {
    std::vector<Allocation> many;
    for (int i = 0; i < 40; ++i) many.push_back(pool.allocate(8000));
  }
  EXPECT_LE(pool.stats().idle, 16 * capacity);
  EXPECT_EQ(pool.stats().in_use, 0);
  pool.trim();
  EXPECT_EQ(pool.stats().idle, 0);
}

TEST(Memory, IdleBytesAreCapped) {
  MemoryPool pool(10 * kMega);
  {
    std::vector<Allocation> many;
    for (int i = 0; i < 8; ++i) many.push_back(pool.allocate(4 * kMega));
    many.push_back(pool.allocate(32 * kMega));
    EXPECT_EQ(pool.stats().in_use, 64 * kMega);
  }
  EXPECT_EQ(pool.stats().idle, 8 * kMega);
  EXPECT_EQ(pool.stats().in_use, 0);
}

TEST(Memory, TooMuchIsRefusedInWords) {
  MemoryPool pool(0, 100 * kMega);
  EXPECT_EQ(pool.allocate(200 * kMega).error->message,
            "cannot allocate 209715200 bytes: this machine has 104857600 bytes of memory and swap "
            "for it");
  EXPECT_EQ(pool.allocate(-5).error->message, "cannot allocate -5 bytes: the size is negative");
  EXPECT_EQ(pool.allocate(std::numeric_limits<std::int64_t>::max()).error->message,
            "cannot allocate 9223372036854775807 bytes: no machine has as much");
  const Allocation most = pool.allocate(64 * kMega);
  EXPECT_FALSE(most.error);
  EXPECT_EQ(pool.allocate(64 * kMega).error->message,
            "cannot allocate 67108864 bytes: 67108864 bytes are in use, and this machine has "
            "104857600 bytes of memory and swap");
  EXPECT_FALSE(pool.allocate(16 * kMega).error);
  EXPECT_TRUE(MemoryPool::shared().allocate(memory_limit() + 1).error);
}

TEST(Memory, IdleBlocksMakeWay) {
  MemoryPool pool(100 * kMega, 100 * kMega);
  { const Allocation first = pool.allocate(64 * kMega); }
  EXPECT_EQ(pool.stats().idle, 64 * kMega);
  const Allocation second = pool.allocate(96 * kMega);
  EXPECT_FALSE(second.error);
  EXPECT_EQ(pool.stats().idle, 0);
}

TEST(Memory, MovingABlock) {
  MemoryPool pool;
  Block a = std::move(pool.allocate(1000).block);
  void* const data = a.data();
  Block b = std::move(a);
  EXPECT_EQ(b.data(), data);
  b = std::move(pool.allocate(2000).block);
  EXPECT_EQ(b.size(), 2000);
}

TEST(Memory, ManyThreads) {
  MemoryPool pool(8 * kMega);
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 300; ++i) {
        Allocation got = pool.allocate(kMega / 4 * (1 + (i + t) % 5));
        ASSERT_TRUE(got.block);
        auto* bytes = static_cast<char*>(got.block.data());
        bytes[0] = static_cast<char>(t);
        bytes[got.block.size() - 1] = static_cast<char>(i);
        EXPECT_EQ(bytes[0], static_cast<char>(t));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(pool.stats().in_use, 0);
  EXPECT_EQ(pool.stats().reused + pool.stats().fresh, 6 * 300);
}

TEST(Memory, TheSharedPoolSurvivesForks) {
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop) (void)MemoryPool::shared().allocate(kMega);
  });
  for (int i = 0; i < 20; ++i) {
    (void)MemoryPool::shared().allocate(kMega);
    const pid_t child = ::fork();
    if (child == 0) ::_exit(MemoryPool::shared().allocate(kMega).error ? 1 : 0);
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  stop = true;
  other.join();
}

#if defined(LATHE_ASAN)
TEST(Memory, IdleBlocksArePoisoned) {
  MemoryPool pool(8 * kMega);
  const char* data = nullptr;
  {
    const Allocation got = pool.allocate(2 * kMega + 8);
    data = static_cast<const char*>(got.block.data());
    EXPECT_FALSE(__asan_address_is_poisoned(data + 2 * kMega + 7));
    EXPECT_TRUE(__asan_address_is_poisoned(data + 2 * kMega + 8));
  }
  EXPECT_TRUE(__asan_address_is_poisoned(data));
}
#endif

}  // namespace
}  // namespace lathe::host
