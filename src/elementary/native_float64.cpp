// SPDX-License-Identifier: Apache-2.0
// The rows of native.h for double: each function of elementary/float64/ with Native<double>, in a
// loop.

#include "elementary/float64/exp.h"
#include "elementary/float64/hyperbolic.h"
#include "elementary/float64/inverse_trig.h"
#include "elementary/float64/log.h"
#include "elementary/float64/power.h"
#include "elementary/float64/special.h"
#include "elementary/float64/trig.h"
#include "elementary/native.h"
#include "elementary/row_clones.h"

namespace lathe::elementary::rows {

#define LATHE_ROW(name)                                                             \
  LATHE_ROW_CLONES void name(const double* x, double* y, std::size_t n) {           \
    for (std::size_t i = 0; i < n; ++i) y[i] = float64::name<Native<double>>(x[i]); \
  }
LATHE_UNARY_FUNCTIONS(LATHE_ROW)
#undef LATHE_ROW

#define LATHE_ROW(name)                                                                    \
  LATHE_ROW_CLONES void name(const double* a, const double* b, double* y, std::size_t n) { \
    for (std::size_t i = 0; i < n; ++i) y[i] = float64::name<Native<double>>(a[i], b[i]);  \
  }
LATHE_BINARY_FUNCTIONS(LATHE_ROW)
#undef LATHE_ROW

}  // namespace lathe::elementary::rows
