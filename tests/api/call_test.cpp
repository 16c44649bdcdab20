// SPDX-License-Identifier: Apache-2.0
// Calls: memory of any shape, aliases, results that calls make, and what comes back with them.

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <numeric>
#include <thread>

#include "api/examples.h"

namespace lathe::testing {
namespace {

using Numbers = std::vector<double>;

Numbers counting(std::size_t n) {
  Numbers out(n);
  std::iota(out.begin(), out.end(), 1.0);
  return out;
}

TEST(Call, PlainCallsTakeArgumentsInAnyOrder) {
  const Kernel k = kernel(kScale);
  const Numbers u = counting(5);
  Numbers v(5);
  k.run({{"a", 2.0}, {"n", 5}}, {{"v", View(v.data(), {5})}, {"u", View(u.data(), {5})}});
  EXPECT_EQ(v, (Numbers{3, 5, 7, 9, 11}));
  // Again, with one thing changed: nothing of the call before is left.
  k.run({{"n", 5}, {"a", 3}}, {{"u", View(u.data(), {5})}, {"v", View(v.data(), {5})}});
  EXPECT_EQ(v, (Numbers{4, 7, 10, 13, 16}));
  EXPECT_EQ(refusal([&] {
              k.run({{"n", 5}}, {{"u", View(u.data(), {5})}});
            }),
            "3 error: parameter 'a' has no value\n  --> test.lathe:1:24\n   |\n"
            " 1 | program scale(n: size, a: f64)\n   |                        ^^^^^^\n"
            "  help: give it one before the call\n");
  Numbers longer = counting(7), w(7);
  k.run({{"n", 7}, {"a", 1}}, {{"u", View(longer.data(), {7})}, {"v", View(w.data(), {7})}});
  EXPECT_EQ(w[6], 8);
}

TEST(Call, StridesOfAnySign) {
  const Kernel k = kernel(kScale);
  const Numbers u = counting(12);
  Numbers v(9, -1);
  const auto f = static_cast<std::int64_t>(sizeof(double));
  // Every third element, backwards; every second one of the result.
  k.run({{"n", 4}, {"a", 1}}, {{"u", View(u.data() + 11, {4}).strided({-3 * f})},
                               {"v", View(v.data() + 1, {4}).strided({2 * f})}});
  EXPECT_EQ(v, (Numbers{-1, 13, -1, 10, -1, 7, -1, 4, -1}));
  // One element for all.
  k.run({{"n", 9}, {"a", 1}},
        {{"u", View(u.data(), {9}).strided({0})}, {"v", View(v.data(), {9})}});
  EXPECT_EQ(v, Numbers(9, 2));
}

TEST(Call, WhatIsNotAlignedIsCopied) {
  const Kernel k = kernel(kScale);
  const Numbers u = counting(6);
  std::vector<char> in(6 * 8 + 3), out(6 * 11 + 5, 'x');
  std::memcpy(in.data() + 3, u.data(), 48);
  Call call = k.call();
  call.set("n", 6).set("a", 1).bind("u", View(DType::F64, in.data() + 3, {6}));
  call.bind("v", View(DType::F64, out.data() + 5, {6}).strided({11}));
  const Timing t = call.run();
  EXPECT_EQ(t.copied_bytes, 96);
  for (std::size_t i = 0; i < 6; ++i) {
    double x = 0;
    std::memcpy(&x, out.data() + 5 + 11 * i, 8);
    EXPECT_EQ(x, static_cast<double>(i) + 2);
    EXPECT_EQ(std::string(out.data() + 13 + 11 * i, i < 5 ? 3 : 0), i < 5 ? "xxx" : "");
  }
  // Copies are made at every run.
  std::memcpy(in.data() + 3, u.data() + 1, 8);
  call.run();
  double first = 0;
  std::memcpy(&first, out.data() + 5, 8);
  EXPECT_EQ(first, 3);
}

TEST(Call, WhatIsNotWrittenKeepsItsContentInCopiesToo) {
  const Kernel k = kernel(
      "program part(n: size)\n  output v: f64[i: n]\n"
      "  for i in 1..n-1: v[i] = 0\n");
  std::vector<char> memory(4 * 8 + 1);
  const Numbers before = counting(4);
  std::memcpy(memory.data() + 1, before.data(), 32);
  k.run({{"n", 4}}, {{"v", View(DType::F64, memory.data() + 1, {4})}});
  Numbers after(4);
  std::memcpy(after.data(), memory.data() + 1, 32);
  EXPECT_EQ(after, (Numbers{1, 0, 0, 4}));
}

TEST(Call, LowerBoundsAreThoseOfTheDeclaration) {
  const Kernel k = kernel(
      "program halo(n: size)\n  input u: f64[i: -1..n+1]\n"
      "  output v: f64[i: n]\n"
      "  for i in 0..n: v[i] = u[i-1] + u[i+1]\n");
  const Numbers u = counting(6);
  Numbers v(4);
  k.run({{"n", 4}}, {{"u", View(u.data(), {6}).from({-1})}, {"v", View(v.data(), {4})}});
  EXPECT_EQ(v, (Numbers{4, 6, 8, 10}));
}

TEST(Call, InputsActAsIfTheyWereCopiedFirst) {
  const Kernel k = kernel(kShift);
  const std::int64_t n = 5, m = 3, f = sizeof(double);
  // v is u, one row further down in the same memory.
  Numbers memory = counting(18), apart = memory;
  const Timing t = k.run({{"n", n}, {"m", m}}, {{"u", View(memory.data(), {n, m})},
                                                {"v", View(memory.data() + 3, {n, m})}});
  EXPECT_EQ(t.copied_bytes, n * m * f);
  const Numbers u(apart.begin(), apart.begin() + 15);
  k.run({{"n", n}, {"m", m}},
        {{"u", View(u.data(), {n, m})}, {"v", View(apart.data() + 3, {n, m})}});
  EXPECT_EQ(memory, apart);
}

TEST(Call, InterleavedArraysDoNotOverlap) {
  const Kernel k = kernel(kScale);
  Numbers pairs = counting(8);
  const Timing t = k.run({{"n", 4}, {"a", 10}}, {{"u", View(pairs.data(), {4}).strided({16})},
                                                 {"v", View(pairs.data() + 1, {4}).strided({16})}});
  EXPECT_EQ(t.copied_bytes, 0);
  EXPECT_EQ(pairs, (Numbers{1, 11, 3, 31, 5, 51, 7, 71}));
}

// What a call knows of its parameters is of the last ones, also when a run in between was refused.
TEST(Call, OtherValuesAfterARefusal) {
  const Kernel k = kernel(kScale);
  Numbers u = counting(7), v(7);
  Call call = k.call();
  call.set("n", 5).set("a", 2.0).bind("u", View(u.data(), {5})).bind("v", View(v.data(), {5}));
  call.run();
  EXPECT_EQ(v, (Numbers{3, 5, 7, 9, 11, 0, 0}));
  // Its elements share memory, which is seen after the bounds are known.
  call.set("n", 7).set("a", 3.0).bind("u", View(u.data(), {7}));
  call.bind("v", View(v.data(), {7}).strided({0}));
  EXPECT_NE(refusal([&] { call.run(); }).find("share memory"), std::string::npos);
  call.bind("v", View(v.data(), {7}));
  call.run();
  EXPECT_EQ(v, (Numbers{4, 7, 10, 13, 16, 19, 22}));
  Numbers w(7);
  call.bind("v", View(w.data(), {7}));
  call.run();
  EXPECT_EQ(w, v);
}

TEST(Call, CallsOwnWhatNobodyBinds) {
  const Kernel k = kernel(
      "program count(n: size)\n  input u: f64[i: n]\n  state s: f64[i: n]\n"
      "  output v: f64[i: n]\n"
      "  for i in 0..n: s[i] = s[i] + u[i]\n  for i in 0..n: v[i] = s[i]\n");
  Call call = k.call();
  const Numbers u = counting(3);
  call.set("n", 3).bind("u", View(u.data(), {3}));
  for (int i = 0; i < 4; ++i) call.run();
  const double* s = call.array("s").data_as<double>();
  EXPECT_EQ(Numbers(s, s + 3), (Numbers{4, 8, 12}));
  EXPECT_EQ(call.array("v").data_as<double>()[2], 12);
  EXPECT_EQ(call.array("v").shape(), std::vector<std::int64_t>{3});
  // A state of the caller's instead; then the call's own again, as it was.
  Numbers mine(3, 100);
  call.bind("s", View(mine.data(), {3})).run();
  EXPECT_EQ(mine, (Numbers{101, 102, 103}));
}

TEST(Call, ComputedResultsAreAllocatedByACallbackOrOwned) {
  const Kernel k = kernel(kPick);
  const bool m[7] = {false, true, true, false, false, true, false};
  std::map<std::string, std::vector<std::int64_t>> made;
  auto allocate = [&](std::string_view name, const View& view) -> void* {
    std::vector<std::int64_t>& to = made[std::string(name)];
    to.resize(static_cast<std::size_t>(view.shape()[0]));
    return to.data();
  };
  k.run({{"n", 7}}, {{"m", View(m, {7})}}, RunOptions().allocate(allocate));
  EXPECT_EQ(made["p"], (std::vector<std::int64_t>{1, 2, 5}));

  Call call = k.call();
  call.set("n", 7).bind("m", View(m, {7})).run();
  ASSERT_EQ(call.array("p").shape(), std::vector<std::int64_t>{3});
  EXPECT_EQ(call.array("p").data_as<std::int64_t>()[2], 5);
}

TEST(Call, ComputedResultsMayHaveStrides) {
  const bool m[4] = {true, false, true, true};
  lathe_program* p = nullptr;
  lathe_kernel* k = nullptr;
  ASSERT_EQ(lathe_program_from_text("pick", kPick, std::strlen(kPick), &p, nullptr), LATHE_OK);
  ASSERT_EQ(lathe_compile(p, nullptr, &k, nullptr), LATHE_OK);
  std::int64_t memory[6] = {-1, -1, -1, -1, -1, -1};
  lathe_run_options options = {};
  options.size = sizeof options;
  options.allocate = [](void* user, lathe_view* view, std::int64_t* strides) {
    EXPECT_STREQ(view->name, "p");
    EXPECT_EQ(view->shape[0], 3);
    EXPECT_EQ(strides[0], 8);
    strides[0] = -16;
    view->data = static_cast<std::int64_t*>(user) + 4;
    return 0;
  };
  options.allocate_user = memory;
  const std::int64_t n = 4;
  const lathe_view view = {"m",     const_cast<bool*>(m), LATHE_BOOL, 1, nullptr, &n,
                           nullptr, LATHE_HOST,           1};
  const Value value("n", n);
  EXPECT_EQ(lathe_run(k, &value, 1, &view, 1, &options, nullptr, nullptr), LATHE_OK);
  EXPECT_EQ(std::vector<std::int64_t>(memory, memory + 6),
            (std::vector<std::int64_t>{3, -1, 2, -1, 0, -1}));
  lathe_program_destroy(p);  // a kernel outlives its program
  EXPECT_EQ(lathe_run(k, &value, 1, &view, 1, &options, nullptr, nullptr), LATHE_OK);
  lathe_kernel_destroy(k);
}

TEST(Call, ScratchMemoryIsSharedAndReported) {
  std::string text = "program chain(n: size)\n  input u: f64[i: n]\n";
  for (int s = 0; s < 6; ++s) text += "  temp t" + std::to_string(s) + ": f64[i: n]\n";
  text += "  output v: f64[i: n]\n";
  // Sorting cannot be fused with anything.
  text += "  call sort(u) -> t0\n";
  for (int s = 1; s < 6; ++s)
    text += "  call sort(t" + std::to_string(s - 1) + ") -> t" + std::to_string(s) + "\n";
  text += "  for i in 0..n: v[i] = t5[i]\n";
  const Kernel k = kernel(text.c_str());
  Numbers u = counting(64), v(64);
  std::reverse(u.begin(), u.end());
  const Timing t = k.run({{"n", 64}}, {{"u", View(u.data(), {64})}, {"v", View(v.data(), {64})}});
  EXPECT_EQ(v, counting(64));
  EXPECT_EQ(t.scratch_unshared_bytes, 6 * 512);
  EXPECT_EQ(t.scratch_bytes, 2 * 512);
}

TEST(Call, CancelledBeforeAndWhileItRuns) {
  const Kernel k = kernel(
      "program long(n: size, r: size)\n  inout v: f64[i: n]\n"
      "  repeat s in 0..r:\n    for i in 0..n: v[i] = v[i] * 0.5 + 1\n");
  Numbers v(1 << 14, 1.0);
  const View view(v.data(), {1 << 14});
  const Cancel cancel;
  RunOptions options;
  options.cancel = &cancel;
  cancel.request();
  EXPECT_EQ(refusal([&] {
              k.run({{"n", 1 << 14}, {"r", 1}}, {{"v", view}}, options);
            }),
            "5 error: the call was cancelled\n");
  EXPECT_EQ(v[0], 1);
  cancel.reset();
  k.run({{"n", 1 << 14}, {"r", 1}}, {{"v", view}}, options);
  EXPECT_EQ(v[0], 1.5);
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    cancel.request();
  });
  // Years of work.
  const std::string answer = refusal([&] {
    k.run({{"n", 1 << 14}, {"r", std::int64_t{1} << 50}}, {{"v", view}}, options);
  });
  other.join();
  EXPECT_EQ(answer, "5 error: the call was cancelled\n");
}

TEST(Call, AnyNumberOfThreadsGivesTheSameBits) {
  const Kernel k = kernel(
      "program sums(n: size, m: size)\n  input u: f64[i: n, j: m]\n"
      "  output v: f64[i: n]\n"
      "  for i in 0..n: v[i] = sum j in 0..m: u[i, j] * 0.1\n");
  const std::int64_t n = 300, m = 1000;
  const Numbers u = counting(static_cast<std::size_t>(n * m));
  Numbers first;
  for (int threads : {1, 2, 3, 0}) {
    Numbers v(static_cast<std::size_t>(n));
    RunOptions options;
    options.threads = threads;
    k.run({{"n", n}, {"m", m}}, {{"u", View(u.data(), {n, m})}, {"v", View(v.data(), {n})}},
          options);
    if (first.empty()) first = v;
    EXPECT_EQ(v, first);
  }
}

TEST(Call, EmptyArraysNeedNoMemory) {
  const Kernel k = kernel(kScale);
  const double* none = nullptr;
  k.run({{"n", 0}, {"a", 1}},
        {{"u", View(none, {0})}, {"v", View(const_cast<double*>(none), {0})}});
}

TEST(Call, IntegersFitWhateverHoldsThem) {
  const Kernel k = kernel(
      "program mix(a: f32, b: u8, c: u64, d: bool, e: i64)\n"
      "  output v: f64[i: 5]\n"
      "  for i in 0..1: v[i] = f64(a)\n  for i in 1..2: v[i] = f64(b)\n"
      "  for i in 2..3: v[i] = f64(c)\n"
      "  for i in 3..4: v[i] = select(d, 1.0, 0.0)\n"
      "  for i in 4..5: v[i] = f64(e)\n");
  Call call = k.call();
  call.set("a", 3).set("b", 255u).set("c", std::uint64_t{1} << 63).set("d", true).set("e", -7);
  call.run();
  const double* v = call.array("v").data_as<double>();
  EXPECT_EQ(Numbers(v, v + 5), (Numbers{3, 255, 0x1p63, 1, -7}));
  call.set("a", 0.1).run();
  EXPECT_EQ(call.array("v").data_as<double>()[0], static_cast<double>(0.1f));
}

}  // namespace
}  // namespace lathe::testing
