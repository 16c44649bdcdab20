// SPDX-License-Identifier: Apache-2.0

FN f64 of_bits_f64(u64 bits) {
  f64 x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

FN i32 stopped(lathe_context *context) {
  return __atomic_load_n(&context->status, __ATOMIC_RELAXED) != 0;
}

static __attribute__((cold, noinline)) void fault(lathe_context *context, i64 site, i32 count,
                                                   const i64 *values) {
  i32 none = 0;
  if (!__atomic_compare_exchange_n(&context->status, &none, LATHE_FAULT, 0, __ATOMIC_RELAXED,
                                   __ATOMIC_RELAXED))
    return;
  context->fault_site = site;
  context->fault_count = count;
  for (i32 i = 0; i < count; ++i) context->fault_values[i] = values[i];
}

static __attribute__((cold, noinline)) i64 outside(lathe_context *context, i64 check,
                                                    i32 count, const i64 *index) {
  fault(context, (1 << 20) + check, count, index);
  return 0;
}

struct environment_0 {
  lathe_context *context;
};

void lathe_body_0(void *environment, i64 lo, i64 hi) {
  const struct environment_0 *const e = (const struct environment_0 *)environment;
  lathe_context *const context = e->context;
  const i64 p1_m = (i64)context->parameters[1];
  const f64 p2_a = of_bits_f64((u64)context->parameters[2]);
  const f64 *restrict b0_u = (const f64 *)context->arrays[0].data;
  const i64 s0_0 = context->arrays[0].axes[0].stride;
  const i64 l0_0 = context->arrays[0].axes[0].lo;
  const i64 l0_1 = context->arrays[0].axes[1].lo;
  const i64 h0_0 = context->arrays[0].axes[0].hi;
  const i64 h0_1 = context->arrays[0].axes[1].hi;
  f64 *restrict b1_v = (f64 *)context->arrays[1].data;
  const i64 s1_0 = context->arrays[1].axes[0].stride;
  const i64 l1_0 = context->arrays[1].axes[0].lo;
  const i64 l1_1 = context->arrays[1].axes[1].lo;
  const i64 h1_0 = context->arrays[1].axes[0].hi;
  const i64 h1_1 = context->arrays[1].axes[1].hi;
  for (i64 x1_i = lo; x1_i < hi; ++x1_i) {
    if (stopped(context)) {
      return;
    }
    const i64 hi2 = p1_m - 1;
    for (i64 x3_j = 1; x3_j < hi2; ++x3_j) {
      const i64 t0 = x1_i - 1;
      const f64 t1 = (l0_0 <= t0 && t0 < h0_0 && l0_1 <= x3_j && x3_j < h0_1) ? b0_u[(x1_i - 1) * s0_0 + x3_j] : (f64)outside(context, 0, 2, (const i64[]){x1_i - 1, x3_j});
      const i64 t2 = x1_i + 1;
      const f64 t3 = (l0_0 <= t2 && t2 < h0_0 && l0_1 <= x3_j && x3_j < h0_1) ? b0_u[(x1_i + 1) * s0_0 + x3_j] : (f64)outside(context, 1, 2, (const i64[]){x1_i + 1, x3_j});
      const i64 t4 = x3_j - 1;
      const f64 t5 = (l0_0 <= x1_i && x1_i < h0_0 && l0_1 <= t4 && t4 < h0_1) ? b0_u[x1_i * s0_0 + x3_j - 1] : (f64)outside(context, 2, 2, (const i64[]){x1_i, x3_j - 1});
      const i64 t6 = x3_j + 1;
      const f64 t7 = (l0_0 <= x1_i && x1_i < h0_0 && l0_1 <= t6 && t6 < h0_1) ? b0_u[x1_i * s0_0 + x3_j + 1] : (f64)outside(context, 3, 2, (const i64[]){x1_i, x3_j + 1});
      const f64 t8 = (l0_0 <= x1_i && x1_i < h0_0 && l0_1 <= x3_j && x3_j < h0_1) ? b0_u[x1_i * s0_0 + x3_j] : (f64)outside(context, 4, 2, (const i64[]){x1_i, x3_j});
      const f64 x4_lap = t1 + t3 + t5 + t7 - 4.0 * t8;
      const f64 t9 = (l0_0 <= x1_i && x1_i < h0_0 && l0_1 <= x3_j && x3_j < h0_1) ? b0_u[x1_i * s0_0 + x3_j] : (f64)outside(context, 5, 2, (const i64[]){x1_i, x3_j});
      if (l1_0 <= x1_i && x1_i < h1_0 && l1_1 <= x3_j && x3_j < h1_1) {
        b1_v[x1_i * s1_0 + x3_j] = t9 + p2_a * x4_lap;
      } else {
        outside(context, 6, 2, (const i64[]){x1_i, x3_j});
      }
    }
  }
}

i32 lathe_run(lathe_context *context) {
  const i64 p0_n = (i64)context->parameters[0];
  // lap: examples/diffusion.lathe:8 * /  / /
  const i64 hi0 = p0_n - 1;
  struct environment_0 e0 = {context};
  context->parallel(context, lathe_body_0, &e0, 1, hi0, 1);
  if (stopped(context)) {
    return context->status;
  }
  return context->status;
}
