// SPDX-License-Identifier: Apache-2.0
#pragma once
// The rules ready to be tried, by operation, and the making of replacements.

#include "rewrite/pattern.h"

namespace lathe::rewrite {

struct Compiled {
  const Rule* rule;
  std::size_t number;  // in all_rules()
  std::vector<Variant> variants;
  Term replacement;
  std::array<bool, kVariableCount> must_not_fail{};  // evaluated less often than in the pattern
};

struct RuleIndex {
  std::vector<std::vector<Compiled>> by_op;  // in the order of all_rules()
  std::vector<std::uint64_t> hits;
};
// Compiled on first use; every rule is checked on the way.
RuleIndex& rule_index();

// A part of a replacement that is no operation; `t` is the dtype of its place.
ir::Expr leaf(ir::Graph& graph, const Term& term, const Binding& binding, const Given& given,
              ir::DType t);
// The operands of a replacement that is an operation, which must have dtype `t`.
std::vector<ir::Expr> operands(ir::Graph& graph, const Term& replacement, const Binding& binding,
                               const Given& given, ir::DType t);

}  // namespace lathe::rewrite
