// SPDX-License-Identifier: Apache-2.0
// Constants are decimal: both compilers round them correctly.

#include "emit/c/types.h"

#include "base/number_text.h"

namespace lathe::emit {

using ir::DType;

DType held(DType t) {
  if (ir::is_half(t)) return DType::F32;
  return ir::is_bool(t) ? DType::U8 : t;
}

DType stored(DType t) {
  if (ir::is_half(t)) return DType::U16;
  return ir::is_bool(t) ? DType::U8 : t;
}

DType signed_of(std::size_t bytes) {
  if (bytes == 1) return DType::I8;
  if (bytes == 2) return DType::I16;
  return bytes == 4 ? DType::I32 : DType::I64;
}

DType unsigned_of(std::size_t bytes) {
  if (bytes == 1) return DType::U8;
  if (bytes == 2) return DType::U16;
  return bytes == 4 ? DType::U32 : DType::U64;
}

std::string literal(std::int64_t value) {
  if (value == INT64_MIN) return "(-9223372036854775807 - 1)";
  if (value < 0) return "(" + std::to_string(value) + ")";
  return std::to_string(value);
}

std::string literal(const ir::Scalar& s) {
  if (ir::is_float(s.dtype)) {
    const bool wide = s.dtype == DType::F64;
    const std::string suffix = wide ? "" : "f";
    const double x = s.as_double();
    if (s.is_nan()) return "__builtin_nan" + suffix + "(\"\")";
    std::string text = wide ? to_text(x) : to_text(static_cast<float>(x));
    const bool minus = text.front() == '-';
    if (minus) text.erase(0, 1);
    text = text == "inf" ? "__builtin_inf" + suffix + "()" : text + suffix;
    return minus ? "(-" + text + ")" : text;
  }
  if (s.dtype == DType::U64) return std::to_string(s.bits) + "ull";
  if (s.dtype == DType::U32) return std::to_string(s.bits) + "u";
  return literal(s.as_int());
}

}  // namespace lathe::emit
