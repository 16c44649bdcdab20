// SPDX-License-Identifier: Apache-2.0
// measure_float32: the largest error of the float32 elementary functions, over all 2^32 arguments.
//
//   measure_float32 [function...] [--stride N] [--threads N] [--json]
//
// Unary functions see every encoding (or every Nth); pow and atan2 see 2^32 / N pseudo-random
// pairs, half of them chosen where the result is an ordinary number. Each result is compared with
// the float64 function of the same name, which is wrong by at most 4 ulp of float64, 2^-27 ulp of
// float32. Where that could decide - a new largest error, or a result next to a rounding boundary -
// MPFR computes the value instead. Errors are in ulps of the true result (lgamma: of max(1, |y|));
// an infinite result counts as 2^128; a wrong NaN or a wrong sign, also of a zero, counts as
// infinitely wrong. A run of equal results (1, infinity, NaN), or of results equal to the argument,
// of a monotone function is decided by its two ends.

#include <mpfr.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "elementary/native.h"
#include "elementary/row_clones.h"

namespace {

namespace rows = lathe::elementary::rows;

constexpr double kMargin = 0x1p-24;  // how far from the truth float64 may put an error, in ulps
constexpr std::size_t kChunk = 1 << 13;
constexpr std::size_t kBlock = 256;

#ifdef LATHE_MEASURE_LIBM  // the platform's float64 as reference
namespace reference {
#define DEFINE(name)                                         \
  void name(const double* x, double* y, std::size_t n) {     \
    for (std::size_t i = 0; i < n; ++i) y[i] = ::name(x[i]); \
  }
DEFINE(exp)
DEFINE(exp2)
DEFINE(expm1)
DEFINE(log)
DEFINE(log2)
DEFINE(log10)
DEFINE(log1p)
DEFINE(sin)
DEFINE(cos)
DEFINE(tan)
DEFINE(asin)
DEFINE(acos)
DEFINE(atan)
DEFINE(sinh)
DEFINE(cosh)
DEFINE(tanh)
DEFINE(asinh)
DEFINE(acosh)
DEFINE(atanh)
DEFINE(cbrt)
DEFINE(erf)
DEFINE(erfc)
DEFINE(tgamma)
DEFINE(lgamma)
#undef DEFINE
void rsqrt(const double* x, double* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = 1 / std::sqrt(x[i]);
}
void atan2(const double* a, const double* b, double* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = ::atan2(a[i], b[i]);
}
void pow(const double* a, const double* b, double* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = ::pow(a[i], b[i]);
}
}  // namespace reference
#else
namespace reference = lathe::elementary::rows;
#endif

using Unary32 = void (*)(const float*, float*, std::size_t);
using Unary64 = void (*)(const double*, double*, std::size_t);
using Binary32 = void (*)(const float*, const float*, float*, std::size_t);
using Binary64 = void (*)(const double*, const double*, double*, std::size_t);
using Exact1 = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using Exact2 = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

int exact_lgamma(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t mode) {
  int sign = 0;
  return mpfr_lgamma(y, &sign, x, mode);
}

// Where a function f and the ratio f(x)/x are monotone in |x|, on each side of 0.
enum class Monotone { Nowhere, BelowOne, Everywhere };

struct Function {
  const char* name;
  Unary32 f32 = nullptr;
  Unary64 f64 = nullptr;
  Exact1 exact = nullptr;
  Binary32 binary32 = nullptr;
  Binary64 binary64 = nullptr;
  Exact2 exact2 = nullptr;
  Monotone monotone = Monotone::Nowhere;
};

Function unary(const char* name, Unary32 f32, Unary64 f64, Exact1 exact, Monotone monotone) {
  return {name, f32, f64, exact, nullptr, nullptr, nullptr, monotone};
}
Function binary(const char* name, Binary32 f32, Binary64 f64, Exact2 exact) {
  return {name, nullptr, nullptr, nullptr, f32, f64, exact, Monotone::Nowhere};
}

#define UNARY_AS(name, exact, where) \
  unary(#name, rows::name, reference::name, exact, Monotone::where)
#define UNARY(name) UNARY_AS(name, mpfr_##name, Everywhere)
#define PERIODIC(name) UNARY_AS(name, mpfr_##name, BelowOne)
#define BINARY(name) binary(#name, rows::name, reference::name, mpfr_##name)
const Function kFunctions[] = {
    UNARY(exp),
    UNARY(exp2),
    UNARY(expm1),
    UNARY(log),
    UNARY(log2),
    UNARY(log10),
    UNARY(log1p),
    PERIODIC(sin),
    PERIODIC(cos),
    PERIODIC(tan),
    UNARY(asin),
    UNARY(acos),
    UNARY(atan),
    UNARY(sinh),
    UNARY(cosh),
    UNARY(tanh),
    UNARY(asinh),
    UNARY(acosh),
    UNARY(atanh),
    UNARY(cbrt),
    UNARY_AS(rsqrt, mpfr_rec_sqrt, Everywhere),
    UNARY(erf),
    UNARY(erfc),
    UNARY_AS(tgamma, mpfr_gamma, Nowhere),
    UNARY_AS(lgamma, exact_lgamma, Nowhere),
    BINARY(atan2),
    BINARY(pow),
};
#define ONE(name) +1
static_assert(std::size(kFunctions) == 0 LATHE_UNARY_FUNCTIONS(ONE) LATHE_BINARY_FUNCTIONS(ONE),
              "every function of elementary/native.h is measured");
#undef ONE
#undef BINARY
#undef PERIODIC
#undef UNARY
#undef UNARY_AS

struct Found {
  double error = -1;  // largest so far, in ulps
  float a = 0, b = 0;
  float result = 0;
  std::uint64_t misrounded = 0, count = 0;
};

double clip(double v) { return v > 0x1p128 ? 0x1p128 : v < -0x1p128 ? -0x1p128 : v; }

// How many float32 ulps at v (at max(1, |v|) for lgamma) make 1, for clipped v.
double ulps_in_one(double v, bool at_least_one) {
  const std::int64_t lowest = at_least_one ? 1023 : 1023 - 126;
  std::int64_t biased = (std::bit_cast<std::int64_t>(v) >> 52) & 0x7ff;
  biased = biased < lowest ? lowest : biased;
  biased = biased > 1023 + 127 ? 1023 + 127 : biased;
  return std::bit_cast<double>((2 * 1023 + 23 - biased) << 52);
}

// The errors of y against v, in ulps; a plain loop, since nearly all of them end here.
LATHE_ROW_CLONES void ulp_errors(const float* y, const double* v, bool at_least_one, double* error,
                                 std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const double y64 = y[i];
    const double value = clip(v[i]);
    const double e = std::abs(clip(y64) - value) * ulps_in_one(value, at_least_one);
    const bool other_sign =
        (std::bit_cast<std::int64_t>(y64) ^ std::bit_cast<std::int64_t>(v[i])) < 0;
    const bool y_nan = y64 != y64, v_nan = v[i] != v[i];
    const bool wrong = (y_nan != v_nan) | (other_sign & !v_nan);
    error[i] = wrong ? std::numeric_limits<double>::infinity() : v_nan ? 0 : e;
  }
}

// How many y are not v rounded to float32.
LATHE_ROW_CLONES std::uint64_t count_misrounded(const float* y, const double* v, std::size_t n) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const float nearest = static_cast<float>(v[i]);
    count += (nearest != y[i]) & ((nearest == nearest) | (y[i] == y[i]));
  }
  return count;
}

LATHE_ROW_CLONES double largest(const double* error, std::size_t n) {
  double m = 0;
  for (std::size_t i = 0; i < n; ++i) m = m > error[i] ? m : error[i];
  return m;
}

bool all_equal(const float* y, std::size_t n) {
  return (y[0] == y[0] && std::memcmp(y, y + 1, (n - 1) * sizeof *y) == 0) ||
         std::all_of(y, y + n, [](float v) { return v != v; });
}

// One thread's comparison of one function.
class Comparison {
 public:
  Comparison(const Function& f, bool at_least_one) : f_(f), at_least_one_(at_least_one) {
    mpfr_inits2(160, x_, y_, v_, nullptr);
  }
  ~Comparison() { mpfr_clears(x_, y_, v_, nullptr); }
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;

  void add(const float* a, const float* b, const float* y, const double* v, std::size_t n) {
    found.count += n;
    ulp_errors(y, v, at_least_one_, errors_.data(), n);
    found.misrounded += count_misrounded(y, v, n);
    for (std::size_t begin = 0; begin < n; begin += kBlock) {
      const std::size_t end = std::min(n, begin + kBlock);
      if (needs_a_look(largest(errors_.data() + begin, end - begin))) look(a, b, y, v, begin, end);
    }
  }

  // A chunk of one sign, ascending in |x|, that its two ends decide because f (or f(x)/x) is
  // monotone: all results must be one constant, or x itself.
  bool add_by_its_ends(const float* a, const float* y, std::size_t n) {
    const bool applies = f_.monotone == Monotone::Everywhere ||
                         (f_.monotone == Monotone::BelowOne && std::abs(a[n - 1]) < 1);
    if (!applies || n < 2 || std::signbit(a[0]) != std::signbit(a[n - 1])) return false;
    const bool constant = all_equal(y, n), identity = std::memcmp(a, y, n * sizeof *y) == 0;
    if (!constant && !identity) return false;
    const float x_ends[] = {a[0], a[n - 1]}, y_ends[] = {y[0], y[n - 1]};
    const double x64[] = {a[0], a[n - 1]};
    double v[2], error[2];
    f_.f64(x64, v, 2);
    ulp_errors(y_ends, v, false, error, 2);
    const double bound = constant ? 0.49 : 0x1p-20;
    if (!(error[0] < bound && error[1] < bound)) return false;
    found.count += n;
    for (int i = 0; i < 2; ++i) {
      if (error[i] > found.error) {
        found.error = error[i];
        found.a = x_ends[i], found.result = y_ends[i];
      }
    }
    return true;
  }

  Found found;

 private:
  // Below this nothing is misrounded, nor the largest error once that is above 1/2.
  bool needs_a_look(double error) const { return !(error < 0.5 - kMargin && error <= found.error); }

  void look(const float* a, const float* b, const float* y, const double* v, std::size_t begin,
            std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      double error = errors_[i];
      if (!needs_a_look(error)) continue;
      const bool finite = error < std::numeric_limits<double>::infinity();
      const bool boundary = error > 0.5 - kMargin && error < 0.5 + kMargin;
      if (boundary || (finite && error > std::max(found.error - kMargin, 0.5))) {
        found.misrounded -= static_cast<float>(v[i]) != y[i];
        found.misrounded += decide(a[i], b[i], y[i], error);
      }
      if (error > found.error) {
        found.error = error;
        found.a = a[i], found.b = b[i], found.result = y[i];
      }
    }
  }

  // The exact error, and whether y is not the nearest float.
  bool decide(float a, float b, float y, double& error) {
    mpfr_set_flt(x_, a, MPFR_RNDN);
    if (f_.exact != nullptr) {
      f_.exact(v_, x_, MPFR_RNDN);
    } else {
      mpfr_set_flt(y_, b, MPFR_RNDN);
      f_.exact2(v_, x_, y_, MPFR_RNDN);
    }
    const double v = clip(mpfr_get_d(v_, MPFR_RNDN));
    if (std::abs(v) < 0x1p128) {
      mpfr_set_d(y_, clip(y), MPFR_RNDN);
      mpfr_sub(y_, y_, v_, MPFR_RNDN);
      mpfr_mul_d(y_, y_, ulps_in_one(v, at_least_one_), MPFR_RNDN);
      error = std::abs(mpfr_get_d(y_, MPFR_RNDN));
    } else {
      error = std::abs(clip(y) - v) * 0x1p-104;
    }
    return at_least_one_ ? static_cast<float>(v) != y : error > 0.5;
  }

  const Function& f_;
  const bool at_least_one_;
  mpfr_t x_, y_, v_;
  std::vector<double> errors_ = std::vector<double>(kChunk);
};

std::uint64_t mix(std::uint64_t i) {  // a bijection that looks random
  i = (i + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  i = (i ^ (i >> 27)) * 0x94d049bb133111ebu;
  return i ^ (i >> 31);
}

float any_float(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

// The ith pair: even i any two encodings, odd i a pair with an ordinary result.
void make_pair(bool is_pow, std::uint64_t i, float& a, float& b) {
  const std::uint64_t r = mix(i);
  a = any_float(r);
  b = any_float(r >> 32);
  if (i % 2 == 0) return;
  const double unit = static_cast<double>(r >> 32) * 0x1p-32;
  if (is_pow) {
    if (i % 4 == 1) a = static_cast<float>(0.5 + 1.5 * static_cast<double>(r & 0xffffff) * 0x1p-24);
    a = std::abs(a);
    b = static_cast<float>((unit * 300 - 160) / std::log2(static_cast<double>(a)));
  } else {
    b = static_cast<float>(a * std::exp2(unit * 40 - 20)) * (i % 4 == 1 ? 1.0f : -1.0f);
  }
}

struct Options {
  std::uint64_t stride = 1;
  unsigned threads = 1;
  bool json = false;
};

Found measure(const Function& f, const Options& options) {
  const std::uint64_t total = ((std::uint64_t{1} << 32) + options.stride - 1) / options.stride;
  const bool is_pow = std::strcmp(f.name, "pow") == 0;
  const bool at_least_one = std::strcmp(f.name, "lgamma") == 0;
  const bool show = isatty(2) != 0;
  const auto start = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> next = 0;
  std::mutex lock;
  Found all;
  const auto work = [&](bool first) {
    Comparison comparison(f, at_least_one);
    std::vector<float> a(kChunk), b(kChunk), y(kChunk);
    std::vector<double> a64(kChunk), b64(kChunk), v(kChunk);
    for (;;) {
      const std::uint64_t begin = next.fetch_add(kChunk);
      if (begin >= total) break;
      const std::size_t n =
          static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, total - begin));
      for (std::size_t i = 0; i < n; ++i) {
        if (f.f32 != nullptr) {
          a[i] = any_float((begin + i) * options.stride);
        } else {
          make_pair(is_pow, begin + i, a[i], b[i]);
          b64[i] = b[i];
        }
        a64[i] = a[i];
      }
      if (f.f32 != nullptr) {
        f.f32(a.data(), y.data(), n);
        if (comparison.add_by_its_ends(a.data(), y.data(), n)) continue;
        f.f64(a64.data(), v.data(), n);
      } else {
        f.binary32(a.data(), b.data(), y.data(), n);
        f.binary64(a64.data(), b64.data(), v.data(), n);
      }
      comparison.add(a.data(), b.data(), y.data(), v.data(), n);
      if (show && first && begin / kChunk % 256 < options.threads) {
        const double done = static_cast<double>(begin + n) / static_cast<double>(total);
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
        std::fprintf(stderr, "\r%s %.0f%%, %.0f s left  ", f.name, 100 * done,
                     spent.count() * (1 - done) / done);
      }
    }
    mpfr_free_cache();
    const std::lock_guard<std::mutex> guard(lock);
    const std::uint64_t count = all.count + comparison.found.count;
    const std::uint64_t misrounded = all.misrounded + comparison.found.misrounded;
    if (comparison.found.error > all.error) all = comparison.found;
    all.count = count;
    all.misrounded = misrounded;
  };
  std::vector<std::thread> others;
  for (unsigned t = 1; t < options.threads; ++t) others.emplace_back(work, false);
  work(true);
  for (std::thread& t : others) t.join();
  if (show) std::fprintf(stderr, "\r%40s\r", "");
  return all;
}

void report(const Function& f, const Found& found, double seconds, const Options& options,
            bool first) {
  char where[64];
  if (f.f32 != nullptr) {
    std::snprintf(where, sizeof where, "%a", static_cast<double>(found.a));
  } else {
    std::snprintf(where, sizeof where, "%a, %a", static_cast<double>(found.a),
                  static_cast<double>(found.b));
  }
  if (options.json) {
    std::printf(
        "%s{\"function\": \"%s\", \"max_ulp\": %.6f, \"at\": \"%s\", \"misrounded\": %llu, "
        "\"arguments\": %llu, \"seconds\": %.1f}",
        first ? "[\n" : ",\n", f.name, found.error, where,
        static_cast<unsigned long long>(found.misrounded),
        static_cast<unsigned long long>(found.count), seconds);
  } else {
    std::printf("%-7s %9.6f ulp at %-34s %11llu of %llu not correctly rounded (%.4f%%), %.1f s\n",
                f.name, found.error, where, static_cast<unsigned long long>(found.misrounded),
                static_cast<unsigned long long>(found.count),
                100.0 * static_cast<double>(found.misrounded) / static_cast<double>(found.count),
                seconds);
  }
  std::fflush(stdout);
}

[[noreturn]] void usage(const char* problem) {
  std::fprintf(stderr,
               "measure_float32: %s\n"
               "usage: measure_float32 [function...] [--stride N] [--threads N] [--json]\n"
               "functions:",
               problem);
  for (const Function& f : kFunctions) std::fprintf(stderr, " %s", f.name);
  std::fprintf(stderr, "\n");
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  std::vector<const Function*> chosen;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--json") {
      options.json = true;
    } else if (word == "--stride" || word == "--threads") {
      const long long value = i + 1 < argc ? std::atoll(argv[++i]) : 0;
      if (value < 1 || value > (1LL << 31)) usage((word + " needs a positive number").c_str());
      if (word == "--stride")
        options.stride = static_cast<std::uint64_t>(value);
      else
        options.threads = static_cast<unsigned>(value);
    } else {
      const Function* found = nullptr;
      for (const Function& f : kFunctions) {
        if (word == f.name) found = &f;
      }
      if (found == nullptr) usage(("no function '" + word + "'").c_str());
      chosen.push_back(found);
    }
  }
  if (chosen.empty()) {
    for (const Function& f : kFunctions) chosen.push_back(&f);
  }
  for (const Function* f : chosen) {
    const auto start = std::chrono::steady_clock::now();
    const Found found = measure(*f, options);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    report(*f, found, seconds.count(), options, f == chosen.front());
  }
  if (options.json) std::printf("\n]\n");
  return 0;
}
