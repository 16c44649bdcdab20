// SPDX-License-Identifier: Apache-2.0
// One text, machine_kernels.inc, with the vectors of each instruction set. Target attributes keep
// the wide instructions inside these functions, so the library runs on any processor.

#include "device/host/machine_kernels.h"

#include <cmath>

#include "device/host/cpu.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace lathe::host {
namespace {

#if defined(__x86_64__)
namespace avx512 {
#define LATHE_TARGET __attribute__((target("avx512f")))
using Doubles = __m512d;
using Floats = __m512;
LATHE_TARGET inline Doubles fill(double x) { return _mm512_set1_pd(x); }
LATHE_TARGET inline Floats fill_f32(float x) { return _mm512_set1_ps(x); }
LATHE_TARGET inline Doubles load(const double* p) { return _mm512_load_pd(p); }
LATHE_TARGET inline void stream(double* p, Doubles v) { _mm512_stream_pd(p, v); }
LATHE_TARGET inline Doubles add(Doubles a, Doubles b) { return _mm512_add_pd(a, b); }
LATHE_TARGET inline Floats add(Floats a, Floats b) { return _mm512_add_ps(a, b); }
LATHE_TARGET inline Doubles fma(Doubles a, Doubles b, Doubles c) {
  return _mm512_fmadd_pd(a, b, c);
}
LATHE_TARGET inline Floats fma(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
LATHE_TARGET inline Doubles mul(Doubles a, Doubles b) { return _mm512_mul_pd(a, b); }
LATHE_TARGET inline Doubles div(Doubles a, Doubles b) { return _mm512_div_pd(a, b); }
LATHE_TARGET inline Doubles root(Doubles a) {
  return _mm512_maskz_sqrt_pd(0xff, a);
}  // the plain one warns: gcc 12
inline void fence() { _mm_sfence(); }
#include "device/host/machine_kernels.inc"
#undef LATHE_TARGET
}  // namespace avx512

namespace avx2 {
#define LATHE_TARGET __attribute__((target("avx2,fma")))
using Doubles = __m256d;
using Floats = __m256;
LATHE_TARGET inline Doubles fill(double x) { return _mm256_set1_pd(x); }
LATHE_TARGET inline Floats fill_f32(float x) { return _mm256_set1_ps(x); }
LATHE_TARGET inline Doubles load(const double* p) { return _mm256_load_pd(p); }
LATHE_TARGET inline void stream(double* p, Doubles v) { _mm256_stream_pd(p, v); }
LATHE_TARGET inline Doubles add(Doubles a, Doubles b) { return _mm256_add_pd(a, b); }
LATHE_TARGET inline Floats add(Floats a, Floats b) { return _mm256_add_ps(a, b); }
LATHE_TARGET inline Doubles fma(Doubles a, Doubles b, Doubles c) {
  return _mm256_fmadd_pd(a, b, c);
}
LATHE_TARGET inline Floats fma(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
LATHE_TARGET inline Doubles mul(Doubles a, Doubles b) { return _mm256_mul_pd(a, b); }
LATHE_TARGET inline Doubles div(Doubles a, Doubles b) { return _mm256_div_pd(a, b); }
LATHE_TARGET inline Doubles root(Doubles a) { return _mm256_sqrt_pd(a); }
inline void fence() { _mm_sfence(); }
#include "device/host/machine_kernels.inc"
#undef LATHE_TARGET
}  // namespace avx2
#endif

// Any other processor: the compilers' own vectors of 16 bytes, and no streaming stores.
namespace plain {
#define LATHE_TARGET
typedef double Doubles __attribute__((vector_size(16)));
typedef float Floats __attribute__((vector_size(16)));
inline Doubles fill(double x) { return Doubles{x, x}; }
inline Floats fill_f32(float x) { return Floats{x, x, x, x}; }
inline Doubles load(const double* p) { return *reinterpret_cast<const Doubles*>(p); }
inline void stream(double* p, Doubles v) { *reinterpret_cast<Doubles*>(p) = v; }
inline Doubles add(Doubles a, Doubles b) { return a + b; }
inline Floats add(Floats a, Floats b) { return a + b; }
inline Doubles fma(Doubles a, Doubles b, Doubles c) { return a * b + c; }
inline Floats fma(Floats a, Floats b, Floats c) { return a * b + c; }
inline Doubles mul(Doubles a, Doubles b) { return a * b; }
inline Doubles div(Doubles a, Doubles b) { return a / b; }
inline Doubles root(Doubles a) { return Doubles{std::sqrt(a[0]), std::sqrt(a[1])}; }
inline void fence() {}
#include "device/host/machine_kernels.inc"
#undef LATHE_TARGET
}  // namespace plain

}  // namespace

const MachineKernels& machine_kernels() {
#if defined(__x86_64__)
  if (has_avx512()) return avx512::kKernels;
  if (has_avx2_fma()) return avx2::kKernels;
#endif
  return plain::kKernels;
}

}  // namespace lathe::host
