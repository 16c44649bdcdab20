// SPDX-License-Identifier: Apache-2.0
// Functions of several arrays that only place or repeat their elements.

#include <algorithm>

#include "frontend/array/compose.h"

namespace lathe::array {
namespace {

// operands: what it is like, and the value; dtype: another than its.
NodeRef make_full_like(const Maker& m, const Request& r) {
  const NodeRef &x = given_operand(m, r, 0), &value = given_operand(m, r, 1);
  if (value->rank() != 0) refuse(m, "the value must be a number, not " + describe(*value));
  const NodeRef filled =
      broadcast_to(m, cast(value, r.dtype.value_or(x->dtype), m.place), x->shape);
  const NodeRef named = x->labels.empty() ? filled : with_labels(filled, x->labels);
  if (x->kind != Kind::Input) return named;
  return with_witnesses(named, inputs_among({x.get(), named.get()}));
}
NodeRef filled_like(const Maker& m, const Request& r, std::int64_t v) {
  Request full = r;
  full.operands = {given_operand(m, r, 0), integer(v)};
  return make_full_like(m, full);
}
NodeRef make_zeros_like(const Maker& m, const Request& r) { return filled_like(m, r, 0); }
NodeRef make_ones_like(const Maker& m, const Request& r) { return filled_like(m, r, 1); }

std::size_t chosen(const Maker& m, const Request& r) {
  const std::int64_t which = given_int(r, 0);
  if (which < 0 || which >= static_cast<std::int64_t>(r.operands.size()))
    refuse(m, "there is no array " + std::to_string(which) + " among " +
                  std::to_string(r.operands.size()));
  return static_cast<std::size_t>(which);
}

// ints: which of them.
NodeRef make_broadcast_arrays(const Maker& m, const Request& r) {
  const std::size_t which = chosen(m, r);
  std::vector<Condition> conditions;
  const Shape shape = broadcast_shapes(m, r.operands, conditions);
  const NodeRef& x = r.operands[which];
  if (conditions.empty()) return broadcast_to(m, x, shape);
  // Lengths that may turn out to be 1: as an elementwise operation, which spreads them when known.
  NodeRef out = x;
  for (std::size_t i = 0; i < r.operands.size(); ++i) {
    if (i == which) continue;
    const NodeRef other = cast(r.operands[i], ir::DType::Bool, m.place);
    out = map(m, ir::Op::Select, x->dtype, {other, out, out});
  }
  return out;
}

// ints: which of them; 1 if axes stay in their order ("ij"), 0 if the first two change ("xy").
NodeRef make_meshgrid(const Maker& m, const Request& r) {
  const std::size_t which = chosen(m, r), rank = r.operands.size();
  const bool swapped = given_int(r, 1) == 0 && rank > 1;
  Shape shape;
  for (const NodeRef& x : r.operands) {
    if (x->rank() > 1) refuse(m, "takes arrays with one axis, not " + describe(*x));
    shape.push_back(x->rank() == 0 ? Dim(1) : x->shape[0]);
  }
  if (swapped) std::swap(shape[0], shape[1]);
  const std::size_t axis = swapped && which < 2 ? 1 - which : which;
  const NodeRef x = flat(m, r.operands[which]);
  std::vector<AxisView> axes(1);
  axes[0].from = static_cast<int>(axis);
  return view(m, x, axes, shape);
}

// The vector product along an axis of length 3. ints: axis.
NodeRef make_cross(const Maker& m, const Request& r) {
  Nodes turned;
  for (std::size_t i = 0; i < 2; ++i) {
    const NodeRef& x = given_operand(m, r, i);
    const auto axis = static_cast<std::size_t>(normal_axis(m, given_int(r, 0, -1), x->rank()));
    const Dim& length = x->shape[axis];
    const auto known = known_value(length);
    if ((known && *known != 3) || compare(length, Dim(3)) == Answer::No)
      refuse(m, "takes vectors of length 3, not " + describe(*x) + " along axis " +
                    std::to_string(axis));
    NodeRef last = last_axis(m, x, axis);
    Shape three = last->shape;
    three.back() = Dim(3);
    turned.push_back(broadcast_to(m, last, three));
  }
  const auto part = [&](std::size_t i, std::int64_t at) {
    IndexItem all, one;
    all.kind = IndexItem::Kind::Ellipsis;
    one.kind = IndexItem::Kind::Integer;
    one.start = Dim(at);
    return index(m, turned[i], {all, one});
  };
  Nodes parts;
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t j = (i + 1) % 3, k = (i + 2) % 3;
    const NodeRef p = binary_of(m, "subtract", binary_of(m, "multiply", part(0, j), part(1, k)),
                                binary_of(m, "multiply", part(0, k), part(1, j)));
    parts.push_back(expand_dims(m, p, {static_cast<int>(p->rank())}));
  }
  const NodeRef out = concatenate(m, parts, static_cast<int>(parts[0]->rank()) - 1);
  return axis_back(m, out,
                   static_cast<std::size_t>(normal_axis(m, given_int(r, 0, -1), out->rank())));
}

}  // namespace

void add_joins(std::vector<Composed>& out) {
  out.push_back({"full_like", make_full_like});
  out.push_back({"zeros_like", make_zeros_like});
  out.push_back({"ones_like", make_ones_like});
  out.push_back({"broadcast_arrays", make_broadcast_arrays});
  out.push_back({"meshgrid", make_meshgrid});
  out.push_back({"cross", make_cross});
}

}  // namespace lathe::array
