// SPDX-License-Identifier: Apache-2.0
// Lanes from memory and back. Vectors in memory are aligned like their elements, except for stores
// around the caches.

#include "emit/c/library.h"

namespace lathe::emit {
namespace {

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

    // Of 64-bit elements a whole register, of 32-bit ones half of one.
    {"gather", kFloat64, true, 64, "$T", "const $E *p, %i64 at",
     "#ifdef __AVX512F__\n"
     "typedef long long places __attribute__((vector_size(64)));\n"
     "return __builtin_ia32_gatherdiv8df(($T){0}, p, (places)at, -1, 8);\n"
     "#else\n"
     "return ($T){$(p[at[#]])};\n"
     "#endif"},
    {"gather", kFloat32, true, 32, "$T", "const $E *p, %i64 at",
     "#ifdef __AVX512F__\n"
     "typedef long long places __attribute__((vector_size(64)));\n"
     "return __builtin_ia32_gatherdiv16sf(($T){0}, p, (places)at, -1, 4);\n"
     "#else\n"
     "return ($T){$(p[at[#]])};\n"
     "#endif"},
    {"gather", kAny, true, 0, "$T", "const $E *p, %i64 at", "return ($T){$(p[at[#]])};"},

    // Constant tables: the index has any integer type, so there is one function for each.
    {"lookup_i32", kFloat32, true, 64, "$T", "const $E *p, %i32 at",
     "#ifdef __AVX512F__\n"
     "return __builtin_ia32_gathersiv16sf(($T){0}, p, at, -1, 4);\n"
     "#else\n"
     "return ($T){$(p[at[#]])};\n"
     "#endif"},
    {"lookup_i32", kAny, true, 0, "$T", "const $E *p, %i32 at", "return ($T){$(p[at[#]])};"},
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

    // Whether some lane of a mask is set.
    {"any", kSigned, true, 0, "u8", "$T mask",
     "$E set = 0;\n"
     "$[set |= mask[#];]\n"
     "return set != 0;"},
};

}  // namespace

std::span<const FunctionTemplate> memory_templates() { return kTable; }

}  // namespace lathe::emit
