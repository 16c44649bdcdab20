// SPDX-License-Identifier: Apache-2.0
// min and max let NaN win, fmin and fmax let it lose; all order -0 below +0, so they are lattice
// operations on the values they do not ignore.

#include "rewrite/rule_tables.h"

namespace lathe::rewrite {
namespace {

bool k_is_highest(const Given& g) { return g.k == highest(g.t); }
bool k_is_lowest(const Given& g) { return g.k == lowest(g.t); }

std::int64_t order_of(const ir::Scalar& s) {  // integers, in the order of their dtype
  const auto flip = std::uint64_t{1} << 63;
  const auto bits = static_cast<std::uint64_t>(signed_value(s));
  return static_cast<std::int64_t>(ir::is_unsigned_int(s.dtype) ? s.bits ^ flip : bits);
}
bool k_not_above_l(const Given& g) { return order_of(g.k) <= order_of(g.l); }

constexpr Rule kRules[] = {
    {"min-self", Exact, "number", "min(x, x)", "x"},
    {"max-self", Exact, "number", "max(x, x)", "x"},
    {"fmin-self", Exact, "float", "fmin(x, x)", "x"},
    {"fmax-self", Exact, "float", "fmax(x, x)", "x"},
    {"min-again", Exact, "number", "min(x, min(x, y))", "min(x, y)"},
    {"max-again", Exact, "number", "max(x, max(x, y))", "max(x, y)"},
    {"fmin-again", Exact, "float", "fmin(x, fmin(x, y))", "fmin(x, y)"},
    {"fmax-again", Exact, "float", "fmax(x, fmax(x, y))", "fmax(x, y)"},
    {"max-of-min", Exact, "int", "max(x, min(x, y))", "x"},
    {"min-of-max", Exact, "int", "min(x, max(x, y))", "x"},
    {"min-constants", Exact, "number", "min(min(x, k), l)", "min(x, fold(min(k, l)))"},
    {"max-constants", Exact, "number", "max(max(x, k), l)", "max(x, fold(max(k, l)))"},
    {"fmin-constants", Exact, "float", "fmin(fmin(x, k), l)", "fmin(x, fold(fmin(k, l)))"},
    {"fmax-constants", Exact, "float", "fmax(fmax(x, k), l)", "fmax(x, fold(fmax(k, l)))"},
    {"min-highest", Exact, "number", "min(x, k)", "x", "", false, k_is_highest},
    {"max-lowest", Exact, "number", "max(x, k)", "x", "", false, k_is_lowest},
    {"min-lowest", Exact, "int", "min(x, k)", "k", "", false, k_is_lowest},
    {"max-highest", Exact, "int", "max(x, k)", "k", "", false, k_is_highest},
    {"min-nan", Exact, "float", "min(x, nan)", "nan"},
    {"max-nan", Exact, "float", "max(x, nan)", "nan"},
    {"fmin-nan", Exact, "float", "fmin(x, nan)", "x"},
    {"fmax-nan", Exact, "float", "fmax(x, nan)", "x"},
    {"fmin-lowest", Exact, "float", "fmin(x, k)", "k", "", false, k_is_lowest},
    {"fmax-highest", Exact, "float", "fmax(x, k)", "k", "", false, k_is_highest},
    {"clamp-above", Exact, "int", "max(min(x, k), l)", "l", "", false, k_not_above_l},
    {"clamp-below", Exact, "int", "min(max(x, l), k)", "k", "", false, k_not_above_l},
    {"neg-min-neg", Exact, "float", "-min(-x, -y)", "max(x, y)"},
    {"neg-max-neg", Exact, "float", "-max(-x, -y)", "min(x, y)"},
    {"max-neg-self", Exact, "sint float", "max(x, -x)", "abs(x)"},
    {"max-abs-zero", Exact, "float", "max(abs(x), 0)", "abs(x)"},
    {"max-abs-self", Exact, "float", "max(abs(x), x)", "abs(x)"},
    {"min-abs-self", Exact, "float", "min(abs(x), x)", "x"},
    {"min-plus-max", Exact, "int", "min(x, y) + max(x, y)", "x + y"},
    {"min-times-max", Exact, "int", "min(x, y) * max(x, y)", "x * y"},
};

}  // namespace

std::span<const Rule> min_max_rules() { return kRules; }

}  // namespace lathe::rewrite
