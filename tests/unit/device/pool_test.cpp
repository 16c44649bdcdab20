// SPDX-License-Identifier: Apache-2.0
#include "device/host/pool.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <limits>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "device/host/float_mode.h"
#include "device/host/limits.h"
#include "unit/device/kernels.h"

// A forked child that starts threads is what is tested here; ThreadSanitizer refuses it by default.
extern "C" const char* __tsan_default_options() { return "die_after_fork=0"; }

namespace lathe::host {
namespace {

// Counts how often each element of a range is visited.
struct Visits {
  explicit Visits(std::size_t n) : count(n) {}
  static void body(void* context, std::int64_t lo, std::int64_t hi) {
    auto& self = *static_cast<Visits*>(context);
    EXPECT_LT(lo, hi);
    for (std::int64_t i = lo; i < hi; ++i) {
      self.count[static_cast<std::size_t>(i)].fetch_add(1, std::memory_order_relaxed);
    }
  }
  bool each(int times) const {
    for (const auto& c : count) {
      if (c.load() != times) return false;
    }
    return true;
  }
  std::vector<std::atomic<int>> count;
};

TEST(Pool, EveryElementOnce) {
  Pool pool;
  for (const int threads : {1, 2, 3, 8}) {
    for (const std::int64_t n : {0, 1, 2, 7, 64, 1000}) {
      for (const std::int64_t grain : {1, 3, 64}) {
        Visits visits(static_cast<std::size_t>(n));
        EXPECT_EQ(pool.parallel(Visits::body, &visits, 0, n, grain, threads), Parallel::Done);
        EXPECT_TRUE(visits.each(1)) << threads << " " << n << " " << grain;
      }
    }
  }
  EXPECT_LE(pool.workers(), 7);
}

struct Pieces {
  static void body(void* context, std::int64_t lo, std::int64_t hi) {
    auto& self = *static_cast<Pieces*>(context);
    const std::scoped_lock guard(self.mutex);
    self.pieces.emplace_back(lo, hi);
  }
  std::mutex mutex;
  std::vector<std::pair<std::int64_t, std::int64_t>> pieces;
};

TEST(Pool, PiecesAreMultiplesOfTheGrain) {
  Pool pool;
  Pieces seen;
  pool.parallel(Pieces::body, &seen, 5, 1005, 8, 2);
  EXPECT_GE(seen.pieces.size(), 8u);
  EXPECT_LE(seen.pieces.size(), 16u);
  for (const auto& [lo, hi] : seen.pieces) {
    EXPECT_EQ((lo - 5) % 8, 0);
    EXPECT_TRUE(hi == 1005 || (hi - lo) % 8 == 0);
  }
}

// Equal pieces of 22 units would be two each: one thread twelve of them, the other ten.
TEST(Pool, TheLastPiecesAreShort) {
  Pool pool;
  for (const std::int64_t units : {std::int64_t{22}, std::int64_t{1000}}) {
    Pieces seen;
    pool.parallel(Pieces::body, &seen, 0, units, 1, 2);
    std::sort(seen.pieces.begin(), seen.pieces.end());
    EXPECT_LE(seen.pieces.size(), 18u);
    const auto length = [&](std::size_t i) { return seen.pieces[i].second - seen.pieces[i].first; };
    EXPECT_LE(length(0), units / 6);
    for (std::size_t i = 1; i < seen.pieces.size(); ++i) EXPECT_LE(length(i), length(i - 1));
    EXPECT_LE(length(seen.pieces.size() - 1), std::max<std::int64_t>(1, units / 24));
  }
}

TEST(Pool, OneThreadIsOneCall) {
  Pool pool;
  Pieces seen;
  pool.parallel(Pieces::body, &seen, -3, 1000, 1, 1);
  ASSERT_EQ(seen.pieces.size(), 1u);
  EXPECT_EQ(seen.pieces[0], (std::pair<std::int64_t, std::int64_t>(-3, 1000)));
  EXPECT_EQ(pool.workers(), 0);
}

TEST(Pool, RangesAtTheEndsOfTheirType) {
  constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
  Pool pool;
  for (const int threads : {1, 2}) {
    for (const std::int64_t grain : {std::int64_t{1}, std::int64_t{12345}, highest}) {
      Pieces seen;
      pool.parallel(Pieces::body, &seen, lowest, highest, grain, threads);
      std::sort(seen.pieces.begin(), seen.pieces.end());
      EXPECT_EQ(seen.pieces.front().first, lowest);
      EXPECT_EQ(seen.pieces.back().second, highest);
      for (std::size_t i = 1; i < seen.pieces.size(); ++i) {
        EXPECT_EQ(seen.pieces[i - 1].second, seen.pieces[i].first);
      }
    }
  }
}

TEST(Pool, ManyShortJobs) {
  Pool pool;
  Visits visits(64);
  for (int i = 0; i < 3000; ++i) {
    pool.parallel(Visits::body, &visits, 0, 64, 1, 1 + i % 4);
    if (i % 500 == 0) ::usleep(2000);  // so that workers sleep now and then
  }
  EXPECT_TRUE(visits.each(3000));
}

TEST(Pool, ManyCallersAtOnce) {
  Pool pool;
  Visits visits(256);
  std::vector<std::thread> callers;
  for (int t = 0; t < 6; ++t) {
    callers.emplace_back([&] {
      for (int i = 0; i < 200; ++i) pool.parallel(Visits::body, &visits, 0, 256, 1, 3);
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_TRUE(visits.each(6 * 200));
}

TEST(Pool, NestedCallsRunInline) {
  struct Outer {
    Pool pool;
    Visits visits{100};
  } outer;
  const Body body = [](void* context, std::int64_t lo, std::int64_t hi) {
    auto& self = *static_cast<Outer*>(context);
    for (std::int64_t i = lo; i < hi; ++i) {
      EXPECT_EQ(self.pool.parallel(Visits::body, &self.visits, 0, 100, 1, 4), Parallel::Done);
    }
  };
  outer.pool.parallel(body, &outer, 0, 10, 1, 2);
  EXPECT_TRUE(outer.visits.each(10));
}

TEST(Pool, Cancelled) {
  for (const int threads : {1, 3}) {
    Pool pool;
    struct Context {
      std::atomic<bool> cancel{false};
      std::atomic<int> calls{0};
    } context;
    const Body body = [](void* raw, std::int64_t, std::int64_t) {
      auto& self = *static_cast<Context*>(raw);
      if (++self.calls == 3) self.cancel = true;
    };
    EXPECT_EQ(pool.parallel(body, &context, 0, 1000, 1, threads, &context.cancel),
              Parallel::Cancelled);
    EXPECT_GE(context.calls, 3);
    EXPECT_LE(context.calls, 3 + threads);
    context.cancel = false;
    context.calls = 1000;
    EXPECT_EQ(pool.parallel(body, &context, 0, 1000, 1, threads, &context.cancel), Parallel::Done);
  }
}

TEST(Pool, ExceptionsStayInside) {
  Pool pool;
  const Body body = [](void*, std::int64_t lo, std::int64_t) {
    if (lo == 0) throw std::runtime_error("no");
  };
  for (const int threads : {1, 2}) {
    EXPECT_EQ(pool.parallel(body, nullptr, 0, 100, 1, threads), Parallel::Threw);
    Visits visits(100);
    EXPECT_EQ(pool.parallel(Visits::body, &visits, 0, 100, 1, threads), Parallel::Done);
    EXPECT_TRUE(visits.each(1));
  }
}

bool runs_in_child(Pool& pool) {
  const pid_t child = ::fork();
  if (child == 0) {
    Visits visits(1000);
    for (int i = 0; i < 20; ++i) pool.parallel(Visits::body, &visits, 0, 1000, 1, 3);
    ::_exit(visits.each(20) && pool.workers() == 2 ? 0 : 1);
  }
  int status = -1;
  return ::waitpid(child, &status, 0) == child && status == 0;
}

TEST(Pool, AfterFork) {
  Pool pool;
  EXPECT_TRUE(runs_in_child(pool));  // no workers yet
  Visits visits(1000);
  pool.parallel(Visits::body, &visits, 0, 1000, 1, 3);
  EXPECT_TRUE(runs_in_child(pool));  // workers that the child has not
  EXPECT_TRUE(runs_in_child(Pool::shared()));
  pool.parallel(Visits::body, &visits, 0, 1000, 1, 3);
  EXPECT_TRUE(visits.each(2));
}

TEST(Pool, ForkWhileOthersAreAtWork) {
  Pool pool;
  std::atomic<bool> stop{false};
  std::thread other([&] {
    Visits visits(1000);
    while (!stop) pool.parallel(Visits::body, &visits, 0, 1000, 1, 3);
  });
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(runs_in_child(pool));
  stop = true;
  other.join();
}

// The child comes back from parallel() although nobody else will finish its pieces.
TEST(Pool, ForkInsideABody) {
  Pool pool;
  struct Context {
    std::thread::id caller = std::this_thread::get_id();
    pid_t parent = ::getpid(), child = -1;
  } context;
  const Body body = [](void* raw, std::int64_t, std::int64_t) {
    auto& self = *static_cast<Context*>(raw);
    ::usleep(1000);
    if (std::this_thread::get_id() != self.caller || self.child >= 0) return;
    self.child = ::fork();
    if (self.child == 0) ::alarm(30);  // instead of hanging
  };
  pool.parallel(body, &context, 0, 100, 1, 3);
  if (::getpid() != context.parent) {
    Visits visits(100);
    pool.parallel(Visits::body, &visits, 0, 100, 1, 3);
    ::_exit(visits.each(1) ? 0 : 1);
  }
  ASSERT_GT(context.child, 0);
  int status = -1;
  EXPECT_EQ(::waitpid(context.child, &status, 0), context.child);
  EXPECT_EQ(status, 0);
}

#if defined(__x86_64__)
TEST(Pool, FloatModeIsSetAndRestored) {
  const unsigned before = __builtin_ia32_stmxcsr();
  const unsigned strange = 0x1f80 | 0x8040 | 0x6000 | 0x0020;  // FTZ, DAZ, to zero, inexact
  Pool pool;
  struct Context {
    std::atomic<int> wrong{0}, calls{0};
  } context;
  const Body body = [](void* raw, std::int64_t, std::int64_t) {
    auto& self = *static_cast<Context*>(raw);
    if ((__builtin_ia32_stmxcsr() & ~0x3fu) != 0x1f80) ++self.wrong;
    __builtin_ia32_ldmxcsr(0x1f80 | 0x8000);  // a body that leaves a mess
    __builtin_ia32_ldmxcsr(0x1f80);
    ++self.calls;
  };
  __builtin_ia32_ldmxcsr(strange);
  for (const int threads : {1, 2, 3}) pool.parallel(body, &context, 0, 100, 1, threads);
  EXPECT_EQ(__builtin_ia32_stmxcsr(), strange);
  __builtin_ia32_ldmxcsr(before);
  EXPECT_EQ(context.wrong, 0);
  EXPECT_GT(context.calls, 3);
}
#endif

TEST(Pool, RoundingIsSetAndRestored) {
  std::fesetround(FE_UPWARD);
  {
    const FloatModeGuard guard;
    volatile double one = 1, three = 3;
    EXPECT_EQ(one / three, 0x1.5555555555555p-2);
  }
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(FE_TONEAREST);
}

TEST(Pool, KernelsRunInIt) {
  TemporaryFolder folder("test");
  CacheSettings settings;
  settings.folder = folder.path() + "/cache";
  Cache cache(settings);
  const Kernel kernel =
      cache.lookup_or_compile({"void body(void* context, long lo, long hi) {\n"
                               "  double* a = context;\n"
                               "  for (long i = lo; i < hi; ++i) a[i] = a[i] * 2 + 1;\n"
                               "}\n",
                               {"-O1"},
                               {"body"},
                               "double"});
  ASSERT_TRUE(kernel.library);
  const auto body = kernel.library->function<void(void*, std::int64_t, std::int64_t)>("body");
  std::vector<std::thread> callers;
  for (int t = 0; t < 4; ++t) {
    callers.emplace_back([&] {
      std::vector<double> a(10000, 1);
      Pool::shared().parallel(body, a.data(), 0, 10000, 16, 2);
      EXPECT_EQ(std::accumulate(a.begin(), a.end(), 0.0), 30000);
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST(Limits, Sane) {
  EXPECT_GE(hardware_threads(), 1);
  EXPECT_LE(hardware_threads(), 1024);
  EXPECT_GT(memory_limit(), 1 << 20);
}

}  // namespace
}  // namespace lathe::host
