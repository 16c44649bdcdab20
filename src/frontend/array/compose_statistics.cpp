// SPDX-License-Identifier: Apache-2.0
// Statistics by sorting and counting, as NumPy defines them.

#include <algorithm>
#include <cmath>
#include <span>

#include "frontend/array/compose.h"

namespace lathe::array {
namespace {

using ir::DType;

struct Sorted {
  NodeRef values;  // floats; sorted along the last axis
  Dim count;
  Axes axes;  // of the given array that became the last one
  NodeRef has_nan;
};

// One NaN where there is nothing along the last axis.
NodeRef nan_for_nothing(const Maker& m, const NodeRef& rows) {
  Shape one = rows->shape;
  one.back() = max(Dim(0), Dim(1) - one.back());
  if (one.back().is(0)) return rows;
  const NodeRef nan = constant(ir::Scalar::of_double(rows->dtype, NAN));
  return concatenate(m, {rows, broadcast_to(m, nan, one)}, static_cast<int>(rows->rank()) - 1);
}

// ints: keepdims, whether axes are given, axes. The axes last, as one, and sorted.
Sorted sorted_axes(const Maker& m, const Request& r, bool of_nothing_is_nan) {
  NodeRef x = given_operand(m, r, 0);
  if (!ir::is_float(x->dtype)) x = cast(x, DType::F64, m.place);
  Sorted out;
  if (given_int(r, 1) != 0)
    out.axes = normal_axes(m, std::span(r.ints).subspan(2), x->rank());
  else
    for (std::size_t a = 0; a < x->rank(); ++a) out.axes.push_back(static_cast<int>(a));
  Axes order;
  Shape shape;
  out.count = Dim(1);
  for (std::size_t a = 0; a < x->rank(); ++a) {
    if (std::find(out.axes.begin(), out.axes.end(), static_cast<int>(a)) != out.axes.end()) {
      out.count = out.count * x->shape[a];
      continue;
    }
    order.push_back(static_cast<int>(a));
    shape.push_back(x->shape[a]);
  }
  if (!of_nothing_is_nan && known_value(out.count) == 0)
    refuse(m, "there is nothing along the axes of " + describe(*x), "test for empty arrays first");
  order.insert(order.end(), out.axes.begin(), out.axes.end());
  shape.push_back(out.count);
  NodeRef rows = reshape(m, permute(m, x, order), shape);
  if (of_nothing_is_nan && !known_value(out.count).value_or(0)) {
    rows = nan_for_nothing(m, rows);
    out.count = shape.back() = rows->shape.back();
  }
  // Empty axes are told before the launch.
  std::vector<AxisView> same(rows->rank());
  for (std::size_t a = 0; a < same.size(); ++a) same[a].from = static_cast<int>(a);
  std::vector<Condition> some;
  if (!never_negative(out.count - Dim(1)))
    some.push_back(
        {Condition::Rule::AtLeast, out.count, Dim(1), static_cast<int>(shape.size()) - 1});
  const NodeRef checked = some.empty() ? rows : view(m, rows, same, shape, some);
  out.values = call(m, "sort", {checked}, x->dtype, shape);
  IndexItem all, last;
  all.kind = IndexItem::Kind::Ellipsis;
  last.kind = IndexItem::Kind::Integer;
  last.start = Dim(-1);
  out.has_nan = elementwise(m, "isnan", {index(m, out.values, {all, last})});
  return out;
}

NodeRef element_at(const Maker& m, const Sorted& s, const NodeRef& place) {
  return take(m, s.values, place, static_cast<int>(s.values->rank()) - 1);
}

NodeRef finished(const Maker& m, const Request& r, const Sorted& s, const NodeRef& value) {
  const NodeRef nan = constant(ir::Scalar::of_double(value->dtype, NAN));
  NodeRef out = elementwise(m, "where", {s.has_nan, nan, value});
  if (given_int(r, 0) == 0) return out;
  Axes sorted = s.axes;
  std::sort(sorted.begin(), sorted.end());
  return expand_dims(m, out, sorted);
}

NodeRef make_median(const Maker& m, const Request& r) {
  const Sorted s = sorted_axes(m, r, true);
  const DType t = s.values->dtype, wide = ir::is_half(t) ? DType::F32 : t;
  const NodeRef low = cast(
      element_at(m, s, size_value(floor_div(s.count - Dim(1), Dim(2)), m.place)), wide, m.place);
  const NodeRef high =
      cast(element_at(m, s, size_value(floor_div(s.count, Dim(2)), m.place)), wide, m.place);
  const NodeRef middle = binary_of(m, "divide", binary_of(m, "add", low, high), real(2));
  // One in the middle is itself, also where twice of it is too large.
  const NodeRef odd = binary_of(m, "equal", size_value(mod(s.count, Dim(2)), m.place), integer(1));
  return finished(m, r, s, cast(elementwise(m, "where", {odd, low, middle}), t, m.place));
}

void refuse_number_outside(const Maker& m, const Node& q, double most) {
  if (q.kind != Kind::Constant) return;
  const double v = q.value.as_double();
  if (!(v >= 0 && v <= most))
    refuse(m, most == 1 ? "a fraction is from 0 to 1" : "a percentage is from 0 to 100");
}

// operands: x, and q: a number or an array of them, whose axes come first. NumPy's "linear".
NodeRef make_quantile(const Maker& m, const Request& r) {
  const NodeRef& given = given_operand(m, r, 1);
  refuse_number_outside(m, *given, 1);
  const Sorted s = sorted_axes(m, r, false);
  const DType t = s.values->dtype;
  const NodeRef q = cast(given, DType::F64, m.place);
  const Axes front = [&] {
    Axes a;
    for (std::size_t i = 0; i + 1 < s.values->rank(); ++i)
      a.push_back(static_cast<int>(given->rank() + i));
    return a;
  }();
  const NodeRef last = cast(size_value(s.count - Dim(1), m.place), DType::F64, m.place);
  // What is no fraction has no quantile: its place is none, which is told when it is read.
  const NodeRef is_fraction = binary_of(m, "logical_and", binary_of(m, "greater_equal", q, real(0)),
                                        binary_of(m, "less_equal", q, real(1)));
  const NodeRef virtual_place = binary_of(m, "multiply", q, last);
  const NodeRef lower = elementwise(m, "floor", {virtual_place});
  const NodeRef low = elementwise(
      m, "where", {is_fraction, cast(lower, DType::I64, m.place), size_value(s.count, m.place)});
  const NodeRef high = binary_of(m, "minimum", binary_of(m, "add", low, integer(1)),
                                 size_value(s.count - Dim(1), m.place));
  const auto placed = [&](const NodeRef& where) {
    NodeRef out = element_at(m, s, where);
    // From (kept..., q...) to (q..., kept...).
    Axes order;
    const std::size_t kept = s.values->rank() - 1;
    for (std::size_t i = 0; i < given->rank(); ++i) order.push_back(static_cast<int>(kept + i));
    for (std::size_t i = 0; i < kept; ++i) order.push_back(static_cast<int>(i));
    return permute(m, out, order);
  };
  const NodeRef a = placed(low), b = placed(high);
  NodeRef share = cast(binary_of(m, "subtract", virtual_place, lower), t, m.place);
  if (!front.empty() && given->rank() > 0) share = expand_dims(m, share, front);
  const NodeRef apart = binary_of(m, "subtract", b, a);
  const NodeRef up = binary_of(m, "add", a, binary_of(m, "multiply", apart, share));
  const NodeRef down = binary_of(
      m, "subtract", b, binary_of(m, "multiply", apart, binary_of(m, "subtract", real(1), share)));
  const NodeRef value =
      elementwise(m, "where", {binary_of(m, "greater_equal", share, real(0.5)), down, up});
  Request plain = r;
  if (!plain.ints.empty()) plain.ints[0] = 0;
  NodeRef out = finished(m, plain, s, value);
  if (given_int(r, 0) == 0) return out;
  Axes kept;
  for (int axis : s.axes) kept.push_back(axis + static_cast<int>(given->rank()));
  std::sort(kept.begin(), kept.end());
  return expand_dims(m, out, kept);
}

NodeRef make_percentile(const Maker& m, const Request& r) {
  refuse_number_outside(m, *given_operand(m, r, 1), 100);
  Request fraction = r;
  fraction.operands = {
      given_operand(m, r, 0),
      binary_of(m, "divide", cast(given_operand(m, r, 1), DType::F64, m.place), real(100))};
  return make_quantile(m, fraction);
}

// operands: numbers from 0, and weights if there are some; dims: how many bins.
NodeRef make_bincount(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  if (x->rank() != 1) refuse(m, "takes an array with one axis, not " + describe(*x));
  if (!ir::is_int(x->dtype) && !ir::is_bool(x->dtype))
    refuse(m, "counts integers, not " + std::string(ir::name(x->dtype)), {}, ErrorKind::DType);
  if (r.dims.size() != 1) refuse(m, "needs the number of bins");
  const bool weighted = r.operands.size() > 1;
  const DType t = weighted ? DType::F64 : DType::I64;
  const NodeRef weights =
      weighted ? cast(r.operands[1], t, m.place) : constant(ir::Scalar::of_int(t, 1));
  // Negative ones count from no end: out of range.
  const NodeRef i = cast(x, DType::I64, m.place);
  IndexItem item;
  item.kind = IndexItem::Kind::Array;
  item.array = elementwise(
      m, "where", {binary_of(m, "less", i, integer(0)), size_value(r.dims[0], m.place), i});
  const NodeRef none = broadcast_to(m, constant(ir::Scalar::of_int(t, 0)), r.dims);
  return set_index(m, none, {item}, weights, true);
}

// operands: values, and weights if there are some; dims: how many bins; reals: from, to.
NodeRef make_histogram(const Maker& m, const Request& r) {
  if (r.dims.size() != 1 || r.reals.size() != 2)
    refuse(m, "needs a number of bins, and where they begin and end");
  const double from = r.reals[0], to = r.reals[1];
  if (!std::isfinite(from) || !std::isfinite(to) || from > to)
    refuse(m, "bins begin before they end, and both are finite");
  if (r.dims[0].is_constant() && r.dims[0].constant() < 1) refuse(m, "needs at least one bin");
  const double first = from == to ? from - 0.5 : from, end = from == to ? to + 0.5 : to;
  const NodeRef x = cast(flat(m, given_operand(m, r, 0)), DType::F64, m.place);
  const NodeRef bins = size_value(r.dims[0], m.place),
                last = size_value(r.dims[0] - Dim(1), m.place);
  const NodeRef inside = binary_of(m, "logical_and", binary_of(m, "greater_equal", x, real(first)),
                                   binary_of(m, "less_equal", x, real(end)));
  const NodeRef scale = binary_of(m, "divide", cast(bins, DType::F64, m.place), real(end - first));
  NodeRef i = cast(binary_of(m, "multiply", binary_of(m, "subtract", x, real(first)), scale),
                   DType::I64, m.place);
  i = binary_of(m, "maximum", binary_of(m, "minimum", i, last), integer(0));
  // The edges decide, not the quotient.
  Request points;
  points.name = "linspace";
  points.reals = {first, end};
  points.dims = {r.dims[0] + Dim(1)};
  points.place = m.place;
  const NodeRef edges = apply(points);
  const NodeRef low = binary_of(m, "less", x, take(m, edges, i, 0));
  i = binary_of(m, "subtract", i, cast(low, DType::I64, m.place));
  i = binary_of(m, "maximum", i, integer(0));
  const NodeRef high = binary_of(
      m, "logical_and",
      binary_of(m, "greater_equal", x, take(m, edges, binary_of(m, "add", i, integer(1)), 0)),
      binary_of(m, "not_equal", i, last));
  i = binary_of(m, "add", i, cast(high, DType::I64, m.place));
  const bool weighted = r.operands.size() > 1;
  const DType t = weighted ? DType::F64 : DType::I64;
  const NodeRef weight =
      weighted ? cast(flat(m, r.operands[1]), t, m.place) : constant(ir::Scalar::of_int(t, 1));
  IndexItem item;
  item.kind = IndexItem::Kind::Array;
  item.array = i;
  const NodeRef zero = constant(ir::Scalar::of_int(t, 0));
  return set_index(m, broadcast_to(m, zero, r.dims), {item},
                   elementwise(m, "where", {inside, weight, zero}), true);
}

}  // namespace

void add_statistics(std::vector<Composed>& out) {
  out.push_back({"median", make_median});
  out.push_back({"quantile", make_quantile});
  out.push_back({"percentile", make_percentile});
  out.push_back({"bincount", make_bincount});
  out.push_back({"histogram", make_histogram});
}

}  // namespace lathe::array
