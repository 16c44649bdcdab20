/* SPDX-License-Identifier: Apache-2.0 */
/* What an expert writes for this machine: whole vectors, streaming stores, rows that stay in L1.
   The same interface as straightforward.c; softmax is float, distances double. Without AVX-512
   there is nothing here, and the bench says that these rows are missing. */
#include <stdint.h>
#include <stdlib.h>

#ifdef __AVX512F__
#include <immintrin.h>

typedef int64_t Int;

/* exp(x) for x <= 0: 2^n times a polynomial of degree 6 on [-ln2/2, ln2/2], good to 1 or 2 ulp. */
static inline __m512 exponential(__m512 x) {
  const __m512 n = _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(1.44269504f)), 0);
  __m512 r = _mm512_fnmadd_ps(n, _mm512_set1_ps(0.693359375f), x);
  r = _mm512_fnmadd_ps(n, _mm512_set1_ps(-2.12194440e-4f), r);
  __m512 p = _mm512_set1_ps(1.0f / 720);
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.0f / 120));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.0f / 24));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.0f / 6));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(0.5f));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1));
  return _mm512_scalef_ps(p, n);
}

/* Rows of a multiple of 64 elements, aligned. */
void bench_softmax(const Int* size, void* const* array) {
  const Int n = size[0], m = size[1];
#pragma omp parallel
  {
    float* row = aligned_alloc(64, sizeof(float) * (size_t)m);
#pragma omp for
    for (Int i = 0; i < n; ++i) {
      const float* x = (const float*)array[0] + i * m;
      float* out = (float*)array[1] + i * m;
      __m512 t0 = _mm512_load_ps(x), t1 = t0, t2 = t0, t3 = t0;
      for (Int j = 0; j < m; j += 64) {
        _mm_prefetch((const char*)(x + j + m), _MM_HINT_T0);
        _mm_prefetch((const char*)(x + j + m + 16), _MM_HINT_T0);
        _mm_prefetch((const char*)(x + j + m + 32), _MM_HINT_T0);
        _mm_prefetch((const char*)(x + j + m + 48), _MM_HINT_T0);
        t0 = _mm512_max_ps(t0, _mm512_load_ps(x + j));
        t1 = _mm512_max_ps(t1, _mm512_load_ps(x + j + 16));
        t2 = _mm512_max_ps(t2, _mm512_load_ps(x + j + 32));
        t3 = _mm512_max_ps(t3, _mm512_load_ps(x + j + 48));
      }
      const __m512 top =
          _mm512_set1_ps(_mm512_reduce_max_ps(_mm512_max_ps(_mm512_max_ps(t0, t1), _mm512_max_ps(t2, t3))));
      __m512 s0 = _mm512_setzero_ps(), s1 = s0;
      for (Int j = 0; j < m; j += 32) {
        const __m512 e0 = exponential(_mm512_sub_ps(_mm512_load_ps(x + j), top));
        const __m512 e1 = exponential(_mm512_sub_ps(_mm512_load_ps(x + j + 16), top));
        s0 = _mm512_add_ps(s0, e0);
        s1 = _mm512_add_ps(s1, e1);
        _mm512_store_ps(row + j, e0);
        _mm512_store_ps(row + j + 16, e1);
      }
      const __m512 scale = _mm512_set1_ps(1 / _mm512_reduce_add_ps(_mm512_add_ps(s0, s1)));
      for (Int j = 0; j < m; j += 16)
        _mm512_stream_ps(out + j, _mm512_mul_ps(_mm512_load_ps(row + j), scale));
    }
    _mm_sfence();
    free(row);
  }
}

/* The coordinates as three arrays, eight points at a time; n a multiple of 8. */
void bench_distances(const Int* size, void* const* array) {
  const double* x = array[0];
  double* out = array[1];
  const Int n = size[0];
  double* c = aligned_alloc(64, sizeof(double) * 3 * (size_t)n);
  for (Int i = 0; i < n; ++i)
    for (Int d = 0; d < 3; ++d) c[d * n + i] = x[i * 3 + d];
#pragma omp parallel for
  for (Int i = 0; i < n; ++i) {
    const __m512d x0 = _mm512_set1_pd(c[i]), x1 = _mm512_set1_pd(c[n + i]),
                  x2 = _mm512_set1_pd(c[2 * n + i]);
    for (Int j = 0; j < n; j += 8) {
      const __m512d d0 = _mm512_sub_pd(x0, _mm512_load_pd(c + j));
      const __m512d d1 = _mm512_sub_pd(x1, _mm512_load_pd(c + n + j));
      const __m512d d2 = _mm512_sub_pd(x2, _mm512_load_pd(c + 2 * n + j));
      const __m512d s = _mm512_fmadd_pd(d2, d2, _mm512_fmadd_pd(d1, d1, _mm512_mul_pd(d0, d0)));
      _mm512_stream_pd(out + i * n + j, _mm512_sqrt_pd(s));
    }
  }
  free(c);
}
#endif
