// SPDX-License-Identifier: Apache-2.0
// Floats: selections, minima and maxima, signs, fma and the square root.
//
// min: x86's minps(a, b) is a < b ? a : b, so it gives b when they are equal or unordered. The two
// orders agree except for zeros, whose bits join to -0, and for NaN, where the bits of a NaN and
// any number join to a NaN. max is -min(-a, -b).

#include "emit/c/library.h"

namespace lathe::emit {
namespace {

constexpr FunctionTemplate kTable[] = {
    {"bits", kFloat, false, 0, "$U", "$T x",
     "$U bits;\n"
     "__builtin_memcpy(&bits, &x, sizeof bits);\n"
     "return bits;"},
    {"of_bits", kFloat, false, 0, "$T", "$U bits",
     "$T x;\n"
     "__builtin_memcpy(&x, &bits, sizeof x);\n"
     "return x;"},
    {"canonical", kFloat, false, 0, "$T", "$T x", "return x != x ? __builtin_nan$f(\"\") : x;"},
    {"canonical", kFloat, true, 0, "$T", "$T x",
     "return @select(($S)(x != x), @splat(__builtin_nan$f(\"\")), x);"},

    {"select", kAny, true, 0, "$T", "$S m, $T a, $T b", "return ($T)((m & ($S)a) | (~m & ($S)b));"},

    {"min", kFloat, false, 0, "$T", "$T a, $T b",
     "if (a < b) return a;\n"
     "if (b < a) return b;\n"
     "return a == b ? @of_bits(@bits(a) | @bits(b)) : a + b;"},
    {"max", kFloat, false, 0, "$T", "$T a, $T b",
     "if (a > b) return a;\n"
     "if (b > a) return b;\n"
     "return a == b ? @of_bits(@bits(a) & @bits(b)) : a + b;"},
    {"min", kFloat, true, 0, "$T", "$T a, $T b",
     "return ($T)(($S)@lesser(a, b) | ($S)@lesser(b, a));"},
    // Signs of zeros: those of both; everything else of either, for only one of p and q is not a
    // NaN or they are equal. So it is the majority of p, q and rest, bit by bit.
    {"max", kFloat, true, 64, "$T", "$T a, $T b",
     "const $T p = @greater(a, b), q = @greater(b, a);\n"
     "const $S rest = ($S)(~($U){0} >> 1);\n"
     "#ifdef __AVX512F__\n"
     "typedef int words __attribute__((vector_size(64)));\n"
     "return ($T)__builtin_ia32_pternlogd512_mask((words)p, (words)q, (words)rest, 0xe8, -1);\n"
     "#else\n"
     "return ($T)((($S)p & ($S)q) | ((($S)p | ($S)q) & rest));\n"
     "#endif"},
    {"max", kFloat, true, 0, "$T", "$T a, $T b",
     "const $S p = ($S)@greater(a, b), q = ($S)@greater(b, a);\n"
     "const $S rest = ($S)(~($U){0} >> 1);\n"
     "return ($T)((p & q) | ((p | q) & rest));"},
    // x * 2^k, rounded once; k is integral, or a NaN where x is one.
    {"scale", kFloat, true, 64, "$T", "$T x, $T k",
     "#ifdef __AVX512F__\n"
     "return __builtin_ia32_scalef$X512_mask(x, k, x, -1, 4);\n"
     "#else\n"
     "return ($T){$(__builtin_scalbn$f(x[#], k[#] == k[#] ? (int)k[#] : 0))};\n"
     "#endif"},
    // a < b ? a : b and a > b ? a : b; the second where they cannot be compared.
    {"lesser", kFloat, true, 64, "$T", "$T a, $T b",
     "#if defined __AVX512F__ && defined __clang__\n"
     "return __builtin_ia32_min$X512(a, b, 4);\n"
     "#elif defined __AVX512F__\n"
     "return __builtin_ia32_min$X512_mask(a, b, a, -1, 4);\n"
     "#else\n"
     "return @select(($S)(a < b), a, b);\n"
     "#endif"},
    {"lesser", kFloat, true, 32, "$T", "$T a, $T b",
     "#ifdef __AVX__\n"
     "return __builtin_ia32_min$X256(a, b);\n"
     "#else\n"
     "return @select(($S)(a < b), a, b);\n"
     "#endif"},
    {"lesser", kFloat, true, 16, "$T", "$T a, $T b",
     "#ifdef __SSE2__\n"
     "return __builtin_ia32_min$X(a, b);\n"
     "#else\n"
     "return @select(($S)(a < b), a, b);\n"
     "#endif"},
    {"lesser", kFloat, true, 0, "$T", "$T a, $T b", "return @select(($S)(a < b), a, b);"},
    {"greater", kFloat, true, 64, "$T", "$T a, $T b",
     "#if defined __AVX512F__ && defined __clang__\n"
     "return __builtin_ia32_max$X512(a, b, 4);\n"
     "#elif defined __AVX512F__\n"
     "return __builtin_ia32_max$X512_mask(a, b, a, -1, 4);\n"
     "#else\n"
     "return @select(($S)(a > b), a, b);\n"
     "#endif"},
    {"greater", kFloat, true, 32, "$T", "$T a, $T b",
     "#ifdef __AVX__\n"
     "return __builtin_ia32_max$X256(a, b);\n"
     "#else\n"
     "return @select(($S)(a > b), a, b);\n"
     "#endif"},
    {"greater", kFloat, true, 16, "$T", "$T a, $T b",
     "#ifdef __SSE2__\n"
     "return __builtin_ia32_max$X(a, b);\n"
     "#else\n"
     "return @select(($S)(a > b), a, b);\n"
     "#endif"},
    {"greater", kFloat, true, 0, "$T", "$T a, $T b", "return @select(($S)(a > b), a, b);"},
    {"fmin", kFloat, false, 0, "$T", "$T a, $T b", "return a != a ? b : b != b ? a : @min(a, b);"},
    {"fmax", kFloat, false, 0, "$T", "$T a, $T b", "return a != a ? b : b != b ? a : @max(a, b);"},
    {"fmin", kFloat, true, 0, "$T", "$T a, $T b",
     "return @select(($S)(a != a), b, @select(($S)(b != b), a, @min(a, b)));"},
    {"fmax", kFloat, true, 0, "$T", "$T a, $T b",
     "return @select(($S)(a != a), b, @select(($S)(b != b), a, @max(a, b)));"},

    {"abs", kFloat, false, 0, "$T", "$T x", "return __builtin_fabs$f(x);"},
    {"abs", kFloat, true, 0, "$T", "$T x", "return ($T)(($U)x & (~($U){0} >> 1));"},
    {"sign", kFloat, false, 0, "$T", "$T x", "return x > 0 ? 1 : x < 0 ? -1 : x;"},
    {"sign", kFloat, true, 0, "$T", "$T x",
     "return @select(($S)(x > 0), @splat(1), @select(($S)(x < 0), @splat(-1), x));"},
    // The canonical NaN has no sign.
    {"copysign", kFloat, false, 0, "$T", "$T x, $T s",
     "return s != s ? __builtin_fabs$f(x) : __builtin_copysign$f(x, s);"},
    {"copysign", kFloat, true, 0, "$T", "$T x, $T s",
     "const $U rest = ~($U){0} >> 1;\n"
     "return ($T)((($U)x & rest) | (($U)s & ~rest & ($U)(s == s)));"},

    {"fma", kFloat, false, 0, "$T", "$T a, $T b, $T c", "return __builtin_fma$f(a, b, c);"},
    {"fma", kFloat, true, 64, "$T", "$T a, $T b, $T c",
     "#ifdef __AVX512F__\n"
     "return __builtin_ia32_vfmadd$X512_mask(a, b, c, -1, 4);\n"
     "#else\n"
     "return ($T){$(__builtin_fma$f(a[#], b[#], c[#]))};\n"
     "#endif"},
    {"fma", kFloat, true, 32, "$T", "$T a, $T b, $T c",
     "#ifdef __FMA__\n"
     "return __builtin_ia32_vfmadd$X256(a, b, c);\n"
     "#else\n"
     "return ($T){$(__builtin_fma$f(a[#], b[#], c[#]))};\n"
     "#endif"},
    {"fma", kFloat, true, 16, "$T", "$T a, $T b, $T c",
     "#ifdef __FMA__\n"
     "return __builtin_ia32_vfmadd$X(a, b, c);\n"
     "#else\n"
     "return ($T){$(__builtin_fma$f(a[#], b[#], c[#]))};\n"
     "#endif"},
    {"fma", kFloat, true, 0, "$T", "$T a, $T b, $T c",
     "return ($T){$(__builtin_fma$f(a[#], b[#], c[#]))};"},

    {"sqrt", kFloat, false, 0, "$T", "$T x", "return __builtin_sqrt$f(x);"},
    {"sqrt", kFloat, true, 64, "$T", "$T x",
     "#if defined __AVX512F__ && defined __clang__\n"
     "return __builtin_ia32_sqrt$X512(x, 4);\n"
     "#elif defined __AVX512F__\n"
     "return __builtin_ia32_sqrt$X512_mask(x, x, -1, 4);\n"
     "#else\n"
     "return ($T){$(__builtin_sqrt$f(x[#]))};\n"
     "#endif"},
    {"sqrt", kFloat, true, 32, "$T", "$T x",
     "#ifdef __AVX__\n"
     "return __builtin_ia32_sqrt$X256(x);\n"
     "#else\n"
     "return ($T){$(__builtin_sqrt$f(x[#]))};\n"
     "#endif"},
    {"sqrt", kFloat, true, 16, "$T", "$T x",
     "#ifdef __SSE2__\n"
     "return __builtin_ia32_sqrt$X(x);\n"
     "#else\n"
     "return ($T){$(__builtin_sqrt$f(x[#]))};\n"
     "#endif"},
    {"sqrt", kFloat, true, 0, "$T", "$T x", "return ($T){$(__builtin_sqrt$f(x[#]))};"},
};

}  // namespace

std::span<const FunctionTemplate> float_templates() { return kTable; }

}  // namespace lathe::emit
