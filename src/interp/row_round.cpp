// SPDX-License-Identifier: Apache-2.0
// Rounding to whole numbers, signs, tests and the square root: the parts of IEEE 754 that every
// target has. Results keep the sign of their argument, so round(-0.3) is -0.

#include <cmath>
#include <limits>

#include "interp/row_loops.h"

namespace lathe::interp::loops {
namespace {

struct FloorOf {
  template <class T>
  T operator()(T x) const {
    return std::floor(x);
  }
};
struct CeilOf {
  template <class T>
  T operator()(T x) const {
    return std::ceil(x);
  }
};
struct TruncOf {
  template <class T>
  T operator()(T x) const {
    return std::trunc(x);
  }
};
struct RoundEvenOf {
  template <class T>
  T operator()(T x) const {
    return std::nearbyint(x);
  }  // the mode is to nearest, ties to even
};
struct RoundAwayOf {
  template <class T>
  T operator()(T x) const {
    return std::round(x);
  }
};
struct SqrtOf {
  template <class T>
  T operator()(T x) const {
    return std::sqrt(x);
  }
};

// The canonical NaN has no sign: a NaN in second place gives |x|.
struct CopysignOf {
  template <class T>
  T operator()(T x, T sign) const {
    return sign != sign ? std::fabs(x) : std::copysign(x, sign);
  }
};

struct IsNanOf {
  template <class T>
  std::uint8_t operator()(T x) const {
    return x != x;
  }
};
struct IsInfOf {
  template <class T>
  std::uint8_t operator()(T x) const {
    return std::fabs(x) == std::numeric_limits<T>::infinity();
  }
};
struct IsFiniteOf {
  template <class T>
  std::uint8_t operator()(T x) const {
    return std::fabs(x) < std::numeric_limits<T>::infinity();
  }
};

}  // namespace

Loop floor(DType t) { return for_floats<Unary<FloorOf>>(t); }
Loop ceil(DType t) { return for_floats<Unary<CeilOf>>(t); }
Loop trunc(DType t) { return for_floats<Unary<TruncOf>>(t); }
Loop round_even(DType t) { return for_floats<Unary<RoundEvenOf>>(t); }
Loop round_away(DType t) { return for_floats<Unary<RoundAwayOf>>(t); }
Loop sqrt(DType t) { return for_floats<Unary<SqrtOf>>(t); }
Loop copysign(DType t) { return for_floats<Binary<CopysignOf>>(t); }
Loop is_nan(DType t) { return for_floats<Unary<IsNanOf>>(t); }
Loop is_inf(DType t) { return for_floats<Unary<IsInfOf>>(t); }
Loop is_finite(DType t) { return for_floats<Unary<IsFiniteOf>>(t); }

}  // namespace lathe::interp::loops
