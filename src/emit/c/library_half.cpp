// SPDX-License-Identifier: Apache-2.0
// float16 and bfloat16 by integer operations. `widen` takes the 16 bits to the float, `narrow` a
// float to the bits of the nearest half, `round` a float to the float of the nearest half.
//
// Numbers that are wider than float go there by rounding to odd (`to_odd`): when something is lost,
// the last bit is set. The float has enough bits more than a half that the second rounding then
// gives what a single one would.

#include "emit/c/library.h"

namespace lathe::emit {
namespace {

constexpr FunctionTemplate kTable[] = {
    {"widen", kFloat16, false, 0, "%f32", "%u16 half",
     "const u32 size = half & 0x7fffu, sign = (u32)(half >> 15) << 31;\n"
     "const u32 normal = (size << 13) + 0x38000000u;\n"
     "u32 bits = normal;\n"
     "if (size >= 0x7c00u) bits = normal + 0x38000000u;\n"
     "if (size < 0x400u) bits = @bits:f32(@of_bits:f32(normal + 0x800000u) - 0x1p-14f);\n"
     "return @of_bits:f32(bits | sign);"},
    {"widen", kFloat16, true, 0, "%f32", "%u16 half",
     "const %u32 word = __builtin_convertvector(half, %u32), size = word & 0x7fff;\n"
     "const %u32 normal = (size << 13) + 0x38000000u;\n"
     "const %u32 tiny = (%u32)((%f32)(normal + 0x800000u) - 0x1p-14f);\n"
     "const %u32 wide = @select:u32((%i32)(size < 0x400u), tiny, normal);\n"
     "const %u32 bits = @select:u32((%i32)(size >= 0x7c00u), normal + 0x38000000u, wide);\n"
     "return (%f32)(bits | ((word >> 15) << 31));"},
    {"narrow", kFloat16, false, 0, "%u16", "%f32 x",
     "const u32 bits = @bits:f32(x), size = bits & 0x7fffffffu, sign = bits >> 31 << 15;\n"
     "if (size > 0x7f800000u) return 0x7e00;\n"
     "if (size >= 0x47800000u) return (u16)(sign | 0x7c00u);\n"
     "if (size < 0x38800000u) return (u16)(sign | (@bits:f32(@of_bits:f32(size) + 0.5f) - "
     "0x3f000000u));\n"
     "return (u16)(sign | ((size + 0xc8000fffu + (size >> 13 & 1)) >> 13));"},
    {"narrow", kFloat16, true, 0, "%u16", "%f32 x",
     "const %u32 bits = (%u32)x, size = bits & 0x7fffffffu;\n"
     "const %i32 nan = (%i32)(x != x);\n"
     "const %u32 normal = (size + 0xc8000fffu + ((size >> 13) & 1)) >> 13;\n"
     "const %u32 tiny = (%u32)((%f32)size + 0.5f) - 0x3f000000u;\n"
     "const %u32 small = @select:u32((%i32)(size < 0x38800000u), tiny, normal);\n"
     "const %u32 huge = @splat:u32(0x7c00u) + ((%u32)nan & 0x200u);\n"
     "const %u32 half = @select:u32((%i32)(size >= 0x47800000u), huge, small);\n"
     "return __builtin_convertvector(half | ((bits >> 31 << 15) & ~(%u32)nan), %u16);"},
    {"round", kFloat16, false, 0, "%f32", "%f32 x", "return @widen(@narrow(x));"},
    {"round", kFloat16, true, 0, "%f32", "%f32 x", "return @widen(@narrow(x));"},

    // The bits of a bfloat16 are the upper half of a float's.
    {"widen", kBFloat16, false, 0, "%f32", "%u16 half", "return @of_bits:f32((u32)half << 16);"},
    {"widen", kBFloat16, true, 0, "%f32", "%u16 half",
     "return (%f32)(__builtin_convertvector(half, %u32) << 16);"},
    {"narrow", kBFloat16, false, 0, "%u16", "%f32 x",
     "const u32 bits = @bits:f32(x);\n"
     "return x != x ? 0x7fc0 : (u16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);"},
    {"narrow", kBFloat16, true, 0, "%u16", "%f32 x",
     "return __builtin_convertvector((%u32)@round(x) >> 16, %u16);"},
    {"round", kBFloat16, false, 0, "%f32", "%f32 x", "return @widen(@narrow(x));"},
    {"round", kBFloat16, true, 0, "%f32", "%f32 x",
     "const %u32 bits = (%u32)x;\n"
     "const %u32 near = (bits + 0x7fff + ((bits >> 16) & 1)) & 0xffff0000u;\n"
     "return (%f32)@select:u32((%i32)(x != x), @splat:u32(0x7fc00000u), near);"},

    {"to_odd", kFloat, false, 0, "%f32", "%f64 x",
     "const f32 y = (f32)x;\n"
     "const u32 bits = @bits:f32(y);\n"
     "if ((f64)y == x || x != x || (bits & 1)) return y;\n"
     "return @of_bits:f32(__builtin_fabs((f64)y) > __builtin_fabs(x) ? bits - 1 : bits + 1);"},
    {"to_odd", kFloat, true, 0, "%f32", "%f64 x",
     "const %f32 y = __builtin_convertvector(x, %f32);\n"
     "const %f64 back = __builtin_convertvector(y, %f64);\n"
     "const %i32 lost = __builtin_convertvector((%i64)(back != x), %i32);\n"
     "const %i32 over = __builtin_convertvector((%i64)(@abs:f64(back) > @abs:f64(x)), %i32);\n"
     "const %i32 even = ((%i32)y & 1) - 1;\n"
     "return (%f32)((%i32)y + (lost & even & (over | 1)));"},
    {"to_odd32", kUnsigned, false, 0, "%f32", "%u32 size",
     "if (size >> 24) size = (size & ~0xffu) | (size & 0xff ? 0x100 : 0);\n"
     "return (f32)size;"},
    {"to_odd32", kUnsigned, true, 0, "%f32", "%u32 size",
     "const %u32 cut = (size & ~0xffu) | ((%u32)((size & 0xff) != 0) & 0x100);\n"
     "const %u32 kept = @select:u32((%i32)(size >= 0x1000000u), cut, size);\n"
     "return __builtin_convertvector(kept, %f32);"},
    {"to_odd64", kUnsigned, false, 0, "%f32", "%u64 size",
     "if (size >> 53) size = (size & ~(u64)0x7ff) | (size & 0x7ff ? 0x800 : 0);\n"
     "return @to_odd:f64((f64)size);"},
    {"to_odd64", kUnsigned, true, 0, "%f32", "%u64 size",
     "const %u64 low = size & 0x7ff, cut = (size ^ low) | ((%u64)(low != 0) & 0x800);\n"
     "const %u64 kept = @select:u64((%i64)((size >> 53) != 0), cut, size);\n"
     "return @to_odd:f64(__builtin_convertvector(kept, %f64));"},
};

}  // namespace

std::span<const FunctionTemplate> half_templates() { return kTable; }

}  // namespace lathe::emit
