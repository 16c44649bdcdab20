// SPDX-License-Identifier: Apache-2.0
#include "analysis/extrema.h"

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

// The first extremum of a sum, with the number that it is multiplied by.
std::optional<Term> find_extremum(const PwAff& e) {
  if (is_extremum(e)) return Term{PwAff::integer(1), e};
  if (e.kind() == Kind::Product && e.operands().size() == 2) {
    const PwAff &a = e.operands()[0], &b = e.operands()[1];
    if (a.is_number() && is_extremum(b)) return Term{a, b};
    if (b.is_number() && is_extremum(a)) return Term{b, a};
  }
  if (e.kind() == Kind::Sum)
    for (const PwAff& o : e.operands())
      if (auto found = find_extremum(o)) return found;
  return std::nullopt;
}

}  // namespace

std::optional<SetExpr> open_extremum(const SetExpr& comparison) {
  const PwAff &l = comparison.left(), &r = comparison.right();
  const PwAff difference = r - l;
  const std::optional<Term> found = find_extremum(difference);
  if (!found) return std::nullopt;
  const Comparison op = comparison.comparison();
  if (op == Comparison::Eq)
    return SetExpr::intersection(
        {SetExpr::compare(l, Comparison::Le, r), SetExpr::compare(r, Comparison::Le, l)});
  if (op == Comparison::Ne)
    return SetExpr::unite(
        {SetExpr::compare(l, Comparison::Lt, r), SetExpr::compare(r, Comparison::Lt, l)});
  check(op == Comparison::Lt || op == Comparison::Le, "a comparison in normal form");
  // 0 < difference, which grows with a term of a positive factor.
  const PwAff rest = difference - found->factor * found->extremum;
  std::vector<SetExpr> parts;
  for (const PwAff& o : found->extremum.operands()) {
    const PwAff one = rest + found->factor * o;
    if (!one.is_affine()) return std::nullopt;  // a number left the 64 bits
    parts.push_back(SetExpr::compare(PwAff::zero(), op, one));
  }
  const bool all = (found->extremum.kind() == Kind::Min) == (found->factor.value() > 0);
  return all ? SetExpr::intersection(std::move(parts)) : SetExpr::unite(std::move(parts));
}

}  // namespace lathe::analysis
