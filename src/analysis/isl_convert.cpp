// SPDX-License-Identifier: Apache-2.0
#include "analysis/isl_convert.h"

#include <isl/constraint.h>
#include <isl/space.h>

#include <algorithm>
#include <set>

namespace lathe::analysis {

using ir::Comparison;
using ir::PwAff;
using ir::SetExpr;
using Kind = PwAff::Kind;

IslSpace::IslSpace(std::initializer_list<SetExpr> sets, const std::vector<std::string>& order)
    : variables(order) {
  std::set<std::string> v, p;
  for (const SetExpr& s : sets) {
    for (std::string& name : s.variables()) v.insert(std::move(name));
    for (std::string& name : s.parameters()) p.insert(std::move(name));
  }
  for (const std::string& name : v)
    if (std::find(order.begin(), order.end(), name) == order.end()) variables.push_back(name);
  parameters.assign(p.begin(), p.end());
}

isl_space* IslSpace::make(isl_ctx* ctx) const {
  return isl_space_set_alloc(ctx, static_cast<unsigned>(parameters.size()),
                             static_cast<unsigned>(variables.size()));
}

namespace {

int position(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

isl_pw_aff* leaf(isl_ctx* ctx, const IslSpace& space, const PwAff& e) {
  isl_local_space* local = isl_local_space_from_space(space.make(ctx));
  isl_aff* aff = nullptr;
  if (e.kind() == Kind::Var)
    aff = isl_aff_var_on_domain(local, isl_dim_set,
                                static_cast<unsigned>(position(space.variables, e.name())));
  else if (e.kind() == Kind::Param)
    aff = isl_aff_var_on_domain(local, isl_dim_param,
                                static_cast<unsigned>(position(space.parameters, e.name())));
  else
    aff = isl_aff_val_on_domain(local, isl_val_int_from_si(ctx, e.value()));
  return isl_pw_aff_from_aff(aff);
}

}  // namespace

isl_pw_aff* to_isl(isl_ctx* ctx, const IslSpace& space, const PwAff& e) {
  if (e.operands().empty()) return leaf(ctx, space, e);
  if (e.kind() == Kind::FloorDiv || e.kind() == Kind::Mod) {
    isl_pw_aff* x = to_isl(ctx, space, e.operands()[0]);
    isl_val* d = isl_val_int_from_si(ctx, e.operands()[1].value());
    if (e.kind() == Kind::Mod) return isl_pw_aff_mod_val(x, d);
    return isl_pw_aff_floor(isl_pw_aff_scale_down_val(x, d));
  }
  isl_pw_aff* result = nullptr;
  for (const PwAff& o : e.operands()) {
    isl_pw_aff* x = to_isl(ctx, space, o);
    if (result == nullptr)
      result = x;
    else if (e.kind() == Kind::Sum)
      result = isl_pw_aff_add(result, x);
    else if (e.kind() == Kind::Product)
      result = isl_pw_aff_mul(result, x);
    else if (e.kind() == Kind::Min)
      result = isl_pw_aff_min(result, x);
    else
      result = isl_pw_aff_max(result, x);
  }
  return result;
}

isl_set* to_isl(isl_ctx* ctx, const IslSpace& space, const SetExpr& s) {
  switch (s.kind()) {
    case SetExpr::Kind::Empty: return isl_set_empty(space.make(ctx));
    case SetExpr::Kind::Universe:
    case SetExpr::Kind::Opaque: return isl_set_universe(space.make(ctx));
    case SetExpr::Kind::Compare: {
      isl_pw_aff* a = to_isl(ctx, space, s.left());
      isl_pw_aff* b = to_isl(ctx, space, s.right());
      switch (s.comparison()) {
        case Comparison::Lt: return isl_pw_aff_lt_set(a, b);
        case Comparison::Le: return isl_pw_aff_le_set(a, b);
        case Comparison::Eq: return isl_pw_aff_eq_set(a, b);
        case Comparison::Ne: return isl_pw_aff_ne_set(a, b);
        case Comparison::Ge: return isl_pw_aff_ge_set(a, b);
        case Comparison::Gt: return isl_pw_aff_gt_set(a, b);
      }
      return nullptr;
    }
    case SetExpr::Kind::Intersection:
    case SetExpr::Kind::Union: break;
  }
  isl_set* result = nullptr;
  for (const SetExpr& part : s.parts()) {
    isl_set* x = to_isl(ctx, space, part);
    if (&part == &s.parts().front())
      result = x;
    else
      result = s.kind() == SetExpr::Kind::Union ? isl_set_union(result, x)
                                                : isl_set_intersect(result, x);
  }
  return result;
}

std::int64_t take_int(isl_val* v) {
  const long n = isl_val_get_num_si(v);  // too large: an isl error, seen by finish()
  isl_val_free(v);
  return n;
}

PwAff take_aff(isl_aff* aff, const IslSpace& space) {  // takes
  isl_val* denominator = isl_aff_get_denominator_val(aff);
  const std::int64_t d = take_int(isl_val_copy(denominator));
  aff = isl_aff_scale_val(aff, denominator);
  PwAff e = PwAff::integer(take_int(isl_aff_get_constant_val(aff)));
  const auto add = [&](isl_dim_type type, int k, const PwAff& x) {
    const std::int64_t c = take_int(isl_aff_get_coefficient_val(aff, type, k));
    if (c != 0) e = e + PwAff::integer(c) * x;
  };
  for (int k = 0; k < static_cast<int>(space.parameters.size()); ++k)
    add(isl_dim_param, k, PwAff::param(space.parameters[static_cast<std::size_t>(k)]));
  const int variables = isl_aff_dim(aff, isl_dim_in);
  for (int k = 0; k < variables; ++k)
    add(isl_dim_in, k, PwAff::var(space.variables[static_cast<std::size_t>(k)]));
  const int divs = isl_aff_dim(aff, isl_dim_div);
  for (int k = 0; k < divs; ++k) {
    const std::int64_t c = take_int(isl_aff_get_coefficient_val(aff, isl_dim_div, k));
    if (c != 0) e = e + PwAff::integer(c) * take_aff(isl_aff_get_div(aff, k), space);
  }
  isl_aff_free(aff);
  return d > 1 ? floor_div(e, PwAff::integer(d)) : e;
}

namespace {

// x - d * (x // d) == 0 is how isl says x % d == 0.
SetExpr equation(const PwAff& e) {
  if (e.kind() == Kind::Sum)
    for (const PwAff& term : e.operands()) {
      if (term.kind() != Kind::Product || term.operands().size() != 2) continue;
      const PwAff &c = term.operands()[0], &q = term.operands()[1];
      if (c.kind() != Kind::Int || q.kind() != Kind::FloorDiv) continue;
      const PwAff sign = PwAff::integer(c.value() < 0 ? -1 : 1);
      const PwAff &x = q.operands()[0], &d = q.operands()[1];
      if (d == sign * c && x == PwAff::zero() - sign * (e - term))
        return SetExpr::compare(mod(x, d), Comparison::Eq, PwAff::zero());
    }
  return SetExpr::compare(e, Comparison::Eq, PwAff::zero());
}

// `e >= 0` with what is negative on the other side: { i < n }, not { 0 <= n - i - 1 }.
SetExpr inequality(const PwAff& e) {
  PwAff left = PwAff::zero(), right = e;
  if (e.kind() == Kind::Sum)
    for (const PwAff& term : e.operands()) {
      const bool negative = term.kind() == Kind::Product &&
                            term.operands()[0].kind() == Kind::Int &&
                            term.operands()[0].value() < 0;
      if (negative) left = left - term, right = right - term;
    }
  else if (e.kind() == Kind::Product && e.operands()[0].value() < 0)
    std::swap(left, right), left = PwAff::zero() - left;
  return SetExpr::compare(left, Comparison::Le, right);
}

struct Pieces {
  const IslSpace& space;
  std::vector<SetExpr> unions, parts;
};

isl_stat collect_constraint(isl_constraint* c, void* user) {
  auto& out = *static_cast<Pieces*>(user);
  const bool equal = isl_constraint_is_equality(c) == isl_bool_true;
  const PwAff e = take_aff(isl_constraint_get_aff(c), out.space);
  isl_constraint_free(c);
  out.parts.push_back(equal ? equation(e) : inequality(e));
  return isl_stat_ok;
}

isl_stat collect_basic(isl_basic_set* b, void* user) {
  auto& out = *static_cast<Pieces*>(user);
  out.parts.clear();
  const isl_stat status = isl_basic_set_foreach_constraint(b, collect_constraint, user);
  isl_basic_set_free(b);
  out.unions.push_back(SetExpr::intersection(out.parts));
  return status;
}

}  // namespace

SetExpr take_set(isl_set* s, const IslSpace& space) {
  s = isl_set_compute_divs(s);  // unnamed existentials have no text
  Pieces out{space, {}, {}};
  isl_set_foreach_basic_set(s, collect_basic, &out);
  isl_set_free(s);
  return SetExpr::unite(std::move(out.unions));
}

}  // namespace lathe::analysis
