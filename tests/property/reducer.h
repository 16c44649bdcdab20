// SPDX-License-Identifier: Apache-2.0
#pragma once
// The machine behind reduce(): rounds of edits, coarse ones first, until a whole round changes
// nothing. Every edit that is kept makes the program smaller, so rounds end. Coarse edits are in
// reduce.cpp, those of expressions and declarations in reduce_expressions.cpp.

#include "reduce.h"

namespace lathe::testing {

class Reducer {
 public:
  Reducer(const Case& start, const Fails& fails, int max_tries)
      : result_{start, 0, 0}, fails_(fails), max_tries_(max_tries) {}

  Reduction run() {
    while (round()) {
    }
    return std::move(result_);
  }

 private:
  // One try: a copy, the edit, and back to the old one unless the new one is a good failure.
  bool attempt(const std::function<bool(Case&)>& edit) {
    if (result_.tried >= max_tries_) return false;
    Case c = result_.smallest;
    if (!edit(c)) return false;
    ++result_.tried;
    if (!still_fails(c)) return false;
    result_.smallest = std::move(c);
    ++result_.accepted;
    return true;
  }

  bool still_fails(const Case& c) {
    try {
      if (!refusal(c.program).empty() || !survives_text(c.program).empty()) return false;
      if (!lathe::testing::run(c.program, state_of(c), {.checked = true}).error.empty())
        return false;
      return fails_(c);
    } catch (...) {
      return false;
    }
  }

  bool round() {
    bool any = drop_arrays();
    any |= drop_items();
    any |= unwrap_items();
    any |= drop_parts();
    any |= drop_ranges();
    any |= drop_own_ranges();
    any |= shrink_expressions();
    any |= drop_axes();
    any |= drop_declarations();
    any |= shrink_sizes();
    return any;
  }

  bool drop_arrays();
  bool drop_items();
  bool unwrap_items();
  bool drop_parts();
  bool drop_ranges();
  bool drop_own_ranges();
  bool shrink_expressions();
  bool drop_axes();
  bool drop_declarations();
  bool shrink_sizes();

  Reduction result_;
  const Fails& fails_;
  int max_tries_;
};

// Every slot, with one variable replaced.
void substitute(ir::Program& p, Symbol variable, ir::Expr by);

}  // namespace lathe::testing
