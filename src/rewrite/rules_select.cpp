// SPDX-License-Identifier: Apache-2.0
// select evaluates one arm, gate(b, x) = select(b, x, 0) nothing but b when b is false.

#include "rewrite/rule_tables.h"

namespace lathe::rewrite {
namespace {

bool is_zero_of_its_dtype(const Given& g) { return g.k.bits == 0; }

constexpr Rule kRules[] = {
    {"select-true", Exact, "any", "select(true, x, y)", "x", "", kLazily},
    {"select-false", Exact, "any", "select(false, x, y)", "y", "", kLazily},
    {"select-same", Exact, "any", "select(b, x, x)", "x"},
    {"select-not", Exact, "any", "select(not b, x, y)", "select(b, y, x)", "", kLazily},
    {"select-again", Exact, "any", "select(b, select(b, x, y), z)", "select(b, x, z)", "", kLazily},
    {"select-else-again", Exact, "any", "select(b, x, select(b, y, z))", "select(b, x, z)", "",
     kLazily},
    // of bools
    {"select-bools", Exact, "bool", "select(b, true, false)", "b"},
    {"select-bools-not", Exact, "bool", "select(b, false, true)", "not b"},
    {"select-or", Exact, "bool", "select(b, true, c)", "b or c", "", kLazily},
    {"select-and", Exact, "bool", "select(b, c, false)", "b and c", "", kLazily},
    {"select-self-or", Exact, "bool", "select(b, b, c)", "b or c", "", kLazily},
    {"select-self-and", Exact, "bool", "select(b, c, b)", "b and c", "", kLazily},
    {"gate-bool", Exact, "bool", "gate(b, c)", "b and c", "", kLazily},
    // gates
    {"select-to-gate", Exact, "number", "select(b, x, k)", "gate(b, x)", "", kLazily,
     is_zero_of_its_dtype},
    {"gate-true", Exact, "any", "gate(true, x)", "x"},
    {"gate-false", Exact, "number", "gate(false, x)", "0", "", kLazily},
    {"gate-zero", Exact, "number", "gate(b, 0)", "0"},
    {"gate-one", Exact, "number", "gate(b, 1)", "T(b)"},
    {"gate-again", Exact, "number", "gate(b, gate(b, x))", "gate(b, x)", "", kLazily},
    {"gate-select", Exact, "number", "gate(b, select(b, x, y))", "gate(b, x)", "", kLazily},
    {"select-gate", Exact, "number", "select(b, gate(b, x), y)", "select(b, x, y)", "", kLazily},
    {"select-else-gate", Exact, "number", "select(b, x, gate(b, y))", "gate(b, x)", "", kLazily},
    {"gate-of-not", Exact, "number", "gate(not b, gate(b, x))", "0"},
    {"gate-plus-rest", Exact, "int", "gate(b, x) + gate(not b, x)", "x"},
    {"gates-to-select", Exact, "int", "gate(b, x) + gate(not b, y)", "select(b, x, y)", "",
     kLazily},
    {"bool-times-int", Exact, "int", "T(b) * x", "gate(b, x)"},
    // integers chosen by a comparison of themselves
    {"select-lt-min", Exact, "int", "select(x < y, x, y)", "min(x, y)"},
    {"select-lt-max", Exact, "int", "select(x < y, y, x)", "max(x, y)"},
    {"select-le-min", Exact, "int", "select(x <= y, x, y)", "min(x, y)"},
    {"select-le-max", Exact, "int", "select(x <= y, y, x)", "max(x, y)"},
    {"select-ge-constant", Exact, "int", "select(x >= k, x, k)", "max(x, k)"},
    {"select-ge-constant-min", Exact, "int", "select(x >= k, k, x)", "min(x, k)"},
    {"select-eq", Exact, "bits", "select(x == y, x, y)", "y"},
    {"select-ne", Exact, "bits", "select(x != y, x, y)", "x"},
    {"select-sign", Exact, "sint", "select(x < 0, -x, x)", "abs(x)"},
    {"select-sign-ge", Exact, "sint", "select(x >= 0, x, -x)", "abs(x)"},
    {"select-nan", Exact, "float", "select(isnan(x), nan, x)", "x"},
};

}  // namespace

std::span<const Rule> select_rules() { return kRules; }

}  // namespace lathe::rewrite
