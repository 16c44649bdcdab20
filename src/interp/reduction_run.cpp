// SPDX-License-Identifier: Apache-2.0
// A reduction over its ranges: loops over all variables but the last, rows along the last.

#include "interp/reduction.h"
#include "ir/traverse.h"

namespace lathe::interp {
namespace {

bool is_true(Expr e) { return e == nullptr || (ir::is_const(e) && e->scalar().as_bool()); }

std::vector<ir::Range> ranges_of(Expr reduce) {
  const ir::view::Reduce r(reduce);
  std::vector<ir::Range> ranges;
  for (std::size_t v = 0; v < r.info.variables.size(); ++v)
    ranges.push_back({r.info.variables[v], r.lo(v), r.hi(v)});
  return ranges;
}

std::vector<Expr> values_of(Expr reduce) {
  const ir::view::Reduce r(reduce);
  return {r.values.begin(), r.values.end()};
}

}  // namespace

ReductionRun::ReductionRun(Space& space, std::vector<ir::Range> ranges, Expr guard,
                           std::vector<Expr> values, std::unique_ptr<Combination> combination,
                           ir::Order order, Symbol outer_row)
    : space_(space),
      combination_(std::move(combination)),
      reducer_(*combination_, order, ranges.size()),
      nest_(space, std::move(ranges)),
      guarded_(!is_true(guard)) {
  std::vector<Expr> roots;
  if (guarded_) roots.push_back(guard);
  for (Expr v : point_values(space, *combination_, values)) roots.push_back(v);
  rows_ = std::make_unique<RowProgram>(space, roots, std::vector<ir::Target>{},
                                       nest_.row_variable(), guarded_);
  if (outer_row && !guarded_ && nest_.levels() > 0 && wide_pays(values, outer_row))
    wide_rows_ =
        std::make_unique<RowProgram>(space, roots, std::vector<ir::Target>{}, outer_row, false);
}

ReductionRun::ReductionRun(Space& space, Expr reduce, Symbol outer_row)
    : ReductionRun(
          space, ranges_of(reduce), ir::view::Reduce(reduce).guard, values_of(reduce),
          std::make_unique<Combination>(space, reduce->reduce().op, reduce->reduce().accumulator),
          reduce->reduce().order, outer_row) {
  // A local of a group varies with the whole point of the group.
  mentions_outer_row_ = outer_row && (ir::mentions(reduce, outer_row) || !space.locals.empty());
  result_ = reduce->dtype;
}

bool ReductionRun::run(void* const* acc) {
  reducer_.set_width(1);
  reducer_.start(acc);
  if (nest_.levels() == 0) {
    run_row(0, 1);
  } else {
    run_level(0, 0);
  }
  reducer_.finish(acc);
  return reducer_.any();
}

ir::Scalar ReductionRun::run_expression() {
  std::uint64_t cell = 0;
  combination_->neutral(0).store(&cell);
  void* acc = &cell;
  run(&acc);
  return ir::Scalar::load(combination_->dtype(0), &cell).cast(result_);
}

// Along the row around, if the bounds are the same there, and more reads are contiguous that way
// than along the last reduced variable, or that one is short.
bool ReductionRun::wide_pays(const std::vector<Expr>& values, Symbol outer_row) const {
  if (!space_.locals.empty()) return false;
  for (const ir::Range& r : nest_.ranges())
    if (ir::mentions(r.lo, outer_row) || ir::mentions(r.hi, outer_row)) return false;
  const ir::Range& last = nest_.ranges().back();
  const bool is_short = ir::is_const(last.lo) && ir::is_const(last.hi) &&
                        last.hi->scalar().as_int() - last.lo->scalar().as_int() <= kShort;
  int along_outer = 0, along_reduced = 0;
  for (Expr v : values)
    for (Expr read : ir::reads(v)) {
      const auto indices = ir::view::Read(read).indices;
      if (indices.empty()) continue;
      along_outer += ir::mentions(indices.back(), outer_row) ? 1 : 0;
      along_reduced += ir::mentions(indices.back(), last.variable) ? 1 : 0;
    }
  return is_short || (along_outer > 0 && along_outer >= along_reduced);
}

bool ReductionRun::run_wide(std::int64_t first, std::size_t n, void* const* acc, bool* any) {
  reducer_.set_width(n);
  reducer_.start(acc);
  if (!run_wide_level(0, 0, first, n)) return false;
  reducer_.finish(acc);
  *any = reducer_.any();
  return true;
}

bool ReductionRun::run_wide_level(std::size_t level, std::int64_t element, std::int64_t first,
                                  std::size_t n) {
  const Interval i = nest_.bounds(level);
  reducer_.enter(level, i.length(), element);
  std::vector<const void*> pointers(combination_->point_rows());
  for (std::int64_t x = i.lo; x < i.hi; ++x) {
    nest_.set(level, x);
    if (level + 1 < nest_.levels()) {
      if (!run_wide_level(level + 1, x - i.lo, first, n)) return false;
      continue;
    }
    wide_rows_->start();
    wide_rows_->run(first, n);
    if (wide_rows_->faulty()) return false;
    for (std::size_t v = 0; v < pointers.size(); ++v) pointers[v] = wide_rows_->row(v);
    reducer_.points(x - i.lo, pointers.data(), nullptr, 1);
  }
  reducer_.leave(level);
  return true;
}

bool ReductionRun::run_wide_expression(std::int64_t first, std::size_t n, void* out) {
  const DType t = combination_->dtype(0);
  std::vector<std::uint64_t> row(n);
  for (std::size_t p = 0; p < n; ++p)
    combination_->neutral(0).store(reinterpret_cast<std::byte*>(row.data()) +
                                   p * ir::size_bytes(t));
  void* acc = row.data();
  bool any = false;
  try {
    if (!run_wide(first, n, &acc, &any)) return false;
  } catch (const Fault&) {
    return false;
  }
  const void* from = acc;
  cast_function(t, result_)(&from, out, n);
  return true;
}

void ReductionRun::run_level(std::size_t level, std::int64_t element) {
  const Interval i = nest_.bounds(level);
  reducer_.enter(level, i.length(), element);
  if (level + 1 == nest_.levels()) {
    run_row(i.lo, i.hi);
  } else {
    for (std::int64_t x = i.lo; x < i.hi; ++x) {
      nest_.set(level, x);
      run_level(level + 1, x - i.lo);
    }
  }
  reducer_.leave(level);
}

void ReductionRun::run_row(std::int64_t lo, std::int64_t hi) {
  if (hi <= lo) return;
  rows_->start();
  const std::size_t first_value = guarded_ ? 1 : 0;
  const void* rows[8];
  const std::size_t count = combination_->point_rows();
  std::vector<const void*> many(count > 8 ? count : 0);
  const void** pointers = count > 8 ? many.data() : rows;
  for_each_piece(lo, hi, [&](std::int64_t first, std::size_t n) {
    rows_->run(first, n);
    const auto* present = guarded_ ? static_cast<const std::uint8_t*>(rows_->row(0)) : nullptr;
    if (rows_->faulty()) {
      for (std::size_t p = 0; p < n; ++p) {
        const std::int64_t x = first + static_cast<std::int64_t>(p);
        if (guarded_ && rows_->root_fault(0, p)) rows_->explain_root(0, x);
        if (present != nullptr && present[p] == 0) continue;
        for (std::size_t v = 0; v < count; ++v)
          if (rows_->root_fault(first_value + v, p)) rows_->explain_root(first_value + v, x);
      }
    }
    for (std::size_t v = 0; v < count; ++v) pointers[v] = rows_->row(first_value + v);
    if (nest_.levels() == 0) {
      if (present == nullptr || present[0] != 0) reducer_.point(pointers);
    } else {
      reducer_.points(first - lo, pointers, present, n);
    }
  });
}

}  // namespace lathe::interp
