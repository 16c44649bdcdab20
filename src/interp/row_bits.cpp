// SPDX-License-Identifier: Apache-2.0
// Bitwise operations and shifts. Of bools, ~ is `not`. A shift count that is negative or not below
// the width shifts everything out: 0, or the sign for >> of signed integers.

#include "interp/row_loops.h"

namespace lathe::interp::loops {
namespace {

struct AndBitsOf {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct OrBitsOf {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct XorBitsOf {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};
struct NotBitsOf {
  template <class T>
  T operator()(T x) const {
    return static_cast<T>(~x);
  }
};
struct NotBoolOf {
  std::uint8_t operator()(std::uint8_t x) const { return x ^ 1; }
};

template <class T>
bool in_width(T count) {
  return count >= 0 && static_cast<std::make_unsigned_t<T>>(count) < 8 * sizeof(T);
}

struct ShiftLeftOf {
  template <class T>
  T operator()(T x, T count) const {
    using U = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
    return in_width(count) ? static_cast<T>(static_cast<U>(x) << count) : T{0};
  }
};

struct ShiftRightOf {
  template <class T>
  T operator()(T x, T count) const {
    if (in_width(count)) return static_cast<T>(x >> count);
    return x < 0 ? static_cast<T>(-1) : T{0};
  }
};

template <class L>
Loop for_bits(DType t) {
  return ir::is_bool(t) ? &L::template loop<std::uint8_t> : for_integers<L>(t);
}

}  // namespace

Loop bit_and(DType t) { return for_bits<Binary<AndBitsOf>>(t); }
Loop bit_or(DType t) { return for_bits<Binary<OrBitsOf>>(t); }
Loop bit_xor(DType t) { return for_bits<Binary<XorBitsOf>>(t); }
Loop bit_not(DType t) {
  return ir::is_bool(t) ? &Unary<NotBoolOf>::loop<std::uint8_t> : for_integers<Unary<NotBitsOf>>(t);
}
Loop shift_left(DType t) { return for_integers<Binary<ShiftLeftOf>>(t); }
Loop shift_right(DType t) { return for_integers<Binary<ShiftRightOf>>(t); }

}  // namespace lathe::interp::loops
