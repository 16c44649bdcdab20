// SPDX-License-Identifier: Apache-2.0
// One walk from the last item to the first carries what is needed of each temporary:
//
//   now_     by later statements of this run of the body; a statement that writes the whole
//            range, unguarded, ends the need
//   kept_    by whatever follows the loops around, or by later rounds of them: no single statement
//            in the body ends it, but for arrays that have a plane for every round: what writes the
//            plane ends the need for it (ended_)
//   held_    by whatever follows the branches around
//
// In a branch, a statement writes only where the mask holds, and the points beside keep what they
// had: it ends nothing. What follows the branch needs nothing from before it when both sides write
// it all.
//
// A loop's body is walked until what its rounds need of one another no longer changes. If it still
// does after three rounds, every round needs more than the one before.

#include "analysis/extents.h"

#include <algorithm>
#include <set>

#include "analysis/check_text.h"
#include "analysis/lazy_reads.h"
#include "analysis/read_regions.h"
#include "analysis/widened_ranges.h"

namespace lathe::analysis {
namespace {

using ir::Expr;
using ir::PwAff;

class ExtentsWalk {
 public:
  ExtentsWalk(const ir::Program& program, Diagnostics& diagnostics)
      : program_(program),
        diagnostics_(diagnostics),
        widened_(program),
        regions_(program, widened_) {}

  std::optional<Extents> run() {
    if (widened_.any()) body(program_.body);
    if (failed_) return std::nullopt;
    return widened_.answer(diagnostics_);
  }

 private:
  void fail(Span span, const std::string& message, const std::string& help) {
    if (!failed_) diagnostics_.error(span, message).help = help;
    failed_ = true;
  }

  // ---- what is read

  void reads(Symbol label, Span span, Expr e, const Scope& scope) {
    regions_.for_each(e, scope, [&](const ReadRegion& r) {
      if (failed_) return;
      if (r.unbounded)
        fail(span,
             "statement " + quoted(label) + " reads extended temporary " + quoted(r.array) +
                 " at " + compact(*r.unbounded) + ", over a range that has no bounds",
             "give the range bounds that depend on sizes alone");
      add(r.of_this_round ? now_ : carried_, r.array, r.region);
    });
  }

  Scope enter(Symbol label, Span span, const std::vector<ir::Range>& ranges, Expr guard) {
    Scope scope = around_;
    for (const ir::Range& r : ranges) {
      reads(label, span, r.lo, scope);
      reads(label, span, r.hi, scope);
      scope = inside(scope, widened_.set_of(label, r));
      const std::string name(r.variable.text());
      if (std::find(scope.variables.begin(), scope.variables.end(), name) == scope.variables.end())
        scope.variables.push_back(name);
    }
    if (guard == nullptr) return scope;
    reads(label, span, guard, scope);
    return inside(scope, to_set(guard, &program_));
  }
  Region needed(Symbol array) const {
    Region r = widened_.declared(array);
    if (const auto at = now_.find(array); at != now_.end()) add(r, at->second);
    if (const auto at = held_.find(array); at != held_.end()) add(r, at->second);
    if (ended_.count(array) != 0) return r;
    if (const auto at = kept_.find(array); at != kept_.end()) add(r, at->second);
    return r;
  }

  void widen(Symbol label, const std::vector<ir::Range>& ranges, const ir::Target& target) {
    if (widened_.is_extended(target.array))
      widened_.widen(label, ranges, target, needed(target.array));
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
      if (!widened_.is_extended(t.array)) continue;
      std::size_t spanned = 0;
      for (std::size_t k = 0; k < t.indices.size(); ++k) {
        const auto index = ir::to_pw_aff(t.indices[k]);
        for (const ir::Range& r : ranges)
          if (index && *index == PwAff::var(std::string(r.variable.text())) &&
              ir::to_bound(r.lo) == widened_.declared(t.array).lo[k] &&
              ir::to_bound(r.hi) == widened_.declared(t.array).hi[k])
            ++spanned;
        for (const std::string& counter : around_.sequential)
          if (index && *index == PwAff::var(counter)) ++spanned;
      }
      if (spanned == t.indices.size()) end_need(t.array);
    }
  }
  void end_need(Symbol array) {
    if (written_ != nullptr) {
      written_->insert(array);
    } else {
      now_.erase(array);
      if (loop_body_ != nullptr && has_plane(array, *loop_body_)) ended_.insert(array);
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
        if (!widened_.is_extended(t.array) && program_.find_array(t.array) != nullptr) pinned = &s;
        widen(g.label, g.domain.ranges, t);
      }
    if (pinned != nullptr)
      for (const ir::Range& r : g.domain.ranges)
        if (widened_.is_widened(g.label, r))
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
  // What one side of a branch or a loop needs from before itself, and what it writes as a whole.
  struct Side {
    Needs needs;
    std::set<Symbol> writes;
  };
  Side side(const ir::Body& items) {
    Side r;
    std::set<Symbol>* const outer = std::exchange(written_, &r.writes);
    now_.clear();
    body(items);
    r.needs = std::exchange(now_, {});
    written_ = outer;
    return r;
  }
  void item(const ir::Branch& b) {
    const Needs after = now_, outer_held = held_;
    add(held_, after);
    const Side then_side = side(b.then_body), else_side = side(b.else_body);
    held_ = outer_held;
    now_ = after;
    if (b.domain.guard == nullptr)
      for (const Symbol array : then_side.writes)
        if (else_side.writes.count(array) != 0) end_need(array);
    add(now_, then_side.needs);
    add(now_, else_side.needs);
    widened_.contain_all(b.label, b.domain.ranges, b.then_body);
    widened_.contain_all(b.label, b.domain.ranges, b.else_body);
    reads(b.label, b.span, b.condition, enter(b.label, b.span, b.domain.ranges, b.domain.guard));
  }
  void item(const ir::When& w) {
    const Needs after = now_;
    std::set<Symbol> then_writes, else_writes;
    std::set<Symbol>* const outer = written_;
    if (outer != nullptr) written_ = &then_writes;
    const std::set<Symbol> ended = ended_;
    body(w.then_body);
    const Needs before_then = now_;
    now_ = after;
    if (outer != nullptr) written_ = &else_writes;
    const std::set<Symbol> ended_then = std::exchange(ended_, ended);
    body(w.else_body);
    std::erase_if(ended_, [&](Symbol array) { return ended_then.count(array) == 0; });
    written_ = outer;
    for (const Symbol array : then_writes)
      if (else_writes.count(array) != 0) end_need(array);
    add(now_, before_then);
    reads(w.label, w.span, w.condition, around_);
  }
  void item(const ir::Call& c) {
    for (const Symbol array : c.inputs)
      if (widened_.is_extended(array)) add(now_, array, widened_.declared(array));
  }

  template <class F>
  void loop(Symbol label, Span span, Scope inner, const ir::Body& items, F&& each_round) {
    const Scope outer = std::exchange(around_, std::move(inner));
    const bool counts = around_.sequential.size() > outer.sequential.size();  // not a while
    const ir::Body* const outer_body = std::exchange(loop_body_, counts ? &items : nullptr);
    const Needs after = now_, outer_kept = kept_, outer_carried = std::exchange(carried_, {});
    const std::set<Symbol> outer_ended = std::exchange(ended_, {});
    for (const Symbol array : outer_ended) kept_.erase(array);
    const Needs still_kept = kept_;
    constexpr int kRounds = 3;
    Needs rounds;  // of a round from the one before; carried_: of other planes of a loop's array
    for (int round = 0; !failed_; ++round) {
      const Needs before = carried_, rounds_before = rounds;
      kept_ = still_kept;
      add(kept_, after);
      add(kept_, carried_);
      add(kept_, rounds);
      ended_.clear();
      now_.clear();
      body(items);
      each_round();
      // What this round needs from before itself: of arrays that hold one value for all rounds, the
      // round before must compute it; of this round's own plane, what precedes the loop.
      for (const auto& [array, region] : now_)
        if (!counts || !has_plane(array, items)) add(rounds, array, region);
      if (carried_ == before && rounds == rounds_before) break;
      if (round < kRounds) continue;
      Needs last = before, now = carried_;
      add(last, rounds_before);
      add(now, rounds);
      for (const auto& [array, region] : now)
        if (last.count(array) == 0 || !(last.at(array) == region)) {
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
    ended_ = outer_ended;
    loop_body_ = outer_body;
    add(now_, after);
    add(now_, carried_);
    add(now_, rounds);
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
    std::set<Symbol> ignored;
    std::set<Symbol>* const outer = std::exchange(written_, &ignored);
    loop(w.label, w.span, around_, w.body, [&] {
      widened_.contain_all(w.label, w.domain.ranges, w.body);
      reads(w.label, w.span, w.condition, enter(w.label, w.span, w.domain.ranges, w.domain.guard));
    });
    written_ = outer;
  }

  const ir::Program& program_;
  Diagnostics& diagnostics_;
  WidenedRanges widened_;
  ReadRegions regions_;
  Needs now_, kept_, held_, carried_;
  std::set<Symbol> ended_;
  const ir::Body* loop_body_ = nullptr;  // of the sweep or repetition around
  std::set<Symbol>* written_ = nullptr;  // in a branch or a while loop: what it writes as a whole
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
  return ExtentsWalk(program, diagnostics).run();
}

}  // namespace lathe::analysis
