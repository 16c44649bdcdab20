// SPDX-License-Identifier: Apache-2.0
// Cofactors where elimination meets a pivot of zero. With rows and columns in the order of the
// largest pivots, a = p' l u q', only the last pivots can be zero, and where it is the last one
// alone the cofactors are a product that divides by no zero:
//
//   u = | v w |    adjugate(u) = | s det(v) v^-1   -det(v) v^-1 w |    adjugate(a) =
//       | 0 s |                  |      0               det(v)    |      q adjugate(u) l^-1 p
//
// and the matrix of cofactors is the adjugate, transposed. With two zeros all of them vanish.

#include <algorithm>
#include <cmath>
#include <vector>

#include "interp/linear.h"

namespace lathe::interp::linear {
namespace {

// `a` becomes both factors; row i of them is rows[i] of the matrix, and columns likewise.
template <class T>
struct Ordered {
  std::vector<T> a;
  std::vector<std::int64_t> rows, columns;
  T sign = 1;  // of both orders
};

template <class T>
void exchange(Ordered<T>& f, std::int64_t n, std::int64_t k, std::int64_t row,
              std::int64_t column) {
  T* const a = f.a.data();
  if (row != k) {
    std::swap_ranges(a + k * n, a + k * n + n, a + row * n);
    std::swap(f.rows[static_cast<std::size_t>(k)], f.rows[static_cast<std::size_t>(row)]);
    f.sign = -f.sign;
  }
  if (column != k) {
    for (std::int64_t i = 0; i < n; ++i) std::swap(a[i * n + k], a[i * n + column]);
    std::swap(f.columns[static_cast<std::size_t>(k)], f.columns[static_cast<std::size_t>(column)]);
    f.sign = -f.sign;
  }
}

// False if a pivot before the last one is zero.
template <class T>
bool eliminate(Ordered<T>& f, std::int64_t n) {
  T* const a = f.a.data();
  for (std::int64_t k = 0; k + 1 < n; ++k) {
    stop_if_asked();
    std::int64_t row = k, column = k;
    T largest = std::fabs(a[k * n + k]);
    for (std::int64_t i = k; i < n; ++i)
      for (std::int64_t j = k; j < n; ++j) {
        const T size = std::fabs(a[i * n + j]);
        if (!(size > largest) && !std::isnan(size)) continue;  // NaN makes NaN of everything
        largest = size;
        row = i;
        column = j;
      }
    if (largest == 0) return false;
    exchange(f, n, k, row, column);
    for (std::int64_t i = k + 1; i < n; ++i) {
      const T factor = a[i * n + k] / a[k * n + k];
      a[i * n + k] = factor;
      subtract_products(a + i * n + k + 1, n - k - 1, &factor, 1, a + k * n + k + 1, n);
    }
  }
  return true;
}

}  // namespace

template <class T>
void cofactors_of_singular(std::int64_t n, const T* given, T* out) {
  Ordered<T> f;
  f.a.assign(given, given + n * n);
  for (std::int64_t i = 0; i < n; ++i) {
    f.rows.push_back(i);
    f.columns.push_back(i);
  }
  std::fill(out, out + n * n, T(0));
  if (n == 0 || !eliminate(f, n)) return;
  const T* const lu = f.a.data();
  T product = f.sign;  // det(v)
  for (std::int64_t k = 0; k + 1 < n; ++k) product *= lu[k * n + k];
  // adjugate(u) l^-1, whose columns are still in the order of the pivots.
  std::vector<T> work(static_cast<std::size_t>(n * n));
  T* const x = work.data();
  for (std::int64_t i = 0; i < n; ++i) x[i * n + i] = 1;
  for (std::int64_t i = 1; i < n; ++i) subtract_products(x + i * n, n, lu + i * n, i, x, n);
  const T last = lu[n * n - 1];
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) x[i * n + j] *= i + 1 < n ? product * last : product;
  for (std::int64_t i = n - 1; i-- > 0;) {
    stop_if_asked();
    subtract_products(x + i * n, n, lu + i * n + i + 1, n - i - 1, x + (i + 1) * n, n);
    for (std::int64_t j = 0; j < n; ++j) x[i * n + j] /= lu[i * n + i];
  }
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      out[f.rows[static_cast<std::size_t>(j)] * n + f.columns[static_cast<std::size_t>(i)]] =
          x[i * n + j];
}

template void cofactors_of_singular(std::int64_t, const float*, float*);
template void cofactors_of_singular(std::int64_t, const double*, double*);

}  // namespace lathe::interp::linear
