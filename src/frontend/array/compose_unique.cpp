// SPDX-License-Identifier: Apache-2.0
// Each value once, in order; how often, where first, and which value each element is. All of them
// look at the sorted elements for those that differ from the one before:
//
//   x       3 1 3 7          sorted  1 3 3 7      fresh  1 1 0 1      positions of fresh  0 1 3

#include "frontend/array/compose.h"

namespace lathe::array {
namespace {

// ints: whether NaNs are one value.
bool joins_nans(const Request& r) { return given_int(r, 0, 1) != 0; }

// Is it another value than the one before it?
NodeRef fresh(const Maker& m, const NodeRef& sorted, bool one_nan) {
  const NodeRef i = iota(sorted->shape[0], m.place);
  const NodeRef before = roll(m, sorted, {1});
  NodeRef differs = binary_of(m, "not_equal", sorted, before);
  if (one_nan && ir::is_float(sorted->dtype))
    differs = binary_of(m, "logical_and", differs,
                        elementwise(m, "logical_not",
                                    {binary_of(m, "logical_and", elementwise(m, "isnan", {sorted}),
                                               elementwise(m, "isnan", {before}))}));
  return binary_of(m, "logical_or", binary_of(m, "equal", i, integer(0)), differs);
}

NodeRef make_unique(const Maker& m, const Request& r) {
  const NodeRef x = flat(m, given_operand(m, r, 0));
  const NodeRef s = call(m, "sort", {x}, x->dtype, x->shape);
  IndexItem item;
  item.kind = IndexItem::Kind::Array;
  item.array = fresh(m, s, joins_nans(r));
  return index(m, s, {item});
}

// The stable order of the elements, in which both zeros are equal.
NodeRef order_of(const Maker& m, NodeRef x) {
  if (ir::is_float(x->dtype)) x = binary_of(m, "add", x, real(0));
  return call(m, "argsort", {x}, ir::DType::I64, x->shape);
}

NodeRef make_counts(const Maker& m, const Request& r) {
  const NodeRef x = flat(m, given_operand(m, r, 0));
  const NodeRef s = call(m, "sort", {x}, x->dtype, x->shape);
  const NodeRef first = positions(m, fresh(m, s, joins_nans(r)));
  const NodeRef end = broadcast_to(m, size_value(x->shape[0], m.place), {Dim(1)});
  IndexItem rest;
  rest.kind = IndexItem::Kind::Slice;
  rest.start = Dim(1);
  const NodeRef next = concatenate(m, {index(m, first, {rest}), end}, 0);
  // Of nothing there are no counts: both are as long as the values.
  return binary_of(m, "subtract", take(m, next, iota(first->shape[0], m.place), 0), first);
}

NodeRef make_indices(const Maker& m, const Request& r) {
  const NodeRef x = flat(m, given_operand(m, r, 0));
  const NodeRef order = order_of(m, x);
  const NodeRef first = positions(m, fresh(m, take(m, x, order, 0), joins_nans(r)));
  return take(m, order, first, 0);
}

NodeRef make_inverse(const Maker& m, const Request& r) {
  const NodeRef& given = given_operand(m, r, 0);
  const NodeRef x = flat(m, given);
  const NodeRef order = order_of(m, x);
  const NodeRef starts =
      cast(fresh(m, take(m, x, order, 0), joins_nans(r)), ir::DType::I64, m.place);
  const NodeRef number =
      binary_of(m, "subtract", scan(m, ir::Op::Add, starts, 0, false), integer(1));
  IndexItem item;
  item.kind = IndexItem::Kind::Array;
  item.array = order;
  const NodeRef none = broadcast_to(m, constant(ir::Scalar::of_int(ir::DType::I64, 0)), x->shape);
  return reshape(m, set_index(m, none, {item}, number), given->shape);
}

}  // namespace

void add_unique(std::vector<Composed>& out) {
  out.push_back({"unique", make_unique});
  out.push_back({"unique_counts", make_counts});
  out.push_back({"unique_indices", make_indices});
  out.push_back({"unique_inverse", make_inverse});
}

}  // namespace lathe::array
