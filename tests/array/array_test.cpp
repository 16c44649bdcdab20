// SPDX-License-Identifier: Apache-2.0
// Arrays as C++ users meet them: values, parts, sizes, kernels that serve many.
#include <gtest/gtest.h>
#include <lathe/array.h>

#include <cmath>
#include <sstream>
#include <thread>

namespace lathe {
namespace {

std::vector<double> numbers(std::int64_t n) {
  std::vector<double> out;
  for (std::int64_t i = 0; i < n; ++i) out.push_back(std::sin(static_cast<double>(i)));
  return out;
}

TEST(Arrays, OneKernelServesAllSizesOfNamedAxes) {
  const Size n = size("n");
  const Array x = input<double>("x", {n}), y = sum(x * x) + n;
  y.eval({{"x", View(numbers(4).data(), {4})}});
  const std::int64_t before = lathe_lazy_kernel_count();
  for (std::int64_t length : {1, 2, 5, 17, 1000}) {
    const std::vector<double> v = numbers(length);
    double want = 0;
    for (double e : v) want += e * e;
    EXPECT_NEAR(y.eval({{"x", View(v.data(), {length})}}).item<double>(),
                want + static_cast<double>(length), 1e-12 * static_cast<double>(length));
  }
  EXPECT_EQ(lathe_lazy_kernel_count(), before);
}

TEST(Arrays, LongAxesOfDataShareAKernelShortOnesDoNot) {
  auto twice = [](std::int64_t n) { return (array(numbers(n)) * 2 + 0.125).eval(); };
  twice(100);
  const std::int64_t before = lathe_lazy_kernel_count();
  twice(17);
  twice(5000);
  EXPECT_EQ(lathe_lazy_kernel_count(), before);
  twice(16);
  EXPECT_EQ(lathe_lazy_kernel_count(), before + 1);
}

TEST(Arrays, ChangingNumbersShareAKernel) {
  const Array x = array(numbers(40));
  auto moved = [&](double step) { return (x * step + 1).eval().to_vector<double>()[1]; };
  EXPECT_EQ(moved(0.013), numbers(40)[1] * 0.013 + 1);
  const std::int64_t before = lathe_lazy_kernel_count();
  EXPECT_EQ(moved(0.0171), numbers(40)[1] * 0.0171 + 1);
  EXPECT_EQ(lathe_lazy_kernel_count(), before);
}

TEST(Arrays, ALengthThatTurnsOutToBeOneIsSpread) {
  const Array x = input<double>("x", {size("n")}), y = input<double>("y", {size("m")});
  const Array z = x + y;
  EXPECT_EQ(z.shape(0).text(), "spread(n, m)");
  const std::vector<double> one{10}, three{1, 2, 3};
  const View a(one.data(), {1}), b(three.data(), {3});
  const std::vector<double> want{11, 12, 13};
  EXPECT_EQ(z.eval({{"x", a}, {"y", b}}).to_vector<double>(), want);
  EXPECT_EQ(z.eval({{"x", b}, {"y", a}}).to_vector<double>(), want);
  EXPECT_EQ(z.eval({{"x", a}, {"y", a}}).to_vector<double>(), std::vector<double>{20});
  EXPECT_EQ(z.eval({{"x", b}, {"y", b}}).to_vector<double>(), (std::vector<double>{2, 4, 6}));
}

TEST(Arrays, BatchesOfProductsBroadcast) {
  const Array x = input<double>("x", {size("n"), 2, 3}), y = input<double>("y", {size("m"), 3, 1});
  const Array z = matmul(x, y);
  const std::vector<double> v{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, w{1, 0, 2, 0, 1, 0};
  const View two(v.data(), {2, 2, 3}), one(v.data(), {1, 2, 3});
  const View a(w.data(), {2, 3, 1}), b(w.data(), {1, 3, 1});
  EXPECT_EQ(z.eval({{"x", two}, {"y", a}}).to_vector<double>(),
            (std::vector<double>{7, 16, 8, 11}));
  EXPECT_EQ(z.eval({{"x", two}, {"y", b}}).to_vector<double>(),
            (std::vector<double>{7, 16, 25, 34}));
  EXPECT_EQ(z.eval({{"x", one}, {"y", a}}).to_vector<double>(), (std::vector<double>{7, 16, 2, 5}));
}

TEST(Arrays, PartsCanBeAssigned) {
  Array z = zeros({4, 3});
  z(range(1, -1), _) = 5;
  z(0) += arange(3);
  z(_, 2) *= 10;
  z(-1, 0) = 7;
  EXPECT_EQ(z.eval().to_vector<double>(),
            (std::vector<double>{0, 1, 20, 5, 5, 50, 5, 5, 50, 7, 0, 0}));
  auto part = z(0);  // an array like any other
  part = part + 1;
  EXPECT_EQ(part.eval().to_vector<double>(), (std::vector<double>{1, 2, 21}));
  EXPECT_EQ(z(0).eval().to_vector<double>(), (std::vector<double>{0, 1, 20}));
  Array counts = zeros<std::int64_t>({3});
  counts(array(std::vector<std::int64_t>{0, 2, 2, 0, 0})).add(1);
  EXPECT_EQ(counts.eval().to_vector<std::int64_t>(), (std::vector<std::int64_t>{3, 0, 2}));
}

// An array is where it is, however it was pinned or labelled there or before.
TEST(Arrays, DerivativesByArraysThatWerePinned) {
  const Size n = size("n");
  const Array x = input<double>("x", {n});
  const double two[] = {0.5, 2};
  const auto slope = [&](const Array& y, const Array& by) {
    return grad(y, {by})[0].eval({{"x", View(two, {2})}}).to_vector<double>();
  };
  Array k = x * 3;
  const Array before = sum(k * k + x);
  k.pin_cse();
  const Array after = before + sum(k * 10);
  EXPECT_EQ(slope(before, k), (std::vector<double>{3, 12}));
  EXPECT_EQ(slope(after, k), (std::vector<double>{13, 22}));
  EXPECT_EQ(slope(before, x), (std::vector<double>{10, 37}));
  EXPECT_EQ(slope(sum(x * x), x.named({"time"})), (std::vector<double>{1, 4}));
  EXPECT_EQ(slope(sum(x.named({"time"}) * x), x), (std::vector<double>{1, 4}));
  const Array data = array(View(two, {2}));
  EXPECT_EQ(grad(sum(data.named({"i"}) * data), {data})[0].eval().to_vector<double>(),
            (std::vector<double>{1, 4}));
  // An array that is not there at all is one that nothing depends on.
  EXPECT_EQ(slope(before + 0 * sum(x), x + 1), (std::vector<double>{0, 0}));
}

// What is assigned to a part of a part, or of a part of that, is in the whole array, as in NumPy.
TEST(Arrays, PartsOfPartsCanBeAssigned) {
  Array x = zeros({3, 3});
  x(1)(2) = 7;
  x(range(1, _))(_, range(0, 2))(1) += 2;
  x(0)(range(_, _, -1)) = arange(3);
  EXPECT_EQ(x.eval().to_vector<double>(), (std::vector<double>{2, 1, 0, 0, 0, 7, 2, 2, 0}));
  Array counts = zeros<std::int64_t>({2, 2});
  counts(1)(array(std::vector<std::int64_t>{0, 0, 1})).add(1);
  counts(0) |= 6;
  counts(0)(1) %= 4;
  counts(_, 1) ^= 3;
  counts &= 3;
  EXPECT_EQ(counts.eval().to_vector<std::int64_t>(), (std::vector<std::int64_t>{2, 1, 2, 2}));
  Array row = x(1);  // no part any more
  row(2) = 9;
  EXPECT_EQ(x(1)(2).eval().item<double>(), 7);
  EXPECT_EQ(x(array(std::vector<std::int64_t>{1, 0}))(0)(2).eval().item<double>(), 7);
}

// A derivative takes values of all inputs that its function had, and looks at their shapes.
TEST(Arrays, DerivativesTakeInputsThatTheyDoNotNeed) {
  const Size n = size("n");
  const Array x = input<double>("x", {n}), a = scalar<double>("a");
  const double three[] = {1, 2, 3};
  const View given(three, {3});
  const Array slope = grad(sum(x * 2), {x})[0];
  for (int again = 0; again < 3; ++again)  // the later ones with a plan
    EXPECT_EQ(slope.eval({{"x", given}}).to_vector<double>(), (std::vector<double>{2, 2, 2}));
  EXPECT_EQ(slope.eval({{"n", 2}}).to_vector<double>(), (std::vector<double>{2, 2}));
  EXPECT_EQ(slope.eval({{"x", View(three, {2})}}).to_vector<double>(), (std::vector<double>{2, 2}));
  EXPECT_EQ(grad(a * 3, {a})[0].eval({{"a", 7.0}}).item<double>(), 3);
  EXPECT_EQ(jvp(x * 2, {x}, {broadcast_to(1.0, {n})}).eval({{"x", given}}).to_vector<double>(),
            (std::vector<double>{2, 2, 2}));
  EXPECT_EQ((zeros_like(x) + 1).eval({{"x", given}}).to_vector<double>(),
            (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(grad(sum(slope + 1), {x})[0].eval({{"x", given}}).to_vector<double>(),
            (std::vector<double>{0, 0, 0}));
  const Array fixed = input<double>("y", {3});
  EXPECT_EQ((grad(sum(fixed * 2), {fixed})[0] + 1).eval({{"y", given}}).to_vector<double>(),
            (std::vector<double>{3, 3, 3}));
}

Array made_of_locals() {
  const Array t = arange(4) * 0.5;
  return (1 - t) / (1 + t);
}

TEST(Arrays, OwnWhatTheyAreMadeOf) {
  auto a = made_of_locals();
  auto b = a + made_of_locals();
  EXPECT_DOUBLE_EQ(b.eval().to_vector<double>()[0], 2);
}

// As NumPy has it: axes of length 1 in front of what is assigned are dropped.
TEST(Arrays, AssignedAxesOfLengthOne) {
  const Array row = reshape(array(std::vector<double>{1, 2, 3}), {1, 1, 3});
  Array a = zeros({2, 3});
  a(0) = row;
  a(1, 1) = ones({1});
  a(1, 2) += ones({1, 1}) * 5;
  EXPECT_EQ(a.eval().to_vector<double>(), (std::vector<double>{1, 2, 3, 0, 1, 5}));
  Array b = zeros({4});
  b(array(std::vector<std::int64_t>{3, 0, 2})) = row;
  EXPECT_EQ(b.eval().to_vector<double>(), (std::vector<double>{2, 0, 3, 1}));
  // Of a length that is known later.
  const Size n = size("n");
  Array c = zeros({3});
  c(range(0, 2)) = input<double>("y", {n, 2});
  const double two[] = {7, 8};
  EXPECT_EQ(c.eval({{"y", View(two, {1, 2})}}).to_vector<double>(), (std::vector<double>{7, 8, 0}));
  EXPECT_THROW(zeros({3}).set({0}, ones({2})), Error);
}

TEST(Arrays, SeveralTogether) {
  const Array x = array(numbers(50)), m = mean(x), v = var(x);
  const std::vector<Array> r = eval({m, v, x - m, x});
  EXPECT_NEAR(r[0].item<double>(), 0.0106, 0.1);
  EXPECT_EQ(r[2].shape(0).value(), 50);
  EXPECT_EQ(r[3].to_vector<double>(), numbers(50));
  EXPECT_DOUBLE_EQ(r[2].to_vector<double>()[7], numbers(50)[7] - r[0].item<double>());
}

TEST(Arrays, ResultsGoWhereTheCallerWantsThem) {
  const std::vector<double> v = numbers(6);
  std::vector<double> memory(12, -1);
  (array(v) * 2).eval_into(View(memory.data(), {6}).strided({16}));
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(memory[2 * i], 2 * v[i]);
    EXPECT_EQ(memory[2 * i + 1], -1);
  }
}

TEST(Arrays, AResultMayOverwriteAnInput) {
  std::vector<double> v{1, 2, 3, 4, 5};
  const Array x = refer(View(v.data(), {5}));
  flip(x).eval_into(View(v.data(), {5}));
  EXPECT_EQ(v, (std::vector<double>{5, 4, 3, 2, 1}));
}

TEST(Arrays, LongChains) {
  Array z = array(numbers(20));
  double want = z.to_vector<double>()[3];
  for (int i = 0; i < 50000; ++i) {
    z = z * 0.5 + 0.25;
    want = want * 0.5 + 0.25;
  }
  EXPECT_EQ(z.eval().to_vector<double>()[3], want);
}

// Sums take a C compiler long: a graph of many is cut before one of as many additions is, and each
// time between two turns of the loop, so that the pieces but for the first and last are one kernel.
TEST(Arrays, LongLoopsAreOneKernel) {
  for (const int turns : {100, 400}) {
    const std::vector<double> start = numbers(20);
    double want = start[3];
    Array y = array(start);
    std::vector<double> all = start;
    for (int i = 0; i < turns; ++i) {
      y = (y + 1) / (sum(y * y) + 2) * 1.5 - 0.25;
      double total = 0;
      for (double v : all) total += v * v;
      for (double& v : all) v = (v + 1) / (total + 2) * 1.5 - 0.25;
    }
    want = all[3];
    const std::int64_t before = lathe_lazy_kernel_count();
    EXPECT_NEAR(y.eval().to_vector<double>()[3], want, 1e-9);
    const std::int64_t made = lathe_lazy_kernel_count() - before;
    EXPECT_GE(made, turns == 100 ? 2 : 1);  // of the longer loop the last piece is another one
    EXPECT_LE(made, turns == 100 ? 3 : 1);
  }
}

TEST(Arrays, MasksHaveTheLengthOfTheirData) {
  const Size n = size("n");
  const Array x = input<double>("x", {n}), kept = x(x > 0), total = sum(kept) / 2;
  const std::vector<double> v{-1, 3, 0, 5, -2};
  EXPECT_EQ(kept.eval({{"x", View(v.data(), {5})}}).to_vector<double>(),
            (std::vector<double>{3, 5}));
  EXPECT_EQ(total.eval({{"x", View(v.data(), {5})}}).item<double>(), 4);
  EXPECT_EQ(kept.eval({{"x", View(v.data(), {1})}}).to_vector<double>(), std::vector<double>{});
}

TEST(Arrays, AreShownWithoutBeingComputed) {
  const Array x = input<float>("x", {size("n"), 3});
  std::ostringstream out;
  out << sqrt(x + 1) << "\n" << arange(3).eval() << "\n" << (x(0) * 2);
  EXPECT_EQ(out.str(),
            "f32(n, 3) = sqrt(x + 1.0)\n"
            "i64(3,) [0, 1, 2]\n"
            "f32(3,) = index(x) * 2.0");
}

TEST(Arrays, ThreadsShareGraphsAndKernels) {
  const Array x = array(numbers(300));
  std::vector<std::thread> threads;
  std::vector<double> results(4);
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) results[t] = sum(x * 3 + 1).eval({}, 1).item<double>();
    });
  for (std::thread& t : threads) t.join();
  for (double r : results) EXPECT_EQ(r, results[0]);
}

TEST(Arrays, DerivativesAreArrays) {
  const Array x = input<double>("x", {size("n")});
  const Array y = sum(sin(x) * x) + x(0) * 3, g = grad(y, {x})[0];
  const Array along = jvp(y, {x}, {arange(x.shape(0)) * 1.0});
  const std::vector<double> v{0.5, 1, 2};
  const std::vector<Array> r = eval({y, g, along}, {{"x", View(v.data(), {3})}});
  double directional = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double want = std::cos(v[i]) * v[i] + std::sin(v[i]) + (i == 0 ? 3 : 0);
    EXPECT_NEAR(r[1].to_vector<double>()[i], want, 1e-14);
    directional += want * static_cast<double>(i);
  }
  EXPECT_NEAR(r[2].item<double>(), directional, 1e-13);
}

// Known answers of threefry2x32 with 20 rounds: zeros, and ones for the key.
TEST(Arrays, RandomNumbersAreThreefry) {
  EXPECT_EQ(random_bits({1}, 0).eval().to_vector<std::uint64_t>()[0], 0x99ba4efe6b200159u);
  const std::vector<double> u = random_uniform({20000}, 7).eval().to_vector<double>();
  double mean = 0;
  for (double e : u) {
    EXPECT_TRUE(e >= 0 && e < 1);
    mean += e / 20000;
  }
  EXPECT_NEAR(mean, 0.5, 0.01);
  const Array z = random_normal({20000}, 3);
  EXPECT_NEAR(eval({stddev(z)})[0].item<double>(), 1, 0.02);
  const std::int64_t before = lathe_lazy_kernel_count();
  EXPECT_NE(random_uniform({20000}, 8).eval().to_vector<double>()[0], u[0]);
  EXPECT_EQ(lathe_lazy_kernel_count(), before);  // another seed, the same kernel
}

TEST(Arrays, SizesAreSolvedFromShapes) {
  const Size n = size("n"), m = size("m");
  const Array x = input<double>("x", {2 * n + 1}), y = input<double>("y", {n * m});
  const Array z = sum(x) + sum(reshape(y, {n, m})) + m;
  const std::vector<double> v(12, 1);
  EXPECT_EQ(z.eval({{"x", View(v.data(), {7})}, {"y", View(v.data(), {12})}}).item<double>(),
            7 + 12 + 4);
}

}  // namespace
}  // namespace lathe
