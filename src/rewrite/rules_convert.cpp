// SPDX-License-Identifier: Apache-2.0
// Conversions. int -> int wraps, int -> float rounds once, float -> int saturates, x -> bool is
// x != 0; a conversion depends on the value alone, so a first one that keeps the value can go.

#include "rewrite/rule_tables.h"

namespace lathe::rewrite {
namespace {

// U(S(x)) is U(x). Through a float into a narrower integer it is not: that saturates, while
// U(x) wraps.
bool first_can_go(const Given& g) {
  const bool all_ints = ir::is_int(g.t) && ir::is_int(g.s) && ir::is_int(g.u);
  if (all_ints && ir::width_bits(g.s) >= ir::width_bits(g.u)) return true;  // bits of x, cut twice
  if (!keeps_value(g.t, g.s)) return false;
  const bool wraps = ir::is_int(g.t) && ir::is_int(g.u);
  return !(wraps && ir::is_float(g.s)) || keeps_value(g.t, g.u);
}

// T(S(x) op S(y)) computes in S only to cut back to T. Integers: the low bits of sums and products
// depend on low bits alone. Floats: rounding to S and then to T equals rounding to T when S has
// more than twice T's digits; for 16-bit floats this is how T computes.
bool integers_widen(const Given& g) {
  return ir::is_int(g.t) && ir::is_int(g.s) && ir::width_bits(g.s) > ir::width_bits(g.t);
}
bool floats_widen(const Given& g) {
  return (g.t == ir::DType::F32 && g.s == ir::DType::F64) ||
         (ir::is_half(g.t) && g.s == ir::DType::F32);
}
bool constant_narrows(const Given& g) {  // k is of dtype S
  return integers_widen(g) || (floats_widen(g) && g.k.cast(g.t).cast(g.s) == g.k);
}
bool numbers_widen(const Given& g) { return integers_widen(g) || floats_widen(g); }
bool magnitude_widens(const Given& g) { return numbers_widen(g) && keeps_value(g.t, g.s); }
bool order_is_kept(const Given& g) { return g.t != g.s && keeps_value(g.t, g.s); }

// An integer that passes through a float may be a NaN there, and all NaNs are one.
bool bits_come_back(const Given& g) { return ir::is_int(g.s); }
bool s_is_int(const Given& g) { return ir::is_int(g.s); }
bool k_is_positive(const Given& g) {
  return !g.k.is_zero() && !g.k.is_nan() &&
         (ir::is_unsigned_int(g.k.dtype) || (g.k.bits >> (ir::width_bits(g.k.dtype) - 1)) == 0);
}

constexpr Rule kRules[] = {
    {"cast-same", Exact, "any", "T(x)", "x"},
    {"cast-cast", Exact, "any", "U(S(x))", "U(x)", "", false, first_can_go},
    {"cast-to-bool", Exact, "number", "bool(x)", "x != 0"},
    {"bitcast-same", Exact, "number", "bitcast_T(x)", "x"},
    {"bitcast-back", Exact, "number", "bitcast_T(bitcast_S(x))", "x", "", false, bits_come_back},
    {"bitcast-ints", Exact, "int", "bitcast_S(x)", "S(x)", "", false, s_is_int},
    // computed in a wider dtype for nothing
    {"narrow-add", Exact, "number", "T(S(x) + S(y))", "x + y", "", false, numbers_widen},
    {"narrow-sub", Exact, "number", "T(S(x) - S(y))", "x - y", "", false, numbers_widen},
    {"narrow-mul", Exact, "number", "T(S(x) * S(y))", "x * y", "", false, numbers_widen},
    {"narrow-div", Exact, "float", "T(S(x) / S(y))", "x / y", "", false, floats_widen},
    {"narrow-sqrt", Exact, "float", "T(sqrt(S(x)))", "sqrt(x)", "", false, floats_widen},
    {"narrow-neg", Exact, "number", "T(-S(x))", "-x", "", false, numbers_widen},
    {"narrow-abs", Exact, "number", "T(abs(S(x)))", "abs(x)", "", false, magnitude_widens},
    {"narrow-min", Exact, "number", "T(min(S(x), S(y)))", "min(x, y)", "", false, order_is_kept},
    {"narrow-max", Exact, "number", "T(max(S(x), S(y)))", "max(x, y)", "", false, order_is_kept},
    {"narrow-bitand", Exact, "int", "T(S(x) & S(y))", "x & y", "", false, integers_widen},
    {"narrow-bitor", Exact, "int", "T(S(x) | S(y))", "x | y", "", false, integers_widen},
    {"narrow-bitxor", Exact, "int", "T(S(x) ^ S(y))", "x ^ y", "", false, integers_widen},
    {"narrow-bitnot", Exact, "int", "T(~S(x))", "~x", "", false, integers_widen},
    {"narrow-add-constant", Exact, "number", "T(S(x) + k)", "x + fold(T(k))", "", false,
     constant_narrows},
    {"narrow-sub-constant", Exact, "number", "T(S(x) - k)", "x - fold(T(k))", "", false,
     constant_narrows},
    {"narrow-constant-sub", Exact, "number", "T(k - S(x))", "fold(T(k)) - x", "", false,
     constant_narrows},
    {"narrow-mul-constant", Exact, "number", "T(k * S(x))", "fold(T(k)) * x", "", false,
     constant_narrows},
    {"narrow-div-constant", Exact, "float", "T(S(x) / k)", "x / fold(T(k))", "", false,
     constant_narrows},
    {"narrow-constant-div", Exact, "float", "T(k / S(x))", "fold(T(k)) / x", "", false,
     constant_narrows},
    // whole numbers
    {"floor-of-int", Exact, "bits", "floor(S(x))", "S(x)"},
    {"ceil-of-int", Exact, "bits", "ceil(S(x))", "S(x)"},
    {"trunc-of-int", Exact, "bits", "trunc(S(x))", "S(x)"},
    {"round-of-int", Exact, "bits", "round(S(x))", "S(x)"},
    {"round-away-of-int", Exact, "bits", "round_away(S(x))", "S(x)"},
    {"cast-of-trunc", Exact, "float", "S(trunc(x))", "S(x)", "", false, s_is_int},
    {"floor-floor", Exact, "float", "floor(floor(x))", "floor(x)"},
    {"floor-ceil", Exact, "float", "floor(ceil(x))", "ceil(x)"},
    {"floor-trunc", Exact, "float", "floor(trunc(x))", "trunc(x)"},
    {"floor-round", Exact, "float", "floor(round(x))", "round(x)"},
    {"ceil-ceil", Exact, "float", "ceil(ceil(x))", "ceil(x)"},
    {"ceil-floor", Exact, "float", "ceil(floor(x))", "floor(x)"},
    {"ceil-trunc", Exact, "float", "ceil(trunc(x))", "trunc(x)"},
    {"ceil-round", Exact, "float", "ceil(round(x))", "round(x)"},
    {"trunc-trunc", Exact, "float", "trunc(trunc(x))", "trunc(x)"},
    {"trunc-floor", Exact, "float", "trunc(floor(x))", "floor(x)"},
    {"trunc-ceil", Exact, "float", "trunc(ceil(x))", "ceil(x)"},
    {"trunc-round", Exact, "float", "trunc(round(x))", "round(x)"},
    {"round-round", Exact, "float", "round(round(x))", "round(x)"},
    {"round-floor", Exact, "float", "round(floor(x))", "floor(x)"},
    {"round-ceil", Exact, "float", "round(ceil(x))", "ceil(x)"},
    {"round-trunc", Exact, "float", "round(trunc(x))", "trunc(x)"},
    {"neg-floor-neg", Exact, "float", "-floor(-x)", "ceil(x)"},
    {"neg-ceil-neg", Exact, "float", "-ceil(-x)", "floor(x)"},
    {"neg-trunc-neg", Exact, "float", "-trunc(-x)", "trunc(x)"},
    {"neg-round-neg", Exact, "float", "-round(-x)", "round(x)"},
    {"neg-round-away-neg", Exact, "float", "-round_away(-x)", "round_away(x)"},
    // bools as numbers: 0 and 1
    {"bool-eq-zero", Exact, "number", "T(b) == 0", "not b"},
    {"bool-ne-zero", Exact, "number", "T(b) != 0", "b"},
    {"bool-eq-one", Exact, "number", "T(b) == 1", "b"},
    {"bool-ne-one", Exact, "number", "T(b) != 1", "not b"},
    {"bool-square", Exact, "number", "T(b) * T(b)", "T(b)"},
    {"bool-abs", Exact, "number", "abs(T(b))", "T(b)"},
    {"bool-power", Exact, "number", "T(b) ** k", "T(b)", "", false, k_is_positive},
};

}  // namespace

std::span<const Rule> convert_rules() { return kRules; }

}  // namespace lathe::rewrite
