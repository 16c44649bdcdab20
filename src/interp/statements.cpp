// SPDX-License-Identifier: Apache-2.0
// Plain statements: guard, indices and values are evaluated at every point against the state before
// the statement, then written. If the statement reads what it writes, the writes wait in a list;
// otherwise each piece is written at once, which nobody can tell.

#include <algorithm>
#include <cstring>

#include "interp/executor.h"
#include "ir/group_rule.h"
#include "ir/labels.h"
#include "ir/traverse.h"

namespace lathe::interp {

std::vector<Expr> target_indices(const Space& space, const ir::Target& target) {
  const auto local = space.locals.find(target.array);
  return local != space.locals.end() ? local->second.indices : target.indices;
}

bool reads_own_target(const ir::Statement& s, const ir::Domain& domain, bool elsewhere) {
  const auto own_element = [&](Expr read, const ir::Target& t) {
    const auto indices = ir::view::Read(read).indices;
    return std::equal(indices.begin(), indices.end(), t.indices.begin(), t.indices.end());
  };
  const auto reads_target = [&](Expr e, bool except_own) {
    for (Expr read : ir::reads(e))
      for (const ir::Target& t : s.targets)
        if (read->name == t.array && !(except_own && own_element(read, t))) return true;
    return false;
  };
  for (const ir::Range& r : domain.ranges)
    if (reads_target(r.lo, false) || reads_target(r.hi, false)) return true;
  for (const ir::Target& t : s.targets)
    for (Expr i : t.indices)
      if (reads_target(i, false)) return true;
  // The guard is evaluated at points that do not write, too: own elements must be different ones.
  const bool own_guard = elsewhere && std::all_of(s.targets.begin(), s.targets.end(), [&](auto& t) {
                           return ir::determines_point(t, domain.ranges);
                         });
  if (domain.guard != nullptr && reads_target(domain.guard, own_guard)) return true;
  return std::any_of(s.values.begin(), s.values.end(),
                     [&](Expr v) { return reads_target(v, elsewhere); });
}

void PendingWrites::add(const Places& places, const void* values, const std::uint8_t* active,
                        std::size_t n) {
  const std::size_t size = ir::size_bytes(space_.array(array_).dtype);
  const auto* from = static_cast<const std::byte*>(values);
  for (std::size_t p = 0; p < n; ++p) {
    if (active != nullptr && active[p] == 0) continue;
    offsets_.push_back(places.at(p));
    values_.insert(values_.end(), from + p * size, from + (p + 1) * size);
  }
}

void PendingWrites::flush(bool set) {
  const std::size_t size = ir::size_bytes(space_.array(array_).dtype);
  for_each_piece(0, static_cast<std::int64_t>(offsets_.size()),
                 [&](std::int64_t first, std::size_t n) {
                   const auto at = static_cast<std::size_t>(first);
                   space_.write(array_, {offsets_.data() + at, 0, 0}, values_.data() + at * size,
                                nullptr, n, set);
                 });
  offsets_.clear();
  values_.clear();
}

namespace {

class PlainStatement final : public Runner {
 public:
  PlainStatement(Space& space, const ir::Statement& s, ir::Domain domain)
      : space_(space),
        nest_(space, domain.ranges),
        guarded_(domain.guard != nullptr),
        waits_(reads_own_target(s, domain, true)),
        copied_(waits_ ? nullptr : ir::version_copied(s)) {
    check(s.targets.size() == 1 && s.values.size() == 1, "one target of a plain statement");
    const auto local = space.locals.find(s.targets[0].array);
    array_ = local != space.locals.end() ? local->second.array : space.find(s.targets[0].array);
    std::vector<Expr> roots;
    if (guarded_) roots.push_back(domain.guard);
    roots.push_back(s.values[0]);
    check(s.values[0]->dtype == space.array(array_).dtype, "a value of the target's dtype");
    rows_ = std::make_unique<RowProgram>(space, std::move(roots), s.targets, nest_.row_variable(),
                                         guarded_);
  }

  void run() override {
    PendingWrites pending(space_, array_);
    nest_.for_each_row([&](std::int64_t lo, std::int64_t hi) {
      rows_->start();
      for_each_piece(lo, hi, [&](std::int64_t first, std::size_t n) {
        rows_->run(first, n);
        const std::uint8_t* active = find_active(first, n);
        const void* values = rows_->row(guarded_ ? 1 : 0);
        if (waits_) {
          pending.add(rows_->places(0), values, active, n);
        } else {
          space_.write(array_, rows_->places(0), values, active, n, true);
        }
        for (std::size_t p : undefined_) forget_write(rows_->places(0).at(p));
      });
    });
    pending.flush(true);
  }

 private:
  // The points that exist; null: all. Reports the first fault among them.
  const std::uint8_t* find_active(std::int64_t first, std::size_t n) {
    undefined_.clear();
    const auto* guard = guarded_ ? static_cast<const std::uint8_t*>(rows_->row(0)) : nullptr;
    if (rows_->faulty() || rows_->targets_faulty()) {
      for (std::size_t p = 0; p < n; ++p) {
        const std::int64_t x = first + static_cast<std::int64_t>(p);
        if (guarded_ && rows_->root_fault(0, p)) rows_->explain_root(0, x);
        if (guard != nullptr && guard[p] == 0) continue;
        if (rows_->target_fault(0, p)) rows_->explain_target(0, x);
        if (!rows_->root_fault(guarded_ ? 1 : 0, p)) continue;
        if (!copied_) rows_->explain_root(guarded_ ? 1 : 0, x);
        undefined_.push_back(p);
      }
      if (!undefined_.empty()) check_undefined(first, n);
    }
    const bool all = guard == nullptr || std::memchr(guard, 0, n) == nullptr;
    return all ? nullptr : guard;
  }

  // Of a copy: any fault but one of elements that nothing has written. Looking closer at a point
  // spoils the rows, so they are computed again.
  void check_undefined(std::int64_t first, std::size_t n) {
    for (std::size_t p : undefined_) {
      try {
        rows_->explain_root(guarded_ ? 1 : 0, first + static_cast<std::int64_t>(p));
      } catch (const Fault& fault) {
        if (fault.kind != Fault::Kind::Unwritten || fault.node != copied_) throw;
      }
    }
    rows_->start();
    rows_->run(first, n);
  }

  void forget_write(std::int64_t offset) {
    RunArray& a = space_.array(array_);
    if (!a.written.empty()) a.written[static_cast<std::size_t>(offset)] = 0;
  }

  Space& space_;
  Nest nest_;
  bool guarded_, waits_;
  Expr copied_;  // what nothing has written stays so in the copy, and is no error
  Id array_ = kNone;
  std::unique_ptr<RowProgram> rows_;
  std::vector<std::size_t> undefined_;  // points of the piece whose copy is of nothing
};

}  // namespace

std::unique_ptr<Runner> make_plain(Space& space, const ir::Statement& s, ir::Domain domain) {
  return std::make_unique<PlainStatement>(space, s, std::move(domain));
}

}  // namespace lathe::interp
