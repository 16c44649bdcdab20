// SPDX-License-Identifier: Apache-2.0
// One walk from the last item to the first carries what is needed of each temporary:
//
//   now_     by later statements of this run of the body; a statement that writes the whole
//            range, unguarded, ends the need
//   kept_    by whatever follows the loops around, or by later rounds of them: no single statement
//            in the body ends it
//
// A loop's body is walked until what its rounds need of one another no longer changes. If it still
// does after three rounds, every round needs more than the one before.

#include "analysis/extents.h"

#include <algorithm>
#include <map>

#include "analysis/access.h"
#include "analysis/check_text.h"
#include "analysis/lazy_reads.h"
#include "analysis/sets.h"

namespace lathe::analysis {
namespace {

using ir::Expr;
using ir::PwAff;

struct Region {
  std::vector<PwAff> lo, hi;
  friend bool operator==(const Region&, const Region&) = default;
};

void add(Region& to, const Region& from) {
  for (std::size_t k = 0; k < to.lo.size(); ++k) {
    to.lo[k] = min(to.lo[k], from.lo[k]);
    to.hi[k] = max(to.hi[k], from.hi[k]);
  }
}

using Needs = std::map<Symbol, Region>;

void add(Needs& to, Symbol array, const Region& region) {
  const auto [at, fresh] = to.try_emplace(array, region);
  if (!fresh) add(at->second, region);
}
void add(Needs& to, const Needs& from) {
  for (const auto& [array, region] : from) add(to, array, region);
}

class Walk {
 public:
  Walk(const ir::Program& program, Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics), sizes_(size_context(program)) {
    for (const ir::Array& a : program.arrays) {
      if (!a.extended) continue;
      Region r;
      for (const ir::Axis& axis : a.axes) {
        r.lo.push_back(ir::to_bound(axis.lo));
        r.hi.push_back(ir::to_bound(axis.hi));
      }
      declared_.emplace(a.name, r);
      written_.emplace(a.name, r);
    }
  }

  std::optional<Extents> run() {
    if (!declared_.empty()) body(program_.body);
    if (failed_) return std::nullopt;
    Extents out;
    collect(program_.body, out);
    for (const ir::Array& a : program_.arrays)
      if (a.extended) out.arrays.push_back({a.name, axes(a)});
    if (failed_) return std::nullopt;
    return out;
  }

 private:
  void fail(Span span, const std::string& message, const std::string& help) {
    if (!failed_) diagnostics_.error(span, message).help = help;
    failed_ = true;
  }

  // ---- what is read

  void reads(Symbol label, Span span, Expr e, const Scope& scope) {
    for_each_read(program_, e, scope, [&](Expr read, const Scope& at) {
      const ir::view::Read v(read);
      // A policy speaks of the declared range: such a read asks for nothing beyond it.
      if (declared_.count(v.array) == 0 || failed_) return;
      if (v.policy != ir::Policy::Error && v.policy != ir::Policy::Trusted) return;
      // Where no point is, nothing is read, and there are no bounds to find.
      if (query_.is_empty(at.set, sizes_) == Proof::Yes) return;
      Region region = declared_.at(v.array);
      bool of_this_round = true;
      for (std::size_t k = 0; k < v.indices.size(); ++k) {
        const auto index = ir::to_pw_aff(v.indices[k]);
        for (const std::string& counter : scope.sequential)
          if (index && mentions(*index, counter) && !(*index == PwAff::var(counter)))
            of_this_round = false;
        const Bounds bounds = index ? query_.bounds(*index, at.set, sizes_) : Bounds{};
        if (!bounds.lower || !bounds.upper) {
          // The index depends on data or the region is not known: within the declared range.
          if (index && index->is_affine())
            fail(span,
                 "statement " + quoted(label) + " reads extended temporary " + quoted(v.array) +
                     " at " + compact(*index) + ", over a range that has no bounds",
                 "give the range bounds that depend on sizes alone");
          continue;
        }
        region.lo[k] = min(region.lo[k], *bounds.lower);
        region.hi[k] = max(region.hi[k], *bounds.upper + PwAff::integer(1));
      }
      add(of_this_round ? now_ : carried_, v.array, region);
    });
  }
  static bool mentions(const PwAff& e, const std::string& variable) {
    const auto used = e.variables();
    return std::find(used.begin(), used.end(), variable) != used.end();
  }

  Scope enter(Symbol label, Span span, const std::vector<ir::Range>& ranges, Expr guard) {
    Scope scope = around_;
    for (const ir::Range& r : ranges) {
      reads(label, span, r.lo, scope);
      reads(label, span, r.hi, scope);
      scope = inside(scope, widened(label, r));
    }
    if (guard == nullptr) return scope;
    reads(label, span, guard, scope);
    return inside(scope, to_set(guard, &program_));
  }
  static SetExpr box(const ir::Range& r, const PwAff& lo, const PwAff& hi) {
    return range_set(std::string(r.variable.text()), lo, hi);
  }

  // ---- what is widened

  using Interval = std::pair<PwAff, PwAff>;
  using Key = std::pair<Symbol, Symbol>;  // label, variable

  Interval interval_of(Symbol label, const ir::Range& r) const {
    const auto at = ranges_.find({label, r.variable});
    if (at != ranges_.end()) return at->second;
    return {ir::to_bound(r.lo), ir::to_bound(r.hi)};
  }
  // A stand-in for a range with other bounds: only its set is used.
  struct WideRange {
    SetExpr set;
    std::string variable;
  };
  WideRange widened(Symbol label, const ir::Range& r) const {
    const auto [lo, hi] = interval_of(label, r);
    return {box(r, lo, hi), std::string(r.variable.text())};
  }
  static Scope inside(const Scope& scope, const WideRange& r) {
    Scope inner = analysis::inside(scope, r.set);
    if (std::find(inner.variables.begin(), inner.variables.end(), r.variable) ==
        inner.variables.end())
      inner.variables.push_back(r.variable);
    return inner;
  }
  static Scope inside(const Scope& scope, const SetExpr& set) {
    return analysis::inside(scope, set);
  }

  Region needed(Symbol array) const {
    Region r = declared_.at(array);
    if (const auto at = now_.find(array); at != now_.end()) add(r, at->second);
    if (const auto at = kept_.find(array); at != kept_.end()) add(r, at->second);
    return r;
  }

  void widen(Symbol label, const std::vector<ir::Range>& ranges, const ir::Target& target) {
    if (declared_.count(target.array) == 0) return;
    const Region& declared = declared_.at(target.array);
    const Region need = needed(target.array);
    for (std::size_t k = 0; k < target.indices.size(); ++k) {
      const auto index = ir::to_pw_aff(target.indices[k]);
      for (const ir::Range& r : ranges) {
        const PwAff v = PwAff::var(std::string(r.variable.text()));
        if (!index || !mentions(*index, v.name())) continue;
        const PwAff shift = *index - v, lo = ir::to_bound(r.lo), hi = ir::to_bound(r.hi);
        if (!shift.variables().empty() || !(lo + shift == declared.lo[k]) ||
            !(hi + shift == declared.hi[k]))
          continue;
        auto [at, fresh] = ranges_.try_emplace({label, r.variable}, Interval{lo, hi});
        at->second = {min(at->second.first, need.lo[k] - shift),
                      max(at->second.second, need.hi[k] - shift)};
        written_.at(target.array).lo[k] = min(written_.at(target.array).lo[k], need.lo[k]);
        written_.at(target.array).hi[k] = max(written_.at(target.array).hi[k], need.hi[k]);
      }
    }
  }
  // Branches and groups contain their statements.
  void contain(Symbol outer, const std::vector<ir::Range>& outer_ranges, Symbol inner) {
    for (const ir::Range& r : outer_ranges) {
      const auto at = ranges_.find({inner, r.variable});
      if (at == ranges_.end()) continue;
      auto [own, fresh] = ranges_.try_emplace({outer, r.variable}, interval_of(outer, r));
      own->second = {min(own->second.first, at->second.first),
                     max(own->second.second, at->second.second)};
    }
  }

  // ---- items

  void body(const ir::Body& items) {
    for (auto item = items.rbegin(); item != items.rend() && !failed_; ++item)
      std::visit([&](const auto& node) { this->item(node); }, item->node);
  }

  // Ends the need where every element of the declared range gets a new value.
  void end_need(const ir::Statement& s, const std::vector<ir::Range>& ranges) {
    if (s.accumulate ? !s.accumulate->fresh : s.domain.guard != nullptr) return;
    for (const ir::Target& t : s.targets) {
      if (declared_.count(t.array) == 0) continue;
      std::size_t spanned = 0;
      for (std::size_t k = 0; k < t.indices.size(); ++k) {
        const auto index = ir::to_pw_aff(t.indices[k]);
        for (const ir::Range& r : ranges)
          if (index && *index == PwAff::var(std::string(r.variable.text())) &&
              ir::to_bound(r.lo) == declared_.at(t.array).lo[k] &&
              ir::to_bound(r.hi) == declared_.at(t.array).hi[k])
            ++spanned;
        for (const std::string& counter : around_.sequential)
          if (index && *index == PwAff::var(counter)) ++spanned;
      }
      if (spanned == t.indices.size()) now_.erase(t.array);
    }
  }

  void statement(const ir::Statement& s, const std::vector<ir::Range>& ranges,
                 Symbol domain_label) {
    const Scope scope = enter(domain_label, s.span, ranges, s.domain.guard);
    for (const ir::Target& t : s.targets)
      for (const Expr e : t.indices) reads(s.label, s.span, e, scope);
    for (const Expr e : s.values) reads(s.label, s.span, e, scope);
  }
  void item(const ir::Statement& s) {
    for (const ir::Target& t : s.targets) widen(s.label, s.domain.ranges, t);
    end_need(s, s.domain.ranges);
    statement(s, s.domain.ranges, s.label);
  }
  void item(const ir::Scan& s) {
    for (const ir::Target& t : s.statement.targets)
      widen(s.statement.label, s.statement.domain.ranges, t);
    std::vector<ir::Range> ranges = s.statement.domain.ranges;
    ranges.push_back(s.range);
    statement(s.statement, ranges, s.statement.label);
  }
  void item(const ir::Group& g) {
    const ir::Statement* pinned = nullptr;
    for (const ir::Statement& s : g.statements)
      for (const ir::Target& t : s.targets) {
        if (declared_.count(t.array) == 0 && program_.find_array(t.array) != nullptr) pinned = &s;
        widen(g.label, g.domain.ranges, t);
      }
    if (pinned != nullptr)
      for (const ir::Range& r : g.domain.ranges)
        if (interval_of(g.label, r) != Interval{ir::to_bound(r.lo), ir::to_bound(r.hi)})
          fail(g.span,
               "statement " + quoted(pinned->label) +
                   " shares a loop with extended temporaries that are read beyond its range of " +
                   std::string(r.variable.text()),
               "give " + quoted(pinned->label) + " a loop of its own");
    for (auto s = g.statements.rbegin(); s != g.statements.rend(); ++s) {
      end_need(*s, g.domain.ranges);
      statement(*s, g.domain.ranges, g.label);
    }
  }
  void item(const ir::Branch& b) {
    const Needs after = now_;
    body(b.then_body);
    const Needs before_then = now_;
    now_ = after;
    body(b.else_body);
    add(now_, before_then);
    add(now_, after);  // points outside the branch keep what they had
    contain_all(b.label, b.domain.ranges, b.then_body);
    contain_all(b.label, b.domain.ranges, b.else_body);
    reads(b.label, b.span, b.condition, enter(b.label, b.span, b.domain.ranges, b.domain.guard));
  }
  void contain_all(Symbol outer, const std::vector<ir::Range>& ranges, const ir::Body& items) {
    for (const ir::Item& item : items)
      std::visit(
          [&](const auto& node) {
            if constexpr (requires { node.statement.label; })
              contain(outer, ranges, node.statement.label);
            else
              contain(outer, ranges, node.label);
          },
          item.node);
  }
  void item(const ir::When& w) {
    const Needs after = now_;
    body(w.then_body);
    const Needs before_then = now_;
    now_ = after;
    body(w.else_body);
    add(now_, before_then);
    reads(w.label, w.span, w.condition, around_);
  }
  void item(const ir::Call& c) {
    for (const Symbol array : c.inputs)
      if (declared_.count(array) != 0) add(now_, array, declared_.at(array));
  }

  template <class F>
  void loop(Symbol label, Span span, Scope inner, const ir::Body& items, F&& each_round) {
    const Scope outer = std::exchange(around_, std::move(inner));
    const Needs after = now_, outer_kept = kept_, outer_carried = std::exchange(carried_, {});
    constexpr int kRounds = 3;
    for (int round = 0; !failed_; ++round) {
      const Needs before = carried_;
      kept_ = outer_kept;
      add(kept_, after);
      add(kept_, carried_);
      now_.clear();
      body(items);
      each_round();
      // What this round needs from before itself: of arrays that hold one value for all rounds, the
      // round before must compute it; of this round's own plane, what precedes the loop.
      for (const auto& [array, region] : now_)
        if (!has_plane(array, items)) add(carried_, array, region);
      if (carried_ == before) break;
      if (round < kRounds) continue;
      for (const auto& [array, region] : carried_)
        if (before.count(array) == 0 || !(before.at(array) == region)) {
          fail(span,
               "the region of extended temporary " + quoted(array) +
                   " would grow with each iteration of " + quoted(label),
               "declare " + quoted(array) +
                   " without 'extended' and write it on the range that is needed, or read it at "
                   "the same point");
          break;
        }
    }
    around_ = outer;
    kept_ = outer_kept;
    add(now_, after);
    add(now_, carried_);
    // A loop around this one may have to compute it in an earlier round of its own.
    const Needs mine = std::exchange(carried_, outer_carried);
    if (!outer.sequential.empty()) add(carried_, mine);
  }
  // Does every write in the loop put the array at an index that is the loop's own counter?
  bool has_plane(Symbol array, const ir::Body& items) const {
    bool all = true;
    ir::for_each_statement(items, [&](const ir::Statement& s) {
      for (const ir::Target& t : s.targets)
        if (t.array == array)
          all = all && std::any_of(t.indices.begin(), t.indices.end(), [&](Expr e) {
                  return e->op == ir::Op::Index && !around_.sequential.empty() &&
                         e->name.text() == around_.sequential.back();
                });
    });
    return all;
  }

  Scope counted(const ir::Range& range) const {
    Scope inner = analysis::inside(around_, range);
    inner.sequential.emplace_back(range.variable.text());
    return inner;
  }
  void item(const ir::Sweep& s) {
    loop(s.label, s.span, counted(s.range), s.body, [] {});
    reads(s.label, s.span, s.range.lo, around_);
    reads(s.label, s.span, s.range.hi, around_);
  }
  void item(const ir::Repeat& r) {
    loop(r.label, r.span, counted(r.range), r.body,
         [&] { reads(r.label, r.span, r.until, around_); });
  }
  void item(const ir::While& w) {
    loop(w.label, w.span, around_, w.body, [&] {
      contain_all(w.label, w.domain.ranges, w.body);
      reads(w.label, w.span, w.condition, enter(w.label, w.span, w.domain.ranges, w.domain.guard));
    });
  }

  // ---- the answer

  Expr bound(Span span, const PwAff& e, Expr original) {
    if (e == ir::to_bound(original)) return original;
    const Expr made = ir::to_expr(program_, e);
    if (made == nullptr)
      fail(span, "an extended temporary needs a range that depends on data", "declare its range");
    return made != nullptr ? made : original;
  }
  void collect_ranges(Symbol label, Span span, const std::vector<ir::Range>& ranges, Extents& out) {
    Extents::Widened w{label, ranges};
    bool changed = false;
    for (ir::Range& r : w.ranges) {
      const auto [lo, hi] = interval_of(label, r);
      const ir::Range wide{r.variable, bound(span, lo, r.lo), bound(span, hi, r.hi)};
      changed = changed || wide.lo != r.lo || wide.hi != r.hi;
      r = wide;
    }
    if (changed) out.items.push_back(std::move(w));
  }
  void collect(const ir::Body& items, Extents& out) {
    for (const ir::Item& item : items) {
      std::visit(
          [&](const auto& node) {
            if constexpr (requires { node.statement.domain; })
              collect_ranges(node.statement.label, node.statement.span,
                             node.statement.domain.ranges, out);
            else if constexpr (requires { node.domain; })
              collect_ranges(node.label, node.span, node.domain.ranges, out);
          },
          item.node);
      ir::for_each_body(item, [&](const ir::Body& inner) { collect(inner, out); });
    }
  }
  std::vector<ir::Axis> axes(const ir::Array& a) {
    std::vector<ir::Axis> out = a.axes;
    const Region& r = written_.at(a.name);
    for (std::size_t k = 0; k < out.size(); ++k) {
      out[k].lo = bound(a.span, r.lo[k], out[k].lo);
      out[k].hi = bound(a.span, r.hi[k], out[k].hi);
    }
    return out;
  }

  const ir::Program& program_;
  Diagnostics& diagnostics_;
  SetQuery query_;
  SetExpr sizes_;
  Needs declared_, written_, now_, kept_, carried_;
  std::map<Key, Interval> ranges_;
  Scope around_;
  bool failed_ = false;
};

}  // namespace

const Extents::Widened* Extents::find(Symbol label) const {
  for (const Widened& w : items)
    if (w.label == label) return &w;
  return nullptr;
}

const Extents::Resized* Extents::find_array(Symbol array) const {
  for (const Resized& r : arrays)
    if (r.array == array) return &r;
  return nullptr;
}

std::optional<Extents> compute_extents(const ir::Program& program, Diagnostics& diagnostics) {
  return Walk(program, diagnostics).run();
}

}  // namespace lathe::analysis
