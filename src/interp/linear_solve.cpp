// SPDX-License-Identifier: Apache-2.0
// Systems of equations by elimination with the largest pivot of each column; Cholesky's factor.
// Work is cut into panels of columns for the cache: every element still sees its subtractions in
// the order of the pivots.

#include <algorithm>
#include <cmath>
#include <vector>

#include "elementary/native.h"
#include "interp/linear.h"

namespace lathe::interp::linear {
namespace {

constexpr std::int64_t kPanel = 32;

// `a` becomes both factors; pivots[k]: the row that k changed places with.
template <class T>
struct Factored {
  std::vector<T> a;
  std::vector<std::int64_t> pivots;
  bool is_singular = false;
};

template <class T>
void eliminate_panel(Factored<T>& f, std::int64_t n, std::int64_t from, std::int64_t to) {
  T* const a = f.a.data();
  for (std::int64_t k = from; k < to; ++k) {
    std::int64_t pivot = k;
    for (std::int64_t i = k + 1; i < n; ++i)
      if (std::fabs(a[i * n + k]) > std::fabs(a[pivot * n + k])) pivot = i;
    f.pivots.push_back(pivot);
    if (pivot != k) std::swap_ranges(a + k * n, a + k * n + n, a + pivot * n);
    const T by = a[k * n + k];
    if (by == 0) {
      f.is_singular = true;
      continue;
    }
    for (std::int64_t i = k + 1; i < n; ++i) {
      const T factor = a[i * n + k] / by;
      a[i * n + k] = factor;
      for (std::int64_t j = k + 1; j < to; ++j) a[i * n + j] -= factor * a[k * n + j];
    }
  }
}

template <class T>
Factored<T> factored(std::int64_t n, const T* given) {
  Factored<T> f;
  f.a.assign(given, given + n * n);
  T* const a = f.a.data();
  for (std::int64_t from = 0; from < n; from += kPanel) {
    stop_if_asked();
    const std::int64_t to = std::min(from + kPanel, n);
    eliminate_panel(f, n, from, to);
    for (std::int64_t i = from + 1; i < n; ++i)
      subtract_products(a + i * n + to, n - to, a + i * n + from, std::min(i, to) - from,
                        a + from * n + to, n);
  }
  return f;
}

// x: the right sides, and then what solves for them.
template <class T>
void solve_factored(const Factored<T>& f, std::int64_t n, std::int64_t right, T* x) {
  for (std::int64_t k = 0; k < n; ++k) {
    const std::int64_t pivot = f.pivots[static_cast<std::size_t>(k)];
    if (pivot != k) std::swap_ranges(x + k * right, x + k * right + right, x + pivot * right);
  }
  const T* const lu = f.a.data();
  for (std::int64_t i = 1; i < n; ++i)
    subtract_products(x + i * right, right, lu + i * n, i, x, right);
  for (std::int64_t i = n; i-- > 0;) {
    stop_if_asked();
    subtract_products(x + i * right, right, lu + i * n + i + 1, n - i - 1, x + (i + 1) * right,
                      right);
    for (std::int64_t j = 0; j < right; ++j) x[i * right + j] /= lu[i * n + i];
  }
}

void logarithm_of(const float* x, float* y) { elementary::rows::log(x, y, 1); }
void logarithm_of(const double* x, double* y) { elementary::rows::log(x, y, 1); }

}  // namespace

template <class T>
LinearFault solve(std::int64_t n, std::int64_t right, const T* a, const T* b, T* x) {
  const Factored<T> f = factored(n, a);
  if (f.is_singular) return LinearFault::Singular;
  std::copy(b, b + n * right, x);
  solve_factored(f, n, right, x);
  return LinearFault::None;
}

template <class T>
void determinant(std::int64_t n, const T* a, bool logarithm, T* out) {
  const Factored<T> f = factored(n, a);
  T sign = 1, value = logarithm ? T(0) : T(1);
  for (std::int64_t k = 0; k < n; ++k) {
    const T d = f.a[static_cast<std::size_t>(k * n + k)];
    if (f.pivots[static_cast<std::size_t>(k)] != k) sign = -sign;
    if (!logarithm) {
      value *= d;
      continue;
    }
    const T size = std::fabs(d);
    T log = 0;
    logarithm_of(&size, &log);
    value += log;
    sign = d == 0 ? T(0) : d < 0 ? -sign : d > 0 ? sign : d;
  }
  out[0] = logarithm ? sign : sign * value;
  if (logarithm) out[1] = value;
}

// The inverse times the determinant, transposed, where there is one and both are numbers. All is of
// a matrix whose largest element is about one, so that small ones do not vanish on the way.
template <class T>
void cofactors(std::int64_t n, const T* a, T* out) {
  if (n == 1) {
    out[0] = 1;
    return;
  }
  T largest = 0;
  for (std::int64_t i = 0; i < n * n; ++i) largest = std::max(largest, std::fabs(a[i]));
  int power = 0;
  if (std::isfinite(largest)) std::frexp(largest, &power);
  std::vector<T> scaled(a, a + n * n);
  for (T& x : scaled) x = std::ldexp(x, -power);

  const Factored<T> f = factored(n, scaled.data());
  T value = 1;
  for (std::int64_t k = 0; k < n; ++k) {
    const T d = f.a[static_cast<std::size_t>(k * n + k)];
    value *= f.pivots[static_cast<std::size_t>(k)] != k ? -d : d;
  }
  std::vector<T> inverse(static_cast<std::size_t>(n * n));
  T* const x = inverse.data();
  for (std::int64_t i = 0; i < n; ++i) x[i * n + i] = 1;
  bool fine = !f.is_singular && std::isnormal(value);
  if (fine) solve_factored(f, n, n, x);
  for (const T e : inverse) fine = fine && std::isfinite(e);
  if (fine) {
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j) out[i * n + j] = value * x[j * n + i];
  } else {
    cofactors_of_singular(n, scaled.data(), out);
  }
  const auto back = std::clamp<std::int64_t>(power * (n - 1), -100'000, 100'000);
  for (std::int64_t i = 0; i < n * n; ++i) out[i] = std::ldexp(out[i], static_cast<int>(back));
}

template <class T>
LinearFault cholesky(std::int64_t n, const T* a, T* l) {
  // Rows of the upper factor: column j of the lower one is row j.
  std::vector<T> upper(static_cast<std::size_t>(n * n)), factors(static_cast<std::size_t>(n));
  T* const u = upper.data();
  for (std::int64_t j = 0; j < n; ++j) {
    stop_if_asked();
    T* const row = u + j * n;
    for (std::int64_t i = j; i < n; ++i) row[i] = a[i * n + j];
    for (std::int64_t k = 0; k < j; ++k) factors[static_cast<std::size_t>(k)] = u[k * n + j];
    subtract_products(row + j, n - j, factors.data(), j, u + j, n);
    if (!(row[j] > 0)) return LinearFault::NotDefinite;
    const T root = std::sqrt(row[j]);
    row[j] = root;
    for (std::int64_t i = j + 1; i < n; ++i) row[i] /= root;
  }
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) l[i * n + j] = j <= i ? u[j * n + i] : T(0);
  return LinearFault::None;
}

template LinearFault solve(std::int64_t, std::int64_t, const float*, const float*, float*);
template LinearFault solve(std::int64_t, std::int64_t, const double*, const double*, double*);
template void determinant(std::int64_t, const float*, bool, float*);
template void determinant(std::int64_t, const double*, bool, double*);
template void cofactors(std::int64_t, const float*, float*);
template void cofactors(std::int64_t, const double*, double*);
template LinearFault cholesky(std::int64_t, const float*, float*);
template LinearFault cholesky(std::int64_t, const double*, double*);

}  // namespace lathe::interp::linear
