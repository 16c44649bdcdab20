// SPDX-License-Identifier: Apache-2.0
// The float64 elementary functions: exact special values, the error against MPFR on 20,000
// arguments each, and that each body keeps to number.h's operations and gives the same bits through
// them.

#include <gtest/gtest.h>

#include <algorithm>

#include "../../../tools/float64_reference.h"
#include "elementary/float64/exp.h"
#include "elementary/float64/hyperbolic.h"
#include "elementary/float64/inverse_trig.h"
#include "elementary/float64/log.h"
#include "elementary/float64/power.h"
#include "elementary/float64/special.h"
#include "elementary/float64/trig.h"
#include "elementary/native.h"
#include "strict_number.h"
#include "thorough.h"

namespace lathe {
namespace {

namespace rows = elementary::rows;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kMax = std::numeric_limits<double>::max();
constexpr double kTiny = 0x1p-1074;

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

struct Case {
  double x, y;
};

void check(reference::Unary row, const char* name, std::initializer_list<Case> cases) {
  for (const Case& c : cases) {
    double y;
    row(&c.x, &y, 1);
    EXPECT_TRUE(same(y, c.y)) << name << "(" << c.x << ") is " << y << ", not " << c.y;
  }
}

struct BinaryCase {
  double a, b, y;
};

void check(reference::Binary row, const char* name, std::initializer_list<BinaryCase> cases) {
  for (const BinaryCase& c : cases) {
    double y;
    row(&c.a, &c.b, &y, 1);
    EXPECT_TRUE(same(y, c.y)) << name << "(" << c.a << ", " << c.b << ") is " << y << ", not "
                              << c.y;
  }
}

#define CHECK(name, ...) check(rows::name, #name, {__VA_ARGS__})

TEST(Float64Special, Exponentials) {
  CHECK(exp, {0.0, 1}, {-0.0, 1}, {kInf, kInf}, {-kInf, 0}, {kNan, kNan}, {710, kInf}, {-746, 0},
        {kMax, kInf}, {-kMax, 0}, {kTiny, 1}, {1, 0x1.5bf0a8b145769p+1});
  CHECK(exp2, {0.0, 1}, {-0.0, 1}, {kInf, kInf}, {-kInf, 0}, {kNan, kNan}, {1024, kInf},
        {-1074, kTiny}, {-1075, 0}, {-1022, 0x1p-1022}, {1023, 0x1p1023}, {10, 1024}, {-kMax, 0},
        {kMax, kInf});
  CHECK(expm1, {0.0, 0.0}, {-0.0, -0.0}, {kInf, kInf}, {-kInf, -1}, {kNan, kNan}, {kTiny, kTiny},
        {-kTiny, -kTiny}, {710, kInf}, {-60, -1}, {-kMax, -1});
}

TEST(Float64Special, Logarithms) {
  CHECK(log, {1, 0.0}, {0.0, -kInf}, {-0.0, -kInf}, {kInf, kInf}, {-1, kNan}, {-kInf, kNan},
        {kNan, kNan}, {-kTiny, kNan}, {kTiny, -0x1.74385446d71c3p+9});
  CHECK(log2, {1, 0.0}, {0.0, -kInf}, {-0.0, -kInf}, {kInf, kInf}, {-1, kNan}, {kNan, kNan},
        {kTiny, -1074}, {0x1p1023, 1023}, {8, 3}, {0.125, -3});
  CHECK(log10, {1, 0.0}, {0.0, -kInf}, {-0.0, -kInf}, {kInf, kInf}, {-1, kNan}, {kNan, kNan},
        {10, 1}, {1e15, 15}, {1e22, 22});
  CHECK(log1p, {0.0, 0.0}, {-0.0, -0.0}, {-1, -kInf}, {-1.5, kNan}, {-kInf, kNan}, {kInf, kInf},
        {kNan, kNan}, {kTiny, kTiny}, {-kTiny, -kTiny}, {kMax, 0x1.62e42fefa39efp+9});
}

TEST(Float64Special, Trigonometry) {
  CHECK(sin, {0.0, 0.0}, {-0.0, -0.0}, {kInf, kNan}, {-kInf, kNan}, {kNan, kNan}, {kTiny, kTiny},
        {-kTiny, -kTiny}, {0x1p-1030, 0x1p-1030});
  CHECK(cos, {0.0, 1}, {-0.0, 1}, {kInf, kNan}, {-kInf, kNan}, {kNan, kNan}, {kTiny, 1});
  CHECK(tan, {0.0, 0.0}, {-0.0, -0.0}, {kInf, kNan}, {-kInf, kNan}, {kNan, kNan}, {kTiny, kTiny},
        {-kTiny, -kTiny});
}

TEST(Float64Special, InverseTrigonometry) {
  constexpr double kHalfPi = 0x1.921fb54442d18p+0, kPi = 0x1.921fb54442d18p+1;
  constexpr double kQuarter = 0x1.921fb54442d18p-1, kThreeQuarters = 0x1.2d97c7f3321d2p+1;
  CHECK(asin, {0.0, 0.0}, {-0.0, -0.0}, {1, kHalfPi}, {-1, -kHalfPi}, {1.5, kNan}, {-kInf, kNan},
        {kNan, kNan}, {kTiny, kTiny}, {-kTiny, -kTiny});
  CHECK(acos, {1, 0.0}, {-1, kPi}, {0.0, kHalfPi}, {-0.0, kHalfPi}, {1.5, kNan}, {-kInf, kNan},
        {kNan, kNan});
  CHECK(atan, {0.0, 0.0}, {-0.0, -0.0}, {kInf, kHalfPi}, {-kInf, -kHalfPi}, {kNan, kNan},
        {1, kQuarter}, {kMax, kHalfPi}, {kTiny, kTiny}, {-kTiny, -kTiny});
  CHECK(atan2, {0.0, 0.0, 0.0}, {-0.0, 0.0, -0.0}, {0.0, -0.0, kPi}, {-0.0, -0.0, -kPi},
        {0.0, 1, 0.0}, {-0.0, 1, -0.0}, {0.0, -1, kPi}, {-0.0, -1, -kPi}, {1, 0.0, kHalfPi},
        {1, -0.0, kHalfPi}, {-1, 0.0, -kHalfPi}, {-1, -0.0, -kHalfPi}, {1, -kInf, kPi},
        {-1, -kInf, -kPi}, {1, kInf, 0.0}, {-1, kInf, -0.0}, {kInf, 1, kHalfPi},
        {-kInf, 1, -kHalfPi}, {kInf, -1, kHalfPi}, {-kInf, 0.0, -kHalfPi}, {kInf, kInf, kQuarter},
        {-kInf, kInf, -kQuarter}, {kInf, -kInf, kThreeQuarters}, {-kInf, -kInf, -kThreeQuarters},
        {kNan, 1, kNan}, {1, kNan, kNan}, {kNan, kInf, kNan}, {0.0, kNan, kNan}, {kTiny, kMax, 0.0},
        {-kTiny, kMax, -0.0}, {kTiny, -kMax, kPi}, {kMax, kTiny, kHalfPi}, {kTiny, kTiny, kQuarter},
        {kTiny, 1, kTiny}, {kMax, kMax, kQuarter}, {0.0, kMax, 0.0}, {0.0, -kTiny, kPi},
        {0.0, kInf, 0.0}, {-0.0, -kInf, -kPi});
}

TEST(Float64Special, Hyperbolic) {
  CHECK(sinh, {0.0, 0.0}, {-0.0, -0.0}, {kInf, kInf}, {-kInf, -kInf}, {kNan, kNan}, {kTiny, kTiny},
        {-kTiny, -kTiny}, {kMax, kInf}, {-kMax, -kInf}, {711, kInf});
  CHECK(cosh, {0.0, 1}, {-0.0, 1}, {kInf, kInf}, {-kInf, kInf}, {kNan, kNan}, {kMax, kInf},
        {kTiny, 1});
  CHECK(tanh, {0.0, 0.0}, {-0.0, -0.0}, {kInf, 1}, {-kInf, -1}, {kNan, kNan}, {kTiny, kTiny},
        {-kTiny, -kTiny}, {kMax, 1}, {-30, -1});
  CHECK(asinh, {0.0, 0.0}, {-0.0, -0.0}, {kInf, kInf}, {-kInf, -kInf}, {kNan, kNan}, {kTiny, kTiny},
        {-kTiny, -kTiny});
  CHECK(acosh, {1, 0.0}, {kInf, kInf}, {0.5, kNan}, {-1, kNan}, {-kInf, kNan}, {kNan, kNan},
        {0.0, kNan});
  CHECK(atanh, {0.0, 0.0}, {-0.0, -0.0}, {1, kInf}, {-1, -kInf}, {1.5, kNan}, {-kInf, kNan},
        {kNan, kNan}, {kTiny, kTiny}, {-kTiny, -kTiny});
}

TEST(Float64Special, Roots) {
  CHECK(cbrt, {0.0, 0.0}, {-0.0, -0.0}, {kInf, kInf}, {-kInf, -kInf}, {kNan, kNan}, {27, 3},
        {-8, -2}, {0x1p-1074, 0x1p-358}, {0x1p1023, 0x1p341}, {1, 1});
  CHECK(rsqrt, {0.0, kInf}, {-0.0, -kInf}, {kInf, 0.0}, {-1, kNan}, {-kInf, kNan}, {kNan, kNan},
        {4, 0.5}, {0x1p-1074, 0x1p537}, {-kTiny, kNan}, {1, 1});
}

TEST(Float64Special, Pow) {
  CHECK(pow, {1, kNan, 1}, {kNan, 0.0, 1}, {kNan, -0.0, 1}, {kInf, 0.0, 1}, {0.0, 0.0, 1},
        {-0.0, -0.0, 1}, {1, kInf, 1}, {1, -kInf, 1}, {-1, kInf, 1}, {-1, -kInf, 1},
        {kNan, 1, kNan}, {2, kNan, kNan});
  CHECK(pow, {0.0, 3, 0.0}, {-0.0, 3, -0.0}, {0.0, 2, 0.0}, {-0.0, 2, 0.0}, {-0.0, 2.5, 0.0},
        {0.0, -3, kInf}, {-0.0, -3, -kInf}, {-0.0, -2, kInf}, {-0.0, -2.5, kInf}, {0.0, kInf, 0.0},
        {-0.0, kInf, 0.0}, {0.0, -kInf, kInf}, {-0.0, -kInf, kInf});
  CHECK(pow, {0.5, kInf, 0.0}, {-0.5, kInf, 0.0}, {2, kInf, kInf}, {-2, kInf, kInf},
        {0.5, -kInf, kInf}, {-0.5, -kInf, kInf}, {2, -kInf, 0.0}, {-2, -kInf, 0.0});
  CHECK(pow, {kInf, 2, kInf}, {kInf, -2, 0.0}, {-kInf, 3, -kInf}, {-kInf, 2, kInf},
        {-kInf, 2.5, kInf}, {-kInf, -3, -0.0}, {-kInf, -2, 0.0}, {-kInf, -2.5, 0.0},
        {-kInf, kInf, kInf}, {-kInf, -kInf, 0.0}, {kInf, kInf, kInf}, {kInf, -kInf, 0.0});
  CHECK(pow, {-2, 3, -8}, {-2, 2, 4}, {-2, 2.5, kNan}, {-2, -1, -0.5}, {2, 10, 1024},
        {2, -1074, kTiny}, {2, -1075, 0.0}, {-2, -1075, -0.0}, {2, 1024, kInf}, {-2, 1025, -kInf},
        {10, 22, 1e22}, {-1, 0x1p60, 1}, {-1, 0x1p53 - 1, -1}, {kTiny, 1, kTiny},
        {-kTiny, 1, -kTiny}, {kMax, 1, kMax}, {2, kMax, kInf}, {2, -kMax, 0.0}, {0.5, kMax, 0.0},
        {5, kTiny, 1}, {kTiny, -1, kInf});
}

TEST(Float64Special, ErrorAndGamma) {
  CHECK(erf, {0.0, 0.0}, {-0.0, -0.0}, {kInf, 1}, {-kInf, -1}, {kNan, kNan}, {kMax, 1}, {-7, -1},
        {kTiny, kTiny}, {-kTiny, -kTiny});
  CHECK(erfc, {0.0, 1}, {-0.0, 1}, {kInf, 0.0}, {-kInf, 2}, {kNan, kNan}, {kMax, 0.0}, {-kMax, 2},
        {kTiny, 1});
  CHECK(tgamma, {0.0, kInf}, {-0.0, -kInf}, {kInf, kInf}, {-kInf, kNan}, {kNan, kNan}, {-1, kNan},
        {-2, kNan}, {-kMax, kNan}, {-0x1p52, kNan}, {1, 1}, {2, 1}, {5, 24},
        {171, 0x1.4ab7864418639p+1019}, {172, kInf}, {kMax, kInf}, {kTiny, kInf}, {-kTiny, -kInf},
        {-200.5, -0.0}, {-201.5, 0.0});
  CHECK(lgamma, {1, 0.0}, {2, 0.0}, {0.0, kInf}, {-0.0, kInf}, {kInf, kInf}, {-kInf, kInf},
        {kNan, kNan}, {-1, kInf}, {-2, kInf}, {-kMax, kInf}, {kMax, kInf},
        {3, 0x1.62e42fefa39efp-1});
}

#undef CHECK

// A function that tools/float64_reference.h leaves out would be measured and tested by nobody.
TEST(Float64Accuracy, OfEveryFunction) {
  const auto measured = [](const std::string& name) {
    return std::ranges::any_of(reference::functions(),
                               [&](const reference::Function& f) { return f.name == name; });
  };
#define MEASURED(function) EXPECT_TRUE(measured(#function)) << #function;
  LATHE_UNARY_FUNCTIONS(MEASURED)
  LATHE_BINARY_FUNCTIONS(MEASURED)
#undef MEASURED
}

TEST(Float64Accuracy, WithinItsBound) {
  for (const reference::Function& f : reference::functions()) {
    reference::Worst worst =
        reference::measure(f, testing::is_thorough() ? 20000 : 8000, 42, false);
    EXPECT_LE(worst.error, f.bound)
        << f.name << " at " << std::hexfloat << worst.a << " " << worst.b;
  }
}

constexpr double kEdges[] = {0.0,
                             -0.0,
                             kInf,
                             -kInf,
                             kNan,
                             kMax,
                             -kMax,
                             kTiny,
                             -kTiny,
                             0x1p-1022,
                             1,
                             -1,
                             0x1.fffffffffffffp-1023,
                             0x1p26,
                             0x1.6ac5b262ca1ffp+849,
                             709.9,
                             -745.2,
                             171.7};

void expect_same_bits(const char* name, double native, double strict, double a, double b) {
  EXPECT_TRUE(same(native, strict))
      << name << " at " << std::hexfloat << a << " " << b << ": " << native << " and " << strict;
}

TEST(Float64Body, StrictNumbersGiveTheSameBits) {
  for (const reference::Function& f : reference::functions()) {
    reference::Random random{7};
    std::vector<double> a(std::begin(kEdges), std::end(kEdges)), b(a.size(), 3.0);
    for (int i = 0; i < 500; ++i) {
      double x = 0, y = 0;
      if (f.row != nullptr)
        x = reference::unary_argument(f, random);
      else
        reference::binary_argument(f, random, x, y);
      a.push_back(x), b.push_back(y);
    }
    std::vector<double> native(a.size());
    if (f.row != nullptr)
      f.row(a.data(), native.data(), a.size());
    else
      f.binary_row(a.data(), b.data(), native.data(), a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      using strict::F;
      using strict::Numbers;
#define COMPARE(function)                                                                     \
  if (f.name == #function)                                                                    \
    expect_same_bits(#function, native[i], elementary::float64::function<Numbers>(F(a[i])).v, \
                     a[i], 0);
      LATHE_UNARY_FUNCTIONS(COMPARE)
#undef COMPARE
#define COMPARE(function)                  \
  if (f.name == #function)                 \
    expect_same_bits(#function, native[i], \
                     elementary::float64::function<Numbers>(F(a[i]), F(b[i])).v, a[i], b[i]);
      LATHE_BINARY_FUNCTIONS(COMPARE)
#undef COMPARE
    }
  }
}

}  // namespace
}  // namespace lathe
