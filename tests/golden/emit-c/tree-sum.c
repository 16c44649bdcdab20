// SPDX-License-Identifier: Apache-2.0

typedef f64 f64x8 __attribute__((vector_size(64)));
typedef f64 f64x4 __attribute__((vector_size(32)));
typedef f64 f64x2 __attribute__((vector_size(16)));

FN i64 neg_i64(i64 x) {
  return (i64)(0 - (u64)x);
}

FN i64 floordiv_i64(i64 a, i64 b) {
  if (b == 0) return 0;
  if (b == -1) return neg_i64(a);
  return (i64)(a / b - (a % b != 0 && (a < 0) != (b < 0)));
}

FN i64 mul_i64(i64 a, i64 b) {
  return (i64)((u64)a * (u64)b);
}

FN f64x8 splat_f64x8(f64 x) {
  return (f64x8){x, x, x, x, x, x, x, x};
}

FN f64x8 load_f64x8(const f64 *p) {
  typedef f64x8 any __attribute__((aligned(sizeof *p), may_alias));
  return *(const any *)p;
}

FN void store_f64x8(f64 *p, f64x8 x) {
  typedef f64x8 any __attribute__((aligned(sizeof *p), may_alias));
  *(any *)p = x;
}

FN i64 sub_i64(i64 a, i64 b) {
  return (i64)((u64)a - (u64)b);
}

FN i64 add_i64(i64 a, i64 b) {
  return (i64)((u64)a + (u64)b);
}

FN f64x4 load_f64x4(const f64 *p) {
  typedef f64x4 any __attribute__((aligned(sizeof *p), may_alias));
  return *(const any *)p;
}

FN void store_f64x4(f64 *p, f64x4 x) {
  typedef f64x4 any __attribute__((aligned(sizeof *p), may_alias));
  *(any *)p = x;
}

FN f64x2 load_f64x2(const f64 *p) {
  typedef f64x2 any __attribute__((aligned(sizeof *p), may_alias));
  return *(const any *)p;
}

FN void store_f64x2(f64 *p, f64x2 x) {
  typedef f64x2 any __attribute__((aligned(sizeof *p), may_alias));
  *(any *)p = x;
}

FN i32 stopped(lathe_context *context) {
  return __atomic_load_n(&context->status, __ATOMIC_RELAXED) != 0;
}

struct environment_0 {
  lathe_context *context;
};

void lathe_body_0(void *environment, i64 lo, i64 hi) {
  const struct environment_0 *const e = (const struct environment_0 *)environment;
  lathe_context *const context = e->context;
  const i64 p1_m = (i64)context->parameters[1];
  const f64 *restrict b0_u = (const f64 *)context->arrays[0].data;
  const i64 s0_0 = context->arrays[0].axes[0].stride;
  f64 *restrict b1_r = (f64 *)context->arrays[1].data;
  for (i64 x0_i = lo; x0_i < hi; ++x0_i) {
    if (stopped(context)) {
      return;
    }
    f64x8 a1_acc_0 = {0};
    f64x8 a1_acc_1 = {0};
    f64x8 a1_acc_2 = {0};
    f64x8 a1_acc_3 = {0};
    f64x8 a1_acc_4 = {0};
    f64x8 a1_acc_5 = {0};
    f64x8 a1_acc_6 = {0};
    f64x8 a1_acc_7 = {0};
    f64 b2_s[64] __attribute__((aligned(64)));
    const i64 x3_whole = mul_i64(floordiv_i64(p1_m, 64), 64);
    a1_acc_0 = splat_f64x8((-0.0));
    a1_acc_1 = splat_f64x8((-0.0));
    a1_acc_2 = splat_f64x8((-0.0));
    a1_acc_3 = splat_f64x8((-0.0));
    a1_acc_4 = splat_f64x8((-0.0));
    a1_acc_5 = splat_f64x8((-0.0));
    a1_acc_6 = splat_f64x8((-0.0));
    a1_acc_7 = splat_f64x8((-0.0));
    const i64 hi4 = floordiv_i64(p1_m, 64);
    for (i64 x5_b = 0; x5_b < hi4; ++x5_b) {
      a1_acc_0 = a1_acc_0 + load_f64x8(&b0_u[x0_i * s0_0 + x5_b * 64]);
      a1_acc_1 = a1_acc_1 + load_f64x8(&b0_u[x0_i * s0_0 + x5_b * 64 + 8]);
      a1_acc_2 = a1_acc_2 + load_f64x8(&b0_u[x0_i * s0_0 + x5_b * 64 + 16]);
      a1_acc_3 = a1_acc_3 + load_f64x8(&b0_u[x0_i * s0_0 + x5_b * 64 + 24]);
      a1_acc_4 = a1_acc_4 + load_f64x8(&b0_u[x0_i * s0_0 + x5_b * 64 + 32]);
      a1_acc_5 = a1_acc_5 + load_f64x8(&b0_u[x0_i * s0_0 + x5_b * 64 + 40]);
      a1_acc_6 = a1_acc_6 + load_f64x8(&b0_u[x0_i * s0_0 + x5_b * 64 + 48]);
      a1_acc_7 = a1_acc_7 + load_f64x8(&b0_u[x0_i * s0_0 + x5_b * 64 + 56]);
    }
    store_f64x8(&b2_s[0], a1_acc_0);
    store_f64x8(&b2_s[8], a1_acc_1);
    store_f64x8(&b2_s[16], a1_acc_2);
    store_f64x8(&b2_s[24], a1_acc_3);
    store_f64x8(&b2_s[32], a1_acc_4);
    store_f64x8(&b2_s[40], a1_acc_5);
    store_f64x8(&b2_s[48], a1_acc_6);
    store_f64x8(&b2_s[56], a1_acc_7);
    const i64 hi6 = sub_i64(p1_m, x3_whole);
    for (i64 x7_l = 0; x7_l < hi6; ++x7_l) {
      b2_s[x7_l] = b2_s[x7_l] + b0_u[x0_i * s0_0 + add_i64(x3_whole, x7_l)];
    }
    store_f64x8(&b2_s[0], load_f64x8(&b2_s[0]) + load_f64x8(&b2_s[32]));
    store_f64x8(&b2_s[8], load_f64x8(&b2_s[8]) + load_f64x8(&b2_s[8 + 32]));
    store_f64x8(&b2_s[16], load_f64x8(&b2_s[16]) + load_f64x8(&b2_s[16 + 32]));
    store_f64x8(&b2_s[24], load_f64x8(&b2_s[24]) + load_f64x8(&b2_s[24 + 32]));
    store_f64x8(&b2_s[0], load_f64x8(&b2_s[0]) + load_f64x8(&b2_s[16]));
    store_f64x8(&b2_s[8], load_f64x8(&b2_s[8]) + load_f64x8(&b2_s[8 + 16]));
    store_f64x8(&b2_s[0], load_f64x8(&b2_s[0]) + load_f64x8(&b2_s[8]));
    store_f64x4(&b2_s[0], load_f64x4(&b2_s[0]) + load_f64x4(&b2_s[4]));
    store_f64x2(&b2_s[0], load_f64x2(&b2_s[0]) + load_f64x2(&b2_s[2]));
    for (i64 x8_l = 0; x8_l < 1; ++x8_l) {
      b2_s[x8_l] = b2_s[x8_l] + b2_s[x8_l + 1];
    }
    b1_r[x0_i] = b2_s[0];
  }
}

i32 lathe_run(lathe_context *context) {
  const i64 p0_n = (i64)context->parameters[0];
  struct environment_0 e0 = {context};
  context->parallel(context, lathe_body_0, &e0, 0, p0_n, 1);
  if (stopped(context)) {
    return context->status;
  }
  return LATHE_FINE;
}
