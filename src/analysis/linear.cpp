// SPDX-License-Identifier: Apache-2.0

#include "analysis/linear.h"

namespace lathe::analysis {

using ir::Comparison;
using ir::PwAff;
using ir::SetExpr;
using Kind = PwAff::Kind;

namespace {

SetExpr at_least(const PwAff& a, const PwAff& b) { return SetExpr::compare(b, Comparison::Le, a); }

// The facts of p = f1 * f2 * ...: true for all integers.
SetExpr product_facts(const PwAff& p, const std::vector<PwAff>& factors) {
  const PwAff one = PwAff::integer(1);
  const PwAff zero = PwAff::zero();
  std::vector<SetExpr> cases, negative, none_zero, all_positive;
  PwAff sum = zero;
  for (const PwAff& f : factors) {
    cases.push_back(SetExpr::intersection(
        {SetExpr::compare(f, Comparison::Eq, zero), SetExpr::compare(p, Comparison::Eq, zero)}));
    negative.push_back(SetExpr::compare(f, Comparison::Lt, zero));
    none_zero.push_back(SetExpr::compare(f, Comparison::Ne, zero));
    all_positive.push_back(at_least(f, one));
    all_positive.push_back(at_least(p, f));
    sum = sum + f - one;
  }
  all_positive.push_back(at_least(p, sum + one));  // (a-1)*(b-1) >= 0
  none_zero.push_back(SetExpr::unite(std::move(negative)));
  cases.push_back(SetExpr::intersection(std::move(none_zero)));
  cases.push_back(SetExpr::intersection(std::move(all_positive)));
  return SetExpr::unite(std::move(cases));
}

}  // namespace

PwAff Linearizer::name_term(const PwAff& term) {
  std::string name = "`" + to_text(term) + "`";
  const PwAff p = PwAff::param(name);
  terms_.emplace(std::move(name), term);
  return p;
}

std::optional<PwAff> Linearizer::linear(const PwAff& e) {
  if (e.kind() == Kind::Read) {
    if (!e.read_variables().empty()) return std::nullopt;
    return name_term(e);
  }
  if (e.is_affine()) return e;
  if (e.kind() == Kind::Product) {
    std::vector<PwAff> constant, varying;
    PwAff coefficient = PwAff::integer(1), monomial = coefficient;
    for (const PwAff& f : e.operands()) {
      if (f.is_number())
        coefficient = f;
      else
        (f.variables().empty() ? constant : varying).push_back(f);
    }
    if (varying.size() + (constant.empty() ? 0 : 1) > 1) return std::nullopt;
    if (varying.size() == 1) {
      const auto x = linear(varying[0]);
      if (!x) return std::nullopt;
      return coefficient * *x;
    }
    if (constant.size() == 1) {
      const auto x = linear(constant[0]);
      if (!x) return std::nullopt;
      return coefficient * *x;
    }
    for (const PwAff& f : constant) monomial = monomial * f;
    return coefficient * name_term(monomial);
  }
  if ((e.kind() == Kind::FloorDiv || e.kind() == Kind::Mod) && !e.operands()[1].is_number()) {
    if (!e.variables().empty()) return std::nullopt;
    return name_term(e);
  }
  std::optional<PwAff> result;
  for (const PwAff& o : e.operands()) {
    const auto x = linear(o);
    if (!x) return std::nullopt;
    if (!result)
      result = x;
    else if (e.kind() == Kind::Sum)
      result = *result + *x;
    else if (e.kind() == Kind::Min)
      result = min(*result, *x);
    else if (e.kind() == Kind::Max)
      result = max(*result, *x);
    else if (e.kind() == Kind::FloorDiv)
      result = floor_div(*result, *x);
    else
      result = mod(*result, *x);
  }
  return result;
}

LinearSet Linearizer::linear(const SetExpr& s, const SetExpr& unknown) {
  LinearSet out;
  out.set = s.map_parts([&](const SetExpr& part) {
    if (part.kind() == SetExpr::Kind::Compare) {
      const auto a = linear(part.left()), b = linear(part.right());
      if (a && b) return SetExpr::compare(*a, part.comparison(), *b);
    }
    out.exact = false;
    return unknown;
  });
  return out;
}

SetExpr Linearizer::facts() const {
  std::vector<SetExpr> all;
  Linearizer inner;  // factors may be nonlinear themselves; their own facts are not needed
  for (const auto& [name, term] : terms_) {
    const PwAff p = PwAff::param(name);
    if (term.kind() == Kind::Product) {
      std::vector<PwAff> factors;
      for (const PwAff& f : term.operands())
        if (const auto x = inner.linear(f)) factors.push_back(*x);
      if (factors.size() == term.operands().size()) all.push_back(product_facts(p, factors));
    }
    if (term.kind() == Kind::Mod)
      if (const auto d = inner.linear(term.operands()[1]))
        all.push_back(
            SetExpr::unite({SetExpr::compare(*d, Comparison::Le, PwAff::zero()),
                            SetExpr::intersection({at_least(p, PwAff::zero()),
                                                   SetExpr::compare(p, Comparison::Lt, *d)})}));
  }
  return SetExpr::intersection(std::move(all));
}

PwAff Linearizer::restore(const PwAff& e) const {
  return e.map_leaves([&](const PwAff& leaf) -> std::optional<PwAff> {
    if (leaf.kind() != Kind::Param) return std::nullopt;
    const auto at = terms_.find(leaf.name());
    if (at == terms_.end()) return std::nullopt;
    return at->second;
  });
}

SetExpr Linearizer::restore(const SetExpr& s) const {
  return s.map_leaves([&](const PwAff& leaf) -> std::optional<PwAff> {
    if (leaf.kind() != Kind::Param || terms_.count(leaf.name()) == 0) return std::nullopt;
    return terms_.at(leaf.name());
  });
}

}  // namespace lathe::analysis
