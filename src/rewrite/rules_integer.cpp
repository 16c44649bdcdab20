// SPDX-License-Identifier: Apache-2.0
// Integers wrap, so all of ring arithmetic is exact. The normal form of an affine expression of one
// variable is k * x + l or k * x - l, with a constant that is not negative:
//
//   (i + 1) - 1  ->  i        (i - 1) + 3  ->  i + 2        i + -1  ->  i - 1
//   2 * i + i    ->  3 * i    4 - (i + 1)  ->  3 - i        (i + n) - n  ->  i
//
// Sums of several variables stay as written but for terms that cancel; n-ary normal forms (document
// 000's Sum) come with the energies.

#include "rewrite/rule_tables.h"

namespace lathe::rewrite {
namespace {

// Negative, and not the smallest number, whose negation is itself.
bool k_is_negative(const Given& g) {
  return signed_value(g.k) < 0 && g.k.bits != std::uint64_t{1} << (ir::width_bits(g.t) - 1);
}
bool k_is_zero(const Given& g) { return g.k.is_zero(); }
bool k_is_lowest(const Given& g) { return signed_value(g.k) < 0 && !k_is_negative(g); }

bool k_is_power_of_two(const Given& g) { return is_power_of_two(g.k); }

// Both positive, and so is their product.
bool divisors_join(const Given& g) {
  const auto positive = [&](const ir::Scalar& s) {
    return !s.is_zero() && (ir::is_unsigned_int(g.t) || signed_value(s) > 0);
  };
  return positive(g.k) && positive(g.l) && g.k.bits <= highest(g.t).bits / g.l.bits;
}

bool k_is_not_zero(const Given& g) { return !g.k.is_zero(); }

constexpr Rule kRules[] = {
    // x + k
    {"add-zero-int", Exact, "int", "x + 0", "x"},
    {"add-negative", Exact, "int", "x + k", "x - fold(-k)", "", false, k_is_negative},
    {"sub-negative", Exact, "int", "x - k", "x + fold(-k)", "", false, k_is_negative},
    {"sub-zero-int", Exact, "int", "x - k", "x", "", false, k_is_zero},
    {"sub-lowest", Exact, "int", "x - k", "x + k", "", false, k_is_lowest},
    {"add-add", Exact, "int", "(x + k) + l", "x + fold(k + l)"},
    {"add-sub", Exact, "int", "(x + k) - l", "x + fold(k - l)"},
    {"sub-add", Exact, "int", "(x - k) + l", "x + fold(l - k)"},
    {"sub-sub", Exact, "int", "(x - k) - l", "x - fold(k + l)"},
    {"zero-sub-int", Exact, "int", "0 - x", "-x"},
    {"neg-of-add", Exact, "int", "-(x + k)", "fold(-k) - x"},
    {"neg-of-sub-constant", Exact, "int", "-(x - k)", "k - x"},
    {"neg-of-sub", Exact, "int", "-(x - y)", "y - x"},
    {"constant-sub-add", Exact, "int", "k - (x + l)", "fold(k - l) - x"},
    {"constant-sub-sub", Exact, "int", "k - (x - l)", "fold(k + l) - x"},
    {"constant-sub-constant-sub", Exact, "int", "k - (l - x)", "x + fold(k - l)"},
    {"add-to-constant-sub", Exact, "int", "(k - x) + l", "fold(k + l) - x"},
    {"sub-from-constant-sub", Exact, "int", "(k - x) - l", "fold(k - l) - x"},
    {"constant-sub-neg-int", Exact, "int", "-x - k", "fold(-k) - x"},
    // terms that cancel
    {"sub-self", Exact, "int", "x - x", "0"},
    {"add-then-sub", Exact, "int", "(x + y) - y", "x"},
    {"sub-then-add", Exact, "int", "(x - y) + y", "x"},
    {"add-then-sub-shifted", Exact, "int", "((x + y) + k) - y", "x + k"},
    {"add-then-sub-shifted-back", Exact, "int", "((x + y) - k) - y", "x - k"},
    {"sub-then-add-shifted", Exact, "int", "((x - y) + k) + y", "x + k"},
    {"sub-then-add-shifted-back", Exact, "int", "((x - y) - k) + y", "x - k"},
    {"sub-of-sum", Exact, "int", "x - (x + y)", "-y"},
    {"sub-of-difference", Exact, "int", "x - (x - y)", "y"},
    {"difference-sub", Exact, "int", "(x - y) - x", "-y"},
    {"sums-share-term", Exact, "int", "(x + y) - (x + z)", "y - z"},
    {"differences-share-right", Exact, "int", "(x - y) - (z - y)", "x - z"},
    {"differences-share-left", Exact, "int", "(x - y) - (x - z)", "z - y"},
    {"sum-difference-share-term", Exact, "int", "(x + y) + (z - y)", "x + z"},
    {"sum-sub-difference", Exact, "int", "(x + y) - (x - z)", "y + z"},
    {"differences-chain", Exact, "int", "(x - y) + (y - z)", "x - z"},
    {"shifted-back-sub-shifted", Exact, "int", "(x - k) - (x + l)", "fold(-k - l)"},
    // k * x
    {"mul-zero", Exact, "int", "0 * x", "0"},
    {"mul-mul", Exact, "int", "k * (l * x)", "fold(k * l) * x"},
    {"collect", Exact, "int", "k * x + l * x", "fold(k + l) * x"},
    {"collect-one", Exact, "int", "k * x + x", "fold(k + 1) * x"},
    {"collect-sub", Exact, "int", "k * x - l * x", "fold(k - l) * x"},
    {"collect-sub-one", Exact, "int", "k * x - x", "fold(k - 1) * x"},
    {"collect-one-sub", Exact, "int", "x - k * x", "fold(1 - k) * x"},
    // division, floored and truncated
    {"floordiv-one", Exact, "int", "x // 1", "x"},
    {"floordiv-minus-one", Exact, "sint", "x // -1", "-x"},
    {"mod-one", Exact, "int", "x % 1", "0"},
    {"mod-minus-one", Exact, "sint", "x % -1", "0"},
    {"tdiv-one", Exact, "int", "tdiv(x, 1)", "x"},
    {"tdiv-minus-one", Exact, "sint", "tdiv(x, -1)", "-x"},
    {"tmod-one", Exact, "int", "tmod(x, 1)", "0"},
    {"tmod-minus-one", Exact, "sint", "tmod(x, -1)", "0"},
    {"tdiv-unsigned", Exact, "uint", "tdiv(x, y)", "x // y"},
    {"tmod-unsigned", Exact, "uint", "tmod(x, y)", "x % y"},
    {"floordiv-floordiv", Exact, "int", "(x // k) // l", "x // fold(k * l)", "", false,
     divisors_join},
    {"tdiv-tdiv", Exact, "sint", "tdiv(tdiv(x, k), l)", "tdiv(x, fold(k * l))", "", false,
     divisors_join},
    {"mod-mod", Exact, "int", "(x % k) % k", "x % k", "", false, k_is_not_zero},
    {"tmod-tmod", Exact, "int", "tmod(tmod(x, k), k)", "tmod(x, k)", "", false, k_is_not_zero},
    {"mod-add", Exact, "int", "(x + k) % k", "x % k", "", false, k_is_power_of_two},
    {"mod-sub", Exact, "int", "(x - k) % k", "x % k", "", false, k_is_power_of_two},
    {"mod-mul", Exact, "int", "(k * x) % k", "0", "", false, k_is_power_of_two},
    {"mod-floordiv", Exact, "int", "(x % k) // k", "0", "", false, k_is_not_zero},
    {"recompose", Exact, "int", "k * (x // k) + x % k", "x", "", false, k_is_not_zero},
    {"remainder", Exact, "int", "x - k * (x // k)", "x % k", "", false, k_is_not_zero},
    {"multiple-below", Exact, "uint", "(x - x % k) // k", "x // k", "", false, k_is_not_zero},
    {"abs-unsigned", Exact, "uint", "abs(x)", "x"},
};

}  // namespace

std::span<const Rule> integer_rules() { return kRules; }

}  // namespace lathe::rewrite
