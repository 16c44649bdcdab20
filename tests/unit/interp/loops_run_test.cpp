// SPDX-License-Identifier: Apache-2.0
// Kernels give the bits of the programs that they stand for.

#include <cmath>
#include <ctime>

#include "unit/interp/run_kernel.h"
#include "unit/interp/run_text.h"
#include "unit/ir/loops_samples.h"

namespace lathe::interp {
namespace {

Values numbers(std::size_t count, double scale = 1) {
  Values v;
  for (std::size_t i = 0; i < count; ++i) v.push_back(scale * std::sin(1.0 + 7.0 * double(i)));
  return v;
}

TEST(LoopsRun, Diffuse) {
  const Values u = numbers(7 * 21);
  TextRun program(R"(program diffuse(n: size, m: size, a: f64)
  input  u: f64[i: n, j: m]
  temp   lap: f64[i: n, j: m]
  output v: f64[i: n, j: m]

  for i in 1..n-1, j in 1..m-1:
    lap[i, j] = u[i, j-1] + u[i, j+1] + (u[i-1, j] + u[i+1, j]) - 4 * u[i, j]
  for i in 0..n, j in 0..m:
    v[i, j] = select(1 <= i and i < n-1 and 1 <= j and j < m-1, u[i, j] + a * lap[i, j], u[i, j])
)");
  program.set("n", 7).set("m", 21).set("a", ir::Scalar::of_double(ir::DType::F64, 0.1));
  program.in("u", u).run();
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    KernelRun kernel(loops::sample("diffuse"));
    LoopsOptions options;
    options.seed = seed;
    kernel.set("n", 7).set("m", 21).set_real("a", 0.1).in("u", {7, 21}, u).run(options);
    EXPECT_TRUE(same_bits(kernel.state.arrays["v"], program.state.arrays["v"]));
  }
}

TEST(LoopsRun, MatmulWithLanes) {
  TextRun program(R"(program matmul(n: size, m: size, p: size)
  input  a: f64[i: n, k: p]
  input  b: f64[k: p, j: m]
  output c: f64[i: n, j: m]

  for i in 0..n, j in 0..m: c[i, j] = contract k in 0..p: (a[i, k], b[k, j])
)");
  const Values a = numbers(5 * 6), b = numbers(6 * 19, 3);
  program.set("n", 5).set("m", 19).set("p", 6).in("a", a).in("b", b).run();
  KernelRun kernel(loops::sample("matmul"));
  kernel.set("n", 5).set("m", 19).set("p", 6).in("a", {5, 6}, a).in("b", {6, 19}, b).run();
  EXPECT_TRUE(same_bits(kernel.state.arrays["c"], program.state.arrays["c"]));
}

TEST(LoopsRun, TreeSumWithLanesAndStack) {
  for (const std::int64_t n : {64, 100, 128, 1000, 4096}) {
    const Values x = numbers(static_cast<std::size_t>(n));
    TextRun program(
        "program s(n: size)\n  input x: f64[i: n]\n  output s: f64\n\n"
        "  s = sum i in 0..n: x[i]\n");
    program.set("n", n).in("x", x).run();
    KernelRun kernel(loops::sample("tree_sum"));
    kernel.set("n", n).in("x", {n}, x).run();
    EXPECT_TRUE(same_bits(kernel.state.arrays["s"], program.state.arrays["s"])) << n;
  }
}

TEST(LoopsRun, SweepWithThreadTiles) {
  const Values a = numbers(3 * 8), d = numbers(3 * 8, 2);
  KernelRun kernel(loops::sample("sweep"));
  kernel.set("n", 3).set("m", 8).in("a", {3, 8}, a).in("d", {3, 8}, d).run();
  const Values x = kernel.out("x");
  for (std::size_t i = 0; i < 3; ++i) {
    double w[8], g[8], later = 0;
    for (std::size_t k = 0; k < 8; ++k) {
      const double here = a[8 * i + k];
      const double scale = k == 0 ? 4 : 4 - here * w[k - 1];
      w[k] = here / scale;
      g[k] = k == 0 ? d[8 * i] / 4 : (d[8 * i + k] - here * g[k - 1]) / scale;
    }
    for (std::size_t k = 8; k-- > 0;) {
      later = g[k] - (k < 7 ? w[k] * later : 0);
      EXPECT_EQ(x[8 * i + k], later);
    }
  }
}

TEST(LoopsRun, RotationMovesContents) {
  TextRun program(R"(program heat(n: size, steps: size)
  inout u: f64[i: n]
  temp  next: f64[i: n]

  repeat t in 0..steps rotate u, next until u[1] < 1e-6:
    for i in 0..n:
      next[i] = select(i == 0 or i == n-1, u[i], 0.5 * u[i] + 0.25 * (u[i-1] + u[i+1]))
)");
  const Values u = {1, 0, 0, 4, 0, 0, 2};
  program.set("n", 7).set("steps", 5).in("u", u).run();
  KernelRun kernel(loops::sample("heat_steps"));
  kernel.set("n", 7).set("steps", 5).in("u", {7}, u).run();
  EXPECT_TRUE(same_bits(kernel.state.arrays["u"], program.state.arrays["u"]));
  KernelRun zeros(loops::sample("heat_steps"));  // leaves after one step
  zeros.set("n", 7).set("steps", 1000000).in("u", {7}, Values(7)).run();
  EXPECT_LT(zeros.operations, 1000u);
}

TEST(LoopsRun, CallsAndResultsThatAreAllocated) {
  KernelRun kernel(loops::sample("compact"));
  kernel.set("n", 5).in("u", {5}, {1, 2, 3, 4, 5});
  kernel.in("mask", ir::DType::Bool, {5}, {0, 1, 0, 1, 1}).run();
  EXPECT_EQ(kernel.out("kept"), (Values{2, 4, 5}));
  EXPECT_EQ(kernel.out("at"), (Values{1, 3, 4}));
}

TEST(LoopsRun, LoadsTablesAndOtherDtypes) {
  KernelRun kernel(loops::sample("blend"));
  Values u(2 * 3 * 4);
  for (std::size_t e = 0; e < u.size(); ++e) u[e] = double(10 * e);
  kernel.set("n", 2).set("m", 3).in("u", ir::DType::U8, {2, 3, 4}, u).run();
  const Values v = kernel.out("v");
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const double* p = &u[12 * i + 4 * j];
      const float mean = float(p[0]) * 0.25f + float(p[1]) * 0.5f + float(p[2]) * 0.25f;
      EXPECT_EQ(v[2 * j + i], double(mean * (float(p[3]) / 255.0f)));
    }
}

TEST(LoopsRun, LazyOutsideOfVectorLoops) {
  KernelRun kernel(loops::sample("masked"));
  kernel.set("n", 3).in("flag", ir::DType::Bool, {3}, {0, 1, 1});
  Buffer u = make_buffer(ir::DType::F64, {-1}, {4});
  for (std::int64_t i = -1; i < 4; ++i)
    u.set(std::vector{i}, ir::Scalar::of_double(ir::DType::F64, double(10 + i)));
  kernel.state.arrays["u"] = u;
  kernel.run();
  EXPECT_EQ(kernel.out("v"), (Values{0, 10, 11}));
  // u[i] is outside of the last point's reach, and not wanted there.
  const std::string text = R"(kernel k(n: size)
  argument u: f64[0..n] input
  argument v: f64[0..n] output

  LOOP
    v[i] = select(i < n-1, u[i+1], 0) + gate(0 < i, u[i-1])
)";
  for (const bool vector : {false, true}) {
    std::string changed = text;
    changed.replace(changed.find("LOOP"), 4, vector ? "vector i in 0..n by 2:" : "for i in 0..n:");
    KernelRun lazy(changed);
    lazy.set("n", 4).in("u", {4}, {1, 2, 3, 4});
    if (!vector) {
      EXPECT_EQ(lazy.run().out("v"), (Values{2, 4, 6, 3}));
    } else {
      EXPECT_EQ(lazy.error(),
                "kernel 'k' reads 'u' at [-1], but u covers [0..4]\n"
                "  in: v[i] = select(i < n-1, u[i+1], 0) + gate(0 < i, u[i-1])\n"
                "  at i = 0");
    }
  }
}

TEST(LoopsRun, LoopsCountAsTheySay) {
  KernelRun kernel(R"(kernel k(n: size)
  argument v: i64[0..40] output
  scratch next: i64

  next = 0
  for i in 2..n step 3:
    v[next] = i
    next = next + 1
  for i in 2..n step 3 down:
    v[next] = i
    next = next + 1
  for i in n..2:
    v[next] = 100
  for i in 0..n:
    break if i == 2
    for j in 0..n:
      break if j == 1
      v[next] = 10 * i + j
      next = next + 1
)");
  kernel.set("n", 10).run();
  const Values v = kernel.out("v");
  EXPECT_EQ(Values(v.begin(), v.begin() + 8), (Values{2, 5, 8, 8, 5, 2, 0, 10}));
}

TEST(LoopsRun, LanesRunStatementByStatement) {
  // Not a loop to vectorise: v[i] = v[i-1] + 1 from lane to lane.
  const std::string text = R"(kernel k(n: size)
  argument v: f64[0..n] inout

  vector i in 1..n by 4:
    var x: f64 = v[i-1]
    x = x + 1
    v[i] = x
)";
  KernelRun kernel(text);
  kernel.set("n", 7).in("v", {7}, {0, 0, 0, 0, 0, 0, 0}).run();
  EXPECT_EQ(kernel.out("v"), (Values{0, 1, 1, 1, 1, 2, 3}));  // 4 lanes, then 1, then 1
}

TEST(LoopsRun, StopsWhenTooMuchIsAsked) {
  KernelRun kernel(loops::sample("heat_steps"));
  kernel.set("n", 7).set("steps", 1000000).in("u", {7}, {1, 0, 0, 4, 0, 0, 2});
  EXPECT_EQ(kernel.error({.operation_cap = 100}),
            "error: the run takes more than 100 element operations\n");
}

TEST(LoopsRun, ThreeMillionOperationsASecond) {
  KernelRun kernel(loops::sample("matmul"));
  const std::size_t n = 100;
  kernel.set("n", n).set("m", n - 1).set("p", n);
  kernel.in("a", {n, n}, numbers(n * n)).in("b", {n, n - 1}, numbers(n * (n - 1)));
  const std::clock_t begin = std::clock();
  kernel.run();
  const double rate = double(kernel.operations) * CLOCKS_PER_SEC / double(std::clock() - begin);
  RecordProperty("operations_per_second", std::to_string(rate));
  EXPECT_GT(rate, 1e5) << "far from it, even with sanitizers on a busy machine";
}

}  // namespace
}  // namespace lathe::interp
