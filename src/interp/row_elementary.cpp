// SPDX-License-Identifier: Apache-2.0
// The elementary functions: Lathe's own (src/elementary), so that every target has their bits.

#include <cmath>

#include "interp/row_loops.h"

namespace lathe::interp::loops {
namespace {

#define LATHE_UNARY(NAME, CALL)                      \
  struct NAME##Of {                                  \
    template <class T>                               \
    T operator()(T x) const {                        \
      return CALL;                                   \
    }                                                \
  };
#define LATHE_UNARIES(X)                                                                     \
  X(Rsqrt, T{1} / std::sqrt(x)) X(Cbrt, std::cbrt(x)) X(Exp, std::exp(x)) X(Exp2, std::exp2(x)) \
  X(Expm1, std::expm1(x)) X(Log, std::log(x)) X(Log2, std::log2(x)) X(Log10, std::log10(x))    \
  X(Log1p, std::log1p(x)) X(Sin, std::sin(x)) X(Cos, std::cos(x)) X(Tan, std::tan(x))          \
  X(Asin, std::asin(x)) X(Acos, std::acos(x)) X(Atan, std::atan(x)) X(Sinh, std::sinh(x))      \
  X(Cosh, std::cosh(x)) X(Tanh, std::tanh(x)) X(Asinh, std::asinh(x)) X(Acosh, std::acosh(x))  \
  X(Atanh, std::atanh(x)) X(Erf, std::erf(x)) X(Erfc, std::erfc(x)) X(Gamma, std::tgamma(x))   \
  X(Lgamma, std::lgamma(x))
LATHE_UNARIES(LATHE_UNARY)
struct Atan2Of {
  template <class T>
  T operator()(T a, T b) const { return std::atan2(a, b); }
};
struct PowOf {
  template <class T>
  T operator()(T a, T b) const { return std::pow(a, b); }
};

}  // namespace

Loop elementary(ir::Op op, DType t) {
#define LATHE_CASE(NAME, CALL) if (op == ir::Op::NAME) return for_floats<Unary<NAME##Of>>(t);
  LATHE_UNARIES(LATHE_CASE)
  if (op == ir::Op::Atan2) return for_floats<Binary<Atan2Of>>(t);
  return for_floats<Binary<PowOf>>(t);
}

}  // namespace lathe::interp::loops
