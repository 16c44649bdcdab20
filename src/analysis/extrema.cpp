// SPDX-License-Identifier: Apache-2.0
#include "analysis/extrema.h"

#include <algorithm>

#include "base/diagnostics.h"

namespace lathe::analysis {
namespace {

using ir::Comparison;
using ir::PwAff;
using ir::SetExpr;
using Kind = PwAff::Kind;

bool is_extremum(const PwAff& e) { return e.kind() == Kind::Min || e.kind() == Kind::Max; }

struct Term {
  PwAff factor, extremum;
};

// Is one operand that is large enough not enough: must all of them be?
bool needs_all(const Term& t) { return (t.extremum.kind() == Kind::Min) == (t.factor.value() > 0); }

// The extrema of a sum, with the numbers that they are multiplied by.
void find_extrema(const PwAff& e, std::vector<Term>& out) {
  if (is_extremum(e)) out.push_back({PwAff::integer(1), e});
  if (e.kind() == Kind::Product && e.operands().size() == 2) {
    const PwAff &a = e.operands()[0], &b = e.operands()[1];
    if (a.is_number() && is_extremum(b)) out.push_back({a, b});
    if (b.is_number() && is_extremum(a)) out.push_back({b, a});
  }
  if (e.kind() == Kind::Sum)
    for (const PwAff& o : e.operands()) find_extrema(o, out);
}

// In at most so many steps: extrema in sums of extrema double them.
bool shows_no_negative(const PwAff& e, int& steps) {
  if (e.is_number()) return e.kind() == Kind::Zero || e.value() >= 0;
  std::vector<Term> found;
  find_extrema(e, found);
  if (found.empty() || --steps < 0) return false;
  // Which operand is large enough may depend on the operands of those that need all.
  const auto first = std::find_if(found.begin(), found.end(), needs_all);
  const Term& term = first == found.end() ? found.front() : *first;
  const PwAff rest = e - term.factor * term.extremum;
  const auto with = [&](const PwAff& o) {
    return shows_no_negative(rest + term.factor * o, steps);
  };
  const std::vector<PwAff>& all = term.extremum.operands();
  return needs_all(term) ? std::all_of(all.begin(), all.end(), with)
                         : std::any_of(all.begin(), all.end(), with);
}

}  // namespace

bool is_never_negative(const PwAff& e) {
  int steps = 64;
  return shows_no_negative(e, steps);
}

std::optional<SetExpr> open_extremum(const SetExpr& comparison) {
  const PwAff &l = comparison.left(), &r = comparison.right();
  const PwAff difference = r - l;
  std::vector<Term> found;
  find_extrema(difference, found);
  if (found.empty()) return std::nullopt;
  const auto& [factor, extremum] = found.front();
  const Comparison op = comparison.comparison();
  if (op == Comparison::Eq)
    return SetExpr::intersection(
        {SetExpr::compare(l, Comparison::Le, r), SetExpr::compare(r, Comparison::Le, l)});
  if (op == Comparison::Ne)
    return SetExpr::unite(
        {SetExpr::compare(l, Comparison::Lt, r), SetExpr::compare(r, Comparison::Lt, l)});
  check(op == Comparison::Lt || op == Comparison::Le, "a comparison in normal form");
  // 0 < difference, which grows with a term of a positive factor.
  const PwAff rest = difference - factor * extremum;
  std::vector<SetExpr> parts;
  for (const PwAff& o : extremum.operands()) {
    const PwAff one = rest + factor * o;
    if (!one.is_affine()) return std::nullopt;  // a number left the 64 bits
    parts.push_back(SetExpr::compare(PwAff::zero(), op, one));
  }
  return needs_all(found.front()) ? SetExpr::intersection(std::move(parts))
                                  : SetExpr::unite(std::move(parts));
}

}  // namespace lathe::analysis
