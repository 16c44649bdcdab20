// SPDX-License-Identifier: Apache-2.0
// Tree or chain, from the index structure. A tree runs along rows: it is the natural order where
// one output element owns a contiguous stretch of its operands (row sums, dot products, matrix
// times vector). Where several output elements want the same operand (matrix times matrix, pairwise
// distances, convolution) code keeps a block of outputs in registers and walks the reduced index in
// order: a chain.

#include "ir/accumulation_order.h"

#include <algorithm>

#include "ir/index_form.h"
#include "ir/traverse.h"
#include "ir/typing.h"

namespace lathe::ir {
namespace {

bool contains(std::span<const Symbol> names, Symbol name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Are the reduced variables that this read carries exactly its last axes, in their order?
bool trailing(std::span<const Symbol> reduced, Expr read, std::span<const Symbol> carried) {
  std::vector<Symbol> wanted;
  for (Symbol r : reduced)
    if (contains(carried, r)) wanted.push_back(r);
  const auto indices = view::Read(read).indices;
  if (wanted.size() > indices.size()) return false;
  const std::size_t first = indices.size() - wanted.size();
  for (std::size_t k = 0; k < first; ++k)
    for (Symbol v : free_variables(indices[k]))
      if (contains(reduced, v)) return false;
  for (std::size_t k = 0; k < wanted.size(); ++k)
    if (shifted_variable(indices[first + k]) != wanted[k]) return false;
  return true;
}

}  // namespace

Order structural_order(std::span<const Symbol> reduced, std::span<const Expr> values) {
  // Variables that the read has from outside the reduction, per read.
  std::vector<std::vector<Symbol>> outputs;
  for (Expr n : post_order(values)) {
    if (n->op != Op::Read) continue;
    const std::vector<Symbol> carried = free_variables(n);
    if (!trailing(reduced, n, carried)) return Order::Chain;
    std::vector<Symbol> own;
    for (Symbol v : carried)
      if (!contains(reduced, v)) own.push_back(v);
    outputs.push_back(std::move(own));
  }
  std::unordered_map<Symbol, int> carriers;
  for (const auto& variables : outputs)
    for (Symbol v : variables) ++carriers[v];
  int owners = 0;
  for (const auto& variables : outputs)
    owners +=
        std::any_of(variables.begin(), variables.end(), [&](Symbol v) { return carriers[v] == 1; });
  return owners <= 1 ? Order::Tree : Order::Chain;
}

Order default_order(Op op, DType accumulator, std::span<const Symbol> reduced,
                    std::span<const Expr> values) {
  if (!order_matters(op, accumulator)) return Order::Free;
  if (op != Op::Add && op != Op::Mul && op != Op::Fma) return Order::Seq;
  return structural_order(reduced, values);
}

std::optional<std::vector<Symbol>> reduced_variables(std::span<const Target> targets,
                                                     std::span<const Range> ranges) {
  std::vector<Symbol> kept;
  for (const Target& t : targets) {
    for (Expr index : t.indices) {
      if (Symbol v = shifted_variable(index)) {
        kept.push_back(v);
      } else if (!free_variables(index).empty() || !reads(index).empty()) {
        return std::nullopt;
      }
    }
  }
  std::vector<Symbol> reduced;
  for (const Range& r : ranges)
    if (!contains(kept, r.variable)) reduced.push_back(r.variable);
  return reduced;
}

Order default_order(const Statement& statement, std::span<const Range> ranges) {
  const Accumulation& how = *statement.accumulate;
  if (!how.combiner && !order_matters(how.op, how.dtype)) return Order::Free;
  const auto reduced = reduced_variables(statement.targets, ranges);
  if (!reduced) return Order::Seq;
  // A tuple operation is taken to be associative up to rounding, as a float sum is.
  if (how.combiner) return structural_order(*reduced, statement.values);
  return default_order(how.op, how.dtype, *reduced, statement.values);
}

DType default_accumulator(DType summand) { return is_half(summand) ? DType::F32 : summand; }

}  // namespace lathe::ir
