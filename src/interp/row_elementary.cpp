// SPDX-License-Identifier: Apache-2.0
// The elementary functions: Lathe's own (src/elementary), so that every target has their bits.

#include "elementary/native.h"
#include "interp/row_loops.h"

namespace lathe::interp::loops {
namespace {

using ir::Op;

template <class T>
using UnaryRow = void (*)(const T*, T*, std::size_t);
template <class T>
using BinaryRow = void (*)(const T*, const T*, T*, std::size_t);

// A function of src/elementary as a loop.
template <class T, UnaryRow<T> row>
void unary(const void* const* args, void* out, std::size_t n) {
  row(static_cast<const T*>(args[0]), static_cast<T*>(out), n);
}
template <class T, BinaryRow<T> row>
void binary(const void* const* args, void* out, std::size_t n) {
  row(static_cast<const T*>(args[0]), static_cast<const T*>(args[1]), static_cast<T*>(out), n);
}

template <class T>
Loop find(Op op) {
  namespace rows = elementary::rows;
  switch (op) {
    case Op::Rsqrt: return &unary<T, rows::rsqrt>;
    case Op::Cbrt: return &unary<T, rows::cbrt>;
    case Op::Exp: return &unary<T, rows::exp>;
    case Op::Exp2: return &unary<T, rows::exp2>;
    case Op::Expm1: return &unary<T, rows::expm1>;
    case Op::Log: return &unary<T, rows::log>;
    case Op::Log2: return &unary<T, rows::log2>;
    case Op::Log10: return &unary<T, rows::log10>;
    case Op::Log1p: return &unary<T, rows::log1p>;
    case Op::Sin: return &unary<T, rows::sin>;
    case Op::Cos: return &unary<T, rows::cos>;
    case Op::Tan: return &unary<T, rows::tan>;
    case Op::Asin: return &unary<T, rows::asin>;
    case Op::Acos: return &unary<T, rows::acos>;
    case Op::Atan: return &unary<T, rows::atan>;
    case Op::Sinh: return &unary<T, rows::sinh>;
    case Op::Cosh: return &unary<T, rows::cosh>;
    case Op::Tanh: return &unary<T, rows::tanh>;
    case Op::Asinh: return &unary<T, rows::asinh>;
    case Op::Acosh: return &unary<T, rows::acosh>;
    case Op::Atanh: return &unary<T, rows::atanh>;
    case Op::Erf: return &unary<T, rows::erf>;
    case Op::Erfc: return &unary<T, rows::erfc>;
    case Op::Gamma: return &unary<T, rows::tgamma>;
    case Op::Lgamma: return &unary<T, rows::lgamma>;
    case Op::Atan2: return &binary<T, rows::atan2>;
    case Op::Pow: return &binary<T, rows::pow>;
    default: internal_error("an elementary function");
  }
}

}  // namespace

Loop elementary(Op op, DType t) {
  if (t == DType::F32) return find<float>(op);
  if (t == DType::F64) return find<double>(op);
  refuse(t);
}

}  // namespace lathe::interp::loops
