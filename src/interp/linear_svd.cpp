// SPDX-License-Identifier: Apache-2.0
// Singular values and vectors: reflections from both sides leave two diagonals, implicitly shifted
// QR steps leave one. Matrices that are wider than high are turned first.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "interp/linear.h"

namespace lathe::interp::linear {
namespace {

constexpr int kRoundsEach = 60;  // per singular value; three are usual

template <class T>
struct Bidiagonal {
  std::vector<T> d, e;  // e[i] stands to the right of d[i]
  std::int64_t m = 0, n = 0;
  std::vector<T> left, right;  // rows: the columns of U and of V; empty when not wanted

  void turn_left(std::size_t i, std::size_t j, T c, T s) { turn(left, m, i, j, c, s); }
  void turn_right(std::size_t i, std::size_t j, T c, T s) { turn(right, n, i, j, c, s); }

 private:
  static void turn(std::vector<T>& rows, std::int64_t width, std::size_t i, std::size_t j, T c,
                   T s) {
    if (rows.empty()) return;
    rotate(rows.data() + static_cast<std::int64_t>(i) * width,
           rows.data() + static_cast<std::int64_t>(j) * width, width, c, s);
  }
};

template <class T>
std::vector<T> transposed(const T* a, std::int64_t rows, std::int64_t columns) {
  std::vector<T> out(static_cast<std::size_t>(rows * columns));
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      out[static_cast<std::size_t>(j * rows + i)] = a[i * columns + j];
  return out;
}

template <class T>
std::vector<T> identity(std::int64_t rows, std::int64_t columns) {
  std::vector<T> out(static_cast<std::size_t>(rows * columns));
  for (std::int64_t i = 0; i < std::min(rows, columns); ++i)
    out[static_cast<std::size_t>(i * columns + i)] = 1;
  return out;
}

// m >= n. `columns`: how many of U are wanted; 0: neither U nor V.
template <class T>
Bidiagonal<T> bidiagonal(std::int64_t m, std::int64_t n, std::vector<T>& full,
                         std::int64_t columns) {
  T* const a = full.data();
  Bidiagonal<T> out;
  out.m = m;
  out.n = n;
  std::vector<T> work(static_cast<std::size_t>(std::max(m, n))), from_left, from_right;
  std::vector<T> part;  // a reflection from the right
  for (std::int64_t k = 0; k < n; ++k) {
    T* const v = a + k * n + k;
    from_left.push_back(reflect(v, m - k, n));
    apply_reflection(v, n, m - k, from_left.back(), v + 1, n - k - 1, n, work.data());
    out.d.push_back(*v);
    if (k + 1 == n) break;
    const std::int64_t rest = n - k - 1, below = m - k - 1;
    from_right.push_back(reflect(v + 1, rest, 1));
    const T tau = from_right.back();
    out.e.push_back(v[1]);
    if (tau == 0) continue;
    part.assign(v + 1, v + 1 + rest);
    part[0] = 1;
    for (std::int64_t i = 0; i < below; ++i) {
      T* const row = a + (k + 1 + i) * n + k + 1;
      const T by = tau * dot(row, part.data(), rest);
      subtract_products(row, rest, &by, 1, part.data(), rest);
    }
  }
  if (columns == 0) return out;
  std::vector<T> u = identity<T>(m, columns), v = identity<T>(n, n);
  for (std::int64_t k = n; k-- > 0;)
    apply_reflection(a + k * n + k, n, m - k, from_left[static_cast<std::size_t>(k)],
                     u.data() + k * columns + k, columns - k, columns, work.data());
  for (std::int64_t k = n - 1; k-- > 0;)
    apply_reflection(a + k * n + k + 1, 1, n - k - 1, from_right[static_cast<std::size_t>(k)],
                     v.data() + (k + 1) * n + k + 1, n - k - 1, n, work.data());
  out.left = transposed(u.data(), m, columns);
  out.right = transposed(v.data(), n, n);
  return out;
}

// d[i] is zero: the element beside it moves to the right and out of the matrix.
template <class T>
void clear_row(Bidiagonal<T>& b, std::size_t i, std::size_t hi) {
  T f = b.e[i];
  b.e[i] = 0;
  for (std::size_t j = i + 1; j <= hi && f != 0; ++j) {
    const Turn<T> t(b.d[j], f);
    b.d[j] = t.r;
    if (j < hi) {
      f = -(t.s * b.e[j]);
      b.e[j] *= t.c;
    }
    b.turn_left(j, i, t.c, t.s);
  }
}

// d[hi] is zero: the element above it moves up and out of the matrix.
template <class T>
void clear_column(Bidiagonal<T>& b, std::size_t lo, std::size_t hi) {
  T f = b.e[hi - 1];
  b.e[hi - 1] = 0;
  for (std::size_t j = hi; j-- > lo && f != 0;) {
    const Turn<T> t(b.d[j], f);
    b.d[j] = t.r;
    if (j > lo) {
      f = -(t.s * b.e[j - 1]);
      b.e[j - 1] *= t.c;
    }
    b.turn_right(j, hi, t.c, t.s);
  }
}

// One step on lo..hi; the shift is the eigenvalue of the last 2 x 2 of B'B that is nearer its end.
template <class T>
void step(Bidiagonal<T>& b, std::size_t lo, std::size_t hi) {
  std::vector<T>&d = b.d, &e = b.e;
  const T above = hi - 1 > lo ? e[hi - 2] : T(0);
  const T first = d[hi - 1] * d[hi - 1] + above * above, beside = d[hi - 1] * e[hi - 1];
  const T last = d[hi] * d[hi] + e[hi - 1] * e[hi - 1];
  const T half = (first - last) / 2;
  T shift = last;
  if (beside != 0) {
    const T by = half + std::copysign(length(half, beside), half);
    shift = last - beside * (beside / by);
  }
  T y = d[lo] - shift / d[lo], z = e[lo];
  for (std::size_t k = lo; k < hi; ++k) {
    const Turn<T> right(y, z);
    if (k > lo) e[k - 1] = right.r;
    y = right.c * d[k] + right.s * e[k];
    e[k] = right.c * e[k] - right.s * d[k];
    z = right.s * d[k + 1];
    d[k + 1] *= right.c;
    b.turn_right(k, k + 1, right.c, right.s);
    const Turn<T> left(y, z);
    d[k] = left.r;
    y = left.c * e[k] + left.s * d[k + 1];
    d[k + 1] = left.c * d[k + 1] - left.s * e[k];
    if (k + 1 < hi) {
      z = left.s * e[k + 1];
      e[k + 1] *= left.c;
    }
    b.turn_left(k, k + 1, left.c, left.s);
  }
  e[hi - 1] = y;
}

template <class T>
bool diagonalise(Bidiagonal<T>& b) {
  const T eps = std::numeric_limits<T>::epsilon();
  T norm = 0;
  for (std::size_t i = 0; i < b.d.size(); ++i)
    norm = std::max(norm, std::fabs(b.d[i]) + (i < b.e.size() ? std::fabs(b.e[i]) : T(0)));
  std::size_t rounds = kRoundsEach * b.d.size();
  for (std::size_t hi = b.d.empty() ? 0 : b.d.size() - 1; hi > 0;) {
    stop_if_asked();
    for (std::size_t i = 0; i < hi; ++i)
      if (std::fabs(b.e[i]) <= eps * (std::fabs(b.d[i]) + std::fabs(b.d[i + 1]))) b.e[i] = 0;
    if (b.e[hi - 1] == 0) {
      --hi;
      continue;
    }
    if (rounds-- == 0) return false;
    std::size_t lo = hi - 1;
    while (lo > 0 && b.e[lo - 1] != 0) --lo;
    std::size_t zero = lo;
    while (zero <= hi && !(std::fabs(b.d[zero]) <= eps * norm)) ++zero;
    if (zero > hi) {
      step(b, lo, hi);
      continue;
    }
    b.d[zero] = 0;
    if (zero < hi)
      clear_row(b, zero, hi);
    else
      clear_column(b, lo, hi);
  }
  // Of a last value that is not a number nothing was asked.
  return std::all_of(b.d.begin(), b.d.end(), [](T x) { return std::isfinite(x); });
}

}  // namespace

template <class T>
LinearFault svd(std::int64_t m, std::int64_t n, bool full, const T* given, T* u, T* s, T* vt) {
  if (m < n) {
    // A = U S V' is A' = V S U'.
    const std::vector<T> turned = transposed(given, m, n);
    if (!u) return svd<T>(n, m, full, turned.data(), nullptr, s, nullptr);
    const std::int64_t columns = full ? n : m;
    std::vector<T> left(static_cast<std::size_t>(n * columns)),
        right(static_cast<std::size_t>(m * m));
    const LinearFault fault = svd<T>(n, m, full, turned.data(), left.data(), s, right.data());
    const std::vector<T> v = transposed(left.data(), n, columns),
                         w = transposed(right.data(), m, m);
    std::copy(v.begin(), v.end(), vt);
    std::copy(w.begin(), w.end(), u);
    return fault;
  }
  std::vector<T> a(given, given + m * n);
  const T unit = power_near(a.data(), m * n);
  for (T& x : a) x /= unit;
  const std::int64_t columns = full ? m : n;
  Bidiagonal<T> b = bidiagonal(m, n, a, u ? columns : 0);
  if (!diagonalise(b)) return LinearFault::NotConverged;
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t x, std::int64_t y) {
    return std::fabs(b.d[static_cast<std::size_t>(x)]) >
           std::fabs(b.d[static_cast<std::size_t>(y)]);
  });
  for (std::int64_t k = 0; k < n; ++k) {
    const std::int64_t from = order[static_cast<std::size_t>(k)];
    const T value = b.d[static_cast<std::size_t>(from)];
    s[k] = std::fabs(value) * unit;
    if (!u) continue;
    for (std::int64_t i = 0; i < m; ++i)
      u[i * columns + k] = b.left[static_cast<std::size_t>(from * m + i)];
    for (std::int64_t j = 0; j < n; ++j) {
      const T x = b.right[static_cast<std::size_t>(from * n + j)];
      vt[k * n + j] = value < 0 ? -x : x;
    }
  }
  if (u)
    for (std::int64_t k = n; k < columns; ++k)
      for (std::int64_t i = 0; i < m; ++i)
        u[i * columns + k] = b.left[static_cast<std::size_t>(k * m + i)];
  return LinearFault::None;
}

template LinearFault svd(std::int64_t, std::int64_t, bool, const float*, float*, float*, float*);
template LinearFault svd(std::int64_t, std::int64_t, bool, const double*, double*, double*,
                         double*);

}  // namespace lathe::interp::linear
