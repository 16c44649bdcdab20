// SPDX-License-Identifier: Apache-2.0
#include "analysis/plain_sets.h"

#include <algorithm>

namespace lathe::analysis {
namespace {

using ir::Box;
using ir::Comparison;
using ir::PwAff;
using ir::SetExpr;
using Values = std::map<std::string, std::int64_t>;

// Parameter values that a counterexample is sought at: large, small, and two that differ.
std::vector<Values> samples(const SetExpr& a, const SetExpr& b, const SetExpr& context) {
  std::vector<Values> out(4);
  std::int64_t k = 0;
  for (const SetExpr* s : {&a, &b, &context})
    for (const std::string& name : s->parameters()) {
      out[0][name] = 1000;
      out[1][name] = 1;
      out[2][name] = 100 + 37 * k;
      out[3][name] = 1000 - 37 * k;
      ++k;
    }
  std::erase_if(out, [&](const Values& v) { return context.contains(v) != true; });
  return out;
}

// The corner of the box with the least (or greatest) coordinates, if it has points there.
std::optional<Values> corner(const Box& box, Values values, bool greatest) {
  Values at = values;
  for (std::size_t k = 0; k < box.variables.size(); ++k) {
    const auto lo = box.lo[k].evaluate(values), hi = box.hi[k].evaluate(values);
    if (!lo || !hi || *lo >= *hi) return std::nullopt;
    at[box.variables[k]] = greatest ? *hi - 1 : *lo;
  }
  return at;
}

// Does the comparison fail everywhere? False: perhaps not.
bool never_holds(const SetExpr& s, const LowerBounds& parameters) {
  const auto above = [&](const PwAff& more, const PwAff& less, std::int64_t by) {
    return never_negative(more - less - PwAff::integer(by), parameters);
  };
  const PwAff &l = s.left(), &r = s.right();
  switch (s.comparison()) {
    case Comparison::Lt: return above(l, r, 0);
    case Comparison::Le: return above(l, r, 1);
    case Comparison::Gt: return above(r, l, 0);
    case Comparison::Ge: return above(r, l, 1);
    case Comparison::Eq: return above(l, r, 1) || above(r, l, 1);
    case Comparison::Ne: return l == r;
  }
  return false;
}

bool may_be_all(const SetExpr& s) {
  if (s.kind() == SetExpr::Kind::Union)
    return std::any_of(s.parts().begin(), s.parts().end(), may_be_all);
  return s.kind() == SetExpr::Kind::Opaque;
}

}  // namespace

bool has_counterexample(const Box& a, const SetExpr& a_set, const SetExpr& b,
                        const SetExpr& context) {
  for (const Values& v : samples(a_set, b, context))
    for (const bool greatest : {false, true})
      if (const auto at = corner(a, v, greatest); at && b.contains(*at) == false) return true;
  return false;
}

bool box_is_subset(const Box& a, const Box& b, const LowerBounds& parameters) {
  for (std::size_t k = 0; k < b.variables.size(); ++k) {
    const auto range = interval(PwAff::var(b.variables[k]), a);
    if (!range || !never_negative(range->lower - b.lo[k], parameters) ||
        !never_negative(b.hi[k] - range->upper - PwAff::integer(1), parameters))
      return false;
  }
  return true;
}

std::optional<Box> box_around(const SetExpr& s) {
  if (s.kind() != SetExpr::Kind::Intersection) return as_box(s);
  std::vector<SetExpr> simple;
  for (const SetExpr& part : s.parts())
    if (part.kind() == SetExpr::Kind::Compare && part.variables().size() == 1)
      simple.push_back(part);
  return as_box(SetExpr::intersection(simple));
}

SetExpr without_opaque(const SetExpr& s) {
  if (may_be_all(s)) return SetExpr::universe();
  if (s.kind() != SetExpr::Kind::Intersection) return s;
  std::vector<SetExpr> parts = s.parts();
  if (std::erase_if(parts, may_be_all) == 0) return s;
  return SetExpr::intersection(std::move(parts));
}

SetExpr without_reads(const SetExpr& s) {
  const auto reads = [](const SetExpr& part) {
    return part.kind() == SetExpr::Kind::Compare &&
           (reads_arrays(part.left()) || reads_arrays(part.right()));
  };
  if (s.kind() != SetExpr::Kind::Intersection) return reads(s) ? SetExpr::universe() : s;
  std::vector<SetExpr> parts = s.parts();
  std::erase_if(parts, reads);
  return SetExpr::intersection(std::move(parts));
}

bool reads_arrays(const PwAff& e) {
  if (e.kind() == PwAff::Kind::Read) return true;
  return std::any_of(e.operands().begin(), e.operands().end(), reads_arrays);
}

bool plainly_empty(const SetExpr& s, const LowerBounds& parameters) {
  const auto empty = [&](const SetExpr& part) { return plainly_empty(part, parameters); };
  switch (s.kind()) {
    case SetExpr::Kind::Empty: return true;
    case SetExpr::Kind::Universe:
    case SetExpr::Kind::Opaque: return false;
    case SetExpr::Kind::Compare: return never_holds(s, parameters);
    case SetExpr::Kind::Union: return std::all_of(s.parts().begin(), s.parts().end(), empty);
    case SetExpr::Kind::Intersection: break;
  }
  const auto denied = [&](const SetExpr& a) {
    return a.kind() == SetExpr::Kind::Compare && a.comparison() == Comparison::Ne &&
           std::any_of(s.parts().begin(), s.parts().end(), [&](const SetExpr& b) {
             return b.kind() == SetExpr::Kind::Compare && b.comparison() == Comparison::Eq &&
                    b.left() == a.left() && b.right() == a.right() && !reads_arrays(a.left()) &&
                    !reads_arrays(a.right());
           });
  };
  return std::any_of(s.parts().begin(), s.parts().end(),
                     [&](const SetExpr& part) { return empty(part) || denied(part); });
}

}  // namespace lathe::analysis
