// SPDX-License-Identifier: Apache-2.0
// Items that hold items. What is written inside counts as written only inside: a body may not run.

#include <algorithm>

#include "random_generator.h"

namespace lathe::testing {

using namespace ir;

std::vector<std::optional<Region>> Generator::written_now() const {
  std::vector<std::optional<Region>> all;
  for (const ArrayShape& a : arrays_) all.push_back(a.written);
  return all;
}

void Generator::restore_written(const std::vector<std::optional<Region>>& saved) {
  for (std::size_t i = 0; i < arrays_.size(); ++i)
    arrays_[i].written = i < saved.size() ? saved[i] : std::nullopt;
}

void Generator::items(Context& c, int count, Body& out) {
  for (int made = 0, tries = 0; made < count && tries < 4 * count; ++tries)
    if (item(c, out)) ++made;
}

bool Generator::item(Context& c, Body& out) {
  using Make = bool (Generator::*)(Context&, Body&);
  struct Kind {
    Make make;
    int weight, nested_weight;
    bool loop;
  };
  static const Kind kKinds[] = {
      {&Generator::set_statement, 30, 30, false},
      {&Generator::accumulate, 16, 14, false},
      {&Generator::accumulate_tuple, 5, 0, false},
      {&Generator::scatter_set, 3, 2, false},
      {&Generator::group, 12, 10, false},
      {&Generator::branch, 12, 10, false},
      {&Generator::while_loop, 5, 0, true},
      {&Generator::sweep, 9, 5, true},
      {&Generator::scan, 6, 3, true},
      {&Generator::when, 5, 5, false},
      {&Generator::repeat, 5, 4, true},
      {&Generator::call, 6, 0, false},
      {&Generator::index_array, 5, 0, false},
      {&Generator::computed_extent, 3, 0, false},
      {&Generator::reduced_set, 6, 4, false},
      {&Generator::unique_set, 6, 4, false},
      {&Generator::late_first_write, 4, 0, true},
      {&Generator::offset_against_coarse, 5, 4, false},
      {&Generator::side_by_side, 5, 0, false},
      {&Generator::contraction, 1, 0, false},
  };
  if (item_weights_.empty())  // this program's taste: some kinds more, some not at all
    for (const Kind& k : kKinds)
      item_weights_.push_back(rng_.percent(15) ? 0 : rng_.percent(15) ? 3 * k.weight : k.weight);
  std::vector<int> weights;
  for (std::size_t i = 0; i < std::size(kKinds); ++i) {
    int w = c.depth == 0 ? item_weights_[i] : kKinds[i].nested_weight;
    if (kKinds[i].loop && (!options_.loops || c.loops > 1)) w = 0;
    if (kKinds[i].make == &Generator::call && !options_.calls) w = 0;
    if (kKinds[i].make == &Generator::contraction) w *= options_.contractions;
    if (c.depth > 2 && i > 4) w = 0;
    if (i == 0) w = std::max(w, 5);
    weights.push_back(w);
  }
  return (this->*kKinds[rng_.weighted(weights)].make)(c, out);
}

bool Generator::sweep(Context& c, Body& out) {
  enter(c);
  Sweep s;
  s.label = unique("sweep");
  s.forward = rng_.percent(60);
  Variable k;
  const int extent = some_extent(false);
  s.range = box_range(extent, {rng_.between(0, 1), rng_.between(-1, 0)}, k);
  Context inner = c;
  inner.around.push_back(k);
  inner.depth = c.depth + 1;
  inner.loops = c.loops + 1;
  inner.sweep = k.name;
  const auto saved = written_now();
  const auto pending = after_sweep_;
  if (c.depth == 0 && rng_.percent(60)) carried(inner, s, k, s.body);
  items(inner, static_cast<int>(rng_.between(1, 3)), s.body);
  std::vector<std::tuple<Symbol, ArrayShape*, Region>> done;
  std::swap(done, after_sweep_);
  after_sweep_ = pending;
  restore_written(saved);
  for (const auto& [variable, array, region] : done)
    if (variable == k.name) merge_written(*array, region);
  if (s.body.empty()) return false;
  out.push_back({std::move(s)});
  return true;
}

// t[i, k] = f(t[i, k - 1]): the first k takes something else.
bool Generator::carried(Context& c, const Sweep& s, const Variable& k, Body& out) {
  enter(c);
  const Upper top = k.interval.upper[0];
  std::vector<AxisShape> axes = {{top.extent, 0, 0}};
  const std::size_t other = rng_.below(3);  // none, before, after
  const int extent = some_extent(false);
  if (other == 1) axes.insert(axes.begin(), {extent, 0, 0});
  if (other == 2) axes.push_back({extent, 0, 0});
  const std::size_t at = other == 1 ? 1 : 0;
  const DType t = some_dtype();
  Statement st;
  Region region = {{k.interval.lo, top.offset}};
  const Expr along = p_.graph->index(k.name);
  std::vector<Expr> indices(axes.size(), along), before = indices;
  before[at] = plus(along, s.forward ? -1 : 1);
  if (other != 0) {
    Variable v;
    st.domain.ranges.push_back(box_range(extent, {0, 0}, v));
    scope_.push_back(v);
    indices[1 - at] = before[1 - at] = p_.graph->index(v.name);
    region.insert(region.begin() + static_cast<std::ptrdiff_t>(1 - at), Side{0, 0});
  }
  const Expr start = leaf(t);
  const Expr rest = value(t, 2);
  ArrayShape& a = add_array("t", t, Role::Temp, axes);
  const Expr inner =
      s.forward ? b_.op(Op::Gt, {along, s.range.lo}) : b_.op(Op::Lt, {along, plus(s.range.hi, -1)});
  const Expr old = b_.select(inner, p_.graph->read(a.name, t, before), start);
  const Expr combined = is_bool(t) ? apply(Op::BitXor, {old, rest}) : apply(Op::Add, {old, rest});
  st.label = label_for(a.name);
  st.targets.push_back({a.name, indices});
  st.values.push_back(settle(combined));
  out.push_back({std::move(st)});
  a.frozen = true;
  after_sweep_.emplace_back(k.name, &a, region);
  return true;
}

// One value for all points: only sweep variables and counters count.
Expr Generator::scalar_condition(const Context& c) {
  enter(c);
  scope_ = c.around;
  const auto exact = std::exchange(exact_, {});
  const Expr e = condition(2);
  exact_ = exact;
  return e;
}

bool Generator::when(Context& c, Body& out) {
  When w;
  w.label = unique("case");
  w.condition = scalar_condition(c);
  Context inner = c;
  inner.depth = c.depth + 1;
  inner.sweep = {};
  const auto saved = written_now();
  items(inner, static_cast<int>(rng_.between(1, 2)), w.then_body);
  restore_written(saved);
  if (rng_.percent(50)) {
    items(inner, static_cast<int>(rng_.between(1, 2)), w.else_body);
    restore_written(saved);
  }
  if (w.then_body.empty()) return false;
  out.push_back({std::move(w)});
  return true;
}

bool Generator::repeat(Context& c, Body& out) {
  enter(c);
  Repeat r;
  r.label = unique("again");
  Variable counter;
  counter.name = new_variable();
  const bool by_size = rng_.percent(25) && c.loops == 0;
  r.range = {counter.name, b_.integer(0),
             by_size ? extents_[0].size : b_.integer(rng_.between(1, 3))};
  counter.interval = {0, {}};
  if (by_size) counter.interval.upper.push_back({0, 0});
  // Contents rotate among arrays of one shape: what is known of one is what is known of all.
  // It has no meaning for some points only.
  const bool rotates = !c.masked && rng_.percent(60);
  if (ArrayShape* a = rotates ? writable(c) : nullptr; a && fully_written(*a)) {
    std::vector<ArrayShape*> ring = {a};
    const auto same = [](const AxisShape& x, const AxisShape& y) {
      return x.extent == y.extent && x.below == y.below && x.above == y.above;
    };
    for (ArrayShape& b : arrays_)
      if (&b != a && !b.frozen && b.dtype == a->dtype && fully_written(b) && ring.size() < 3 &&
          std::equal(a->axes.begin(), a->axes.end(), b.axes.begin(), b.axes.end(), same))
        ring.push_back(&b);
    if (ring.size() == 1 && c.depth == 0) {  // make it one to rotate with
      ArrayShape& twin = add_array("t", a->dtype, Role::Temp, a->axes);
      initialise(c, twin, out);
      enter(c);
      ring.push_back(&twin);
    }
    if (ring.size() > 1)
      for (const ArrayShape* b : ring) r.rotate.push_back(b->name);
  }
  const auto saved = written_now();
  Context inner = c;
  inner.around.push_back(counter);
  inner.depth = c.depth + 1;
  inner.loops = c.loops + 1;
  inner.sweep = {};
  items(inner, static_cast<int>(rng_.between(1, 3)), r.body);
  restore_written(saved);
  if (r.body.empty()) return false;
  if (rng_.percent(35)) r.until = scalar_condition(inner);
  out.push_back({std::move(r)});
  return true;
}

}  // namespace lathe::testing
