// SPDX-License-Identifier: Apache-2.0
#pragma once
// Element types, and NumPy 2's promotion between them.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lathe::ir {

// Text names: bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64.
enum class DType : std::uint8_t { Bool, I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64 };
inline constexpr int kDTypeCount = 13;

std::string_view name(DType t);
std::optional<DType> parse_dtype(std::string_view text);

constexpr std::size_t size_bytes(DType t) {
  constexpr std::uint8_t kSize[kDTypeCount] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8};
  return kSize[static_cast<int>(t)];
}
constexpr int width_bits(DType t) { return static_cast<int>(size_bytes(t)) * 8; }
constexpr bool is_bool(DType t) { return t == DType::Bool; }
constexpr bool is_signed_int(DType t) { return t >= DType::I8 && t <= DType::I64; }
constexpr bool is_unsigned_int(DType t) { return t >= DType::U8 && t <= DType::U64; }
constexpr bool is_int(DType t) { return t >= DType::I8 && t <= DType::U64; }
constexpr bool is_float(DType t) { return t >= DType::F16; }
// float16 and bfloat16 are storage types: an operation on them computes in float32 and rounds once.
constexpr bool is_half(DType t) { return t == DType::F16 || t == DType::BF16; }

// The dtype of `a op b` for two typed operands (NEP 50): bool < ints < floats; a signed and an
// unsigned type of one width meet in the next wider signed type, i64 and u64 in f64; an integer
// and a float meet in the smallest float that is at least as wide as NumPy asks for.
DType promote(DType a, DType b);

}  // namespace lathe::ir
