// SPDX-License-Identifier: Apache-2.0
// From an operation to its loop. 16-bit floats are widened to float32 in pieces, go through the
// float32 loop, and are rounded once on the way back.

#include "interp/row_ops.h"

#include <algorithm>
#include <cstring>

#include "base/half.h"
#include "interp/row_loops.h"

namespace lathe::interp {
namespace {

using ir::DType;
using ir::Op;

RowFunction::Loop find_loop(Op op, DType t, DType result) {
  switch (op) {
    case Op::Const:
    case Op::Index:
    case Op::Param:
    case Op::Read:
    case Op::Inside:
    case Op::Lookup:
    case Op::Reduce: break;
    case Op::Add: return loops::add(t);
    case Op::Sub: return loops::sub(t);
    case Op::Mul: return loops::mul(t);
    case Op::Div: return loops::div(t);
    case Op::FloorDiv: return loops::floor_div(t);
    case Op::Mod: return loops::mod(t);
    case Op::TruncDiv: return loops::trunc_div(t);
    case Op::TruncMod: return loops::trunc_mod(t);
    case Op::Pow: return loops::pow(t);
    case Op::Neg: return loops::neg(t);
    case Op::Abs: return loops::abs(t);
    case Op::Sign: return loops::sign(t);
    case Op::Fma: return loops::fma(t);
    case Op::Min: return loops::min(t);
    case Op::Max: return loops::max(t);
    case Op::FMin: return loops::fmin(t);
    case Op::FMax: return loops::fmax(t);
    case Op::Lt: return loops::less(t);
    case Op::Le: return loops::less_equal(t);
    case Op::Gt: return loops::greater(t);
    case Op::Ge: return loops::greater_equal(t);
    case Op::Eq: return loops::equal(t);
    case Op::Ne: return loops::not_equal(t);
    case Op::And: return loops::logical_and();
    case Op::Or: return loops::logical_or();
    case Op::Not: return loops::logical_not();
    case Op::Select: return loops::select(t);
    case Op::Gate: return loops::gate(t);
    case Op::BitAnd: return loops::bit_and(t);
    case Op::BitOr: return loops::bit_or(t);
    case Op::BitXor: return loops::bit_xor(t);
    case Op::BitNot: return loops::bit_not(t);
    case Op::Shl: return loops::shift_left(t);
    case Op::Shr: return loops::shift_right(t);
    case Op::Floor: return loops::floor(t);
    case Op::Ceil: return loops::ceil(t);
    case Op::Trunc: return loops::trunc(t);
    case Op::Round: return loops::round_even(t);
    case Op::RoundAway: return loops::round_away(t);
    case Op::Copysign: return loops::copysign(t);
    case Op::IsNan: return loops::is_nan(t);
    case Op::IsInf: return loops::is_inf(t);
    case Op::IsFinite: return loops::is_finite(t);
    case Op::Sqrt: return loops::sqrt(t);
    case Op::Rsqrt:
    case Op::Cbrt:
    case Op::Exp:
    case Op::Exp2:
    case Op::Expm1:
    case Op::Log:
    case Op::Log2:
    case Op::Log10:
    case Op::Log1p:
    case Op::Sin:
    case Op::Cos:
    case Op::Tan:
    case Op::Asin:
    case Op::Acos:
    case Op::Atan:
    case Op::Atan2:
    case Op::Sinh:
    case Op::Cosh:
    case Op::Tanh:
    case Op::Asinh:
    case Op::Acosh:
    case Op::Atanh:
    case Op::Erf:
    case Op::Erfc:
    case Op::Gamma:
    case Op::Lgamma: return loops::elementary(op, t);
    case Op::Cast: return loops::cast(t, result);
    case Op::BitCast: return loops::bit_cast(t, result);
  }
  internal_error("an operation that has a row loop");
}

// Select, Gate and the conversions treat halves as they lie in memory.
bool moves_bits(Op op) {
  return op == Op::Select || op == Op::Gate || op == Op::Cast || op == Op::BitCast;
}

template <class T, T kQuiet>
void canonicalise(T* row, std::size_t n, T infinity) {
  constexpr T kSign = static_cast<T>(T{1} << (8 * sizeof(T) - 1));
  for (std::size_t p = 0; p < n; ++p)
    row[p] = static_cast<T>(row[p] & ~kSign) > infinity ? kQuiet : row[p];
}

}  // namespace

RowFunction::RowFunction(Op op, DType operand, DType result)
    : type_(operand), arity_(ir::info(op).arity) {
  const bool widen = ir::is_half(operand) && !moves_bits(op);
  loop_ = find_loop(op, widen ? DType::F32 : operand, result);
  if (widen) half_ = ir::is_half(result) ? Half::All : Half::OperandsOnly;
}

void RowFunction::call_on_halves(const void* const* args, void* out, std::size_t n) const {
  constexpr std::size_t kPiece = 256;
  float wide[3][kPiece], result[kPiece];
  const void* wide_args[3] = {wide[0], wide[1], wide[2]};
  const bool brain = type_ == DType::BF16;
  for (std::size_t begin = 0; begin < n; begin += kPiece) {
    const std::size_t m = std::min(kPiece, n - begin);
    for (int a = 0; a < arity_; ++a) {
      const auto* from = static_cast<const std::uint16_t*>(args[a]) + begin;
      for (std::size_t p = 0; p < m; ++p)
        wide[a][p] = brain ? bfloat16_to_float(from[p]) : half_to_float(from[p]);
    }
    if (half_ == Half::OperandsOnly) {  // a test or a comparison
      loop_(wide_args, static_cast<std::uint8_t*>(out) + begin, m);
      continue;
    }
    loop_(wide_args, result, m);
    auto* to = static_cast<std::uint16_t*>(out) + begin;
    for (std::size_t p = 0; p < m; ++p)
      to[p] = brain ? float_to_bfloat16(result[p]) : float_to_half(result[p]);
  }
}

void apply_row(Op op, DType operand, DType result, std::span<const void* const> args, void* out,
               std::size_t n) {
  RowFunction(op, operand, result)(args.data(), out, n);
}

ir::Scalar apply(Op op, DType result, std::span<const ir::Scalar> args) {
  std::uint64_t storage[3], out = 0;
  const void* pointers[3] = {&storage[0], &storage[1], &storage[2]};
  check(!args.empty() && args.size() <= 3, "one to three operands");
  for (std::size_t a = 0; a < args.size(); ++a) args[a].store(&storage[a]);
  RowFunction(op, args.back().dtype, result)(pointers, &out, 1);
  return ir::Scalar::load(result, &out);
}

RowFunction cast_function(DType from, DType to) { return RowFunction(Op::Cast, from, to); }

void canonicalise_nans(DType t, void* row, std::size_t n) {
  switch (t) {
    case DType::F16:
      return canonicalise<std::uint16_t, 0x7e00>(static_cast<std::uint16_t*>(row), n, 0x7c00);
    case DType::BF16:
      return canonicalise<std::uint16_t, 0x7fc0>(static_cast<std::uint16_t*>(row), n, 0x7f80);
    case DType::F32:
      return canonicalise<std::uint32_t, 0x7fc00000u>(static_cast<std::uint32_t*>(row), n,
                                                      0x7f800000u);
    case DType::F64:
      return canonicalise<std::uint64_t, 0x7ff8000000000000u>(static_cast<std::uint64_t*>(row), n,
                                                              0x7ff0000000000000u);
    case DType::Bool:
    case DType::I8:
    case DType::I16:
    case DType::I32:
    case DType::I64:
    case DType::U8:
    case DType::U16:
    case DType::U32:
    case DType::U64: return;
  }
}

}  // namespace lathe::interp
