// SPDX-License-Identifier: Apache-2.0
// `and` and `or` are lazy from left to right, so most rules also say which operand is not reached.

#include "rewrite/rule_tables.h"

namespace lathe::rewrite {
namespace {

constexpr Rule kRules[] = {
    {"not-not", Exact, "bool", "not not b", "b"},
    // constants; those on the left skip what follows
    {"true-and", Exact, "bool", "true and b", "b"},
    {"and-true", Exact, "bool", "b and true", "b"},
    {"false-and", Exact, "bool", "false and b", "false", "", kLazily},
    {"false-or", Exact, "bool", "false or b", "b"},
    {"or-false", Exact, "bool", "b or false", "b"},
    {"true-or", Exact, "bool", "true or b", "true", "", kLazily},
    // an expression with itself
    {"and-self", Exact, "bool", "b and b", "b"},
    {"or-self", Exact, "bool", "b or b", "b"},
    {"and-not-self", Exact, "bool", "b and not b", "false"},
    {"or-not-self", Exact, "bool", "b or not b", "true"},
    // absorption
    {"and-or-self", Exact, "bool", "b and (b or c)", "b", "", kLazily},
    {"or-and-self", Exact, "bool", "b or (b and c)", "b", "", kLazily},
    {"and-again", Exact, "bool", "b and (b and c)", "b and c", "", kLazily},
    {"and-twice", Exact, "bool", "(b and c) and b", "b and c", "", kLazily},
    {"and-thrice", Exact, "bool", "(b and c) and c", "b and c", "", kLazily},
    {"or-again", Exact, "bool", "b or (b or c)", "b or c", "", kLazily},
    {"or-twice", Exact, "bool", "(b or c) or b", "b or c", "", kLazily},
    {"or-thrice", Exact, "bool", "(b or c) or c", "b or c", "", kLazily},
    {"and-or-not", Exact, "bool", "b and (not b or c)", "b and c", "", kLazily},
    {"or-and-not", Exact, "bool", "b or (not b and c)", "b or c", "", kLazily},
    {"and-and-not", Exact, "bool", "b and (not b and c)", "false"},
    {"or-or-not", Exact, "bool", "b or (not b or c)", "true"},
    {"cases", Exact, "bool", "(b and c) or (b and not c)", "b"},
    {"cases-or", Exact, "bool", "(b or c) and (b or not c)", "b"},
    // negation
    {"not-and-nots", Exact, "bool", "not (not b and not c)", "b or c", "", kLazily},
    {"not-or-nots", Exact, "bool", "not (not b or not c)", "b and c", "", kLazily},
    // bools compared
    {"eq-true", Exact, "bool", "b == true", "b"},
    {"eq-false", Exact, "bool", "b == false", "not b"},
    {"ne-true", Exact, "bool", "b != true", "not b"},
    {"ne-false", Exact, "bool", "b != false", "b"},
    {"eq-nots", Exact, "bool", "(not b) == (not c)", "b == c"},
    {"ne-nots", Exact, "bool", "(not b) != (not c)", "b != c"},
    {"eq-not-self", Exact, "bool", "b == (not b)", "false"},
    {"ne-not-self", Exact, "bool", "b != (not b)", "true"},
    {"eq-not", Exact, "bool", "b == (not c)", "b != c"},
    {"ne-not", Exact, "bool", "b != (not c)", "b == c"},
};

}  // namespace

std::span<const Rule> logic_rules() { return kRules; }

}  // namespace lathe::rewrite
