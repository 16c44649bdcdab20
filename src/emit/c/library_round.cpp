// SPDX-License-Identifier: Apache-2.0
// Rounding to whole numbers: by the instruction where the processor has it, else by adding and
// subtracting 2^23 or 2^52, beyond which every float is whole. Results keep the argument's sign.

#include "emit/c/library.h"

namespace lathe::emit {
namespace {

// round: half to even.
constexpr FunctionTemplate kTable[] = {
    {"whole", kFloat, false, 0, "$T", "$T x",
     "const $T big = sizeof x == 4 ? ($T)0x1p23 : ($T)0x1p52;\n"
     "const $T size = __builtin_fabs$f(x);\n"
     "return size < big ? __builtin_copysign$f((size + big) - big, x) : x;"},
    {"whole", kFloat, true, 0, "$T", "$T x",
     "const $T big = @splat(sizeof x[0] == 4 ? ($E)0x1p23 : ($E)0x1p52);\n"
     "const $T size = @abs(x);\n"
     "const $T r = (size + big) - big;\n"
     "return @select(($S)(size < big), @with_sign(r, x), x);"},
    {"with_sign", kFloat, true, 0, "$T", "$T x, $T s",
     "const $U rest = ~($U){0} >> 1;\n"
     "return ($T)((($U)x & rest) | (($U)s & ~rest));"},

    {"round", kFloat, false, 0, "$T", "$T x", "return @whole(x);"},
    {"floor", kFloat, false, 0, "$T", "$T x",
     "const $T r = @whole(x);\n"
     "return __builtin_copysign$f(r > x ? r - 1 : r, x);"},
    {"ceil", kFloat, false, 0, "$T", "$T x",
     "const $T r = @whole(x);\n"
     "return __builtin_copysign$f(r < x ? r + 1 : r, x);"},
    {"trunc", kFloat, false, 0, "$T", "$T x",
     "const $T size = __builtin_fabs$f(x), r = @whole(size);\n"
     "return __builtin_copysign$f(r > size ? r - 1 : r, x);"},
    {"round_away", kFloat, false, 0, "$T", "$T x",
     "const $T size = __builtin_fabs$f(x), r = @floor(size);\n"
     "return __builtin_copysign$f(size - r >= ($T)0.5 ? r + 1 : r, x);"},
    {"round_away", kFloat, true, 0, "$T", "$T x",
     "const $T size = @abs(x), r = @floor(size);\n"
     "return @with_sign(@select(($S)(size - r >= ($E)0.5), r + 1, r), x);"},

#define LATHE_ROUND(name, mode, plain)              \
  {name,                                            \
   kFloat,                                          \
   true,                                            \
   64,                                              \
   "$T",                                            \
   "$T x",                                          \
   "#ifdef __AVX512F__\n"                           \
   "return __builtin_ia32_rndscale$X_mask(x, " mode \
   ", x, -1, 4);\n"                                 \
   "#else\n" plain "\n#endif"},                     \
      {name,                                        \
       kFloat,                                      \
       true,                                        \
       32,                                          \
       "$T",                                        \
       "$T x",                                      \
       "#ifdef __AVX__\n"                           \
       "return __builtin_ia32_round$X256(x, " mode  \
       ");\n"                                       \
       "#else\n" plain "\n#endif"},                 \
      {name,                                        \
       kFloat,                                      \
       true,                                        \
       16,                                          \
       "$T",                                        \
       "$T x",                                      \
       "#ifdef __SSE4_1__\n"                        \
       "return __builtin_ia32_round$X(x, " mode     \
       ");\n"                                       \
       "#else\n" plain "\n#endif"},                 \
      {name, kFloat, true, 0, "$T", "$T x", plain},
    LATHE_ROUND("round", "8", "return @whole(x);")
        LATHE_ROUND("floor", "9",
                    "const $T r = @whole(x);\n"
                    "return @with_sign(@select(($S)(r > x), r - 1, r), x);")
            LATHE_ROUND("ceil", "10",
                        "const $T r = @whole(x);\n"
                        "return @with_sign(@select(($S)(r < x), r + 1, r), x);")
                LATHE_ROUND("trunc", "11",
                            "const $T size = @abs(x), r = @whole(size);\n"
                            "return @with_sign(@select(($S)(r > size), r - 1, r), x);")
#undef LATHE_ROUND
};

}  // namespace

std::span<const FunctionTemplate> rounding_templates() { return kTable; }

}  // namespace lathe::emit
