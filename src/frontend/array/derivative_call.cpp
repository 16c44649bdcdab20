// SPDX-License-Identifier: Apache-2.0
// Derivatives of calls: sorting moves elements, and linear algebra has formulas (Giles, Collected
// matrix derivative results, 2008; Townsend, Differentiating the SVD, 2016). Factors of symmetric
// matrices have symmetric derivatives. Equal eigenvalues or singular values have none: infinities.

#include "frontend/array/derivative.h"
#include "frontend/array/derivative_formula.h"

namespace lathe::array {
namespace {

F turned(const F& a) {
  Axes order;
  for (std::size_t i = 0; i < a.rank(); ++i) order.push_back(static_cast<int>(i));
  std::swap(order[a.rank() - 2], order[a.rank() - 1]);
  return {a.m, permute(*a.m, a.x, order)};
}
F times(const F& a, const F& b) { return {a.m, matmul(*a.m, a.x, b.x)}; }
F solved(const F& a, const F& b) {
  return {a.m, call(*a.m, "solve", {a.x, b.x}, a.x->dtype, b.x->shape)};
}
F named(const F& a, const char* name, std::vector<std::int64_t> ints = {}) {
  Request r;
  r.name = name;
  r.operands = {a.x};
  r.ints = std::move(ints);
  r.place = a.m->place;
  return {a.m, apply(r)};
}
F inverse(const F& a, std::int64_t what_for) {
  const Dim& n = a.shape().back();
  Shape shape = a.shape();
  const F same{a.m, binary_of(*a.m, "equal", axis_index(*a.m, n, 0, 2), iota(n, a.m->place))};
  const NodeRef one = broadcast_to(*a.m, cast(same.x, a.x->dtype, a.m->place), shape);
  return {a.m, call(*a.m, "solve", {a.x, one}, a.x->dtype, shape, {what_for})};
}
// With one more axis at the end, or before the last.
F as_column(const F& a) { return {a.m, expand_dims(*a.m, a.x, {static_cast<int>(a.rank())})}; }
F as_row(const F& a) { return {a.m, expand_dims(*a.m, a.x, {static_cast<int>(a.rank()) - 1})}; }

// Elements from `begin` on of the last axis, in that shape: what a call packed
// (compose_linear.cpp).
F part(const F& flat, const Dim& begin, const Shape& shape) {
  std::vector<AxisView> axes(flat.rank());
  for (std::size_t a = 0; a < axes.size(); ++a) axes[a].from = static_cast<int>(a);
  axes.back().start = begin;
  Shape cut = flat.shape();
  cut.back() = Dim(1);
  for (std::size_t a = flat.rank() - 1; a < shape.size(); ++a) cut.back() = cut.back() * shape[a];
  return {flat.m, reshape(*flat.m, view(*flat.m, flat.x, axes, cut), shape)};
}
Shape with(const F& matrix, std::initializer_list<Dim> rest) {
  Shape out(matrix.shape().begin(), matrix.shape().end() - 2);
  out.insert(out.end(), rest);
  return out;
}

// 1 / (w[j] - w[i]), and 0 on the diagonal.
F inverse_gaps(const F& w) {
  const Dim& n = w.shape().back();
  const F same{w.m, binary_of(*w.m, "equal", axis_index(*w.m, n, 0, 2), iota(n, w.m->place))};
  const F apart = as_row(w) - as_column(w);
  return choose(same, num(w, 0), num(w, 1) / choose(same, num(w, 1), apart));
}
F diagonal_matrix(const F& w) {
  const Dim& n = w.shape().back();
  const F same{w.m, binary_of(*w.m, "equal", axis_index(*w.m, n, 0, 2), iota(n, w.m->place))};
  return choose(same, as_row(w), num(w, 0));
}

F of_sort(const F& x, const F& g) {
  const Maker& m = *x.m;
  const F plain = x + num(x, 0);  // both zeros are equal
  const NodeRef order = call(m, "argsort", {plain.x}, ir::DType::I64, x.shape());
  const NodeRef back = call(m, "argsort", {order}, ir::DType::I64, x.shape());
  Request r;
  r.name = "take_along_axis";
  r.operands = {g.x, back};
  r.ints = {-1};
  r.place = m.place;
  return {x.m, apply(r)};
}

F of_cholesky(const F& l, const F& g) {
  const F inner = named(times(turned(l), g), "tril");
  const Dim& n = l.shape().back();
  const F same{l.m, binary_of(*l.m, "equal", axis_index(*l.m, n, 0, 2), iota(n, l.m->place))};
  const F halved = choose(same, inner * num(l, 0.5), inner);
  // l^-T halved l^-1
  const F left = solved(turned(l), halved);
  const F whole = turned(solved(turned(l), turned(left)));
  return (whole + turned(whole)) * num(l, 0.5);
}

// The cofactors c are det(a) a^-T, and so the derivative is (sum(c g) c - c g' c) / det(a): here in
// terms of the inverse, which knows what to say where there is none.
F of_cofactors(const F& a, const F& c, const F& g) {
  const F turned_inverse = turned(inverse(a, kSolvesForDet));
  ReduceHow matrix;
  matrix.axes = Axes{static_cast<int>(a.rank()) - 2, static_cast<int>(a.rank()) - 1};
  matrix.keepdims = true;
  const F along{a.m, reduction(*a.m, "sum", (c * g).x, matrix)};
  return along * turned_inverse - times(times(c, turned(g)), turned_inverse);
}

F of_eigh(const F& a, const F& both, const F& g) {
  const Dim& n = a.shape().back();
  const F w = part(both, Dim(0), with(a, {n})), v = part(both, n, with(a, {n, n}));
  const F gw = part(g, Dim(0), with(a, {n})), gv = part(g, n, with(a, {n, n}));
  const F inner = diagonal_matrix(gw) + inverse_gaps(w) * times(turned(v), gv);
  const F whole = times(times(v, inner), turned(v));
  return (whole + turned(whole)) * num(a, 0.5);
}

F of_eigvalsh(const F& a, const F& g) {
  const F v = named(a, "eigh", {1});
  return times(v * as_row(g), turned(v));
}

F of_qr(const F& a, const F& both, const F& g) {
  const Dim rows = a.shape()[a.rank() - 2], columns = a.shape().back(), k = min(rows, columns);
  const auto tall = known_value(rows), wide = known_value(columns);
  if (!(k == columns) && !(tall && wide && *tall >= *wide) && !(rows == columns))
    refuse(
        *a.m,
        "the derivative of qr needs matrices that are not wider than high, not " + describe(*a.x),
        "use sizes that say so, as n and n + m");
  const F q = part(both, Dim(0), with(a, {rows, k})),
          r = part(both, rows * k, with(a, {k, columns}));
  const F gq = part(g, Dim(0), with(a, {rows, k})), gr = part(g, rows * k, with(a, {k, columns}));
  const F m = times(r, turned(gr)) - times(turned(gq), q);
  const F lower = named(m, "tril") + turned(named(m, "tril", {-1}));
  // (gq + q lower) r^-T
  return turned(solved(r, turned(gq + times(q, lower))));
}

F of_svd(const F& a, const F& all, const F& g) {
  const Dim rows = a.shape()[a.rank() - 2], columns = a.shape().back(), k = min(rows, columns);
  const auto parts = [&](const F& flat) {
    return std::vector<F>{part(flat, Dim(0), with(a, {k})), part(flat, k, with(a, {rows, k})),
                          turned(part(flat, k + rows * k, with(a, {k, columns})))};
  };
  const std::vector<F> value = parts(all), passed = parts(g);
  const F &s = value[0], &u = value[1], &v = value[2];
  const F &gs = passed[0], &gu = passed[1], &gv = passed[2];
  const F gaps = inverse_gaps(s * s);
  const F of_u = times(turned(u), gu), of_v = times(turned(v), gv);
  const F inner = diagonal_matrix(gs) + gaps * (of_u - turned(of_u)) * as_row(s) +
                  as_column(s) * (gaps * (of_v - turned(of_v)));
  const F square = times(times(u, inner), turned(v));
  // What the vectors do outside of the space that they span.
  const F left = (gu - times(u, of_u)) / as_row(s), right = (gv - times(v, of_v)) / as_row(s);
  return square + times(left, turned(v)) + times(u, turned(right));
}

F of_svdvals(const F& a, const F& g) {
  const F u = named(a, "svd", {0, 0}), vh = named(a, "svd", {2, 0});
  return times(u * as_row(g), vh);
}

}  // namespace

Nodes call_adjoints(const Maker& m, const NodeRef& node, const NodeRef& adjoint) {
  const F a{&m, node->operands[0]}, y{&m, node}, g{&m, adjoint};
  const std::string& name = node->text;
  if (name == "sort") return {of_sort(a, g).x};
  if (name == "solve") {
    const F to_b = solved(turned(a), g);
    return {(-times(to_b, turned(y))).x, to_b.x};
  }
  if (name == "det") {
    const F slopes{&m, call(m, "cofactors", {a.x}, a.x->dtype, a.shape())};
    return {(as_column(as_column(g)) * slopes).x};
  }
  if (name == "cofactors") return {of_cofactors(a, y, g).x};
  if (name == "slogdet") {
    Shape batch = g.shape();
    batch.pop_back();
    const F to_log = part(g, Dim(1), batch);
    return {(as_column(as_column(to_log)) * turned(inverse(a, kSolvesForSlogdet))).x};
  }
  if (name == "strict_cholesky") return {of_cholesky(y, g).x};
  if (name == "eigh") return {of_eigh(a, y, g).x};
  if (name == "eigvalsh") return {of_eigvalsh(a, g).x};
  if (name == "qr") return {of_qr(a, y, g).x};
  if (name == "svd") return {of_svd(a, y, g).x};
  if (name == "svdvals") return {of_svdvals(a, g).x};
  const bool whole = name == "svd_full" || name == "qr_complete";
  refuse(m, "the derivative of " + name + " is not there",
         whole ? "take the reduced matrices" : "");
}

}  // namespace lathe::array
