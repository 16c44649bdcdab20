// SPDX-License-Identifier: Apache-2.0
// Every operation at every dtype on special values, against rules written a second time: integers
// in 128 bits, floats by cases.

#include "interp/row_ops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "base/half.h"
#include "source_dir.h"

namespace lathe::interp {
namespace {

using ir::DType;
using ir::Op;
using ir::Scalar;
using Wide = __int128;

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

Scalar unary(Op op, DType result, Scalar x) { return apply(op, result, std::vector<Scalar>{x}); }
Scalar binary(Op op, DType result, Scalar a, Scalar b) {
  return apply(op, result, std::vector<Scalar>{a, b});
}

const DType kInts[] = {DType::I8, DType::I16, DType::I32, DType::I64,
                       DType::U8, DType::U16, DType::U32, DType::U64};

Wide low(DType t) { return ir::is_signed_int(t) ? -(Wide(1) << (ir::width_bits(t) - 1)) : 0; }
Wide high(DType t) { return low(t) + (Wide(1) << ir::width_bits(t)) - 1; }
Wide wrap(DType t, Wide v) {
  const Wide size = Wide(1) << ir::width_bits(t);
  Wide r = (v - low(t)) % size;
  if (r < 0) r += size;
  return r + low(t);
}
Scalar make(DType t, Wide v) {
  return Scalar::of_bits(t, static_cast<std::uint64_t>(static_cast<unsigned __int128>(v)));
}
std::vector<Wide> int_values(DType t) {
  std::vector<Wide> v = {low(t), low(t) + 1, high(t) - 1, high(t), 0, 1, 2, 3, 7, 100};
  for (Wide x : {Wide(-1), Wide(-2), Wide(-7), Wide(-100)})
    if (x >= low(t)) v.push_back(x);
  for (int w : {7, 8, 15, 16, 31, 32, 63, 64})
    if (w <= high(t)) v.push_back(w);
  return v;
}
Wide times(Wide a, Wide b) {  // modulo 2^128, which is enough
  return static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
}
Wide floor_div(Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

TEST(RowOps, IntegerArithmetic) {
  for (DType t : kInts)
    for (Wide a : int_values(t))
      for (Wide b : int_values(t)) {
        const Scalar x = make(t, a), y = make(t, b);
        const auto expect = [&](Op op, Wide wanted) {
          EXPECT_EQ(binary(op, t, x, y), make(t, wrap(t, wanted)))
              << ir::info(op).name << " " << ir::name(t) << " " << std::int64_t(a) << " "
              << std::int64_t(b);
        };
        expect(Op::Add, a + b);
        expect(Op::Sub, a - b);
        expect(Op::Mul, times(a, b));
        expect(Op::FloorDiv, b == 0 ? 0 : floor_div(a, b));
        expect(Op::Mod, b == 0 ? 0 : a - floor_div(a, b) * b);
        expect(Op::TruncDiv, b == 0 ? 0 : a / b);
        expect(Op::TruncMod, b == 0 ? 0 : a % b);
        expect(Op::Min, a < b ? a : b);
        expect(Op::Max, a < b ? b : a);
        expect(Op::BitAnd, a & b);
        expect(Op::BitOr, a | b);
        expect(Op::BitXor, a ^ b);
        const bool shifts = b >= 0 && b < ir::width_bits(t);
        expect(Op::Shl,
               shifts ? static_cast<Wide>(static_cast<unsigned __int128>(a) << int(b)) : 0);
        expect(Op::Shr, shifts ? a >> int(b) : a < 0 ? -1 : 0);
        Wide power = 1;
        if (b >= 0 && b <= 200) {
          for (Wide k = 0; k < b; ++k) power = wrap(t, times(power, a));
          expect(Op::Pow, power);
        } else if (b < 0) {
          expect(Op::Pow, a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0);
        }
        const auto test = [&](Op op, bool wanted) {
          EXPECT_EQ(binary(op, DType::Bool, x, y), Scalar::of_bool(wanted)) << ir::info(op).name;
        };
        test(Op::Lt, a < b);
        test(Op::Le, a <= b);
        test(Op::Gt, a > b);
        test(Op::Ge, a >= b);
        test(Op::Eq, a == b);
        test(Op::Ne, a != b);
      }
}

TEST(RowOps, IntegerUnary) {
  for (DType t : kInts)
    for (Wide a : int_values(t)) {
      EXPECT_EQ(unary(Op::Neg, t, make(t, a)), make(t, wrap(t, -a)));
      EXPECT_EQ(unary(Op::Abs, t, make(t, a)), make(t, wrap(t, a < 0 ? -a : a)));
      EXPECT_EQ(unary(Op::Sign, t, make(t, a)), make(t, a > 0 ? 1 : a < 0 ? -1 : 0));
      EXPECT_EQ(unary(Op::BitNot, t, make(t, a)), make(t, wrap(t, -a - 1)));
    }
}

const double kFloats[] = {0.0,   -0.0,  1.0,    -1.0,  0.5,     1.5,      2.5,   -2.5,
                          3.0,   -7.0,  0.1,    1e-3,  65504.0, -65520.0, 1e5,   3e38,
                          -3e38, 1e300, 5e-324, 1e-40, 6e-8,    kInf,     -kInf, kNan};

// The value rounded to the dtype, as a double.
double in(DType t, double v) { return Scalar::of_double(t, v).as_double(); }

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

double smaller(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return kNan;
  if (a == 0 && b == 0) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

// Double arithmetic followed by one rounding is exact for the narrower types: they have less than
// half of double's bits.
TEST(RowOps, FloatArithmetic) {
  for (DType t : {DType::F16, DType::BF16, DType::F32, DType::F64})
    for (double u : kFloats)
      for (double w : kFloats) {
        const double a = in(t, u), b = in(t, w);
        const Scalar x = Scalar::of_double(t, a), y = Scalar::of_double(t, b);
        const auto expect = [&](Op op, double wanted) {
          const double got = binary(op, t, x, y).as_double();
          EXPECT_TRUE(same(got, in(t, wanted)))
              << ir::info(op).name << " " << ir::name(t) << " " << a << " " << b << ": " << got
              << " not " << in(t, wanted);
        };
        expect(Op::Add, a + b);
        expect(Op::Sub, a - b);
        expect(Op::Mul, a * b);
        expect(Op::Div, a / b);
        expect(Op::TruncMod, std::fmod(a, b));
        expect(Op::Min, smaller(a, b));
        expect(Op::Max, -smaller(-a, -b));
        expect(Op::FMin, std::isnan(a) ? b : std::isnan(b) ? a : smaller(a, b));
        expect(Op::FMax, std::isnan(a) ? b : std::isnan(b) ? a : -smaller(-a, -b));
        expect(Op::Copysign, std::isnan(b) ? std::fabs(a) : std::copysign(a, b));
        const auto test = [&](Op op, bool wanted) {
          EXPECT_EQ(binary(op, DType::Bool, x, y), Scalar::of_bool(wanted)) << ir::info(op).name;
        };
        test(Op::Lt, a < b);
        test(Op::Le, a <= b);
        test(Op::Gt, a > b);
        test(Op::Ge, a >= b);
        test(Op::Eq, a == b);
        test(Op::Ne, a != b);
        const Scalar chosen[] = {Scalar::of_bool(true), x, y},
                     gated[] = {Scalar::of_bool(false), x};
        EXPECT_EQ(apply(Op::Select, t, chosen), x);
        EXPECT_EQ(apply(Op::Gate, t, gated), Scalar::of_double(t, 0));
      }
}

TEST(RowOps, FloatUnary) {
  for (DType t : {DType::F16, DType::BF16, DType::F32, DType::F64})
    for (double u : kFloats) {
      const double a = in(t, u);
      const Scalar x = Scalar::of_double(t, a);
      const auto expect = [&](Op op, double wanted) {
        EXPECT_TRUE(same(unary(op, t, x).as_double(), in(t, wanted)))
            << ir::info(op).name << " " << ir::name(t) << " " << a;
      };
      expect(Op::Neg, -a);
      expect(Op::Abs, std::fabs(a));
      expect(Op::Sign, a > 0 ? 1 : a < 0 ? -1 : a);
      expect(Op::Floor, std::floor(a));
      expect(Op::Ceil, std::ceil(a));
      expect(Op::Trunc, std::trunc(a));
      expect(Op::Sqrt, std::sqrt(a));
      const double up = std::floor(a + 0.5);  // exact for these values, or they are whole
      const bool tie = std::fabs(a - std::trunc(a)) == 0.5;
      if (std::fabs(a) < 1e5) {
        const double nearest =
            std::copysign(std::fabs(a - std::floor(a)) < 0.5 ? std::floor(a) : up, a);
        expect(Op::Round, tie ? std::copysign(2 * std::round(std::fabs(a) / 2), a) : nearest);
        expect(Op::RoundAway, tie ? std::copysign(std::fabs(std::trunc(a)) + 1, a) : nearest);
      }
      EXPECT_EQ(unary(Op::IsNan, DType::Bool, x).bits, std::isnan(a) ? 1u : 0u);
      EXPECT_EQ(unary(Op::IsInf, DType::Bool, x).bits, std::isinf(a) ? 1u : 0u);
      EXPECT_EQ(unary(Op::IsFinite, DType::Bool, x).bits, std::isfinite(a) ? 1u : 0u);
    }
}

// As Python 3 and NumPy 2 print them: a, b, a // b, a % b.
TEST(RowOps, FlooredFloatDivision) {
  const double table[][4] = {{7, 2, 3, 1},
                             {-7, 2, -4, 1},
                             {7, -2, -4, -1},
                             {-7, -2, 3, -1},
                             {0.0, 3, 0.0, 0.0},
                             {-0.0, 3, -0.0, 0.0},
                             {6, 3, 2, 0.0},
                             {6, -3, -2, -0.0},
                             {1, 0.1, 9, 0.09999999999999995},
                             {5, kInf, 0.0, 5},
                             {-5, kInf, -1, kInf},
                             {kInf, 2, kNan, kNan},
                             {1, 0.0, kInf, kNan},
                             {-1, 0.0, -kInf, kNan},
                             {kNan, 1, kNan, kNan},
                             {0.3, -0.1, -3, -2.7755575615628914e-17}};
  for (const auto& [a, b, quotient, rest] : table) {
    const Scalar x = Scalar::of_double(DType::F64, a), y = Scalar::of_double(DType::F64, b);
    EXPECT_TRUE(same(binary(Op::FloorDiv, DType::F64, x, y).as_double(), quotient))
        << a << " " << b;
    EXPECT_TRUE(same(binary(Op::Mod, DType::F64, x, y).as_double(), rest)) << a << " " << b;
  }
  EXPECT_EQ(binary(Op::TruncDiv, DType::F64, Scalar::of_double(DType::F64, -7),
                   Scalar::of_double(DType::F64, 2))
                .as_double(),
            -3);
}

TEST(RowOps, Casts) {
  // float -> int
  for (DType t : kInts)
    for (double v : {0.0, -0.9, 1.9, -1.9, 127.5, 128.0, 300.0, -129.0, 4294967296.0, 1e19, -1e19,
                     9223372036854775807.0, kInf, -kInf, kNan}) {
      const Wide whole = std::isnan(v) ? 0 : static_cast<Wide>(std::max(-1e30, std::min(1e30, v)));
      const Wide wanted = std::max(low(t), std::min(high(t), whole));
      EXPECT_EQ(unary(Op::Cast, t, Scalar::of_double(DType::F64, v)), make(t, wanted)) << v;
    }
  // int -> int, bool, float
  for (DType from : kInts)
    for (Wide a : int_values(from)) {
      for (DType to : kInts) EXPECT_EQ(unary(Op::Cast, to, make(from, a)), make(to, wrap(to, a)));
      EXPECT_EQ(unary(Op::Cast, DType::Bool, make(from, a)), Scalar::of_bool(a != 0));
      EXPECT_EQ(unary(Op::Cast, DType::F64, make(from, a)).as_double(),
                static_cast<double>(static_cast<long double>(a)));
      EXPECT_EQ(unary(Op::Cast, DType::F32, make(from, a)).as_double(),
                static_cast<float>(static_cast<long double>(a)));
    }
  // Once, not twice: a hair above the middle of two neighbours, which double cannot hold.
  const Scalar f32 =
      Scalar::of_int(DType::I64, (std::int64_t{1} << 60) + (std::int64_t{1} << 36) + 1);
  EXPECT_EQ(unary(Op::Cast, DType::F32, f32).as_double(),
            std::ldexp(1.0, 60) + std::ldexp(1.0, 37));
  const Scalar bf =
      Scalar::of_int(DType::I64, (std::int64_t{1} << 62) + (std::int64_t{1} << 54) + 1);
  EXPECT_EQ(unary(Op::Cast, DType::BF16, bf).as_double(),
            std::ldexp(1.0, 62) + std::ldexp(1.0, 55));
  const Scalar even = Scalar::of_int(DType::I64, (std::int64_t{1} << 62) + (std::int64_t{1} << 54));
  EXPECT_EQ(unary(Op::Cast, DType::BF16, even).as_double(), std::ldexp(1.0, 62));
  // float -> half: 2049.0001 is above the middle of 2048 and 2050 only in double.
  EXPECT_EQ(unary(Op::Cast, DType::F16, Scalar::of_double(DType::F64, 2049.0000000001)).as_double(),
            2050);
  EXPECT_EQ(unary(Op::Cast, DType::Bool, Scalar::of_double(DType::F64, kNan)),
            Scalar::of_bool(true));
  EXPECT_EQ(unary(Op::Cast, DType::Bool, Scalar::of_double(DType::F32, -0.0)),
            Scalar::of_bool(false));
}

TEST(RowOps, BitCastsSeeTheCanonicalNan) {
  const std::uint64_t odd = 0xfff8000000001234u;
  std::uint64_t out = 0;
  const void* args[] = {&odd};
  apply_row(Op::BitCast, DType::F64, DType::U64, args, &out, 1);
  EXPECT_EQ(out, 0x7ff8000000000000u);
  EXPECT_EQ(unary(Op::BitCast, DType::I32, Scalar::of_double(DType::F32, 1)).as_int(), 0x3f800000);
  EXPECT_EQ(unary(Op::BitCast, DType::F32, Scalar::of_int(DType::U32, 0x3f800000)).as_double(), 1);
}

TEST(RowOps, BoolsAndFma) {
  for (int a : {0, 1})
    for (int b : {0, 1}) {
      const Scalar x = Scalar::of_bool(a != 0), y = Scalar::of_bool(b != 0);
      EXPECT_EQ(binary(Op::And, DType::Bool, x, y).bits, static_cast<unsigned>(a & b));
      EXPECT_EQ(binary(Op::Or, DType::Bool, x, y).bits, static_cast<unsigned>(a | b));
      EXPECT_EQ(binary(Op::BitXor, DType::Bool, x, y).bits, static_cast<unsigned>(a ^ b));
      EXPECT_EQ(binary(Op::Eq, DType::Bool, x, y).bits, a == b ? 1u : 0u);
      EXPECT_EQ(unary(Op::Not, DType::Bool, x).bits, a == 0 ? 1u : 0u);
      EXPECT_EQ(unary(Op::BitNot, DType::Bool, x).bits, a == 0 ? 1u : 0u);
    }
  const double e = std::ldexp(1.0, -30);
  const Scalar args[] = {Scalar::of_double(DType::F64, 1 + e), Scalar::of_double(DType::F64, 1 - e),
                         Scalar::of_double(DType::F64, -1)};
  EXPECT_EQ(apply(Op::Fma, DType::F64, args).as_double(), -e * e);
}

// The elementary functions have tests of their own; here only that each is the right one.
TEST(RowOps, ElementaryFunctions) {
  const auto near = [](Op op, double x, double wanted) {
    for (DType t : {DType::F16, DType::BF16, DType::F32, DType::F64}) {
      const double got = unary(op, t, Scalar::of_double(t, x)).as_double();
      const double step = t == DType::BF16 ? 0.02 : t == DType::F16 ? 0.002 : 1e-6;
      EXPECT_NEAR(got, wanted, step * std::fabs(wanted) + 1e-7) << ir::info(op).name;
    }
  };
  near(Op::Rsqrt, 0.25, 2);
  near(Op::Cbrt, 8, 2);
  near(Op::Exp, 0.5, std::exp(0.5));
  near(Op::Exp2, 0.5, std::exp2(0.5));
  near(Op::Expm1, 0.5, std::expm1(0.5));
  near(Op::Log, 2.5, std::log(2.5));
  near(Op::Log2, 2.5, std::log2(2.5));
  near(Op::Log10, 2.5, std::log10(2.5));
  near(Op::Log1p, 0.5, std::log1p(0.5));
  near(Op::Sin, 0.5, std::sin(0.5));
  near(Op::Cos, 0.5, std::cos(0.5));
  near(Op::Tan, 0.5, std::tan(0.5));
  near(Op::Asin, 0.5, std::asin(0.5));
  near(Op::Acos, 0.5, std::acos(0.5));
  near(Op::Atan, 0.5, std::atan(0.5));
  near(Op::Sinh, 0.5, std::sinh(0.5));
  near(Op::Cosh, 0.5, std::cosh(0.5));
  near(Op::Tanh, 0.5, std::tanh(0.5));
  near(Op::Asinh, 0.5, std::asinh(0.5));
  near(Op::Acosh, 1.5, std::acosh(1.5));
  near(Op::Atanh, 0.5, std::atanh(0.5));
  near(Op::Erf, 0.5, std::erf(0.5));
  near(Op::Erfc, 0.5, std::erfc(0.5));
  near(Op::Gamma, 2.5, std::tgamma(2.5));
  near(Op::Lgamma, 2.5, std::lgamma(2.5));
  const Scalar one = Scalar::of_double(DType::F64, 1), two = Scalar::of_double(DType::F64, 2);
  EXPECT_NEAR(binary(Op::Atan2, DType::F64, one, two).as_double(), std::atan2(1.0, 2.0), 1e-15);
  EXPECT_NEAR(binary(Op::Pow, DType::F64, two, one).as_double(), 2, 1e-15);
}

// A row is the same as its elements, at every length around a vector's.
TEST(RowOps, RowsAreTheirElements) {
  for (std::size_t n : {0u, 1u, 3u, 8u, 17u, 300u}) {
    std::vector<double> a(n), b(n), out(n);
    for (std::size_t p = 0; p < n; ++p) a[p] = static_cast<double>(p) - 3, b[p] = 2.5;
    const void* args[] = {a.data(), b.data()};
    apply_row(Op::Mul, DType::F64, DType::F64, args, out.data(), n);
    for (std::size_t p = 0; p < n; ++p) EXPECT_EQ(out[p], (static_cast<double>(p) - 3) * 2.5);
  }
}

// A new operation is compared here before everything else is compared with it.
TEST(RowOps, EveryOperationIsInThisFile) {
  std::ifstream in(source_dir() + "/tests/unit/interp/row_ops_test.cpp");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  for (int i = 0; i < ir::kOpCount; ++i) {
    const ir::OpInfo& op = ir::info(static_cast<Op>(i));
    if (op.form == ir::Form::Leaf) continue;
    const std::string word = "Op::" + std::string(op.name);
    EXPECT_TRUE(text.find(word + ",") != std::string::npos ||
                text.find(word + ")") != std::string::npos)
        << word;
  }
}

}  // namespace
}  // namespace lathe::interp
