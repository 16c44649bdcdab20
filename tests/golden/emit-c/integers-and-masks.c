// SPDX-License-Identifier: Apache-2.0

typedef i16 i16x8 __attribute__((vector_size(16)));
typedef f64 f64x8 __attribute__((vector_size(64)));
typedef i64 i64x8 __attribute__((vector_size(64)));
typedef u16 u16x8 __attribute__((vector_size(16)));
typedef i16 i16x4 __attribute__((vector_size(8)));
typedef i16 i16x2 __attribute__((vector_size(4)));

FN i16x8 load_i16x8(const i16 *p) {
  typedef i16x8 any __attribute__((aligned(sizeof *p), may_alias));
  return *(const any *)p;
}

FN i16x8 splat_i16x8(i16 x) {
  return (i16x8){x, x, x, x, x, x, x, x};
}

FN f64x8 load_f64x8(const f64 *p) {
  typedef f64x8 any __attribute__((aligned(sizeof *p), may_alias));
  return *(const any *)p;
}

FN f64x8 splat_f64x8(f64 x) {
  return (f64x8){x, x, x, x, x, x, x, x};
}

FN i16x8 mul_i16x8(i16x8 a, i16x8 b) {
  return (i16x8)((u16x8)a * (u16x8)b);
}

FN i16x8 count_i16x8(i16 first) {
  return splat_i16x8(first) + (i16x8){0, 1, 2, 3, 4, 5, 6, 7};
}

FN i16x8 select_i16x8(i16x8 m, i16x8 a, i16x8 b) {
  return (i16x8)((m & (i16x8)a) | (~m & (i16x8)b));
}

FN void store_i16x8(i16 *p, i16x8 x) {
  typedef i16x8 any __attribute__((aligned(sizeof *p), may_alias));
  *(any *)p = x;
}

FN i16x8 load_part_i16x8(const i16 *p, i64 n) {
  if (n == 8) return load_i16x8(p);
  i16x8 x = {0};
  __builtin_memcpy(&x, p, n * sizeof *p);
  return x;
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

FN void store_i16x4(i16 *p, i16x4 x) {
  typedef i16x4 any __attribute__((aligned(sizeof *p), may_alias));
  *(any *)p = x;
}

FN void store_i16x2(i16 *p, i16x2 x) {
  typedef i16x2 any __attribute__((aligned(sizeof *p), may_alias));
  *(any *)p = x;
}

FN void store_part_i16x8(i16 *p, i16x8 x, i64 n) {
  if (n == 8) {
    store_i16x8(p, x);
    return;
  }
  if (n & 4) {
    store_i16x4(p, __builtin_shufflevector(x, x, 0, 1, 2, 3));
    p += 4;
    x = __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3);
  }
  if (n & 2) {
    store_i16x2(p, __builtin_shufflevector(x, x, 0, 1));
    p += 2;
    x = __builtin_shufflevector(x, x, 2, 3, 4, 5, 6, 7, 0, 1);
  }
  if (n & 1) *p = x[0];
}

i32 lathe_run(lathe_context *context) {
  const i64 p0_n = (i64)context->parameters[0];
  const i16 *restrict b0_u = (const i16 *)context->arrays[0].data;
  const f64 *restrict b1_x = (const f64 *)context->arrays[1].data;
  i16 *restrict b2_v = (i16 *)context->arrays[2].data;
  {
    i64 x0_i = 0;
    for (; x0_i + 8 <= p0_n; x0_i += 8) {
      const i16x8 t0 = load_i16x8(&b0_u[x0_i]);
      const i64x8 t1 = __builtin_convertvector((i16x8)(t0 < splat_i16x8((i16)7)), i64x8) & (i64x8)(load_f64x8(&b1_x[x0_i]) < splat_f64x8(0.0));
      store_i16x8(&b2_v[x0_i], select_i16x8(__builtin_convertvector(t1, i16x8), mul_i16x8(t0, t0), count_i16x8((i16)x0_i)));
    }
    for (i64 n1; x0_i < p0_n; x0_i += n1) {
      n1 = p0_n - x0_i < 8 ? p0_n - x0_i : 8;
      const i16x8 t2 = load_part_i16x8(&b0_u[x0_i], n1);
      const i64x8 t3 = __builtin_convertvector((i16x8)(t2 < splat_i16x8((i16)7)), i64x8) & (i64x8)(load_part_f64x8(&b1_x[x0_i], n1) < splat_f64x8(0.0));
      store_part_i16x8(&b2_v[x0_i], select_i16x8(__builtin_convertvector(t3, i16x8), mul_i16x8(t2, t2), count_i16x8((i16)x0_i)), n1);
    }
  }
  return LATHE_FINE;
}
