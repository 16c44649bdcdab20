// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random well-typed expressions over all operations and dtypes, seeded, with shared parts. Their
// only variables are parameters: `f64.0`, `f64.1`, `bool.0` ... (random_parameters() gives values).

#include <vector>

#include "expr_rows.h"
#include "ir/build.h"
#include "rng.h"

namespace lathe::testing {

struct RandomExprOptions {
  int operations = 25;
  int parameters = 2;             // of each dtype
  std::vector<ir::DType> dtypes;  // empty: all
  std::vector<ir::Op> ops;        // empty: all
};

// Made through `maker`; of dtype t.
ir::Expr random_expr(ir::Maker& maker, Rng& rng, ir::DType t,
                     const RandomExprOptions& options = {});

// A row of n random and special values for every parameter that random_expr uses.
Environment random_parameters(Rng& rng, std::size_t n, const RandomExprOptions& options = {});

// Every operation with operands of its own, in the order of ops.def.
std::vector<ir::Op> all_operations();

}  // namespace lathe::testing
