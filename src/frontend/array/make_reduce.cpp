// SPDX-License-Identifier: Apache-2.0
// Reductions and scans with NumPy's dtypes: sums of bools and small integers are 64 bits wide,
// means of integers are f64; the extremum of nothing is an error.

#include <algorithm>

#include "frontend/array/make.h"

namespace lathe::array {
namespace {

using ir::DType;
using ir::Op;

DType sum_dtype(DType t) {
  if (ir::is_float(t)) return t;
  return ir::is_unsigned_int(t) ? DType::U64 : DType::I64;
}

DType mean_dtype(DType t) { return ir::is_float(t) ? t : DType::F64; }

Dim count_of(const Node& x, const Axes& axes) {
  Dim out(1);
  for (int a : axes) out = out * x.shape[static_cast<std::size_t>(a)];
  return out;
}

NodeRef count_value(const Maker& m, const Node& x, const Axes& axes, DType t) {
  return converted(m, size_value(count_of(x, axes), m.place), t);
}

NodeRef binary(const Maker& m, std::string_view name, const NodeRef& a, const NodeRef& b) {
  return elementwise(m, name, {a, b});
}

// min and max of bools are `and` and `or`; of nothing there is none.
NodeRef extremum(const Maker& m, Op op, const NodeRef& x, const Axes& axes, bool keepdims) {
  for (int a : axes) {
    const Dim& d = x->shape[static_cast<std::size_t>(a)];
    if (d.is(0) || known_value(d) == 0)
      refuse(
          m,
          "the axis " + std::to_string(a) + " of " + describe(*x) + " is empty and has no extremum",
          "test for empty arrays first");
  }
  if (ir::is_bool(x->dtype)) op = op == Op::Min ? Op::And : Op::Or;
  return reduce(m, op, x, axes, keepdims);
}

// The sum of 16-bit floats is kept in f32 until the end.
DType accumulator(DType t) { return ir::is_half(t) ? DType::F32 : t; }

NodeRef mean(const Maker& m, const NodeRef& x, const Axes& axes, bool keepdims) {
  const DType t = mean_dtype(x->dtype), wide = accumulator(t);
  const NodeRef total = reduce(m, Op::Add, converted(m, x, wide), axes, keepdims);
  return converted(m, binary(m, "divide", total, count_value(m, *x, axes, wide)), t);
}

NodeRef variance(const Maker& m, const NodeRef& given, const Axes& axes, bool keepdims,
                 double correction) {
  const DType t = mean_dtype(given->dtype), wide = accumulator(t);
  const NodeRef x = converted(m, given, wide);
  const NodeRef apart = binary(m, "subtract", x, mean(m, x, axes, true));
  const NodeRef total = reduce(m, Op::Add, binary(m, "multiply", apart, apart), axes, keepdims);
  const NodeRef less = constant(ir::Scalar::of_double(wide, correction));
  const NodeRef zero = constant(ir::Scalar::of_double(wide, 0));
  const NodeRef count =
      binary(m, "maximum", binary(m, "subtract", count_value(m, *x, axes, wide), less), zero);
  return converted(m, binary(m, "divide", total, count), t);
}

// The first place of the extremum; the first NaN is the extremum if there is one.
NodeRef argument(const Maker& m, Op op, const NodeRef& given, std::optional<Axes> axes,
                 bool keepdims) {
  NodeRef x = given;
  const std::size_t rank = given->rank();
  if (!axes) {
    x = reshape(m, given, {product(given->shape)});
    axes = Axes{0};
  } else if (axes->size() != 1) {
    refuse(m, "takes one axis, or none for all elements");
  }
  const auto axis = static_cast<std::size_t>(axes->at(0));
  const Dim length = x->shape[axis];
  const NodeRef best = extremum(m, op, x, *axes, true);
  NodeRef found = binary(m, "equal", x, best);
  if (ir::is_float(x->dtype)) found = binary(m, "logical_or", found, elementwise(m, "isnan", {x}));
  Axes added;
  for (std::size_t a = 0; a + axis + 1 < x->rank(); ++a) added.push_back(static_cast<int>(a) + 1);
  const NodeRef place = expand_dims(m, iota(length, m.place), added);
  const NodeRef behind = constant(ir::Scalar::of_int(DType::I64, INT64_MAX));
  const NodeRef out =
      reduce(m, Op::Min, elementwise(m, "where", {found, place, behind}), *axes, keepdims);
  if (!keepdims || rank == x->rank()) return out;
  return reshape(m, out, Shape(rank, Dim(1)));
}

}  // namespace

NodeRef reduce(const Maker& m, Op op, const NodeRef& x, const Axes& axes, bool keepdims) {
  if (axes.empty()) return x;
  Node n;
  n.kind = Kind::Reduce;
  n.op = op;
  n.dtype = x->dtype;
  n.operands = {x};
  Axes sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t a = 0; a < x->rank(); ++a) {
    if (std::binary_search(sorted.begin(), sorted.end(), static_cast<int>(a))) {
      n.ints.push_back(static_cast<std::int64_t>(a));
      const bool needs_one =
          op == Op::Min || op == Op::Max ||
          ((op == Op::And || op == Op::Or) && (m.operation == "min" || m.operation == "max"));
      if (needs_one && !x->shape[a].is_constant())
        n.conditions.push_back(
            {Condition::Rule::AtLeast, x->shape[a], Dim(1), static_cast<int>(a)});
      continue;
    }
    if (!x->label(a).empty()) {
      n.labels.resize(x->rank() - sorted.size());
      n.labels[n.shape.size()] = x->label(a);
    }
    n.shape.push_back(x->shape[a]);
  }
  n.text = m.operation;
  n.place = m.place;
  const NodeRef out = intern(std::move(n));
  return keepdims ? expand_dims(m, out, sorted) : out;
}

NodeRef reduction(const Maker& m, std::string_view name, const NodeRef& x, const ReduceHow& how) {
  Axes axes;
  if (how.axes) {
    axes = *how.axes;
  } else {
    for (std::size_t a = 0; a < x->rank(); ++a) axes.push_back(static_cast<int>(a));
  }
  if (name == "sum" || name == "prod") {
    const DType t = how.dtype.value_or(sum_dtype(x->dtype)), wide = accumulator(t);
    if (ir::is_bool(t))  // as NumPy adds bools
      return reduce(m, name == "sum" ? Op::Or : Op::And, converted(m, x, t), axes, how.keepdims);
    const Op op = name == "sum" ? Op::Add : Op::Mul;
    return converted(m, reduce(m, op, converted(m, x, wide), axes, how.keepdims), t);
  }
  if (name == "min") return extremum(m, Op::Min, x, axes, how.keepdims);
  if (name == "max") return extremum(m, Op::Max, x, axes, how.keepdims);
  if (name == "any" || name == "all")
    return reduce(m, name == "any" ? Op::Or : Op::And, converted(m, x, DType::Bool), axes,
                  how.keepdims);
  if (name == "mean") return mean(m, x, axes, how.keepdims);
  if (name == "var") return variance(m, x, axes, how.keepdims, how.correction);
  if (name == "std")
    return elementwise(m, "sqrt", {variance(m, x, axes, how.keepdims, how.correction)});
  if (name == "count_nonzero")
    return reduce(m, Op::Add, converted(m, converted(m, x, DType::Bool), DType::I64), axes,
                  how.keepdims);
  if (name == "argmin") return argument(m, Op::Min, x, how.axes, how.keepdims);
  if (name == "argmax") return argument(m, Op::Max, x, how.axes, how.keepdims);
  return {};
}

NodeRef scan(const Maker& m, Op op, const NodeRef& x, int axis, bool exclusive,
             std::optional<DType> dtype) {
  Node n;
  n.kind = Kind::Scan;
  n.op = op;
  n.dtype = dtype.value_or(sum_dtype(x->dtype));
  if (ir::is_bool(n.dtype)) refuse(m, "has no running total of bools", "leave the dtype out");
  n.shape = x->shape;
  n.labels = x->labels;
  n.operands = {converted(m, x, n.dtype)};
  n.ints = {axis, exclusive ? 1 : 0};
  n.text = m.operation;
  n.place = m.place;
  return intern(std::move(n));
}

}  // namespace lathe::array
