// SPDX-License-Identifier: Apache-2.0
#pragma once
// The rules ready to be tried, by operation, and the making of replacements.

#include <deque>
#include <mutex>

#include "rewrite/pattern.h"

namespace lathe::rewrite {

struct Compiled {
  const Rule* rule;
  std::size_t number;  // in all_rules()
  std::vector<Variant> variants;
  Term replacement;
  std::array<bool, kVariableCount> must_not_fail{};  // evaluated less often than in the pattern
};

class RuleIndex {
 public:
  RuleIndex();
  // Those of one operation, in the order of all_rules(). They are compiled, and checked, when it is
  // asked for first: programs use few operations, and there are hundreds of rules.
  std::span<const Compiled> of(ir::Op op);

  std::vector<std::uint64_t> hits;

 private:
  struct Slot {
    std::once_flag once;
    std::vector<std::pair<std::size_t, Term>> patterns;  // by number of the rule
    std::vector<Compiled> rules;
  };
  std::deque<Slot> slots_;  // by operation
};
RuleIndex& rule_index();

// A part of a replacement that is no operation; `t` is the dtype of its place.
ir::Expr leaf(ir::Graph& graph, const Term& term, const Binding& binding, const Given& given,
              ir::DType t);
// The operands of a replacement that is an operation, which must have dtype `t`.
std::vector<ir::Expr> operands(ir::Graph& graph, const Term& replacement, const Binding& binding,
                               const Given& given, ir::DType t);

}  // namespace lathe::rewrite
