// SPDX-License-Identifier: Apache-2.0
// Eigenvalues and eigenvectors of symmetric matrices (the lower triangle is read): reflections
// leave two diagonals, implicitly shifted QL steps leave one.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "interp/linear.h"

namespace lathe::interp::linear {
namespace {

constexpr int kRounds = 60;  // per eigenvalue; three are usual

// The matrix as two diagonals; rows of `turned` (n x n, or null) are the axes of the new basis.
template <class T>
struct Tridiagonal {
  std::vector<T> d, e;  // e[i] stands between d[i] and d[i + 1]
};

template <class T>
Tridiagonal<T> reduce(std::int64_t n, std::vector<T>& full, T* turned) {
  T* const a = full.data();
  const auto at = [](std::vector<T>& v, std::int64_t i) -> T& {
    return v[static_cast<std::size_t>(i)];
  };
  std::vector<T> taus(static_cast<std::size_t>(n)), v(static_cast<std::size_t>(n)),
      p(static_cast<std::size_t>(n)), minus_v(static_cast<std::size_t>(n));
  for (std::int64_t k = 0; k + 2 < n; ++k) {
    stop_if_asked();
    const std::int64_t rest = n - k - 1;
    T* const below = a + (k + 1) * n + k;  // the column under the diagonal
    const T tau = at(taus, k) = reflect(below, rest, n);
    if (tau == 0) continue;
    for (std::int64_t i = 0; i < rest; ++i) at(v, i) = i == 0 ? T(1) : below[i * n];
    // The rest B becomes B - v w' - w v' with p = tau B v and w = p - (tau p'v / 2) v.
    T* const inner = a + (k + 1) * n + k + 1;
    std::fill(p.begin(), p.end(), T(0));
    for (std::int64_t i = 0; i < rest; ++i) at(minus_v, i) = -(tau * at(v, i));
    subtract_products(p.data(), rest, minus_v.data(), rest, inner, n);
    T dot = 0;
    for (std::int64_t i = 0; i < rest; ++i) dot += at(p, i) * at(v, i);
    const T half = tau * dot / 2;
    subtract_products(p.data(), rest, &half, 1, v.data(), n);
    for (std::int64_t i = 0; i < rest; ++i) {
      const T vi = at(v, i), wi = at(p, i);
      subtract_products(inner + i * n, rest, &vi, 1, p.data(), n);
      subtract_products(inner + i * n, rest, &wi, 1, v.data(), n);
    }
  }
  Tridiagonal<T> out;
  for (std::int64_t i = 0; i < n; ++i) {
    out.d.push_back(a[i * n + i]);
    if (i + 1 < n) out.e.push_back(a[(i + 1) * n + i]);
  }
  if (!turned) return out;
  for (std::int64_t i = 0; i < n * n; ++i) turned[i] = i % (n + 1) == 0 ? T(1) : T(0);
  // The product of all reflections, which is found from the last one on; transposed at the end.
  for (std::int64_t k = n - 2; k-- > 0;)
    apply_reflection(a + (k + 1) * n + k, n, n - k - 1, at(taus, k), turned + (k + 1) * n + k + 1,
                     n - k - 1, n, p.data());
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < i; ++j) std::swap(turned[i * n + j], turned[j * n + i]);
  return out;
}

// One QL step on lo..hi, from the bottom to the top.
template <class T>
void step(Tridiagonal<T>& t, std::size_t lo, std::size_t hi, T* turned, std::int64_t n) {
  std::vector<T>&d = t.d, &e = t.e;
  T g = (d[lo + 1] - d[lo]) / (2 * e[lo]);
  g = d[hi] - d[lo] + e[lo] / (g + std::copysign(length(g, T(1)), g));
  T s = 1, c = 1, p = 0;
  for (std::size_t i = hi; i-- > lo;) {
    const T f = s * e[i], b = c * e[i];
    const Turn<T> turn(g, f);
    if (i + 1 < hi) e[i + 1] = turn.r;
    if (turn.r == 0) {  // underflow: the matrix falls apart here
      d[i + 1] -= p;
      if (hi < e.size()) e[hi] = 0;
      return;
    }
    s = turn.s;
    c = turn.c;
    g = d[i + 1] - p;
    const T u = (d[i] - g) * s + 2 * c * b;
    p = s * u;
    d[i + 1] = g + p;
    g = c * u - b;
    if (turned)
      rotate(turned + static_cast<std::int64_t>(i + 1) * n,
             turned + static_cast<std::int64_t>(i) * n, n, c, s);
  }
  d[lo] -= p;
  e[lo] = g;
}

template <class T>
bool diagonalise(Tridiagonal<T>& t, T* turned, std::int64_t n) {
  const T eps = std::numeric_limits<T>::epsilon();
  // What is small beside the whole matrix was lost when it was reduced.
  T norm = 0;
  for (std::size_t i = 0; i < t.d.size(); ++i)
    norm = std::max(norm, std::fabs(t.d[i]) + (i < t.e.size() ? std::fabs(t.e[i]) : T(0)));
  for (std::size_t lo = 0; lo < t.d.size(); ++lo) {
    for (int round = 0;; ++round) {
      stop_if_asked();
      std::size_t hi = lo;
      while (hi < t.e.size() && !(std::fabs(t.e[hi]) <= eps * norm / 4)) ++hi;
      if (hi == lo) break;
      if (round == kRounds) return false;
      step(t, lo, hi, turned, n);
      if (hi < t.e.size()) t.e[hi] = 0;
    }
  }
  return true;
}

}  // namespace

template <class T>
LinearFault eigen(std::int64_t n, const T* given, T* values, T* vectors) {
  std::vector<T> a(static_cast<std::size_t>(n * n)), turned;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j <= i; ++j)
      a[static_cast<std::size_t>(i * n + j)] = a[static_cast<std::size_t>(j * n + i)] =
          given[i * n + j];
  const T unit = power_near(a.data(), n * n);
  for (T& x : a) x /= unit;
  if (vectors) turned.resize(static_cast<std::size_t>(n * n));
  Tridiagonal<T> t = reduce(n, a, vectors ? turned.data() : nullptr);
  if (!diagonalise(t, vectors ? turned.data() : nullptr, n)) return LinearFault::NotConverged;
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t x, std::int64_t y) {
    return t.d[static_cast<std::size_t>(x)] < t.d[static_cast<std::size_t>(y)];
  });
  for (std::int64_t j = 0; j < n; ++j) {
    const std::int64_t from = order[static_cast<std::size_t>(j)];
    values[j] = t.d[static_cast<std::size_t>(from)] * unit;
    if (!vectors) continue;
    for (std::int64_t i = 0; i < n; ++i)
      vectors[i * n + j] = turned[static_cast<std::size_t>(from * n + i)];
  }
  return LinearFault::None;
}

template LinearFault eigen(std::int64_t, const float*, float*, float*);
template LinearFault eigen(std::int64_t, const double*, double*, double*);

}  // namespace lathe::interp::linear
