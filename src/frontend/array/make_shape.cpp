// SPDX-License-Identifier: Apache-2.0
// Shape functions that only say from where an index comes: each is one View.

#include <algorithm>

#include "frontend/array/make.h"

namespace lathe::array {

int normal_axis(const Maker& m, std::int64_t axis, std::size_t rank) {
  const auto r = static_cast<std::int64_t>(rank);
  if (axis < -r || axis >= r)
    refuse(m,
           "axis " + std::to_string(axis) + " is out of range for " + std::to_string(rank) +
               (rank == 1 ? " axis" : " axes"),
           rank == 0 ? "the array has no axes"
                     : "axes run from " + std::to_string(-r) + " to " + std::to_string(r - 1),
           ErrorKind::Axis);
  return static_cast<int>(axis < 0 ? axis + r : axis);
}

Axes normal_axes(const Maker& m, std::span<const std::int64_t> axes, std::size_t rank) {
  Axes out;
  for (std::int64_t a : axes) out.push_back(normal_axis(m, a, rank));
  Axes sorted = out;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) refuse(m, "axis " + std::to_string(*twice) + " is given twice");
  return out;
}

NodeRef view(const Maker& m, const NodeRef& x, const std::vector<AxisView>& axes, Shape shape,
             std::vector<Condition> conditions) {
  Node n;
  n.kind = Kind::View;
  n.dtype = x->dtype;
  n.operands = {x};
  for (std::size_t a = 0; a < axes.size(); ++a) {
    n.dims.push_back(axes[a].start);
    n.ints.push_back(axes[a].from < 0 ? 0 : axes[a].step);
    n.ints.push_back(axes[a].from);
    const std::string_view label = x->label(a);
    if (axes[a].from < 0 || label.empty()) continue;
    n.labels.resize(shape.size());
    n.labels[static_cast<std::size_t>(axes[a].from)] = label;
  }
  n.shape = std::move(shape);
  n.conditions = std::move(conditions);
  n.text = m.operation;
  n.place = m.place;
  return intern(std::move(n));
}

NodeRef permute(const Maker& m, const NodeRef& x, const Axes& order) {
  if (order.size() != x->rank())
    refuse(m,
           "takes one axis for each of " + describe(*x) + ", not " + std::to_string(order.size()));
  std::vector<AxisView> axes(x->rank());
  Shape shape;
  bool same = true;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto a = static_cast<std::size_t>(order[i]);
    axes[a].from = static_cast<int>(i);
    shape.push_back(x->shape[a]);
    same = same && a == i;
  }
  return same ? x : view(m, x, axes, shape);
}

NodeRef broadcast_to(const Maker& m, const NodeRef& x, const Shape& shape) {
  if (x->shape == shape) return x;
  auto refuse_shape = [&](const std::string& why) {
    refuse(m, describe(*x) + " cannot be broadcast to " + to_text(shape) + why);
  };
  if (x->rank() > shape.size()) refuse_shape(": it has more axes");
  std::vector<AxisView> axes(x->rank());
  std::vector<Condition> conditions;
  const std::size_t shift = shape.size() - x->rank();
  for (std::size_t a = 0; a < shape.size(); ++a) {
    const bool is_own = a >= shift && x->shape[a - shift] == shape[a];
    if (is_own || never_negative(shape[a])) continue;
    if (shape[a].is_constant()) refuse(m, "a length is negative: " + to_text(shape));
    conditions.push_back({Condition::Rule::AtLeast, shape[a], Dim(0), static_cast<int>(a)});
  }
  for (std::size_t a = 0; a < x->rank(); ++a) {
    const Dim &from = x->shape[a], &to = shape[a + shift];
    if (from.is(1)) continue;
    axes[a].from = static_cast<int>(a + shift);
    const auto v = known_value(from), w = known_value(to);
    const Answer equal = compare(from, to);
    if (equal == Answer::Yes) continue;
    const bool differ =
        v && w ? *v != *w && *v != 1 : equal == Answer::No && compare(from, Dim(1)) == Answer::No;
    if (differ)
      refuse_shape(": axis " + std::to_string(a) + " is " + to_text(from) + ", not " + to_text(to));
    if (v && *v == 1) {
      axes[a].from = -1;
      conditions.push_back({Condition::Rule::Equal, from, Dim(1), static_cast<int>(a)});
      continue;
    }
    conditions.push_back({Condition::Rule::Equal, from, to, static_cast<int>(a)});
  }
  return view(m, x, axes, shape, std::move(conditions));
}

NodeRef spread_to(const Maker& m, const NodeRef& x, const Shape& shape) {
  if (x->rank() > shape.size()) return broadcast_to(m, x, shape);  // refuses
  bool may_spread = false;
  for (std::size_t a = 0; a < x->rank(); ++a) {
    const Dim &from = x->shape[a], &to = shape[a + shape.size() - x->rank()];
    // A length that was made by broadcasting with this one is 1 only where this one is.
    if (is_spread_of(from, to)) continue;
    if (compare(from, to) == Answer::No && compare(from, Dim(1)) == Answer::No)
      return broadcast_to(m, x, shape);  // refuses
    may_spread = may_spread || (!known_value(from) && compare(from, Dim(1)) != Answer::No);
  }
  if (!may_spread) return broadcast_to(m, x, shape);
  // As an elementwise operation, which spreads them when they are known.
  const NodeRef yes = broadcast_to(m, constant(ir::Scalar::of_bool(true)), shape);
  const NodeRef none = constant(ir::Scalar::of_bool(false).cast(x->dtype));
  return broadcast_to(m, map(m, ir::Op::Select, x->dtype, {yes, x, none}), shape);
}

NodeRef expand_dims(const Maker& m, const NodeRef& x, const Axes& added) {
  std::vector<AxisView> axes(x->rank());
  Shape shape;
  std::size_t from = 0;
  for (std::size_t i = 0; i < x->rank() + added.size(); ++i) {
    if (std::find(added.begin(), added.end(), static_cast<int>(i)) != added.end()) {
      shape.push_back(Dim(1));
    } else {
      axes[from].from = static_cast<int>(i);
      shape.push_back(x->shape[from++]);
    }
  }
  return view(m, x, axes, shape);
}

NodeRef squeeze(const Maker& m, const NodeRef& x, const Axes& dropped) {
  std::vector<AxisView> axes(x->rank());
  Shape shape;
  std::vector<Condition> conditions;
  for (std::size_t a = 0; a < x->rank(); ++a) {
    if (std::find(dropped.begin(), dropped.end(), static_cast<int>(a)) == dropped.end()) {
      axes[a].from = static_cast<int>(shape.size());
      shape.push_back(x->shape[a]);
      continue;
    }
    if (x->shape[a].is(1)) continue;
    const auto v = known_value(x->shape[a]);
    if ((v && *v != 1) || compare(x->shape[a], Dim(1)) == Answer::No)
      refuse(m,
             "axis " + std::to_string(a) + " of " + describe(*x) + " has length " +
                 to_text(x->shape[a]) + ", not 1",
             "index it, or reduce over it");
    conditions.push_back({Condition::Rule::Equal, x->shape[a], Dim(1), static_cast<int>(a)});
  }
  return view(m, x, axes, shape, std::move(conditions));
}

NodeRef roll(const Maker& m, const NodeRef& x, const std::vector<std::int64_t>& shifts) {
  if (std::all_of(shifts.begin(), shifts.end(), [](std::int64_t s) { return s == 0; })) return x;
  Node n;
  n.kind = Kind::Roll;
  n.dtype = x->dtype;
  n.shape = x->shape;
  n.labels = x->labels;
  n.operands = {x};
  n.ints = shifts;
  n.text = m.operation;
  n.place = m.place;
  return intern(std::move(n));
}

NodeRef update(const Maker& m, const NodeRef& x, const NodeRef& v, std::vector<Dim> starts,
               std::vector<std::int64_t> steps, std::vector<Condition> conditions) {
  Node n;
  n.kind = Kind::Update;
  n.conditions = std::move(conditions);
  n.dtype = x->dtype;
  n.shape = x->shape;
  n.labels = x->labels;
  n.operands = {x, v};
  n.ints = std::move(steps);
  n.dims = std::move(starts);
  n.text = m.operation;
  n.place = m.place;
  return intern(std::move(n));
}

}  // namespace lathe::array
