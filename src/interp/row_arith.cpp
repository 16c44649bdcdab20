// SPDX-License-Identifier: Apache-2.0
// Addition to power. Integer results wrap: they are computed in an unsigned type that is wide
// enough not to be promoted to int, and cut to the dtype.

#include <bit>
#include <cmath>

#include "interp/row_loops.h"

namespace lathe::interp::loops {
namespace {

template <class T>
using Wrapping = std::common_type_t<std::make_unsigned_t<T>, unsigned>;

template <class T>
constexpr bool kInteger = std::is_integral_v<T>;

struct AddOf {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (kInteger<T>) {
      return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
    } else {
      return a + b;
    }
  }
};

struct SubOf {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (kInteger<T>) {
      return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
    } else {
      return a - b;
    }
  }
};

struct MulOf {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (kInteger<T>) {
      return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
    } else {
      return a * b;
    }
  }
};

struct DivOf {
  template <class T>
  T operator()(T a, T b) const {
    return a / b;
  }
};

struct NegOf {
  template <class T>
  T operator()(T x) const {
    if constexpr (kInteger<T>) {
      return SubOf{}(T{0}, x);
    } else {
      return -x;
    }
  }
};

struct AbsOf {
  template <class T>
  T operator()(T x) const {
    if constexpr (!kInteger<T>) {
      return std::fabs(x);
    } else if constexpr (std::is_signed_v<T>) {
      return x < 0 ? NegOf{}(x) : x;  // the smallest integer stays itself
    } else {
      return x;
    }
  }
};

// -1, 0 or 1; of a zero and of NaN the argument itself, so sign(-0) is -0.
struct SignOf {
  template <class T>
  T operator()(T x) const {
    if constexpr (std::is_unsigned_v<T>) {
      return x > 0 ? T{1} : T{0};
    } else {
      return x > 0 ? T{1} : x < 0 ? T{-1} : x;
    }
  }
};

// Of two equal floats the bits differ only when they are zeros: `or` finds -0, `and` finds +0.
template <class T>
T join_bits(T a, T b, bool smaller) {
  using U = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const U x = std::bit_cast<U>(a), y = std::bit_cast<U>(b);
  return std::bit_cast<T>(smaller ? x | y : x & y);
}

// NaN wins: for unordered operands a + b is NaN.
struct MinOf {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (kInteger<T>) {
      return a < b ? a : b;
    } else {
      return a < b ? a : b < a ? b : a == b ? join_bits(a, b, true) : a + b;
    }
  }
};

struct MaxOf {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (kInteger<T>) {
      return a > b ? a : b;
    } else {
      return a > b ? a : b > a ? b : a == b ? join_bits(a, b, false) : a + b;
    }
  }
};

// NaN loses, unless both are.
struct FMinOf {
  template <class T>
  T operator()(T a, T b) const {
    return a != a ? b : b != b ? a : MinOf{}(a, b);
  }
};

struct FMaxOf {
  template <class T>
  T operator()(T a, T b) const {
    return a != a ? b : b != b ? a : MaxOf{}(a, b);
  }
};

struct FmaLoop {
  template <class T>
  static void loop(const void* const* args, void* out, std::size_t n) {
    const T* a = static_cast<const T*>(args[0]);
    const T* b = static_cast<const T*>(args[1]);
    const T* c = static_cast<const T*>(args[2]);
    T* y = static_cast<T*>(out);
    for (std::size_t p = 0; p < n; ++p) y[p] = std::fma(a[p], b[p], c[p]);
  }
};

// Repeated squaring from the lowest bit, wrapping. A negative exponent means 1 / x ** -e, cut to an
// integer: 1 or -1 for those bases, otherwise 0 (and so 0 ** -1 is 0, as x / 0 is).
struct IntegerPowOf {
  template <class T>
  T operator()(T base, T exponent) const {
    if constexpr (std::is_signed_v<T>) {
      if (exponent < 0) {
        if (base == 1) return 1;
        if (base == -1) return exponent % 2 == 0 ? T{1} : T{-1};
        return 0;
      }
    }
    T result = 1;
    for (auto e = static_cast<std::make_unsigned_t<T>>(exponent); e != 0;
         e = static_cast<std::make_unsigned_t<T>>(e >> 1)) {
      if ((e & 1) != 0) result = MulOf{}(result, base);
      base = MulOf{}(base, base);
    }
    return result;
  }
};

}  // namespace

Loop add(DType t) { return for_numbers<Binary<AddOf>>(t); }
Loop sub(DType t) { return for_numbers<Binary<SubOf>>(t); }
Loop mul(DType t) { return for_numbers<Binary<MulOf>>(t); }
Loop div(DType t) { return for_floats<Binary<DivOf>>(t); }
Loop neg(DType t) { return for_numbers<Unary<NegOf>>(t); }
Loop abs(DType t) { return for_numbers<Unary<AbsOf>>(t); }
Loop sign(DType t) { return for_numbers<Unary<SignOf>>(t); }
Loop min(DType t) { return for_numbers<Binary<MinOf>>(t); }
Loop max(DType t) { return for_numbers<Binary<MaxOf>>(t); }
Loop fmin(DType t) { return for_floats<Binary<FMinOf>>(t); }
Loop fmax(DType t) { return for_floats<Binary<FMaxOf>>(t); }
Loop fma(DType t) { return for_floats<FmaLoop>(t); }
Loop pow(DType t) {
  return ir::is_float(t) ? elementary(ir::Op::Pow, t) : for_integers<Binary<IntegerPowOf>>(t);
}

}  // namespace lathe::interp::loops
