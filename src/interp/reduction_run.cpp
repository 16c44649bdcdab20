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
                           ir::Order order)
    : space_(space),
      combination_(std::move(combination)),
      reducer_(*combination_, order, ranges.size()),
      nest_(space, std::move(ranges)),
      guarded_(!is_true(guard)) {
  std::vector<Expr> roots;
  if (guarded_) roots.push_back(guard);
  for (Expr v : point_values(space, *combination_, values)) roots.push_back(v);
  rows_ = std::make_unique<RowProgram>(space, std::move(roots), std::vector<ir::Target>{},
                                       nest_.row_variable(), guarded_);
}

ReductionRun::ReductionRun(Space& space, Expr reduce, Symbol outer_row)
    : ReductionRun(space, ranges_of(reduce), ir::view::Reduce(reduce).guard, values_of(reduce),
                   std::make_unique<Combination>(space, reduce->reduce().op,
                                                 reduce->reduce().accumulator),
                   reduce->reduce().order) {
  // A local of a group varies with the whole point of the group.
  mentions_outer_row_ = outer_row && (ir::mentions(reduce, outer_row) || !space.locals.empty());
  result_ = reduce->dtype;
}

bool ReductionRun::run(void* const* acc) {
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
