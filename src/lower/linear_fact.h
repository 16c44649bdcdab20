// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a comparison of integers says, as `terms + constant >= 0`: enough to see that `i < n` makes
// `i < n + 1` superfluous, and that u[i] and u[i+1] are two elements.
//
// Arithmetic on indices and parameters is taken not to wrap, as everywhere in the analysis of
// indices. Arithmetic on data does wrap, so `p[i] + 1` is one term of its own.

#include <cstdint>
#include <utility>
#include <vector>

#include "ir/expr.h"

namespace lathe::lower {

using ir::Expr;

struct LinearFact {
  std::vector<std::pair<Expr, std::int64_t>> terms;  // by Node::hash
  std::int64_t constant = 0;
};

// All of which hold when `test` has the value `holds`. None: nothing that this form can say.
std::vector<LinearFact> facts_of(Expr test, bool holds);

bool implies(const LinearFact& known, const LinearFact& asked);
LinearFact negation(const LinearFact& fact);

// base + constant; a null base for a constant alone.
struct Offset {
  Expr base = nullptr;
  std::int64_t constant = 0;
  friend bool operator==(const Offset&, const Offset&) = default;
};
Offset split_offset(Expr index);

// Nothing but indices, parameters and constants in at most `budget` operations.
bool is_index_arithmetic(Expr e, std::size_t budget);
// A comparison of such expressions.
bool is_bounds_test(Expr e);

}  // namespace lathe::lower
