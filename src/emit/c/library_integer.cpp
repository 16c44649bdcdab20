// SPDX-License-Identifier: Apache-2.0
// Integers: they wrap, so they are computed unsigned; shift counts beyond the width shift all out.
// gcc 12 makes three instructions of a selection by a comparison, where one takes the minimum.

#include "emit/c/library.h"

namespace lathe::emit {
namespace {

constexpr FunctionTemplate kTable[] = {
    // Both forms: a cast of a vector is a reinterpretation, of a scalar a wrap.
    {"add", kIntegers, false, 0, "$T", "$T a, $T b", "return ($T)(($W)a + ($W)b);"},
    {"add", kIntegers, true, 0, "$T", "$T a, $T b", "return ($T)(($W)a + ($W)b);"},
    {"sub", kIntegers, false, 0, "$T", "$T a, $T b", "return ($T)(($W)a - ($W)b);"},
    {"sub", kIntegers, true, 0, "$T", "$T a, $T b", "return ($T)(($W)a - ($W)b);"},
    {"mul", kIntegers, false, 0, "$T", "$T a, $T b", "return ($T)(($W)a * ($W)b);"},
    {"mul", kIntegers, true, 0, "$T", "$T a, $T b", "return ($T)(($W)a * ($W)b);"},
    {"neg", kIntegers, false, 0, "$T", "$T x", "return ($T)(0 - ($W)x);"},
    {"neg", kIntegers, true, 0, "$T", "$T x", "return ($T)(0 - ($W)x);"},

    {"abs", kSigned, false, 0, "$T", "$T x", "return x < 0 ? @neg(x) : x;"},
    {"abs", kSigned, true, 0, "$T", "$T x",
     "const $S m = ($S)(x < 0);\n"
     "return ($T)((($U)x ^ ($U)m) - ($U)m);"},
    {"sign", kSigned, false, 0, "$T", "$T x", "return ($T)((x > 0) - (x < 0));"},
    {"sign", kSigned, true, 0, "$T", "$T x", "return ($T)(($S)(x < 0) - ($S)(x > 0));"},
    {"sign", kUnsigned, false, 0, "$T", "$T x", "return x != 0;"},
    {"sign", kUnsigned, true, 0, "$T", "$T x", "return ($T)(-($S)(x != 0));"},
    {"min", kIntegers, false, 0, "$T", "$T a, $T b", "return a < b ? a : b;"},
    {"min", kIntegers32, true, 64, "$T", "$T a, $T b",
     "#if defined __AVX512F__ && !defined __clang__\n"
     "typedef int words __attribute__((vector_size(64)));\n"
     "return ($T)__builtin_ia32_pmin$I512_mask((words)a, (words)b, (words)a, -1);\n"
     "#else\n"
     "return @select(($S)(a < b), a, b);\n"
     "#endif"},
    {"min", kIntegers64, true, 64, "$T", "$T a, $T b",
     "#if defined __AVX512F__ && !defined __clang__\n"
     "typedef long long words __attribute__((vector_size(64)));\n"
     "return ($T)__builtin_ia32_pmin$I512_mask((words)a, (words)b, (words)a, -1);\n"
     "#else\n"
     "return @select(($S)(a < b), a, b);\n"
     "#endif"},
    {"min", kIntegers32, true, 32, "$T", "$T a, $T b",
     "#if defined __AVX2__ && !defined __clang__\n"
     "typedef int words __attribute__((vector_size(32)));\n"
     "return ($T)__builtin_ia32_pmin$I256((words)a, (words)b);\n"
     "#else\n"
     "return @select(($S)(a < b), a, b);\n"
     "#endif"},
    {"min", kIntegers32, true, 16, "$T", "$T a, $T b",
     "#if defined __SSE4_1__ && !defined __clang__\n"
     "typedef int words __attribute__((vector_size(16)));\n"
     "return ($T)__builtin_ia32_pmin$I128((words)a, (words)b);\n"
     "#else\n"
     "return @select(($S)(a < b), a, b);\n"
     "#endif"},
    {"min", kIntegers64, true, 32, "$T", "$T a, $T b",
     "#if defined __AVX512VL__ && !defined __clang__\n"
     "typedef long long words __attribute__((vector_size(32)));\n"
     "return ($T)__builtin_ia32_pmin$I256_mask((words)a, (words)b, (words)a, -1);\n"
     "#else\n"
     "return @select(($S)(a < b), a, b);\n"
     "#endif"},
    {"min", kIntegers64, true, 16, "$T", "$T a, $T b",
     "#if defined __AVX512VL__ && !defined __clang__\n"
     "typedef long long words __attribute__((vector_size(16)));\n"
     "return ($T)__builtin_ia32_pmin$I128_mask((words)a, (words)b, (words)a, -1);\n"
     "#else\n"
     "return @select(($S)(a < b), a, b);\n"
     "#endif"},
    {"min", kIntegers, true, 0, "$T", "$T a, $T b", "return @select(($S)(a < b), a, b);"},
    {"max", kIntegers, false, 0, "$T", "$T a, $T b", "return a > b ? a : b;"},
    {"max", kIntegers32, true, 64, "$T", "$T a, $T b",
     "#if defined __AVX512F__ && !defined __clang__\n"
     "typedef int words __attribute__((vector_size(64)));\n"
     "return ($T)__builtin_ia32_pmax$I512_mask((words)a, (words)b, (words)a, -1);\n"
     "#else\n"
     "return @select(($S)(a > b), a, b);\n"
     "#endif"},
    {"max", kIntegers64, true, 64, "$T", "$T a, $T b",
     "#if defined __AVX512F__ && !defined __clang__\n"
     "typedef long long words __attribute__((vector_size(64)));\n"
     "return ($T)__builtin_ia32_pmax$I512_mask((words)a, (words)b, (words)a, -1);\n"
     "#else\n"
     "return @select(($S)(a > b), a, b);\n"
     "#endif"},
    {"max", kIntegers32, true, 32, "$T", "$T a, $T b",
     "#if defined __AVX2__ && !defined __clang__\n"
     "typedef int words __attribute__((vector_size(32)));\n"
     "return ($T)__builtin_ia32_pmax$I256((words)a, (words)b);\n"
     "#else\n"
     "return @select(($S)(a > b), a, b);\n"
     "#endif"},
    {"max", kIntegers32, true, 16, "$T", "$T a, $T b",
     "#if defined __SSE4_1__ && !defined __clang__\n"
     "typedef int words __attribute__((vector_size(16)));\n"
     "return ($T)__builtin_ia32_pmax$I128((words)a, (words)b);\n"
     "#else\n"
     "return @select(($S)(a > b), a, b);\n"
     "#endif"},
    {"max", kIntegers64, true, 32, "$T", "$T a, $T b",
     "#if defined __AVX512VL__ && !defined __clang__\n"
     "typedef long long words __attribute__((vector_size(32)));\n"
     "return ($T)__builtin_ia32_pmax$I256_mask((words)a, (words)b, (words)a, -1);\n"
     "#else\n"
     "return @select(($S)(a > b), a, b);\n"
     "#endif"},
    {"max", kIntegers64, true, 16, "$T", "$T a, $T b",
     "#if defined __AVX512VL__ && !defined __clang__\n"
     "typedef long long words __attribute__((vector_size(16)));\n"
     "return ($T)__builtin_ia32_pmax$I128_mask((words)a, (words)b, (words)a, -1);\n"
     "#else\n"
     "return @select(($S)(a > b), a, b);\n"
     "#endif"},
    {"max", kIntegers, true, 0, "$T", "$T a, $T b", "return @select(($S)(a > b), a, b);"},

    {"shl", kIntegers, false, 0, "$T", "$T x, $T n",
     "return ($U)n < $B ? ($T)(($W)x << ($U)n) : 0;"},
    {"shl", kIntegers, true, 0, "$T", "$T x, $T n",
     "return ($T)((($U)x << (($U)n & ($B - 1))) & ($U)(($U)n < $B));"},
    {"shr", kSigned, false, 0, "$T", "$T x, $T n", "return x >> (($U)n < $B ? n : $B - 1);"},
    {"shr", kSigned, true, 0, "$T", "$T x, $T n",
     "const $S m = ($S)(($U)n < $B);\n"
     "return x >> ((m & n) | (~m & ($B - 1)));"},
    {"shr", kUnsigned, false, 0, "$T", "$T x, $T n", "return n < $B ? ($T)(x >> n) : 0;"},
    {"shr", kUnsigned, true, 0, "$T", "$T x, $T n", "return (x >> (n & ($B - 1))) & ($U)(n < $B);"},

    {"ipow", kSigned, false, 0, "$T", "$T base, $T exponent",
     "if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;\n"
     "$T result = 1;\n"
     "for ($U e = ($U)exponent; e != 0; e = ($U)(e >> 1)) {\n"
     "  if (e & 1) result = @mul(result, base);\n"
     "  base = @mul(base, base);\n"
     "}\n"
     "return result;"},
    {"ipow", kUnsigned, false, 0, "$T", "$T base, $T exponent",
     "$T result = 1;\n"
     "for (; exponent != 0; exponent = ($T)(exponent >> 1)) {\n"
     "  if (exponent & 1) result = @mul(result, base);\n"
     "  base = @mul(base, base);\n"
     "}\n"
     "return result;"},
    {"ipow", kIntegers, true, 0, "$T", "$T a, $T b", "return ($T){$(@ipow:1(a[#], b[#]))};"},
};

}  // namespace

std::span<const FunctionTemplate> integer_templates() { return kTable; }

}  // namespace lathe::emit
