// SPDX-License-Identifier: Apache-2.0
// `and` and `or` are lazy from left to right, so most rules also say which operand is not reached.

#include "rewrite/rule_tables.h"

namespace lathe::rewrite {
namespace {

constexpr Rule kRules[] = {
    {"not-not", Exact, "any", "not not b", "b"},
    // constants; those on the left skip what follows
    {"true-and", Exact, "any", "true and b", "b"},
    {"and-true", Exact, "any", "b and true", "b"},
    {"false-and", Exact, "any", "false and b", "false", "", kLazily},
    {"and-false", Exact, "any", "b and false", "false"},
    {"false-or", Exact, "any", "false or b", "b"},
    {"or-false", Exact, "any", "b or false", "b"},
    {"true-or", Exact, "any", "true or b", "true", "", kLazily},
    {"or-true", Exact, "any", "b or true", "true"},
    // an expression with itself
    {"and-self", Exact, "any", "b and b", "b"},
    {"or-self", Exact, "any", "b or b", "b"},
    {"and-not-self", Exact, "any", "b and not b", "false"},
    {"or-not-self", Exact, "any", "b or not b", "true"},
    // absorption
    {"and-or-self", Exact, "any", "b and (b or c)", "b", "", kLazily},
    {"or-and-self", Exact, "any", "b or (b and c)", "b", "", kLazily},
    {"and-again", Exact, "any", "b and (b and c)", "b and c", "", kLazily},
    {"and-twice", Exact, "any", "(b and c) and b", "b and c", "", kLazily},
    {"and-thrice", Exact, "any", "(b and c) and c", "b and c", "", kLazily},
    {"or-again", Exact, "any", "b or (b or c)", "b or c", "", kLazily},
    {"or-twice", Exact, "any", "(b or c) or b", "b or c", "", kLazily},
    {"or-thrice", Exact, "any", "(b or c) or c", "b or c", "", kLazily},
    {"and-or-not", Exact, "any", "b and (not b or c)", "b and c", "", kLazily},
    {"or-and-not", Exact, "any", "b or (not b and c)", "b or c", "", kLazily},
    {"and-and-not", Exact, "any", "b and (not b and c)", "false"},
    {"or-or-not", Exact, "any", "b or (not b or c)", "true"},
    {"cases", Exact, "any", "(b and c) or (b and not c)", "b"},
    {"cases-or", Exact, "any", "(b or c) and (b or not c)", "b"},
    // negation
    {"not-and-nots", Exact, "any", "not (not b and not c)", "b or c", "", kLazily},
    {"not-or-nots", Exact, "any", "not (not b or not c)", "b and c", "", kLazily},
    // bools compared
    {"eq-true", Exact, "any", "b == true", "b"},
    {"eq-false", Exact, "any", "b == false", "not b"},
    {"ne-true", Exact, "any", "b != true", "not b"},
    {"ne-false", Exact, "any", "b != false", "b"},
    {"eq-nots", Exact, "any", "(not b) == (not c)", "b == c"},
    {"ne-nots", Exact, "any", "(not b) != (not c)", "b != c"},
    {"eq-not-self", Exact, "any", "b == (not b)", "false"},
    {"ne-not-self", Exact, "any", "b != (not b)", "true"},
    {"eq-not", Exact, "any", "b == (not c)", "b != c"},
    {"ne-not", Exact, "any", "b != (not c)", "b == c"},
};

}  // namespace

std::span<const Rule> logic_rules() { return kRules; }

}  // namespace lathe::rewrite
