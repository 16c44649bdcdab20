// SPDX-License-Identifier: Apache-2.0
// The bodies of float32/ recorded with symbolic numbers: one line per elementary operation.

#include "elementary/float32/exp.h"
#include "elementary/float32/hyperbolic.h"
#include "elementary/float32/inverse_trig.h"
#include "elementary/float32/log.h"
#include "elementary/float32/power.h"
#include "elementary/float32/special.h"
#include "elementary/float32/trig.h"
#include "elementary/symbolic.h"

namespace lathe::elementary {
namespace {

using N = Symbolic<ir::DType::F32>;
using ir::Op;

struct Unary {
  Op op;
  N::F (*body)(N::F);
};
constexpr Unary kUnary[] = {
    {Op::Rsqrt, float32::rsqrt<N>},   {Op::Cbrt, float32::cbrt<N>},
    {Op::Exp, float32::exp<N>},       {Op::Exp2, float32::exp2<N>},
    {Op::Expm1, float32::expm1<N>},   {Op::Log, float32::log<N>},
    {Op::Log2, float32::log2<N>},     {Op::Log10, float32::log10<N>},
    {Op::Log1p, float32::log1p<N>},   {Op::Sin, float32::sin<N>},
    {Op::Cos, float32::cos<N>},       {Op::Tan, float32::tan<N>},
    {Op::Asin, float32::asin<N>},     {Op::Acos, float32::acos<N>},
    {Op::Atan, float32::atan<N>},     {Op::Sinh, float32::sinh<N>},
    {Op::Cosh, float32::cosh<N>},     {Op::Tanh, float32::tanh<N>},
    {Op::Asinh, float32::asinh<N>},   {Op::Acosh, float32::acosh<N>},
    {Op::Atanh, float32::atanh<N>},   {Op::Erf, float32::erf<N>},
    {Op::Erfc, float32::erfc<N>},     {Op::Gamma, float32::tgamma<N>},
    {Op::Lgamma, float32::lgamma<N>},
};

struct Binary {
  Op op;
  N::F (*body)(N::F, N::F);
};
constexpr Binary kBinary[] = {{Op::Pow, float32::pow<N>}, {Op::Atan2, float32::atan2<N>}};

}  // namespace

ir::Expr expand_float32(Op op, std::span<const ir::Expr> args) {
  for (const Unary& f : kUnary)
    if (f.op == op) return f.body(N::F(args[0])).expr();
  for (const Binary& f : kBinary)
    if (f.op == op) return f.body(N::F(args[0]), N::F(args[1])).expr();
  return nullptr;
}

}  // namespace lathe::elementary
