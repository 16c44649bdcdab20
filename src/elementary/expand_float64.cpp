// SPDX-License-Identifier: Apache-2.0
// The bodies of float64/ recorded with symbolic numbers: one line per elementary operation.

#include "elementary/float64/exp.h"
#include "elementary/float64/hyperbolic.h"
#include "elementary/float64/inverse_trig.h"
#include "elementary/float64/log.h"
#include "elementary/float64/power.h"
#include "elementary/float64/special.h"
#include "elementary/float64/trig.h"
#include "elementary/symbolic.h"

namespace lathe::elementary {
namespace {

using N = Symbolic<ir::DType::F64>;
using ir::Op;

struct Unary {
  Op op;
  N::F (*body)(N::F);
};
constexpr Unary kUnary[] = {
    {Op::Rsqrt, float64::rsqrt<N>},   {Op::Cbrt, float64::cbrt<N>},
    {Op::Exp, float64::exp<N>},       {Op::Exp2, float64::exp2<N>},
    {Op::Expm1, float64::expm1<N>},   {Op::Log, float64::log<N>},
    {Op::Log2, float64::log2<N>},     {Op::Log10, float64::log10<N>},
    {Op::Log1p, float64::log1p<N>},   {Op::Sin, float64::sin<N>},
    {Op::Cos, float64::cos<N>},       {Op::Tan, float64::tan<N>},
    {Op::Asin, float64::asin<N>},     {Op::Acos, float64::acos<N>},
    {Op::Atan, float64::atan<N>},     {Op::Sinh, float64::sinh<N>},
    {Op::Cosh, float64::cosh<N>},     {Op::Tanh, float64::tanh<N>},
    {Op::Asinh, float64::asinh<N>},   {Op::Acosh, float64::acosh<N>},
    {Op::Atanh, float64::atanh<N>},   {Op::Erf, float64::erf<N>},
    {Op::Erfc, float64::erfc<N>},     {Op::Gamma, float64::tgamma<N>},
    {Op::Lgamma, float64::lgamma<N>},
};

struct Binary {
  Op op;
  N::F (*body)(N::F, N::F);
};
constexpr Binary kBinary[] = {{Op::Pow, float64::pow<N>}, {Op::Atan2, float64::atan2<N>}};

}  // namespace

ir::Expr expand_float64(Op op, std::span<const ir::Expr> args) {
  for (const Unary& f : kUnary)
    if (f.op == op) return f.body(N::F(args[0])).expr();
  for (const Binary& f : kBinary)
    if (f.op == op) return f.body(N::F(args[0]), N::F(args[1])).expr();
  return nullptr;
}

}  // namespace lathe::elementary
