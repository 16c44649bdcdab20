// SPDX-License-Identifier: Apache-2.0
// The second evaluation of an array remembers the first one: it must not remember too much.
#include <gtest/gtest.h>
#include <lathe/array.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <thread>
#include <type_traits>

#include "thorough.h"

namespace lathe {
namespace {

std::vector<double> ramp(std::int64_t n, double first = 0) {
  std::vector<double> out;
  for (std::int64_t i = 0; i < n; ++i) out.push_back(first + static_cast<double>(i));
  return out;
}

TEST(Evaluation, ReadsWhatReferredMemoryHoldsNow) {
  std::vector<double> v = ramp(40);
  const Array y = refer(View(v.data(), {40})) * 2;
  const Array first = y.eval();
  EXPECT_EQ(first.to_vector<double>()[3], 6);
  v[3] = 10;
  const Array second = y.eval();
  EXPECT_EQ(second.to_vector<double>()[3], 20);
  EXPECT_EQ(first.to_vector<double>()[3], 6);  // has memory of its own
}

TEST(Evaluation, TakesOtherArraysByName) {
  const Size n = size("n");
  const Array x = input<double>("x", {n}), y = x + 1;
  for (const double first : {0.0, 5.0, 7.0}) {
    const std::vector<double> v = ramp(30, first);
    EXPECT_EQ(y.eval({{"x", View(v.data(), {30})}}).to_vector<double>()[2], first + 3);
  }
  const std::vector<double> w = ramp(31, 100);  // another length, and strides
  EXPECT_EQ(y.eval({{"x", View(w.data(), {31})}}).to_vector<double>().size(), 31u);
  View every_other(w.data(), {15});
  every_other.strided({16});
  EXPECT_EQ(y.eval({{"x", every_other}}).to_vector<double>()[2], 105);
  EXPECT_EQ(y.eval({{"x", View(w.data(), {31})}}).to_vector<double>()[2], 103);
}

TEST(Evaluation, TakesOtherNumbersAndSizesByName) {
  const Array a = scalar<double>("a"), y = arange(size("n")) * a;
  EXPECT_EQ(y.eval({{"a", 2.0}, {"n", 20}}).to_vector<double>()[3], 6);
  EXPECT_EQ(y.eval({{"a", 5.0}, {"n", 20}}).to_vector<double>()[3], 15);
  EXPECT_EQ(y.eval({{"a", 5.0}, {"n", 25}}).to_vector<double>().size(), 25u);
  EXPECT_THROW(y.eval({{"a", 5.0}}), Error);
  EXPECT_THROW(y.eval({{"n", 25}}), Error);
}

TEST(Evaluation, RefusesWhatTheFirstOneWouldHaveRefused) {
  const Size n = size("n");
  const Array x = input<double>("x", {n}), y = input<double>("y", {n}), z = x + y;
  const std::vector<double> five = ramp(50), six = ramp(60);
  const View a(five.data(), {50}), b(six.data(), {60});
  z.eval({{"x", a}, {"y", a}});
  EXPECT_THROW(z.eval({{"x", a}, {"y", b}}), Error);
  EXPECT_THROW(z.eval({{"x", a}}), Error);
  EXPECT_EQ(z.eval({{"x", a}, {"y", a}}).to_vector<double>()[4], 8);
}

TEST(Evaluation, FindsIndicesThatAreOutOfRangeLater) {
  std::vector<std::int64_t> at(20, 3);
  const Array y = array(ramp(30))(refer(View(at.data(), {20})));
  EXPECT_EQ(y.eval().to_vector<double>()[7], 3);
  at[7] = 30;
  std::string said[2];
  for (std::string& text : said) {
    try {
      y.eval();
    } catch (const Error& e) {
      text = e.what();
    }
  }
  EXPECT_NE(said[0].find("an index is out of range"), std::string::npos) << said[0];
  EXPECT_EQ(said[0], said[1]);
  at[7] = -1;
  EXPECT_EQ(y.eval().to_vector<double>()[7], 29);
}

TEST(Evaluation, OfOneArrayByManyThreads) {
  const Array x = array(ramp(1000)), y = sum(x * x);
  const double want = y.eval().item<double>();
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int& w : wrong)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) w += y.eval().item<double>() != want;
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST(Evaluation, AnotherShapeOfDataIsTheSameMemory) {
  const Array x = array(ramp(60), {20, 3});
  const Array flat = reshape(x, {60}), back = reshape(flat + 0, {3, 20}), part = x(_, range(1, _));
  EXPECT_EQ(cumsum(flat, 0).eval().to_vector<double>()[59], 59 * 30);
  EXPECT_EQ(flat.eval().to_vector<double>(), ramp(60));
  EXPECT_EQ(sum(back, 1).eval().to_vector<double>()[1], 590);
  // A value with gaps is not.
  EXPECT_EQ(reshape(part, {40}).eval().to_vector<double>()[2], 4);
  const Array kept = part.eval();
  EXPECT_EQ((reshape(kept, {40}) * 1).eval().to_vector<double>()[3], 5);
  const std::vector<double> v = ramp(60);
  View strided(v.data(), {20, 2});
  strided.strided({24, 8});
  EXPECT_EQ((reshape(refer(strided), {40}) * 1).eval().to_vector<double>()[2], 3);
  EXPECT_EQ((reshape(x(range(0, 1), range(0, 1)), Shape{}) * 2).eval().item<double>(), 0);
}

TEST(Evaluation, PositionsOfAMaskAreTrustedInItsOwnArrayOnly) {
  const Array x = array(ramp(40)), other = array(ramp(30));
  EXPECT_EQ(x(x > 36.5).eval().to_vector<double>(), (std::vector<double>{37, 38, 39}));
  const Array where_large = nonzero(x > 36.5)[0];
  EXPECT_EQ(x(where_large).eval().to_vector<double>(), (std::vector<double>{37, 38, 39}));
  EXPECT_THROW(other(where_large).eval(), Error);
}

TEST(Evaluation, ProductsUnderASumAreStored) {
  const Array a = array(ramp(40 * 30), {40, 30}), b = array(ramp(30 * 20), {30, 20});
  const Array total = sum(matmul(a, b));
  EXPECT_NE(total.explain().find("it is a product that is summed"), std::string::npos)
      << total.explain();
  double want = 0;
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 20; ++j)
      for (int k = 0; k < 30; ++k) want += (i * 30 + k) * (k * 20 + j);
  EXPECT_EQ(total.eval().item<double>(), want);  // whole numbers: exact in any order
}

// Each state is part of the next one and of what is made of it: without a place of its own it would
// be written into all statements that come later.
TEST(Evaluation, StatesOfARecurrenceAreStored) {
  const Array x = array(ramp(60), {3, 20}), w = array(ramp(400), {20, 20}) / 1e4;
  const auto step = [&](Array& state, Array& seen) {
    const Array gate = exp(0 - matmul(seen, w));
    state = state / (gate + 1) + gate / (gate + 2) * x;
    seen = exp(0 - state);
  };
  Array last = x, seen_last = x;
  const int steps = testing::is_thorough() ? 20 : 10;
  for (int i = 0; i < steps; ++i) step(last, seen_last);
  const std::string text = seen_last.explain();
  int stored = 0;
  for (std::size_t at = text.find("it is part of"); at != std::string::npos;
       at = text.find("it is part of", at + 1))
    ++stored;
  EXPECT_GE(stored, steps / 2 - 1) << text;  // every other one, but for the last
  Array state = x, seen = x, state_now = x, seen_now = x;
  for (int i = 0; i < 4; ++i) {
    step(state, seen);
    step(state_now, seen_now);
    state_now = state_now.eval();
    seen_now = seen_now.eval();
  }
  EXPECT_EQ(seen.eval().to_vector<double>(), seen_now.to_vector<double>());
}

TEST(Evaluation, AProductMayReadAnArrayTwice) {
  const Array x = input<double>("x", {size("n"), size("m")});
  const Array gram = matmul(transpose(x), x), other = matmul(x, transpose(x));
  for (const double first : {0.0, 1.0, 2.0}) {
    const std::vector<double> v = ramp(40 * 30, first);
    const View given(v.data(), {40, 30});
    double want = 0, want_other = 0;
    for (std::size_t k = 0; k < 40; ++k) want += v[k * 30 + 3] * v[k * 30 + 29];
    for (std::size_t k = 0; k < 30; ++k) want_other += v[3 * 30 + k] * v[39 * 30 + k];
    EXPECT_EQ(gram.eval({{"x", given}}).to_vector<double>()[3 * 30 + 29], want);
    EXPECT_EQ(other.eval({{"x", given}}).to_vector<double>()[3 * 40 + 39], want_other);
  }
}

TEST(Evaluation, UniqueSortsOnce) {
  std::vector<double> v;
  for (int i = 0; i < 5000; ++i) v.push_back(std::floor(std::sin(i) * 100));
  v[17] = v[4000] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> got = unique(array(v)).eval().to_vector<double>();
  for (std::size_t i = 1; i + 1 < got.size(); ++i) EXPECT_LT(got[i - 1], got[i]);
  EXPECT_TRUE(std::isnan(got.back()));
}

TEST(Evaluation, AMaskIsFoundAgainEachTime) {
  std::vector<double> v = ramp(40);
  const Array x = refer(View(v.data(), {40}));
  const Array y = x(x > 20) * 2, total = sum(x(x > 20)), two = x(x > 20)(x(x > 20) > 30);
  const auto wanted = [&] {
    std::vector<double> out;
    for (const double e : v)
      if (e > 20) out.push_back(2 * e);
    return out;
  };
  // The same places, other ones as many, more, none, and again some.
  for (const double first : {0.0, 0.0, 0.0, 0.5, 10.0, 10.0, -40.0, -40.0, 0.0, 0.0, 0.0}) {
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = first + static_cast<double>(i);
    std::swap(v[3], v[static_cast<std::size_t>(25 + std::llround(std::abs(first)) % 7)]);
    EXPECT_EQ(y.eval().to_vector<double>(), wanted()) << first;
    double sum_of = 0;
    std::size_t above = 0;
    for (const double e : wanted()) {
      sum_of += e / 2;
      above += e > 60;
    }
    EXPECT_EQ(total.eval().item<double>(), sum_of) << first;
    EXPECT_EQ(two.eval().to_vector<double>().size(), above) << first;
  }
}

TEST(Evaluation, TheMaximumOfAMaskNeedsAPoint) {
  std::vector<double> v = ramp(40);
  const Array x = refer(View(v.data(), {40})), most = max(x(x > 20));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(most.eval().item<double>(), 39);
  for (double& e : v) e -= 40;
  EXPECT_THROW(most.eval(), Error);
  for (double& e : v) e += 41;
  EXPECT_EQ(most.eval().item<double>(), 40);
}

// Lengths around 32 points, rows of 64 and blocks of 4,096; ties, NaN, and both in every part.
template <class T>
void find_extrema() {
  for (const std::int64_t n : {31, 33, 64, 65, 127, 500, 4096, 4097, 4160, 9000}) {
    std::vector<T> v(static_cast<std::size_t>(n));
    const Array x = refer(View(v.data(), {n})), most = argmax(x), least = argmin(x);
    for (std::int64_t trial = 0; trial < 12; ++trial) {
      for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<T>((i * 7 + 3) % 11);
      const auto at = static_cast<std::size_t>(trial * 997 % n);
      if (trial % 3 == 1) v[at] = 100;
      if constexpr (std::is_floating_point_v<T>) {
        if (trial % 3 == 2) v[at] = v[v.size() - 1] = std::numeric_limits<T>::quiet_NaN();
        if (trial == 11) std::fill(v.begin(), v.end(), -std::numeric_limits<T>::infinity());
      }
      std::size_t high = 0, low = 0;
      for (std::size_t i = 1; i < v.size(); ++i) {
        if (!(v[i] <= v[high]) && v[high] == v[high]) high = i;
        if (!(v[i] >= v[low]) && v[low] == v[low]) low = i;
      }
      EXPECT_EQ(most.eval().template item<std::int64_t>(), static_cast<std::int64_t>(high))
          << n << " " << trial;
      EXPECT_EQ(least.eval().template item<std::int64_t>(), static_cast<std::int64_t>(low))
          << n << " " << trial;
    }
  }
}

// The same along the rows of a matrix; zeros of both signs, infinities of both signs, and extrema
// that are results, too.
template <class T>
void find_extrema_of_rows() {
  constexpr std::int64_t kRows = 9;
  for (const std::int64_t n : {31, 33, 47, 48, 63, 64, 65, 80, 127, 128, 500, 4100}) {
    const auto columns = static_cast<std::size_t>(n);
    std::vector<T> v(kRows * columns);
    const Array x = refer(View(v.data(), {kRows, n}));
    for (std::size_t i = 0; i < kRows; ++i) {
      T* row = v.data() + i * columns;
      for (std::size_t k = 0; k < columns; ++k) row[k] = static_cast<T>((k * 7 + i) % 11);
      if (i % 2 == 1) row[i * 997 % columns] = 100;
      if constexpr (std::is_floating_point_v<T>) {
        constexpr T kInfinity = std::numeric_limits<T>::infinity();
        if (i == 2) row[columns / 2] = row[columns - 1] = std::numeric_limits<T>::quiet_NaN();
        if (i == 4) std::fill(row, row + columns, -kInfinity);
        if (i == 5) row[columns - 3] = row[columns - 1] = kInfinity, row[4] = -kInfinity;
        for (std::size_t k = 0; i == 6 && k < columns; ++k) row[k] = k % 3 == 1 ? T(0) : -T(0);
        if (i == 7) std::fill(row, row + columns, std::numeric_limits<T>::max());
        if (i == 8) row[columns - 1] = -std::numeric_limits<T>::quiet_NaN();
      }
    }
    const Array high = argmax(x, 1).eval(), low = argmin(x, 1).eval();
    const std::vector<Array> both = eval({max(x, 1), argmax(x, 1)});
    for (std::size_t i = 0; i < kRows; ++i) {
      const T* row = v.data() + i * columns;
      std::size_t most = 0, least = 0;
      for (std::size_t k = 1; k < columns; ++k) {
        if (!(row[k] <= row[most]) && row[most] == row[most]) most = k;
        if (!(row[k] >= row[least]) && row[least] == row[least]) least = k;
      }
      const auto at = static_cast<std::int64_t>(i);
      EXPECT_EQ(high(at).eval().template item<std::int64_t>(), static_cast<std::int64_t>(most));
      EXPECT_EQ(low(at).eval().template item<std::int64_t>(), static_cast<std::int64_t>(least));
      EXPECT_EQ(both[1](at).eval().template item<std::int64_t>(), static_cast<std::int64_t>(most));
      if (i != 6) continue;
      const T zero = both[0](at).eval().template item<T>();
      EXPECT_FALSE(std::signbit(static_cast<double>(zero))) << "+0 is the largest of zeros";
    }
  }
}

TEST(Evaluation, TheFirstPlaceInEachRow) {
  find_extrema_of_rows<double>();
  find_extrema_of_rows<float>();
  find_extrema_of_rows<std::int64_t>();
  find_extrema_of_rows<std::uint32_t>();
  find_extrema_of_rows<std::int8_t>();
}

TEST(Evaluation, TheFirstPlaceOfAnExtremum) {
  find_extrema<double>();
  find_extrema<float>();
  find_extrema<std::int64_t>();
  find_extrema<std::int8_t>();
}

}  // namespace
}  // namespace lathe
