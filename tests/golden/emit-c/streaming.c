// SPDX-License-Identifier: Apache-2.0

typedef f64 f64x8 __attribute__((vector_size(64)));
typedef f64 f64x4 __attribute__((vector_size(32)));
typedef f64 f64x2 __attribute__((vector_size(16)));

FN f64x8 load_f64x8(const f64 *p) {
  typedef f64x8 any __attribute__((aligned(sizeof *p), may_alias));
  return *(const any *)p;
}

FN f64x8 load_part_f64x8(const f64 *p, i64 n) {
#ifdef __AVX512F__
  return (f64x8)__builtin_ia32_loadupd512_mask((const void *)p, (f64x8){0}, (1 << n) - 1);
#else
  if (n == 8) return load_f64x8(p);
  f64x8 x = {0};
  __builtin_memcpy(&x, p, n * sizeof *p);
  return x;
#endif
}

FN f64x8 splat_f64x8(f64 x) {
  return (f64x8){x, x, x, x, x, x, x, x};
}

FN void store_f64x8(f64 *p, f64x8 x) {
  typedef f64x8 any __attribute__((aligned(sizeof *p), may_alias));
  *(any *)p = x;
}

FN void store_f64x4(f64 *p, f64x4 x) {
  typedef f64x4 any __attribute__((aligned(sizeof *p), may_alias));
  *(any *)p = x;
}

FN void store_f64x2(f64 *p, f64x2 x) {
  typedef f64x2 any __attribute__((aligned(sizeof *p), may_alias));
  *(any *)p = x;
}

FN void store_part_f64x8(f64 *p, f64x8 x, i64 n) {
  if (n == 8) {
    store_f64x8(p, x);
    return;
  }
  if (n & 4) {
    store_f64x4(p, __builtin_shufflevector(x, x, 0, 1, 2, 3));
    p += 4;
    x = __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3);
  }
  if (n & 2) {
    store_f64x2(p, __builtin_shufflevector(x, x, 0, 1));
    p += 2;
    x = __builtin_shufflevector(x, x, 2, 3, 4, 5, 6, 7, 0, 1);
  }
  if (n & 1) *p = x[0];
}

FN void stream_f64x8(f64 *p, f64x8 x) {
#if defined __x86_64__ && defined __clang__
  typedef f64x8 any __attribute__((may_alias));
  __builtin_nontemporal_store(x, (any *)p);
#elif defined __AVX512F__
  __builtin_ia32_movntpd512((f64 *)p, (f64x8)x);
#else
  store_f64x8(p, x);
#endif
}

FN f64 of_bits_f64(u64 bits) {
  f64 x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

FN i32 stopped(lathe_context *context) {
  return __atomic_load_n(&context->status, __ATOMIC_RELAXED) != 0;
}

FN void fence(void) {
#ifdef __x86_64__
  __builtin_ia32_sfence();
#endif
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
  f64 *restrict b1_v = (f64 *)context->arrays[1].data;
  const i64 s1_0 = context->arrays[1].axes[0].stride;
  for (i64 x1_i = lo; x1_i < hi; ++x1_i) {
    if (stopped(context)) {
      return;
    }
    {
      const i64 hi2 = p1_m - 1;
      i64 x3_j = 1;
      // Parts of a vector up to the first aligned address, and after the last one.
      i64 t0 = x3_j + (i64)(-(u64)&b1_v[x1_i * s1_0 + x3_j] % 64 / 8);
      if (t0 > hi2) t0 = hi2;
      for (;; t0 = hi2) {
        for (i64 n4; x3_j < t0; x3_j += n4) {
          n4 = t0 - x3_j < 8 ? t0 - x3_j : 8;
          const f64x8 t1 = load_part_f64x8(&b0_u[(x1_i - 1) * s0_0 + x3_j], n4) + load_part_f64x8(&b0_u[(x1_i + 1) * s0_0 + x3_j], n4);
          const f64x8 t2 = t1 + load_part_f64x8(&b0_u[x1_i * s0_0 + x3_j - 1], n4) + load_part_f64x8(&b0_u[x1_i * s0_0 + x3_j + 1], n4);
          const f64x8 x5_lap = t2 - splat_f64x8(4.0) * load_part_f64x8(&b0_u[x1_i * s0_0 + x3_j], n4);
          store_part_f64x8(&b1_v[x1_i * s1_0 + x3_j], load_part_f64x8(&b0_u[x1_i * s0_0 + x3_j], n4) + splat_f64x8(p2_a) * x5_lap, n4);
        }
        if (x3_j >= hi2) break;
        for (; x3_j + 8 <= hi2; x3_j += 8) {
          const f64x8 t3 = load_f64x8(&b0_u[(x1_i - 1) * s0_0 + x3_j]) + load_f64x8(&b0_u[(x1_i + 1) * s0_0 + x3_j]) + load_f64x8(&b0_u[x1_i * s0_0 + x3_j - 1]);
          const f64x8 x6_lap = t3 + load_f64x8(&b0_u[x1_i * s0_0 + x3_j + 1]) - splat_f64x8(4.0) * load_f64x8(&b0_u[x1_i * s0_0 + x3_j]);
          stream_f64x8(&b1_v[x1_i * s1_0 + x3_j], load_f64x8(&b0_u[x1_i * s0_0 + x3_j]) + splat_f64x8(p2_a) * x6_lap);
        }
      }
    }
  }
  fence();
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
  return LATHE_FINE;
}
