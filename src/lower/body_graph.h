// SPDX-License-Identifier: Apache-2.0
#pragma once
// Conditionalization: the expressions of the tasks, each with the conditions under which it is
// evaluated (document 000). From the tasks down, a node gets the common prefix of the conditions of
// its uses; a lazy operation puts its condition behind its own for what only one side needs.
//
//   w[i] = a * select(c, exp(x) + y, 0.0)        a, c, the select   always
//   where d: z[i] = y                            exp(x), its sum    [c]
//                                                y                  always: common prefix of [c],
//                                                [d]
//
// The common prefix says too much for a read that may lie outside of its buffer, and for what is
// made of such reads: those are evaluated once per list of conditions instead. And it may say too
// little for any other read where loops run over more than a statement's own points: it stays
// within the domain of one of its uses.

#include <cstdint>
#include <span>
#include <vector>

#include "lower/conditions.h"
#include "lower/expr_graph.h"

namespace lathe::lower {

struct BodyNode {
  std::uint32_t number = 0;  // in the ExprGraph
  Context context = kAlways;
  std::uint32_t first_operand = 0, operand_count = 0;
  bool alias = false;  // a lazy operation that the conditions around decide: nobody uses this node
  // A lazy operation as a variable with an assignment per side; operands: yes, no. A side whose
  // context is kNone is the variable's initial value; without such a side it starts as zero.
  bool branch = false;
  Context yes = kNone, no = kNone;
};

struct BodyTask {
  bool never = false;         // its conditions exclude each other
  Context context = kAlways;  // never: those before the first that cannot hold
  std::vector<std::uint32_t> indices;
  std::uint32_t value = 0;
};

class BodyGraph {
 public:
  BodyGraph(const ExprGraph& exprs, const MemoryOrder& memory);

  const ExprGraph& exprs() const { return exprs_; }
  const Contexts& contexts() const { return contexts_; }
  const std::vector<BodyNode>& nodes() const { return nodes_; }  // users before operands
  const std::vector<BodyTask>& tasks() const { return tasks_; }
  const ExprNode& expr(std::uint32_t node) const { return exprs_[nodes_[node].number]; }
  std::span<const std::uint32_t> operands(std::uint32_t node) const {
    return {operands_.data() + nodes_[node].first_operand, nodes_[node].operand_count};
  }
  // The last test of a context. Contexts that nothing happens in have none.
  std::uint32_t test(Context c) const { return tests_[c]; }
  // The tests that the context of a read does not answer: a mask, as RangeTests counts.
  std::uint64_t open_tests(std::uint32_t node) const;

 private:
  friend class Conditionalizer;
  const ExprGraph& exprs_;
  Contexts contexts_;
  std::vector<BodyNode> nodes_;
  std::vector<std::uint32_t> operands_;
  std::vector<BodyTask> tasks_;
  std::vector<std::uint32_t> tests_;
};

}  // namespace lathe::lower
