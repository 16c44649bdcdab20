// SPDX-License-Identifier: Apache-2.0
// Comparisons, logic and choices. A bool is a byte that is 0 or 1. Comparisons with NaN are false,
// except !=. The lazy operations are strict here: which operands count is row_program's business.

#include "interp/row_loops.h"

namespace lathe::interp::loops {
namespace {

using Bool = std::uint8_t;

struct LessOf {
  template <class T>
  Bool operator()(T a, T b) const {
    return a < b;
  }
};
struct LessEqualOf {
  template <class T>
  Bool operator()(T a, T b) const {
    return a <= b;
  }
};
struct GreaterOf {
  template <class T>
  Bool operator()(T a, T b) const {
    return a > b;
  }
};
struct GreaterEqualOf {
  template <class T>
  Bool operator()(T a, T b) const {
    return a >= b;
  }
};
struct EqualOf {
  template <class T>
  Bool operator()(T a, T b) const {
    return a == b;
  }
};
struct NotEqualOf {
  template <class T>
  Bool operator()(T a, T b) const {
    return a != b;
  }
};
struct AndOf {
  Bool operator()(Bool a, Bool b) const { return a & b; }
};
// The right side is not even computed where the left holds everywhere: what lies there is no bool.
struct OrOf {
  Bool operator()(Bool a, Bool b) const { return static_cast<Bool>((a | b) != 0); }
};
struct NotOf {
  Bool operator()(Bool x) const { return x ^ 1; }
};

struct SelectLoop {
  template <class T>
  static void loop(const void* const* args, void* out, std::size_t n) {
    const Bool* c = static_cast<const Bool*>(args[0]);
    const T* yes = static_cast<const T*>(args[1]);
    const T* no = static_cast<const T*>(args[2]);
    T* y = static_cast<T*>(out);
    for (std::size_t p = 0; p < n; ++p) y[p] = c[p] != 0 ? yes[p] : no[p];
  }
};

// All zeros are bits of zero, also for floats.
struct GateLoop {
  template <class T>
  static void loop(const void* const* args, void* out, std::size_t n) {
    const Bool* c = static_cast<const Bool*>(args[0]);
    const T* x = static_cast<const T*>(args[1]);
    T* y = static_cast<T*>(out);
    for (std::size_t p = 0; p < n; ++p) y[p] = c[p] != 0 ? x[p] : T{0};
  }
};

template <class L>
Loop for_all(DType t) {
  return ir::is_bool(t) ? &L::template loop<Bool> : for_numbers<L>(t);
}

}  // namespace

Loop less(DType t) { return for_all<Binary<LessOf>>(t); }
Loop less_equal(DType t) { return for_all<Binary<LessEqualOf>>(t); }
Loop greater(DType t) { return for_all<Binary<GreaterOf>>(t); }
Loop greater_equal(DType t) { return for_all<Binary<GreaterEqualOf>>(t); }
Loop equal(DType t) { return for_all<Binary<EqualOf>>(t); }
Loop not_equal(DType t) { return for_all<Binary<NotEqualOf>>(t); }
Loop logical_and() { return &Binary<AndOf>::loop<Bool>; }
Loop logical_or() { return &Binary<OrOf>::loop<Bool>; }
Loop logical_not() { return &Unary<NotOf>::loop<Bool>; }
Loop select(DType t) { return for_widths<SelectLoop>(t); }
Loop gate(DType t) { return for_widths<GateLoop>(t); }

}  // namespace lathe::interp::loops
