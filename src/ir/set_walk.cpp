// SPDX-License-Identifier: Apache-2.0
// Questions about set expressions and maps over them: names, substitution, duplication, the
// irreducible polygons, and the box fast path.

#include <algorithm>
#include <set>

#include "ir/domain.h"
#include "ir/set_names.h"

namespace lathe::ir {
namespace {

template <class F>
void for_each_part(const SetExpr& s, F&& f) {
  if (s.parts().empty())
    f(s);
  else
    for (const SetExpr& part : s.parts()) for_each_part(part, f);
}

std::vector<SetExpr> conjuncts(const SetExpr& s) {
  if (s.kind() == SetExpr::Kind::Universe) return {};
  if (s.kind() == SetExpr::Kind::Intersection) return s.parts();
  return {s};
}

}  // namespace

std::vector<std::string> SetExpr::variables() const {
  std::set<std::string> names;
  for_each_part(*this, [&](const SetExpr& s) {
    for (const PwAff* e : {&s.left(), &s.right()})
      for (std::string& v : e->variables()) names.insert(std::move(v));
    names.insert(s.opaque_variables().begin(), s.opaque_variables().end());
  });
  return {names.begin(), names.end()};
}

std::vector<std::string> SetExpr::parameters() const {
  std::set<std::string> names;
  for_each_part(*this, [&](const SetExpr& s) {
    for (const PwAff* e : {&s.left(), &s.right()})
      for (std::string& v : e->parameters()) names.insert(std::move(v));
  });
  return {names.begin(), names.end()};
}

bool SetExpr::is_affine() const {
  bool affine = true;
  for_each_part(*this, [&](const SetExpr& s) {
    affine = affine && s.kind() != Kind::Opaque && s.left().is_affine() && s.right().is_affine();
  });
  return affine;
}

SetExpr SetExpr::map_parts(FunctionRef<SetExpr(const SetExpr&)> f) const {
  if (kind() == Kind::Compare || kind() == Kind::Opaque) return f(*this);
  if (parts().empty()) return *this;
  std::vector<SetExpr> mapped;
  mapped.reserve(parts().size());
  for (const SetExpr& part : parts()) mapped.push_back(part.map_parts(f));
  return join(kind(), mapped);
}

SetExpr SetExpr::map_leaves(FunctionRef<std::optional<PwAff>(const PwAff&)> leaf) const {
  return map_parts([&](const SetExpr& s) {
    if (s.kind() == Kind::Opaque) return s;
    return compare(s.left().map_leaves(leaf), s.comparison(), s.right().map_leaves(leaf));
  });
}

SetExpr SetExpr::substitute(const std::map<std::string, std::int64_t>& values) const {
  return map_parts([&](const SetExpr& s) {
    if (s.kind() == Kind::Opaque) return s;
    return compare(s.left().substitute(values), s.comparison(), s.right().substitute(values));
  });
}

SetExpr SetExpr::rename(const std::map<std::string, std::string>& names) const {
  return map_parts([&](const SetExpr& s) {
    if (s.kind() == Kind::Opaque)
      return opaque(rename_words(s.text(), names), rename_all(s.opaque_variables(), names));
    return compare(s.left().rename(names), s.comparison(), s.right().rename(names));
  });
}

SetExpr SetExpr::duplicate(const std::vector<std::string>& taken) const {
  std::set<std::string> used(taken.begin(), taken.end());
  for (std::string& name : variables()) used.insert(std::move(name));
  for (std::string& name : parameters()) used.insert(std::move(name));
  std::map<std::string, std::string> names;
  for (const std::string& v : variables()) {
    std::string fresh = v + "_dup";
    for (int k = 1; used.count(fresh) != 0; ++k) fresh = v + "_dup" + std::to_string(k);
    used.insert(fresh);
    names.emplace(v, std::move(fresh));
  }
  return rename(names);
}

std::vector<SetExpr> polygons(const SetExpr& s) {
  struct Polygon {
    std::set<std::string> variables;
    std::vector<SetExpr> parts;
  };
  std::vector<Polygon> found;
  for (const SetExpr& part : conjuncts(s)) {
    const std::vector<std::string> names = part.variables();
    Polygon merged{{names.begin(), names.end()}, {}};
    // Every polygon that shares a variable with this part joins it, at the first one's place.
    std::size_t place = found.size();
    for (std::size_t k = 0; k < found.size();) {
      const bool shares = std::any_of(names.begin(), names.end(), [&](const std::string& v) {
        return found[k].variables.count(v) != 0;
      });
      if (!shares) {
        ++k;
        continue;
      }
      merged.variables.merge(found[k].variables);
      merged.parts.insert(merged.parts.end(), found[k].parts.begin(), found[k].parts.end());
      place = std::min(place, k);
      found.erase(found.begin() + static_cast<std::ptrdiff_t>(k));
    }
    merged.parts.push_back(part);
    place = std::min(place, found.size());
    found.insert(found.begin() + static_cast<std::ptrdiff_t>(place), std::move(merged));
  }
  std::vector<SetExpr> result;
  for (Polygon& p : found) result.push_back(SetExpr::intersection(std::move(p.parts)));
  return result;
}

// Accepts comparisons with one variable, whose factor is 1 or -1 and whose bound has parameters
// alone (0 <= i + 1 < n, i == n), at least one lower and one upper bound per variable. Several
// bounds of one side meet in max or min.
std::optional<Box> as_box(const SetExpr& s) {
  struct Interval {
    std::optional<PwAff> lo, hi;
  };
  std::map<std::string, Interval> intervals;
  std::vector<std::string> order;
  const PwAff one = PwAff::integer(1);
  for (const SetExpr& part : conjuncts(s)) {
    if (part.kind() != SetExpr::Kind::Compare || part.comparison() == Comparison::Ne)
      return std::nullopt;
    // right - left >= 0 (or > 0, or == 0) is `sign * v + rest`.
    const PwAff difference = part.right() - part.left();
    const std::vector<std::string> used = difference.variables();
    if (used.size() != 1) return std::nullopt;
    const PwAff v = PwAff::var(used[0]);
    PwAff rest = difference - v;
    const bool plus = rest.variables().empty();
    if (!plus) rest = difference + v;
    if (!rest.variables().empty()) return std::nullopt;
    const PwAff bound = plus ? PwAff::zero() - rest : rest;
    const bool strict = part.comparison() == Comparison::Lt;
    const bool equal = part.comparison() == Comparison::Eq;
    auto [at, fresh] = intervals.try_emplace(used[0]);
    if (fresh) order.push_back(used[0]);
    Interval& interval = at->second;
    if (plus || equal) {
      const PwAff lo = strict ? bound + one : bound;
      interval.lo = interval.lo ? max(*interval.lo, lo) : lo;
    }
    if (!plus || equal) {
      const PwAff hi = strict ? bound : bound + one;
      interval.hi = interval.hi ? min(*interval.hi, hi) : hi;
    }
  }
  Box box;
  for (const std::string& v : order) {
    const Interval& interval = intervals.at(v);
    if (!interval.lo || !interval.hi) return std::nullopt;
    box.variables.push_back(v);
    box.lo.push_back(*interval.lo);
    box.hi.push_back(*interval.hi);
  }
  return box;
}

}  // namespace lathe::ir
