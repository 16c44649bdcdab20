// SPDX-License-Identifier: Apache-2.0
// Whole division and remainder, as interp/row_divide.cpp defines them. In lanes one by one: no
// processor divides integers in vectors, and fmod is a function of libm (its result is exact).
// Division by what stays the same.

#include "emit/c/library.h"

namespace lathe::emit {
namespace {

constexpr FunctionTemplate kTable[] = {
    {"floordiv", kSigned, false, 0, "$T", "$T a, $T b",
     "if (b == 0) return 0;\n"
     "if (b == -1) return @neg(a);\n"
     "return ($T)(a / b - (a % b != 0 && (a < 0) != (b < 0)));"},
    {"floordiv", kUnsigned, false, 0, "$T", "$T a, $T b", "return b == 0 ? 0 : ($T)(a / b);"},
    {"floormod", kSigned, false, 0, "$T", "$T a, $T b",
     "if (b == 0 || b == -1) return 0;\n"
     "const $T r = ($T)(a % b);\n"
     "return r != 0 && (r < 0) != (b < 0) ? ($T)(r + b) : r;"},
    {"floormod", kUnsigned, false, 0, "$T", "$T a, $T b", "return b == 0 ? 0 : ($T)(a % b);"},
    {"truncdiv", kSigned, false, 0, "$T", "$T a, $T b",
     "if (b == 0) return 0;\n"
     "return b == -1 ? @neg(a) : ($T)(a / b);"},
    {"truncdiv", kUnsigned, false, 0, "$T", "$T a, $T b", "return b == 0 ? 0 : ($T)(a / b);"},
    {"truncmod", kSigned, false, 0, "$T", "$T a, $T b",
     "return b == 0 || b == -1 ? 0 : ($T)(a % b);"},
    {"truncmod", kUnsigned, false, 0, "$T", "$T a, $T b", "return b == 0 ? 0 : ($T)(a % b);"},

    {"floordiv", kFloat, false, 0, "$T", "$T a, $T b",
     "if (b == 0) return a / b;\n"
     "const $T r = __builtin_fmod$f(a, b);\n"
     "$T q = (a - r) / b;\n"
     "if (r != 0 && (r < 0) != (b < 0)) q -= 1;\n"
     "if (q == 0) return __builtin_copysign$f(0, a / b);\n"
     "const $T down = @floor(q);\n"
     "return q - down > ($T)0.5 ? down + 1 : down;"},
    {"floormod", kFloat, false, 0, "$T", "$T a, $T b",
     "const $T r = __builtin_fmod$f(a, b);\n"
     "if (r == 0) return __builtin_copysign$f(0, b);\n"
     "return (r < 0) != (b < 0) ? r + b : r;"},
    {"truncdiv", kFloat, false, 0, "$T", "$T a, $T b", "return @trunc(a / b);"},
    {"truncdiv", kFloat, true, 0, "$T", "$T a, $T b", "return @trunc(a / b);"},
    {"truncmod", kFloat, false, 0, "$T", "$T a, $T b", "return __builtin_fmod$f(a, b);"},

    // Of divisors.cpp: a / b from y = 1 / b and what it lacks, z; `least` are the bits of the
    // smallest dividend for which that is exact, more than any has if b itself is too far from 1.
    // Zeros, of which limiters make many, have their sign from y.
    {"least_dividend", kFloat32, false, 0, "u32", "$T b",
     "return __builtin_fabsf(b) >= 0x1p-30f && __builtin_fabsf(b) <= 0x1p30f ? "
     "(u32)(127 - 90) << 23 : (u32)1 << 31;"},
    {"least_dividend", kFloat64, false, 0, "u64", "$T b",
     "return __builtin_fabs(b) >= 0x1p-200 && __builtin_fabs(b) <= 0x1p200 ? "
     "(u64)(1023 - 700) << 52 : (u64)1 << 63;"},
    {"divide_by", kFloat32, true, 64, "$T", "$T a, $E b, $E y, $E z, u32 least",
     "#ifdef __AVX512F__\n"
     "typedef int words __attribute__((vector_size(64)));\n"
     "const $U size = ($U)a & (~0u >> 1), above = size - least;\n"
     "const $U most = ($U){0} + ((u32)180 << 23), zero = ($U)(size == 0);\n"
     "const $T q = @fma(a, @splat(y), a * @splat(z));\n"
     "const $T quotient = @fma(@fma(@splat(-b), q, a), @splat(y), q);\n"
     "if (__builtin_ia32_ucmpd512_mask((words)above, (words)most, 6, -1) == 0) return quotient;\n"
     "if (least >> 31 == 0 &&\n"
     "    __builtin_ia32_ucmpd512_mask((words)(above & ~zero), (words)most, 6, -1) == 0)\n"
     "  return @select(($S)zero, a * @splat(y), quotient);\n"
     "#else\n"
     "(void)y, (void)z, (void)least;\n"
     "#endif\n"
     "return a / @splat(b);"},
    {"divide_by", kFloat64, true, 64, "$T", "$T a, $E b, $E y, $E z, u64 least",
     "#ifdef __AVX512F__\n"
     "typedef long long words __attribute__((vector_size(64)));\n"
     "const $U size = ($U)a & (~(u64)0 >> 1), above = size - least;\n"
     "const $U most = ($U){0} + ((u64)1400 << 52), zero = ($U)(size == 0);\n"
     "const $T q = @fma(a, @splat(y), a * @splat(z));\n"
     "const $T quotient = @fma(@fma(@splat(-b), q, a), @splat(y), q);\n"
     "if (__builtin_ia32_ucmpq512_mask((words)above, (words)most, 6, -1) == 0) return quotient;\n"
     "if (least >> 63 == 0 &&\n"
     "    __builtin_ia32_ucmpq512_mask((words)(above & ~zero), (words)most, 6, -1) == 0)\n"
     "  return @select(($S)zero, a * @splat(y), quotient);\n"
     "#else\n"
     "(void)y, (void)z, (void)least;\n"
     "#endif\n"
     "return a / @splat(b);"},

    {"floordiv", kAny, true, 0, "$T", "$T a, $T b", "return ($T){$(@floordiv:1(a[#], b[#]))};"},
    {"floormod", kAny, true, 0, "$T", "$T a, $T b", "return ($T){$(@floormod:1(a[#], b[#]))};"},
    {"truncdiv", kAny, true, 0, "$T", "$T a, $T b", "return ($T){$(@truncdiv:1(a[#], b[#]))};"},
    {"truncmod", kAny, true, 0, "$T", "$T a, $T b", "return ($T){$(@truncmod:1(a[#], b[#]))};"},
};

}  // namespace

std::span<const FunctionTemplate> divide_templates() { return kTable; }

}  // namespace lathe::emit
