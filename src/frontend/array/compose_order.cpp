// SPDX-License-Identifier: Apache-2.0
// Sorting and searching: calls that take whole arrays, along the last axis.

#include "frontend/array/compose.h"

namespace lathe::array {
namespace {

NodeRef call(const Maker& m, const char* function, Nodes inputs, ir::DType t, const Shape& shape) {
  Node n;
  n.kind = Kind::Call;
  n.dtype = t;
  n.shape = shape;
  n.operands = std::move(inputs);
  n.text = function;
  n.place = m.place;
  return intern(std::move(n));
}

NodeRef last_axis(const Maker& m, const NodeRef& x, std::size_t axis) {
  Axes order;
  for (std::size_t a = 0; a < x->rank(); ++a)
    if (a != axis) order.push_back(static_cast<int>(a));
  order.push_back(static_cast<int>(axis));
  return permute(m, x, order);
}
NodeRef axis_back(const Maker& m, const NodeRef& x, std::size_t axis) {
  Axes order;
  for (std::size_t a = 0; a + 1 < x->rank(); ++a) order.push_back(static_cast<int>(a));
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(axis), static_cast<int>(x->rank()) - 1);
  return permute(m, x, order);
}

// ints: whether an axis is given, the axis.
NodeRef sorted(const Maker& m, const Request& r, bool places) {
  NodeRef x = given_operand(m, r, 0);
  if (given_int(r, 0, 1) == 0) x = reshape(m, x, {product(x->shape)});
  if (x->rank() == 0) refuse(m, "takes an array with axes");
  const auto axis = static_cast<std::size_t>(
      given_int(r, 0, 1) == 0 ? 0 : normal_axis(m, given_int(r, 1, -1), x->rank()));
  // To NumPy the zeros are equal, and a stable order keeps them as they are: -0 + 0 is +0.
  if (places && ir::is_float(x->dtype)) x = binary_of(m, "add", x, real(0));
  const NodeRef turned = last_axis(m, x, axis);
  const NodeRef out = call(m, places ? "argsort" : "sort", {turned},
                           places ? ir::DType::I64 : x->dtype, turned->shape);
  return axis_back(m, out, axis);
}
NodeRef make_sort(const Maker& m, const Request& r) { return sorted(m, r, false); }
NodeRef make_argsort(const Maker& m, const Request& r) { return sorted(m, r, true); }

NodeRef make_searchsorted(const Maker& m, const Request& r) {
  NodeRef a = given_operand(m, r, 0), v = given_operand(m, r, 1);
  if (a->rank() != 1) refuse(m, "searches an array with one axis, not " + describe(*a));
  const ir::DType t = common_dtype(m, {a, v});
  a = converted(m, a, t);
  v = converted(m, v, t);
  if (v->rank() == 0) {
    const NodeRef found =
        call(m, "searchsorted", {a, reshape(m, v, {Dim(1)})}, ir::DType::I64, {Dim(1)});
    return reshape(m, found, {});
  }
  return call(m, "searchsorted", {a, v}, ir::DType::I64, v->shape);
}

// Sorted, each once.
NodeRef make_unique(const Maker& m, const Request& r) {
  NodeRef x = given_operand(m, r, 0);
  x = reshape(m, x, {product(x->shape)});
  const NodeRef s = call(m, "sort", {x}, x->dtype, x->shape);
  // The one before: of the first one, itself, but that one always counts.
  const NodeRef i = iota(x->shape[0], m.place);
  const NodeRef before = roll(m, s, {1});
  NodeRef fresh = binary_of(m, "not_equal", s, before);
  if (ir::is_float(x->dtype))  // NaNs are one value
    fresh = binary_of(m, "logical_and", fresh,
                      elementwise(m, "logical_not",
                                  {binary_of(m, "logical_and", elementwise(m, "isnan", {s}),
                                             elementwise(m, "isnan", {before}))}));
  IndexItem item;
  item.kind = IndexItem::Kind::Array;
  item.array = binary_of(m, "logical_or", binary_of(m, "equal", i, integer(0)), fresh);
  return index(m, s, {item});
}

// ints: which axis of the result's tuple.
NodeRef make_nonzero(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  if (x->rank() == 0) refuse(m, "takes an array with axes");
  const auto axis = static_cast<std::size_t>(normal_axis(m, given_int(r, 0), x->rank()));
  NodeRef out = positions(m, converted(m, x, ir::DType::Bool));
  Dim inner(1);
  for (std::size_t a = axis + 1; a < x->rank(); ++a) inner = inner * x->shape[a];
  if (!inner.is(1)) out = binary_of(m, "floor_divide", out, size_value(inner, m.place));
  if (axis > 0) out = binary_of(m, "remainder", out, size_value(x->shape[axis], m.place));
  return out;
}

// ints: axis.
NodeRef make_take_along_axis(const Maker& m, const Request& r) {
  const NodeRef &x = given_operand(m, r, 0), &at = given_operand(m, r, 1);
  const int axis = normal_axis(m, given_int(r, 0, -1), x->rank());
  if (at->rank() != x->rank())
    refuse(m, "indices need as many axes as the array: " + describe(*x) + " and " + describe(*at));
  if (!ir::is_int(at->dtype))
    refuse(m, "indices must be integers, not " + std::string(ir::name(at->dtype)));
  std::vector<IndexItem> items(x->rank());
  for (std::size_t a = 0; a < x->rank(); ++a) {
    items[a].kind = IndexItem::Kind::Array;
    items[a].array = static_cast<int>(a) == axis ? at : axis_index(m, x->shape[a], a, x->rank());
  }
  return index(m, x, items);
}

NodeRef make_cholesky(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  if (x->rank() < 2) refuse(m, "takes matrices, not " + describe(*x));
  if (!ir::is_float(x->dtype) || ir::is_half(x->dtype))
    refuse(m, "takes f32 or f64, not " + std::string(ir::name(x->dtype)));
  const Dim &rows = x->shape[x->rank() - 2], &columns = x->shape[x->rank() - 1];
  if (compare(rows, columns) == Answer::No) refuse(m, "takes square matrices, not " + describe(*x));
  return call(m, "cholesky", {x}, x->dtype, x->shape);
}

}  // namespace

void add_orders(std::vector<Composed>& out) {
  out.push_back({"sort", make_sort});
  out.push_back({"argsort", make_argsort});
  out.push_back({"searchsorted", make_searchsorted});
  out.push_back({"unique", make_unique});
  out.push_back({"nonzero", make_nonzero});
  out.push_back({"take_along_axis", make_take_along_axis});
  out.push_back({"cholesky", make_cholesky});
}

}  // namespace lathe::array
