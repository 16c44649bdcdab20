// SPDX-License-Identifier: Apache-2.0
// Running the steps. A step of the level Row works on cells, as a row of one point; its result is
// repeated along a row if pieces use it.

#include "interp/row_program.h"

#include <algorithm>
#include <cstring>

#include "base/stop.h"
#include "interp/reduction.h"
#include "interp/row_compiler.h"

namespace lathe::interp {

void broadcast(DType t, const void* cell, void* row);  // row_emit.cpp

RowProgram::RowProgram(Space& space, std::vector<Expr> roots, std::vector<ir::Target> targets,
                       Symbol variable, bool guarded)
    : space_(space), variable_(variable ? space.variable(variable) : kNone) {
  RowCompiler(*this, variable, {}).compile(roots, targets, guarded);
  finish(variable_ != kNone);
}

RowProgram::RowProgram(Space& space, std::vector<Expr> roots, std::vector<Symbol> inputs)
    : space_(space), inputs_(inputs.size(), kNone) {
  RowCompiler(*this, Symbol(), std::move(inputs)).compile(roots, {}, false);
  // An operand that the result does not use still gets its row, somewhere.
  for (Id& v : inputs_) {
    if (v != kNone) continue;
    v = static_cast<Id>(rows_.size());
    rows_.push_back(nullptr);
  }
  finish(true);
}

RowProgram::~RowProgram() = default;

void RowProgram::finish(bool has_rows) {
  if (!has_rows)
    for (std::size_t v = 0; v < cells_.size(); ++v) rows_[v] = &cells_[v];
  run_steps(constant_steps_, 0, 1);
  const auto varying = std::partition(kept_broadcasts_.begin(), kept_broadcasts_.end(),
                                      [&](Id v) { return levels_[v] == Level::Constant; });
  for (auto v = kept_broadcasts_.begin(); v != varying; ++v)
    broadcast(dtypes_[*v], cell(*v), storage_[*v]);
  kept_broadcasts_.erase(kept_broadcasts_.begin(), varying);
  constant_faulty_ = faulty_;
}

void RowProgram::start() {
  if (row_faulty_) forget_faults(row_steps_);
  faulty_ = constant_faulty_;
  run_steps(row_steps_, 0, 1);
  for (Id v : kept_broadcasts_) broadcast(dtypes_[v], cell(v), storage_[v]);
  row_faulty_ = faulty_;
}

void RowProgram::run(std::int64_t first, std::size_t n) {
  if (piece_faulty_) forget_faults(piece_steps_);
  faulty_ = row_faulty_;
  run_steps(piece_steps_, first, n);
  piece_faulty_ = faulty_;
  for (AccessPlan& t : target_plans_) find_target(t, first, n);
}

void RowProgram::forget_faults(const std::vector<Step>& steps) {
  for (const Step& s : steps)
    if (s.kind != Kind::Mask) faults_[s.out] = nullptr;
}

void RowProgram::run_steps(const std::vector<Step>& steps, std::int64_t first, std::size_t n) {
  for (const Step& s : steps) {
    if (s.mask == kNone || masks_[s.mask].any) {
      run_step(s, first, n);
    } else if (s.kind == Kind::Access && s.level == Level::Piece) {
      rows_[s.out] = storage_[s.out];  // not where an earlier piece lay: that may be gone
    }
  }
  stop_if_asked();
  space_.operations += steps.size() * n;
  if (space_.operations > space_.options.operation_cap) [[unlikely]]
    throw TooLong(space_.options.operation_cap);
}

void RowProgram::run_step(const Step& s, std::int64_t first, std::size_t n) {
  switch (s.kind) {
    case Kind::Apply: return run_apply(s, n);
    case Kind::Index: {
      auto* out = static_cast<std::int64_t*>(storage_[s.out]);
      for (std::size_t p = 0; p < n; ++p) out[p] = first + static_cast<std::int64_t>(p);
      return;
    }
    case Kind::Variable: {
      const std::int64_t x = space_.value(s.plan);
      std::memcpy(cell(s.out), &x, sizeof x);
      return;
    }
    case Kind::Access: return run_access(s, first, n);
    case Kind::Lookup: return run_lookup(s, n);
    case Kind::Reduce: return run_reduce(s, first, n);
    case Kind::Broadcast:
      broadcast(dtypes_[s.out], cell(args_[s.first_arg]), storage_[s.out]);
      if (faulty_) pass_faults(s, n);
      return;
    case Kind::Mask: return run_mask(s, n);
  }
}

void RowProgram::run_apply(const Step& s, std::size_t n) {
  const void* args[3];
  for (std::uint32_t a = 0; a < s.arg_count; ++a) args[a] = operand(s, a);
  s.function(args, result(s), n);
  if (space_.options.checked) check_operands(s, n);
  if (faulty_) pass_faults(s, n);
}

void RowProgram::run_lookup(const Step& s, std::size_t n) {
  const ir::Table& table = s.node->table();
  const DType index_type = dtypes_[args_[s.first_arg]];
  const auto* index = static_cast<const std::byte*>(operand(s, 0));
  auto* out = static_cast<std::byte*>(result(s));
  for (std::size_t p = 0; p < n; ++p) {
    const ir::Scalar i = ir::Scalar::load(index_type, index + p * ir::size_bytes(index_type));
    const auto at = static_cast<std::uint64_t>(i.as_int());
    // Functions keep their indices inside; at a point that does not count, anything goes.
    const ir::Scalar value = table.values[at < table.values.size() ? at : 0];
    value.store(out + p * ir::size_bytes(table.dtype));
  }
  if (faulty_) pass_faults(s, n);
}

// At the points of the mask, each by itself; once, where the result is the same along the row.
void RowProgram::run_reduce(const Step& s, std::int64_t first, std::size_t n) {
  ReductionRun& reduction = *reductions_[s.plan];
  const std::size_t size = ir::size_bytes(dtypes_[s.out]);
  auto* out = static_cast<std::byte*>(result(s));
  const bool along = s.level == Level::Piece && variable_ != kNone;
  const bool once = !along || !reduction.mentions_outer_row();
  if (along && !once && n >= kWideFrom && reduction.runs_wide() &&
      reduction.run_wide_expression(first, n, out))
    return;
  const Mask* mask = s.mask != kNone ? &masks_[s.mask] : nullptr;
  const std::int64_t saved = variable_ != kNone ? space_.value(variable_) : 0;
  for (std::size_t p = 0; p < n; ++p) {
    if (mask != nullptr && mask->level == Level::Piece && mask->row[p] == 0) continue;
    if (along) space_.value(variable_) = first + static_cast<std::int64_t>(p);
    bool failed = false;
    try {
      reduction.run_expression().store(out + p * size);
    } catch (Fault& fault) {
      failed = true;
      std::memset(out + p * size, 0, size);
      record_fault(s, p, std::move(fault));
    }
    if (!once) continue;
    for (std::size_t q = p + 1; q < n; ++q) std::memcpy(out + q * size, out + p * size, size);
    if (failed)
      for (std::size_t q = p + 1; q < n; ++q) fault_row(s.out)[q] = s.id;
    break;
  }
  if (variable_ != kNone) space_.value(variable_) = saved;
  if (faulty_) spread_cell_fault(s);
}

void RowProgram::run_mask(const Step& s, std::size_t n) {
  Mask& mask = masks_[s.out];
  const Mask* parent = mask.parent != kNone ? &masks_[mask.parent] : nullptr;
  if (parent != nullptr && !parent->any) {
    mask.any = false;
    return;
  }
  const auto* condition = static_cast<const std::uint8_t*>(operand(s, 0));
  const std::uint8_t flip = mask.when ? 0 : 1;
  std::uint8_t any = 0;
  if (parent != nullptr && parent->level == Level::Piece) {
    for (std::size_t p = 0; p < n; ++p) {
      mask.row[p] = static_cast<std::uint8_t>((condition[p] ^ flip) & parent->row[p]);
      any |= mask.row[p];
    }
  } else {
    for (std::size_t p = 0; p < n; ++p) {
      mask.row[p] = condition[p] ^ flip;
      any |= mask.row[p];
    }
  }
  mask.any = any != 0;
}

std::int64_t RowProgram::integer_cell(Id v) const {
  if (dtypes_[v] == DType::I64) return static_cast<std::int64_t>(cells_[v]);
  return ir::Scalar::load(dtypes_[v], &cells_[v]).as_int();
}

}  // namespace lathe::interp
