// SPDX-License-Identifier: Apache-2.0
// Many threads, and children of fork. ThreadSanitizer watches this in the preset tsan.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "api/examples.h"

// A forked child that starts threads is what is tested here; ThreadSanitizer refuses it by default.
extern "C" const char* __tsan_default_options() { return "die_after_fork=0"; }

namespace lathe::testing {
namespace {

using Numbers = std::vector<double>;

template <class F>
void in_parallel(int count, F&& f) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) threads.emplace_back([&f, t] { f(t); });
  for (std::thread& t : threads) t.join();
}

// v[i] = t * u[i] + 1, by a call of its own; rows of another stride for odd t.
bool scaled(const Kernel& k, int t, int threads) {
  const std::int64_t n = 3000 + t, step = 1 + t % 2;
  Numbers u(static_cast<std::size_t>(n), 2), v(static_cast<std::size_t>(n * step));
  RunOptions options;
  options.threads = threads;
  k.run({{"n", n}, {"a", t}},
        {{"u", View(u.data(), {n})}, {"v", View(v.data(), {n}).strided({8 * step})}}, options);
  for (std::int64_t i = 0; i < n; ++i)
    if (v[static_cast<std::size_t>(i * step)] != 2 * t + 1) return false;
  return true;
}

TEST(Threads, OneProgramIsCompiledAndLaunchedByMany) {
  const Program p = program(kScale);
  const Kernel shared = p.compile();
  std::atomic<int> wrong{0};
  in_parallel(6, [&](int t) {
    const Kernel own = t < 2 ? p.compile() : shared;
    for (int round = 0; round < 20; ++round)
      if (!scaled(own, t, 1 + round % 3)) ++wrong;
    if (own.schedule().empty() || own.c_source().empty()) ++wrong;
    Region needed;
    if (!p.required("v", {{0}, {4}}, {{"n", 10}}, "u", needed)) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, WholeArrayOperationsToo) {
  const Kernel k = kernel(kPick);
  std::atomic<int> wrong{0};
  in_parallel(4, [&](int t) {
    bool m[50] = {};
    m[t] = m[t + 10] = true;
    for (int round = 0; round < 10; ++round) {
      Call call = k.call();
      call.set("n", 50).bind("m", View(m, {50})).run();
      const std::int64_t* p = call.array("p").data_as<std::int64_t>();
      if (p[0] != t || p[1] != t + 10) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, CancelFromAnotherThreadStopsOnlyItsCalls) {
  const Kernel k = kernel(
      "program long(n: size, r: size)\n  inout v: f64[i: n]\n"
      "  repeat s in 0..r:\n    for i in 0..n: v[i] = v[i] * 0.5 + 1\n");
  const Cancel cancel;
  std::atomic<int> stopped{0}, finished{0};
  in_parallel(3, [&](int t) {
    Numbers v(2000, 1.0);
    RunOptions options;
    if (t == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      cancel.request();
      return;
    }
    if (t == 1) options.cancel = &cancel;
    const std::int64_t rounds = t == 1 ? std::int64_t{1} << 50 : 100;
    try {
      k.run({{"n", 2000}, {"r", rounds}}, {{"v", View(v.data(), {2000})}}, options);
      ++finished;
    } catch (const Error& e) {
      if (e.code() == Code::Cancelled) ++stopped;
    }
  });
  EXPECT_EQ(stopped, 1);
  EXPECT_EQ(finished, 1);
}

TEST(Threads, ChildrenOfForkLaunchAndCompile) {
  const Kernel used = kernel(kScale);
  ASSERT_TRUE(scaled(used, 2, 2));  // the pool has workers, which the child has not
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    bool fine = scaled(used, 3, 2) && scaled(used, 4, 2);
    fine = fine && scaled(kernel("program other(n: size, a: f64)\n  input u: f64[i: n]\n"
                                 "  output v: f64[i: n]\n  for i in 0..n: v[i] = 1 + u[i] * a\n"),
                          5, 2);
    ::_exit(fine ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_TRUE(scaled(used, 5, 2));
}

}  // namespace
}  // namespace lathe::testing
