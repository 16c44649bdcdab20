// SPDX-License-Identifier: Apache-2.0
// Scans: at each point of the domain, along the range, the running combination of the values.
//
//   for i in 0..n scan j in 0..m: t[i, j] += x[i, j]
//
// seq: from the neutral element, one value after another; each result is stored after its value
// (exclusive: before). blocked: the same inside blocks of 4,096 points; block totals add up from
// left to right, and every result of a later block is the total before it (+) its own. What the
// target held before does not count. Absent points store nothing.

#include <cstring>

#include "interp/executor.h"

namespace lathe::interp {
namespace {

class ScanStatement final : public Runner {
 public:
  ScanStatement(Space& space, const ir::Scan& s, ir::Domain domain)
      : space_(space),
        nest_(space, with_range(domain, s.range)),
        guarded_(domain.guard != nullptr),
        exclusive_(s.exclusive),
        blocked_(s.blocked),
        combination_(make_combination(space, *s.statement.accumulate)),
        running_(*combination_, 1),
        before_(*combination_, 1),
        result_(*combination_, 1) {
    std::vector<Expr> roots;
    if (guarded_) roots.push_back(domain.guard);
    for (Expr v : point_values(space, *combination_, s.statement.values)) roots.push_back(v);
    rows_ = std::make_unique<RowProgram>(space, std::move(roots), s.statement.targets,
                                         nest_.row_variable(), guarded_);
    for (const ir::Target& t : s.statement.targets) {
      arrays_.push_back(space.find(t.array));
      pending_.emplace_back(space, arrays_.back());
    }
  }

  void run() override {
    nest_.for_each_row([&](std::int64_t lo, std::int64_t hi) {
      running_.set_neutral(0);
      before_.set_neutral(0);
      rows_->start();
      for_each_piece(lo, hi, [&](std::int64_t first, std::size_t n) {
        rows_->run(first, n);
        for (std::size_t p = 0; p < n; ++p) {
          const std::int64_t e = first - lo + static_cast<std::int64_t>(p);
          if (blocked_ && e > 0 && e % kBlock == 0) end_block(e == kBlock);
          if (exists(first, p)) point(p, blocked_ && e >= kBlock);
        }
      });
    });
    for (PendingWrites& p : pending_) p.flush(true);
  }

 private:
  static std::vector<ir::Range> with_range(const ir::Domain& domain, const ir::Range& range) {
    std::vector<ir::Range> ranges = domain.ranges;
    ranges.push_back(range);
    return ranges;
  }

  bool exists(std::int64_t first, std::size_t p) {
    const std::int64_t x = first + static_cast<std::int64_t>(p);
    if (guarded_ && rows_->faulty() && rows_->root_fault(0, p)) rows_->explain_root(0, x);
    if (guarded_ && static_cast<const std::uint8_t*>(rows_->row(0))[p] == 0) return false;
    for (std::size_t t = 0; t < arrays_.size(); ++t)
      if (rows_->target_fault(t, p)) rows_->explain_target(t, x);
    if (rows_->faulty())
      for (std::size_t v = 0; v < combination_->point_rows(); ++v)
        if (rows_->root_fault(v + guarded_, p)) rows_->explain_root(v + guarded_, x);
    return true;
  }

  void point(std::size_t p, bool later_block) {
    if (exclusive_) store(p, later_block);
    std::vector<const void*> values;
    for (std::size_t v = 0; v < combination_->point_rows(); ++v) {
      const DType t = combination_->dtype(combination_->is_contract() ? 0 : v);
      values.push_back(static_cast<const std::byte*>(rows_->row(v + guarded_)) +
                       p * ir::size_bytes(t));
    }
    combination_->absorb(running_.at(0), values.data(), 1);
    if (!exclusive_) store(p, later_block);
  }

  void store(std::size_t p, bool later_block) {
    Accumulators& result = later_block ? result_ : running_;
    if (later_block) {
      result_.set(0, before_.at(0));
      combination_->join(result_.at(0), running_.at(0), 1);
    }
    void** values = result.at(0);
    for (std::size_t c = 0; c < arrays_.size(); ++c) {
      std::uint64_t cell = 0;
      ir::Scalar::load(combination_->dtype(c), values[c])
          .cast(space_.array(arrays_[c]).dtype)
          .store(&cell);
      pending_[c].add({nullptr, rows_->places(c).at(p), 0}, &cell, nullptr, 1);
    }
  }

  void end_block(bool first) {
    if (first) {
      before_.set(0, running_.at(0));
    } else {
      combination_->join(before_.at(0), running_.at(0), 1);
    }
    running_.set_neutral(0);
  }

  Space& space_;
  Nest nest_;
  bool guarded_, exclusive_, blocked_;
  std::unique_ptr<Combination> combination_;
  Accumulators running_;  // of this block
  Accumulators before_;   // of all blocks before it
  Accumulators result_;
  std::unique_ptr<RowProgram> rows_;
  std::vector<Id> arrays_;
  std::vector<PendingWrites> pending_;
};

}  // namespace

std::unique_ptr<Runner> make_scan(Space& space, const ir::Scan& s, ir::Domain domain) {
  return std::make_unique<ScanStatement>(space, s, std::move(domain));
}

}  // namespace lathe::interp
