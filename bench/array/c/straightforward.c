/* SPDX-License-Identifier: Apache-2.0 */
/* The formulas of the array bench as a good programmer writes them before thinking about the machine:
   plain loops, one OpenMP line where arrays are not small. tools/bench compiles it twice, with REAL as
   double and as float, -O3 -march=native -fopenmp. Every function takes the lengths of all axes of its
   inputs, one after the other, and its arrays, the result last, in memory that is there; it returns how
   many elements the result has where that depends on values, else 0. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef int64_t Int;
enum { kFew = 20000 };

Int bench_chain(const Int* size, void* const* array) {
  const REAL *restrict a = array[0], *restrict b = array[1], *restrict c = array[2],
             *restrict d = array[3];
  REAL* restrict out = array[4];
  const Int n = size[0];
#pragma omp parallel for if (n > kFew)
  for (Int i = 0; i < n; ++i) out[i] = a[i] * b[i] + c[i] * d[i];
  return 0;
}

static REAL exponential(REAL x) { return sizeof(REAL) == 4 ? (REAL)expf((float)x) : (REAL)exp(x); }
static REAL root(REAL x) { return sizeof(REAL) == 4 ? (REAL)sqrtf((float)x) : (REAL)sqrt(x); }

Int bench_softmax(const Int* size, void* const* array) {
  const Int n = size[0], m = size[1];
#pragma omp parallel for if (n * m > kFew)
  for (Int i = 0; i < n; ++i) {
    const REAL* restrict x = (const REAL*)array[0] + i * m;
    REAL* restrict out = (REAL*)array[1] + i * m;
    REAL top = x[0], mass = 0;
    for (Int j = 1; j < m; ++j) top = x[j] > top ? x[j] : top;
    for (Int j = 0; j < m; ++j) {
      out[j] = exponential(x[j] - top);
      mass += out[j];
    }
    for (Int j = 0; j < m; ++j) out[j] /= mass;
  }
  return 0;
}

Int bench_distances(const Int* size, void* const* array) {
  const REAL* restrict x = array[0];
  REAL* restrict out = array[1];
  const Int n = size[0];
#pragma omp parallel for if (n * n > kFew)
  for (Int i = 0; i < n; ++i)
    for (Int j = 0; j < n; ++j) {
      REAL s = 0;
      for (Int d = 0; d < 3; ++d) s += (x[i * 3 + d] - x[j * 3 + d]) * (x[i * 3 + d] - x[j * 3 + d]);
      out[i * n + j] = root(s);
    }
  return 0;
}

Int bench_outer(const Int* size, void* const* array) {
  const REAL *restrict a = array[0], *restrict b = array[1];
  REAL* restrict out = array[2];
  const Int n = size[0], m = size[1];
#pragma omp parallel for if (n * m > kFew)
  for (Int i = 0; i < n; ++i)
    for (Int j = 0; j < m; ++j) out[i * m + j] = a[i] * b[j];
  return 0;
}

Int bench_stencil(const Int* size, void* const* array) {
  const REAL* restrict u = array[0];
  REAL* restrict out = array[1];
  const Int n = size[0], m = size[1];
#pragma omp parallel for if (n * m > kFew)
  for (Int i = 1; i < n - 1; ++i)
    for (Int j = 1; j < m - 1; ++j) {
      const Int p = i * m + j;
      out[(i - 1) * (m - 2) + j - 1] =
          u[p] + (REAL)0.1 * (u[p - m] + u[p + m] + u[p - 1] + u[p + 1] - 4 * u[p]);
    }
  return 0;
}

/* The order of loops that a compiler can vectorise. */
static void multiply(const REAL* restrict a, const REAL* restrict b, REAL* restrict out, Int n,
                     Int k, Int m) {
  for (Int i = 0; i < n; ++i) {
    for (Int j = 0; j < m; ++j) out[i * m + j] = 0;
    for (Int l = 0; l < k; ++l)
      for (Int j = 0; j < m; ++j) out[i * m + j] += a[i * k + l] * b[l * m + j];
  }
}

Int bench_matmul(const Int* size, void* const* array) {
  const Int n = size[0], k = size[1], m = size[3];
#pragma omp parallel for if (n * k * m > kFew)
  for (Int i = 0; i < n; ++i)
    multiply((const REAL*)array[0] + i * k, array[1], (REAL*)array[2] + i * m, 1, k, m);
  return 0;
}

Int bench_batched(const Int* size, void* const* array) {
  const Int n = size[1], k = size[2], m = size[5];
#pragma omp parallel for if (size[0] * n * k * m > kFew)
  for (Int b = 0; b < size[0]; ++b)
    multiply((const REAL*)array[0] + b * n * k, (const REAL*)array[1] + b * k * m,
             (REAL*)array[2] + b * n * m, n, k, m);
  return 0;
}

Int bench_bilinear(const Int* size, void* const* array) {
  const Int rows = size[0], n = size[2], m = size[3];
#pragma omp parallel if (rows * n * m > kFew)
  {
    REAL* row = malloc(sizeof(REAL) * (size_t)m);
#pragma omp for
    for (Int b = 0; b < rows; ++b) {
      const REAL* right = (const REAL*)array[2] + b * m;
      multiply((const REAL*)array[0] + b * n, array[1], row, 1, n, m);
      REAL s = 0;
      for (Int j = 0; j < m; ++j) s += row[j] * right[j];
      ((REAL*)array[3])[b] = s;
    }
    free(row);
  }
  return 0;
}

Int bench_matvec(const Int* size, void* const* array) {
  const Int n = size[0], m = size[1];
  const REAL *restrict a = array[0], *restrict x = array[1];
  REAL* restrict out = array[2];
#pragma omp parallel for if (n * m > kFew)
  for (Int i = 0; i < n; ++i) {
    REAL s = 0;
#pragma omp simd reduction(+ : s)
    for (Int j = 0; j < m; ++j) s += a[i * m + j] * x[j];
    out[i] = s;
  }
  return 0;
}

Int bench_layer_norm(const Int* size, void* const* array) {
  const Int n = size[0], m = size[1];
  const REAL *restrict scale = array[1], *restrict shift = array[2];
#pragma omp parallel for if (n * m > kFew)
  for (Int i = 0; i < n; ++i) {
    const REAL* restrict x = (const REAL*)array[0] + i * m;
    REAL* restrict out = (REAL*)array[3] + i * m;
    REAL middle = 0, spread = 0;
#pragma omp simd reduction(+ : middle)
    for (Int j = 0; j < m; ++j) middle += x[j];
    middle /= (REAL)m;
#pragma omp simd reduction(+ : spread)
    for (Int j = 0; j < m; ++j) spread += (x[j] - middle) * (x[j] - middle);
    const REAL by = 1 / root(spread / (REAL)m + (REAL)1e-5);
    for (Int j = 0; j < m; ++j) out[j] = (x[j] - middle) * by * scale[j] + shift[j];
  }
  return 0;
}

static void add_up(const REAL* restrict x, REAL* restrict out, Int n) {
  REAL s = 0;
  for (Int i = 0; i < n; ++i) out[i] = s += x[i];
}
Int bench_cumsum(const Int* size, void* const* array) {
  add_up(array[0], array[1], size[0]);
  return 0;
}
Int bench_cumsum_flat(const Int* size, void* const* array) {
  add_up(array[0], array[1], size[0] * size[1]);
  return 0;
}
Int bench_cumsum_rows(const Int* size, void* const* array) {
  const Int n = size[0], m = size[1];
#pragma omp parallel for if (n * m > kFew)
  for (Int i = 0; i < n; ++i) add_up((const REAL*)array[0] + i * m, (REAL*)array[1] + i * m, m);
  return 0;
}

Int bench_gather(const Int* size, void* const* array) {
  const REAL* restrict x = array[0];
  const Int* restrict at = array[1];
  REAL* restrict out = array[2];
  const Int n = size[1];
#pragma omp parallel for if (n > kFew)
  for (Int i = 0; i < n; ++i) out[i] = x[at[i]];
  return 0;
}

static Int largest(const REAL* x, Int n) {
  Int best = 0;
  for (Int i = 1; i < n; ++i)
    if (x[i] > x[best]) best = i;
  return best;
}
Int bench_argmax(const Int* size, void* const* array) {
  *(Int*)array[1] = largest(array[0], size[0]);
  return 0;
}
Int bench_argmax_rows(const Int* size, void* const* array) {
  const Int n = size[0], m = size[1];
#pragma omp parallel for if (n * m > kFew)
  for (Int i = 0; i < n; ++i) ((Int*)array[1])[i] = largest((const REAL*)array[0] + i * m, m);
  return 0;
}

Int bench_sum(const Int* size, void* const* array) {
  const REAL* restrict x = array[0];
  const Int n = size[0];
  REAL s = 0;
#pragma omp parallel for simd reduction(+ : s) if (n > kFew)
  for (Int i = 0; i < n; ++i) s += x[i];
  *(REAL*)array[1] = s;
  return 0;
}

Int bench_sum_first(const Int* size, void* const* array) {
  const REAL* restrict x = array[0];
  REAL* restrict out = array[1];
  const Int n = size[0], m = size[1];
  for (Int j = 0; j < m; ++j) out[j] = 0;
  for (Int i = 0; i < n; ++i)
    for (Int j = 0; j < m; ++j) out[j] += x[i * m + j];
  return 0;
}

static int compare(const void* a, const void* b) {
  const REAL x = *(const REAL*)a, y = *(const REAL*)b;
  return (x > y) - (x < y);
}
Int bench_sort(const Int* size, void* const* array) {
  const REAL* x = array[0];
  REAL* out = array[1];
  for (Int i = 0; i < size[0]; ++i) out[i] = x[i];
  qsort(out, (size_t)size[0], sizeof(REAL), compare);
  return 0;
}
Int bench_unique(const Int* size, void* const* array) {
  bench_sort(size, array);
  REAL* out = array[1];
  Int n = size[0] > 0;
  for (Int i = 1; i < size[0]; ++i)
    if (out[i] != out[n - 1]) out[n++] = out[i];
  return n;
}

Int bench_searchsorted(const Int* size, void* const* array) {
  const REAL *restrict v = array[0], *x = array[1];
  Int* restrict out = array[2];
  const Int n = size[0], m = size[1];
  REAL* const sorted = malloc((size_t)m * sizeof(REAL));
  for (Int i = 0; i < m; ++i) sorted[i] = x[i];
  qsort(sorted, (size_t)m, sizeof(REAL), compare);
#pragma omp parallel for if (n > kFew)
  for (Int i = 0; i < n; ++i) {
    Int lo = 0, hi = m;
    while (lo < hi) {
      const Int middle = lo + (hi - lo) / 2;
      if (sorted[middle] < v[i])
        lo = middle + 1;
      else
        hi = middle;
    }
    out[i] = lo;
  }
  free(sorted);
  return 0;
}

Int bench_mask(const Int* size, void* const* array) {
  const REAL* restrict x = array[0];
  REAL* restrict out = array[1];
  Int n = 0;
  for (Int i = 0; i < size[0]; ++i) {
    out[n] = x[i];
    n += x[i] > (REAL)0.5;
  }
  return n;
}
Int bench_mask_rows(const Int* size, void* const* array) {
  const REAL *restrict x = array[0], *restrict r = array[1];
  REAL* restrict out = array[2];
  const Int m = size[1];
  Int n = 0;
  for (Int i = 0; i < size[0]; ++i) {
    if (!(r[i] > (REAL)0.5)) continue;
    for (Int j = 0; j < m; ++j) out[n * m + j] = x[i * m + j];
    ++n;
  }
  return n * m;
}
