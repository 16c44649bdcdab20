// SPDX-License-Identifier: Apache-2.0
#pragma once
// One walk from the tasks down to the leaves that gives every expression its conditions. It runs
// twice: first with a branch for every lazy operation, to see how much each side has for itself;
// then with branches only where they are worth it.

#include <cstdint>
#include <vector>

#include "lower/body_graph.h"

namespace lathe::lower {

class Conditionalizer {
 public:
  Conditionalizer(const ExprGraph& exprs, const MemoryOrder& memory, Contexts& contexts)
      : exprs_(exprs), memory_(memory), contexts_(contexts) {}

  // `trial`: the first walk; null if this is it.
  void run(const Conditionalizer* trial);
  void hand_over(BodyGraph& graph);

 private:
  struct Sides {
    Context yes = kNone, no = kNone;  // kNone: not in a context of its own
  };
  // `home`: a list that `context` begins with, such that all reads but risky ones lie inside
  // wherever it holds: the domain of the task.
  struct Use {
    Context context = kAlways, home = kAlways;
  };

  void enter_tasks();
  void visit(std::uint32_t n, const Conditionalizer* trial);
  void visit_lazy(std::uint32_t n, Use at, const Conditionalizer* trial);
  void decide(std::uint32_t side, Use at);
  void add_use(std::uint32_t n, Use use);
  void join(std::vector<Use>& uses, Use use) const;
  std::vector<Use> places_of(std::uint32_t n) const;
  std::vector<Use> places_of_risky(std::uint32_t n) const;
  // As far as they do not exclude each other; false if they do.
  bool enter(Use& at, std::span<const Literal> literals);
  bool enter_domain(Use& at, std::span<const Literal> literals);
  std::vector<Literal> in_order(Literal literal) const;  // its parts, bounds first
  bool worth_a_branch(std::uint32_t n) const;            // asked of the trial
  void sum_weights();
  std::uint32_t resolve(std::uint32_t n, Context context) const;

  const ExprGraph& exprs_;
  const MemoryOrder& memory_;
  Contexts& contexts_;
  std::vector<Context> common_;  // by expression: of its uses; kNone: no use
  // By expression with risks: all of them; by expression that reads: joined as far as they can be.
  std::vector<std::vector<Use>> uses_;
  std::vector<std::uint32_t> first_node_, node_count_;  // by expression
  std::vector<BodyNode> nodes_;
  std::vector<std::uint32_t> alias_of_;  // by node: the expression instead
  std::vector<BodyTask> tasks_;
  std::vector<Sides> sides_;            // by expression, of its first node
  std::vector<std::uint64_t> weights_;  // by context, with those inside
};

}  // namespace lathe::lower
