// SPDX-License-Identifier: Apache-2.0
// Sorting and searching: calls that take whole arrays, along the last axis.

#include <cmath>

#include "frontend/array/compose.h"

namespace lathe::array {
namespace {

// ints: whether an axis is given, the axis, whether the largest comes first.
NodeRef sorted(const Maker& m, const Request& r, bool places) {
  NodeRef x = given_operand(m, r, 0);
  if (given_int(r, 0, 1) == 0) x = reshape(m, x, {product(x->shape)});
  if (x->rank() == 0) refuse(m, "takes an array with axes");
  const auto axis = static_cast<std::size_t>(
      given_int(r, 0, 1) == 0 ? 0 : normal_axis(m, given_int(r, 1, -1), x->rank()));
  // To NumPy the zeros are equal, and a stable order keeps them as they are: -0 + 0 is +0.
  if (places && ir::is_float(x->dtype)) x = binary_of(m, "add", x, real(0));
  const bool descending = given_int(r, 2) != 0;
  std::vector<IndexItem> backwards(x->rank());
  backwards.back().kind = IndexItem::Kind::Slice;
  backwards.back().step = -1;
  NodeRef turned = last_axis(m, x, axis);
  // Equal ones keep their order: turned around twice.
  if (descending && places) turned = index(m, turned, backwards);
  NodeRef out = call(m, places ? "argsort" : "sort", {turned}, places ? ir::DType::I64 : x->dtype,
                     turned->shape);
  if (descending) {
    out = index(m, out, backwards);
    if (places) out = binary_of(m, "subtract", size_value(x->shape[axis] - Dim(1), m.place), out);
  }
  return axis_back(m, out, axis);
}
NodeRef make_sort(const Maker& m, const Request& r) { return sorted(m, r, false); }
NodeRef make_argsort(const Maker& m, const Request& r) { return sorted(m, r, true); }

// The first number that is larger: the first one behind all that are not is the first one not
// below it. Behind the largest of all there is none.
NodeRef larger(const Maker& m, const NodeRef& v, NodeRef& is_largest) {
  if (ir::is_float(v->dtype)) {
    const NodeRef above = elementwise(m, "isnan", {v});
    is_largest = above;
    const NodeRef infinity = constant(ir::Scalar::of_double(v->dtype, HUGE_VAL));
    const NodeRef nan = constant(ir::Scalar::of_double(v->dtype, NAN));
    Request next;
    next.name = "nextafter";
    next.operands = {v, infinity};
    next.place = m.place;
    return elementwise(m, "where", {binary_of(m, "equal", v, infinity), nan, apply(next)});
  }
  if (ir::is_bool(v->dtype)) {
    is_largest = v;
    return elementwise(m, "logical_not", {v});
  }
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - 8 * ir::size_bytes(v->dtype));
  const std::uint64_t largest = ir::is_unsigned_int(v->dtype) ? all : all >> 1;
  is_largest = binary_of(m, "equal", v, constant(ir::Scalar::of_uint(v->dtype, largest)));
  return binary_of(m, "add", v, integer(1));
}

// ints: 1 for the place behind equal ones.
NodeRef make_searchsorted(const Maker& m, const Request& r) {
  NodeRef a = given_operand(m, r, 0), v = given_operand(m, r, 1);
  if (a->rank() != 1) refuse(m, "searches an array with one axis, not " + describe(*a));
  const ir::DType t = common_dtype(m, {a, v});
  a = converted(m, a, t);
  v = converted(m, v, t);
  NodeRef is_largest;
  if (given_int(r, 0) != 0) v = larger(m, v, is_largest);
  NodeRef found;
  if (v->rank() == 0) {
    found = call(m, "searchsorted", {a, reshape(m, v, {Dim(1)})}, ir::DType::I64, {Dim(1)});
    found = reshape(m, found, {});
  } else {
    found = call(m, "searchsorted", {a, v}, ir::DType::I64, v->shape);
  }
  if (!is_largest) return found;
  return elementwise(m, "where", {is_largest, size_value(a->shape[0], m.place), found});
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
    refuse(m, "indices must be integers, not " + std::string(ir::name(at->dtype)), {},
           ErrorKind::DType);
  std::vector<IndexItem> items(x->rank());
  for (std::size_t a = 0; a < x->rank(); ++a) {
    items[a].kind = IndexItem::Kind::Array;
    items[a].array = static_cast<int>(a) == axis ? at : axis_index(m, x->shape[a], a, x->rank());
  }
  return index(m, x, items);
}

}  // namespace

void add_orders(std::vector<Composed>& out) {
  out.push_back({"sort", make_sort});
  out.push_back({"argsort", make_argsort});
  out.push_back({"searchsorted", make_searchsorted});
  out.push_back({"nonzero", make_nonzero});
  out.push_back({"take_along_axis", make_take_along_axis});
}

}  // namespace lathe::array
