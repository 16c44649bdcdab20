// SPDX-License-Identifier: Apache-2.0
// The odder statements and places: lazy operands, gathers, layouts, tables, rotations, allocations,
// calls, breaks, checked mode.

#include <gtest/gtest.h>

#include "unit/emit/build_each.h"
#include "unit/emit/kernel_builder.h"

namespace lathe::testing {
namespace {

using Bound = std::vector<std::int64_t>;
using Axes = std::vector<std::pair<E, E>>;

// v[i] = e(i) for i in 0..n, in a plain loop.
void make_plain(KernelBuilder& k, DType t, E n, E value) {
  k.argument("v", t, {{k.num(0), n}}, ir::Role::Output);
  k.kernel.body.push_back(k.serial("i", k.num(0), n, {k.store("v", {k.var("i")}, value)}));
}

TEST(Statements, LazyOperandsAreNotRead) {
  KernelBuilder k("lazy");
  const E n = k.size("n"), i = k.var("i");
  k.argument("u", DType::F64, {{k.num(0), n}}, ir::Role::Input);
  const auto far = [&](E index) { return k.read("u", {index * 1000000000}); };
  const E two = k.op(Op::Lt, {k.num(2), i});
  // Twice the same read in a branch: an `if` with a name inside.
  const E square = far(i) * far(i) + k.read("u", {i});
  const E both = k.select(two, k.read("u", {i}), square);
  const E guarded = k.op(
      Op::Gate,
      {k.op(Op::And, {k.op(Op::Lt, {i, k.num(0)}), k.op(Op::Lt, {far(i), k.real(0)})}), far(i)});
  const E other =
      k.select(k.op(Op::Or, {k.op(Op::Ge, {i, k.num(0)}), k.op(Op::Lt, {far(i), k.real(0)})}),
               k.real(1), far(i));
  make_plain(k, DType::F64, n, both + guarded + other);
  each_build(k.kernel, [](const auto& emitted, const Loaded& loaded) {
    HostArray u(DType::F64, {0}, {9}), v(DType::F64, {0}, {9});
    for (std::int64_t x = 0; x < 9; ++x) u.ref<double>({x}) = static_cast<double>(x) + 0.5;
    Host host;
    host.parameter(std::int64_t{3});  // 1 and 2 would read far away: only 0 is tried, then the rest
    host.array(u);
    host.array(v);
    host.parameters[0] = 1;
    ASSERT_EQ(host.run(loaded, emitted), LATHE_FINE);
    EXPECT_EQ(v.ref<double>({0}), 0.5 * 0.5 + 0.5 + 1);
  });
}

// s(n+1) = select(a, s(n), 0) + select(b, s(n), 1): a tree of 2^40 nodes if it were copied.
TEST(Statements, SharedBranchesStaySmall) {
  KernelBuilder k("shared");
  const E n = k.size("n"), i = k.var("i");
  k.argument("u", DType::F64, {{k.num(0), n}}, ir::Role::Input);
  E s = k.read("u", {i});
  for (int level = 0; level < 40; ++level) {
    const E odd = k.op(Op::Eq, {k.op(Op::Mod, {i + level, k.num(2)}), k.num(1)});
    const E third = k.op(Op::Eq, {k.op(Op::Mod, {i + level, k.num(3)}), k.num(1)});
    s = k.select(odd, s * k.real(0.5), k.real(0)) + k.select(third, s, k.real(1));
  }
  make_plain(k, DType::F64, n, s);
  const emit::EmitResult emitted = emit::emit_c(k.kernel);
  EXPECT_LT(emitted.text.size(), 400000u);
  const Loaded loaded(emitted, {}, {"gcc", 0, true});
  HostArray u(DType::F64, {0}, {20}), v(DType::F64, {0}, {20});
  for (std::int64_t x = 0; x < 20; ++x) u.ref<double>({x}) = 1.0 / static_cast<double>(x + 1);
  Host host;
  host.parameter(std::int64_t{20});
  host.array(u);
  host.array(v);
  ASSERT_EQ(host.run(loaded, emitted), LATHE_FINE);
  for (std::int64_t x = 0; x < 20; ++x) {
    double w = u.ref<double>({x});
    for (int level = 0; level < 40; ++level)
      w = ((x + level) % 2 == 1 ? w * 0.5 : 0) + ((x + level) % 3 == 1 ? w : 1);
    EXPECT_EQ(v.ref<double>({x}), w);
  }
}

TEST(Statements, LongChainsNeedNoStack) {
  KernelBuilder k("long");
  const E n = k.size("n"), i = k.var("i");
  k.argument("u", DType::F64, {{k.num(0), n}}, ir::Role::Input);
  E sum = k.read("u", {i}), choice = sum;
  for (int step = 0; step < 100000; ++step) sum = sum + k.read("u", {i});
  for (int step = 0; step < 3000; ++step)
    choice = k.select(k.op(Op::Eq, {i, k.num(step)}), k.read("u", {i + step}), choice);
  make_plain(k, DType::F64, n, sum);
  k.kernel.body.push_back(k.serial("i", k.num(0), n, {k.store("v", {i}, choice)}));
  EXPECT_GT(emit::emit_c(k.kernel).text.size(), 100000u);
}

// Gathers and scatters with 32-bit indices, halves, bools, and strides that are not one.
TEST(Statements, LanesFromEverywhere) {
  KernelBuilder k("everywhere");
  const E n = k.size("n"), i = k.var("i");
  k.argument("at", DType::I32, {{k.num(0), n}}, ir::Role::Input);
  k.argument("h", DType::F16, {{k.num(0), n}, {k.num(0), k.num(2)}}, ir::Role::Input);
  k.argument("flag", DType::Bool, {{k.num(0), n}}, ir::Role::Input);
  k.argument("out", DType::F32, {{k.num(0), n}, {k.num(0), k.num(3)}}, ir::Role::Output);
  k.argument("b", DType::Bool, {{k.num(0), n}}, ir::Role::Output);
  const E at = k.read("at", {i});
  const E x = k.cast(DType::F32, k.read("h", {at, k.num(1)}));
  const E y = k.cast(DType::F32, k.read("h", {i, k.num(0)}));
  k.kernel.body = {k.vector(
      "i", k.num(0), n, 16,
      {k.let("big", k.op(Op::Gt, {x, y})),
       k.store("out", {at, k.num(2)}, k.select(k.read("flag", {i}), x, y)),
       k.store("out", {i, k.num(0)}, y),
       k.store("b", {i}, k.op(Op::And, {k.param("big", DType::Bool), k.read("flag", {i})}))})};
  each_build(k.kernel, [](const auto& emitted, const Loaded& loaded) {
    constexpr std::int64_t kN = 45;
    HostArray at(DType::I32, {0}, {kN}), h(DType::F16, {0, 0}, {kN, 2}),
        flag(DType::Bool, {0}, {kN}), out(DType::F32, {0, 0}, {kN, 3}), b(DType::Bool, {0}, {kN});
    for (std::int64_t x = 0; x < kN; ++x) {
      at.ref<std::int32_t>({x}) = static_cast<std::int32_t>(x * 7 % kN);
      h.set({x, 0}, ir::Scalar::of_double(DType::F16, 0.1 * static_cast<double>(x)));
      h.set({x, 1}, ir::Scalar::of_double(DType::F16, 3 - 0.1 * static_cast<double>(x)));
      flag.set({x}, ir::Scalar::of_bool(x % 3 == 0));
    }
    Host host;
    host.parameter(kN);
    for (HostArray* a : {&at, &h, &flag, &out, &b}) host.array(*a);
    ASSERT_EQ(host.run(loaded, emitted), LATHE_FINE);
    for (std::int64_t i = 0; i < kN; ++i) {
      const std::int64_t p = i * 7 % kN;
      const double x = h.get({p, 1}).as_double(), y = h.get({i, 0}).as_double();
      ASSERT_EQ(out.get({p, 2}).as_double(), i % 3 == 0 ? x : y);
      ASSERT_EQ(out.get({i, 0}).as_double(), y);
      ASSERT_EQ(b.get({i}).bits, x > y && i % 3 == 0 ? 1u : 0u);
    }
  });
}

// Channels of an image, loaded at once: in a plain loop and in lanes.
TEST(Statements, VectorLoads) {
  KernelBuilder k("channels");
  const E n = k.size("n"), i = k.var("i");
  k.argument("image", DType::U8, {{k.num(0), n}, {k.num(0), k.num(3)}}, ir::Role::Input);
  for (const char* v : {"v", "w"}) k.argument(v, DType::F32, {{k.num(0), n}}, ir::Role::Output);
  k.buffer("rgb", DType::U8, Space::Stack, {});  // its dtype, for reads
  const auto channel = [&](int c) { return k.cast(DType::F32, k.read("rgb", {k.num(c)})); };
  const E grey = channel(0) * k.real(0.5, DType::F32) + channel(1) + channel(2);
  const auto body = [&](std::string_view out) {
    return Body{{loops::VectorLoad{k.symbol("rgb"), k.symbol("image"), {i, k.num(0)}, 3}},
                k.store(out, {i}, grey)};
  };
  k.kernel.body = {k.serial("i", k.num(0), n, body("v")),
                   k.vector("i", k.num(0), n, 32, body("w"))};
  each_build(k.kernel, [](const auto& emitted, const Loaded& loaded) {
    HostArray image(DType::U8, {0, 0}, {77, 3}), v(DType::F32, {0}, {77}), w(DType::F32, {0}, {77});
    for (std::int64_t x = 0; x < 77 * 3; ++x)
      image.ref<std::uint8_t>({x / 3, x % 3}) = static_cast<std::uint8_t>(x * 5);
    Host host;
    host.parameter(std::int64_t{77});
    for (HostArray* a : {&image, &v, &w}) host.array(*a);
    ASSERT_EQ(host.run(loaded, emitted), LATHE_FINE);
    for (std::int64_t i = 0; i < 77; ++i) {
      const auto c = [&](std::int64_t x) {
        return static_cast<float>(image.ref<std::uint8_t>({i, x}));
      };
      ASSERT_EQ(v.ref<float>({i}), c(0) * 0.5f + c(1) + c(2));
      ASSERT_EQ(w.ref<float>({i}), c(0) * 0.5f + c(1) + c(2));
    }
  });
}

// Other orders of axes, bounds that do not begin at 0, tables.
TEST(Statements, Layouts) {
  KernelBuilder k("layouts");
  const E n = k.size("n"), i = k.var("i"), j = k.var("j");
  k.argument("v", DType::I32, {{k.num(0), n}, {k.num(-1), k.num(3)}}, ir::Role::Output);
  loops::Buffer table =
      k.buffer("table", DType::I32, Space::Table, {{k.num(-1), k.num(3)}, {k.num(5), k.num(7)}});
  table.layout = {1, 0};
  for (int x = 0; x < 8; ++x) table.values.push_back(ir::Scalar::of_int(DType::I32, 100 + x));
  k.kernel.buffers.push_back(table);
  loops::Buffer scratch =
      k.buffer("scratch", DType::I32, Space::Scratch, {{k.num(-1), k.num(3)}, {k.num(2), n + 2}});
  scratch.layout = {0, 1};
  k.kernel.buffers.push_back(scratch);
  loops::Buffer stack =
      k.buffer("stack", DType::I32, Space::Stack, {{k.num(0), k.num(2)}, {k.num(-1), k.num(3)}});
  stack.layout = {1, 0};
  const auto i32 = [&](E x) { return k.cast(DType::I32, x); };
  k.kernel.body = {
      k.serial("j", k.num(-1), k.num(3),
               {k.vector("i", k.num(0), n, 8, {k.store("scratch", {j, i + 2}, i32(i * 10 + j))})}),
      k.serial("i", k.num(0), n,
               {k.alloc(stack),
                k.serial("j", k.num(-1), k.num(3), {k.store("stack", {k.num(1), j}, i32(j))}),
                k.vector("j", k.num(-1), k.num(3), 4,
                         {k.store("v", {i, j},
                                  k.read("scratch", {j, i + 2}) + k.read("table", {j, k.num(6)}) +
                                      k.read("stack", {k.num(1), j}))})})};
  each_build(k.kernel, [](const auto& emitted, const Loaded& loaded) {
    HostArray v(DType::I32, {0, -1}, {11, 3}), s(DType::I32, {-1, 2}, {3, 13}, 1, 0, {0, 1});
    Host host;
    host.parameter(std::int64_t{11});
    host.array(v);
    host.array(s);
    ASSERT_EQ(host.run(loaded, emitted), LATHE_FINE);
    for (std::int64_t i = 0; i < 11; ++i)
      for (std::int64_t j = -1; j < 3; ++j)
        ASSERT_EQ(v.ref<std::int32_t>({i, j}), i * 10 + j + 100 + (j + 1) * 2 + 1 + j);
  });
}

// u, v exchange contents in a loop that ends early; w is allocated with a computed extent.
TEST(Statements, RotationsAllocationsCallsAndBreaks) {
  KernelBuilder k("whole arrays");
  const E n = k.size("n"), steps = k.size("steps"), i = k.var("i"), t = k.var("t");
  k.argument("u", DType::F64, {{k.num(0), n}}, ir::Role::InOut, false);
  k.scratch("v", DType::F64, {{k.num(0), n}});
  k.argument("x", DType::F64, {{k.num(0), n}}, ir::Role::InOut);
  const E extent = k.cast(DType::I64, k.read("u", {k.num(0)}));
  loops::Buffer w = k.buffer("w", DType::F64, Space::Argument, {{k.num(1), extent}});
  w.unit = true;
  k.kernel.body = {
      k.alloc(w),
      {loops::Call{{}, k.symbol("sort"), {k.symbol("u")}, {k.symbol("x")}}},
      k.serial("t", k.num(0), steps,
               {k.parallel("i", k.num(0), n, {k.store("v", {i}, k.read("u", {i}) + k.real(1))}),
                {loops::Rotate{{k.symbol("u"), k.symbol("v"), k.symbol("x")}}},
                {loops::Break{k.op(Op::Eq, {t, k.num(3)})}}}),
      k.vector("i", k.num(1), extent, 8, {k.store("w", {i}, k.read("x", {k.num(0)}))})};
  each_build(k.kernel, [](const auto& emitted, const Loaded& loaded) {
    ASSERT_EQ(emitted.arrays.size(), 4u);
    EXPECT_TRUE(emitted.arrays[3].allocated);
    ASSERT_EQ(emitted.calls.size(), 1u);
    EXPECT_EQ(emitted.calls[0].function.text(), "sort");
    for (std::int64_t steps = 0; steps < 7; ++steps) {
      HostArray u(DType::F64, {0}, {21}, 2), v(DType::F64, {0}, {21}),
          x(DType::F64, {0}, {21}, 1, 3);
      std::vector<double> cu(21), cv(21), cx(21);
      for (std::int64_t i = 0; i < 21; ++i) {
        const auto at = static_cast<std::size_t>(i);
        u.ref<double>({i}) = cu[at] = 10 + static_cast<double>(i);
        v.ref<double>({i}) = cv[at] = 0;
        x.ref<double>({i}) = cx[at] = -static_cast<double>(i);
      }
      Host host(2);
      host.parameter(std::int64_t{21});
      host.parameter(steps);
      for (HostArray* a : {&u, &v, &x}) host.array(*a);
      ASSERT_EQ(host.run(loaded, emitted), LATHE_FINE);
      for (std::int64_t t = 0; t < std::min<std::int64_t>(steps, 4); ++t) {
        for (std::size_t i = 0; i < 21; ++i) cv[i] = cu[i] + 1;
        std::swap(cu, cv);
        std::swap(cv, cx);
      }
      for (std::int64_t i = 0; i < 21; ++i) {
        ASSERT_EQ(u.ref<double>({i}), cu[static_cast<std::size_t>(i)]) << steps;
        ASSERT_EQ(x.ref<double>({i}), cx[static_cast<std::size_t>(i)]) << steps;
      }
      EXPECT_EQ(host.calls, std::vector<int>{0});
      ASSERT_EQ(host.allocated.size(), 1u);
    }
  });
}

TEST(Statements, CheckedModeReportsTheIndex) {
  KernelBuilder k("checked");
  const E n = k.size("n"), from = k.size("from"), to = k.size("to"), i = k.var("i");
  k.argument("u", DType::F64, {{k.num(0), n}, {k.num(0), k.num(2)}}, ir::Role::Input);
  k.argument("v", DType::F64, {{k.num(0), n}}, ir::Role::Output);
  k.kernel.body = {
      k.vector("i", k.num(0), n, 8, {k.store("v", {i + to}, k.read("u", {i + from, k.num(1)}))})};
  const emit::EmitOptions options{.checked = true};
  const emit::EmitResult emitted = emit::emit_c(k.kernel, options);
  for (const char* compiler : {"gcc", "clang"}) {
    if (!available({compiler, 1, true})) continue;
    const Loaded loaded(emitted, options, {compiler, 1, true});
    const auto run = [&](std::int64_t from, std::int64_t to, Host& host) {
      static HostArray u(DType::F64, {0, 0}, {9, 2}), v(DType::F64, {0}, {9});
      for (std::int64_t p : {std::int64_t{9}, from, to}) host.parameter(p);
      host.array(u);
      host.array(v);
      return host.run(loaded, emitted);
    };
    Host fine, read, store;
    EXPECT_EQ(run(0, 0, fine), LATHE_FINE);
    EXPECT_EQ(run(2, 0, read), LATHE_FAULT);
    const auto& first =
        emitted.checks.at(static_cast<std::size_t>(read.context.fault_site - emit::kFirstCheck));
    EXPECT_EQ(first.array.text(), "u");
    EXPECT_FALSE(first.store);
    EXPECT_EQ(read.context.fault_count, 2);
    EXPECT_EQ(read.context.fault_values[0], 9);
    EXPECT_EQ(read.context.fault_values[1], 1);
    EXPECT_EQ(run(0, -1, store), LATHE_FAULT);
    EXPECT_TRUE(
        emitted.checks.at(static_cast<std::size_t>(store.context.fault_site - emit::kFirstCheck))
            .store);
    EXPECT_EQ(store.context.fault_values[0], -1);
  }
}

// for i step `step`: v[i] = u[at], w[i] = u[then], both under i < m: does the loop stay scalar?
bool stays_scalar(std::int64_t step, FunctionRef<E(KernelBuilder&, E i)> at,
                  FunctionRef<E(KernelBuilder&, E i)> then) {
  KernelBuilder k("neighbours");
  const E n = k.size("n"), m = k.size("m"), i = k.var("i"), zero = k.real(0);
  k.argument("u", DType::F64, {{k.num(0), n}}, ir::Role::Input);
  k.argument("v", DType::F64, {{k.num(0), n}}, ir::Role::Output);
  k.argument("w", DType::F64, {{k.num(0), n}}, ir::Role::Output);
  Stmt loop =
      k.serial("i", k.num(0), n,
               {k.variable("t", zero), k.branch(i < m, {k.assign("t", k.read("u", {at(k, i)}))}),
                k.store("v", {i}, k.param("t", DType::F64)),
                k.store("w", {i}, k.select(i < m, k.read("u", {then(k, i)}), zero))});
  std::get<loops::For>(loop.node).step = step;
  k.kernel.body.push_back(std::move(loop));
  const std::string text = emit::emit_c(k.kernel, {}).text;
  return text.find("one_by_one();") != std::string::npos;
}

TEST(Statements, ConditionalReadsOfNeighboursStayScalar) {
  const auto here = [](KernelBuilder&, E i) { return i; };
  const auto next = [](KernelBuilder&, E i) { return i + 1; };
  const auto even = [](KernelBuilder&, E i) { return i * 2; };
  const auto odd = [](KernelBuilder&, E i) { return i * 2 + 1; };
  const auto back = [](KernelBuilder& k, E i) { return k.num(9) - i; };
  const auto far = [](KernelBuilder& k, E i) { return k.op(Op::Mod, {i, k.num(3)}); };
  EXPECT_TRUE(stays_scalar(2, next, here));
  EXPECT_TRUE(stays_scalar(2, back, here));
  EXPECT_TRUE(stays_scalar(1, odd, even));
  EXPECT_FALSE(stays_scalar(1, next, here));
  EXPECT_FALSE(stays_scalar(1, back, here));
  EXPECT_FALSE(stays_scalar(2, here, here));
  EXPECT_FALSE(stays_scalar(2, far, here));
}

TEST(Statements, NamesOfTheProgramAreHarmless) {
  KernelBuilder k("int main */ \n #error");
  const E n = k.size("while(1){}");
  k.argument("u.0 \"\\\n*/ /*", DType::F64, {{k.num(0), n}}, ir::Role::Output);
  const E i = k.var("__attribute__((x))");
  k.kernel.body = {
      k.comment("*/ #error \\"),
      k.comment("?"
                "?/"),
      k.comment("\xc3\xa9\n#error"),
      k.serial("__attribute__((x))", k.num(0), n, {k.store("u.0 \"\\\n*/ /*", {i}, k.real(1))})};
  each_build(k.kernel, [](const auto& emitted, const Loaded&) {
    EXPECT_EQ(emitted.text.find("while(1)"), std::string::npos);
    EXPECT_EQ(emitted.text.find("\n#error"), std::string::npos);
    EXPECT_EQ(emitted.text.find("\xc3"), std::string::npos);
  });
}

}  // namespace
}  // namespace lathe::testing
