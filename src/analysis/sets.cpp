// SPDX-License-Identifier: Apache-2.0
// Boxes first: their questions are differences of bounds (analysis/intervals.h), and most domains
// are boxes. What is left is made affine (analysis/linear.h) and handed to isl.

#include "analysis/sets.h"

#include <algorithm>

#include "analysis/intervals.h"
#include "analysis/isl_sets.h"
#include "analysis/linear.h"
#include "analysis/plain_sets.h"
#include "base/diagnostics.h"

namespace lathe::analysis {
namespace {

using ir::Comparison;

SetExpr both(const SetExpr& a, const SetExpr& b) { return SetExpr::intersection({a, b}); }

// A formula that isl could not say better: of several bounds it knows which one holds.
bool is_plain(const PwAff& e) {
  if (e.kind() == PwAff::Kind::Min || e.kind() == PwAff::Kind::Max) return false;
  return std::all_of(e.operands().begin(), e.operands().end(), is_plain);
}

}  // namespace

SetQuery::SetQuery(long max_operations) : max_operations_(max_operations) {}
SetQuery::~SetQuery() = default;

IslSets& SetQuery::isl() {
  if (!isl_) isl_ = std::make_unique<IslSets>(max_operations_);
  return *isl_;
}

Proof SetQuery::count(Proof answer, bool by_box) {
  ++counters_.questions;
  if (by_box)
    ++counters_.by_boxes;
  else
    ++(answer == Proof::Unknown ? counters_.gave_up : counters_.by_isl);
  return answer;
}

Proof SetQuery::is_empty(const SetExpr& s, const SetExpr& context) {
  if (s.kind() == SetExpr::Kind::Empty) return count(Proof::Yes, true);
  if (const SetExpr around = without_opaque(s); around != s)
    return is_empty(around, context) == Proof::Yes ? Proof::Yes : Proof::Unknown;
  const auto [known, fresh] = empty_.try_emplace(s.key() + " in " + context.key(), Proof::Unknown);
  if (!fresh) return count(known->second, true);
  const LowerBounds parameters = lower_bounds(context);
  if (plainly_empty(s, parameters)) return count(known->second = Proof::Yes, true);
  if (const auto& box = box_of(s)) {
    if (never_has_points(*box, parameters)) return count(known->second = Proof::Yes, true);
    if (has_counterexample(*box, s, SetExpr::empty(), context))
      return count(known->second = Proof::No, true);
  }
  Linearizer linear;
  const LinearSet upper = linear.upper(both(s, context));
  const SetExpr facts = linear.facts();
  const auto empty = isl().is_empty(both(upper.set, facts));
  // With facts instead of the terms themselves, a point that isl finds need not exist.
  known->second = empty == true                                 ? Proof::Yes
                  : empty && upper.exact && !linear.has_terms() ? Proof::No
                                                                : Proof::Unknown;
  return count(known->second, false);
}

const std::optional<ir::Box>& SetQuery::box_of(const SetExpr& s) {
  const auto [known, fresh] = boxes_.try_emplace(s.key());
  if (fresh) known->second = as_box(s);
  return known->second;
}

Proof SetQuery::is_subset(const SetExpr& a, const SetExpr& b, const SetExpr& context) {
  if (a == b || a.kind() == SetExpr::Kind::Empty || b.kind() == SetExpr::Kind::Universe)
    return count(Proof::Yes, true);
  const auto [known, fresh] =
      subset_.try_emplace(a.key() + " in " + b.key() + " in " + context.key(), Proof::Unknown);
  if (!fresh) return count(known->second, true);
  Proof& kept = known->second;
  const auto answer = [&](Proof proof, bool by_box) { return count(kept = proof, by_box); };
  const LowerBounds parameters = lower_bounds(context);
  const std::optional<ir::Box>&box_a = box_of(a), &box_b = box_of(b);
  if (box_a && box_b) {
    if (box_is_subset(*box_a, *box_b, parameters) || never_has_points(*box_a, parameters))
      return answer(Proof::Yes, true);
    if (has_counterexample(*box_a, a, b, context)) return answer(Proof::No, true);
  } else if (const auto around = box_a ? box_a : box_around(a);
             around && holds_on(*around, b, parameters)) {
    return answer(Proof::Yes, true);
  }
  Linearizer linear;
  const LinearSet upper = linear.upper(both(a, context)), lower = linear.lower(b);
  const SetExpr facts = linear.facts();
  const auto subset = isl().is_subset(both(upper.set, facts), lower.set);
  const bool exact = upper.exact && lower.exact && !linear.has_terms();
  return answer(subset == true ? Proof::Yes : subset && exact ? Proof::No : Proof::Unknown, false);
}

Proof SetQuery::disjoint(const SetExpr& a, const SetExpr& b, const SetExpr& context) {
  return is_empty(both(a, b), context);
}

Proof SetQuery::has_point_whenever(const SetExpr& inner, const SetExpr& outer,
                                   const SetExpr& context) {
  if (inner == outer || outer.kind() == SetExpr::Kind::Empty) return count(Proof::Yes, true);
  if (inner.kind() == SetExpr::Kind::Universe) return count(Proof::Yes, true);
  if (const auto box = as_box(inner); box && always_has_points(*box, lower_bounds(context)))
    return count(Proof::Yes, true);
  Linearizer linear;
  const LinearSet upper = linear.upper(both(outer, context)), lower = linear.lower(inner);
  const SetExpr facts = linear.facts();
  const auto yes = isl().parameters_subset(both(upper.set, facts), lower.set);
  if (yes == true) return count(Proof::Yes, false);
  const bool exact = upper.exact && lower.exact && !linear.has_terms();
  return count(yes && exact ? Proof::No : Proof::Unknown, false);
}

Signs SetQuery::signs(const SetExpr& s, const std::string& a, const std::string& b,
                      std::int64_t shift, const SetExpr& context) {
  const auto [known, fresh] = signs_.try_emplace(s.key() + " of " + a + " - " + b + " + " +
                                                 std::to_string(shift) + " in " + context.key());
  if (!fresh) return known->second;
  const auto possible = [&](Comparison op) {
    const SetExpr part = SetExpr::compare(PwAff::var(a) + PwAff::integer(shift), op, PwAff::var(b));
    return is_empty(both(s, part), context) != Proof::Yes;
  };
  return known->second = {possible(Comparison::Lt), possible(Comparison::Eq),
                          possible(Comparison::Gt)};
}

Bounds SetQuery::bounds(const PwAff& e, const SetExpr& s, const SetExpr& context) {
  Bounds out;
  const SetExpr around = without_opaque(s);
  const bool all = around == s;  // or some of it is unknown
  const auto range_in = [&](const SetExpr& set) {
    const auto& box = box_of(set);
    return box ? interval(e, *box) : std::nullopt;
  };
  auto range = range_in(around);
  if (range && (all || (is_plain(range->lower) && is_plain(range->upper)))) {
    count(all ? Proof::Yes : Proof::Unknown, true);
    return {range->lower, range->upper, all, all};
  }
  if (!range) range = range_in(without_reads(around));
  Linearizer linear;
  const auto affine = linear.linear(e);
  const LinearSet upper = linear.upper(both(s, context));
  if (affine) {
    const SetExpr set = both(upper.set, linear.facts());
    const bool exact = upper.exact && !linear.has_terms();
    for (const bool largest : {false, true})
      if (const auto x = isl().extreme(*affine, set, largest)) {
        // isl says it shorter; where it says more than there is, the box knows better.
        const bool box_is_closer = range && !x->exact;
        (largest ? out.upper : out.lower) = !box_is_closer ? linear.restore(x->value)
                                            : largest      ? range->upper
                                                           : range->lower;
        (largest ? out.upper_exact : out.lower_exact) = x->exact && exact;
      }
  }
  count(out.lower || out.upper ? Proof::Yes : Proof::Unknown, false);
  return out;
}

SetExpr SetQuery::gist(const SetExpr& s, const SetExpr& context) {
  // Conjuncts that isl does not understand stay as they are.
  std::vector<SetExpr> affine, rest;
  const bool many = s.kind() == SetExpr::Kind::Intersection;
  Linearizer linear;
  for (const SetExpr& part : many ? s.parts() : std::vector<SetExpr>{s}) {
    const LinearSet x = linear.upper(part);
    x.exact ? affine.push_back(x.set) : rest.push_back(part);
  }
  if (affine.empty()) {
    count(Proof::Yes, true);
    return s;
  }
  const SetExpr given = linear.upper(context).set;  // a weaker context keeps more
  const auto simple = isl().gist(SetExpr::intersection(affine), both(given, linear.facts()));
  count(simple ? Proof::Yes : Proof::Unknown, false);
  if (!simple) return s;
  rest.insert(rest.begin(), linear.restore(*simple));
  return SetExpr::intersection(std::move(rest));
}

std::optional<std::vector<std::vector<std::int64_t>>> SetQuery::points(
    const SetExpr& s, const std::map<std::string, std::int64_t>& parameters,
    const std::vector<std::string>& order) {
  const SetExpr fixed = s.substitute(parameters);
  std::optional<std::vector<std::vector<std::int64_t>>> found;
  if (fixed.is_affine()) found = isl().points(fixed, order, kMaxPoints);
  count(found ? Proof::Yes : Proof::Unknown, false);
  return found;
}

std::optional<LoopNest> SetQuery::scan(const SetExpr& s, const std::vector<std::string>& order,
                                       const SetExpr& context) {
  for (const std::string& v : s.variables())
    check(std::find(order.begin(), order.end(), v) != order.end(), "a variable in the scan order");
  std::optional<LoopNest> nest;
  if (s.is_affine() && context.is_affine()) nest = isl().scan(s, order, context);
  count(nest ? Proof::Yes : Proof::Unknown, false);
  return nest;
}

}  // namespace lathe::analysis
