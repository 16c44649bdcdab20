// SPDX-License-Identifier: Apache-2.0
#pragma once
// What measure_float64 and the unit test share: for every float64 function its row, MPFR's function
// as the truth, where its arguments are interesting, and the error of a result in ulps of the
// truth.

#include <gmp.h>
#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "elementary/native.h"

namespace lathe::reference {

using Unary = void (*)(const double*, double*, std::size_t);
using Binary = void (*)(const double*, const double*, double*, std::size_t);
using Truth = int (*)(mpfr_t, const mpfr_t, mpfr_rnd_t);
using BinaryTruth = int (*)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
using Quick = long double (*)(long double);
using BinaryQuick = long double (*)(long double, long double);

struct Interval {
  double low, high;
};

struct Function {
  std::string name;
  double bound;         // ulps
  Unary row = nullptr;  // either these two
  Truth truth = nullptr;
  Binary binary_row = nullptr;  // or these
  BinaryTruth binary_truth = nullptr;
  int least_exponent = 0, most_exponent = 0;  // of |x|, where the result is not trivial
  bool negative = false;                      // the domain has both signs
  std::vector<Interval> intervals = {};       // arguments uniform in each
  std::vector<double> points = {};            // arguments a few ulps around each
  bool absolute_below_one = false;            // ulps of max(1, |truth|)
  Quick quick = nullptr;  // the C library's, a thousand times nearer than float64, for screening
  BinaryQuick binary_quick = nullptr;
};

inline int truth_lgamma(mpfr_t y, const mpfr_t x, mpfr_rnd_t mode) {
  int sign;
  return mpfr_lgamma(y, &sign, x, mode);
}

inline std::vector<Function> make_functions() {
  constexpr double kPi = 3.14159265358979323846, kLog2 = 0.693147180559945309417;
  constexpr double kHuge = std::numeric_limits<double>::max();
  std::vector<double> steps, log_edges, angles, eighths, thirds, integers;
  for (int i = -70; i <= 70; ++i) steps.push_back((i + 0.5) * kLog2 / 64);
  for (int i = -1074; i <= 1024; i += 7) steps.push_back(i * kLog2);
  for (int i = 0; i < 128; ++i)
    log_edges.push_back(
        std::bit_cast<double>(INT64_C(0x3fe6000000000000) + (static_cast<std::int64_t>(i) << 45)));
  for (double scale : {1.0, 0x1p-1022, 0x1p1023, 0.5, 2.0}) log_edges.push_back(scale);
  for (int i = 1; i < 200; ++i) angles.push_back(i * kPi / 4);
  for (int e = 10; e < 60; ++e) angles.push_back(std::ldexp(1.0, e));
  for (int i = 0; i < 17; ++i) {
    eighths.push_back(i / 16.0);
    if (i != 0) eighths.push_back(16.0 / i);
  }
  for (int e = -1074; e < 1024; e += 5) thirds.push_back(std::ldexp(1.0, e));
  for (int i = -185; i <= 172; ++i) integers.push_back(i);
  std::vector<double> gamma_points = integers;
  for (double x : {171.62437695630272, 0x1p-60, -0x1p-60, 0x1p-1024, 1.0, 2.0, 8.0, 0.5, -0.25})
    gamma_points.push_back(x);
  std::vector<double> lgamma_points = gamma_points;
  // Zeros of lgamma, and its overflow.
  for (double x :
       {-2.4570247382208006, -2.7476826467274127, -3.1435808883499801, -3.9552942848585980,
        -4.0393618397405369, -4.9915446405600477, -5.0082181683225935, -5.9986074800808756,
        -6.0013852944531551, -6.9998015078906377, 2.5563481638716906e305, 0x1p60, 0x1p52})
    lgamma_points.push_back(x);
  std::vector<double> sine_edges = {1.0, -1.0, 0.5, -0.5, 0x1p-30, 0.70710678118654752};
  for (int i = 0; i < 9; ++i) sine_edges.push_back(std::sin(std::atan(i / 16.0)));

  using namespace elementary;
#define UNARY(name) #name, 1, rows::name, mpfr_##name, nullptr, nullptr
  std::vector<Function> list = {
      {UNARY(exp), -60, 10, true, {{-1, 1}, {-746, 710}, {-746, -708}, {709, 710}}, steps},
      {UNARY(exp2),
       -60,
       11,
       true,
       {{-1, 1}, {-1076, 1025}, {-1075, -1021}, {1023, 1024}},
       {-1075, -1074, -1022, 1023, 1024, 1 / 128.0, 3 / 128.0, -1 / 128.0}},
      {UNARY(expm1),
       -1074,
       10,
       true,
       {{-1, 1}, {-0.07, 0.07}, {-40, 710}, {-37, -36}, {709, 710}},
       [&] {
         auto v = steps;
         v.push_back(0x1p-4);
         v.push_back(-0x1p-4);
         return v;
       }()},
      {UNARY(log), -1074, 1024, false, {{0.5, 2}, {0.99, 1.01}, {0, 100}}, log_edges},
      {UNARY(log2), -1074, 1024, false, {{0.5, 2}, {0.99, 1.01}, {0, 100}}, log_edges},
      {UNARY(log10), -1074, 1024, false, {{0.5, 2}, {0.99, 1.01}, {0, 100}}, log_edges},
      {UNARY(log1p),
       -1074,
       1024,
       true,
       {{-1, 1}, {-0.01, 0.01}, {-1, -0.99}, {0, 100}},
       [&] {
         auto v = log_edges;
         for (double& x : v)
           if (x < 2) x -= 1;
         v.push_back(0x1p-60);
         return v;
       }()},
      {UNARY(sin),
       -1074,
       1024,
       true,
       {{-4, 4}, {-100, 100}, {-1e6, 1e6}, {-0x1p28, 0x1p28}},
       angles},
      {UNARY(cos),
       -1074,
       1024,
       true,
       {{-4, 4}, {-100, 100}, {-1e6, 1e6}, {-0x1p28, 0x1p28}},
       angles},
      {UNARY(tan),
       -1074,
       1024,
       true,
       {{-4, 4}, {-100, 100}, {-1e6, 1e6}, {-0x1p28, 0x1p28}},
       angles},
      {UNARY(asin), -1074, 0, true, {{-1, 1}, {0.99, 1}, {-0.1, 0.1}}, sine_edges},
      {UNARY(acos), -1074, 0, true, {{-1, 1}, {0.99, 1}, {-1, -0.99}, {-0.1, 0.1}}, sine_edges},
      {UNARY(atan), -1074, 1024, true, {{-1, 1}, {-20, 20}, {-0.07, 0.07}}, eighths},
      {UNARY(sinh),
       -1074,
       10,
       true,
       {{-1, 1}, {-0.31, 0.31}, {-711, 711}, {709, 711}},
       [&] {
         auto v = steps;
         v.push_back(0.3);
         v.push_back(710.4758600739439);
         return v;
       }()},
      {UNARY(cosh),
       -1074,
       10,
       true,
       {{-1, 1}, {-20, 20}, {-711, 711}, {709, 711}},
       [&] {
         auto v = steps;
         v.push_back(710.4758600739439);
         return v;
       }()},
      {UNARY(tanh),
       -1074,
       5,
       true,
       {{-1, 1}, {-0.26, 0.26}, {-20, 20}},
       [&] {
         auto v = steps;
         v.push_back(0.25);
         v.push_back(-0.25);
         v.push_back(19.06);
         return v;
       }()},
      {UNARY(asinh),
       -1074,
       1024,
       true,
       {{-1, 1}, {-20, 20}, {-0.01, 0.01}},
       {0x1p-20, -0x1p-20, 0x1p60, 0x1p26, 0x1p53, kHuge}},
      {UNARY(acosh),
       0,
       1024,
       false,
       {{1, 2}, {1, 1.001}, {1, 100}},
       {1, 1 + 0x1p-20, 0x1p60, kHuge}},
      {UNARY(atanh),
       -1074,
       0,
       true,
       {{-1, 1}, {-0.01, 0.01}, {0.99, 1}},
       {0x1p-20, -0x1p-20, 1, -1}},
      {UNARY(cbrt), -1074, 1024, true, {{-1, 1}, {1, 8}}, thirds},
      {"rsqrt",
       1,
       rows::rsqrt,
       mpfr_rec_sqrt,
       nullptr,
       nullptr,
       -1074,
       1024,
       false,
       {{0, 1}, {1, 4}},
       thirds},
      {"erf",
       4,
       rows::erf,
       mpfr_erf,
       nullptr,
       nullptr,
       -1074,
       3,
       true,
       {{-1, 1}, {-6, 6}, {0.7, 0.8}},
       {0.75, -0.75, 5.9, 0}},
      {"erfc",
       4,
       rows::erfc,
       mpfr_erfc,
       nullptr,
       nullptr,
       -60,
       5,
       true,
       {{-1, 1}, {-6, 28}, {0.7, 0.8}, {26, 27.5}},
       {0.75, -0.75, 26.54, 27.22, 0}},
      {"tgamma",
       4,
       rows::tgamma,
       mpfr_gamma,
       nullptr,
       nullptr,
       -1024,
       8,
       true,
       {{-1, 1}, {0, 10}, {-10, 0}, {-185, 172}, {170, 172}, {-184, -170}},
       gamma_points},
      {"lgamma",
       4,
       rows::lgamma,
       truth_lgamma,
       nullptr,
       nullptr,
       -1074,
       1016,
       true,
       {{-1, 1}, {0, 10}, {-10, 0}, {-185, 172}, {0.9, 2.1}, {-4, -2}},
       lgamma_points,
       true},
      {"atan2", 1, nullptr, nullptr, rows::atan2, mpfr_atan2},
      {"pow", 1, nullptr, nullptr, rows::pow, mpfr_pow},
  };
#undef UNARY
  for (Function& f : list) {
#define QUICK(function) \
  if (f.name == #function) f.quick = ::function##l;
    QUICK(exp)
    QUICK(exp2)
    QUICK(expm1)
    QUICK(log)
    QUICK(log2)
    QUICK(log10)
    QUICK(log1p)
    QUICK(sin)
    QUICK(cos)
    QUICK(tan)
    QUICK(asin)
    QUICK(acos)
    QUICK(atan)
    QUICK(sinh)
    QUICK(cosh)
    QUICK(tanh)
    QUICK(asinh)
    QUICK(acosh)
    QUICK(atanh)
    QUICK(cbrt)
    QUICK(erf)
    QUICK(erfc)
    QUICK(tgamma)
#undef QUICK
    if (f.name == "rsqrt") f.quick = [](long double x) { return 1 / ::sqrtl(x); };
    if (f.name == "lgamma")
      f.quick = [](long double x) {
        int sign;
        return ::lgammal_r(x, &sign);
      };
    if (f.name == "atan2") f.binary_quick = ::atan2l;
    if (f.name == "pow") f.binary_quick = ::powl;
  }
  return list;
}

inline const std::vector<Function>& functions() {
  static const std::vector<Function> list = make_functions();
  return list;
}

// splitmix64: the same arguments on every machine.
struct Random {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  std::uint64_t below(std::uint64_t n) { return next() % n; }
  double uniform(Interval in) { return in.low + (in.high - in.low) * unit(); }
  // Uniform in the exponent, from 2^least to 2^most; below 2^-1022 with fewer bits.
  double log_uniform(int least, int most, bool signs) {
    auto span = static_cast<std::uint64_t>(most - least);
    int exponent = least + static_cast<int>(below(span == 0 ? 1 : span));
    double x = std::ldexp(1 + unit(), exponent);
    return signs && (next() & 1) ? -x : x;
  }
};

// x moved by some units in the last place.
inline double neighbour(double x, std::int64_t steps) {
  double moved =
      std::bit_cast<double>(std::bit_cast<std::int64_t>(x) + (x == 0 ? std::abs(steps) : steps));
  return std::isfinite(moved) ? moved : x;
}

// Arguments q * 2^e, q < 2^53, nearest to multiples of pi/2: q the denominators of the continued
// fraction of 2^e * 2/pi, the larger ones, for every exponent e.
inline const std::vector<double>& near_quadrants() {
  static const std::vector<double> list = [] {
    std::vector<double> found;
    mpfr_t inverse;
    mpz_t top, bottom, digit, rest, q0, q1, q2;
    mpfr_init2(inverse, 2600);
    mpz_inits(top, bottom, digit, rest, q0, q1, q2, nullptr);
    mpfr_const_pi(inverse, MPFR_RNDN);
    mpfr_ui_div(inverse, 2, inverse, MPFR_RNDN);
    mpfr_mul_2si(inverse, inverse, 2400, MPFR_RNDN);
    for (int e = -52; e <= 970; ++e) {
      mpfr_get_z(top, inverse, MPFR_RNDN);
      mpz_set_ui(bottom, 1);
      mpz_mul_2exp(bottom, bottom, static_cast<mp_bitcnt_t>(2400 - e));
      mpz_fdiv_r(top, top, bottom);
      mpz_set_ui(q0, 0);
      mpz_set_ui(q1, 1);
      while (mpz_sgn(top) != 0) {
        mpz_fdiv_qr(digit, rest, bottom, top);
        mpz_set(bottom, top);
        mpz_set(top, rest);
        mpz_mul(q2, digit, q1);
        mpz_add(q2, q2, q0);
        mpz_swap(q0, q1);
        mpz_swap(q1, q2);
        if (mpz_sizeinbase(q1, 2) > 53) break;
        if (mpz_sizeinbase(q1, 2) > 44) found.push_back(std::ldexp(mpz_get_d(q1), e));
      }
    }
    mpz_clears(top, bottom, digit, rest, q0, q1, q2, nullptr);
    mpfr_clear(inverse);
    return found;
  }();
  return list;
}

inline double unary_argument(const Function& f, Random& random) {
  std::uint64_t kind = random.below(20);
  if (kind == 0) return random.log_uniform(-1074, 1024, f.negative);
  if (kind < 8) return random.log_uniform(f.least_exponent, f.most_exponent, f.negative);
  bool trig = f.name == "sin" || f.name == "cos" || f.name == "tan";
  if (trig && kind < 11) {
    const auto& near = near_quadrants();
    double x = near[random.below(near.size())];
    return neighbour(x, static_cast<std::int64_t>(random.below(3)) - 1);
  }
  if (kind < 16) return random.uniform(f.intervals[random.below(f.intervals.size())]);
  double point = f.points[random.below(f.points.size())];
  std::int64_t reach = (INT64_C(1) << random.below(40)) + 1;
  auto steps =
      static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(2 * reach + 1))) - reach;
  return neighbour(point, steps);
}

inline void binary_argument(const Function& f, Random& random, double& a, double& b) {
  std::uint64_t kind = random.below(8);
  if (f.name == "atan2") {
    if (kind < 2) {
      a = random.log_uniform(-1074, 1024, true);
      b = random.log_uniform(-1074, 1024, true);
    } else if (kind < 5) {  // comparable sizes, at any scale
      int e = static_cast<int>(random.below(2000)) - 1010;
      a = std::ldexp(random.uniform({-4, 4}), e);
      b = std::ldexp(random.uniform({-4, 4}), e);
    } else if (kind == 5) {  // around the table's edges
      b = random.log_uniform(-300, 300, true);
      a = neighbour(b * (static_cast<double>(random.below(17)) / 16),
                    static_cast<std::int64_t>(random.below(2000)) - 1000);
      if (random.next() & 1) std::swap(a, b);
    } else {  // ratios near 2^-30, results near the least normal number
      b = random.log_uniform(-100, 1000, true);
      a = b * random.log_uniform(kind == 6 ? -40 : -1070, kind == 6 ? 0 : -1000, true);
    }
    return;
  }
  if (kind == 0) {
    a = random.log_uniform(-1074, 1024, false);
    b = random.log_uniform(-60, 60, true);
  } else if (kind < 3) {  // any base, results over the whole range
    a = random.log_uniform(-1074, 1024, false);
    b = random.uniform({-746, 710}) / std::log(a);
  } else if (kind < 5) {  // bases near 1, large exponents
    a = 1 + random.log_uniform(-52, -1, true);
    b = random.uniform({-746, 710}) / std::log(a);
  } else if (kind == 5) {  // ordinary numbers
    a = random.uniform({0, 10});
    b = random.uniform({-20, 20});
  } else if (kind == 6) {  // whole exponents, negative bases
    a = random.uniform({-10, 10});
    b = std::floor(random.uniform({-300, 300}));
  } else {  // overflow and underflow
    a = random.log_uniform(-1074, 1024, false);
    double edge = random.next() & 1 ? 709.78 : random.uniform({-745.2, -708});
    b = edge / std::log(a) * (1 + random.log_uniform(-50, -10, true));
  }
}

// Computes truths; one per thread.
class Judge {
 public:
  Judge() {
    mpfr_inits2(53, x_, y_, nullptr);
    mpfr_inits2(88, truth_, gap_, nullptr);
  }
  ~Judge() { mpfr_clears(x_, y_, truth_, gap_, nullptr); }
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  // |result - truth| in ulps of the truth; a wrong NaN, infinity or sign of zero counts as
  // infinite.
  double error(const Function& f, double a, double b, double result) {
    mpfr_set_d(x_, a, MPFR_RNDN);
    if (f.truth != nullptr) {
      f.truth(truth_, x_, MPFR_RNDN);
    } else {
      mpfr_set_d(y_, b, MPFR_RNDN);
      f.binary_truth(truth_, x_, y_, MPFR_RNDN);
    }
    constexpr double kWrong = std::numeric_limits<double>::infinity();
    if (mpfr_nan_p(truth_)) return std::isnan(result) ? 0 : kWrong;
    if (std::isnan(result)) return kWrong;
    if (!std::isfinite(result) || mpfr_inf_p(truth_))
      return mpfr_get_d(truth_, MPFR_RNDN) == result ? 0 : kWrong;
    if (mpfr_zero_p(truth_))
      return result == 0 && std::signbit(result) == (mpfr_signbit(truth_) != 0) ? 0 : kWrong;
    if (result == 0 && std::signbit(result) != (mpfr_signbit(truth_) != 0)) return kWrong;
    long exponent = mpfr_get_exp(truth_);
    if (f.absolute_below_one && exponent < 1) exponent = 1;
    long ulp = exponent - 53 < -1074 ? -1074 : exponent - 53;
    mpfr_sub_d(gap_, truth_, result, MPFR_RNDN);
    mpfr_mul_2si(gap_, gap_, -ulp, MPFR_RNDN);
    return std::fabs(mpfr_get_d(gap_, MPFR_RNDN));
  }

  // The same against the C library's long double: off by less than kScreen. Infinite where that
  // library cannot say.
  static constexpr double kScreen = 0.02;
  static double quick_error(const Function& f, double a, double b, double result) {
    long double y = f.quick != nullptr ? f.quick(a) : f.binary_quick(a, b);
    if (!std::isfinite(y) || y == 0 || !std::isfinite(result) || result == 0)
      return std::numeric_limits<double>::infinity();
    int exponent = std::ilogb(y) + 1;
    if (f.absolute_below_one) exponent = std::max(exponent, 1);
    int ulp = std::max(exponent - 53, -1074);
    return static_cast<double>(std::fabs(std::ldexp(y - result, -ulp)));
  }

 private:
  mpfr_t x_, y_, truth_, gap_;
};

struct Worst {
  double error = 0, a = 0, b = 0, result = 0;
  std::uint64_t points = 0;
};

// The worst of `points` random arguments. Screened, MPFR only sees those that may be a new worst.
inline Worst measure(const Function& f, std::uint64_t points, std::uint64_t seed, bool screened) {
  constexpr std::size_t kRow = 1024;
  std::vector<double> a(kRow), b(kRow), y(kRow);
  Random random{seed};
  Judge judge;
  Worst worst;
  for (std::uint64_t done = 0; done < points; done += kRow) {
    for (std::size_t i = 0; i < kRow; ++i) {
      if (f.row != nullptr)
        a[i] = unary_argument(f, random);
      else
        binary_argument(f, random, a[i], b[i]);
    }
    if (f.row != nullptr)
      f.row(a.data(), y.data(), kRow);
    else
      f.binary_row(a.data(), b.data(), y.data(), kRow);
    for (std::size_t i = 0; i < kRow; ++i) {
      if (screened && Judge::quick_error(f, a[i], b[i], y[i]) + Judge::kScreen < worst.error)
        continue;
      double error = judge.error(f, a[i], b[i], y[i]);
      if (!(error <= worst.error)) worst = {error, a[i], b[i], y[i], 0};
    }
    worst.points = done + kRow;
  }
  return worst;
}

}  // namespace lathe::reference
