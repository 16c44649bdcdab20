// SPDX-License-Identifier: Apache-2.0
#pragma once
// The expressions of the tasks as one graph, each expression once, operands before users, with what
// the order of a body asks about each of them.
//
// Every lazy operation has three operands here: gate(c, x) is select(c, x, 0), `a and b` is
// select(a, b, false), `a or b` is select(a, true, b).

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "lower/memory_order.h"

namespace lathe::lower {

// Tests of the range of a read that may lie outside; bits of masks count them.
struct RangeTests {
  std::vector<Expr> tests;  // lo <= index, index < hi per axis; empty when nobody knows the axes
  std::vector<LinearFact> facts;
};
inline constexpr std::uint64_t kUnknownRange = std::uint64_t{1} << 63;

struct ExprNode {
  Expr expr = nullptr;
  const MemoryRead* memory = nullptr;  // of a Read that has one
  std::uint32_t first_operand = 0, operand_count = 0;
  std::uint32_t weight = 0;     // of the operation, in additions
  std::uint32_t range = kNone;  // a read that may lie outside: index of its RangeTests
  std::uint32_t risks = 0;      // what may lie outside here and below: index of a set; 0: nothing
  bool reads = false;           // here or below, what lies inside at the statement's points alone
  bool lazy = false;
  bool free = false;  // a leaf, or a few operations on indices: written out wherever it is used
};

class ExprGraph {
 public:
  ExprGraph(ir::Maker& maker, const MemoryOrder& memory, const OrderOptions& options);

  std::size_t size() const { return nodes_.size(); }
  const ExprNode& operator[](std::uint32_t n) const { return nodes_[n]; }
  std::span<const std::uint32_t> operands(std::uint32_t n) const {
    return {operands_.data() + nodes_[n].first_operand, nodes_[n].operand_count};
  }
  std::uint32_t number(Expr e) const { return numbers_.at(e); }
  // What is printed for a node, and its operands as that has them.
  Expr source(std::uint32_t n) const;
  // The program's own read: what OrderOptions are asked about.
  Expr origin(std::uint32_t n) const;
  const RangeTests& range(std::uint32_t n) const { return ranges_[nodes_[n].range]; }

 private:
  // A read below that may lie outside, unless the tests that are not in `open` fail to protect it.
  struct Risk {
    std::uint32_t read = 0;
    std::uint64_t open = 0;
    friend bool operator==(const Risk&, const Risk&) = default;
  };
  using Risks = std::vector<Risk>;

  void add(Expr root);
  std::uint32_t push(Expr e, const MemoryRead* memory);
  void add_range(std::uint32_t n, ExprNode& node);
  void find_risks(std::uint32_t n);
  Risks protect(std::uint32_t risks, Literal condition) const;
  std::uint32_t intern(Risks risks);

  ir::Maker& maker_;
  const MemoryOrder& memory_;
  const OrderOptions& options_;
  std::vector<ExprNode> nodes_;
  std::vector<std::uint32_t> operands_;
  std::unordered_map<Expr, std::uint32_t> numbers_;
  std::vector<RangeTests> ranges_;
  std::vector<Risks> risks_;  // 0: none; 1: too many to tell apart
};

// The operands of a lazy operation among its three.
std::span<const std::uint8_t> lazy_operands(ir::Op op);

}  // namespace lathe::lower
