// SPDX-License-Identifier: Apache-2.0
// One storage for two arrays, A and the B that S writes:
//
//   t1: for i in 0..n: t1[i] = u[i]           A, written
//   t2: for i in 0..n: t2[i] = 2 * t1[i]      S: each element changes hands here
//   v:  for i in 0..n: v[i] = t2[i-1]         B, read
//
// Both keep their values if, element by element,
// * who touches A comes before S, who touches B comes after it. Outside of sweeps that is the order
//   of the text. In a sweep that both stand in, the rounds decide: A at k+1 is still there, B at
//   k-1 is there already;
// * S reads A at no other element than the one it writes;
// * what is written to A, S overwrites. So elements that S leaves out are what they were, and no
//   caller finds values of A in his output;
// * in a repeat, each round writes what it reads of A: there is no A of the round before.

#include "schedule/in_place_rule.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/access.h"
#include "analysis/sets.h"
#include "base/quoted.h"
#include "ir/group_rule.h"
#include "ir/index_form.h"
#include "ir/traverse.h"

namespace lathe::schedule {
namespace {

using analysis::Access;
using analysis::StatementAccess;
using ir::Comparison;
using ir::Expr;
using ir::PwAff;
using ir::SetExpr;
using ir::Symbol;
using passes::Refusal;

// What stands around a statement, outermost first.
struct Holder {
  const ir::Item* item = nullptr;
  bool otherwise = false;  // the else side of a when
  const ir::Sweep* sweep() const { return std::get_if<ir::Sweep>(&item->node); }
  bool is_repeat() const { return std::holds_alternative<ir::Repeat>(item->node); }
  friend bool operator==(const Holder&, const Holder&) = default;
};
using Holders = std::vector<Holder>;

struct Stand {
  Holders around;
  const ir::Domain* domain = nullptr;  // its own, or its group's
  const ir::Group* group = nullptr;
};

void collect_stands(const ir::Body& body, Holders around, std::map<Symbol, Stand>& out) {
  for (const ir::Item& item : body) {
    if (const auto* s = std::get_if<ir::Statement>(&item.node))
      out[s->label] = {around, &s->domain, nullptr};
    if (const auto* g = std::get_if<ir::Group>(&item.node))
      for (const ir::Statement& s : g->statements) out[s.label] = {around, &g->domain, g};
    bool otherwise = false;
    ir::for_each_body(item, [&](const ir::Body& inner) {
      Holders deeper = around;
      deeper.push_back({&item, otherwise});
      collect_stands(inner, deeper, out);
      otherwise = true;
    });
  }
}

class InPlaceRule {
 public:
  InPlaceRule(const ir::Program& program, const ir::Statement& s, Symbol over)
      : program_(program),
        s_(s),
        old_(over),
        new_(s.targets[0].array),
        sizes_(analysis::size_context(program)),
        all_(analysis::collect_accesses(program)) {
    collect_stands(program.body, {}, stands_);
    for (const StatementAccess& x : all_)
      if (x.label == s.label) own_ = &x;
    check(own_ != nullptr && stands_.count(s.label) > 0, "a statement of the program");
    const Holders& around = stands_.at(s.label).around;
    for (std::size_t h = 0; h < around.size(); ++h)
      if (around[h].is_repeat()) repeat_end_ = h + 1;
    ranges_ = s.domain.ranges;
    for (const Holder& h : around)
      if (const ir::Sweep* sweep = h.sweep()) ranges_.push_back(sweep->range);
  }

  std::optional<Refusal> run() {
    if (auto why = own_refusal()) return why;
    std::map<const void*, std::set<Symbol>> touched;  // by each statement or group
    for (std::size_t at = 0; at < all_.size(); ++at) {
      const StatementAccess& x = all_[at];
      const auto stand = stands_.find(x.label);
      const bool in_group = stand != stands_.end() && stand->second.group;
      std::set<Symbol>& touches = touched[in_group ? static_cast<const void*>(stand->second.group)
                                                   : static_cast<const void*>(&x)];
      for (const auto* list : {&x.reads, &x.writes})
        for (const Access& a : *list) {
          if (a.array != old_ && a.array != new_) continue;
          touches.insert(a.array);
          if (&x == own_ && (a.write || a.array == old_)) continue;
          if (auto why = order_refusal(at, a)) return why;
        }
      if (touches.size() == 2 && &x != own_) return fail(quoted(x.label) + " touches both", x.span);
      for (const Access& a : x.reads)
        if (a.array == old_)
          if (auto why = stale_refusal(at, a)) return why;
      if (&x == own_) continue;
      for (const Access& a : x.writes)
        if (a.array == old_ && !in_round(stands_.at(x.label).around))
          return fail("a second round would find overwritten what " + quoted(x.label) + " writes",
                      x.span);
        else if (a.array == old_ && !(runs_with(x) && covers(own_->writes[0], ranges_, a)))
          return fail("it is not shown to overwrite all that " + quoted(x.label) + " writes",
                      x.span);
    }
    return std::nullopt;
  }

 private:
  Refusal fail(std::string reason, Span other) const {
    return {std::move(reason), s_.span, s_.span == other ? Span{} : other};
  }

  static bool stays(ir::Policy p) {
    return p == ir::Policy::Error || p == ir::Policy::Zero || p == ir::Policy::Value ||
           p == ir::Policy::Trusted;
  }

  // ---- S itself.

  std::optional<Refusal> own_refusal() const {
    if (s_.accumulate) return fail("it accumulates", {});
    if (stands_.at(s_.label).group) return fail("it is a line of a group", {});
    if (s_.domain.guard) return fail("it writes only where its guard holds", {});
    if (!ir::determines_point(s_.targets[0], ranges_))
      return fail("several of its points write one element", {});
    for (const Access& a : own_->reads) {
      if (a.array != old_) continue;
      if (a.indices != s_.targets[0].indices || !stays(a.policy) || a.whole)
        return fail("it reads " + quoted(old_) + " at another element than the one it writes", {});
    }
    const Holders& around = stands_.at(s_.label).around;
    bool in_sweep = false;
    for (const Holder& h : around) {
      if (in_sweep && !h.sweep()) return fail("it stands in a repeat or when of a sweep", {});
      in_sweep |= h.sweep() != nullptr;
    }
    return std::nullopt;
  }

  // ---- Order.

  // Rounds between the element of S and that of another access in the sweeps around both: more
  // than 0 if S has met it in an earlier round, 0 in the same one. Nothing: not known.
  std::optional<std::int64_t> rounds_since(const StatementAccess& x, const Access& a) const {
    const Holders &mine = stands_.at(s_.label).around, &others = stands_.at(x.label).around;
    for (std::size_t h = 0; h < std::min(mine.size(), others.size()); ++h) {
      if (!(mine[h] == others[h])) break;
      const ir::Sweep* sweep = mine[h].sweep();
      if (!sweep) continue;
      std::size_t axis = 0;
      const std::vector<Expr>& indices = s_.targets[0].indices;
      while (ir::shifted_variable(indices[axis]) != sweep->range.variable) ++axis;
      const auto& own = own_->writes[0].affine[axis];
      if (a.whole || !stays(a.policy) || !own || !a.affine[axis]) return std::nullopt;
      const PwAff apart = *own - *a.affine[axis];
      if (apart.kind() != PwAff::Kind::Int && apart.kind() != PwAff::Kind::Zero)
        return std::nullopt;
      const std::int64_t rounds = apart.kind() == PwAff::Kind::Int ? apart.value() : 0;
      if (rounds != 0) return sweep->forward ? rounds : -rounds;
    }
    return 0;
  }

  std::optional<Refusal> order_refusal(std::size_t at, const Access& a) const {
    const StatementAccess& x = all_[at];
    const std::string touches = a.write ? " writes " : " reads ";
    if (!x.statement)
      return fail(quoted(x.label) + touches + quoted(a.array) + " as a whole", x.span);
    const bool is_old = a.array == old_;
    const auto since = rounds_since(x, a);
    const bool later = since && (*since > 0 || (*since == 0 && at > number()));
    const bool earlier = since && (*since < 0 || (*since == 0 && at < number()));
    if (is_old ? earlier : later) return std::nullopt;
    return fail((&x == own_ ? "it" : quoted(x.label)) + touches + quoted(a.array) +
                    (is_old ? " after it is overwritten" : " before it takes over"),
                x.span);
  }
  std::size_t number() const { return static_cast<std::size_t>(own_ - all_.data()); }

  // ---- Elements.

  // Is S sure to run after x did? Each repeat and when around S is around x, too.
  bool runs_with(const StatementAccess& x) const {
    const Holders &mine = stands_.at(s_.label).around, &others = stands_.at(x.label).around;
    for (std::size_t h = 0; h < mine.size() && !mine[h].sweep(); ++h)
      if (h >= others.size() || !(mine[h] == others[h])) return false;
    return true;
  }

  // Does the write, over all points of the ranges, meet each element that the other access touches?
  // Other variables than those of the ranges are the same in both.
  bool covers(const Access& write, const std::vector<ir::Range>& ranges, const Access& a) {
    if (!ir::determines_point({write.array, write.indices}, ranges)) return false;
    const ir::Array& array = *program_.find_array(a.array);
    bool all = true;
    std::vector<SetExpr> inside;
    for (std::size_t x = 0; x < write.indices.size(); ++x) {
      if (!write.affine[x]) return false;
      const Symbol v = ir::shifted_variable(write.indices[x]);
      const auto range = std::find_if(ranges.begin(), ranges.end(),
                                      [&](const ir::Range& r) { return r.variable == v; });
      PwAff lo = *write.affine[x], hi = lo + PwAff::integer(1);
      if (range != ranges.end()) {
        const PwAff shift = lo - PwAff::var(std::string(v.text()));
        for (Expr e : {range->lo, range->hi})
          for (Symbol used : ir::free_variables(e))
            if (is_own(ranges, used)) return false;
        lo = ir::to_bound(range->lo) + shift;
        hi = ir::to_bound(range->hi) + shift;
      } else {
        for (Symbol used : ir::free_variables(write.indices[x]))
          if (is_own(ranges, used)) return false;
      }
      all &= lo == ir::to_bound(array.axes[x].lo) && hi == ir::to_bound(array.axes[x].hi);
      if (!all && (a.whole || !a.affine[x] || !stays(a.policy))) return false;
      if (!a.affine.empty() && a.affine[x]) {
        inside.push_back(SetExpr::compare(*a.affine[x], Comparison::Ge, lo));
        inside.push_back(SetExpr::compare(*a.affine[x], Comparison::Lt, hi));
      }
    }
    return all || (!a.whole &&
                   std::all_of(a.affine.begin(), a.affine.end(),
                               [](const auto& e) { return e.has_value(); }) &&
                   query_.is_subset(a.domain, SetExpr::intersection(inside), sizes_) ==
                       analysis::Proof::Yes);
  }
  static bool is_own(const std::vector<ir::Range>& ranges, Symbol v) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [&](const ir::Range& r) { return r.variable == v; });
  }

  // ---- Values of A that are not this round's, or nobody's: B's storage holds something else.

  std::optional<Refusal> stale_refusal(std::size_t at, const Access& a) {
    const StatementAccess& x = all_[at];
    const Holders& others = stands_.at(x.label).around;
    if (!in_round(others))
      return fail(quoted(x.label) + " reads " + quoted(old_) + " in another round", x.span);
    if (repeat_end_ == 0 && program_.find_array(new_)->role == ir::Role::Temp) return std::nullopt;
    for (std::size_t w = 0; w < at; ++w)
      for (const Access& write : all_[w].writes)
        if (write.array == old_)
          if (const auto ranges = ranges_before(all_[w], others))
            if (covers(write, *ranges, a)) return std::nullopt;
    return fail("it is not shown that all that " + quoted(x.label) + " reads of " + quoted(old_) +
                    (repeat_end_ > 0 ? " is written in the same round" : " is written before"),
                x.span);
  }

  // Do they stand in the innermost repeat around S, if there is one?
  bool in_round(const Holders& others) const {
    const Holders& mine = stands_.at(s_.label).around;
    return repeat_end_ <= others.size() &&
           std::equal(mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(repeat_end_),
                      others.begin());
  }

  // The points of x that have run before, in this round of all that stands around `others`, too.
  // Nothing: perhaps none.
  std::optional<std::vector<ir::Range>> ranges_before(const StatementAccess& x,
                                                      const Holders& others) const {
    const auto it = stands_.find(x.label);
    if (!x.statement || it == stands_.end()) return std::nullopt;
    if (x.statement->domain.guard || it->second.domain->guard) return std::nullopt;
    const Holders& around = it->second.around;
    std::size_t common = 0;
    while (common < around.size() && common < others.size() && around[common] == others[common])
      ++common;
    if (common < repeat_end_) return std::nullopt;
    std::vector<ir::Range> ranges = it->second.domain->ranges;
    for (std::size_t h = common; h < around.size(); ++h) {
      const ir::Sweep* sweep = around[h].sweep();
      if (!sweep) return std::nullopt;
      ranges.push_back(sweep->range);
    }
    return ranges;
  }

  const ir::Program& program_;
  const ir::Statement& s_;
  Symbol old_, new_;  // A and B
  SetExpr sizes_;
  analysis::SetQuery query_;
  std::vector<StatementAccess> all_;  // in the order of the text
  const StatementAccess* own_ = nullptr;
  std::map<Symbol, Stand> stands_;
  std::vector<ir::Range> ranges_;  // of S, those of sweeps included
  std::size_t repeat_end_ = 0;     // the innermost repeat around S is that many holders deep
};

}  // namespace

std::optional<Refusal> in_place_refusal(const ir::Program& program, const ir::Statement& s,
                                        Symbol over) {
  return InPlaceRule(program, s, over).run();
}

}  // namespace lathe::schedule
