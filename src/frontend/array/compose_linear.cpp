// SPDX-License-Identifier: Apache-2.0
// Linear algebra on the last two axes, the others are batches. Calls give one array; where a
// function has several results they lie one after the other, and each is a view:
//
//   eigh of (b, n, n)   ->   call (b, n + n * n)   ->   values (b, n), vectors (b, n, n)

#include "frontend/array/compose.h"

namespace lathe::array {
namespace {

using ir::DType;

NodeRef matrix(const Maker& m, NodeRef x, bool square) {
  if (x->rank() < 2) refuse(m, "takes matrices, not " + describe(*x));
  if (ir::is_half(x->dtype))
    refuse(m, "takes f32 or f64, not " + std::string(ir::name(x->dtype)),
           "convert with astype first", ErrorKind::DType);
  if (!ir::is_float(x->dtype)) x = cast(x, DType::F64, m.place);
  if (!square) return x;
  const Dim &rows = x->shape[x->rank() - 2], &columns = x->shape[x->rank() - 1];
  if (rows == columns) return x;
  const auto v = known_value(rows), w = known_value(columns);
  if ((v && w && *v != *w) || compare(rows, columns) == Answer::No)
    refuse(m, "takes square matrices, not " + describe(*x));
  // Told before the launch if they differ.
  std::vector<AxisView> same(x->rank());
  for (std::size_t a = 0; a < same.size(); ++a) same[a].from = static_cast<int>(a);
  Shape shape = x->shape;
  shape.back() = rows;
  return view(m, x, same, shape,
              {{Condition::Rule::Equal, rows, columns, static_cast<int>(x->rank()) - 1}});
}

Shape batch_of(const Node& x) { return Shape(x.shape.begin(), x.shape.end() - 2); }
Shape joined(Shape batch, std::initializer_list<Dim> rest) {
  batch.insert(batch.end(), rest);
  return batch;
}

// Elements begin..begin + count of the last axis, in that shape.
NodeRef part(const Maker& m, const NodeRef& flat, const Dim& begin, const Shape& shape) {
  std::vector<AxisView> axes(flat->rank());
  for (std::size_t a = 0; a < axes.size(); ++a) axes[a].from = static_cast<int>(a);
  axes.back().start = begin;
  Shape cut = flat->shape;
  cut.back() = Dim(1);
  for (std::size_t a = flat->rank() - 1; a < shape.size(); ++a) cut.back() = cut.back() * shape[a];
  return reshape(m, view(m, flat, axes, cut), shape);
}

// Batches of x spread over those of another array, and that other array's over x's.
NodeRef spread_batches(const Maker& m, const NodeRef& x, const Node& other) {
  const NodeRef yes = broadcast_to(m, constant(ir::Scalar::of_bool(true)),
                                   joined(batch_of(other), {Dim(1), Dim(1)}));
  if (batch_of(*x) == batch_of(other)) return x;
  return map(m, ir::Op::Select, x->dtype, {yes, x, x});
}

NodeRef make_solve(const Maker& m, const Request& r) {
  NodeRef a = matrix(m, given_operand(m, r, 0), true), b = given_operand(m, r, 1);
  if (b->rank() == 0) refuse(m, "takes arrays with axes as right sides, not " + describe(*b));
  const bool vector = b->rank() == 1;
  if (vector) b = expand_dims(m, b, {1});
  b = matrix(m, b, false);
  const DType t = ir::promote(a->dtype, b->dtype);
  a = cast(a, t, m.place);
  b = cast(b, t, m.place);
  const Dim &n = a->shape.back(), &rows = b->shape[b->rank() - 2];
  const auto v = known_value(n), w = known_value(rows);
  if ((v && w && *v != *w) || compare(n, rows) == Answer::No)
    refuse(m, "the matrix " + describe(*a) + " has " + to_text(n) + " rows, the right side " +
                  describe(*b) + " has " + to_text(rows));
  Shape fitting = b->shape;
  fitting[b->rank() - 2] = n;
  b = broadcast_to(m, b, fitting);
  const NodeRef wide_a = spread_batches(m, a, *b), wide_b = spread_batches(m, b, *a);
  const NodeRef x = call(m, "solve", {wide_a, wide_b}, t, wide_b->shape);
  return vector ? squeeze(m, x, {static_cast<int>(x->rank()) - 1}) : x;
}

NodeRef identity(const Maker& m, const NodeRef& like) {
  Request eye;
  eye.name = "eye";
  eye.dims = {like->shape.back(), like->shape.back()};
  eye.dtype = like->dtype;
  eye.place = m.place;
  return broadcast_to(m, apply(eye), like->shape);
}

// Messages say inv, where it is not the user who wrote solve.
NodeRef inverse(const Maker& m, const NodeRef& a) {
  return call(m, "solve", {a, identity(m, a)}, a->dtype, a->shape, {kSolvesForInverse});
}
NodeRef make_inv(const Maker& m, const Request& r) {
  return inverse(m, matrix(m, given_operand(m, r, 0), true));
}

NodeRef make_det(const Maker& m, const Request& r) {
  const NodeRef a = matrix(m, given_operand(m, r, 0), true);
  return call(m, "det", {a}, a->dtype, batch_of(*a));
}

// ints: 0 the sign, 1 the logarithm.
NodeRef make_slogdet(const Maker& m, const Request& r) {
  const NodeRef a = matrix(m, given_operand(m, r, 0), true);
  const NodeRef both = call(m, "slogdet", {a}, a->dtype, joined(batch_of(*a), {Dim(2)}));
  return part(m, both, Dim(given_int(r, 0) != 0 ? 1 : 0), batch_of(*a));
}

// ints: 1 for the upper factor.
NodeRef make_cholesky(const Maker& m, const Request& r) {
  const bool upper = given_int(r, 0) != 0;
  const auto turned = [&](const NodeRef& x) {
    Request t;
    t.name = "matrix_transpose";
    t.operands = {x};
    t.place = m.place;
    return apply(t);
  };
  NodeRef a = matrix(m, given_operand(m, r, 0), true);
  if (upper) a = turned(a);
  const NodeRef l = call(m, "strict_cholesky", {a}, a->dtype, a->shape);
  return upper ? turned(l) : l;
}

// ints: 0 for q, 1 for r; 1 for complete ones.
NodeRef make_qr(const Maker& m, const Request& r) {
  const NodeRef a = matrix(m, given_operand(m, r, 0), false);
  const Dim &rows = a->shape[a->rank() - 2], &columns = a->shape.back();
  const bool complete = given_int(r, 1) != 0;
  const Dim k = complete ? rows : min(rows, columns);
  const NodeRef both = call(m, complete ? "qr_complete" : "qr", {a}, a->dtype,
                            joined(batch_of(*a), {rows * k + k * columns}));
  return given_int(r, 0) == 0 ? part(m, both, Dim(0), joined(batch_of(*a), {rows, k}))
                              : part(m, both, rows * k, joined(batch_of(*a), {k, columns}));
}

// ints: 0 for the values, 1 for the vectors.
NodeRef make_eigh(const Maker& m, const Request& r) {
  const NodeRef a = matrix(m, given_operand(m, r, 0), true);
  const Dim& n = a->shape.back();
  const NodeRef both = call(m, "eigh", {a}, a->dtype, joined(batch_of(*a), {n + n * n}));
  return given_int(r, 0) == 0 ? part(m, both, Dim(0), joined(batch_of(*a), {n}))
                              : part(m, both, n, joined(batch_of(*a), {n, n}));
}
NodeRef make_eigvalsh(const Maker& m, const Request& r) {
  const NodeRef a = matrix(m, given_operand(m, r, 0), true);
  return call(m, "eigvalsh", {a}, a->dtype, joined(batch_of(*a), {a->shape.back()}));
}

struct Svd {
  NodeRef u, s, vt;
};
Svd svd_of(const Maker& m, const NodeRef& a, bool full) {
  const Dim rows = a->shape[a->rank() - 2], columns = a->shape.back(), k = min(rows, columns);
  const Dim of_u = full ? rows : k, of_vt = full ? columns : k;
  const Shape batch = batch_of(*a);
  const NodeRef all = call(m, full ? "svd_full" : "svd", {a}, a->dtype,
                           joined(batch, {k + rows * of_u + of_vt * columns}));
  return {part(m, all, k, joined(batch, {rows, of_u})), part(m, all, Dim(0), joined(batch, {k})),
          part(m, all, k + rows * of_u, joined(batch, {of_vt, columns}))};
}

// ints: 0 for u, 1 for s, 2 for vh; 1 for full matrices.
NodeRef make_svd(const Maker& m, const Request& r) {
  const Svd all = svd_of(m, matrix(m, given_operand(m, r, 0), false), given_int(r, 1, 1) != 0);
  return given_int(r, 0) == 0 ? all.u : given_int(r, 0) == 1 ? all.s : all.vt;
}
NodeRef make_svdvals(const Maker& m, const Request& r) {
  const NodeRef a = matrix(m, given_operand(m, r, 0), false);
  return call(m, "svdvals", {a}, a->dtype,
              joined(batch_of(*a), {min(a->shape[a->rank() - 2], a->shape.back())}));
}

// Values above the tolerance: the largest times reals[0], or times n eps.
NodeRef counting(const Maker& m, const Request& r, const NodeRef& a, const NodeRef& s) {
  NodeRef share;
  if (!r.reals.empty()) {
    share = real(r.reals[0]);
  } else {
    const double eps = a->dtype == DType::F32 ? 0x1p-23 : 0x1p-52;
    const Dim longest = max(a->shape[a->rank() - 2], a->shape.back());
    share =
        binary_of(m, "multiply", cast(size_value(longest, m.place), a->dtype, m.place), real(eps));
  }
  ReduceHow last;
  last.axes = Axes{static_cast<int>(s->rank()) - 1};
  last.keepdims = true;
  // Without values there is nothing above: the largest of nothing and 0.
  const NodeRef zero =
      broadcast_to(m, constant(ir::Scalar::of_int(a->dtype, 0)), joined(batch_of(*a), {Dim(1)}));
  const NodeRef some = concatenate(m, {s, zero}, static_cast<int>(s->rank()) - 1);
  const NodeRef largest = reduction(m, "max", some, last);
  return binary_of(m, "greater", s,
                   binary_of(m, "multiply", largest, cast(share, a->dtype, m.place)));
}

NodeRef make_pinv(const Maker& m, const Request& r) {
  const NodeRef a = matrix(m, given_operand(m, r, 0), false);
  const Svd all = svd_of(m, a, false);
  const NodeRef zero = constant(ir::Scalar::of_int(a->dtype, 0));
  const NodeRef inverted = elementwise(
      m, "where", {counting(m, r, a, all.s), binary_of(m, "divide", real(1), all.s), zero});
  const auto turned = [&](const NodeRef& x) {
    Axes order;
    for (std::size_t i = 0; i < x->rank(); ++i) order.push_back(static_cast<int>(i));
    std::swap(order[x->rank() - 2], order[x->rank() - 1]);
    return permute(m, x, order);
  };
  const NodeRef wide = expand_dims(m, inverted, {static_cast<int>(inverted->rank()) - 1});
  return matmul(m, binary_of(m, "multiply", turned(all.vt), wide), turned(all.u));
}

NodeRef make_matrix_rank(const Maker& m, const Request& r) {
  const NodeRef a = matrix(m, given_operand(m, r, 0), false);
  Request values;
  values.operands = {a};
  ReduceHow last;
  last.axes = Axes{static_cast<int>(a->rank()) - 2};
  return reduction(m, "count_nonzero", counting(m, r, a, make_svdvals(m, values)), last);
}

// ints: the power.
NodeRef make_matrix_power(const Maker& m, const Request& r) {
  NodeRef a = given_operand(m, r, 0);
  const std::int64_t power = given_int(r, 0, 1);
  if (a->rank() < 2) refuse(m, "takes matrices, not " + describe(*a));
  if (power < 0 || ir::is_float(a->dtype))
    a = ir::is_half(a->dtype) && power >= 0 ? a : matrix(m, a, true);
  if (compare(a->shape[a->rank() - 2], a->shape.back()) == Answer::No)
    refuse(m, "takes square matrices, not " + describe(*a));
  if (power == 0) return identity(m, a);
  if (power < 0) a = inverse(m, a);
  NodeRef out;
  std::uint64_t rest =
      power < 0 ? 0 - static_cast<std::uint64_t>(power) : static_cast<std::uint64_t>(power);
  for (; rest != 0; rest >>= 1) {
    if ((rest & 1) != 0) out = out ? matmul(m, out, a) : a;
    if (rest > 1) a = matmul(m, a, a);
  }
  return out;
}

}  // namespace

void add_linear(std::vector<Composed>& out) {
  out.push_back({"solve", make_solve});
  out.push_back({"inv", make_inv});
  out.push_back({"det", make_det});
  out.push_back({"slogdet", make_slogdet});
  out.push_back({"cholesky", make_cholesky});
  out.push_back({"qr", make_qr});
  out.push_back({"eigh", make_eigh});
  out.push_back({"eigvalsh", make_eigvalsh});
  out.push_back({"svd", make_svd});
  out.push_back({"svdvals", make_svdvals});
  out.push_back({"pinv", make_pinv});
  out.push_back({"matrix_rank", make_matrix_rank});
  out.push_back({"matrix_power", make_matrix_power});
}

}  // namespace lathe::array
