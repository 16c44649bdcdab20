// SPDX-License-Identifier: Apache-2.0
// Groups: several lines per point. What the group writes, it touches at one index only, so that its
// points stay independent.

#include <algorithm>

#include "ir/typing.h"
#include "random_generator.h"

namespace lathe::testing {

using namespace ir;

bool Generator::group(Context& c, Body& out) {
  enter(c);
  ArrayShape* first = writable(c);
  if (!first || first->axes.empty()) return false;
  // The verifier sees that v + c differs from point to point, not that E - 1 - v does.
  const int bent = bent_;
  bent_ = 0;
  auto planned = plan_write(c, *first, all_of(*first), false);
  bent_ = bent;
  if (!planned || planned->ranges.empty()) return false;
  Group g;
  g.label = unique("group");
  g.domain.ranges = planned->ranges;

  // Further targets take the variables of the first, all of them.
  std::vector<Write> writes = {*planned};
  Context inside = c;
  inside.prefix = planned->ranges;
  inside.prefix_variables = planned->variables;
  for (std::size_t n = rng_.below(3); n > 0; --n) {
    ArrayShape* a = writable(c);
    if (!a || a->axes.size() != planned->variables.size()) continue;
    if (std::any_of(writes.begin(), writes.end(), [&](const Write& w) { return w.array == a; }))
      continue;
    Write w;
    w.array = a;
    w.indices.assign(a->axes.size(), nullptr);
    if (map_prefix(inside, w, all_of(*a))) writes.push_back(std::move(w));
  }
  const auto exact = exact_;
  const auto hidden = hidden_;
  const std::size_t arrays = arrays_.size();
  const auto written = first->written;
  const auto after_sweep = after_sweep_;
  group_lines(c, g, writes);
  exact_ = exact;
  hidden_ = hidden;
  for (std::size_t i = arrays; i < arrays_.size(); ++i) arrays_[i].available = false;  // locals
  if (g.statements.size() < 2) {  // one line alone is a statement
    first->written = written;
    after_sweep_ = after_sweep;
    return false;
  }
  // In a branch, later writes must agree with these.
  if (c.masked)
    for (const Write& w : writes)
      for (const auto& [variable, use] : w.uses) branch_uses_[w.array->name][variable] = use;
  out.push_back({std::move(g)});
  return true;
}

// Half of them ask for what the lines may change, if that is readable before.
Expr Generator::guard_of_group(const std::vector<Write>& writes) {
  for (const Write& w : writes) {
    if (!exact_.contains(w.array->name) || rng_.percent(50)) continue;
    const Expr own = p_.graph->read(w.array->name, w.array->dtype, w.indices);
    return is_bool(w.array->dtype) ? own : b_.lt(own, leaf(w.array->dtype));
  }
  return condition(1);
}

void Generator::group_lines(const Context& c, Group& g, std::vector<Write>& writes) {
  // Readable at the point itself if it was written there before the group.
  for (const Write& w : writes) {
    bool covered = w.array->written.has_value();
    for (std::size_t i = 0; covered && i < w.indices.size(); ++i) {
      const Side side = (*w.array->written)[i], all = w.array->axes[i].all();
      covered = side.lo <= all.lo && side.offset >= all.offset;
    }
    if (covered)
      exact_[w.array->name] = w.indices;
    else
      hidden_.push_back(w.array->name);
  }
  if (rng_.percent(20)) g.domain.guard = guard_of_group(writes);
  const auto line = [&](Symbol name, DType t, std::vector<Expr> indices, int depth) {
    Statement s;
    s.label = label_for(name);
    s.targets.push_back({name, std::move(indices)});
    s.values.push_back(settle(value(t, depth)));
    g.statements.push_back(std::move(s));
  };
  for (std::size_t n = rng_.below(3); n > 0; --n) {
    const DType t = some_dtype();
    const Symbol name = unique("x");
    line(name, t, {}, 2);
    g.locals.push_back({name, t});
    ArrayShape shape;  // known to the generator while the group is made; never declared
    shape.name = name;
    shape.dtype = t;
    shape.role = Role::Temp;
    shape.frozen = true;
    arrays_.push_back(shape);
    exact_[name] = {};
  }
  for (const Write& w : writes) {
    const Symbol name = w.array->name;
    const bool readable = exact_.count(name) > 0;
    line(name, w.array->dtype, w.indices, 3);
    Statement& s = g.statements.back();
    if (readable && rng_.percent(25)) {
      Accumulation how;
      how.op = accumulating_op(w.array->dtype, false);
      how.dtype = w.array->dtype;
      how.order = some_order(how.op, how.dtype);
      s.values[0] = accumulated_value(how.op, w.array->dtype, 2);
      s.accumulate = how;
    }
    const bool guarded = rng_.percent(25);
    if (guarded) {
      s.domain.guard = condition(1);
    } else {
      hidden_.erase(std::remove(hidden_.begin(), hidden_.end(), name), hidden_.end());
      exact_[name] = w.indices;
    }
    if (w.array == writes[0].array && !guarded && !g.domain.guard && !c.masked)
      finish_write(c, w, true);
  }
}

}  // namespace lathe::testing
