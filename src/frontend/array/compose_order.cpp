// SPDX-License-Identifier: Apache-2.0
// Sorting: calls that take whole arrays, along the last axis.

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
  out.push_back({"nonzero", make_nonzero});
  out.push_back({"take_along_axis", make_take_along_axis});
}

}  // namespace lathe::array
