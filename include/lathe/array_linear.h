// SPDX-License-Identifier: Apache-2.0
#pragma once
// Linear algebra on the last two axes; the others are batches. f32 and f64, integers become f64.
// Include lathe/array.h.

#include "lathe/array.h"

namespace lathe {
inline namespace v0 {

inline Array matrix_transpose(const Operand& x) { return detail::one("matrix_transpose", x); }
// The vector product along an axis of length 3.
inline Array cross(const Operand& a, const Operand& b, std::int64_t axis = -1) {
  return detail::Apply("cross", a.here()).with({a.get(), b.get()}).ints({axis}).make();
}
// a x = b. One axis of b: a vector.
inline Array solve(const Operand& a, const Operand& b) { return detail::two("solve", a, b); }
inline Array inv(const Operand& a) { return detail::one("inv", a); }
inline Array det(const Operand& a) { return detail::one("det", a); }
// The lower factor, or the upper one.
enum class Triangle { Lower, Upper };
inline Array cholesky(const Operand& x, Triangle which = Triangle::Lower) {
  return detail::Apply("cholesky", x.here())
      .with({x.get()})
      .ints({which == Triangle::Upper ? 1 : 0})
      .make();
}
inline Array matrix_power(const Operand& a, std::int64_t power) {
  return detail::Apply("matrix_power", a.here()).with({a.get()}).ints({power}).make();
}

namespace detail {
inline Array part_of(const char* name, const Operand& a, std::int64_t which, std::int64_t how) {
  return Apply(name, a.here()).with({a.get()}).ints({which, how}).make();
}
}  // namespace detail

struct SlogdetArrays {
  Array sign, logabsdet;
};
inline SlogdetArrays slogdet(const Operand& a) {
  return {detail::part_of("slogdet", a, 0, 0), detail::part_of("slogdet", a, 1, 0)};
}
struct QrArrays {
  Array q, r;
};
enum class QrMode { Reduced, Complete };
inline QrArrays qr(const Operand& a, QrMode mode = QrMode::Reduced) {
  const std::int64_t how = mode == QrMode::Complete ? 1 : 0;
  return {detail::part_of("qr", a, 0, how), detail::part_of("qr", a, 1, how)};
}
// Of symmetric matrices, of which the lower triangle is read. Ascending; vectors are columns.
struct EighArrays {
  Array values, vectors;
};
inline EighArrays eigh(const Operand& a) {
  return {detail::part_of("eigh", a, 0, 0), detail::part_of("eigh", a, 1, 0)};
}
inline Array eigvalsh(const Operand& a) { return detail::one("eigvalsh", a); }
struct SvdArrays {
  Array u, s, vh;
};
inline SvdArrays svd(const Operand& a, bool full_matrices = true) {
  const std::int64_t how = full_matrices ? 1 : 0;
  return {detail::part_of("svd", a, 0, how), detail::part_of("svd", a, 1, how),
          detail::part_of("svd", a, 2, how)};
}
inline Array svdvals(const Operand& a) { return detail::one("svdvals", a); }
// Singular values up to the tolerance (relative to the largest; without one: n eps) count as zero.
inline Array pinv(const Operand& a) { return detail::one("pinv", a); }
inline Array pinv(const Operand& a, double tolerance) {
  return detail::Apply("pinv", a.here()).with({a.get()}).reals({tolerance}).make();
}
inline Array matrix_rank(const Operand& a) { return detail::one("matrix_rank", a); }
inline Array matrix_rank(const Operand& a, double tolerance) {
  return detail::Apply("matrix_rank", a.here()).with({a.get()}).reals({tolerance}).make();
}

// Any order, also infinities and 0; over one, several or all axes.
inline Array vector_norm(const Operand& x, double order = 2, const std::vector<int>& axes = {},
                         bool keepdims = false) {
  std::vector<std::int64_t> ints{0, keepdims ? 1 : 0};
  ints.insert(ints.end(), axes.begin(), axes.end());
  return detail::Apply("vector_norm", x.here())
      .with({x.get()})
      .ints(std::move(ints))
      .reals({order})
      .make();
}
// "fro" or "nuc".
inline Array matrix_norm(const Operand& x, const char* order = "fro", bool keepdims = false) {
  return detail::Apply("matrix_norm", x.here())
      .with({x.get()})
      .ints({keepdims ? 1 : 0})
      .text(order)
      .make();
}
// 1, 2, an infinity, and their negatives.
inline Array matrix_norm(const Operand& x, double order, bool keepdims = false) {
  return detail::Apply("matrix_norm", x.here())
      .with({x.get()})
      .ints({keepdims ? 1 : 0})
      .reals({order})
      .make();
}

}  // namespace v0
}  // namespace lathe
