// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the files row_*.cpp are made: each operation is a function object that says what happens to
// one point, and these templates turn it into loops over rows, one per dtype.
//
//   struct AddOf { template <class T> T operator()(T a, T b) const { ... } };
//   Loop add(DType t) { return for_numbers<Binary<AddOf>>(t); }

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/diagnostics.h"
#include "interp/row_ops.h"

namespace lathe::interp::loops {

using ir::DType;
using Loop = RowFunction::Loop;

// The loop of each operation. Halves never get here: RowFunction converts them to float32.
Loop add(DType t);
Loop sub(DType t);
Loop mul(DType t);
Loop div(DType t);
Loop floor_div(DType t);
Loop mod(DType t);
Loop trunc_div(DType t);
Loop trunc_mod(DType t);
Loop pow(DType t);
Loop neg(DType t);
Loop abs(DType t);
Loop sign(DType t);
Loop fma(DType t);
Loop min(DType t);
Loop max(DType t);
Loop fmin(DType t);
Loop fmax(DType t);
Loop less(DType t);
Loop less_equal(DType t);
Loop greater(DType t);
Loop greater_equal(DType t);
Loop equal(DType t);
Loop not_equal(DType t);
Loop logical_and();
Loop logical_or();
Loop logical_not();
Loop select(DType t);
Loop gate(DType t);
Loop bit_and(DType t);
Loop bit_or(DType t);
Loop bit_xor(DType t);
Loop bit_not(DType t);
Loop shift_left(DType t);
Loop shift_right(DType t);
Loop floor(DType t);
Loop ceil(DType t);
Loop trunc(DType t);
Loop round_even(DType t);
Loop round_away(DType t);
Loop copysign(DType t);
Loop is_nan(DType t);
Loop is_inf(DType t);
Loop is_finite(DType t);
Loop sqrt(DType t);
Loop elementary(ir::Op op, DType t);
Loop cast(DType from, DType to);      // halves too
Loop bit_cast(DType from, DType to);  // halves too

// --- A point function as a loop, by its arity.

template <class F>
struct Unary {
  template <class T>
  static void loop(const void* const* args, void* out, std::size_t n) {
    using R = decltype(F{}(T{}));
    const T* x = static_cast<const T*>(args[0]);
    R* y = static_cast<R*>(out);
    for (std::size_t p = 0; p < n; ++p) y[p] = F{}(x[p]);
  }
};

template <class F>
struct Binary {
  template <class T>
  static void loop(const void* const* args, void* out, std::size_t n) {
    using R = decltype(F{}(T{}, T{}));
    const T* a = static_cast<const T*>(args[0]);
    const T* b = static_cast<const T*>(args[1]);
    R* y = static_cast<R*>(out);
    for (std::size_t p = 0; p < n; ++p) y[p] = F{}(a[p], b[p]);
  }
};

// --- A loop for the dtype, among those of a kind.

[[noreturn]] inline void refuse(DType t) {
  internal_error("no row loop for dtype " + std::string(ir::name(t)));
}

template <class L>
Loop for_floats(DType t) {
  if (t == DType::F32) return &L::template loop<float>;
  if (t == DType::F64) return &L::template loop<double>;
  refuse(t);
}

template <class L>
Loop for_integers(DType t) {
  switch (t) {
    case DType::I8: return &L::template loop<std::int8_t>;
    case DType::I16: return &L::template loop<std::int16_t>;
    case DType::I32: return &L::template loop<std::int32_t>;
    case DType::I64: return &L::template loop<std::int64_t>;
    case DType::U8: return &L::template loop<std::uint8_t>;
    case DType::U16: return &L::template loop<std::uint16_t>;
    case DType::U32: return &L::template loop<std::uint32_t>;
    case DType::U64: return &L::template loop<std::uint64_t>;
    case DType::Bool:
    case DType::F16:
    case DType::BF16:
    case DType::F32:
    case DType::F64: break;
  }
  refuse(t);
}

template <class L>
Loop for_numbers(DType t) {
  return ir::is_float(t) ? for_floats<L>(t) : for_integers<L>(t);
}

// Elements that are only moved: by their width.
template <class L>
Loop for_widths(DType t) {
  switch (ir::size_bytes(t)) {
    case 1: return &L::template loop<std::uint8_t>;
    case 2: return &L::template loop<std::uint16_t>;
    case 4: return &L::template loop<std::uint32_t>;
    case 8: return &L::template loop<std::uint64_t>;
  }
  refuse(t);
}

}  // namespace lathe::interp::loops
