/* SPDX-License-Identifier: Apache-2.0 */
/* What a good programmer writes before thinking about the machine: plain loops, one OpenMP line.
   tools/bench compiles it twice, with REAL as double and as float, by the compiler that Lathe uses,
   -O3 -march=native -fopenmp. Every function takes the program's parameters and its arrays in the
   order of their declaration (bench/programs). */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef int64_t Int;

void bench_chain(const Int* size, void* const* array) {
  const REAL *restrict a = array[0], *restrict b = array[1], *restrict c = array[2],
             *restrict d = array[3];
  REAL* restrict out = array[4];
  const Int n = size[0];
#pragma omp parallel for
  for (Int i = 0; i < n; ++i) out[i] = a[i] * b[i] + c[i] * d[i];
}

void bench_total(const Int* size, void* const* array) {
  const REAL* restrict a = array[0];
  const Int n = size[0];
  REAL s = 0;
#pragma omp parallel for simd reduction(+ : s)
  for (Int i = 0; i < n; ++i) s += a[i];
  *(REAL*)array[1] = s;
}

void bench_dot(const Int* size, void* const* array) {
  const REAL *restrict a = array[0], *restrict b = array[1];
  const Int n = size[0];
  REAL s = 0;
#pragma omp parallel for simd reduction(+ : s)
  for (Int i = 0; i < n; ++i) s += a[i] * b[i];
  *(REAL*)array[2] = s;
}

void bench_first_axis_sum(const Int* size, void* const* array) {
  const REAL* restrict a = array[0];
  REAL* restrict out = array[1];
  const Int n = size[0], m = size[1];
#pragma omp parallel
  {
    REAL* part = calloc((size_t)m, sizeof(REAL));
#pragma omp for
    for (Int i = 0; i < n; ++i)
      for (Int j = 0; j < m; ++j) part[j] += a[i * m + j];
#pragma omp single
    for (Int j = 0; j < m; ++j) out[j] = 0;
#pragma omp critical
    for (Int j = 0; j < m; ++j) out[j] += part[j];
    free(part);
  }
}

void bench_diffusion(const Int* size, void* const* array) {
  const REAL* restrict u = array[0];
  REAL* restrict out = array[1];
  const Int n = size[0], m = size[1];
#pragma omp parallel for
  for (Int i = 1; i < n - 1; ++i)
    for (Int j = 1; j < m - 1; ++j) {
      const Int p = i * m + j;
      out[p] = u[p] + (REAL)0.1 * (u[p - m] + u[p + m] + u[p - 1] + u[p + 1] - 4 * u[p]);
    }
}

/* Each stage of a plane into a plane of its own, as large as a level. */
void bench_hdiff(const Int* size, void* const* array) {
  const Int nk = size[0], n = size[1], m = size[2];
  const Int w = m + 4; /* phi has two more rows and columns on each side */
#pragma omp parallel
  {
    REAL* lap = malloc(sizeof(REAL) * (size_t)((n + 4) * w));
    REAL* flx = malloc(sizeof(REAL) * (size_t)((n + 4) * w));
    REAL* fly = malloc(sizeof(REAL) * (size_t)((n + 4) * w));
#pragma omp for
    for (Int k = 0; k < nk; ++k) {
      const REAL* restrict phi = (const REAL*)array[0] + k * (n + 4) * w;
      const REAL* restrict coeff = (const REAL*)array[1] + k * n * m;
      REAL* restrict out = (REAL*)array[2] + k * n * m;
      for (Int j = 1; j < n + 3; ++j)
        for (Int i = 1; i < m + 3; ++i) {
          const Int p = j * w + i;
          lap[p] = 4 * phi[p] - (phi[p - 1] + phi[p + 1] + phi[p - w] + phi[p + w]);
        }
      for (Int j = 2; j < n + 2; ++j)
        for (Int i = 1; i < m + 2; ++i) {
          const Int p = j * w + i;
          const REAL f = lap[p + 1] - lap[p];
          flx[p] = f * (phi[p + 1] - phi[p]) > 0 ? 0 : f;
        }
      for (Int j = 1; j < n + 2; ++j)
        for (Int i = 2; i < m + 2; ++i) {
          const Int p = j * w + i;
          const REAL f = lap[p + w] - lap[p];
          fly[p] = f * (phi[p + w] - phi[p]) > 0 ? 0 : f;
        }
      for (Int j = 0; j < n; ++j)
        for (Int i = 0; i < m; ++i) {
          const Int p = (j + 2) * w + i + 2;
          const REAL div = flx[p] - flx[p - 1] + fly[p] - fly[p - w];
          out[j * m + i] = phi[p] - coeff[j * m + i] * div;
        }
    }
    free(lap);
    free(flx);
    free(fly);
  }
}

/* Row by row, so that the columns of a row stay in a cache between the two sweeps. */
void bench_vadv(const Int* size, void* const* array) {
  const Int nk = size[0], n = size[1], m = size[2];
  const REAL half = (REAL)0.5, quarter = (REAL)0.25;
#pragma omp parallel
  {
    REAL* ccol = malloc(sizeof(REAL) * (size_t)(nk * m));
    REAL* dcol = malloc(sizeof(REAL) * (size_t)(nk * m));
#pragma omp for
    for (Int j = 0; j < n; ++j) {
      const REAL* restrict u_stage = (const REAL*)array[0] + j * m;
      const REAL* restrict u_pos = (const REAL*)array[1] + j * m;
      const REAL* restrict utens = (const REAL*)array[2] + j * m;
      const REAL* restrict wcon = (const REAL*)array[3] + j * (m + 1);
      REAL* restrict out = (REAL*)array[4] + j * m;
      const Int s = n * m, t = n * (m + 1);
      for (Int k = 0; k < nk; ++k)
        for (Int i = 0; i < m; ++i) {
          const REAL below = k > 0 ? -quarter * (wcon[k * t + i + 1] + wcon[k * t + i]) : 0;
          const REAL above =
              k < nk - 1 ? quarter * (wcon[(k + 1) * t + i + 1] + wcon[(k + 1) * t + i]) : 0;
          const REAL c = k > 0 ? ccol[(k - 1) * m + i] : 0, d = k > 0 ? dcol[(k - 1) * m + i] : 0;
          const REAL here = u_stage[k * s + i];
          const REAL down = k > 0 ? u_stage[(k - 1) * s + i] - here : 0;
          const REAL up = k < nk - 1 ? u_stage[(k + 1) * s + i] - here : 0;
          const REAL scale = 1 / (3 - half * below - half * above - half * below * c);
          ccol[k * m + i] = half * above * scale;
          dcol[k * m + i] = (3 * u_pos[k * s + i] + utens[k * s + i] + out[k * s + i] -
                             (half * below * down + half * above * up) - half * below * d) *
                            scale;
        }
      for (Int k = nk - 1; k >= 0; --k)
        for (Int i = 0; i < m; ++i) {
          REAL x = dcol[k * m + i];
          if (k < nk - 1) x -= ccol[k * m + i] * dcol[(k + 1) * m + i];
          dcol[k * m + i] = x;
          out[k * s + i] = 3 * (x - u_pos[k * s + i]);
        }
    }
    free(ccol);
    free(dcol);
  }
}

/* The order of loops that a compiler can vectorise. */
void bench_matmul(const Int* size, void* const* array) {
  const REAL *restrict a = array[0], *restrict b = array[1];
  REAL* restrict out = array[2];
  const Int n = size[0];
#pragma omp parallel for
  for (Int i = 0; i < n; ++i) {
    for (Int j = 0; j < n; ++j) out[i * n + j] = 0;
    for (Int k = 0; k < n; ++k)
      for (Int j = 0; j < n; ++j) out[i * n + j] += a[i * n + k] * b[k * n + j];
  }
}

static REAL exponential(REAL x) { return sizeof(REAL) == 4 ? (REAL)expf((float)x) : (REAL)exp(x); }

void bench_softmax(const Int* size, void* const* array) {
  const Int n = size[0], m = size[1];
#pragma omp parallel for
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
}

void bench_distances(const Int* size, void* const* array) {
  const REAL* restrict x = array[0];
  REAL* restrict out = array[1];
  const Int n = size[0];
#pragma omp parallel for
  for (Int i = 0; i < n; ++i)
    for (Int j = 0; j < n; ++j) {
      REAL s = 0;
      for (Int d = 0; d < 3; ++d) s += (x[i * 3 + d] - x[j * 3 + d]) * (x[i * 3 + d] - x[j * 3 + d]);
      out[i * n + j] = (REAL)sqrt((double)s);
    }
}
