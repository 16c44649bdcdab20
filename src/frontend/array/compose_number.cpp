// SPDX-License-Identifier: Apache-2.0
// Numeric functions made of others.

#include <cmath>

#include "frontend/array/compose.h"

namespace lathe::array {
namespace {

NodeRef make_square(const Maker& m, const Request& r) {
  NodeRef x = given_operand(m, r, 0);
  if (ir::is_bool(x->dtype)) x = cast(x, ir::DType::I8, m.place);
  return binary_of(m, "multiply", x, x);
}

NodeRef make_reciprocal(const Maker& m, const Request& r) {
  NodeRef x = given_operand(m, r, 0);
  if (ir::is_float(x->dtype)) return binary_of(m, "divide", real(1), x);
  // Of integers rounded towards 0. Of 0 what NumPy's conversion of infinity gives.
  if (ir::is_bool(x->dtype)) x = cast(x, ir::DType::I8, m.place);
  const bool is_wide = ir::is_signed_int(x->dtype) && ir::size_bytes(x->dtype) >= 4;
  const std::int64_t least = x->dtype == ir::DType::I64 ? INT64_MIN : INT32_MIN;
  const NodeRef none = constant(ir::Scalar::of_int(x->dtype, is_wide ? least : 0));
  const NodeRef of_zero =
      elementwise(m, "where", {binary_of(m, "equal", x, integer(0)), none, integer(0)});
  const NodeRef is_one = binary_of(m, "equal", x, integer(1));
  if (!ir::is_signed_int(x->dtype)) return elementwise(m, "where", {is_one, integer(1), of_zero});
  const NodeRef is_own = binary_of(m, "logical_or", is_one, binary_of(m, "equal", x, integer(-1)));
  return elementwise(m, "where", {is_own, x, of_zero});
}

NodeRef make_positive(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  if (ir::is_bool(x->dtype))
    refuse(m, "takes numbers, not bools", "convert with astype first", ErrorKind::DType);
  return x;
}

NodeRef make_hypot(const Maker& m, const Request& r) {
  const auto [a, b] = as_floats(m, given_operand(m, r, 0), given_operand(m, r, 1));
  // Floats from the start: the absolute value of an integer may wrap. Scaled by the larger one, so
  // that squares neither overflow nor vanish.
  const NodeRef x = elementwise(m, "absolute", {a}), y = elementwise(m, "absolute", {b});
  const NodeRef large = binary_of(m, "maximum", x, y), small = binary_of(m, "minimum", x, y);
  const NodeRef ratio = binary_of(m, "divide", small, large);
  const NodeRef root = elementwise(
      m, "sqrt", {binary_of(m, "add", real(1), binary_of(m, "multiply", ratio, ratio))});
  const NodeRef plain = binary_of(m, "multiply", large, root);
  const NodeRef found =
      elementwise(m, "where", {binary_of(m, "equal", large, real(0)), large, plain});
  // An infinite side makes an infinite length, whatever the other one is: also NaN, as in C.
  const NodeRef infinite =
      binary_of(m, "logical_or", elementwise(m, "isinf", {x}), elementwise(m, "isinf", {y}));
  return elementwise(m, "where", {infinite, real(INFINITY), found});
}

NodeRef make_logaddexp(const Maker& m, const Request& r) {
  const auto [a, b] = as_floats(m, given_operand(m, r, 0), given_operand(m, r, 1));
  const NodeRef large = binary_of(m, "maximum", a, b);
  const NodeRef apart =
      elementwise(m, "negative", {elementwise(m, "absolute", {binary_of(m, "subtract", a, b)})});
  const NodeRef rest = elementwise(m, "log1p", {elementwise(m, "exp", {apart})});
  // Of equal numbers, infinities among them: as much of one as of the other, for derivatives.
  const NodeRef half_a = binary_of(m, "multiply", a, real(0.5)),
                half_b = binary_of(m, "multiply", b, real(0.5));
  const NodeRef twice = binary_of(m, "add", binary_of(m, "add", half_a, half_b), real(M_LN2));
  return elementwise(m, "where",
                     {binary_of(m, "equal", a, b), twice, binary_of(m, "add", large, rest)});
}

NodeRef make_clip(const Maker& m, const Request& r) {
  NodeRef x = given_operand(m, r, 0);
  // ints: whether there is a lower and an upper bound.
  std::size_t next = 1;
  if (given_int(r, 0, 1) != 0) x = binary_of(m, "maximum", x, given_operand(m, r, next++));
  if (given_int(r, 1, 1) != 0) x = binary_of(m, "minimum", x, given_operand(m, r, next));
  return x;
}

// ints: decimals.
NodeRef make_round(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  const std::int64_t decimals = given_int(r, 0);
  if (ir::is_bool(x->dtype)) return cast(x, ir::DType::F16, m.place);
  if (!ir::is_float(x->dtype)) {
    if (decimals < 0)
      refuse(m, "cannot round " + std::string(ir::name(x->dtype)) + " to tens",
             "convert to a float first");
    return x;
  }
  if (decimals == 0) return elementwise(m, "rint", {x});
  const double scale = std::pow(10.0, static_cast<double>(decimals < 0 ? -decimals : decimals));
  const char *there = decimals > 0 ? "multiply" : "divide",
             *back = decimals > 0 ? "divide" : "multiply";
  return binary_of(m, back, elementwise(m, "rint", {binary_of(m, there, x, real(scale))}),
                   real(scale));
}

NodeRef make_dot(const Maker& m, const Request& r) {
  const NodeRef &a = given_operand(m, r, 0), &b = given_operand(m, r, 1);
  if (a->rank() == 0 || b->rank() == 0) return binary_of(m, "multiply", a, b);
  const int of_b = b->rank() == 1 ? 0 : static_cast<int>(b->rank()) - 2;
  return tensordot(m, a, b, {static_cast<int>(a->rank()) - 1}, {of_b});
}

NodeRef make_outer(const Maker& m, const Request& r) {
  NodeRef a = given_operand(m, r, 0), b = given_operand(m, r, 1);
  if (a->rank() != 1) a = reshape(m, a, {product(a->shape)});
  if (b->rank() != 1) b = reshape(m, b, {product(b->shape)});
  return binary_of(m, "multiply", expand_dims({"expand_dims", m.place}, a, {1}), b);
}

NodeRef make_inner(const Maker& m, const Request& r) {
  const NodeRef &a = given_operand(m, r, 0), &b = given_operand(m, r, 1);
  if (a->rank() == 0 || b->rank() == 0) return binary_of(m, "multiply", a, b);
  return tensordot(m, a, b, {static_cast<int>(a->rank()) - 1}, {static_cast<int>(b->rank()) - 1});
}

// Along an axis, the others broadcast. ints: axis.
NodeRef make_vecdot(const Maker& m, const Request& r) {
  NodeRef a = given_operand(m, r, 0), b = given_operand(m, r, 1);
  if (a->rank() == 0 || b->rank() == 0) refuse(m, "takes arrays with axes");
  for (NodeRef* x : {&a, &b})
    *x = last_axis(m, *x,
                   static_cast<std::size_t>(normal_axis(m, given_int(r, 0, -1), (*x)->rank())));
  std::vector<std::vector<int>> labels;
  for (const NodeRef* x : {&a, &b}) {
    labels.emplace_back();
    for (std::size_t i = (*x)->rank(); i-- > 0;) labels.back().push_back(static_cast<int>(i));
  }
  std::vector<int> result;
  for (std::size_t i = std::max(a->rank(), b->rank()); i-- > 1;)
    result.push_back(static_cast<int>(i));
  return contract(m, {a, b}, labels, result);
}

// y[i] = a[i] * y[i-1] + b[i] along an axis, y[-1] = 0. ints: axis.
NodeRef make_recurrence(const Maker& m, const Request& r) {
  const NodeRef &a = given_operand(m, r, 0), &b = given_operand(m, r, 1);
  const ir::DType t = common_dtype(m, {a, b});
  if (!ir::is_float(t))
    refuse(m, "takes floats, not " + std::string(ir::name(t)), {}, ErrorKind::DType);
  Node n;
  n.kind = Kind::Scan;
  n.op = ir::Op::Fma;
  n.dtype = t;
  n.shape = broadcast_shapes(m, {a, b}, n.conditions);
  const int axis = normal_axis(m, given_int(r, 0, -1), n.shape.size());
  n.operands = {broadcast_to(m, converted(m, a, t), n.shape),
                broadcast_to(m, converted(m, b, t), n.shape)};
  n.ints = {axis, 0};
  n.text = m.operation;
  n.place = m.place;
  return intern(std::move(n));
}

// ints: axis, how often.
NodeRef make_diff(const Maker& m, const Request& r) {
  NodeRef x = given_operand(m, r, 0);
  const auto axis = static_cast<std::size_t>(normal_axis(m, given_int(r, 0, -1), x->rank()));
  const std::int64_t times = given_int(r, 1, 1);
  if (times < 0) refuse(m, "cannot take differences " + std::to_string(times) + " times");
  for (std::int64_t i = 0; i < times; ++i) {
    std::vector<IndexItem> items(axis + 1);
    items.back().kind = IndexItem::Kind::Slice;
    items.back().start = Dim(1);
    const NodeRef later = index(m, x, items);
    items.back().start.reset();
    items.back().stop = Dim(-1);
    const NodeRef earlier = index(m, x, items);
    x = binary_of(m, ir::is_bool(x->dtype) ? "not_equal" : "subtract", later, earlier);
  }
  return x;
}

}  // namespace

void add_numbers(std::vector<Composed>& out) {
  out.push_back({"square", make_square});
  out.push_back({"reciprocal", make_reciprocal});
  out.push_back({"positive", make_positive});
  out.push_back({"hypot", make_hypot});
  out.push_back({"logaddexp", make_logaddexp});
  out.push_back({"clip", make_clip});
  out.push_back({"round", make_round});
  out.push_back({"dot", make_dot});
  out.push_back({"outer", make_outer});
  out.push_back({"inner", make_inner});
  out.push_back({"vecdot", make_vecdot});
  out.push_back({"diff", make_diff});
  out.push_back({"linear_recurrence", make_recurrence});
}

}  // namespace lathe::array
