// SPDX-License-Identifier: Apache-2.0
// NumPy's elementwise functions by name, with its dtypes: operands meet by NEP 50, then each
// function has a rule of its own. The table is all there is; what is composed of several operations
// is in compose_elementwise.cpp and compose_number.cpp.

#include <array>

#include "base/quoted.h"
#include "frontend/array/make.h"

namespace lathe::array {
namespace {

using ir::DType;
using ir::Op;

enum class Rule : std::uint8_t {
  Arithmetic,  // numbers; bools by `on_bool`, or refused when it is Const
  Small,       // numbers; bools become i8
  Divide,      // floats; the rest becomes f64
  Float,       // floats; integers become the smallest float that NumPy takes
  Keep,        // floats; integers and bools stay as they are
  Order,       // -> bool, bools as u8
  Same,        // -> bool
  Logic,       // everything as bool
  Bits,        // integers and bools
  Shift,       // integers; bools become i8
  Test,        // floats -> bool; of integers a constant
};

struct Function {
  std::string_view name;
  Op op;
  int arity;
  Rule rule;
  Op on_bool = Op::Const;
};

constexpr Function kFunctions[] = {
    {"add", Op::Add, 2, Rule::Arithmetic, Op::Or},
    {"subtract", Op::Sub, 2, Rule::Arithmetic},
    {"multiply", Op::Mul, 2, Rule::Arithmetic, Op::And},
    {"divide", Op::Div, 2, Rule::Divide},
    {"floor_divide", Op::FloorDiv, 2, Rule::Small},
    {"remainder", Op::Mod, 2, Rule::Small},
    {"fmod", Op::TruncMod, 2, Rule::Small},
    {"power", Op::Pow, 2, Rule::Small},
    {"negative", Op::Neg, 1, Rule::Arithmetic},
    {"absolute", Op::Abs, 1, Rule::Arithmetic, Op::Cast},
    {"sign", Op::Sign, 1, Rule::Arithmetic},
    {"minimum", Op::Min, 2, Rule::Arithmetic, Op::And},
    {"maximum", Op::Max, 2, Rule::Arithmetic, Op::Or},
    {"fmin", Op::FMin, 2, Rule::Arithmetic, Op::And},
    {"fmax", Op::FMax, 2, Rule::Arithmetic, Op::Or},
    {"less", Op::Lt, 2, Rule::Order},
    {"less_equal", Op::Le, 2, Rule::Order},
    {"greater", Op::Gt, 2, Rule::Order},
    {"greater_equal", Op::Ge, 2, Rule::Order},
    {"equal", Op::Eq, 2, Rule::Same},
    {"not_equal", Op::Ne, 2, Rule::Same},
    {"logical_and", Op::And, 2, Rule::Logic},
    {"logical_or", Op::Or, 2, Rule::Logic},
    {"logical_xor", Op::Ne, 2, Rule::Logic},
    {"logical_not", Op::Not, 1, Rule::Logic},
    {"bitwise_and", Op::BitAnd, 2, Rule::Bits},
    {"bitwise_or", Op::BitOr, 2, Rule::Bits},
    {"bitwise_xor", Op::BitXor, 2, Rule::Bits},
    {"invert", Op::BitNot, 1, Rule::Bits},
    {"left_shift", Op::Shl, 2, Rule::Shift},
    {"right_shift", Op::Shr, 2, Rule::Shift},
    {"floor", Op::Floor, 1, Rule::Keep},
    {"ceil", Op::Ceil, 1, Rule::Keep},
    {"trunc", Op::Trunc, 1, Rule::Keep},
    {"rint", Op::Round, 1, Rule::Float},
    {"isnan", Op::IsNan, 1, Rule::Test},
    {"isinf", Op::IsInf, 1, Rule::Test},
    {"isfinite", Op::IsFinite, 1, Rule::Test},
    {"copysign", Op::Copysign, 2, Rule::Float},
    {"sqrt", Op::Sqrt, 1, Rule::Float},
    {"rsqrt", Op::Rsqrt, 1, Rule::Float},
    {"cbrt", Op::Cbrt, 1, Rule::Float},
    {"exp", Op::Exp, 1, Rule::Float},
    {"exp2", Op::Exp2, 1, Rule::Float},
    {"expm1", Op::Expm1, 1, Rule::Float},
    {"log", Op::Log, 1, Rule::Float},
    {"log2", Op::Log2, 1, Rule::Float},
    {"log10", Op::Log10, 1, Rule::Float},
    {"log1p", Op::Log1p, 1, Rule::Float},
    {"sin", Op::Sin, 1, Rule::Float},
    {"cos", Op::Cos, 1, Rule::Float},
    {"tan", Op::Tan, 1, Rule::Float},
    {"arcsin", Op::Asin, 1, Rule::Float},
    {"arccos", Op::Acos, 1, Rule::Float},
    {"arctan", Op::Atan, 1, Rule::Float},
    {"arctan2", Op::Atan2, 2, Rule::Float},
    {"sinh", Op::Sinh, 1, Rule::Float},
    {"cosh", Op::Cosh, 1, Rule::Float},
    {"tanh", Op::Tanh, 1, Rule::Float},
    {"arcsinh", Op::Asinh, 1, Rule::Float},
    {"arccosh", Op::Acosh, 1, Rule::Float},
    {"arctanh", Op::Atanh, 1, Rule::Float},
    {"erf", Op::Erf, 1, Rule::Float},
    {"erfc", Op::Erfc, 1, Rule::Float},
    {"gamma", Op::Gamma, 1, Rule::Float},
    {"lgamma", Op::Lgamma, 1, Rule::Float},
};

const Function* find_function(std::string_view name) {
  for (const Function& f : kFunctions)
    if (f.name == name) return &f;
  return nullptr;
}

Nodes all_converted(const Maker& m, const Nodes& operands, DType t) {
  Nodes out;
  for (const NodeRef& o : operands) out.push_back(converted(m, o, t));
  return out;
}

// isfinite of an integer is true, and isnan false; what is wrong with the array stays wrong.
NodeRef of_integers(const Maker& m, const Function& f, const NodeRef& x) {
  return map(m, f.op == Op::IsFinite ? Op::Eq : Op::Ne, DType::Bool, {x, x});
}

[[noreturn]] void refuse_dtype(const Maker& m, DType t, const char* wanted) {
  refuse(m, "takes " + std::string(wanted) + ", not " + std::string(ir::name(t)),
         "convert with astype first", ErrorKind::DType);
}

void refuse_negative_power(const Maker& m, const Nodes& operands, DType t) {
  const Node& e = *operands[1];
  if (ir::is_int(t) && e.kind == Kind::Constant && !ir::is_float(e.dtype) &&
      !ir::is_unsigned_int(e.dtype) && e.value.as_int() < 0)
    refuse(m, "integers to negative integer powers are not allowed",
           "convert the base to a float first");
}

}  // namespace

DType float_for(DType t) {
  if (ir::is_float(t)) return t;
  if (ir::size_bytes(t) == 1) return DType::F16;
  return ir::size_bytes(t) == 2 ? DType::F32 : DType::F64;
}

DType common_dtype(const Maker& m, const Nodes& operands) {
  std::optional<DType> strong;
  bool weak_int = false, weak_real = false;
  for (const NodeRef& o : operands) {
    if (!o->is_weak()) {
      strong = strong ? ir::promote(*strong, o->dtype) : o->dtype;
    } else {
      (ir::is_float(o->dtype) ? weak_real : weak_int) = true;
    }
  }
  if (!strong) return weak_real ? DType::F64 : operands.at(0)->dtype;
  if (weak_real && !ir::is_float(*strong)) return DType::F64;
  if (weak_int && ir::is_bool(*strong)) return DType::I64;
  if (ir::is_int(*strong))
    for (const NodeRef& o : operands)
      if (o->is_weak() && !fits(o->value, *strong))
        refuse(m,
               "the number " + ir::to_text(o->value) + " does not fit " +
                   std::string(ir::name(*strong)),
               "convert the array with astype first", ErrorKind::Number);
  return *strong;
}

DType float_for(const Maker& m, const Nodes& operands) {
  const DType common = common_dtype(m, operands);
  std::optional<DType> out;
  for (const NodeRef& o : operands)
    if (!o->is_weak()) out = out ? ir::promote(*out, float_for(o->dtype)) : float_for(o->dtype);
  return ir::is_float(common) || !out ? float_for(common) : *out;
}

NodeRef converted(const Maker& m, const NodeRef& x, DType t) { return cast(x, t, m.place); }

NodeRef elementwise(const Maker& m, std::string_view name, const Nodes& operands) {
  if (name == "where") {
    if (operands.size() != 3) refuse(m, "takes a condition and two arrays");
    const DType t = common_dtype(m, {operands[1], operands[2]});
    return map(m, Op::Select, t,
               {converted(m, operands[0], DType::Bool), converted(m, operands[1], t),
                converted(m, operands[2], t)});
  }
  const Function* f = find_function(name);
  if (!f) return {};
  if (operands.size() != static_cast<std::size_t>(f->arity))
    refuse(m,
           "takes " + std::to_string(f->arity) + " arrays, not " + std::to_string(operands.size()));
  if (f->rule == Rule::Order || f->rule == Rule::Same)
    if (NodeRef exact = exact_comparison(m, f->op, operands)) return exact;
  DType t = common_dtype(m, operands);
  switch (f->rule) {
    case Rule::Arithmetic:
      if (ir::is_bool(t)) {
        if (f->on_bool == Op::Cast) return converted(m, operands[0], t);
        if (f->on_bool == Op::Const)
          refuse(
              m, "takes numbers, not bools",
              name == "subtract" ? "use logical_xor" : "use logical_not, or convert with astype");
        return map(m, f->on_bool, t, all_converted(m, operands, t));
      }
      // NaN is the only difference between fmin and minimum: integers have none.
      if (!ir::is_float(t) && f->op == Op::FMin)
        return map(m, Op::Min, t, all_converted(m, operands, t));
      if (!ir::is_float(t) && f->op == Op::FMax)
        return map(m, Op::Max, t, all_converted(m, operands, t));
      // NumPy's sign(-0.0) is 0.0, ours -0.0: adding 0 makes the difference.
      if (ir::is_float(t) && f->op == Op::Sign) {
        const NodeRef zero = constant(ir::Scalar::of_double(t, 0));
        return map(m, Op::Add, t, {map(m, Op::Sign, t, all_converted(m, operands, t)), zero});
      }
      return map(m, f->op, t, all_converted(m, operands, t));
    case Rule::Small:
      if (ir::is_bool(t)) t = DType::I8;
      if (f->op == Op::Pow) refuse_negative_power(m, operands, t);
      return map(m, f->op, t, all_converted(m, operands, t));
    case Rule::Divide:
      if (!ir::is_float(t)) t = DType::F64;
      return map(m, f->op, t, all_converted(m, operands, t));
    case Rule::Float:
      t = float_for(m, operands);
      return map(m, f->op, t, all_converted(m, operands, t));
    case Rule::Keep:
      if (!ir::is_float(t)) return converted(m, operands[0], t);
      return map(m, f->op, t, all_converted(m, operands, t));
    case Rule::Order:
      if (ir::is_bool(t)) t = DType::U8;
      return map(m, f->op, DType::Bool, all_converted(m, operands, t));
    case Rule::Same: return map(m, f->op, DType::Bool, all_converted(m, operands, t));
    case Rule::Logic: return map(m, f->op, DType::Bool, all_converted(m, operands, DType::Bool));
    case Rule::Bits:
      if (ir::is_float(t)) refuse_dtype(m, t, "integers or bools");
      return map(m, f->op, t, all_converted(m, operands, t));
    case Rule::Shift:
      if (ir::is_float(t)) refuse_dtype(m, t, "integers");
      if (ir::is_bool(t)) t = DType::I8;
      return map(m, f->op, t, all_converted(m, operands, t));
    case Rule::Test:
      if (!ir::is_float(t)) return of_integers(m, *f, operands[0]);
      return map(m, f->op, DType::Bool, all_converted(m, operands, t));
  }
  return {};
}

// For apply.cpp's list.
void add_elementwise_names(std::vector<std::string>& out) {
  for (const Function& f : kFunctions) out.emplace_back(f.name);
  out.emplace_back("where");
}

}  // namespace lathe::array
