// SPDX-License-Identifier: Apache-2.0

#include "analysis/intervals.h"

#include <algorithm>

#include "base/checked.h"

namespace lathe::analysis {

using ir::Box;
using ir::Comparison;
using ir::PwAff;
using ir::SetExpr;
using Kind = PwAff::Kind;

namespace {

// The operands of a Min or Max, or the expression itself.
std::vector<PwAff> alternatives(const PwAff& e, Kind kind) {
  return e.kind() == kind ? e.operands() : std::vector<PwAff>{e};
}

// The coefficient and the rest of a term.
std::pair<std::int64_t, PwAff> split_term(const PwAff& term) {
  if (term.is_number()) return {term.value(), PwAff::integer(1)};
  if (term.kind() != Kind::Product || !term.operands()[0].is_number()) return {1, term};
  PwAff rest = PwAff::integer(1);
  for (std::size_t k = 1; k < term.operands().size(); ++k) rest = rest * term.operands()[k];
  return {term.operands()[0].value(), rest};
}

}  // namespace

LowerBounds lower_bounds(const SetExpr& context) {
  LowerBounds bounds;
  const auto take = [&](const SetExpr& s) {
    if (s.kind() != SetExpr::Kind::Compare || s.comparison() == Comparison::Ne) return;
    const bool equal = s.comparison() == Comparison::Eq;
    const bool flipped = equal && s.right().is_number();
    const PwAff& low = flipped ? s.right() : s.left();
    const PwAff& name = flipped ? s.left() : s.right();
    if (!low.is_number() || name.kind() != Kind::Param) return;
    const auto value =
        checked_add(low.value(), std::int64_t{s.comparison() == Comparison::Lt ? 1 : 0});
    if (!value) return;
    const auto [at, fresh] = bounds.try_emplace(name.name(), *value);
    if (!fresh) at->second = std::max(at->second, *value);
  };
  if (context.kind() == SetExpr::Kind::Intersection)
    for (const SetExpr& part : context.parts()) take(part);
  else
    take(context);
  return bounds;
}

std::optional<std::int64_t> least(const PwAff& e, const LowerBounds& parameters) {
  switch (e.kind()) {
    case Kind::Zero: return 0;
    case Kind::Int: return e.value();
    case Kind::Param: {
      const auto at = parameters.find(e.name());
      if (at == parameters.end()) return std::nullopt;
      return at->second;
    }
    case Kind::Mod:
      if (e.operands()[1].is_number() && e.operands()[1].value() > 0) return 0;
      return std::nullopt;
    case Kind::FloorDiv: {
      const auto x = least(e.operands()[0], parameters);
      if (!x || !e.operands()[1].is_number() || e.operands()[1].value() <= 0) return std::nullopt;
      return lathe::floor_div(*x, e.operands()[1].value());
    }
    case Kind::Product: {  // of things that are never negative
      std::optional<std::int64_t> result = 1;
      for (const PwAff& o : e.operands()) {
        const auto x = least(o, parameters);
        if (!x || *x < 0) return std::nullopt;
        result = checked_mul(result, x);
      }
      return result;
    }
    case Kind::Sum: {
      std::optional<std::int64_t> result = 0;
      for (const PwAff& o : e.operands()) result = checked_add(result, least(o, parameters));
      return result;
    }
    case Kind::Min:
    case Kind::Max: {
      std::optional<std::int64_t> result;
      for (const PwAff& o : e.operands()) {
        const auto x = least(o, parameters);
        if (!x && e.kind() == Kind::Min) return std::nullopt;
        if (!x) continue;
        if (!result)
          result = x;
        else
          result = e.kind() == Kind::Min ? std::min(*result, *x) : std::max(*result, *x);
      }
      return result;
    }
    case Kind::Var:
    case Kind::Read: return std::nullopt;
  }
  return std::nullopt;
}

namespace {

// The operands of so many minimums and maximums are looked at one by one: each doubles the work.
constexpr int kExtremes = 3;

bool is_at_least_zero(const PwAff& e, const LowerBounds& parameters, int extremes) {
  if (const auto x = least(e, parameters); x && *x >= 0) return true;
  if (e.kind() != Kind::Sum || extremes == 0) return false;
  for (const PwAff& term : e.operands()) {
    const auto [coefficient, extreme] = split_term(term);
    const bool least_of = extreme.kind() == Kind::Min, greatest_of = extreme.kind() == Kind::Max;
    if (!least_of && !greatest_of) continue;
    const PwAff c = PwAff::integer(coefficient), rest = e - term;
    const auto fine = [&](const PwAff& o) {
      return is_at_least_zero(rest + c * o, parameters, extremes - 1);
    };
    const std::vector<PwAff>& all = extreme.operands();
    return least_of == (coefficient > 0) ? std::all_of(all.begin(), all.end(), fine)
                                         : std::any_of(all.begin(), all.end(), fine);
  }
  return false;
}

}  // namespace

bool never_negative(const PwAff& e, const LowerBounds& parameters) {
  return is_at_least_zero(e, parameters, kExtremes);
}

std::optional<Interval> interval(const PwAff& e, const Box& box) {
  Interval out{PwAff::zero(), PwAff::zero()};
  const std::vector<PwAff> terms = e.kind() == Kind::Sum ? e.operands() : std::vector<PwAff>{e};
  for (const PwAff& term : terms) {
    if (term.variables().empty()) {
      out.lower = out.lower + term;
      out.upper = out.upper + term;
      continue;
    }
    const auto [coefficient, rest] = split_term(term);
    if (rest.kind() != Kind::Var) return std::nullopt;
    const auto at = std::find(box.variables.begin(), box.variables.end(), rest.name());
    if (at == box.variables.end()) return std::nullopt;
    const auto k = static_cast<std::size_t>(at - box.variables.begin());
    const PwAff c = PwAff::integer(coefficient), last = box.hi[k] - PwAff::integer(1);
    out.lower = out.lower + c * (coefficient > 0 ? box.lo[k] : last);
    out.upper = out.upper + c * (coefficient > 0 ? last : box.lo[k]);
  }
  return out;
}

bool holds_on(const Box& box, const SetExpr& s, const LowerBounds& parameters) {
  const auto part_holds = [&](const SetExpr& part) { return holds_on(box, part, parameters); };
  switch (s.kind()) {
    case SetExpr::Kind::Universe: return true;
    case SetExpr::Kind::Empty:
    case SetExpr::Kind::Opaque: return false;
    case SetExpr::Kind::Intersection:
      return std::all_of(s.parts().begin(), s.parts().end(), part_holds);
    case SetExpr::Kind::Union: return std::any_of(s.parts().begin(), s.parts().end(), part_holds);
    case SetExpr::Kind::Compare: break;
  }
  const auto range = interval(s.right() - s.left(), box);
  if (!range) return false;
  const PwAff zero = PwAff::zero(), one = PwAff::integer(1);
  const auto positive = [&](const PwAff& e) { return never_negative(e - one, parameters); };
  switch (s.comparison()) {
    case Comparison::Le: return never_negative(range->lower, parameters);
    case Comparison::Lt: return positive(range->lower);
    case Comparison::Eq:
      return never_negative(range->lower, parameters) &&
             never_negative(zero - range->upper, parameters);
    case Comparison::Ne: return positive(range->lower) || positive(zero - range->upper);
    case Comparison::Ge:
    case Comparison::Gt: break;  // never stored
  }
  return false;
}

bool never_has_points(const Box& box, const LowerBounds& parameters) {
  for (std::size_t k = 0; k < box.variables.size(); ++k)
    for (const PwAff& lo : alternatives(box.lo[k], Kind::Max))
      for (const PwAff& hi : alternatives(box.hi[k], Kind::Min))
        if (never_negative(lo - hi, parameters)) return true;
  return false;
}

bool always_has_points(const Box& box, const LowerBounds& parameters) {
  for (std::size_t k = 0; k < box.variables.size(); ++k)
    for (const PwAff& lo : alternatives(box.lo[k], Kind::Max))
      for (const PwAff& hi : alternatives(box.hi[k], Kind::Min))
        if (!never_negative(hi - lo - PwAff::integer(1), parameters)) return false;
  return true;
}

}  // namespace lathe::analysis
