// SPDX-License-Identifier: Apache-2.0
// A walk from the last statement to the first, on numbers: the part of a statement's box that
// writes what is needed, then what that part reads. Needs never shrink and are cut to declared
// ranges, so walking the program again until nothing changes ends, and covers loops.

#include "analysis/footprint.h"

#include <algorithm>

#include "analysis/access.h"
#include "analysis/intervals.h"
#include "base/checked.h"

namespace lathe::analysis {
namespace {

using ir::Box;
using ir::PwAff;
using NeededBoxes = std::map<Symbol, NumberBox>;

std::optional<NumberBox> declared_box(const ir::Array& array, const SizeValues& sizes) {
  NumberBox box;
  for (const ir::Axis& axis : array.axes) {
    const auto lo = ir::to_bound(axis.lo).evaluate(sizes),
               hi = ir::to_bound(axis.hi).evaluate(sizes);
    if (!lo || !hi) return std::nullopt;
    box.lo.push_back(*lo);
    box.hi.push_back(*hi);
  }
  return box;
}

// The hull of the two; did `to` grow?
bool add(NeededBoxes& needs, Symbol array, const NumberBox& box) {
  if (box.is_empty()) return false;
  const auto [at, fresh] = needs.try_emplace(array, box);
  if (fresh) return true;
  const NumberBox before = at->second;
  for (std::size_t k = 0; k < box.lo.size(); ++k) {
    at->second.lo[k] = std::min(at->second.lo[k], box.lo[k]);
    at->second.hi[k] = std::max(at->second.hi[k], box.hi[k]);
  }
  return !(at->second == before);
}

// The statement's box, as numbers; bounds that depend on other variables or data are left out.
Box number_box(const SetExpr& domain, const SizeValues& sizes) {
  Box out;
  std::vector<SetExpr> kept;
  const SetExpr fixed = domain.substitute(sizes);
  const auto parts =
      fixed.kind() == SetExpr::Kind::Intersection ? fixed.parts() : std::vector<SetExpr>{fixed};
  std::map<std::string, std::vector<SetExpr>> by_variable;
  for (const SetExpr& part : parts) {
    if (part.kind() != SetExpr::Kind::Compare || part.variables().size() != 1) continue;
    by_variable[part.variables()[0]].push_back(part);
  }
  for (auto& [variable, comparisons] : by_variable) {
    // Comparisons of other forms (2*i < n, i % 2 == 0) only make it smaller.
    std::erase_if(comparisons, [](const SetExpr& c) {
      return c.comparison() == ir::Comparison::Ne ||
             (c.left().kind() != PwAff::Kind::Var && c.right().kind() != PwAff::Kind::Var);
    });
    if (const auto box = as_box(SetExpr::intersection(comparisons));
        box && box->variables.size() == 1 && box->lo[0].evaluate({}) && box->hi[0].evaluate({})) {
      out.variables.push_back(variable);
      out.lo.push_back(box->lo[0]);
      out.hi.push_back(box->hi[0]);
    }
  }
  return out;
}

// Cuts the box to the points whose target lies in the region; false when none is left.
bool restrict(Box& box, const Access& write, const NumberBox& region, const SizeValues& sizes) {
  for (std::size_t k = 0; k < write.affine.size(); ++k) {
    if (!write.affine[k]) continue;
    const PwAff index = write.affine[k]->substitute(sizes);
    const auto used = index.variables();
    if (used.size() != 1) continue;
    const PwAff shift = index - PwAff::var(used[0]);
    const auto at = std::find(box.variables.begin(), box.variables.end(), used[0]);
    if (at == box.variables.end() || !shift.evaluate({})) continue;
    const auto v = static_cast<std::size_t>(at - box.variables.begin());
    box.lo[v] = max(box.lo[v], PwAff::integer(region.lo[k]) - shift);
    box.hi[v] = min(box.hi[v], PwAff::integer(region.hi[k]) - shift);
  }
  return !never_has_points(box, {});
}

NumberBox read_box(const Access& read, const Box& box, const NumberBox& declared,
                   const SizeValues& sizes) {
  NumberBox out = declared;
  if (read.whole || read.policy == ir::Policy::Wrap || read.policy == ir::Policy::Mirror)
    return out;
  for (std::size_t k = 0; k < read.affine.size(); ++k) {
    if (!read.affine[k]) continue;
    const auto range = interval(read.affine[k]->substitute(sizes), box);
    const auto lo = range ? range->lower.evaluate({}) : std::nullopt;
    const auto hi = range ? range->upper.evaluate({}) : std::nullopt;
    if (!lo || !hi) continue;
    const bool clamp = read.policy == ir::Policy::Clamp;
    const std::int64_t first = declared.lo[k], last = declared.hi[k] - 1;
    out.lo[k] = clamp ? std::clamp(*lo, first, std::max(first, last)) : std::max(*lo, first);
    out.hi[k] = (clamp ? std::clamp(*hi, first, std::max(first, last)) : std::min(*hi, last)) + 1;
  }
  return out;
}

// How often the body of a reduction runs, by its own bounds; 1 when they are not numbers.
std::int64_t trips(const ir::view::Reduce& r, const SizeValues& sizes) {
  std::optional<std::int64_t> product = 1;
  for (std::size_t k = 0; k < r.info.variables.size(); ++k) {
    const auto lo = ir::to_bound(r.lo(k)).evaluate(sizes),
               hi = ir::to_bound(r.hi(k)).evaluate(sizes);
    if (lo && hi) product = checked_mul(product, std::max<std::int64_t>(0, *hi - *lo));
  }
  return product.value_or(INT64_MAX);
}

// Adds the cost of an expression, each node once per reduction level that it stands in.
void add_cost(ir::Expr root, std::int64_t times, const SizeValues& sizes, StatementCost& cost) {
  std::vector<std::pair<ir::Expr, std::int64_t>> stack{{root, times}};
  std::map<std::pair<std::uint32_t, std::int64_t>, bool> seen;
  while (!stack.empty()) {
    const auto [e, n] = stack.back();
    stack.pop_back();
    if (!seen.emplace(std::pair(e->id, n), true).second) continue;
    if (e->op == ir::Op::Read)
      cost.reads_per_point += n * static_cast<std::int64_t>(size_bytes(e->dtype));
    else if (e->arg_count > 0 && e->op != ir::Op::Inside)
      cost.operations_per_point +=
          e->op == ir::Op::Reduce ? n * trips(ir::view::Reduce(e), sizes) : n;
    if (e->op != ir::Op::Reduce) {
      for (const ir::Expr x : e->args()) stack.push_back({x, n});
      continue;
    }
    const ir::view::Reduce r(e);
    for (const ir::Expr x : r.bounds) stack.push_back({x, n});
    const std::int64_t inner = checked_mul(n, trips(r, sizes)).value_or(INT64_MAX);
    if (r.guard != nullptr) stack.push_back({r.guard, inner});
    for (const ir::Expr x : r.values) stack.push_back({x, inner});
  }
}

}  // namespace

bool NumberBox::is_empty() const {
  for (std::size_t k = 0; k < lo.size(); ++k)
    if (lo[k] >= hi[k]) return true;
  return false;
}

std::map<Symbol, NumberBox> required(const ir::Program& program, Symbol array,
                                     const NumberBox& region, const SizeValues& sizes) {
  NeededBoxes needs;
  add(needs, array, region);
  const std::vector<StatementAccess> all = collect_accesses(program);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto s = all.rbegin(); s != all.rend(); ++s)
      for (const Access& write : s->writes) {
        const auto need = needs.find(write.array);
        if (need == needs.end()) continue;
        Box box = number_box(s->domain, sizes);
        if (!write.whole && !restrict(box, write, need->second, sizes)) continue;
        for (const Access& read : s->reads) {
          const ir::Array* from = program.find_array(read.array);
          if (from == nullptr) continue;
          // Reductions inside the statement have ranges of their own.
          Box inner = number_box(read.domain, sizes);
          for (std::size_t k = 0; k < box.variables.size(); ++k) {
            const auto at =
                std::find(inner.variables.begin(), inner.variables.end(), box.variables[k]);
            if (at == inner.variables.end()) continue;
            const auto v = static_cast<std::size_t>(at - inner.variables.begin());
            inner.lo[v] = max(inner.lo[v], box.lo[k]);
            inner.hi[v] = min(inner.hi[v], box.hi[k]);
          }
          if (never_has_points(inner, {})) continue;
          const auto declared = declared_box(*from, sizes);
          if (declared)
            changed = add(needs, read.array, read_box(read, inner, *declared, sizes)) || changed;
        }
      }
  }
  std::map<Symbol, NumberBox> out;
  for (const auto& [name, box] : needs) {
    const ir::Role role = program.find_array(name)->role;
    if (role != ir::Role::Temp && role != ir::Role::Output) out.emplace(name, box);
  }
  return out;
}

std::optional<std::int64_t> StatementCost::bytes() const {
  return checked_mul(points, checked_add(reads_per_point, writes_per_point));
}
std::optional<std::int64_t> StatementCost::operations() const {
  return checked_mul(points, CheckedInt(operations_per_point));
}

std::vector<StatementCost> statement_costs(const ir::Program& program, const SizeValues& sizes,
                                           SetQuery& query) {
  std::vector<StatementCost> out;
  for (const StatementAccess& s : collect_accesses(program)) {
    if (s.statement == nullptr) continue;
    StatementCost cost;
    cost.label = s.label;
    const SetExpr fixed = s.domain.substitute(sizes);
    if (const auto box = as_box(fixed)) {
      cost.points = 1;
      for (std::size_t k = 0; k < box->variables.size(); ++k) {
        const auto extent = (box->hi[k] - box->lo[k]).evaluate({});
        cost.points = extent
                          ? checked_mul(cost.points, CheckedInt(std::max<std::int64_t>(0, *extent)))
                          : std::nullopt;
      }
    } else if (const auto points = query.points(fixed, {}, s.variables)) {
      cost.points = static_cast<std::int64_t>(points->size());
    }
    for (const ir::Expr e : s.statement->values) add_cost(e, 1, sizes, cost);
    for (const ir::Target& t : s.statement->targets) {
      for (const ir::Expr e : t.indices) add_cost(e, 1, sizes, cost);
      const ir::Array* array = program.find_array(t.array);
      if (array == nullptr) continue;
      const auto bytes = static_cast<std::int64_t>(size_bytes(array->dtype));
      cost.writes_per_point += bytes;
      if (s.statement->accumulate) {
        cost.reads_per_point += bytes;
        ++cost.operations_per_point;
      }
    }
    out.push_back(cost);
  }
  return out;
}

}  // namespace lathe::analysis
