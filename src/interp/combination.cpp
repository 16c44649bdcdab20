// SPDX-License-Identifier: Apache-2.0
// What a reduction does to two accumulators, or to an accumulator and a point.

#include <cstring>

#include "interp/reduction.h"
#include "ir/build.h"
#include "ir/typing.h"

namespace lathe::interp {

using ir::Op;

Combination::Combination(Space&, Op op, DType accumulator)
    : dtypes_{accumulator}, contract_(op == Op::Fma) {
  const Op joining = contract_ ? Op::Add : op;
  join_ = RowFunction(joining, accumulator, accumulator);
  if (contract_) {
    fma_ = RowFunction(Op::Fma, accumulator, accumulator);
    mul_ = RowFunction(Op::Mul, accumulator, accumulator);
  }
  neutral_.push_back(ir::neutral(joining, accumulator).value_or(ir::Scalar{accumulator, 0}));
}

Combination::Combination(Space& space, const ir::Combiner& combiner) : neutral_(combiner.neutral) {
  std::vector<Symbol> inputs;
  for (const ir::Parameter& p : combiner.left) {
    dtypes_.push_back(p.dtype);
    inputs.push_back(p.name);
  }
  for (const ir::Parameter& p : combiner.right) inputs.push_back(p.name);
  tuple_ = std::make_unique<RowProgram>(space, combiner.result, inputs);
}

void Combination::join(void* const* acc, const void* const* partial, std::size_t n) {
  if (!tuple_) {
    const void* args[2] = {acc[0], partial[0]};
    join_(args, acc[0], n);
    return;
  }
  for (std::size_t begin = 0; begin < n; begin += kRow) {
    const std::size_t m = std::min(kRow, n - begin);
    for (std::size_t c = 0; c < components(); ++c) {
      const std::size_t skip = begin * ir::size_bytes(dtypes_[c]);
      tuple_->set_input(c, static_cast<const std::byte*>(acc[c]) + skip);
      tuple_->set_input(components() + c, static_cast<const std::byte*>(partial[c]) + skip);
    }
    tuple_->start();
    tuple_->run(0, m);
    // All results before the first write: an operand may be an accumulator of another component.
    for (std::size_t c = 0; c < components(); ++c) {
      if (tuple_->faulty())
        for (std::size_t p = 0; p < m; ++p)
          if (tuple_->root_fault(c, p)) tuple_->explain_root(c, 0);
    }
    results_.resize(components());
    for (std::size_t c = 0; c < components(); ++c) {
      const std::size_t bytes = m * ir::size_bytes(dtypes_[c]);
      results_[c].resize(bytes);
      std::memcpy(results_[c].data(), tuple_->row(c), bytes);
    }
    for (std::size_t c = 0; c < components(); ++c)
      std::memcpy(static_cast<std::byte*>(acc[c]) + begin * ir::size_bytes(dtypes_[c]),
                  results_[c].data(), results_[c].size());
  }
}

void Combination::absorb(void* const* acc, const void* const* points, std::size_t n) {
  if (!contract_) return join(acc, points, n);
  const void* args[3] = {points[0], points[1], acc[0]};
  fma_(args, acc[0], n);
}

void Combination::begin(void* const* acc, const void* const* points, std::size_t n) {
  if (contract_) {
    mul_(points, acc[0], n);
    return;
  }
  for (std::size_t c = 0; c < components(); ++c)
    std::memcpy(acc[c], points[c], n * ir::size_bytes(dtypes_[c]));
}

Accumulators::Accumulators(const Combination& combination, std::size_t count)
    : combination_(&combination),
      count_(count),
      rows_(combination.components()),
      pointers_(combination.components()) {
  resize(count);
}

void Accumulators::set_width(std::size_t width) {
  width_ = width;
  resize(count_);
}

void Accumulators::resize(std::size_t count) {
  count_ = count;
  for (std::size_t c = 0; c < rows_.size(); ++c)
    rows_[c].resize(count * width_ * ir::size_bytes(combination_->dtype(c)));
}

void** Accumulators::at(std::size_t p) {
  for (std::size_t c = 0; c < rows_.size(); ++c)
    pointers_[c] = rows_[c].data() + p * width_ * ir::size_bytes(combination_->dtype(c));
  return pointers_.data();
}

void Accumulators::set_neutral(std::size_t p) {
  void** to = at(p);
  for (std::size_t c = 0; c < rows_.size(); ++c)
    for (std::size_t w = 0; w < width_; ++w)
      combination_->neutral(c).store(static_cast<std::byte*>(to[c]) +
                                     w * ir::size_bytes(combination_->dtype(c)));
}

void Accumulators::set(std::size_t p, const void* const* from) {
  void** to = at(p);
  for (std::size_t c = 0; c < rows_.size(); ++c)
    std::memmove(to[c], from[c], width_ * ir::size_bytes(combination_->dtype(c)));
}

std::vector<Expr> point_values(Space& space, const Combination& combination,
                               const std::vector<Expr>& values) {
  ir::RawMaker maker(*space.program.graph);
  const ir::Build build(maker);
  std::vector<Expr> result;
  for (std::size_t v = 0; v < values.size(); ++v)
    result.push_back(build.cast(combination.dtype(combination.is_contract() ? 0 : v), values[v]));
  if (!combination.is_contract()) return result;
  if (result.size() == 1) result.push_back(build.constant(combination.dtype(0), 1));
  while (result.size() > 2) {
    const Expr product = build.mul(result[0], result[1]);
    result.erase(result.begin());
    result[0] = product;
  }
  return result;
}

}  // namespace lathe::interp
