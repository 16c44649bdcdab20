// SPDX-License-Identifier: Apache-2.0
// Statements that set elements, each at most once: where they write, over which domain, and what is
// known to be written afterwards.

#include <algorithm>

#include "random_generator.h"

namespace lathe::testing {

using namespace ir;

void Generator::enter(const Context& c) {
  scope_ = c.around;
  scope_.insert(scope_.end(), c.prefix_variables.begin(), c.prefix_variables.end());
  loops_ = c.loops;
}

Symbol Generator::label_for(Symbol target) {
  if (rng_.percent(30)) return unique("step");
  const std::string stem = std::string(target.text()) + ".";  // `t.0`, as by default, or near it
  return p_.graph->symbol(stem + std::to_string(names_[stem]++));
}

ArrayShape* Generator::writable(const Context& c) {
  std::vector<ArrayShape*> candidates;
  for (ArrayShape& a : arrays_) {
    if (a.frozen || !a.available) continue;
    if (std::find(unwritable_.begin(), unwritable_.end(), a.name) != unwritable_.end()) continue;
    if (c.masked && a.axes.size() < c.prefix.size()) continue;
    candidates.push_back(&a);
  }
  return candidates.empty() ? nullptr : rng_.pick(candidates);
}

ArrayShape& Generator::new_target(int least_rank) {
  const DType t = some_dtype();
  const Role role = rng_.percent(75) ? Role::Temp : Role::Output;
  const int rank = std::max(least_rank, some_rank());
  return add_array(role == Role::Temp ? "t" : "v", t, role, some_axes(rank));
}

// Each variable of the branches around gets an axis of its own, always the same one.
bool Generator::map_prefix(const Context& c, Write& w, const Region& within) {
  std::map<Symbol, AxisUse>* known = nullptr;
  if (const auto at = branch_uses_.find(w.array->name); at != branch_uses_.end())
    known = &at->second;
  const auto& many = many_writers_;
  if (std::find(many.begin(), many.end(), w.array->name) != many.end()) return false;
  for (const Variable& v : c.prefix_variables) {
    std::vector<AxisUse> fitting;
    for (std::size_t i = 0; i < w.array->axes.size(); ++i) {
      const auto d = distance(v, w.array->axes[i].extent);
      if (w.indices[i] || !d) continue;
      const std::int64_t least = within[i].lo - v.interval.lo, most = within[i].offset - *d;
      if (least > most) continue;
      std::int64_t offset = std::clamp<std::int64_t>(0, least, most);
      if (rng_.percent(15)) offset = std::min(most, offset + 1);
      if (known && known->count(v.name)) {
        if (known->at(v.name).axis != i) continue;
        offset = known->at(v.name).offset;
        if (offset < least || offset > most) continue;
      }
      fitting.push_back({i, offset, false});
    }
    if (fitting.empty()) return false;
    const AxisUse use = rng_.pick(fitting);
    w.indices[use.axis] = plus(p_.graph->index(v.name), use.offset);
    w.uses.emplace_back(v.name, use);
  }
  return true;
}

// Targets and ranges of a statement that writes `a`, inside the region `within`. New variables go
// to scope_. With `mapped`, no two points write one element.
std::optional<Generator::Write> Generator::plan_write(const Context& c, ArrayShape& a,
                                                      const Region& within, bool whole,
                                                      bool mapped) {
  Write w;
  w.array = &a;
  w.ranges = c.prefix;
  w.variables = c.prefix_variables;
  w.indices.assign(a.axes.size(), nullptr);
  if (c.masked && mapped && !map_prefix(c, w, within)) return std::nullopt;
  bool box = !c.masked;
  Region region(a.axes.size());
  std::vector<std::pair<Range, Variable>> added;
  for (std::size_t i = 0; i < a.axes.size(); ++i) {
    if (w.indices[i]) continue;
    const AxisShape& axis = a.axes[i];
    if (!whole && !c.around.empty() && rng_.percent(70)) {
      const Variable& v = rng_.pick(c.around);
      const auto d = distance(v, axis.extent);
      if (d && v.interval.lo >= within[i].lo && *d <= within[i].offset) {
        w.indices[i] = p_.graph->index(v.name);
        region[i] = {v.interval.lo, *d};
        w.swept.emplace_back(i, v);
        continue;
      }
    }
    if (!whole && rng_.percent(6) && minimum_here(axis.extent) + within[i].offset > within[i].lo) {
      w.indices[i] = b_.integer(within[i].lo);
      box = false;
      continue;
    }
    if (extents_[static_cast<std::size_t>(axis.extent)].is_long && long_in_scope())
      return std::nullopt;  // too many points
    Side side = whole ? within[i] : some_side(axis, false);
    side = {std::max(side.lo, within[i].lo), std::min(side.offset, within[i].offset)};
    region[i] = side;
    const std::int64_t offset = rng_.percent(10) ? rng_.between(-1, 1) : 0;
    Variable v;
    Range range = box_range(axis.extent, {side.lo - offset, side.offset - offset}, v);
    w.indices[i] = plus(p_.graph->index(v.name), offset);
    if (rng_.percent(bent_) && !bend(axis, side, whole, range, v, w.indices[i])) box = false;
    scope_.push_back(v);
    added.emplace_back(range, v);
  }
  if (rng_.percent(30)) rng_.shuffle(added);
  for (const auto& [range, v] : added) {
    w.ranges.push_back(range);
    w.variables.push_back(v);
  }
  if (box) w.region = region;
  return w;
}

void Generator::merge_written(ArrayShape& a, const Region& region) {
  const auto contains = [](const Region& outer, const Region& inner) {
    for (std::size_t i = 0; i < outer.size(); ++i)
      if (outer[i].lo > inner[i].lo || outer[i].offset < inner[i].offset) return false;
    return true;
  };
  if (!a.written || contains(region, *a.written)) a.written = region;
}

void Generator::finish_write(const Context& c, const Write& w, bool unconditional) {
  for (const auto& [variable, use] : w.uses) branch_uses_[w.array->name][variable] = use;
  if (!unconditional || !w.region) return;
  if (w.swept.empty()) {
    merge_written(*w.array, *w.region);
  } else if (w.swept.size() == 1 && c.sweep && w.swept[0].second.name == c.sweep) {
    after_sweep_.emplace_back(c.sweep, w.array, *w.region);
  }
}

bool Generator::set_statement(Context& c, Body& out) {
  enter(c);
  const bool create = c.depth == 0 && rng_.percent(55);
  ArrayShape* a = create ? &new_target() : writable(c);
  if (!a) return false;
  const bool whole = create && rng_.percent(80);
  auto w = plan_write(c, *a, all_of(*a), whole);
  if (!w) return false;
  Statement s;
  s.label = label_for(a->name);
  s.domain.ranges = w->ranges;
  const bool guarded = !create && rng_.percent(25);
  if (guarded) s.domain.guard = condition(2);
  const bool cut = !create && cut_by_loop(c, s.domain.ranges);
  s.targets.push_back({a->name, w->indices});
  s.values.push_back(settle(value(a->dtype, options_.depth)));
  // An extended temporary is written over what is read of it anyway, so its meaning is the same
  // before and after compute-extents; which asks for ranges that it can name before the program
  // runs.
  const bool by_sizes = std::none_of(a->axes.begin(), a->axes.end(), [&](const AxisShape& axis) {
    return extents_[static_cast<std::size_t>(axis.extent)].size->arrays != 0;
  });
  if (create && whole && by_sizes && a->role == Role::Temp && options_.extended &&
      rng_.percent(12)) {
    p_.arrays.back().extended = true;
    a->extended = true;
    a->frozen = true;
  }
  out.push_back({std::move(s)});
  finish_write(c, *w, !guarded && !cut);
  return true;
}

// A triangle: one of the ranges begins or ends where a sweep or a repeat is now.
bool Generator::cut_by_loop(const Context& c, std::vector<Range>& ranges) {
  if (c.around.empty() || ranges.size() == c.prefix.size() || !rng_.percent(20)) return false;
  Range& r = ranges[c.prefix.size() + rng_.below(ranges.size() - c.prefix.size())];
  const Expr now = plus(p_.graph->index(rng_.pick(c.around).name), rng_.between(-1, 1));
  if (rng_.percent(60))
    r.lo = b_.op(Op::Max, {r.lo, now});
  else
    r.hi = b_.op(Op::Min, {r.hi, now});
  return true;
}

// Every element of the declared region.
bool Generator::initialise(Context& c, ArrayShape& a, Body& out) {
  enter(c);
  auto w = plan_write(c, a, all_of(a), true);
  if (!w) return false;
  Statement s;
  s.label = label_for(a.name);
  s.domain.ranges = w->ranges;
  s.targets.push_back({a.name, w->indices});
  s.values.push_back(settle(value(a.dtype, 2)));
  out.push_back({std::move(s)});
  finish_write(c, *w, true);
  return true;
}

// Through a permutation table: each element once.
bool Generator::scatter_set(Context& c, Body& out) {
  if (c.masked) return false;
  enter(c);
  const ArrayShape* table = nullptr;
  for (const ArrayShape& a : arrays_)
    if (a.role == Role::Const && a.values && a.values->upper[0].offset == 0) table = &a;
  ArrayShape* a = writable(c);
  if (!table || !a || a->axes.empty()) return false;
  const std::size_t axis = rng_.below(a->axes.size());
  const auto d = distance({table->name, *table->values, true}, a->axes[axis].extent);
  if (!d || *d > a->axes[axis].above) return false;
  Statement s;
  s.label = label_for(a->name);
  std::vector<Expr> indices;
  for (std::size_t i = 0; i < a->axes.size(); ++i) {
    Variable v;
    const AxisShape& along = i == axis ? table->axes[0] : a->axes[i];
    s.domain.ranges.push_back(box_range(along.extent, i == axis ? along.all() : Side{0, 0}, v));
    scope_.push_back(v);
    Expr index = p_.graph->index(v.name);
    if (i == axis)
      index = b_.cast(DType::I64, p_.graph->read(table->name, table->dtype, std::span(&index, 1)));
    indices.push_back(index);
  }
  s.targets.push_back({a->name, indices});
  s.values.push_back(settle(value(a->dtype, 3)));
  out.push_back({std::move(s)});
  return true;
}

// An array of indices into some extent, computed: values in 0 .. E, or 0 .. E - 1 if E is positive.
bool Generator::index_array(Context& c, Body& out) {
  if (c.depth > 0) return false;
  enter(c);
  const int along = some_extent(false), into = some_extent(false);
  constexpr DType kDTypes[] = {DType::I64, DType::I64, DType::I32, DType::U32, DType::I16};
  ArrayShape& a =
      add_array("idx", rng_.pick(kDTypes), Role::Temp, {{along, 0, rng_.between(0, 1)}});
  auto w = plan_write(c, a, all_of(a), true);
  if (!w) return false;
  const std::int64_t more = extents_[static_cast<std::size_t>(into)].minimum > 0 ? 0 : 1;
  Statement s;
  s.label = label_for(a.name);
  s.domain.ranges = w->ranges;
  s.targets.push_back({a.name, w->indices});
  const Expr x = any_index(2);
  s.values.push_back(b_.cast(a.dtype, b_.op(Op::Mod, {x, extent_plus(into, more)})));
  out.push_back({std::move(s)});
  finish_write(c, *w, true);
  a.values = Interval{0, {{into, more}}};
  a.frozen = true;
  return true;
}

// A scalar that later arrays have as extent.
bool Generator::computed_extent(Context& c, Body& out) {
  if (c.depth > 0) return false;
  enter(c);
  ArrayShape& a = add_array("count", DType::I64, Role::Temp, {});
  Statement s;
  s.label = label_for(a.name);
  s.targets.push_back({a.name, {}});
  const Expr x = b_.cast(DType::I64, value(some_int(), 2));
  s.values.push_back(b_.op(Op::Min, {b_.op(Op::Max, {x, b_.integer(0)}), b_.integer(5)}));
  out.push_back({std::move(s)});
  a.written = Region{};
  a.frozen = true;
  add_extent({p_.graph->read(a.name, a.dtype, {}), 0, {}, -1, -1, false});
  return true;
}

}  // namespace lathe::testing
