// SPDX-License-Identifier: Apache-2.0
// Comparisons. A float comparison with NaN is false, so `not (x < y)` is not `y <= x` there, and a
// bound cannot be moved across an addition: integers wrap, floats round. Equality of integers can.
// Against constants, integers use only < and >=: `x <= 4` is `x < 5`.

#include "rewrite/rule_tables.h"

namespace lathe::rewrite {
namespace {

bool k_is_highest(const Given& g) { return g.k == highest(g.t); }
bool k_is_lowest(const Given& g) { return g.k == lowest(g.t); }
bool k_is_not_highest(const Given& g) { return !k_is_highest(g); }
bool k_is_above_lowest_by_one(const Given& g) {
  return g.k == ir::Scalar::of_uint(g.t, lowest(g.t).bits + 1);
}

std::uint64_t rank(const ir::Scalar& s) {  // integers: grows with the value
  return ir::is_signed_int(s.dtype)
             ? static_cast<std::uint64_t>(signed_value(s)) ^ (std::uint64_t{1} << 63)
             : s.bits;
}
bool k_below_l(const Given& g) { return rank(g.k) < rank(g.l); }
bool k_not_below_l(const Given& g) { return rank(g.k) >= rank(g.l); }
bool k_not_above_l(const Given& g) { return rank(g.k) <= rank(g.l); }
bool k_is_not_l(const Given& g) { return g.k != g.l; }
bool s_keeps_value(const Given& g) { return g.t != g.s && keeps_value(g.t, g.s); }

constexpr Rule kRules[] = {
    // negation
    {"not-lt", Exact, "int", "not (x < y)", "y <= x"},
    {"not-le", Exact, "int", "not (x <= y)", "y < x"},
    {"not-ge-constant", Exact, "int", "not (x >= k)", "x < k"},
    {"not-eq", Exact, "any", "not (x == y)", "x != y"},
    {"not-ne", Exact, "any", "not (x != y)", "x == y"},
    // an expression with itself
    {"lt-self", Exact, "number", "x < x", "false"},
    {"le-self", Exact, "int", "x <= x", "true"},
    {"eq-self", Exact, "bits", "x == x", "true"},
    {"ne-self", Exact, "bits", "x != x", "false"},
    {"ne-self-float", Exact, "float", "x != x", "isnan(x)"},
    // the ends of integer ranges
    {"le-to-lt", Exact, "int", "x <= k", "x < fold(k + 1)", "", false, k_is_not_highest},
    {"gt-to-ge", Exact, "int", "x > k", "x >= fold(k + 1)", "", false, k_is_not_highest},
    {"le-highest", Exact, "int", "x <= k", "true", "", false, k_is_highest},
    {"gt-highest", Exact, "int", "x > k", "false", "", false, k_is_highest},
    {"lt-lowest", Exact, "int", "x < k", "false", "", false, k_is_lowest},
    {"ge-lowest", Exact, "int", "x >= k", "true", "", false, k_is_lowest},
    {"lt-next-to-lowest", Exact, "int", "x < k", "x == fold(k - 1)", "", false,
     k_is_above_lowest_by_one},
    {"ge-next-to-lowest", Exact, "int", "x >= k", "x != fold(k - 1)", "", false,
     k_is_above_lowest_by_one},
    {"ge-highest", Exact, "int", "x >= k", "x == k", "", false, k_is_highest},
    {"lt-highest", Exact, "int", "x < k", "x != k", "", false, k_is_highest},
    // equations between integers
    {"eq-add", Exact, "int", "x + k == l", "x == fold(l - k)"},
    {"eq-sub", Exact, "int", "x - k == l", "x == fold(l + k)"},
    {"eq-constant-sub", Exact, "int", "k - x == l", "x == fold(k - l)"},
    {"ne-add", Exact, "int", "x + k != l", "x != fold(l - k)"},
    {"ne-sub", Exact, "int", "x - k != l", "x != fold(l + k)"},
    {"ne-constant-sub", Exact, "int", "k - x != l", "x != fold(k - l)"},
    {"eq-difference", Exact, "int", "x - y == 0", "x == y"},
    {"ne-difference", Exact, "int", "x - y != 0", "x != y"},
    {"eq-sums", Exact, "int", "x + z == y + z", "x == y"},
    {"ne-sums", Exact, "int", "x + z != y + z", "x != y"},
    {"eq-shifted-back", Exact, "int", "x - k == y - k", "x == y"},
    {"ne-shifted-back", Exact, "int", "x - k != y - k", "x != y"},
    {"eq-term", Exact, "int", "x + y == x", "y == 0"},
    {"ne-term", Exact, "int", "x + y != x", "y != 0"},
    {"eq-xor", Exact, "bits", "x ^ y == 0", "x == y"},
    {"ne-xor", Exact, "bits", "x ^ y != 0", "x != y"},
    // signs
    {"eq-neg", Exact, "number", "-x == k", "x == fold(-k)"},
    {"ne-neg", Exact, "number", "-x != k", "x != fold(-k)"},
    {"eq-neg-neg", Exact, "number", "-x == -y", "x == y"},
    {"ne-neg-neg", Exact, "number", "-x != -y", "x != y"},
    {"lt-neg-neg", Exact, "float", "-x < -y", "y < x"},
    {"le-neg-neg", Exact, "float", "-x <= -y", "y <= x"},
    {"lt-neg", Exact, "float", "-x < k", "x > fold(-k)"},
    {"le-neg", Exact, "float", "-x <= k", "x >= fold(-k)"},
    {"gt-neg", Exact, "float", "-x > k", "x < fold(-k)"},
    {"ge-neg", Exact, "float", "-x >= k", "x <= fold(-k)"},
    {"abs-lt-zero", Exact, "float", "abs(x) < 0", "false"},
    {"abs-le-zero", Exact, "float", "abs(x) <= 0", "x == 0"},
    {"abs-eq-zero", Exact, "number", "abs(x) == 0", "x == 0"},
    {"abs-ne-zero", Exact, "number", "abs(x) != 0", "x != 0"},
    // two comparisons of the same operands
    {"lt-and-le", Exact, "number", "x < y and x <= y", "x < y"},
    {"lt-or-le", Exact, "number", "x < y or x <= y", "x <= y"},
    {"lt-or-eq", Exact, "number", "x < y or x == y", "x <= y"},
    {"le-or-eq", Exact, "number", "x <= y or x == y", "x <= y"},
    {"le-and-ne", Exact, "number", "x <= y and x != y", "x < y"},
    {"lt-and-ne", Exact, "number", "x < y and x != y", "x < y"},
    {"le-and-eq", Exact, "number", "x <= y and x == y", "x == y"},
    {"lt-or-ne", Exact, "number", "x < y or x != y", "x != y"},
    {"lt-and-gt", Exact, "number", "x < y and y < x", "false"},
    {"lt-and-ge", Exact, "number", "x < y and y <= x", "false"},
    {"le-and-ge", Exact, "number", "x <= y and y <= x", "x == y"},
    {"lt-or-gt", Exact, "int", "x < y or y < x", "x != y"},
    {"le-or-ge", Exact, "int", "x <= y or y <= x", "true"},
    {"lt-or-ge", Exact, "int", "x < y or y <= x", "true"},
    {"lt-and-eq", Exact, "number", "x < y and x == y", "false"},
    {"eq-and-ne", Exact, "any", "x == y and x != y", "false"},
    {"eq-or-ne", Exact, "any", "x == y or x != y", "true"},
    // ranges of one expression
    {"lt-and-lt", Exact, "number", "x < k and x < l", "x < fold(min(k, l))"},
    {"lt-or-lt", Exact, "int", "x < k or x < l", "x < fold(max(k, l))"},
    {"lt-or-lt-float", Exact, "float", "x < k or x < l", "x < fold(fmax(k, l))"},
    {"ge-and-ge", Exact, "number", "x >= k and x >= l", "x >= fold(max(k, l))"},
    {"ge-or-ge", Exact, "int", "x >= k or x >= l", "x >= fold(min(k, l))"},
    {"ge-or-ge-float", Exact, "float", "x >= k or x >= l", "x >= fold(fmin(k, l))"},
    {"le-and-le-float", Exact, "float", "x <= k and x <= l", "x <= fold(min(k, l))"},
    {"gt-and-gt-float", Exact, "float", "x > k and x > l", "x > fold(max(k, l))"},
    {"empty-range", Exact, "int", "x >= k and x < l", "false", "", false, k_not_below_l},
    {"full-range", Exact, "int", "x >= k or x < l", "true", "", false, k_not_above_l},
    {"eq-and-lt", Exact, "int", "x == k and x < l", "x == k", "", false, k_below_l},
    {"eq-and-not-lt", Exact, "int", "x == k and x < l", "false", "", false, k_not_below_l},
    {"eq-and-ge", Exact, "int", "x == k and x >= l", "x == k", "", false, k_not_below_l},
    {"eq-and-not-ge", Exact, "int", "x == k and x >= l", "false", "", false, k_below_l},
    {"eq-and-eq", Exact, "bits", "x == k and x == l", "false", "", false, k_is_not_l},
    {"eq-and-ne-other", Exact, "bits", "x == k and x != l", "x == k", "", false, k_is_not_l},
    {"ne-or-ne", Exact, "bits", "x != k or x != l", "true", "", false, k_is_not_l},
    // conversions that keep every value keep the order
    {"eq-converted", Exact, "any", "S(x) == S(y)", "x == y", "", false, s_keeps_value},
    {"ne-converted", Exact, "any", "S(x) != S(y)", "x != y", "", false, s_keeps_value},
    {"lt-converted", Exact, "number", "S(x) < S(y)", "x < y", "", false, s_keeps_value},
    {"le-converted", Exact, "number", "S(x) <= S(y)", "x <= y", "", false, s_keeps_value},
    // classes of floats
    {"isnan-neg", Exact, "float", "isnan(-x)", "isnan(x)"},
    {"isnan-abs", Exact, "float", "isnan(abs(x))", "isnan(x)"},
    {"isinf-neg", Exact, "float", "isinf(-x)", "isinf(x)"},
    {"isinf-abs", Exact, "float", "isinf(abs(x))", "isinf(x)"},
    {"isfinite-neg", Exact, "float", "isfinite(-x)", "isfinite(x)"},
    {"isfinite-abs", Exact, "float", "isfinite(abs(x))", "isfinite(x)"},
    {"isnan-and-isinf", Exact, "float", "isnan(x) and isinf(x)", "false"},
    {"isnan-and-isfinite", Exact, "float", "isnan(x) and isfinite(x)", "false"},
    {"isinf-and-isfinite", Exact, "float", "isinf(x) and isfinite(x)", "false"},
    {"isnan-converted", Exact, "float", "isnan(S(x))", "isnan(x)"},
    {"isnan-of-int", Exact, "bits", "isnan(S(x))", "false"},
};

}  // namespace

std::span<const Rule> compare_rules() { return kRules; }

}  // namespace lathe::rewrite
