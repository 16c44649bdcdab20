// SPDX-License-Identifier: Apache-2.0
// Derivatives of scans are scans from the other end. Products divide nothing, so zeros do no harm:
//
//   y = cumsum(x)                    x' = sums of y' from the end
//   y[i] = a[i] * y[i-1] + b[i]      b'[i] = y'[i] + a[i+1] * b'[i+1],   a'[i] = b'[i] * y[i-1]
//   y = cumprod(x)                   x'[i] = (x[0] ... x[i-1]) * s[i],   s[i] = y'[i] + x[i+1] *
//   s[i+1]
//   y = cummax(x)                    x'[i] = s[i] where x[i] is a new largest one, else 0;
//                                    s[i] = y'[i], and s[i+1] unless x[i+1] is a new one

#include "frontend/array/compose.h"
#include "frontend/array/derivative.h"

namespace lathe::array {
namespace {

// Along one axis of a shape.
struct Along {
  const Maker& m;
  std::size_t axis;

  NodeRef turned(const NodeRef& x) const {
    std::vector<IndexItem> items(axis + 1);
    items[axis].kind = IndexItem::Kind::Slice;
    items[axis].step = -1;
    return index(m, x, items);
  }
  // x[i - by]; zeros come in from the end.
  NodeRef moved(const NodeRef& x, std::int64_t by) const {
    std::vector<std::int64_t> shifts(x->rank(), 0);
    shifts[axis] = by;
    const NodeRef i = axis_index(m, x->shape[axis], axis, x->rank());
    const NodeRef edge = by > 0 ? integer(0) : size_value(x->shape[axis] - Dim(1), m.place);
    return elementwise(m, "where",
                       {binary_of(m, "equal", i, edge), constant(ir::Scalar::of_int(x->dtype, 0)),
                        roll(m, x, shifts)});
  }
  // s[i] = b[i] + a[i+1] * s[i+1]
  NodeRef from_the_end(const NodeRef& a, const NodeRef& b) const {
    Request r;
    r.name = "linear_recurrence";
    r.operands = {turned(moved(a, -1)), turned(b)};
    r.ints = {static_cast<std::int64_t>(axis)};
    r.place = m.place;
    return turned(apply(r));
  }
};

// Where an element is the first one of its row, or beyond all before it; `so_far`: the running
// extreme.
NodeRef is_new(const Along& along, const NodeRef& x, const NodeRef& so_far, ir::Op op) {
  const Maker& m = along.m;
  const NodeRef i = axis_index(m, x->shape[along.axis], along.axis, x->rank());
  const NodeRef beyond =
      binary_of(m, op == ir::Op::Max ? "greater" : "less", x, along.moved(so_far, 1));
  // The first NaN, which every extreme after it is.
  const NodeRef before = elementwise(m, "isnan", {along.moved(so_far, 1)});
  const NodeRef first_nan = binary_of(m, "logical_and", elementwise(m, "isnan", {x}),
                                      elementwise(m, "logical_not", {before}));
  return binary_of(m, "logical_or", binary_of(m, "equal", i, integer(0)),
                   binary_of(m, "logical_or", beyond, first_nan));
}

}  // namespace

Nodes scan_adjoints(const Maker& m, const NodeRef& node, const NodeRef& g) {
  const auto axis = static_cast<std::size_t>(node->ints[0]);
  const bool exclusive = node->ints[1] != 0;
  const Along along{m, axis};
  const NodeRef& x = node->operands[0];
  if (node->op == ir::Op::Fma) {
    const NodeRef to_b = along.from_the_end(x, g);
    return {binary_of(m, "multiply", to_b, along.moved(node, 1)), to_b};
  }
  if (node->op == ir::Op::Add)
    return {along.turned(
        scan(m, ir::Op::Add, along.turned(g), static_cast<int>(axis), exclusive, g->dtype))};
  if (node->op == ir::Op::Max || node->op == ir::Op::Min) {
    const NodeRef fresh = is_new(along, x, node, node->op);
    const NodeRef zero = constant(ir::Scalar::of_int(g->dtype, 0)),
                  one = constant(ir::Scalar::of_int(g->dtype, 1));
    const NodeRef later = along.from_the_end(elementwise(m, "where", {fresh, zero, one}), g);
    return {elementwise(m, "where", {fresh, later, zero})};
  }
  const NodeRef before = scan(m, ir::Op::Mul, x, static_cast<int>(axis), true, x->dtype);
  // Without itself, an element is a factor of what comes behind it only.
  const NodeRef later = along.from_the_end(x, exclusive ? along.moved(g, -1) : g);
  return {binary_of(m, "multiply", before, later)};
}

// For x > 0 by x + 8, where the asymptotic series is good to the last bits; otherwise reflected:
// digamma(x) = digamma(1 - x) - pi / tan(pi x).
NodeRef digamma(const Maker& m, const NodeRef& x) {
  const auto binary = [&](const char* name, const NodeRef& a, const NodeRef& b) {
    return binary_of(m, name, a, b);
  };
  const NodeRef below = binary("less_equal", x, real(0));
  const NodeRef z = elementwise(m, "where", {below, binary("subtract", real(1), x), x});
  NodeRef small = binary("divide", real(1), z);
  for (int k = 1; k < 8; ++k)
    small = binary("add", small, binary("divide", real(1), binary("add", z, real(k))));
  const NodeRef far = binary("add", z, real(8));
  const NodeRef square = binary("divide", real(1), binary("multiply", far, far));
  // Bernoulli's numbers B(2k) / 2k, from the last one.
  static constexpr double kSeries[] = {1.0 / 12,  -691.0 / 32760, 1.0 / 132, -1.0 / 240,
                                       1.0 / 252, -1.0 / 120,     1.0 / 12};
  NodeRef series = real(kSeries[0]);
  for (std::size_t i = 1; i < std::size(kSeries); ++i)
    series = binary("add", binary("multiply", series, square), real(kSeries[i]));
  NodeRef out = binary("subtract", elementwise(m, "log", {far}), binary("divide", real(0.5), far));
  out = binary("subtract", out, binary("multiply", series, square));
  out = binary("subtract", out, small);
  // The angle of x less its nearest integer: tan(pi x) without a large argument.
  const NodeRef part = binary("subtract", x, elementwise(m, "rint", {x}));
  const NodeRef angle = binary("multiply", part, real(3.14159265358979323846));
  const NodeRef reflected =
      binary("divide", real(3.14159265358979323846), elementwise(m, "tan", {angle}));
  return elementwise(m, "where", {below, binary("subtract", out, reflected), out});
}

}  // namespace lathe::array
