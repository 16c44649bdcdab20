// SPDX-License-Identifier: Apache-2.0
// Shape functions made of others.

#include <algorithm>

#include "base/quoted.h"
#include "frontend/array/compose.h"

namespace lathe::array {
namespace {

NodeRef triangle(const Maker& m, const Request& r, bool lower) {
  const NodeRef& x = given_operand(m, r, 0);
  if (x->rank() < 2) refuse(m, "needs at least two axes, not " + describe(*x));
  const NodeRef i = axis_index(m, x->shape[x->rank() - 2], 0, 2);
  const NodeRef j = iota(x->shape[x->rank() - 1], m.place);
  const NodeRef diagonal = binary_of(m, "add", i, integer(given_int(r, 0)));
  const NodeRef kept = binary_of(m, lower ? "less_equal" : "greater_equal", j, diagonal);
  return elementwise(m, "where", {kept, x, constant(ir::Scalar::of_int(x->dtype, 0))});
}
NodeRef make_tril(const Maker& m, const Request& r) { return triangle(m, r, true); }
NodeRef make_triu(const Maker& m, const Request& r) { return triangle(m, r, false); }

// ints: offset, first axis, second axis.
NodeRef make_diagonal(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  if (x->rank() < 2) refuse(m, "needs at least two axes, not " + describe(*x));
  const std::int64_t offset = given_int(r, 0);
  const auto a = static_cast<std::size_t>(normal_axis(m, given_int(r, 1, 0), x->rank()));
  const auto b = static_cast<std::size_t>(normal_axis(m, given_int(r, 2, 1), x->rank()));
  if (a == b) refuse(m, "the two axes must differ");
  std::vector<AxisView> axes(x->rank());
  Shape shape;
  for (std::size_t i = 0; i < x->rank(); ++i) {
    if (i == a || i == b) continue;
    axes[i].from = static_cast<int>(shape.size());
    shape.push_back(x->shape[i]);
  }
  const Dim rows = x->shape[a] - Dim(offset < 0 ? -offset : 0);
  const Dim columns = x->shape[b] - Dim(offset > 0 ? offset : 0);
  axes[a].from = axes[b].from = static_cast<int>(shape.size());
  axes[a].start = Dim(offset < 0 ? -offset : 0);
  axes[b].start = Dim(offset > 0 ? offset : 0);
  shape.push_back(max(Dim(0), min(rows, columns)));
  return view(m, x, axes, shape);
}

NodeRef make_trace(const Maker& m, const Request& r) {
  const NodeRef d = make_diagonal(m, r);
  ReduceHow how;
  how.axes = Axes{static_cast<int>(d->rank()) - 1};
  return reduction(m, "sum", d, how);
}

// dims: before and after, per axis; text: "constant" (the second array is the value), "edge",
// "wrap".
NodeRef make_pad(const Maker& m, const Request& r) {
  NodeRef x = given_operand(m, r, 0);
  if (r.dims.size() != 2 * x->rank())
    refuse(m, "needs a width before and after each axis of " + describe(*x));
  for (const Dim& d : r.dims)
    if (!never_negative(d)) refuse(m, "a width is negative: " + to_text(d));
  if (r.text.empty() || r.text == "constant") {
    Shape shape;
    std::vector<Dim> starts;
    for (std::size_t a = 0; a < x->rank(); ++a) {
      shape.push_back(r.dims[2 * a] + x->shape[a] + r.dims[2 * a + 1]);
      starts.push_back(r.dims[2 * a]);
    }
    const NodeRef fill = r.operands.size() > 1 ? r.operands[1] : integer(0);
    if (fill->rank() != 0) refuse(m, "the value must be a number, not " + describe(*fill));
    return update(m, broadcast_to(m, cast(fill, x->dtype, m.place), shape), x, starts,
                  std::vector<std::int64_t>(x->rank(), 1));
  }
  if (r.text != "edge" && r.text != "wrap")
    refuse(m, "there is no mode " + quoted(r.text), "modes are 'constant', 'edge' and 'wrap'");
  for (std::size_t a = 0; a < x->rank(); ++a) {
    const Dim n = x->shape[a];
    if (r.dims[2 * a].is(0) && r.dims[2 * a + 1].is(0)) continue;
    if (known_value(n) == 0) refuse(m, "there is nothing to pad " + describe(*x) + " with");
    if (!n.is_constant()) {
      std::vector<AxisView> same(x->rank());
      for (std::size_t i = 0; i < same.size(); ++i) same[i].from = static_cast<int>(i);
      x = view(m, x, same, x->shape, {{Condition::Rule::AtLeast, n, Dim(1), static_cast<int>(a)}});
    }
    NodeRef i = binary_of(m, "subtract", iota(r.dims[2 * a] + n + r.dims[2 * a + 1], m.place),
                          size_value(r.dims[2 * a], m.place));
    const NodeRef length = size_value(n, m.place);
    if (r.text == "wrap") {
      i = binary_of(m, "remainder", i, length);
    } else {
      i = binary_of(m, "maximum", i, integer(0));
      i = binary_of(m, "minimum", i, binary_of(m, "subtract", length, integer(1)));
    }
    x = take(m, x, i, static_cast<int>(a));
  }
  return x;
}

// ints: from, to.
NodeRef make_moveaxis(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  const int from = normal_axis(m, given_int(r, 0), x->rank());
  const int to = normal_axis(m, given_int(r, 1), x->rank());
  Axes order;
  for (std::size_t a = 0; a < x->rank(); ++a)
    if (static_cast<int>(a) != from) order.push_back(static_cast<int>(a));
  order.insert(order.begin() + to, from);
  return permute(m, x, order);
}

NodeRef make_swapaxes(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  Axes order;
  for (std::size_t a = 0; a < x->rank(); ++a) order.push_back(static_cast<int>(a));
  const auto a = static_cast<std::size_t>(normal_axis(m, given_int(r, 0), x->rank()));
  const auto b = static_cast<std::size_t>(normal_axis(m, given_int(r, 1), x->rank()));
  std::swap(order[a], order[b]);
  return permute(m, x, order);
}

NodeRef make_matrix_transpose(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  if (x->rank() < 2) refuse(m, "needs at least two axes, not " + describe(*x));
  Request last = r;
  last.ints = {-2, -1};
  return make_swapaxes(m, last);
}

// Each element as often as a second array says. dims: how many there are together, which is not
// looked at: too few are cut off.
NodeRef repeat_each(const Maker& m, const NodeRef& x, const NodeRef& times, const Request& r,
                    std::size_t axis) {
  if (times->rank() != 1 || !ir::is_int(times->dtype))
    refuse(m, "takes integers along one axis as repetitions, not " + describe(*times));
  if (r.dims.size() != 1)
    refuse(m, "needs the number of elements of the result", "evaluate the sum of the repetitions");
  Shape fitting{x->shape[axis]};
  const NodeRef end =
      scan(m, ir::Op::Add, broadcast_to(m, times, fitting), 0, false, ir::DType::I64);
  Request search;
  search.name = "searchsorted";
  search.operands = {end, iota(r.dims[0], m.place)};
  search.ints = {1};
  search.place = m.place;
  return take(m, x, apply(search), static_cast<int>(axis));
}

// ints: how often, whether an axis is given, the axis.
NodeRef make_repeat(const Maker& m, const Request& r) {
  NodeRef x = given_operand(m, r, 0);
  if (r.operands.size() > 1) {
    if (given_int(r, 1) == 0) x = flat(m, x);
    const std::int64_t axis = given_int(r, 1) == 0 ? 0 : given_int(r, 2);
    return repeat_each(m, x, r.operands[1], r,
                       static_cast<std::size_t>(normal_axis(m, axis, x->rank())));
  }
  const std::int64_t times = given_int(r, 0);
  if (times < 0) refuse(m, "cannot repeat " + std::to_string(times) + " times");
  std::size_t axis = 0;
  if (given_int(r, 1) != 0)
    axis = static_cast<std::size_t>(normal_axis(m, given_int(r, 2), x->rank()));
  else
    x = reshape(m, x, {product(x->shape)});
  Shape wide = x->shape, out = x->shape;
  wide.insert(wide.begin() + static_cast<std::ptrdiff_t>(axis) + 1, Dim(times));
  out[axis] = out[axis] * Dim(times);
  const NodeRef apart = expand_dims(m, x, {static_cast<int>(axis) + 1});
  std::vector<AxisView> axes(apart->rank());
  for (std::size_t a = 0; a < axes.size(); ++a)
    if (a != axis + 1) axes[a].from = static_cast<int>(a);
  return reshape(m, view(m, apart, axes, wide), out);
}

// ints: how often along each axis.
NodeRef make_tile(const Maker& m, const Request& r) {
  NodeRef x = given_operand(m, r, 0);
  std::vector<std::int64_t> times = r.ints;
  while (times.size() < x->rank()) times.insert(times.begin(), 1);
  Axes added;
  for (std::size_t a = 0; a + x->rank() < times.size(); ++a) added.push_back(static_cast<int>(a));
  if (!added.empty()) x = expand_dims(m, x, added);
  std::vector<AxisView> axes(x->rank());
  Shape wide, out;
  for (std::size_t a = 0; a < x->rank(); ++a) {
    if (times[a] < 0) refuse(m, "cannot repeat " + std::to_string(times[a]) + " times");
    wide.push_back(Dim(times[a]));
    axes[a].from = static_cast<int>(wide.size());
    wide.push_back(x->shape[a]);
    out.push_back(Dim(times[a]) * x->shape[a]);
  }
  return reshape(m, view(m, x, axes, wide), out);
}

}  // namespace

void add_shapes(std::vector<Composed>& out) {
  out.push_back({"tril", make_tril});
  out.push_back({"triu", make_triu});
  out.push_back({"diagonal", make_diagonal});
  out.push_back({"trace", make_trace});
  out.push_back({"pad", make_pad});
  out.push_back({"moveaxis", make_moveaxis});
  out.push_back({"swapaxes", make_swapaxes});
  out.push_back({"matrix_transpose", make_matrix_transpose});
  out.push_back({"repeat", make_repeat});
  out.push_back({"tile", make_tile});
}

}  // namespace lathe::array
