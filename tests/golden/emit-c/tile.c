// SPDX-License-Identifier: Apache-2.0

typedef f32 f32x16 __attribute__((vector_size(64)));

FN f32x16 load_f32x16(const f32 *p) {
  typedef f32x16 any __attribute__((aligned(sizeof *p), may_alias));
  return *(const any *)p;
}

FN f32x16 splat_f32x16(f32 x) {
  return (f32x16){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
}

FN f32x16 fma_f32x16(f32x16 a, f32x16 b, f32x16 c) {
#ifdef __AVX512F__
  return __builtin_ia32_vfmaddps512_mask(a, b, c, -1, 4);
#else
  return (f32x16){__builtin_fmaf(a[0], b[0], c[0]), __builtin_fmaf(a[1], b[1], c[1]), __builtin_fmaf(a[2], b[2], c[2]), __builtin_fmaf(a[3], b[3], c[3]), __builtin_fmaf(a[4], b[4], c[4]), __builtin_fmaf(a[5], b[5], c[5]), __builtin_fmaf(a[6], b[6], c[6]), __builtin_fmaf(a[7], b[7], c[7]), __builtin_fmaf(a[8], b[8], c[8]), __builtin_fmaf(a[9], b[9], c[9]), __builtin_fmaf(a[10], b[10], c[10]), __builtin_fmaf(a[11], b[11], c[11]), __builtin_fmaf(a[12], b[12], c[12]), __builtin_fmaf(a[13], b[13], c[13]), __builtin_fmaf(a[14], b[14], c[14]), __builtin_fmaf(a[15], b[15], c[15])};
#endif
}

FN void store_f32x16(f32 *p, f32x16 x) {
  typedef f32x16 any __attribute__((aligned(sizeof *p), may_alias));
  *(any *)p = x;
}

FN i32 stopped(lathe_context *context) {
  return __atomic_load_n(&context->status, __ATOMIC_RELAXED) != 0;
}

i32 lathe_run(lathe_context *context) {
  const i64 p0_k = (i64)context->parameters[0];
  const f32 *restrict b0_a = (const f32 *)context->arrays[0].data;
  const i64 s0_0 = context->arrays[0].axes[0].stride;
  const f32 *restrict b1_b = (const f32 *)context->arrays[1].data;
  const i64 s1_0 = context->arrays[1].axes[0].stride;
  f32 *restrict b2_c = (f32 *)context->arrays[2].data;
  const i64 s2_0 = context->arrays[2].axes[0].stride;
  f32x16 a0_acc0_0 = {0};
  f32x16 a0_acc0_1 = {0};
  f32x16 a0_acc0_2 = {0};
  f32x16 a0_acc0_3 = {0};
  a0_acc0_0 = load_f32x16(&b2_c[0]);
  a0_acc0_1 = load_f32x16(&b2_c[16]);
  a0_acc0_2 = load_f32x16(&b2_c[32]);
  a0_acc0_3 = load_f32x16(&b2_c[48]);
  f32x16 a1_acc1_0 = {0};
  f32x16 a1_acc1_1 = {0};
  f32x16 a1_acc1_2 = {0};
  f32x16 a1_acc1_3 = {0};
  a1_acc1_0 = load_f32x16(&b2_c[1 * s2_0]);
  a1_acc1_1 = load_f32x16(&b2_c[1 * s2_0 + 16]);
  a1_acc1_2 = load_f32x16(&b2_c[1 * s2_0 + 32]);
  a1_acc1_3 = load_f32x16(&b2_c[1 * s2_0 + 48]);
  f32x16 a2_acc2_0 = {0};
  f32x16 a2_acc2_1 = {0};
  f32x16 a2_acc2_2 = {0};
  f32x16 a2_acc2_3 = {0};
  a2_acc2_0 = load_f32x16(&b2_c[2 * s2_0]);
  a2_acc2_1 = load_f32x16(&b2_c[2 * s2_0 + 16]);
  a2_acc2_2 = load_f32x16(&b2_c[2 * s2_0 + 32]);
  a2_acc2_3 = load_f32x16(&b2_c[2 * s2_0 + 48]);
  f32x16 a3_acc3_0 = {0};
  f32x16 a3_acc3_1 = {0};
  f32x16 a3_acc3_2 = {0};
  f32x16 a3_acc3_3 = {0};
  a3_acc3_0 = load_f32x16(&b2_c[3 * s2_0]);
  a3_acc3_1 = load_f32x16(&b2_c[3 * s2_0 + 16]);
  a3_acc3_2 = load_f32x16(&b2_c[3 * s2_0 + 32]);
  a3_acc3_3 = load_f32x16(&b2_c[3 * s2_0 + 48]);
  f32x16 a4_acc4_0 = {0};
  f32x16 a4_acc4_1 = {0};
  f32x16 a4_acc4_2 = {0};
  f32x16 a4_acc4_3 = {0};
  a4_acc4_0 = load_f32x16(&b2_c[4 * s2_0]);
  a4_acc4_1 = load_f32x16(&b2_c[4 * s2_0 + 16]);
  a4_acc4_2 = load_f32x16(&b2_c[4 * s2_0 + 32]);
  a4_acc4_3 = load_f32x16(&b2_c[4 * s2_0 + 48]);
  f32x16 a5_acc5_0 = {0};
  f32x16 a5_acc5_1 = {0};
  f32x16 a5_acc5_2 = {0};
  f32x16 a5_acc5_3 = {0};
  a5_acc5_0 = load_f32x16(&b2_c[5 * s2_0]);
  a5_acc5_1 = load_f32x16(&b2_c[5 * s2_0 + 16]);
  a5_acc5_2 = load_f32x16(&b2_c[5 * s2_0 + 32]);
  a5_acc5_3 = load_f32x16(&b2_c[5 * s2_0 + 48]);
  for (i64 x6_p = 0; x6_p < p0_k; ++x6_p) {
    if (stopped(context)) {
      return context->status;
    }
    a0_acc0_0 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0]), load_f32x16(&b1_b[x6_p * s1_0]), a0_acc0_0);
    a0_acc0_1 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0]), load_f32x16(&b1_b[x6_p * s1_0 + 16]), a0_acc0_1);
    a0_acc0_2 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0]), load_f32x16(&b1_b[x6_p * s1_0 + 32]), a0_acc0_2);
    a0_acc0_3 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0]), load_f32x16(&b1_b[x6_p * s1_0 + 48]), a0_acc0_3);
    a1_acc1_0 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0 + 1]), load_f32x16(&b1_b[x6_p * s1_0]), a1_acc1_0);
    a1_acc1_1 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0 + 1]), load_f32x16(&b1_b[x6_p * s1_0 + 16]), a1_acc1_1);
    a1_acc1_2 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0 + 1]), load_f32x16(&b1_b[x6_p * s1_0 + 32]), a1_acc1_2);
    a1_acc1_3 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0 + 1]), load_f32x16(&b1_b[x6_p * s1_0 + 48]), a1_acc1_3);
    a2_acc2_0 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0 + 2]), load_f32x16(&b1_b[x6_p * s1_0]), a2_acc2_0);
    a2_acc2_1 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0 + 2]), load_f32x16(&b1_b[x6_p * s1_0 + 16]), a2_acc2_1);
    a2_acc2_2 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0 + 2]), load_f32x16(&b1_b[x6_p * s1_0 + 32]), a2_acc2_2);
    a2_acc2_3 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0 + 2]), load_f32x16(&b1_b[x6_p * s1_0 + 48]), a2_acc2_3);
    a3_acc3_0 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0 + 3]), load_f32x16(&b1_b[x6_p * s1_0]), a3_acc3_0);
    a3_acc3_1 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0 + 3]), load_f32x16(&b1_b[x6_p * s1_0 + 16]), a3_acc3_1);
    a3_acc3_2 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0 + 3]), load_f32x16(&b1_b[x6_p * s1_0 + 32]), a3_acc3_2);
    a3_acc3_3 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0 + 3]), load_f32x16(&b1_b[x6_p * s1_0 + 48]), a3_acc3_3);
    a4_acc4_0 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0 + 4]), load_f32x16(&b1_b[x6_p * s1_0]), a4_acc4_0);
    a4_acc4_1 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0 + 4]), load_f32x16(&b1_b[x6_p * s1_0 + 16]), a4_acc4_1);
    a4_acc4_2 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0 + 4]), load_f32x16(&b1_b[x6_p * s1_0 + 32]), a4_acc4_2);
    a4_acc4_3 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0 + 4]), load_f32x16(&b1_b[x6_p * s1_0 + 48]), a4_acc4_3);
    a5_acc5_0 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0 + 5]), load_f32x16(&b1_b[x6_p * s1_0]), a5_acc5_0);
    a5_acc5_1 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0 + 5]), load_f32x16(&b1_b[x6_p * s1_0 + 16]), a5_acc5_1);
    a5_acc5_2 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0 + 5]), load_f32x16(&b1_b[x6_p * s1_0 + 32]), a5_acc5_2);
    a5_acc5_3 = fma_f32x16(splat_f32x16(b0_a[x6_p * s0_0 + 5]), load_f32x16(&b1_b[x6_p * s1_0 + 48]), a5_acc5_3);
  }
  store_f32x16(&b2_c[0], a0_acc0_0);
  store_f32x16(&b2_c[16], a0_acc0_1);
  store_f32x16(&b2_c[32], a0_acc0_2);
  store_f32x16(&b2_c[48], a0_acc0_3);
  store_f32x16(&b2_c[1 * s2_0], a1_acc1_0);
  store_f32x16(&b2_c[1 * s2_0 + 16], a1_acc1_1);
  store_f32x16(&b2_c[1 * s2_0 + 32], a1_acc1_2);
  store_f32x16(&b2_c[1 * s2_0 + 48], a1_acc1_3);
  store_f32x16(&b2_c[2 * s2_0], a2_acc2_0);
  store_f32x16(&b2_c[2 * s2_0 + 16], a2_acc2_1);
  store_f32x16(&b2_c[2 * s2_0 + 32], a2_acc2_2);
  store_f32x16(&b2_c[2 * s2_0 + 48], a2_acc2_3);
  store_f32x16(&b2_c[3 * s2_0], a3_acc3_0);
  store_f32x16(&b2_c[3 * s2_0 + 16], a3_acc3_1);
  store_f32x16(&b2_c[3 * s2_0 + 32], a3_acc3_2);
  store_f32x16(&b2_c[3 * s2_0 + 48], a3_acc3_3);
  store_f32x16(&b2_c[4 * s2_0], a4_acc4_0);
  store_f32x16(&b2_c[4 * s2_0 + 16], a4_acc4_1);
  store_f32x16(&b2_c[4 * s2_0 + 32], a4_acc4_2);
  store_f32x16(&b2_c[4 * s2_0 + 48], a4_acc4_3);
  store_f32x16(&b2_c[5 * s2_0], a5_acc5_0);
  store_f32x16(&b2_c[5 * s2_0 + 16], a5_acc5_1);
  store_f32x16(&b2_c[5 * s2_0 + 32], a5_acc5_2);
  store_f32x16(&b2_c[5 * s2_0 + 48], a5_acc5_3);
  return LATHE_FINE;
}
