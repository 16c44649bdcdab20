// SPDX-License-Identifier: Apache-2.0
// Reads of what is surely written, at indices that surely fit; or anywhere, with a policy.

#include <algorithm>

#include "random_generator.h"

namespace lathe::testing {

using namespace ir;

Expr Generator::read(DType t, int depth) {
  std::vector<ArrayShape*> candidates, fresh;
  for (ArrayShape& a : arrays_) {
    if (a.dtype != t || !a.available) continue;
    if (!a.written && exact_.count(a.name) == 0) continue;
    if (std::find(hidden_.begin(), hidden_.end(), a.name) != hidden_.end()) continue;
    candidates.push_back(&a);
    if (a.reads == 0 && a.role != Role::Input && a.role != Role::Const) fresh.push_back(&a);
  }
  if (candidates.empty()) return nullptr;
  for (int attempt = 0; attempt < 3; ++attempt) {
    ArrayShape& a = !fresh.empty() && rng_.percent(50) ? *rng_.pick(fresh) : *rng_.pick(candidates);
    if (const Expr e = read_of(a, depth)) return e;
  }
  return nullptr;
}

Expr Generator::read_of(ArrayShape& a, int depth, bool plain) {
  if (std::find(hidden_.begin(), hidden_.end(), a.name) != hidden_.end()) return nullptr;
  if (const auto exact = exact_.find(a.name); exact != exact_.end()) {
    ++a.reads;
    return p_.graph->read(a.name, a.dtype, exact->second);
  }
  if (!a.written) return nullptr;
  if (a.extended) {  // compute-extents asks for indices that it can bound
    for (const Variable& v : scope_)
      if (v.by_data) return nullptr;
    std::vector<Expr> indices;
    for (std::size_t i = 0; i < a.axes.size(); ++i) {
      const Expr at = variable_index(a.axes[i], (*a.written)[i], false);
      if (!at) return nullptr;
      indices.push_back(at);
    }
    ++a.reads;
    return p_.graph->read(a.name, a.dtype, indices);
  }
  if (!plain && !a.axes.empty() && rng_.percent(18))
    if (const Expr e = policy_read(a, depth)) return e;
  std::vector<Expr> indices;
  for (std::size_t i = 0; i < a.axes.size(); ++i) {
    const Expr at = index_in(a.axes[i], (*a.written)[i], depth);
    if (!at) return plain ? nullptr : policy_read(a, depth);
    indices.push_back(at);
  }
  ++a.reads;
  const bool trusted = !indices.empty() && rng_.percent(7);
  return p_.graph->read(a.name, a.dtype, indices, trusted ? Policy::Trusted : Policy::Error);
}

// A read that may leave the array, which must have been written everywhere.
Expr Generator::policy_read(ArrayShape& a, int depth) {
  if (!fully_written(a) || a.axes.empty()) return nullptr;
  constexpr Policy kPolicies[] = {Policy::Zero, Policy::Value, Policy::Clamp, Policy::Wrap,
                                  Policy::Mirror};
  Policy policy = rng_.pick(kPolicies);
  for (const AxisShape& axis : a.axes)  // the nearest element of an empty array does not exist
    if (minimum_here(axis.extent) + axis.below + axis.above < 1 && policy != Policy::Value)
      policy = Policy::Zero;
  std::vector<Expr> indices;
  for (const AxisShape& axis : a.axes) {
    Expr at = nullptr;
    if (rng_.percent(60))
      at = index_in({axis.extent, 9, 9}, {-axis.below - 3, axis.above + 3}, depth);
    indices.push_back(at && rng_.percent(80) ? at : any_index(depth - 1));
  }
  ++a.reads;
  const Expr fill = policy == Policy::Value ? leaf(a.dtype) : nullptr;
  return p_.graph->read(a.name, a.dtype, indices, policy, fill);
}

Expr Generator::inside(int depth) {
  std::vector<const ArrayShape*> candidates;
  for (const ArrayShape& a : arrays_)
    if (!a.axes.empty() && a.available) candidates.push_back(&a);
  if (candidates.empty()) return constant(DType::Bool);
  const ArrayShape& a = *rng_.pick(candidates);
  std::vector<Expr> indices;
  for (std::size_t i = 0; i < a.axes.size(); ++i) indices.push_back(any_index(depth));
  return p_.graph->inside(a.name, indices);
}

}  // namespace lathe::testing
