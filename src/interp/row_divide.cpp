// SPDX-License-Identifier: Apache-2.0
// Whole division and its remainder, rounding down (// and %) or towards zero (tdiv and tmod).
//
// Integers: x / 0 and x mod 0 are 0, and the smallest integer divided by -1 wraps to itself.
//
// Floats, rounding down, as Python and NumPy define them: the remainder starts as the exact C
// remainder fmod(a, b) and moves by one b when its sign is not b's; a zero remainder takes b's
// sign. The quotient is (a - remainder) / b, which is a whole number up to one rounding, and is set
// to the nearest one; a zero quotient takes the sign of a / b. By zero: a / b and NaN. Floats,
// towards zero: trunc(a / b), and fmod(a, b).

#include <cmath>

#include "interp/row_loops.h"

namespace lathe::interp::loops {
namespace {

template <class T>
constexpr bool wraps(T, T b) {
  if constexpr (std::is_signed_v<T>) {
    return b == -1;  // a / -1 is -a, which is the only quotient that may not fit
  } else {
    return false;
  }
}

template <class T>
T negated(T a) {
  using U = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
  return static_cast<T>(U{0} - static_cast<U>(a));
}

template <class T>
T floored_remainder(T a, T b) {
  const T r = std::fmod(a, b);
  if (r == 0) return std::copysign(T{0}, b);
  return (r < 0) != (b < 0) ? r + b : r;
}

template <class T>
T floored_quotient(T a, T b) {
  if (b == 0) return a / b;
  const T r = std::fmod(a, b);
  T q = (a - r) / b;
  if (r != 0 && (r < 0) != (b < 0)) q -= 1;
  if (q == 0) return std::copysign(T{0}, a / b);
  const T down = std::floor(q);
  return q - down > T{0.5} ? down + 1 : down;
}

struct FloorDivOf {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return floored_quotient(a, b);
    } else {
      if (b == 0) return 0;
      if (wraps(a, b)) return negated(a);
      const bool down = a % b != 0 && (a < 0) != (b < 0);
      return static_cast<T>(a / b - (down ? 1 : 0));
    }
  }
};

struct ModOf {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return floored_remainder(a, b);
    } else {
      if (b == 0 || wraps(a, b)) return 0;
      const T r = static_cast<T>(a % b);
      return r != 0 && (r < 0) != (b < 0) ? static_cast<T>(r + b) : r;
    }
  }
};

struct TruncDivOf {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return std::trunc(a / b);
    } else {
      if (b == 0) return 0;
      return wraps(a, b) ? negated(a) : static_cast<T>(a / b);
    }
  }
};

struct TruncModOf {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return std::fmod(a, b);
    } else {
      return b == 0 || wraps(a, b) ? T{0} : static_cast<T>(a % b);
    }
  }
};

}  // namespace

Loop floor_div(DType t) { return for_numbers<Binary<FloorDivOf>>(t); }
Loop mod(DType t) { return for_numbers<Binary<ModOf>>(t); }
Loop trunc_div(DType t) { return for_numbers<Binary<TruncDivOf>>(t); }
Loop trunc_mod(DType t) { return for_numbers<Binary<TruncModOf>>(t); }

}  // namespace lathe::interp::loops
