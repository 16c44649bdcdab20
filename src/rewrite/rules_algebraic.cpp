// SPDX-License-Identifier: Apache-2.0
// True over the reals, not in the last bit: document 000's simplification of sums, products and
// powers in binary form, for `fast` programs and energies. Exact rules do the same for integers.
// The n-ary Sum, Prod and PowC of document 000, and factoring, come with the energies and replace
// the collecting rules here.

#include <cmath>

#include "rewrite/rule_tables.h"

namespace lathe::rewrite {
namespace {

constexpr std::string_view kZeroSign = "the sign of a zero";
constexpr std::string_view kNotFinite = "NaN and infinities";
constexpr std::string_view kRounds = "rounds elsewhere";
constexpr std::string_view kNan = "comparisons with NaN are false";
constexpr std::string_view kDomain = "outside the domain of the inner function";

bool l_is_whole(const Given& g) {
  const double l = g.l.as_double();
  return std::isfinite(l) && l == std::floor(l) && std::isfinite(g.k.as_double());
}
bool k_is_invertible(const Given& g) {
  const double inverse = 1 / g.k.as_double();
  return std::isfinite(inverse) && std::isnormal(ir::Scalar::of_double(g.t, inverse).as_double());
}
// (k - x) turned into x - k and the like must not fold a NaN or infinity into something else.
bool constants_are_finite(const Given& g) {
  return std::isfinite(g.k.as_double()) && std::isfinite(g.l.as_double());
}

constexpr Rule kRules[] = {
    // sums: c + k0*t0 + k1*t1 ...
    {"real-add-zero", Algebraic, "float", "x + 0", "x", kZeroSign},
    {"real-sub-negative-zero", Algebraic, "float", "x - -0.0", "x", kZeroSign},
    {"real-zero-sub", Algebraic, "float", "0 - x", "-x", kZeroSign},
    {"real-neg-of-sub", Algebraic, "float", "-(x - y)", "y - x", kZeroSign},
    {"real-neg-of-add", Algebraic, "float", "-(x + k)", "fold(-k) - x", kZeroSign},
    {"real-sub-self", Algebraic, "float", "x - x", "0", kNotFinite},
    {"real-add-add", Algebraic, "float", "(x + k) + l", "x + fold(k + l)", kRounds, false,
     constants_are_finite},
    {"real-add-sub", Algebraic, "float", "(x + k) - l", "x + fold(k - l)", kRounds, false,
     constants_are_finite},
    {"real-sub-add", Algebraic, "float", "(x - k) + l", "x + fold(l - k)", kRounds, false,
     constants_are_finite},
    {"real-sub-sub", Algebraic, "float", "(x - k) - l", "x - fold(k + l)", kRounds, false,
     constants_are_finite},
    {"real-constant-sub-add", Algebraic, "float", "k - (x + l)", "fold(k - l) - x", kRounds, false,
     constants_are_finite},
    {"real-constant-sub-sub", Algebraic, "float", "k - (l - x)", "x + fold(k - l)", kRounds, false,
     constants_are_finite},
    {"real-add-to-constant-sub", Algebraic, "float", "(k - x) + l", "fold(k + l) - x", kRounds,
     false, constants_are_finite},
    {"real-sub-from-constant-sub", Algebraic, "float", "(k - x) - l", "fold(k - l) - x", kRounds,
     false, constants_are_finite},
    {"real-add-then-sub", Algebraic, "float", "(x + y) - y", "x", kRounds},
    {"real-sub-then-add", Algebraic, "float", "(x - y) + y", "x", kRounds},
    {"real-sub-of-sum", Algebraic, "float", "x - (x + y)", "-y", kRounds},
    {"real-sub-of-difference", Algebraic, "float", "x - (x - y)", "y", kRounds},
    {"real-sums-share-term", Algebraic, "float", "(x + y) - (x + z)", "y - z", kRounds},
    {"real-collect", Algebraic, "float", "k * x + l * x", "fold(k + l) * x", kRounds, false,
     constants_are_finite},
    {"real-collect-one", Algebraic, "float", "k * x + x", "fold(k + 1) * x", kRounds},
    {"real-collect-sub", Algebraic, "float", "k * x - l * x", "fold(k - l) * x", kRounds, false,
     constants_are_finite},
    {"real-collect-sub-one", Algebraic, "float", "k * x - x", "fold(k - 1) * x", kRounds},
    {"real-collect-one-sub", Algebraic, "float", "x - k * x", "fold(1 - k) * x", kRounds},
    // products: c * t0^k0 * t1^k1 ...
    {"real-mul-zero", Algebraic, "float", "0 * x", "0", kNotFinite},
    {"real-mul-mul", Algebraic, "float", "k * (l * x)", "fold(k * l) * x", kRounds, false,
     constants_are_finite},
    {"real-mul-div", Algebraic, "float", "k * (l / x)", "fold(k * l) / x", kRounds, false,
     constants_are_finite},
    {"real-div-mul", Algebraic, "float", "k / (l * x)", "fold(k / l) / x", kRounds, false,
     k_is_invertible},
    {"real-div-by-constant", Algebraic, "float", "x / k", "fold(1 / k) * x", kRounds, false,
     k_is_invertible},
    {"real-div-self", Algebraic, "float", "x / x", "1", kNotFinite},
    {"real-zero-div", Algebraic, "float", "0 / x", "0", kNotFinite},
    {"real-mul-then-div", Algebraic, "float", "(x * y) / y", "x", kRounds},
    {"real-div-then-mul", Algebraic, "float", "(x / y) * y", "x", kRounds},
    {"real-div-of-product", Algebraic, "float", "x / (x * y)", "1 / y", kRounds},
    {"real-div-of-quotient", Algebraic, "float", "x / (x / y)", "y", kRounds},
    {"real-cancel-factor", Algebraic, "float", "(x * y) / (x * z)", "y / z", kRounds},
    {"real-mul-reciprocal", Algebraic, "float", "x * (1 / y)", "x / y", kRounds},
    {"real-div-reciprocal", Algebraic, "float", "x / (1 / y)", "x * y", kRounds},
    {"real-reciprocal-of-quotient", Algebraic, "float", "1 / (x / y)", "y / x", kRounds},
    {"real-fma-zero", Algebraic, "float", "fma(x, y, 0)", "x * y", kZeroSign},
    {"real-fma-mul-zero", Algebraic, "float", "fma(0, x, y)", "y", kNotFinite},
    {"real-fma-mul-zero-right", Algebraic, "float", "fma(x, 0, y)", "y", kNotFinite},
    // powers
    {"real-pow-two", Algebraic, "float", "x ** 2", "x * x", kRounds},
    {"real-pow-minus-one", Algebraic, "float", "x ** -1", "1 / x", kRounds},
    {"real-pow-half", Algebraic, "float", "x ** 0.5", "sqrt(x)", kRounds},
    {"real-pow-minus-half", Algebraic, "float", "x ** -0.5", "rsqrt(x)", kRounds},
    {"real-pow-pow", Algebraic, "float", "(x ** k) ** l", "x ** fold(k * l)", kRounds, false,
     l_is_whole},
    {"real-mul-powers", Algebraic, "float", "x ** k * x ** l", "x ** fold(k + l)", kRounds, false,
     constants_are_finite},
    {"real-mul-power", Algebraic, "float", "x ** k * x", "x ** fold(k + 1)", kRounds},
    {"real-div-powers", Algebraic, "float", "x ** k / x ** l", "x ** fold(k - l)", kRounds, false,
     constants_are_finite},
    {"real-div-power", Algebraic, "float", "x ** k / x", "x ** fold(k - 1)", kRounds},
    {"real-square-of-sqrt", Algebraic, "float", "sqrt(x) * sqrt(x)", "x", kDomain},
    {"real-sqrt-of-square", Algebraic, "float", "sqrt(x * x)", "abs(x)", kRounds},
    {"real-div-sqrt", Algebraic, "float", "x / sqrt(x)", "sqrt(x)", kRounds},
    {"real-one-div-sqrt", Algebraic, "float", "1 / sqrt(x)", "rsqrt(x)", kRounds},
    // functions and their inverses
    {"real-log-exp", Algebraic, "float", "log(exp(x))", "x", kRounds},
    {"real-exp-log", Algebraic, "float", "exp(log(x))", "x", kRounds},
    {"real-log2-exp2", Algebraic, "float", "log2(exp2(x))", "x", kRounds},
    {"real-exp2-log2", Algebraic, "float", "exp2(log2(x))", "x", kRounds},
    {"real-log1p-expm1", Algebraic, "float", "log1p(expm1(x))", "x", kRounds},
    {"real-expm1-log1p", Algebraic, "float", "expm1(log1p(x))", "x", kRounds},
    {"real-tan-atan", Algebraic, "float", "tan(atan(x))", "x", kRounds},
    {"real-sin-asin", Algebraic, "float", "sin(asin(x))", "x", kDomain},
    {"real-cos-acos", Algebraic, "float", "cos(acos(x))", "x", kDomain},
    {"real-log1p", Algebraic, "float", "log(x + 1)", "log1p(x)", kRounds},
    {"real-expm1", Algebraic, "float", "exp(x) - 1", "expm1(x)", kRounds},
    {"real-erfc", Algebraic, "float", "1 - erf(x)", "erfc(x)", kRounds},
    {"real-erf", Algebraic, "float", "1 - erfc(x)", "erf(x)", kRounds},
    {"real-tan", Algebraic, "float", "sin(x) / cos(x)", "tan(x)", kRounds},
    {"real-tanh", Algebraic, "float", "sinh(x) / cosh(x)", "tanh(x)", kRounds},
    {"real-circle", Algebraic, "float", "sin(x) * sin(x) + cos(x) * cos(x)", "1", kRounds},
    // comparisons and choices
    {"real-not-lt", Algebraic, "float", "not (x < y)", "y <= x", kNan},
    {"real-not-le", Algebraic, "float", "not (x <= y)", "y < x", kNan},
    {"real-not-gt-constant", Algebraic, "float", "not (x > k)", "x <= k", kNan},
    {"real-not-ge-constant", Algebraic, "float", "not (x >= k)", "x < k", kNan},
    {"real-eq-self", Algebraic, "float", "x == x", "true", kNan},
    {"real-le-self", Algebraic, "float", "x <= x", "true", kNan},
    {"real-eq-difference", Algebraic, "float", "x - y == 0", "x == y", kNotFinite},
    {"real-max-of-min", Algebraic, "float", "max(x, min(x, y))", "x", kNan},
    {"real-min-of-max", Algebraic, "float", "min(x, max(x, y))", "x", kNan},
    {"real-select-min", Algebraic, "float", "select(x < y, x, y)", "min(x, y)", kNan},
    {"real-select-max", Algebraic, "float", "select(x < y, y, x)", "max(x, y)", kNan},
    {"real-select-abs", Algebraic, "float", "select(x < 0, -x, x)", "abs(x)", kZeroSign},
    {"real-bool-times", Algebraic, "float", "T(b) * x", "gate(b, x)", kNotFinite},
    {"real-gate-plus-rest", Algebraic, "float", "gate(b, x) + gate(not b, x)", "x", kZeroSign},
    {"real-gates-to-select", Algebraic, "float", "gate(b, x) + gate(not b, y)", "select(b, x, y)",
     kZeroSign, kLazily},
};

}  // namespace

std::span<const Rule> algebraic_rules() { return kRules; }

}  // namespace lathe::rewrite
