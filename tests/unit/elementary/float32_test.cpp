// SPDX-License-Identifier: Apache-2.0
// The float32 elementary functions: exact special values, the error against MPFR on a stride
// through all encodings, and that each body keeps to number.h's operations and gives the same bits
// by rows, one at a time, and through the strict numbers.

#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "elementary/float32/exp.h"
#include "elementary/float32/hyperbolic.h"
#include "elementary/float32/inverse_trig.h"
#include "elementary/float32/log.h"
#include "elementary/float32/power.h"
#include "elementary/float32/special.h"
#include "elementary/float32/trig.h"
#include "elementary/native.h"
#include "strict_float32.h"
#include "thorough.h"

namespace lathe {
namespace {

namespace rows = elementary::rows;
namespace float32 = elementary::float32;

using Unary = void (*)(const float*, float*, std::size_t);
using Binary = void (*)(const float*, const float*, float*, std::size_t);
using Scalar = float (*)(float);
using Scalar2 = float (*)(float, float);
using Exact = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kMax = std::numeric_limits<float>::max();
constexpr float kTiny = 0x1p-149f;
constexpr float kPi = 0x1.921fb6p1f;
constexpr float kHalfPi = 0x1.921fb6p0f;
constexpr float kQuarterPi = 0x1.921fb6p-1f;

bool same(float a, float b) {
  return (a != a && b != b) || std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

float call(Unary row, float x) {
  float y;
  row(&x, &y, 1);
  return y;
}
float call(Binary row, float a, float b) {
  float y;
  row(&a, &b, &y, 1);
  return y;
}

// --- Every function, with all its forms.

int exact_lgamma(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t mode) {
  int sign;
  return mpfr_lgamma(y, &sign, x, mode);
}
constexpr Exact mpfr_rsqrt = mpfr_rec_sqrt;
constexpr Exact mpfr_tgamma = mpfr_gamma;
#define mpfr_lgamma exact_lgamma

struct UnaryFunction {
  const char* name;
  Unary row;
  Scalar alone, strict;
  Exact exact;
};
#define LATHE_ENTRY(name)                                                                   \
  UnaryFunction{#name, rows::name, float32::name<elementary::Native<float>>,                \
                [](float x) { return float32::name<strict32::Numbers>(strict32::F(x)).v; }, \
                mpfr_##name},
const UnaryFunction kUnary[] = {LATHE_UNARY_FUNCTIONS(LATHE_ENTRY)};
#undef LATHE_ENTRY

struct BinaryFunction {
  const char* name;
  Binary row;
  Scalar2 alone, strict;
  int (*exact)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
};
#define LATHE_ENTRY(name)                                                                     \
  BinaryFunction{#name, rows::name, float32::name<elementary::Native<float>>,                 \
                 [](float a, float b) {                                                       \
                   return float32::name<strict32::Numbers>(strict32::F(a), strict32::F(b)).v; \
                 },                                                                           \
                 mpfr_##name},
const BinaryFunction kBinary[] = {LATHE_BINARY_FUNCTIONS(LATHE_ENTRY)};
#undef LATHE_ENTRY

// --- Special values.

struct Case {
  float x, y;
};
void check(const char* name, Unary row, std::initializer_list<Case> cases) {
  for (const Case& c : cases) {
    const float y = call(row, c.x);
    EXPECT_TRUE(same(y, c.y)) << name << "(" << c.x << ") is " << y << ", not " << c.y;
  }
}
#define CHECK_VALUES(name, ...) check(#name, rows::name, {__VA_ARGS__})

TEST(Float32, NanGivesNan) {
  for (const UnaryFunction& f : kUnary) {
    for (const std::uint32_t nan : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xffffffffu}) {
      const float y = call(f.row, std::bit_cast<float>(nan));
      EXPECT_TRUE(y != y) << f.name;
    }
  }
}

TEST(Float32, OddFunctionsKeepZerosAndTinyArguments) {
  const auto keeps = [](const char* name, Unary row) {
    for (const float x : {0.0f, kTiny, 0x1p-140f, 0x1.8p-127f, 0x1.fffffep-127f, 0x1p-126f}) {
      EXPECT_TRUE(same(call(row, x), x)) << name << " at " << x;
      EXPECT_TRUE(same(call(row, -x), -x)) << name << " at " << -x;
    }
  };
#define KEEPS(name) keeps(#name, rows::name);
  KEEPS(sin)
  KEEPS(tan)
  KEEPS(asin)
  KEEPS(atan) KEEPS(sinh) KEEPS(tanh) KEEPS(asinh) KEEPS(atanh) KEEPS(expm1) KEEPS(log1p)
#undef KEEPS
}

TEST(Float32, SymmetricFunctions) {
  const auto mirrored = [](const char* name, Unary row, bool odd) {
    for (std::uint32_t b = 0; b < 0x7f800000; b += 100003) {
      const float x = std::bit_cast<float>(b);
      const float y = call(row, x);
      ASSERT_TRUE(same(call(row, -x), odd ? -y : y)) << name << " at " << x;
    }
  };
#define ODD(name) mirrored(#name, rows::name, true);
  ODD(sin)
  ODD(tan)
  ODD(asin)
  ODD(atan)
  ODD(sinh)
  ODD(tanh)
  ODD(asinh)
  ODD(atanh)
  ODD(cbrt)
  ODD(erf)
#undef ODD
  mirrored("cos", rows::cos, false);
  mirrored("cosh", rows::cosh, false);
}

TEST(Float32, ExponentialsAtSpecialArguments) {
  CHECK_VALUES(exp, {0, 1}, {-0.0f, 1}, {kInf, kInf}, {-kInf, 0}, {kMax, kInf}, {-kMax, 0},
               {0x1.62e42ep6f, 0x1.ffff08p127f}, {0x1.62e43p6f, kInf}, {kTiny, 1}, {-kTiny, 1},
               {-0x1.9fe368p6f, kTiny}, {-0x1.9fe36ap6f, 0});
  CHECK_VALUES(exp2, {0, 1}, {-0.0f, 1}, {kInf, kInf}, {-kInf, 0}, {1, 2}, {-1, 0.5f}, {10, 1024},
               {127, 0x1p127f}, {128, kInf}, {-126, 0x1p-126f}, {-149, kTiny}, {-150, 0},
               {-0x1.2bfffep7f, kTiny}, {kMax, kInf}, {-kMax, 0}, {kTiny, 1});
  for (int k = -149; k < 128; ++k) {
    EXPECT_EQ(call(rows::exp2, static_cast<float>(k)), std::ldexp(1.0f, k)) << k;
  }
  CHECK_VALUES(expm1, {kInf, kInf}, {-kInf, -1}, {kMax, kInf}, {-kMax, -1}, {-20, -1},
               {0x1.62e42ep6f, 0x1.ffff08p127f}, {0x1.62e43p6f, kInf});
}

TEST(Float32, LogarithmsAtSpecialArguments) {
  CHECK_VALUES(log, {1, 0}, {0, -kInf}, {-0.0f, -kInf}, {kInf, kInf}, {-1, kNan}, {-kTiny, kNan},
               {-kInf, kNan});
  CHECK_VALUES(log2, {1, 0}, {0, -kInf}, {-0.0f, -kInf}, {kInf, kInf}, {-1, kNan}, {-kTiny, kNan},
               {-kInf, kNan});
  CHECK_VALUES(log10, {1, 0}, {0, -kInf}, {-0.0f, -kInf}, {kInf, kInf}, {-1, kNan}, {-kTiny, kNan},
               {-kInf, kNan}, {10, 1}, {100, 2}, {1e3f, 3}, {1e4f, 4}, {1e5f, 5}, {1e6f, 6},
               {1e7f, 7}, {1e8f, 8}, {1e9f, 9}, {1e10f, 10});
  CHECK_VALUES(log1p, {-1, -kInf}, {kInf, kInf}, {-0x1.000002p0f, kNan}, {-2, kNan}, {-kInf, kNan});
  for (int k = -149; k < 128; ++k) {
    EXPECT_EQ(call(rows::log2, std::ldexp(1.0f, k)), static_cast<float>(k)) << k;
  }
}

TEST(Float32, TrigonometryAtSpecialArguments) {
  CHECK_VALUES(sin, {kInf, kNan}, {-kInf, kNan});
  CHECK_VALUES(cos, {kInf, kNan}, {-kInf, kNan}, {0, 1}, {-0.0f, 1}, {kTiny, 1}, {-kTiny, 1});
  CHECK_VALUES(tan, {kInf, kNan}, {-kInf, kNan});
  CHECK_VALUES(asin, {1, kHalfPi}, {-1, -kHalfPi}, {0x1.000002p0f, kNan}, {-0x1.000002p0f, kNan},
               {kInf, kNan}, {-kInf, kNan});
  CHECK_VALUES(acos, {1, 0}, {-1, kPi}, {0, kHalfPi}, {-0.0f, kHalfPi}, {kTiny, kHalfPi},
               {0x1.000002p0f, kNan}, {-0x1.000002p0f, kNan}, {kInf, kNan}, {-kInf, kNan});
  CHECK_VALUES(atan, {1, kQuarterPi}, {-1, -kQuarterPi}, {kInf, kHalfPi}, {-kInf, -kHalfPi},
               {kMax, kHalfPi}, {-kMax, -kHalfPi});
}

TEST(Float32, HyperbolicsAtSpecialArguments) {
  CHECK_VALUES(sinh, {kInf, kInf}, {-kInf, -kInf}, {kMax, kInf}, {-kMax, -kInf});
  CHECK_VALUES(cosh, {0, 1}, {-0.0f, 1}, {kInf, kInf}, {-kInf, kInf}, {kMax, kInf}, {kTiny, 1});
  CHECK_VALUES(tanh, {kInf, 1}, {-kInf, -1}, {kMax, 1}, {-kMax, -1}, {10, 1});
  CHECK_VALUES(asinh, {kInf, kInf}, {-kInf, -kInf});
  CHECK_VALUES(acosh, {1, 0}, {kInf, kInf}, {0x1.fffffep-1f, kNan}, {0, kNan}, {-1, kNan},
               {-kInf, kNan});
  CHECK_VALUES(atanh, {1, kInf}, {-1, -kInf}, {0x1.000002p0f, kNan}, {-0x1.000002p0f, kNan},
               {kInf, kNan}, {-kInf, kNan});
}

TEST(Float32, RootsAtSpecialArguments) {
  CHECK_VALUES(cbrt, {0, 0}, {-0.0f, -0.0f}, {kInf, kInf}, {-kInf, -kInf}, {1, 1}, {-8, -2},
               {27, 3}, {1000, 10}, {0x1p-147f, 0x1p-49f}, {0x1p126f, 0x1p42f});
  CHECK_VALUES(rsqrt, {0, kInf}, {-0.0f, -kInf}, {kInf, 0}, {-1, kNan}, {-kTiny, kNan},
               {-kInf, kNan}, {1, 1}, {4, 0.5f}, {0x1p-148f, 0x1p74f}, {0x1p126f, 0x1p-63f});
}

TEST(Float32, SpecialFunctionsAtSpecialArguments) {
  CHECK_VALUES(erf, {0, 0}, {-0.0f, -0.0f}, {kInf, 1}, {-kInf, -1}, {kMax, 1}, {5, 1}, {-5, -1},
               {kTiny, kTiny}, {-kTiny, -kTiny});
  CHECK_VALUES(erfc, {0, 1}, {-0.0f, 1}, {kInf, 0}, {-kInf, 2}, {kMax, 0}, {-kMax, 2}, {11, 0},
               {-5, 2}, {kTiny, 1});
  CHECK_VALUES(tgamma, {0, kInf}, {-0.0f, -kInf}, {kInf, kInf}, {-kInf, kNan}, {-1, kNan},
               {-2, kNan}, {-100, kNan}, {-0x1p23f, kNan}, {-kMax, kNan}, {kMax, kInf},
               {kTiny, kInf}, {-kTiny, -kInf}, {36, kInf}, {-50.5f, -0.0f}, {-51.5f, 0},
               {-4000000.5f, -0.0f}, {-4000001.5f, 0});
  float factorial = 1;
  for (int n = 1; n <= 13; ++n) {
    EXPECT_EQ(call(rows::tgamma, static_cast<float>(n)), factorial) << n;
    factorial *= static_cast<float>(n);
  }
  CHECK_VALUES(lgamma, {1, 0}, {2, 0}, {0, kInf}, {-0.0f, kInf}, {kInf, kInf}, {-kInf, kInf},
               {-1, kInf}, {-2, kInf}, {-100, kInf}, {-0x1p23f, kInf}, {-kMax, kInf}, {kMax, kInf},
               {0x1.895f1ap121f, 0x1.fffffcp127f}, {0x1.895f1cp121f, kInf});
}

TEST(Float32, PowAtSpecialArguments) {
  // clang-format off
  struct {
    float a, b, y;
  } const cases[] = {
      {1, kNan, 1}, {1, kInf, 1}, {1, -kInf, 1}, {1, kMax, 1}, {kNan, 0, 1}, {kNan, -0.0f, 1},
      {0, 0, 1}, {-0.0f, -0.0f, 1}, {kInf, 0, 1}, {-kInf, -0.0f, 1}, {-3, 0, 1},
      {kNan, 1, kNan}, {2, kNan, kNan}, {0, kNan, kNan}, {-1, kNan, kNan}, {kNan, kNan, kNan},
      {0, 3, 0}, {-0.0f, 3, -0.0f}, {0, 2, 0}, {-0.0f, 2, 0}, {0, 0.5f, 0}, {-0.0f, 0.5f, 0},
      {0, -3, kInf}, {-0.0f, -3, -kInf}, {0, -2, kInf}, {-0.0f, -2, kInf}, {-0.0f, -0.5f, kInf},
      {0, kInf, 0}, {-0.0f, kInf, 0}, {0, -kInf, kInf}, {-0.0f, -kInf, kInf},
      {-1, kInf, 1}, {-1, -kInf, 1}, {0.5f, kInf, 0}, {-0.5f, kInf, 0}, {0.5f, -kInf, kInf},
      {-0.5f, -kInf, kInf}, {2, kInf, kInf}, {-2, kInf, kInf}, {2, -kInf, 0}, {-2, -kInf, 0},
      {kInf, kInf, kInf}, {kInf, -kInf, 0}, {-kInf, kInf, kInf}, {-kInf, -kInf, 0},
      {kInf, 1, kInf}, {kInf, 0.5f, kInf}, {kInf, -1, 0}, {kInf, kTiny, kInf},
      {-kInf, 3, -kInf}, {-kInf, 2, kInf}, {-kInf, 0.5f, kInf}, {-kInf, -3, -0.0f},
      {-kInf, -2, 0}, {-kInf, -0.5f, 0}, {-1, 0.5f, kNan}, {-2, 1.5f, kNan}, {-kTiny, 0.5f, kNan},
      {-kMax, -2.5f, kNan}, {-1, 3, -1}, {-1, 4, 1}, {-1, 0x1p24f, 1}, {-1, 0x1.fffffep23f, -1},
      {-2, 3, -8}, {-2, -3, -0.125f}, {3, 2, 9}, {10, 10, 1e10f}, {2, -149, kTiny}, {2, -150, 0},
      {2, 127, 0x1p127f}, {2, 128, kInf}, {-2, 129, -kInf}, {-2, -151, -0.0f},
      {kMax, kMax, kInf}, {kMax, -kMax, 0}, {kTiny, kMax, 0}, {kTiny, -kMax, kInf},
      {-kMax, 3, -kInf}, {0x1.fffffep-1f, kMax, 0}, {0x1.000002p0f, kMax, kInf},
      {kTiny, 1, kTiny}, {kMax, 1, kMax}, {0x1p-148f, 0.5f, 0x1p-74f}, {5, kTiny, 1},
  };
  // clang-format on
  for (const auto& c : cases) {
    const float y = call(rows::pow, c.a, c.b);
    EXPECT_TRUE(same(y, c.y)) << "pow(" << c.a << ", " << c.b << ") is " << y << ", not " << c.y;
  }
}

TEST(Float32, Atan2AtSpecialArguments) {
  // clang-format off
  struct {
    float y, x, angle;
  } const cases[] = {
      // These hold for y >= 0; below, the sign of y goes to the angle.
      {0, 0, 0}, {0, -0.0f, kPi}, {0, 1, 0}, {0, -1, kPi}, {0, kInf, 0}, {0, -kInf, kPi},
      {0, kTiny, 0}, {0, -kTiny, kPi}, {0, kMax, 0}, {0, -kMax, kPi}, {1, 0, kHalfPi},
      {1, -0.0f, kHalfPi}, {kTiny, 0, kHalfPi}, {kMax, -0.0f, kHalfPi}, {kInf, 0, kHalfPi},
      {kInf, 1, kHalfPi}, {kInf, -1, kHalfPi}, {kInf, kMax, kHalfPi}, {kInf, -kMax, kHalfPi},
      {kInf, kInf, kQuarterPi}, {kInf, -kInf, 0x1.2d97c8p1f}, {1, kInf, 0}, {1, -kInf, kPi},
      {kMax, kInf, 0}, {kMax, -kInf, kPi}, {kTiny, kInf, 0}, {kTiny, -kInf, kPi},
      {1, 1, kQuarterPi}, {1, -1, 0x1.2d97c8p1f}, {kTiny, kTiny, kQuarterPi},
      {kTiny, -kTiny, 0x1.2d97c8p1f}, {kMax, kMax, kQuarterPi}, {kMax, -kMax, 0x1.2d97c8p1f},
      {kTiny, kMax, 0}, {kTiny, -kMax, kPi}, {kMax, kTiny, kHalfPi}, {kMax, -kTiny, kHalfPi},
      {kTiny, 1, kTiny}, {kTiny, 4, 0}, {kTiny, -1, kPi}, {kNan, 1, kNan}, {1, kNan, kNan},
      {kNan, kInf, kNan}, {kInf, kNan, kNan}, {kNan, kNan, kNan}, {0, kNan, kNan}, {kNan, 0, kNan},
  };
  // clang-format on
  for (const auto& c : cases) {
    const float above = call(rows::atan2, c.y, c.x);
    const float below = call(rows::atan2, -c.y, c.x);
    EXPECT_TRUE(same(above, c.angle)) << "atan2(" << c.y << ", " << c.x << ") is " << above;
    EXPECT_TRUE(same(below, -c.angle)) << "atan2(" << -c.y << ", " << c.x << ") is " << below;
  }
}

// --- Accuracy.

// The error of y in ulps of the true value v (of max(1, |v|) for lgamma); infinite y are 2^128.
double ulp_error(float y, mpfr_srcptr v, bool at_least_one) {
  if (y != y || mpfr_nan_p(v)) return (y != y) == (mpfr_nan_p(v) != 0) ? 0 : HUGE_VAL;
  if (std::signbit(y) != (mpfr_signbit(v) != 0)) return HUGE_VAL;
  const auto clip = [](double d) { return std::fmax(std::fmin(d, 0x1p128), -0x1p128); };
  const double value = clip(mpfr_get_d(v, MPFR_RNDN));  // 2^-29 ulp away: enough here
  const double size = at_least_one ? std::fmax(1, std::abs(value)) : std::abs(value);
  const int exponent = size > 0 ? std::min(std::max(std::ilogb(size), -126), 127) : -126;
  return std::abs(clip(y) - value) / std::ldexp(1.0, exponent - 23);
}

// What the full campaigns found (docs/numerics-float32.md), rounded up.
constexpr double kLargestError = 0.95;

class Real {
 public:
  Real() { mpfr_init2(v, 60); }
  ~Real() { mpfr_clear(v); }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;
  mpfr_t v;
};

void expect_accurate(const UnaryFunction& f, const std::vector<float>& x) {
  std::vector<float> y(x.size());
  f.row(x.data(), y.data(), x.size());
  Real argument, value;
  const bool at_least_one = f.row == static_cast<Unary>(rows::lgamma);
  for (std::size_t i = 0; i < x.size(); ++i) {
    mpfr_set_flt(argument.v, x[i], MPFR_RNDN);
    f.exact(value.v, argument.v, MPFR_RNDN);
    const double error = ulp_error(y[i], value.v, at_least_one);
    ASSERT_LE(error, kLargestError) << f.name << "(" << std::hexfloat << x[i] << ") is " << y[i]
                                    << ", off by " << std::defaultfloat << error << " ulp";
  }
}

bool slow(const UnaryFunction& f) {  // in MPFR
  return f.exact == mpfr_tgamma || f.exact == exact_lgamma || f.exact == mpfr_erfc;
}

TEST(Float32, UnaryFunctionsAreAccurate) {
  for (const UnaryFunction& f : kUnary) {
    const std::uint64_t stride = slow(f) ? 0x200003 : 0x20001;
    std::vector<float> x;
    for (std::uint64_t b = 0; b < std::uint64_t{1} << 32; b += stride) {
      x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(b)));
    }
    expect_accurate(f, x);
  }
}

TEST(Float32, UnaryFunctionsAreAccurateAtOrdinaryArguments) {
  for (const UnaryFunction& f : kUnary) {
    std::vector<float> x;
    const int n = slow(f) ? 500 : 4000;
    for (int i = -n; i <= n; ++i) {
      x.push_back(static_cast<float>(i) * 1.3f / static_cast<float>(n));
      x.push_back(static_cast<float>(i) * 110.7f / static_cast<float>(n));
    }
    expect_accurate(f, x);
  }
}

TEST(Float32, TrigonometryIsAccurateNextToQuarterTurns) {
  for (const UnaryFunction& f : kUnary) {
    if (f.exact != mpfr_sin && f.exact != mpfr_cos && f.exact != mpfr_tan) continue;
    // The last: among the closest of all float32 to a multiple of pi/2.
    std::vector<float> x = {0x1.921fb6p0f,  0x1.921fb4p0f,   kPi,           kMax, 0x1.f37a88p-1f,
                            0x1.6bcdf8p79f, 0x1.ddae56p115f, 0x1.88b844p40f};
    for (int k = 1; k < 4000; ++k) x.push_back(static_cast<float>(k * 1.5707963267948966));
    expect_accurate(f, x);
  }
}

// Pairs over all encodings and, every second one, with an ordinary result.
std::vector<std::pair<float, float>> pairs(bool is_pow) {
  std::vector<std::pair<float, float>> list;
  std::uint64_t state = 1;
  const auto next = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state >> 32);
  };
  for (int i = 0; i < 1 << 16; ++i) {
    float a = std::bit_cast<float>(next());
    float b = std::bit_cast<float>(next());
    if (i % 2 == 1) {
      const double unit = next() * 0x1p-32;
      if (is_pow) {
        if (i % 4 == 1) a = static_cast<float>(0.5 + 1.5 * next() * 0x1p-32);
        a = std::abs(a);
        b = static_cast<float>((unit * 300 - 160) / std::log2(static_cast<double>(a)));
      } else {
        b = static_cast<float>(a * std::exp2(unit * 300 - 150)) * (i % 4 == 1 ? 1.0f : -1.0f);
      }
    }
    list.emplace_back(a, b);
  }
  return list;
}

TEST(Float32, BinaryFunctionsAreAccurate) {
  Real a, b, value;
  for (const BinaryFunction& f : kBinary) {
    for (const auto& [x, y] : pairs(f.exact == mpfr_pow)) {
      mpfr_set_flt(a.v, x, MPFR_RNDN);
      mpfr_set_flt(b.v, y, MPFR_RNDN);
      f.exact(value.v, a.v, b.v, MPFR_RNDN);
      const double error = ulp_error(call(f.row, x, y), value.v, false);
      ASSERT_LE(error, kLargestError) << f.name << "(" << std::hexfloat << x << ", " << y
                                      << ") is off by " << std::defaultfloat << error << " ulp";
    }
  }
}

// --- One body, the same bits everywhere.

TEST(Float32, RowsAloneAndStrictNumbersAgree) {
  const std::uint64_t step = testing::is_thorough() ? 0x40003 : 0x100003;
  for (const UnaryFunction& f : kUnary) {
    std::vector<float> x;
    for (std::uint64_t b = 0; b < std::uint64_t{1} << 32; b += step) {
      x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(b)));
    }
    for (int i = -3000; i <= 3000; ++i) x.push_back(static_cast<float>(i) * 0.0371f);
    std::vector<float> y(x.size());
    f.row(x.data(), y.data(), x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_TRUE(same(f.alone(x[i]), y[i])) << f.name << " at " << x[i];
      ASSERT_TRUE(same(f.strict(x[i]), y[i])) << f.name << " at " << x[i];
    }
    f.row(x.data(), x.data(), x.size());  // in place
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_TRUE(same(x[i], y[i])) << f.name;
  }
  for (const BinaryFunction& f : kBinary) {
    for (const auto& [a, b] : pairs(f.exact == mpfr_pow)) {
      ASSERT_TRUE(same(f.alone(a, b), call(f.row, a, b))) << f.name << " at " << a << ", " << b;
      ASSERT_TRUE(same(f.strict(a, b), call(f.row, a, b))) << f.name << " at " << a << ", " << b;
    }
  }
}

}  // namespace
}  // namespace lathe
