// SPDX-License-Identifier: Apache-2.0
#include "lower/body_graph.h"

#include "lower/conditionalizer.h"

namespace lathe::lower {

BodyGraph::BodyGraph(const ExprGraph& exprs, const MemoryOrder& memory) : exprs_(exprs) {
  Contexts all;
  Conditionalizer trial(exprs, memory, all);
  trial.run(nullptr);
  Conditionalizer walk(exprs, memory, contexts_);
  walk.run(&trial);
  walk.hand_over(*this);
}

std::uint64_t BodyGraph::open_tests(std::uint32_t node) const {
  const ExprNode& read = expr(node);
  if (read.range == kNone) return 0;
  const RangeTests& range = exprs_.range(nodes_[node].number);
  if (range.tests.empty()) return kUnknownRange;
  std::uint64_t open = 0;
  for (std::size_t k = 0; k < range.tests.size(); ++k) {
    const Context c = nodes_[node].context;
    if (contexts_.implied(c, range.facts[k])) continue;
    if (contexts_.known(c, {range.tests[k], true}) == Known::Holds) continue;
    open |= std::uint64_t{1} << k;
  }
  return open;
}

}  // namespace lathe::lower
