// SPDX-License-Identifier: Apache-2.0
// Derivatives against differences in long double, and forward against reverse.
//
// Central differences with steps h and h/2, extrapolated twice, leave an error of h^6 times a
// seventh derivative and of 2^-64 / h from rounding: with h = 2^-9 both are below 1e-15 for
// functions that change over lengths of 1. The derivative itself is evaluated in float64 with a few
// ulp per operation. 1e-10 relative to the size of the terms is far above both, far below any
// mistake.

#include "rewrite/derivative.h"

#include <gtest/gtest.h>

#include <cmath>
#include <unordered_map>

#include "random_expr.h"
#include "rewrite/rules.h"

namespace lathe::testing {
namespace {

using ir::DType;
using ir::Expr;
using ir::Op;
using Point = std::map<std::string, long double, std::less<>>;

// Smooth operations in long double.
long double value(Expr root, const Point& at) {
  std::unordered_map<Expr, long double> v;
  for (Expr e : ir::post_order(root)) {
    const long double x = e->args().empty() ? 0 : v[e->arg(0)];
    const long double y = e->args().size() < 2 ? 0 : v[e->arg(1)];
    const long double z = e->args().size() < 3 ? 0 : v[e->arg(2)];
    long double& r = v[e];
    switch (e->op) {
      case Op::Const: r = e->scalar().as_double(); break;
      case Op::Param: r = at.find(e->name.text())->second; break;
      case Op::Add: r = x + y; break;
      case Op::Sub: r = x - y; break;
      case Op::Mul: r = x * y; break;
      case Op::Div: r = x / y; break;
      case Op::Mod: r = x - y * floorl(x / y); break;
      case Op::TruncMod: r = fmodl(x, y); break;
      case Op::FloorDiv: r = floorl(x / y); break;
      case Op::TruncDiv: r = truncl(x / y); break;
      case Op::Pow: r = powl(x, y); break;
      case Op::Neg: r = -x; break;
      case Op::Abs: r = fabsl(x); break;
      case Op::Sign: r = x > 0 ? 1 : x < 0 ? -1 : 0; break;
      case Op::Fma: r = x * y + z; break;
      case Op::Min: r = x != x || y != y ? NAN : fminl(x, y); break;
      case Op::Max: r = x != x || y != y ? NAN : fmaxl(x, y); break;
      case Op::FMin: r = fminl(x, y); break;
      case Op::FMax: r = fmaxl(x, y); break;
      case Op::Lt: r = x < y; break;
      case Op::Select: r = x != 0 ? y : z; break;
      case Op::Gate: r = x != 0 ? y : 0; break;
      case Op::Floor: r = floorl(x); break;
      case Op::Ceil: r = ceill(x); break;
      case Op::Trunc: r = truncl(x); break;
      case Op::Round: r = rintl(x); break;
      case Op::RoundAway: r = roundl(x); break;
      case Op::Copysign: r = copysignl(x, y); break;
      case Op::Sqrt: r = sqrtl(x); break;
      case Op::Rsqrt: r = 1 / sqrtl(x); break;
      case Op::Cbrt: r = cbrtl(x); break;
      case Op::Exp: r = expl(x); break;
      case Op::Exp2: r = exp2l(x); break;
      case Op::Expm1: r = expm1l(x); break;
      case Op::Log: r = logl(x); break;
      case Op::Log2: r = log2l(x); break;
      case Op::Log10: r = log10l(x); break;
      case Op::Log1p: r = log1pl(x); break;
      case Op::Sin: r = sinl(x); break;
      case Op::Cos: r = cosl(x); break;
      case Op::Tan: r = tanl(x); break;
      case Op::Asin: r = asinl(x); break;
      case Op::Acos: r = acosl(x); break;
      case Op::Atan: r = atanl(x); break;
      case Op::Atan2: r = atan2l(x, y); break;
      case Op::Sinh: r = sinhl(x); break;
      case Op::Cosh: r = coshl(x); break;
      case Op::Tanh: r = tanhl(x); break;
      case Op::Asinh: r = asinhl(x); break;
      case Op::Acosh: r = acoshl(x); break;
      case Op::Atanh: r = atanhl(x); break;
      case Op::Erf: r = erfl(x); break;
      case Op::Erfc: r = erfcl(x); break;
      default: r = NAN;
    }
  }
  return v[root];
}

struct Difference {
  long double value, error;
};

Difference difference(Expr e, const Point& at, const std::string& along) {
  const auto central = [&](long double h) {
    Point plus = at, minus = at;
    plus[along] += h;
    minus[along] -= h;
    return (value(e, plus) - value(e, minus)) / (2 * h);
  };
  const long double h = 0x1p-9L;
  const long double d0 = central(h), d1 = central(h / 2), d2 = central(h / 4);
  const long double e0 = (4 * d1 - d0) / 3, e1 = (4 * d2 - d1) / 3;
  const long double best = (16 * e1 - e0) / 15;
  return {best, fabsl(best - e1)};
}

const std::vector<std::string> kNames = {"f64.0", "f64.1"};

Environment lanes_at(const Point& at) {
  Environment lanes;
  for (const auto& [name, v] : at)
    lanes.emplace(name, constant_row(ir::Scalar::of_double(DType::F64, static_cast<double>(v)), 1));
  return lanes;
}

double at_point(Expr e, const Point& at) { return evaluate(e, lanes_at(at), 1).at(0).as_double(); }

// All first derivatives at a point, both ways; false when the differences say nothing there.
::testing::AssertionResult derivatives_agree(ir::Maker& maker, Expr e, const Point& at,
                                             bool& told) {
  std::vector<Expr> variables;
  for (const std::string& name : kNames)
    variables.push_back(maker.graph().param(maker.graph().symbol(name), DType::F64));
  const auto reverse = rewrite::reverse_derivative(maker, e, variables);
  if (auto* none = std::get_if<rewrite::NoDerivative>(&reverse))
    return ::testing::AssertionFailure() << none->reason;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const ir::Build build(maker);
    const std::pair<Expr, Expr> tangent{variables[i], build.constant(DType::F64, 1)};
    const auto forward = rewrite::forward_derivative(maker, e, std::span(&tangent, 1));
    if (auto* none = std::get_if<rewrite::NoDerivative>(&forward))
      return ::testing::AssertionFailure() << none->reason;
    const Difference wanted = difference(e, at, kNames[i]);
    const long double size = std::max(1.0L, fabsl(wanted.value));
    if (!(wanted.error < 1e-12L * size) || !(size < 1e6L)) continue;
    told = true;
    const long double f = at_point(std::get<Expr>(forward), at);
    const long double r = at_point(std::get<std::vector<Expr>>(reverse)[i], at);
    if (!std::isfinite(f) || !std::isfinite(r)) continue;  // an infinite slope times zero
    if (!(fabsl(f - wanted.value) < 1e-10L * size) || !(fabsl(r - wanted.value) < 1e-10L * size))
      return ::testing::AssertionFailure()
             << "by " << kNames[i] << ": forward " << static_cast<double>(f) << ", reverse "
             << static_cast<double>(r) << ", differences " << static_cast<double>(wanted.value);
  }
  return ::testing::AssertionSuccess();
}

// Each operation alone, at random points of the square [0.05, 0.95]^2 moved into its domain.
TEST(Derivative, OfEveryOperation) {
  Rng rng(5);
  for (Op op : all_operations()) {
    const auto typing = info(op).typing;
    const bool moves = (typing == ir::Typing::Arith || typing == ir::Typing::Float) &&
                       op != Op::Gamma && op != Op::Lgamma;
    if (!moves) continue;
    int told_of = 0;
    for (int i = 0; i < 60; ++i) {
      ir::Graph graph;
      rewrite::Simplifier maker(graph);
      const ir::Build build(maker);
      std::vector<Expr> args;
      for (int a = 0; a < info(op).arity; ++a) {
        const Expr x =
            graph.param(graph.symbol(kNames[static_cast<std::size_t>(a) % 2]), DType::F64);
        const bool shift = op == Op::Acosh;
        args.push_back(shift ? build.add(x, build.constant(DType::F64, 1.5)) : x);
      }
      const Expr e = build.op(op, args);
      const bool anywhere = !(op == Op::Pow || op == Op::Sqrt || op == Op::Rsqrt || op == Op::Log ||
                              op == Op::Log2 || op == Op::Log10 || op == Op::Acosh);
      Point at;
      for (const std::string& name : kNames)
        at[name] = (0.05 + 0.9 * rng.unit()) * (anywhere && rng.percent(50) ? -1 : 1);
      bool told = false;
      EXPECT_TRUE(derivatives_agree(maker, e, at, told)) << info(op).name;
      told_of += told ? 1 : 0;
    }
    EXPECT_GT(told_of, 10) << info(op).name << " was not tested";
  }
}

TEST(Derivative, OfRandomExpressions) {
  RandomExprOptions options;
  options.dtypes = {DType::F64};
  options.ops = {Op::Add,  Op::Sub, Op::Mul,   Op::Div,      Op::Sin,    Op::Cos,  Op::Tanh,
                 Op::Atan, Op::Exp, Op::Sqrt,  Op::Log,      Op::Neg,    Op::Abs,  Op::Fma,
                 Op::Min,  Op::Max, Op::FMin,  Op::FMax,     Op::Select, Op::Gate, Op::Lt,
                 Op::Pow,  Op::Erf, Op::Asinh, Op::Copysign, Op::Atan2};
  options.operations = 14;
  int told_of = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Rng rng(seed);
    ir::Graph graph;
    rewrite::Simplifier maker(graph);
    ir::RawMaker raw(graph);
    const Expr e = random_expr(raw, rng, DType::F64, options);
    Point at;
    for (const std::string& name : kNames) at[name] = 0.2 + 1.5 * rng.unit();
    for (const char* name : {"bool.0", "bool.1"}) at[name] = rng.percent(50) ? 1 : 0;
    bool benign = std::isfinite(value(e, at));
    for (Expr node : ir::post_order(e)) {
      benign &= !(node->op == Op::Param && ir::is_bool(node->dtype));
      // Huge constants drown in long double what they do not in the derivative.
      if (ir::is_const(node)) benign &= !(std::fabs(node->scalar().as_double()) > 1e3);
    }
    if (!benign) continue;
    at.erase("bool.0");
    at.erase("bool.1");
    bool told = false;
    ASSERT_TRUE(derivatives_agree(maker, e, at, told)) << "seed " << seed;
    told_of += told ? 1 : 0;
  }
  EXPECT_GT(told_of, 500);
}

// The same numbers both ways for all operations: t . (J x) = (t J) . x, with NaN where both have
// it.
TEST(Derivative, ForwardIsReverse) {
  RandomExprOptions options;
  options.operations = 20;
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Rng rng(seed);
    ir::Graph graph;
    rewrite::Simplifier maker(graph);
    const ir::Build build(maker);
    options.dtypes = {DType::F64, DType::I32};
    const Expr e = random_expr(maker, rng, DType::F64, options);
    std::vector<Expr> variables;
    std::vector<std::pair<Expr, Expr>> tangents;
    std::vector<double> direction;
    for (const std::string& name : kNames) {
      variables.push_back(graph.param(graph.symbol(name), DType::F64));
      direction.push_back(rng.unit() * 2 - 1);
      tangents.emplace_back(variables.back(), build.constant(DType::F64, direction.back()));
    }
    const auto forward = rewrite::forward_derivative(maker, e, tangents);
    const auto reverse = rewrite::reverse_derivative(maker, e, variables);
    ASSERT_EQ(forward.index(), reverse.index()) << "seed " << seed;
    if (forward.index() == 1) continue;
    Environment lanes = random_parameters(rng, 1);
    for (const std::string& name : kNames)
      lanes[name] = constant_row(ir::Scalar::of_double(DType::F64, rng.unit() * 2), 1);
    const double f = evaluate(std::get<0>(forward), lanes, 1).at(0).as_double();
    double r = 0, size = 1e-300;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const double term =
          direction[i] * evaluate(std::get<0>(reverse)[i], lanes, 1).at(0).as_double();
      r += term;
      size += std::fabs(term);
    }
    if (!std::isfinite(f) || !std::isfinite(r)) continue;
    ++compared;
    // Sums inside the graph may cancel: the bound is loose, mistakes are not this small.
    ASSERT_NEAR(f, r, 1e-8 * size + 1e-12) << "seed " << seed;
  }
  EXPECT_GT(compared, 1000);
}

}  // namespace
}  // namespace lathe::testing
