// SPDX-License-Identifier: Apache-2.0
// Accumulating statements: t[i] += e over i and k.
//
// The variables of the target's indices are *kept*, the others *reduced*. At each kept point the
// target's old content is combined with a reduction over the reduced variables, in the
// statement's order:
//
//   for i in 0..n, k in 0..m where g: t[i] += e    =>    for i: t[i] = t[i] (+) reduce k where g: e
//
// If an index is not simply a variable plus a constant (a scatter), all variables are kept: each
// point is combined by itself, in domain order. If a kept range depends on a reduced variable
// (for k in 0..n, i in 0..k), it is widened to all values it takes and its bounds become a guard.
//
// Contents live in the accumulator's dtype until the statement ends, and reads see what was there
// before it began; where either makes a difference, results wait in a table.

#include <algorithm>
#include <cstring>

#include "interp/contents.h"
#include "interp/executor.h"
#include "ir/accumulation_order.h"
#include "ir/build.h"
#include "ir/traverse.h"

namespace lathe::interp {

using ir::Op;
using ir::Range;

std::unique_ptr<Combination> make_combination(Space& space, const ir::Accumulation& how) {
  if (!how.combiner) return std::make_unique<Combination>(space, how.op, how.dtype);
  const ir::Combiner* combiner = space.program.find_combiner(how.combiner);
  check(combiner != nullptr, "a combiner of the program");
  return std::make_unique<Combination>(space, *combiner);
}

namespace {

bool contains(const std::vector<Symbol>& names, Symbol name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class AccumulatingStatement final : public Runner {
 public:
  AccumulatingStatement(Space& space, const ir::Statement& s, const ir::Domain& domain,
                        const std::vector<Symbol>& reduced)
      : space_(space),
        nest_(space, select(domain.ranges, reduced, false)),
        guarded_(reduced.empty() && domain.guard != nullptr),
        combination_(make_combination(space, *s.accumulate)),
        contents_(space, s, *combination_, reads_own_target(s, domain, false)),
        acc_(*combination_, 1),
        wide_(*combination_, 1),
        offsets_(s.targets.size()) {
    std::vector<Expr> roots;
    if (reduced.empty()) {
      if (guarded_) roots.push_back(domain.guard);
      for (Expr v : point_values(space, *combination_, s.values)) roots.push_back(v);
    } else {
      reduction_ = std::make_unique<ReductionRun>(
          space, select(domain.ranges, reduced, true), domain.guard, s.values,
          make_combination(space, *s.accumulate), s.accumulate->order, nest_.row_variable());
    }
    rows_ = std::make_unique<RowProgram>(space, std::move(roots), s.targets, nest_.row_variable(),
                                         guarded_);
    if (nest_.levels() > 0) variable_ = space.variable(nest_.row_variable());
  }

  void run() override {
    contents_.begin();
    nest_.for_each_row([&](std::int64_t lo, std::int64_t hi) {
      rows_->start();
      for_each_piece(lo, hi, [&](std::int64_t first, std::size_t n) {
        rows_->run(first, n);
        if (reduction_ && n >= kWideFrom && reduction_->runs_wide() && reduce_wide(first, n))
          return;
        for (std::size_t p = 0; p < n; ++p) reduction_ ? reduce(first, p) : scatter(first, p);
      });
    });
    contents_.end();
  }

 private:
  // One kept point: old content (+) the reduction. Its target matters only if any point exists.
  void reduce(std::int64_t first, std::size_t p) {
    const std::int64_t x = first + static_cast<std::int64_t>(p);
    if (variable_ != kNone) space_.value(variable_) = x;
    if (find_offsets(p)) {
      contents_.load(offsets_, acc_.at(0));
      if (reduction_->run(acc_.at(0))) contents_.store(offsets_, acc_.at(0));
      return;
    }
    acc_.set_neutral(0);
    if (reduction_->run(acc_.at(0))) explain_target(x, p);
  }

  // All points of a piece together; false, and nothing has happened, when there is a fault.
  bool reduce_wide(std::int64_t first, std::size_t n) {
    if (rows_->faulty() || rows_->targets_faulty()) return false;
    wide_.set_width(n);
    std::vector<void*> start(wide_.at(0), wide_.at(0) + combination_->components()), element(start);
    const auto set_element = [&](std::size_t p) {
      find_offsets(p);
      for (std::size_t c = 0; c < start.size(); ++c)
        element[c] = static_cast<std::byte*>(start[c]) + p * ir::size_bytes(combination_->dtype(c));
    };
    for (std::size_t p = 0; p < n; ++p) {
      set_element(p);
      contents_.load(offsets_, element.data());
      if (contents_.is_unwritten()) return false;
    }
    bool any = false;
    if (!reduction_->run_wide(first, n, start.data(), &any)) return false;
    for (std::size_t p = 0; any && p < n; ++p) {
      set_element(p);
      contents_.store(offsets_, element.data());
    }
    return true;
  }

  // One point, combined with what the points before it left.
  void scatter(std::int64_t first, std::size_t p) {
    const std::int64_t x = first + static_cast<std::int64_t>(p);
    const std::size_t first_value = guarded_ ? 1 : 0;
    if (rows_->faulty() && guarded_ && rows_->root_fault(0, p)) rows_->explain_root(0, x);
    if (guarded_ && static_cast<const std::uint8_t*>(rows_->row(0))[p] == 0) return;
    if (!find_offsets(p)) explain_target(x, p);
    point_.clear();
    for (std::size_t r = 0; r < combination_->point_rows(); ++r) {
      if (rows_->faulty() && rows_->root_fault(first_value + r, p))
        rows_->explain_root(first_value + r, x);
      const DType t = combination_->dtype(combination_->is_contract() ? 0 : r);
      point_.push_back(static_cast<const std::byte*>(rows_->row(first_value + r)) +
                       p * ir::size_bytes(t));
    }
    if (variable_ != kNone) space_.value(variable_) = x;
    contents_.load(offsets_, acc_.at(0));
    combination_->absorb(acc_.at(0), point_.data(), 1);
    contents_.store(offsets_, acc_.at(0));
  }

  bool find_offsets(std::size_t p) {
    for (std::size_t t = 0; t < offsets_.size(); ++t) {
      if (rows_->target_fault(t, p)) return false;
      offsets_[t] = rows_->places(t).at(p);
    }
    return true;
  }

  [[noreturn]] void explain_target(std::int64_t x, std::size_t p) {
    for (std::size_t t = 0; t < offsets_.size(); ++t)
      if (rows_->target_fault(t, p)) rows_->explain_target(t, x);
    internal_error("a target outside its array");
  }

  // The ranges of the named variables, or of all others.
  static std::vector<Range> select(const std::vector<Range>& ranges,
                                   const std::vector<Symbol>& names, bool named) {
    std::vector<Range> result;
    for (const Range& r : ranges)
      if (contains(names, r.variable) == named) result.push_back(r);
    return result;
  }

  Space& space_;
  Nest nest_;
  bool guarded_;
  std::unique_ptr<Combination> combination_;
  Contents contents_;
  Accumulators acc_, wide_;
  std::vector<std::int64_t> offsets_;
  std::unique_ptr<ReductionRun> reduction_;
  std::unique_ptr<RowProgram> rows_;
  std::vector<const void*> point_;
  Id variable_ = kNone;
};

// Kept ranges that depend on reduced variables: widened anew for each run.
class WidenedStatement final : public Runner {
 public:
  WidenedStatement(Space& space, const ir::Statement& s, ir::Domain domain,
                   std::vector<Symbol> reduced)
      : space_(space),
        statement_(s),
        domain_(std::move(domain)),
        reduced_(std::move(reduced)),
        nest_(space, domain_.ranges) {}

  void run() override {
    const std::vector<Interval> hull = nest_.hull();
    ir::RawMaker maker(*space_.program.graph);
    const ir::Build build(maker);
    ir::Domain domain = domain_;
    Expr guard = nullptr;
    for (std::size_t r = 0; r < domain.ranges.size(); ++r) {
      Range& range = domain.ranges[r];
      if (!depends(range)) continue;
      const Expr x = space_.program.graph->index(range.variable);
      const Expr inside = build.logical_and(build.le(range.lo, x), build.lt(x, range.hi));
      guard = guard == nullptr ? inside : build.logical_and(guard, inside);
      range.lo = build.integer(hull[r].lo);
      range.hi = build.integer(hull[r].hi);
    }
    if (domain.guard == nullptr) {
      domain.guard = guard;
    } else if (guard != nullptr) {
      domain.guard = build.logical_and(guard, domain.guard);
    }
    AccumulatingStatement(space_, statement_, domain, reduced_).run();
  }

 private:
  bool depends(const Range& kept) const {
    if (contains(reduced_, kept.variable)) return false;
    return std::any_of(reduced_.begin(), reduced_.end(), [&](Symbol v) {
      return ir::mentions(kept.lo, v) || ir::mentions(kept.hi, v);
    });
  }

  Space& space_;
  const ir::Statement& statement_;
  ir::Domain domain_;
  std::vector<Symbol> reduced_;
  Nest nest_;
};

}  // namespace

std::unique_ptr<Runner> make_accumulation(Space& space, const ir::Statement& s, ir::Domain domain) {
  std::vector<ir::Target> targets = s.targets;
  for (ir::Target& t : targets) t.indices = target_indices(space, t);
  const std::vector<Symbol> reduced =
      ir::reduced_variables(targets, domain.ranges).value_or(std::vector<Symbol>{});
  for (const Range& r : domain.ranges)
    for (Symbol v : reduced)
      if (!contains(reduced, r.variable) && (ir::mentions(r.lo, v) || ir::mentions(r.hi, v)))
        return std::make_unique<WidenedStatement>(space, s, std::move(domain), reduced);
  return std::make_unique<AccumulatingStatement>(space, s, domain, reduced);
}

}  // namespace lathe::interp
