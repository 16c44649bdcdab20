// SPDX-License-Identifier: Apache-2.0
// Reshape and concatenate.

#include <algorithm>

#include "frontend/array/make.h"

namespace lathe::array {

NodeRef reshape(const Maker& m, const NodeRef& x, Shape shape) {
  const Dim count = product(x->shape);
  auto open = shape.end();
  for (auto it = shape.begin(); it != shape.end(); ++it) {
    if (it->is(-1)) {
      if (open != shape.end()) refuse(m, "only one length may be -1: " + to_text(shape));
      open = it;
    } else if (it->is_constant() && it->constant() < 0) {
      refuse(m, "a length is negative: " + to_text(shape));
    }
  }
  const Shape asked = shape;
  auto refuse_count = [&] {
    refuse(m, describe(*x) + " has " + to_text(count) + " elements and cannot become " +
                  to_text(asked));
  };
  std::vector<Condition> conditions;
  if (open != shape.end()) {
    *open = Dim(1);
    const Dim rest = product(shape);
    if (rest.is(0)) refuse_count();
    if (auto exact = divide_exactly(count, rest)) {
      *open = *exact;
    } else {
      const auto c = known_value(count), r = known_value(rest);
      if (c && r && (*r == 0 || *c % *r != 0)) refuse_count();
      *open = floor_div(count, rest);
      conditions.push_back({Condition::Rule::Positive, rest, Dim(0), -1});
    }
  }
  const Dim given = product(shape);
  if (!(given == count)) {
    const auto c = known_value(count), g = known_value(given);
    if ((c && g && *c != *g) || compare(count, given) == Answer::No) refuse_count();
    conditions.push_back({Condition::Rule::Equal, count, given, -1});
  }
  if (shape == x->shape) return x;
  Node n;
  n.kind = Kind::Reshape;
  n.dtype = x->dtype;
  n.operands = {x};
  // Labels of leading and trailing axes that keep their length stay.
  for (std::size_t a = 0; a < shape.size() && a < x->rank() && shape[a] == x->shape[a]; ++a) {
    if (x->label(a).empty()) continue;
    n.labels.resize(shape.size());
    n.labels[a] = x->label(a);
  }
  for (std::size_t a = 1; a <= shape.size() && a <= x->rank(); ++a) {
    if (!(shape[shape.size() - a] == x->shape[x->rank() - a])) break;
    if (x->label(x->rank() - a).empty()) continue;
    n.labels.resize(shape.size());
    n.labels[shape.size() - a] = x->label(x->rank() - a);
  }
  n.shape = std::move(shape);
  n.conditions = std::move(conditions);
  n.text = m.operation;
  n.place = m.place;
  return intern(std::move(n));
}

NodeRef concatenate(const Maker& m, const Nodes& parts, int axis) {
  if (parts.empty()) refuse(m, "needs at least one array");
  const ir::DType t = common_dtype(m, parts);
  Node n;
  n.kind = Kind::Concat;
  n.dtype = t;
  n.shape = parts[0]->shape;
  const auto along = static_cast<std::size_t>(axis);
  Dim total = n.shape.at(along);
  for (std::size_t p = 1; p < parts.size(); ++p) {
    const Node& part = *parts[p];
    if (part.rank() != n.shape.size())
      refuse(m, "arrays must have the same number of axes: " + describe(*parts[0]) + " and " +
                    describe(part));
    for (std::size_t a = 0; a < n.shape.size(); ++a) {
      if (a == along || part.shape[a] == n.shape[a]) continue;
      const auto v = known_value(part.shape[a]), w = known_value(n.shape[a]);
      if ((v && w && *v != *w) || compare(part.shape[a], n.shape[a]) == Answer::No)
        refuse(m,
               "shapes differ on axis " + std::to_string(a) + ": " + describe(*parts[0]) + " and " +
                   describe(part),
               "only the axis that is joined may differ");
      n.conditions.push_back(
          {Condition::Rule::Equal, n.shape[a], part.shape[a], static_cast<int>(a)});
    }
    total = total + part.shape[along];
  }
  n.shape[along] = total;
  n.labels = parts[0]->labels;
  for (const NodeRef& p : parts) n.operands.push_back(converted(m, p, t));
  n.ints = {axis};
  n.text = m.operation;
  n.place = m.place;
  return intern(std::move(n));
}

}  // namespace lathe::array
