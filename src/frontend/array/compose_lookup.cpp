// SPDX-License-Identifier: Apache-2.0
// Looking values up: where they belong among sorted ones, whether they occur, and what a line
// through points is there.

#include "frontend/array/compose.h"

namespace lathe::array {
namespace {

// A call that looks each element of v up in a, which has one axis; they become one dtype.
NodeRef lookup(const Maker& m, const char* function, NodeRef a, NodeRef v, ir::DType result) {
  const ir::DType t = common_dtype(m, {a, v});
  a = converted(m, a, t);
  v = converted(m, v, t);
  if (v->rank() > 0) return call(m, function, {a, v}, result, v->shape);
  return reshape(m, call(m, function, {a, reshape(m, v, {Dim(1)})}, result, {Dim(1)}), {});
}

NodeRef place_among(const Maker& m, const NodeRef& sorted, const NodeRef& v, bool behind) {
  if (sorted->rank() != 1) refuse(m, "searches an array with one axis, not " + describe(*sorted));
  return lookup(m, behind ? "searchsorted_right" : "searchsorted", sorted, v, ir::DType::I64);
}

// ints: 1 for the place behind equal ones.
NodeRef make_searchsorted(const Maker& m, const Request& r) {
  return place_among(m, given_operand(m, r, 0), given_operand(m, r, 1), given_int(r, 0) != 0);
}

// Is each element of the first equal to one of the second's?
NodeRef make_isin(const Maker& m, const Request& r) {
  const NodeRef &x = given_operand(m, r, 0), &others = given_operand(m, r, 1);
  return lookup(m, "contains", flat(m, others), x, ir::DType::Bool);
}

NodeRef element(const Maker& m, const NodeRef& x, std::int64_t at) {
  IndexItem item;
  item.kind = IndexItem::Kind::Integer;
  item.start = Dim(at);
  return index(m, x, {item});
}

// ints: 1 for bins that are closed on the right. Bins rise or fall.
NodeRef make_digitize(const Maker& m, const Request& r) {
  const NodeRef &x = given_operand(m, r, 0), &bins = given_operand(m, r, 1);
  if (bins->rank() != 1) refuse(m, "takes bins with one axis, not " + describe(*bins));
  const bool behind = given_int(r, 0) == 0;
  const Dim& count = bins->shape[0];
  if (count.is(0) || count.is(1)) return place_among(m, bins, x, behind);
  const NodeRef falls = binary_of(m, "greater", element(m, bins, 0), element(m, bins, -1));
  std::vector<IndexItem> backwards(1);
  backwards[0].kind = IndexItem::Kind::Slice;
  backwards[0].step = -1;
  const NodeRef rising = elementwise(m, "where", {falls, index(m, bins, backwards), bins});
  const NodeRef at = place_among(m, rising, x, behind);
  const NodeRef other = binary_of(m, "subtract", size_value(count, m.place), at);
  return elementwise(m, "where", {falls, other, at});
}

// At x, the line through points (xp, fp) where xp rises; beyond them their ends.
NodeRef make_interp(const Maker& m, const Request& r) {
  const NodeRef x = as_float(m, given_operand(m, r, 0)), xp = as_float(m, given_operand(m, r, 1)),
                fp = as_float(m, given_operand(m, r, 2));
  if (xp->rank() != 1 || fp->rank() != 1) refuse(m, "takes points with one axis");
  const NodeRef first = element(m, xp, 0), last = element(m, xp, -1);
  // One slope for each point, with the next one: the last one has none, and its own value.
  const NodeRef next =
      elementwise(m, "minimum",
                  {binary_of(m, "add", iota(xp->shape[0], m.place), integer(1)),
                   binary_of(m, "subtract", size_value(xp->shape[0], m.place), integer(1))});
  const NodeRef width = binary_of(m, "subtract", take(m, xp, next, 0), xp);
  const NodeRef rise = binary_of(m, "subtract", take(m, fp, next, 0), fp);
  const NodeRef slopes =
      binary_of(m, "divide", rise,
                elementwise(m, "where", {binary_of(m, "equal", width, real(0)), real(1), width}));
  const NodeRef at = binary_of(m, "subtract", place_among(m, xp, x, true), integer(1));
  const NodeRef low = elementwise(m, "maximum", {at, integer(0)});
  const NodeRef x0 = take(m, xp, low, 0), y0 = take(m, fp, low, 0), slope = take(m, slopes, low, 0);
  const NodeRef further = binary_of(m, "multiply", slope, binary_of(m, "subtract", x, x0));
  NodeRef found = binary_of(m, "add", further, y0);
  // A point has its own value where the slope or the point is infinite; elsewhere it also has the
  // derivative of the line that begins there.
  const NodeRef unknown = elementwise(m, "logical_not", {elementwise(m, "isfinite", {further})});
  const NodeRef itself = elementwise(m, "logical_and", {binary_of(m, "equal", x, x0), unknown});
  found = elementwise(m, "where", {itself, y0, found});
  found = elementwise(m, "where", {binary_of(m, "greater", x, last), element(m, fp, -1), found});
  return elementwise(m, "where", {binary_of(m, "less", x, first), element(m, fp, 0), found});
}

}  // namespace

void add_lookups(std::vector<Composed>& out) {
  out.push_back({"searchsorted", make_searchsorted});
  out.push_back({"isin", make_isin});
  out.push_back({"digitize", make_digitize});
  out.push_back({"interp", make_interp});
}

}  // namespace lathe::array
