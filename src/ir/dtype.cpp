// SPDX-License-Identifier: Apache-2.0
// Promotion is computed from kind and width instead of a 13 x 13 table; the unit test holds the
// whole table, as NumPy 2 prints it.

#include "ir/dtype.h"

#include <algorithm>

namespace lathe::ir {
namespace {

constexpr std::string_view kNames[kDTypeCount] = {"bool", "i8",  "i16", "i32",  "i64", "u8", "u16",
                                                  "u32",  "u64", "f16", "bf16", "f32", "f64"};

DType signed_of_width(int bits) {
  return bits <= 8 ? DType::I8 : bits <= 16 ? DType::I16 : bits <= 32 ? DType::I32 : DType::I64;
}

DType promote_ints(DType a, DType b) {
  if (is_signed_int(a) == is_signed_int(b)) return width_bits(a) >= width_bits(b) ? a : b;
  const DType signed_one = is_signed_int(a) ? a : b;
  const DType unsigned_one = is_signed_int(a) ? b : a;
  if (width_bits(signed_one) > width_bits(unsigned_one)) return signed_one;
  if (unsigned_one == DType::U64) return DType::F64;
  return signed_of_width(2 * width_bits(unsigned_one));
}

DType promote_floats(DType a, DType b) {
  if (is_half(a) && is_half(b)) return DType::F32;  // float16 and bfloat16 hold different values
  return width_bits(a) >= width_bits(b) ? a : b;
}

// The narrowest float that NumPy lets hold this integer type.
DType float_for_int(DType i) {
  return width_bits(i) <= 8 ? DType::F16 : width_bits(i) <= 16 ? DType::F32 : DType::F64;
}

}  // namespace

std::string_view name(DType t) { return kNames[static_cast<int>(t)]; }

std::optional<DType> parse_dtype(std::string_view text) {
  for (int i = 0; i < kDTypeCount; ++i)
    if (kNames[i] == text) return static_cast<DType>(i);
  return std::nullopt;
}

DType promote(DType a, DType b) {
  if (a == b || is_bool(b)) return a;
  if (is_bool(a)) return b;
  if (is_int(a) && is_int(b)) return promote_ints(a, b);
  if (is_float(a) && is_float(b)) return promote_floats(a, b);
  const DType f = is_float(a) ? a : b;
  const DType i = is_float(a) ? b : a;
  if (is_half(f) && width_bits(i) <= 8) return f;
  return promote_floats(f, float_for_int(i));
}

}  // namespace lathe::ir
