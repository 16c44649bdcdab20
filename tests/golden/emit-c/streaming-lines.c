// SPDX-License-Identifier: Apache-2.0

typedef f64 f64x4 __attribute__((vector_size(32)));
typedef f64 f64x2 __attribute__((vector_size(16)));

FN f64x4 load_f64x4(const f64 *p) {
  typedef f64x4 any __attribute__((aligned(sizeof *p), may_alias));
  return *(const any *)p;
}

FN f64x4 load_part_f64x4(const f64 *p, i64 n) {
#ifdef __AVX512VL__
  return (f64x4)__builtin_ia32_loadupd256_mask((const void *)p, (f64x4){0}, (1 << n) - 1);
#elif defined __AVX2__
  typedef long long mask __attribute__((vector_size(sizeof(f64x4))));
  return (f64x4)__builtin_ia32_maskloadpd256((const void *)p, (mask){0, 1, 2, 3} < (long long)n);
#else
  if (n == 4) return load_f64x4(p);
  f64x4 x = {0};
  __builtin_memcpy(&x, p, n * sizeof *p);
  return x;
#endif
}

FN f64x4 splat_f64x4(f64 x) {
  return (f64x4){x, x, x, x};
}

FN void store_f64x4(f64 *p, f64x4 x) {
  typedef f64x4 any __attribute__((aligned(sizeof *p), may_alias));
  *(any *)p = x;
}

FN void store_f64x2(f64 *p, f64x2 x) {
  typedef f64x2 any __attribute__((aligned(sizeof *p), may_alias));
  *(any *)p = x;
}

FN void store_part_f64x4(f64 *p, f64x4 x, i64 n) {
  if (n == 4) {
    store_f64x4(p, x);
    return;
  }
  if (n & 2) {
    store_f64x2(p, __builtin_shufflevector(x, x, 0, 1));
    p += 2;
    x = __builtin_shufflevector(x, x, 2, 3, 0, 1);
  }
  if (n & 1) *p = x[0];
}

FN void stream_f64x4(f64 *p, f64x4 x) {
#if defined __x86_64__ && defined __clang__
  typedef f64x4 any __attribute__((may_alias));
  __builtin_nontemporal_store(x, (any *)p);
#elif defined __AVX__
  __builtin_ia32_movntpd256((f64 *)p, (f64x4)x);
#else
  store_f64x4(p, x);
#endif
}

FN void fence(void) {
#ifdef __x86_64__
  __builtin_ia32_sfence();
#endif
}

i32 lathe_run(lathe_context *context) {
  const i64 p0_n = (i64)context->parameters[0];
  const f64 *restrict b0_u = (const f64 *)context->arrays[0].data;
  f64 *restrict b1_v = (f64 *)context->arrays[1].data;
  f64 *restrict b2_w = (f64 *)context->arrays[2].data;
  f64 *restrict b3_x = (f64 *)context->arrays[3].data;
  {
    i64 x0_i = 0;
    // Parts of a vector up to the first aligned address, and after the last one.
    i64 t0 = x0_i + (i64)(-(u64)&b1_v[x0_i] % 64 / 8);
    if (t0 > p0_n) t0 = p0_n;
    for (;; t0 = p0_n) {
      for (i64 n1; x0_i < t0; x0_i += n1) {
        n1 = t0 - x0_i < 4 ? t0 - x0_i : 4;
        store_part_f64x4(&b1_v[x0_i], load_part_f64x4(&b0_u[x0_i], n1) + splat_f64x4(1.0), n1);
        const f64x4 t1 = load_part_f64x4(&b0_u[x0_i], n1);
        store_part_f64x4(&b2_w[x0_i], t1 * t1, n1);
        store_part_f64x4(&b3_x[x0_i], load_part_f64x4(&b3_x[x0_i], n1) - load_part_f64x4(&b0_u[x0_i], n1), n1);
      }
      if (x0_i >= p0_n) break;
      if ((u64)&b2_w[x0_i] % 32 == 0 && (u64)&b3_x[x0_i] % 32 == 0) {
        for (; x0_i + 8 <= p0_n; x0_i += 8) {
          const f64x4 t2 = load_f64x4(&b0_u[x0_i]) + splat_f64x4(1.0);
          const f64x4 t3 = load_f64x4(&b0_u[x0_i]);
          const f64x4 t4 = t3 * t3;
          stream_f64x4(&b3_x[x0_i], load_f64x4(&b3_x[x0_i]) - load_f64x4(&b0_u[x0_i]));
          const f64x4 t5 = load_f64x4(&b0_u[x0_i + 4]) + splat_f64x4(1.0);
          const f64x4 t6 = load_f64x4(&b0_u[x0_i + 4]);
          const f64x4 t7 = t6 * t6;
          const i64 t8 = x0_i + 4;
          stream_f64x4(&b3_x[t8], load_f64x4(&b3_x[t8]) - load_f64x4(&b0_u[t8]));
          stream_f64x4(&b1_v[x0_i], t2);
          stream_f64x4(&b1_v[x0_i + 4], t5);
          stream_f64x4(&b2_w[x0_i], t4);
          stream_f64x4(&b2_w[x0_i + 4], t7);
        }
        for (; x0_i + 4 <= p0_n; x0_i += 4) {
          stream_f64x4(&b1_v[x0_i], load_f64x4(&b0_u[x0_i]) + splat_f64x4(1.0));
          const f64x4 t9 = load_f64x4(&b0_u[x0_i]);
          stream_f64x4(&b2_w[x0_i], t9 * t9);
          stream_f64x4(&b3_x[x0_i], load_f64x4(&b3_x[x0_i]) - load_f64x4(&b0_u[x0_i]));
        }
      } else {
        for (; x0_i + 4 <= p0_n; x0_i += 4) {
          store_f64x4(&b1_v[x0_i], load_f64x4(&b0_u[x0_i]) + splat_f64x4(1.0));
          const f64x4 t10 = load_f64x4(&b0_u[x0_i]);
          store_f64x4(&b2_w[x0_i], t10 * t10);
          store_f64x4(&b3_x[x0_i], load_f64x4(&b3_x[x0_i]) - load_f64x4(&b0_u[x0_i]));
        }
      }
    }
  }
  fence();
  return LATHE_FINE;
}
