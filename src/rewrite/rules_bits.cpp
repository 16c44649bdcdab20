// SPDX-License-Identifier: Apache-2.0
// Bits of integers and bools (-1 is all ones, of a bool: true), and shifts as the language defines
// them: a count outside 0..width-1 shifts everything out.

#include "rewrite/rule_tables.h"

namespace lathe::rewrite {
namespace {

bool counts_are_small(const Given& g) { return is_small_count(g.k) && is_small_count(g.l); }
bool count_is_small(const Given& g) { return is_small_count(g.k); }
bool count_is_large(const Given& g) { return !is_small_count(g.k); }
bool masks_are_apart(const Given& g) { return (g.k.bits & g.l.bits) == 0; }
bool k_covers_l(const Given& g) { return (g.k.bits & g.l.bits) == g.l.bits; }
bool l_covers_k(const Given& g) { return (g.k.bits & g.l.bits) == g.k.bits; }
bool masks_are_all(const Given& g) {
  return (g.k.bits | g.l.bits) == ir::Scalar::of_int(g.t, -1).bits;
}

constexpr Rule kRules[] = {
    {"bitand-self", Exact, "bits", "x & x", "x"},
    {"bitor-self", Exact, "bits", "x | x", "x"},
    {"bitxor-self", Exact, "bits", "x ^ x", "0"},
    {"bitand-zero", Exact, "bits", "x & 0", "0"},
    {"bitor-zero", Exact, "bits", "x | 0", "x"},
    {"bitxor-zero", Exact, "bits", "x ^ 0", "x"},
    {"bitand-ones", Exact, "bits", "x & -1", "x"},
    {"bitor-ones", Exact, "bits", "x | -1", "-1"},
    {"bitxor-ones", Exact, "bits", "x ^ -1", "~x"},
    {"bitnot-bitnot", Exact, "bits", "~(~x)", "x"},
    {"bitand-bitnot", Exact, "bits", "x & ~x", "0"},
    {"bitor-bitnot", Exact, "bits", "x | ~x", "-1"},
    {"bitxor-bitnot", Exact, "bits", "x ^ ~x", "-1"},
    {"bitand-absorbs", Exact, "bits", "x & (x | y)", "x"},
    {"bitor-absorbs", Exact, "bits", "x | (x & y)", "x"},
    {"bitand-again", Exact, "bits", "x & (x & y)", "x & y"},
    {"bitor-again", Exact, "bits", "x | (x | y)", "x | y"},
    {"bitxor-again", Exact, "bits", "x ^ (x ^ y)", "y"},
    {"bitand-constants", Exact, "bits", "(x & k) & l", "x & fold(k & l)"},
    {"bitor-constants", Exact, "bits", "(x | k) | l", "x | fold(k | l)"},
    {"bitxor-constants", Exact, "bits", "(x ^ k) ^ l", "x ^ fold(k ^ l)"},
    {"mask-what-was-set", Exact, "bits", "(x | k) & l", "l", "", false, k_covers_l},
    {"mask-what-was-not-set", Exact, "bits", "(x | k) & l", "x & l", "", false, masks_are_apart},
    {"set-what-was-masked", Exact, "bits", "(x & k) | l", "l", "", false, l_covers_k},
    {"set-what-was-not-masked", Exact, "bits", "(x & k) | l", "x | l", "", false, masks_are_all},
    {"bitand-or-bitxor", Exact, "bits", "(x & y) | (x ^ y)", "x | y"},
    {"bitor-xor-bitand", Exact, "bits", "(x | y) ^ (x & y)", "x ^ y"},
    {"bitor-sub-bitand", Exact, "int", "(x | y) - (x & y)", "x ^ y"},
    {"bitor-plus-bitand", Exact, "int", "(x | y) + (x & y)", "x + y"},
    {"bitxor-plus-bitand", Exact, "int", "(x ^ y) + (x & y)", "x | y"},
    {"bitnot-bitand-bitnots", Exact, "bits", "~(~x & ~y)", "x | y"},
    {"bitnot-bitor-bitnots", Exact, "bits", "~(~x | ~y)", "x & y"},
    {"bitxor-bitnots", Exact, "bits", "~x ^ ~y", "x ^ y"},
    {"bitnot-bitxor-bitnot", Exact, "bits", "~(~x ^ y)", "x ^ y"},
    {"bitxor-bitnot-constant", Exact, "bits", "~x ^ k", "x ^ fold(~k)"},
    {"bitnot-bitxor-constant", Exact, "bits", "~(x ^ k)", "x ^ fold(~k)"},
    // ~x = -x - 1
    {"neg-bitnot", Exact, "int", "-(~x)", "x + 1"},
    {"bitnot-neg", Exact, "int", "~(-x)", "x - 1"},
    {"bitnot-add", Exact, "int", "~(x + k)", "fold(~k) - x"},
    {"bitnot-sub", Exact, "int", "~(x - k)", "fold(k - 1) - x"},
    {"bitnot-constant-sub", Exact, "int", "~(k - x)", "x + fold(~k)"},
    {"add-bitnot", Exact, "int", "x + ~x", "-1"},
    {"bitnot-plus-one", Exact, "int", "~x + 1", "-x"},
    {"sub-bitnot-constant", Exact, "int", "k - ~x", "x + fold(k + 1)"},
    {"eq-bitnot", Exact, "bits", "~x == k", "x == fold(~k)"},
    {"ne-bitnot", Exact, "bits", "~x != k", "x != fold(~k)"},
    {"eq-bitxor", Exact, "bits", "x ^ k == l", "x == fold(k ^ l)"},
    {"ne-bitxor", Exact, "bits", "x ^ k != l", "x != fold(k ^ l)"},
    // shifts
    {"shl-zero", Exact, "int", "x << 0", "x"},
    {"shr-zero", Exact, "int", "x >> 0", "x"},
    {"zero-shl", Exact, "int", "0 << x", "0"},
    {"zero-shr", Exact, "int", "0 >> x", "0"},
    {"ones-shr", Exact, "sint", "-1 >> x", "-1"},
    {"shl-all", Exact, "int", "x << k", "0", "", false, count_is_large},
    {"shr-all", Exact, "uint", "x >> k", "0", "", false, count_is_large},
    {"shl-shl", Exact, "int", "(x << k) << l", "x << fold(k + l)", "", false, counts_are_small},
    {"shr-shr", Exact, "int", "(x >> k) >> l", "x >> fold(k + l)", "", false, counts_are_small},
    {"shl-shr", Exact, "uint", "(x << k) >> k", "x & fold(-1 >> k)", "", false, count_is_small},
    {"shr-shl", Exact, "int", "(x >> k) << k", "x & fold(-1 << k)", "", false, count_is_small},
};

}  // namespace

std::span<const Rule> bits_rules() { return kRules; }

}  // namespace lathe::rewrite
