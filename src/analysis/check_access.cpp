// SPDX-License-Identifier: Apache-2.0
// Every check asks the same question of a set of bad points: does it have one whenever the access
// happens? Boxes prove most accesses good by interval arithmetic before any set is made.

#include "analysis/check_access.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/access.h"
#include "analysis/check_text.h"
#include "analysis/intervals.h"
#include "analysis/written.h"

namespace lathe::analysis {
namespace {

using ir::Comparison;
using ir::Expr;

// "Every large enough size": from 2 up. An index 2*i leaves 0..n only from there; a table of four
// elements read over 0..n is fine for n = 2 and not reported.
constexpr std::int64_t kLeastSize = 2;

class Checker {
 public:
  Checker(const ir::Program& program, Diagnostics& diagnostics, SetQuery& query)
      : program_(program),
        diagnostics_(diagnostics),
        query_(query),
        sizes_(size_context(program)),
        large_(size_context(program, kLeastSize)),
        least_(lower_bounds(sizes_)) {}

  bool run() {
    const std::vector<StatementAccess> all = collect_accesses(program_);
    for (const StatementAccess& s : all) {
      if (diagnostics_.full()) break;
      for (const Access& a : s.reads)
        if (!a.whole && !a.old_value && a.policy == ir::Policy::Error) check_range(s, a);
      for (const Access& a : s.writes)
        if (!a.whole) check_range(s, a);
      if (s.statement != nullptr && !s.statement->accumulate)
        for (const Access& a : s.writes) check_double(s, a);
    }
    const WriteIndex index(program_, all);
    for (std::size_t k = 0; k < all.size() && !diagnostics_.full(); ++k)
      for (const Access& a : all[k].reads) check_written(index, all, k, a);
    return good_;
  }

 private:
  // `bad` is where something wrong happens, a part of where `access` happens.
  bool certain(const SetExpr& bad, const SetExpr& happens) {
    if (bad.kind() == SetExpr::Kind::Empty) return false;
    return query_.is_empty(bad, large_) == Proof::No &&
           query_.has_point_whenever(bad, happens, large_) == Proof::Yes;
  }

  Diagnostic* report(Span span, const std::string& message) {
    good_ = false;
    if (!said_.insert(message).second) return nullptr;
    return &diagnostics_.error(span, message);
  }

  // Statement after statement has the domain of the one before.
  const std::optional<ir::Box>& box_of(const SetExpr& domain) {
    if (!boxed_ || !(*boxed_ == domain)) {
      boxed_ = domain;
      box_ = as_box(domain);
    }
    return box_;
  }

  // Of its axes.
  const std::vector<std::pair<PwAff, PwAff>>& bounds_of(const ir::Array& array) {
    auto [at, fresh] = bounds_.try_emplace(array.name);
    if (fresh)
      for (const ir::Axis& x : array.axes)
        at->second.emplace_back(ir::to_bound(x.lo), ir::to_bound(x.hi));
    return at->second;
  }

  void check_range(const StatementAccess& s, const Access& a) {
    const ir::Array* array = program_.find_array(a.array);
    if (array == nullptr || array->axes.size() != a.affine.size()) return;
    for (std::size_t k = 0; k < a.affine.size(); ++k) {
      if (!a.affine[k] || array->is_extended_along(k)) continue;
      const PwAff& index = *a.affine[k];
      const auto& [lo, hi] = bounds_of(*array)[k];
      if (const auto& box = box_of(a.domain))
        if (const auto range = interval(index, *box);
            range && never_negative(range->lower - lo, least_) &&
            never_negative(hi - range->upper - PwAff::integer(1), least_))
          continue;
      const auto outside = [&](const SetExpr& side) {
        return certain(SetExpr::intersection({a.domain, side}), a.domain);
      };
      const bool below = outside(SetExpr::compare(index, Comparison::Lt, lo));
      if (!below && !outside(SetExpr::compare(hi, Comparison::Le, index))) continue;
      report_range(s, a, *array, k, below);
    }
  }

  void report_range(const StatementAccess& s, const Access& a, const ir::Array& array,
                    std::size_t axis, bool below) {
    const PwAff& index = *a.affine[axis];
    const Bounds range = query_.bounds(index, a.domain, large_);
    const auto& reached = below ? range.lower : range.upper;
    std::string message = "statement " + quoted(s.label) + (a.write ? " writes " : " reads ") +
                          quoted(a.array) + " at " + compact(index);
    if (reached && !(*reached == index))
      message += (below ? " from " : " up to ") + compact(*reached);
    const ir::Axis& declared = array.axes[axis];
    message +=
        ", but axis " + quoted(declared.name) + " is " + range_text(declared.lo, declared.hi);
    Diagnostic* d = report(place(program_, s, a), message);
    if (d == nullptr) return;
    d->help = range_help(s, a, array, axis, below, range);
    if (array.span.known()) d->note(quoted(a.array) + " is declared here", array.span);
  }

  // Two points x and x' of one step of the loops around, x before x', with one target.
  void check_double(const StatementAccess& s, const Access& a) {
    if (a.whole || !a.is_affine() || indices_determine_point(s, a)) return;
    std::map<std::string, std::string> prime;
    std::vector<SetExpr> differ, parts;
    for (const std::string& v : s.variables) {
      if (is_sequential(s, v)) continue;
      prime.emplace(v, v + "'");
      differ.push_back(SetExpr::compare(PwAff::var(v), Comparison::Lt, PwAff::var(v + "'")));
    }
    parts = {a.domain, a.domain.rename(prime), SetExpr::unite(std::move(differ))};
    for (const auto& e : a.affine)
      parts.push_back(SetExpr::compare(*e, Comparison::Eq, e->rename(prime)));
    if (!certain(SetExpr::intersection(std::move(parts)), a.domain)) return;

    std::vector<std::string> absent;
    for (const std::string& v : s.variables)
      if (prime.count(v) != 0 && std::none_of(a.affine.begin(), a.affine.end(), [&](const auto& e) {
            const auto used = e->variables();
            return std::find(used.begin(), used.end(), v) != used.end();
          }))
        absent.push_back(v);
    const std::string target = access_text(a);
    std::string message =
        "statement " + quoted(s.label) + " writes '" + target + "' more than once";
    message += absent.empty() ? ": several points have the same index"
                              : ": every " + join(absent, " and ") + " writes the same element";
    if (Diagnostic* d = report(place(program_, s, a), message))
      d->help = absent.empty()
                    ? "give every point an element of its own, or accumulate: " + target + " += ..."
                    : "accumulate: fresh " + target + " += ..., or add an axis for " +
                          join(absent, " and ");
  }

  void check_written(const WriteIndex& index, const std::vector<StatementAccess>& all,
                     std::size_t reader, const Access& a) {
    const ir::Array* array = program_.find_array(a.array);
    if (array == nullptr || array->role != ir::Role::Temp || array->extended || a.whole) return;
    if (!a.is_affine() || (a.policy != ir::Policy::Error && a.policy != ir::Policy::Trusted))
      return;
    const auto unwritten = points_not_written(index, all, reader, a, least_);
    if (!unwritten || !certain(*unwritten, a.domain)) return;
    const StatementAccess& s = all[reader];
    const std::string what = a.old_value ? " accumulates into " : " reads ";
    if (Diagnostic* d =
            report(place(program_, s, a), "statement " + quoted(s.label) + what + "temporary '" +
                                              access_text(a) + "' where nothing wrote it before"))
      d->help = a.old_value ? "start it with 'fresh', or set it first"
                            : "write " + quoted(a.array) +
                                  " on the whole range that is read, or guard the read";
  }

  const ir::Program& program_;
  Diagnostics& diagnostics_;
  SetQuery& query_;
  SetExpr sizes_, large_;
  LowerBounds least_;
  std::optional<SetExpr> boxed_;
  std::optional<ir::Box> box_;
  std::map<ir::Symbol, std::vector<std::pair<PwAff, PwAff>>> bounds_;
  std::set<std::string> said_;  // one expression can be read in several scopes
  bool good_ = true;
};

}  // namespace

bool check_access(const ir::Program& program, Diagnostics& diagnostics) {
  SetQuery query;
  return check_access(program, diagnostics, query);
}

bool check_access(const ir::Program& program, Diagnostics& diagnostics, SetQuery& query) {
  return Checker(program, diagnostics, query).run();
}

}  // namespace lathe::analysis
