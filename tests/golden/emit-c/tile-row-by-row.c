// SPDX-License-Identifier: Apache-2.0

typedef f32 f32x8 __attribute__((vector_size(32)));

FN f32x8 load_f32x8(const f32 *p) {
  typedef f32x8 any __attribute__((aligned(sizeof *p), may_alias));
  return *(const any *)p;
}

FN f32x8 splat_f32x8(f32 x) {
  return (f32x8){x, x, x, x, x, x, x, x};
}

FN f32x8 fma_f32x8(f32x8 a, f32x8 b, f32x8 c) {
#ifdef __FMA__
  return __builtin_ia32_vfmaddps256(a, b, c);
#else
  return (f32x8){__builtin_fmaf(a[0], b[0], c[0]), __builtin_fmaf(a[1], b[1], c[1]), __builtin_fmaf(a[2], b[2], c[2]), __builtin_fmaf(a[3], b[3], c[3]), __builtin_fmaf(a[4], b[4], c[4]), __builtin_fmaf(a[5], b[5], c[5]), __builtin_fmaf(a[6], b[6], c[6]), __builtin_fmaf(a[7], b[7], c[7])};
#endif
}

FN void store_f32x8(f32 *p, f32x8 x) {
  typedef f32x8 any __attribute__((aligned(sizeof *p), may_alias));
  *(any *)p = x;
}

FN i32 stopped(lathe_context *context) {
  return __atomic_load_n(&context->status, __ATOMIC_RELAXED) != 0;
}

i32 lathe_run(lathe_context *context) {
  const i64 p0_n = (i64)context->parameters[0];
  const f32 *restrict b0_a = (const f32 *)context->arrays[0].data;
  const i64 s0_0 = context->arrays[0].axes[0].stride;
  const f32 *restrict b1_b = (const f32 *)context->arrays[1].data;
  const i64 s1_0 = context->arrays[1].axes[0].stride;
  f32 *restrict b2_c = (f32 *)context->arrays[2].data;
  const i64 s2_0 = context->arrays[2].axes[0].stride;
  f32x8 a0_acc0_0 = {0};
  f32x8 a0_acc0_1 = {0};
  f32x8 a1_acc1_0 = {0};
  f32x8 a1_acc1_1 = {0};
  f32x8 a2_acc2_0 = {0};
  f32x8 a2_acc2_1 = {0};
  f32x8 a3_acc3_0 = {0};
  f32x8 a3_acc3_1 = {0};
  f32x8 a4_acc4_0 = {0};
  f32x8 a4_acc4_1 = {0};
  f32x8 a5_acc5_0 = {0};
  f32x8 a5_acc5_1 = {0};
  a0_acc0_0 = load_f32x8(&b2_c[0]);
  a1_acc1_0 = load_f32x8(&b2_c[1 * s2_0]);
  a2_acc2_0 = load_f32x8(&b2_c[2 * s2_0]);
  a3_acc3_0 = load_f32x8(&b2_c[3 * s2_0]);
  a4_acc4_0 = load_f32x8(&b2_c[4 * s2_0]);
  a5_acc5_0 = load_f32x8(&b2_c[5 * s2_0]);
  a0_acc0_1 = load_f32x8(&b2_c[8]);
  a1_acc1_1 = load_f32x8(&b2_c[1 * s2_0 + 8]);
  a2_acc2_1 = load_f32x8(&b2_c[2 * s2_0 + 8]);
  a3_acc3_1 = load_f32x8(&b2_c[3 * s2_0 + 8]);
  a4_acc4_1 = load_f32x8(&b2_c[4 * s2_0 + 8]);
  a5_acc5_1 = load_f32x8(&b2_c[5 * s2_0 + 8]);
  for (i64 x6_p = 0; x6_p < p0_n; ++x6_p) {
    if (stopped(context)) {
      return context->status;
    }
    {
      const f32x8 x7_t_0 = load_f32x8(&b1_b[x6_p * s1_0]);
      const f32x8 x7_t_1 = load_f32x8(&b1_b[x6_p * s1_0 + 8]);
      a0_acc0_0 = fma_f32x8(splat_f32x8(b0_a[x6_p * s0_0]), x7_t_0, a0_acc0_0);
      a0_acc0_1 = fma_f32x8(splat_f32x8(b0_a[x6_p * s0_0]), x7_t_1, a0_acc0_1);
      a1_acc1_0 = fma_f32x8(splat_f32x8(b0_a[x6_p * s0_0 + 1]), x7_t_0, a1_acc1_0);
      a1_acc1_1 = fma_f32x8(splat_f32x8(b0_a[x6_p * s0_0 + 1]), x7_t_1, a1_acc1_1);
      a2_acc2_0 = fma_f32x8(splat_f32x8(b0_a[x6_p * s0_0 + 2]), x7_t_0, a2_acc2_0);
      a2_acc2_1 = fma_f32x8(splat_f32x8(b0_a[x6_p * s0_0 + 2]), x7_t_1, a2_acc2_1);
      a3_acc3_0 = fma_f32x8(splat_f32x8(b0_a[x6_p * s0_0 + 3]), x7_t_0, a3_acc3_0);
      a3_acc3_1 = fma_f32x8(splat_f32x8(b0_a[x6_p * s0_0 + 3]), x7_t_1, a3_acc3_1);
      a4_acc4_0 = fma_f32x8(splat_f32x8(b0_a[x6_p * s0_0 + 4]), x7_t_0, a4_acc4_0);
      a4_acc4_1 = fma_f32x8(splat_f32x8(b0_a[x6_p * s0_0 + 4]), x7_t_1, a4_acc4_1);
      a5_acc5_0 = fma_f32x8(splat_f32x8(b0_a[x6_p * s0_0 + 5]), x7_t_0, a5_acc5_0);
      a5_acc5_1 = fma_f32x8(splat_f32x8(b0_a[x6_p * s0_0 + 5]), x7_t_1, a5_acc5_1);
    }
  }
  store_f32x8(&b2_c[0], a0_acc0_0);
  store_f32x8(&b2_c[1 * s2_0], a1_acc1_0);
  store_f32x8(&b2_c[2 * s2_0], a2_acc2_0);
  store_f32x8(&b2_c[3 * s2_0], a3_acc3_0);
  store_f32x8(&b2_c[4 * s2_0], a4_acc4_0);
  store_f32x8(&b2_c[5 * s2_0], a5_acc5_0);
  store_f32x8(&b2_c[8], a0_acc0_1);
  store_f32x8(&b2_c[1 * s2_0 + 8], a1_acc1_1);
  store_f32x8(&b2_c[2 * s2_0 + 8], a2_acc2_1);
  store_f32x8(&b2_c[3 * s2_0 + 8], a3_acc3_1);
  store_f32x8(&b2_c[4 * s2_0 + 8], a4_acc4_1);
  store_f32x8(&b2_c[5 * s2_0 + 8], a5_acc5_1);
  return LATHE_FINE;
}
