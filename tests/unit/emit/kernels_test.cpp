// SPDX-License-Identifier: Apache-2.0
// Whole kernels against the same computation in C++.

#include "unit/emit/kernels.h"

#include <gtest/gtest.h>

#include <cmath>

#include "property/rng.h"
#include "unit/emit/build_each.h"

namespace lathe::testing {
namespace {

using Bound = std::vector<std::int64_t>;

template <class T>
void fill(HostArray& a, std::int64_t n, std::int64_t m, Rng& rng) {
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < m; ++j) a.ref<T>({i, j}) = static_cast<T>(rng.unit() - 0.5);
}

void check_diffusion(const emit::EmitResult& emitted, const Loaded& loaded, std::int64_t n,
                     std::int64_t m, std::int64_t step, std::int64_t shift) {
  Rng rng(5);
  HostArray u(DType::F64, {0, 0}, {n, m}, step), v(DType::F64, {0, 0}, {n, m}, step, shift);
  fill<double>(u, n, m, rng);
  fill<double>(v, n, m, rng);
  const double before = v.ref<double>({0, 0}), a = 0.2;
  Host host(2);
  host.parameter(n);
  host.parameter(m);
  host.parameter(a);
  host.array(u);
  host.array(v);
  ASSERT_EQ(host.run(loaded, emitted), LATHE_FINE);
  EXPECT_EQ(v.ref<double>({0, 0}), before);
  EXPECT_TRUE(v.surroundings_intact());
  const auto at = [&](std::int64_t i, std::int64_t j) { return u.ref<double>({i, j}); };
  for (std::int64_t i = 1; i < n - 1; ++i)
    for (std::int64_t j = 1; j < m - 1; ++j) {
      const double lap = at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1) - 4.0 * at(i, j);
      ASSERT_EQ(v.ref<double>({i, j}), at(i, j) + a * lap) << i << " " << j;
    }
}

TEST(Kernels, DiffusionInChunks) {
  KernelBuilder k("diffusion");
  make_diffusion(k, 16);
  each_build(k.kernel, [](const auto& emitted, const Loaded& loaded) {
    for (std::int64_t m : {2, 3, 17, 18, 19, 34, 75}) check_diffusion(emitted, loaded, 7, m, 1, 0);
  });
}

TEST(Kernels, StridedArguments) {
  KernelBuilder k("strided");
  make_diffusion(k, 8, false, false);
  each_build(k.kernel, [](const auto& emitted, const Loaded& loaded) {
    for (std::int64_t step : {1, 3}) check_diffusion(emitted, loaded, 6, 29, step, 0);
  });
}

TEST(Kernels, StreamingAtEveryMisalignment) {
  KernelBuilder k("streaming");
  make_diffusion(k, 8, true);
  each_build(k.kernel, [](const auto& emitted, const Loaded& loaded) {
    for (std::int64_t shift = 0; shift < 8; ++shift)
      for (std::int64_t m : {2, 5, 9, 10, 11, 64}) check_diffusion(emitted, loaded, 4, m, 1, shift);
  });
}

TEST(Kernels, StreamingTwoTargets) {
  KernelBuilder k("two");
  const E n = k.size("n"), i = k.var("i");
  k.argument("u", DType::F32, {{k.num(0), n}}, ir::Role::Input);
  k.argument("v", DType::F32, {{k.num(0), n}}, ir::Role::Output);
  k.argument("w", DType::F64, {{k.num(0), n}}, ir::Role::Output);
  k.kernel.body = {k.vector("i", k.num(0), n, 32,
                            {k.store("v", {i}, k.read("u", {i}) * k.real(2, DType::F32), true),
                             k.store("w", {i}, k.cast(DType::F64, k.read("u", {i})), true)})};
  each_build(k.kernel, [](const auto& emitted, const Loaded& loaded) {
    for (std::int64_t first = 0; first < 16; first += 3)
      for (std::int64_t second = 0; second < 8; ++second) {
        constexpr std::int64_t kN = 101;
        HostArray u(DType::F32, {0}, {kN}), v(DType::F32, {0}, {kN}, 1, first),
            w(DType::F64, {0}, {kN}, 1, second);
        for (std::int64_t i = 0; i < kN; ++i) u.ref<float>({i}) = static_cast<float>(i) * 0.1f;
        Host host;
        host.parameter(kN);
        for (HostArray* a : {&u, &v, &w}) host.array(*a);
        ASSERT_EQ(host.run(loaded, emitted), LATHE_FINE);
        for (std::int64_t i = 0; i < kN; ++i) {
          ASSERT_EQ(v.ref<float>({i}), 2 * u.ref<float>({i}));
          ASSERT_EQ(w.ref<double>({i}), u.ref<float>({i}));
        }
        EXPECT_TRUE(v.surroundings_intact() && w.surroundings_intact());
      }
  });
}

template <class T>
T tree_sum(const T* row, std::int64_t m) {
  T lane[64];
  for (T& x : lane) x = static_cast<T>(-0.0);
  for (std::int64_t e = 0; e < m; ++e) lane[e % 64] = lane[e % 64] + row[e];
  for (int half = 32; half > 0; half /= 2)
    for (int l = 0; l < half; ++l) lane[l] = lane[l] + lane[l + half];
  return lane[0];
}

template <class T>
void check_tree_sum(DType t) {
  KernelBuilder k("tree");
  make_tree_sum(k, t);
  each_build(k.kernel, [&](const auto& emitted, const Loaded& loaded) {
    for (std::int64_t m : {1, 63, 64, 65, 200, 4096}) {
      Rng rng(3);
      HostArray u(t, {0, 0}, {5, m}), r(t, {0}, {5});
      fill<T>(u, 5, m, rng);
      Host host(3);
      host.parameter(std::int64_t{5});
      host.parameter(m);
      host.array(u);
      host.array(r);
      ASSERT_EQ(host.run(loaded, emitted), LATHE_FINE);
      for (std::int64_t i = 0; i < 5; ++i)
        ASSERT_EQ(r.ref<T>({i}), tree_sum(&u.ref<T>({i, 0}), m)) << m;
    }
  });
}
TEST(Kernels, TreeSumInLanes) {
  check_tree_sum<double>(DType::F64);
  check_tree_sum<float>(DType::F32);
}

TEST(Kernels, RegisterTile) {
  KernelBuilder k("tile");
  make_tile(k);
  each_build(k.kernel, [](const auto& emitted, const Loaded& loaded) {
    constexpr std::int64_t kK = 37;
    Rng rng(8);
    HostArray a(DType::F32, {0, 0}, {kK, 6}), b(DType::F32, {0, 0}, {kK, 64}),
        c(DType::F32, {0, 0}, {6, 64});
    fill<float>(a, kK, 6, rng);
    fill<float>(b, kK, 64, rng);
    fill<float>(c, 6, 64, rng);
    std::vector<float> wanted;
    for (std::int64_t i = 0; i < 6; ++i)
      for (std::int64_t j = 0; j < 64; ++j) {
        float x = c.ref<float>({i, j});
        for (std::int64_t p = 0; p < kK; ++p)
          x = std::fma(a.ref<float>({p, i}), b.ref<float>({p, j}), x);
        wanted.push_back(x);
      }
    Host host;
    host.parameter(kK);
    for (HostArray* x : {&a, &b, &c}) host.array(*x);
    ASSERT_EQ(host.run(loaded, emitted), LATHE_FINE);
    for (std::int64_t i = 0; i < 6 * 64; ++i)
      ASSERT_EQ(c.ref<float>({i / 64, i % 64}), wanted[static_cast<std::size_t>(i)]);
  });
}

// A parallel loop that uses what is around it: a loop variable, a Let, a Var, memory of the thread.
TEST(Kernels, ParallelCaptures) {
  KernelBuilder k("capture");
  const E n = k.size("n");
  k.argument("v", DType::I64, {{k.num(0), k.num(3)}, {k.num(0), n}}, ir::Role::Output);
  const E r = k.var("r"), i = k.var("i"), j = k.var("j"), d = k.var("d");
  loops::Buffer row = k.buffer("row", DType::I64, Space::Thread, {{k.num(2), n + 2}});
  loops::Buffer local =
      k.buffer("local", DType::I64, Space::Thread, {{k.num(-1), i + 4}, {k.num(0), k.num(2)}});
  Stmt inner = k.parallel(
      "i", k.num(1), n,
      {k.alloc(local), k.serial("j", k.num(-1), i + 4, {k.store("local", {j, k.num(1)}, j * 10)}),
       k.store("v", {r, i},
               k.read("row", {i + 2}) + k.param("base", DType::I64) + k.param("var", DType::I64) +
                   k.read("local", {i, k.num(1)}))});
  auto& f = std::get<loops::For>(inner.node);
  f.step = 4;
  f.grain = 2;
  Stmt down = k.serial("d", k.num(2), n + 2, {k.store("row", {d}, d * 1000)});
  std::get<loops::For>(down.node).down = true;
  k.kernel.body = {k.serial(
      "r", k.num(0), k.num(3),
      {k.alloc(row), k.let("base", r * 7), k.variable("var", r + 1),
       k.assign("var", k.param("var", DType::I64) * 100), std::move(down), std::move(inner)})};
  each_build(k.kernel, [](const auto& emitted, const Loaded& loaded) {
    EXPECT_EQ(emitted.bodies, 1);
    EXPECT_NE(loaded.symbol("lathe_body_0"), nullptr);
    for (std::int64_t n : {0, 1, 2, 5, 30}) {
      HostArray v(DType::I64, {0, 0}, {3, n});
      for (std::int64_t x = 0; x < 3 * n; ++x) v.ref<std::int64_t>({x / n, x % n}) = -1;
      Host host(3);
      host.parameter(n);
      host.array(v);
      ASSERT_EQ(host.run(loaded, emitted), LATHE_FINE);
      for (std::int64_t r = 0; r < 3; ++r)
        for (std::int64_t i = 0; i < n; ++i)
          ASSERT_EQ(v.ref<std::int64_t>({r, i}),
                    i % 4 == 1 ? (i + 2) * 1000 + r * 7 + (r + 1) * 100 + i * 10 : -1);
      host.memory_limit = 0;
      if (n > 0) {
        EXPECT_EQ(host.run(loaded, emitted), LATHE_NO_MEMORY);
      }
    }
  });
}

TEST(Kernels, FaultAndCancel) {
  KernelBuilder k("fault");
  const E n = k.size("n"), i = k.var("i"), j = k.var("j");
  k.argument("u", DType::I32, {{k.num(0), n}}, ir::Role::Input);
  k.argument("v", DType::I32, {{k.num(0), n}}, ir::Role::Output);
  const E bad = k.op(Op::Lt, {k.read("u", {j}), k.cast(DType::I32, k.num(0))});
  Stmt fault{loops::Fault{3, {j, k.cast(DType::I64, k.read("u", {j}))}}};
  k.kernel.body = {k.parallel(
      "i", k.num(0), k.op(Op::FloorDiv, {n, k.num(10)}),
      {k.vector("j", i * 10, i * 10 + 10, 8,
                {k.branch(bad, {std::move(fault)}), k.store("v", {j}, k.read("u", {j}))})})};
  each_build(k.kernel, [](const auto& emitted, const Loaded& loaded) {
    HostArray u(DType::I32, {0}, {20}), v(DType::I32, {0}, {20});
    for (std::int64_t x = 0; x < 20; ++x) {
      u.ref<int>({x}) = static_cast<int>(x) + 1;
      v.ref<int>({x}) = 0;
    }
    u.ref<int>({13}) = -5;
    Host host;
    host.parameter(std::int64_t{20});
    host.array(u);
    host.array(v);
    ASSERT_EQ(host.run(loaded, emitted), LATHE_FAULT);
    EXPECT_EQ(host.context.fault_site, 3);
    EXPECT_EQ(host.context.fault_count, 2);
    EXPECT_EQ(host.context.fault_values[0], 13);
    EXPECT_EQ(host.context.fault_values[1], -5);
    EXPECT_EQ(v.ref<int>({9}), 10);
    EXPECT_EQ(v.ref<int>({13}), 0);
    host.context.status = LATHE_CANCELLED;
    v.ref<int>({0}) = 0;
    EXPECT_EQ(host.run(loaded, emitted), LATHE_CANCELLED);
    EXPECT_EQ(v.ref<int>({0}), 0);
  });
}

}  // namespace
}  // namespace lathe::testing
