// SPDX-License-Identifier: Apache-2.0
// Arithmetic that holds for floats, bit for bit, and mostly for integers too. What is missing is
// missing on purpose: x + 0 turns -0 into +0, x * 0 and x - x are NaN for NaN and infinities,
// 0 - x is not -x for x = +0, and (x + k) + l rounds twice. Those are algebraic.

#include "rewrite/rule_tables.h"

namespace lathe::rewrite {
namespace {

bool reciprocal_is_exact(const Given& g) {
  if (!is_power_of_two(g.k)) return false;
  const ir::Scalar inverse = ir::Scalar::of_double(g.t, 1 / g.k.as_double());
  return is_power_of_two(inverse);  // neither infinite nor zero
}

bool k_is_positive_or_nan(const Given& g) {  // the canonical NaN has no sign
  return (g.k.bits >> (ir::width_bits(g.t) - 1)) == 0;
}
bool k_is_negative(const Given& g) { return !k_is_positive_or_nan(g); }

constexpr Rule kRules[] = {
    // sums
    {"add-negative-zero", Exact, "float", "x + -0.0", "x"},
    {"sub-zero", Exact, "float", "x - 0", "x"},
    {"negative-zero-sub", Exact, "float", "-0.0 - x", "-x"},
    {"add-neg", Exact, "number", "x + -y", "x - y"},
    {"sub-neg", Exact, "number", "x - -y", "x + y"},
    {"neg-neg", Exact, "number", "-(-x)", "x"},
    {"add-self", Exact, "number", "x + x", "2 * x"},
    // products and quotients: rounding is the same on both sides of zero
    {"mul-one", Exact, "number", "1 * x", "x"},
    {"mul-minus-one", Exact, "number", "-1 * x", "-x"},
    {"neg-mul-neg", Exact, "number", "-x * -y", "x * y"},
    {"neg-mul-constant", Exact, "number", "k * -x", "fold(-k) * x"},
    {"neg-of-mul-constant", Exact, "number", "-(k * x)", "fold(-k) * x"},
    {"div-one", Exact, "float", "x / 1", "x"},
    {"div-minus-one", Exact, "float", "x / -1", "-x"},
    {"neg-div-neg", Exact, "float", "-x / -y", "x / y"},
    {"neg-div-constant", Exact, "float", "-x / k", "x / fold(-k)"},
    {"constant-div-neg", Exact, "float", "k / -x", "fold(-k) / x"},
    {"neg-of-div-constant", Exact, "float", "-(x / k)", "x / fold(-k)"},
    {"neg-of-constant-div", Exact, "float", "-(k / x)", "fold(-k) / x"},
    {"div-power-of-two", Exact, "float", "x / k", "fold(1 / k) * x", "", false,
     reciprocal_is_exact},
    // powers, as C99 Annex F has them
    {"pow-zero", Exact, "number", "x ** 0", "1"},
    {"pow-of-one", Exact, "float", "1 ** x", "1"},
    {"pow-one", Exact, "number", "x ** 1", "x"},
    {"pow-two-int", Exact, "int", "x ** 2", "x * x"},
    {"pow-two-neg", Exact, "float", "(-x) ** 2", "x ** 2"},
    {"pow-two-abs", Exact, "float", "abs(x) ** 2", "x ** 2"},
    // fused multiply-add
    {"fma-one", Exact, "float", "fma(x, 1, y)", "x + y"},
    {"fma-one-left", Exact, "float", "fma(1, x, y)", "x + y"},
    {"fma-minus-one", Exact, "float", "fma(x, -1, y)", "y - x"},
    {"fma-minus-one-left", Exact, "float", "fma(-1, x, y)", "y - x"},
    {"fma-negative-zero", Exact, "float", "fma(x, y, -0.0)", "x * y"},
    {"fma-neg-neg", Exact, "float", "fma(-x, -y, z)", "fma(x, y, z)"},
    {"fma-neg-constant", Exact, "float", "fma(-x, k, y)", "fma(x, fold(-k), y)"},
    {"fma-constant-neg", Exact, "float", "fma(k, -x, y)", "fma(fold(-k), x, y)"},
    // signs
    {"abs-abs", Exact, "number", "abs(abs(x))", "abs(x)"},
    {"abs-neg", Exact, "sint float", "abs(-x)", "abs(x)"},
    {"abs-of-square", Exact, "float", "abs(x * x)", "x * x"},
    {"square-of-abs", Exact, "number", "abs(x) * abs(x)", "x * x"},
    {"abs-exp", Exact, "float", "abs(exp(x))", "exp(x)"},
    {"abs-exp2", Exact, "float", "abs(exp2(x))", "exp2(x)"},
    {"abs-cosh", Exact, "float", "abs(cosh(x))", "cosh(x)"},
    {"abs-acos", Exact, "float", "abs(acos(x))", "acos(x)"},
    {"abs-erfc", Exact, "float", "abs(erfc(x))", "erfc(x)"},
    {"sign-sign", Exact, "number", "sign(sign(x))", "sign(x)"},
    {"copysign-self", Exact, "float", "copysign(x, x)", "x"},
    {"copysign-of-abs", Exact, "float", "copysign(abs(x), y)", "copysign(x, y)"},
    {"copysign-of-neg", Exact, "float", "copysign(-x, y)", "copysign(x, y)"},
    {"copysign-of-copysign", Exact, "float", "copysign(copysign(x, y), z)", "copysign(x, z)"},
    {"copysign-from-abs", Exact, "float", "copysign(x, abs(y))", "abs(x)"},
    {"copysign-plus", Exact, "float", "copysign(x, k)", "abs(x)", "", false, k_is_positive_or_nan},
    {"abs-copysign", Exact, "float", "abs(copysign(x, y))", "abs(x)"},
    {"neg-copysign-minus", Exact, "float", "-copysign(x, k)", "abs(x)", "", false, k_is_negative},
    // even functions
    {"cos-neg", Exact, "float", "cos(-x)", "cos(x)"},
    {"cos-abs", Exact, "float", "cos(abs(x))", "cos(x)"},
    {"cosh-neg", Exact, "float", "cosh(-x)", "cosh(x)"},
    {"cosh-abs", Exact, "float", "cosh(abs(x))", "cosh(x)"},
    // odd functions, three operations to one
    {"neg-sin-neg", Exact, "float", "-sin(-x)", "sin(x)"},
    {"neg-tan-neg", Exact, "float", "-tan(-x)", "tan(x)"},
    {"neg-asin-neg", Exact, "float", "-asin(-x)", "asin(x)"},
    {"neg-atan-neg", Exact, "float", "-atan(-x)", "atan(x)"},
    {"neg-sinh-neg", Exact, "float", "-sinh(-x)", "sinh(x)"},
    {"neg-tanh-neg", Exact, "float", "-tanh(-x)", "tanh(x)"},
    {"neg-asinh-neg", Exact, "float", "-asinh(-x)", "asinh(x)"},
    {"neg-atanh-neg", Exact, "float", "-atanh(-x)", "atanh(x)"},
    {"neg-cbrt-neg", Exact, "float", "-cbrt(-x)", "cbrt(x)"},
    {"neg-erf-neg", Exact, "float", "-erf(-x)", "erf(x)"},
};

}  // namespace

std::span<const Rule> arith_rules() { return kRules; }

}  // namespace lathe::rewrite
