// SPDX-License-Identifier: Apache-2.0
#pragma once
// The elementary functions as machine code, a row of arguments at a time.
//
//   rows::exp(x, y, n);         y[i] = exp(x[i])     for i < n
//   rows::pow(a, b, y, n);      y[i] = a[i] ^ b[i]
//
// Both float and double, with the bits that every target gives (number.h says why). The result may
// be an argument itself (in place); otherwise rows must not overlap. Rounding must be to nearest
// and denormals on; each value is computed alone, so how a row is cut never matters.

#include <cstddef>

// The only list of elementary functions: X(name) for each.
#define LATHE_UNARY_FUNCTIONS(X) \
  X(exp)                         \
  X(exp2)                        \
  X(expm1)                       \
  X(log)                         \
  X(log2)                        \
  X(log10)                       \
  X(log1p)                       \
  X(sin)                         \
  X(cos)                         \
  X(tan)                         \
  X(asin)                        \
  X(acos)                        \
  X(atan)                        \
  X(sinh)                        \
  X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(cbrt) X(rsqrt) X(erf) X(erfc) X(tgamma) X(lgamma)
#define LATHE_BINARY_FUNCTIONS(X) X(atan2) X(pow)

namespace lathe::elementary::rows {

#define LATHE_DECLARE(name)                           \
  void name(const float* x, float* y, std::size_t n); \
  void name(const double* x, double* y, std::size_t n);
LATHE_UNARY_FUNCTIONS(LATHE_DECLARE)
#undef LATHE_DECLARE

#define LATHE_DECLARE(name)                                           \
  void name(const float* a, const float* b, float* y, std::size_t n); \
  void name(const double* a, const double* b, double* y, std::size_t n);
LATHE_BINARY_FUNCTIONS(LATHE_DECLARE)
#undef LATHE_DECLARE

}  // namespace lathe::elementary::rows
