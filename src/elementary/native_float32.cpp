// SPDX-License-Identifier: Apache-2.0
// Row functions over float: the templates of float32/ instantiated with Native<float>. Each loop is
// branch-free, so gcc vectorises it (src/elementary/CMakeLists.txt gives this file -O3 and says
// that nobody reads errno or exception flags; neither changes a bit).

#include "elementary/float32/exp.h"
#include "elementary/float32/hyperbolic.h"
#include "elementary/float32/inverse_trig.h"
#include "elementary/float32/log.h"
#include "elementary/float32/power.h"
#include "elementary/float32/special.h"
#include "elementary/float32/trig.h"
#include "elementary/native.h"
#include "elementary/row_clones.h"

// Rows overlap only where they are equal, so no iteration waits for another.
#ifdef __clang__
#define LATHE_INDEPENDENT
#else
#define LATHE_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace lathe::elementary::rows {

#define LATHE_ROW(name)                                                            \
  LATHE_ROW_CLONES void name(const float* x, float* y, std::size_t n) {            \
    LATHE_INDEPENDENT                                                              \
    for (std::size_t i = 0; i < n; ++i) y[i] = float32::name<Native<float>>(x[i]); \
  }
LATHE_UNARY_FUNCTIONS(LATHE_ROW)
#undef LATHE_ROW

#define LATHE_ROW(name)                                                                  \
  LATHE_ROW_CLONES void name(const float* a, const float* b, float* y, std::size_t n) {  \
    LATHE_INDEPENDENT                                                                    \
    for (std::size_t i = 0; i < n; ++i) y[i] = float32::name<Native<float>>(a[i], b[i]); \
  }
LATHE_BINARY_FUNCTIONS(LATHE_ROW)
#undef LATHE_ROW

}  // namespace lathe::elementary::rows
