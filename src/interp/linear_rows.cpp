// SPDX-License-Identifier: Apache-2.0
// The loops along rows, and reflections made of them.

#include <algorithm>
#include <cmath>
#include <vector>

#include "elementary/row_clones.h"
#include "interp/linear.h"

namespace lathe::interp::linear {
namespace {

constexpr std::int64_t kTile = 32;  // elements that stay in registers while all products are taken

template <class T>
inline __attribute__((always_inline)) void subtract_all(T* y, std::int64_t n, const T* f,
                                                        std::int64_t count, const T* x,
                                                        std::int64_t stride) {
  std::int64_t j = 0;
  for (; j + kTile <= n; j += kTile) {
    T sum[kTile];
    for (std::int64_t t = 0; t < kTile; ++t) sum[t] = y[j + t];
    for (std::int64_t k = 0; k < count; ++k) {
      const T* const row = x + k * stride + j;
      for (std::int64_t t = 0; t < kTile; ++t) sum[t] -= f[k] * row[t];
    }
    for (std::int64_t t = 0; t < kTile; ++t) y[j + t] = sum[t];
  }
  for (std::int64_t k = 0; k < count; ++k)
    for (std::int64_t t = j; t < n; ++t) y[t] -= f[k] * x[k * stride + t];
}

template <class T>
inline __attribute__((always_inline)) void rotate_all(T* __restrict x, T* __restrict y,
                                                      std::int64_t n, T c, T s) {
  for (std::int64_t j = 0; j < n; ++j) {
    const T a = x[j], b = y[j];
    x[j] = c * a + s * b;
    y[j] = c * b - s * a;
  }
}

template <class T>
inline __attribute__((always_inline)) T dot_all(const T* x, const T* y, std::int64_t n) {
  constexpr std::int64_t kLanes = 16;
  T lane[kLanes] = {};
  std::int64_t j = 0;
  for (; j + kLanes <= n; j += kLanes)
    for (std::int64_t t = 0; t < kLanes; ++t) lane[t] += x[j + t] * y[j + t];
  for (std::int64_t t = 0; j + t < n; ++t) lane[t] += x[j + t] * y[j + t];
  T sum = 0;
  for (const T part : lane) sum += part;
  return sum;
}

}  // namespace

LATHE_ROW_CLONES void subtract_products(float* y, std::int64_t n, const float* f,
                                        std::int64_t count, const float* x, std::int64_t stride) {
  subtract_all(y, n, f, count, x, stride);
}
LATHE_ROW_CLONES void subtract_products(double* y, std::int64_t n, const double* f,
                                        std::int64_t count, const double* x, std::int64_t stride) {
  subtract_all(y, n, f, count, x, stride);
}
LATHE_ROW_CLONES void rotate(float* x, float* y, std::int64_t n, float c, float s) {
  rotate_all(x, y, n, c, s);
}
LATHE_ROW_CLONES void rotate(double* x, double* y, std::int64_t n, double c, double s) {
  rotate_all(x, y, n, c, s);
}
LATHE_ROW_CLONES float dot(const float* x, const float* y, std::int64_t n) {
  return dot_all(x, y, n);
}
LATHE_ROW_CLONES double dot(const double* x, const double* y, std::int64_t n) {
  return dot_all(x, y, n);
}

template <class T>
T length(T x, T y) {
  x = std::fabs(x);
  y = std::fabs(y);
  if (x < y) std::swap(x, y);
  if (y == 0) return x;
  const T ratio = y / x;
  return x * std::sqrt(1 + ratio * ratio);
}

template <class T>
Turn<T>::Turn(T x, T y) {
  if (x == 0 && y == 0) return;
  if (std::fabs(x) < kSmall<T> && std::fabs(y) < kSmall<T>) {
    *this = Turn(x / kSmall<T>, y / kSmall<T>);
    r *= kSmall<T>;
    return;
  }
  r = length(x, y);
  c = x / r;
  s = y / r;
}

template <class T>
T power_near(const T* x, std::int64_t count) {
  T largest = 0;
  for (std::int64_t i = 0; i < count; ++i) largest = std::max(largest, std::fabs(x[i]));
  if (!(largest > 0) || !std::isfinite(largest)) return 1;
  int exponent = 0;
  std::frexp(largest, &exponent);
  // Its inverse is a number, too.
  const int limit = std::is_same_v<T, float> ? 120 : 1000;
  return std::ldexp(T(1), std::clamp(exponent, -limit, limit));
}

template <class T>
T reflect(T* x, std::int64_t count, std::int64_t step) {
  T largest = 0;
  for (std::int64_t i = 1; i < count && !std::isnan(largest); ++i) {
    const T size = std::fabs(x[i * step]);
    if (!(size <= largest)) largest = size;
  }
  if (largest == 0) return 0;
  if (std::fabs(x[0]) < kSmall<T> && largest < kSmall<T>) {
    for (std::int64_t i = 0; i < count; ++i) x[i * step] /= kSmall<T>;
    const T tau = reflect(x, count, step);
    x[0] *= kSmall<T>;
    return tau;
  }
  T sum = 0;
  for (std::int64_t i = 1; i < count; ++i) {
    const T part = x[i * step] / largest;
    sum += part * part;
  }
  const T alpha = x[0];
  const T beta = -std::copysign(length(alpha, largest * std::sqrt(sum)), alpha);
  const T tau = (beta - alpha) / beta;
  for (std::int64_t i = 1; i < count; ++i) x[i * step] /= alpha - beta;
  x[0] = beta;
  return tau;
}

template <class T>
void apply_reflection(const T* v, std::int64_t v_step, std::int64_t count, T tau, T* a,
                      std::int64_t width, std::int64_t stride, T* work) {
  if (tau == 0 || width == 0) return;
  stop_if_asked();
  // work = -(a' v), then a -= (-tau v) work'.
  std::vector<T> f(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    f[static_cast<std::size_t>(i)] = i == 0 ? T(1) : v[i * v_step];
  std::fill(work, work + width, T(0));
  subtract_products(work, width, f.data(), count, a, stride);
  for (std::int64_t i = 0; i < count; ++i) {
    const T by = -(tau * f[static_cast<std::size_t>(i)]);
    subtract_products(a + i * stride, width, &by, 1, work, width);
  }
}

template struct Turn<float>;
template struct Turn<double>;
template float length(float, float);
template double length(double, double);
template float power_near(const float*, std::int64_t);
template double power_near(const double*, std::int64_t);
template float reflect(float*, std::int64_t, std::int64_t);
template double reflect(double*, std::int64_t, std::int64_t);
template void apply_reflection(const float*, std::int64_t, std::int64_t, float, float*,
                               std::int64_t, std::int64_t, float*);
template void apply_reflection(const double*, std::int64_t, std::int64_t, double, double*,
                               std::int64_t, std::int64_t, double*);

}  // namespace lathe::interp::linear
