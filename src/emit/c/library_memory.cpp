// SPDX-License-Identifier: Apache-2.0
// Lanes from memory and back. Vectors in memory are aligned like their elements, except for stores
// around the caches. `store_part` is made in library.cpp.

#include "emit/c/library.h"

namespace lathe::emit {
namespace {

#define LATHE_LOAD_PART                       \
  "if (n == $L) return @load(p);\n"           \
  "$T x = {0};\n"                             \
  "__builtin_memcpy(&x, p, n * sizeof *p);\n" \
  "return x;"

// What AVX-512 and AVX call the load; `lane` is how AVX counts in its mask, of the vector's size.
#define LATHE_LOAD_MASKED(type, lane, avx512, avx)                                   \
  "#ifdef __AVX512VL__\n"                                                            \
  "return ($T)__builtin_ia32_loadu" avx512 "_mask((const void *)p, (%" type          \
  "){0}, (1 << n) - 1);\n"                                                           \
  "#elif defined __AVX2__\n"                                                         \
  "typedef " lane                                                                    \
  " mask __attribute__((vector_size(sizeof($T))));\n"                                \
  "return ($T)__builtin_ia32_maskload" avx "((const void *)p, (mask){$(#)} < (" lane \
  ")n);\n"                                                                           \
  "#else\n" LATHE_LOAD_PART                                                          \
  "\n"                                                                               \
  "#endif"

constexpr FunctionTemplate kTable[] = {
    {"splat", kAny, true, 0, "$T", "$E x", "return ($T){$(x)};"},
    {"count", kAny, true, 0, "$T", "$E first", "return @splat(first) + ($T){$(#)};"},
    {"load", kAny, true, 0, "$T", "const $E *p",
     "typedef $T any __attribute__((aligned(sizeof *p), may_alias));\n"
     "return *(const any *)p;"},
    {"store", kAny, true, 0, "void", "$E *p, $T x",
     "typedef $T any __attribute__((aligned(sizeof *p), may_alias));\n"
     "*(any *)p = x;"},
    {"load_strided", kAny, true, 0, "$T", "const $E *p, i64 stride",
     "return ($T){$(p[# * stride])};"},
    {"store_strided", kAny, true, 0, "void", "$E *p, i64 stride, $T x", "$[p[# * stride] = x[#];]"},
    {"scatter", kAny, true, 0, "void", "$E *p, %i64 at, $T x", "$[p[at[#]] = x[#];]"},

    // Of the first n lanes only; the others are zero.
    {"load_part", kWords64, true, 64, "$T", "const $E *p, i64 n",
     "#ifdef __AVX512F__\n"
     "return ($T)__builtin_ia32_loadupd512_mask((const void *)p, (%f64x8){0}, (1 << n) - 1);\n"
     "#else\n" LATHE_LOAD_PART "\n"
     "#endif"},
    {"load_part", kWords64, true, 32, "$T", "const $E *p, i64 n",
     LATHE_LOAD_MASKED("f64x4", "long long", "pd256", "pd256")},
    {"load_part", kWords64, true, 16, "$T", "const $E *p, i64 n",
     LATHE_LOAD_MASKED("f64x2", "long long", "pd128", "pd")},
    {"load_part", kWords32, true, 64, "$T", "const $E *p, i64 n",
     "#ifdef __AVX512F__\n"
     "return ($T)__builtin_ia32_loadups512_mask((const void *)p, (%f32x16){0}, (1 << n) - 1);\n"
     "#else\n" LATHE_LOAD_PART "\n"
     "#endif"},
    {"load_part", kWords32, true, 32, "$T", "const $E *p, i64 n",
     LATHE_LOAD_MASKED("f32x8", "int", "ps256", "ps256")},
    {"load_part", kWords32, true, 16, "$T", "const $E *p, i64 n",
     LATHE_LOAD_MASKED("f32x4", "int", "ps128", "ps")},
    {"load_part", kAny, true, 0, "$T", "const $E *p, i64 n", LATHE_LOAD_PART},
    {"load_strided_part", kAny, true, 0, "$T", "const $E *p, i64 stride, i64 n",
     "return ($T){$(# < n ? p[# * stride] : 0)};"},
    {"store_strided_part", kAny, true, 0, "void", "$E *p, i64 stride, $T x, i64 n",
     "for (i64 lane = 0; lane < n; ++lane) p[lane * stride] = x[lane];"},
    {"gather_part", kAny, true, 0, "$T", "const $E *p, %i64 at, i64 n",
     "return ($T){$(# < n ? p[at[#]] : 0)};"},
    {"scatter_part", kAny, true, 0, "void", "$E *p, %i64 at, $T x, i64 n",
     "for (i64 lane = 0; lane < n; ++lane) p[at[lane]] = x[lane];"},

    // Lane by lane: the processor's own gathers take longer, both out of the caches and out of
    // memory (Zen 5, f64: 1.15 and 1.25 times as long).
    {"gather", kAny, true, 0, "$T", "const $E *p, %i64 at", "return ($T){$(p[at[#]])};"},

    // Constant tables, which stay close: one instruction. The index has any integer type, so there
    // is one function for each. Of 64-bit elements a whole register, of 32-bit ones half of one.
    {"lookup_i32", kFloat32, true, 64, "$T", "const $E *p, %i32 at",
     "#ifdef __AVX512F__\n"
     "return __builtin_ia32_gathersiv16sf(($T){0}, p, at, -1, 4);\n"
     "#else\n"
     "return ($T){$(p[at[#]])};\n"
     "#endif"},
    {"lookup_i32", kAny, true, 0, "$T", "const $E *p, %i32 at", "return ($T){$(p[at[#]])};"},
    {"lookup_i64", kFloat64, true, 64, "$T", "const $E *p, %i64 at",
     "#ifdef __AVX512F__\n"
     "typedef long long places __attribute__((vector_size(64)));\n"
     "return __builtin_ia32_gatherdiv8df(($T){0}, p, (places)at, -1, 8);\n"
     "#else\n"
     "return ($T){$(p[at[#]])};\n"
     "#endif"},
    {"lookup_i64", kFloat32, true, 32, "$T", "const $E *p, %i64 at",
     "#ifdef __AVX512F__\n"
     "typedef long long places __attribute__((vector_size(64)));\n"
     "return __builtin_ia32_gatherdiv16sf(($T){0}, p, (places)at, -1, 4);\n"
     "#else\n"
     "return ($T){$(p[at[#]])};\n"
     "#endif"},
    {"lookup_i64", kAny, true, 0, "$T", "const $E *p, %i64 at", "return @gather(p, at);"},

    // Around the caches; the address is aligned to the vector.
    {"stream", kAny, true, 64, "void", "$E *p, $T x",
     "#if defined __x86_64__ && defined __clang__\n"
     "typedef $T any __attribute__((may_alias));\n"
     "__builtin_nontemporal_store(x, (any *)p);\n"
     "#elif defined __AVX512F__\n"
     "__builtin_ia32_movntpd512((f64 *)p, (%f64x8)x);\n"
     "#else\n"
     "@store(p, x);\n"
     "#endif"},
    {"stream", kAny, true, 32, "void", "$E *p, $T x",
     "#if defined __x86_64__ && defined __clang__\n"
     "typedef $T any __attribute__((may_alias));\n"
     "__builtin_nontemporal_store(x, (any *)p);\n"
     "#elif defined __AVX__\n"
     "__builtin_ia32_movntpd256((f64 *)p, (%f64x4)x);\n"
     "#else\n"
     "@store(p, x);\n"
     "#endif"},
    {"stream", kAny, true, 16, "void", "$E *p, $T x",
     "#if defined __x86_64__ && defined __clang__\n"
     "typedef $T any __attribute__((may_alias));\n"
     "__builtin_nontemporal_store(x, (any *)p);\n"
     "#elif defined __SSE2__\n"
     "__builtin_ia32_movntpd((f64 *)p, (%f64x2)x);\n"
     "#else\n"
     "@store(p, x);\n"
     "#endif"},

    // The same where nobody looked at the address.
    {"stream_any", kAny, true, 0, "void", "$E *p, $T x",
     "if ((u64)p % sizeof x == 0)\n"
     "  @stream(p, x);\n"
     "else\n"
     "  @store(p, x);"},

    // Whether some lane of a mask is set. (clang makes the same of the loop by itself.)
    {"any", kSigned, true, 64, "u8", "$T mask",
     "#if defined __AVX512F__ && !defined __clang__\n"
     "typedef long long all __attribute__((vector_size(64)));\n"
     "return __builtin_ia32_ptestmq512((all)mask, (all)mask, (u8)-1) != 0;\n"
     "#else\n"
     "$E set = 0;\n"
     "$[set |= mask[#];]\n"
     "return set != 0;\n"
     "#endif"},
    {"any", kSigned, true, 32, "u8", "$T mask",
     "#ifdef __AVX__\n"
     "typedef long long all __attribute__((vector_size(32)));\n"
     "return !__builtin_ia32_ptestz256((all)mask, (all)mask);\n"
     "#else\n"
     "$E set = 0;\n"
     "$[set |= mask[#];]\n"
     "return set != 0;\n"
     "#endif"},
    {"any", kSigned, true, 16, "u8", "$T mask",
     "#ifdef __SSE4_1__\n"
     "typedef long long all __attribute__((vector_size(16)));\n"
     "return !__builtin_ia32_ptestz128((all)mask, (all)mask);\n"
     "#else\n"
     "$E set = 0;\n"
     "$[set |= mask[#];]\n"
     "return set != 0;\n"
     "#endif"},
    {"any", kSigned, true, 0, "u8", "$T mask",
     "$E set = 0;\n"
     "$[set |= mask[#];]\n"
     "return set != 0;"},
};

#undef LATHE_LOAD_PART
#undef LATHE_LOAD_MASKED

}  // namespace

std::span<const FunctionTemplate> memory_templates() { return kTable; }

}  // namespace lathe::emit
