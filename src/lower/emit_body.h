// SPDX-License-Identifier: Apache-2.0
#pragma once
// Units in their order, as statements of Loops.

#include <unordered_map>
#include <vector>

#include "lower/blocks.h"

namespace lathe::lower {

class BodyEmitter {
 public:
  BodyEmitter(ir::Maker& maker, const std::vector<Task>& tasks, const OrderOptions& options,
              const BodyGraph& body, const Places& places, const UnitGraph& graph,
              const Blocks& blocks);

  loops::Body run(const std::vector<std::uint32_t>& order);

 private:
  void emit(std::uint32_t unit);
  void emit_let(std::uint32_t node);
  void emit_declare(std::uint32_t node);
  void emit_load(std::uint32_t group);
  void emit_task(std::uint32_t number);
  void emit_fault(std::uint32_t node);
  void open(std::uint32_t block);  // the `if` around a block, unless it is there
  loops::Body finish();
  void simplify(loops::If& branch);

  Expr reference(std::uint32_t node);  // from a statement that uses it
  Expr operation(std::uint32_t node);  // the node itself, on references
  Expr rebuild(std::uint32_t node);
  void name(std::uint32_t node);
  Expr zero(ir::DType t) const;
  template <class S>
  void put(S statement);

  ir::Maker& maker_;
  ir::Build build_;
  const std::vector<Task>& tasks_;
  const OrderOptions& options_;
  const BodyGraph& body_;
  const Places& places_;
  const UnitGraph& graph_;
  const Blocks& blocks_;

  std::vector<loops::Body> bodies_;     // by block
  std::vector<std::size_t> positions_;  // by branching: in the body around; npos: not yet
  std::uint32_t block_ = 0;             // where statements go
  std::vector<Expr> scalars_;           // by register: the Param
  std::vector<Expr> channels_;          // by node of a group: what reads it
  std::vector<Expr> inside_;            // by node inside an expression
  std::vector<std::uint32_t> node_of_;  // by register
};

}  // namespace lathe::lower
