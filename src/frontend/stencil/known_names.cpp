// SPDX-License-Identifier: Apache-2.0
// Names that mean something to stencils: GTScript's own, NumPy's dtypes, constants of `math`.

#include <limits>
#include <numbers>

#include "frontend/stencil/constant.h"

namespace lathe::stencil {
namespace {

constexpr std::string_view kWords[] = {
    "computation",
    "interval",
    "horizontal",
    "region",
    "PARALLEL",
    "FORWARD",
    "BACKWARD",
    "Field",
    "GlobalTable",
    "Sequence",
    "compile_assert",
    "__INLINED",
    "stencil",
    "lazy_stencil",
    "function",
    "lazy_function",
    "enum",
    "__externals__",
    "abs",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "sqrt",
    "exp",
    "log",
    "log10",
    "gamma",
    "cbrt",
    "isfinite",
    "isinf",
    "isnan",
    "floor",
    "ceil",
    "trunc",
    "erf",
    "erfc",
    "round",
    "round_away_from_zero",
    "min",
    "max",
    "mod",
    "externals",
    "index",
    "range",
};
constexpr std::string_view kAxes[] = {"I", "J", "K", "IJ", "IK", "JK", "IJK"};
constexpr std::string_view kTypes[] = {"bool",  "int",   "float",   "int8",   "int16",
                                       "int32", "int64", "float32", "float64"};

const Members& gtscript_names() {
  static const Members* const names = [] {
    auto* m = new Members;
    for (std::string_view w : kWords) m->emplace(w, Value::builtin(std::string(w)));
    for (std::string_view a : kAxes) m->emplace(a, Value::axes(std::string(a)));
    for (std::string_view t : kTypes) m->emplace(t, *dtype_named(t));
    for (std::string_view w : {"SimpleNamespace", "dict"})
      m->emplace(w, Value::builtin(std::string(w)));
    return m;
  }();
  return *names;
}

Members numbers_of(bool numpy) {
  Members m;
  m.emplace("pi", Value::of_float(std::numbers::pi));
  m.emplace("e", Value::of_float(std::numbers::e));
  m.emplace("inf", Value::of_float(std::numeric_limits<double>::infinity()));
  m.emplace("nan", Value::of_float(std::numeric_limits<double>::quiet_NaN()));
  for (std::string_view f :
       {"sqrt", "exp", "log", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "gamma"})
    m.emplace(f, Value::builtin(std::string(f)));
  if (!numpy) return m;
  for (std::string_view t : {"bool_", "int8", "int16", "int32", "int64", "int_", "float_",
                             "float32", "float64", "single", "double"})
    m.emplace(t, *dtype_named(t));
  m.emplace("bool", *dtype_named("bool_"));
  m.emplace("dtype", Value::builtin("dtype"));
  return m;
}

}  // namespace

const Value* gtscript_name(std::string_view name) {
  const auto at = gtscript_names().find(name);
  return at == gtscript_names().end() ? nullptr : &at->second;
}

const Value* known_module(std::string_view dotted) {
  static const Value* const gtscript =
      new Value(Value::scope(Value::Kind::Namespace, gtscript_names()));
  static const Value* const numpy =
      new Value(Value::scope(Value::Kind::Namespace, numbers_of(true)));
  static const Value* const math =
      new Value(Value::scope(Value::Kind::Namespace, numbers_of(false)));
  static const Value* const types = new Value(Value::scope(
      Value::Kind::Namespace, {{"SimpleNamespace", Value::builtin("SimpleNamespace")}}));
  if (dotted == "gtscript" || dotted.ends_with(".gtscript")) return gtscript;
  if (dotted == "numpy") return numpy;
  if (dotted == "math") return math;
  if (dotted == "types") return types;
  return nullptr;
}

}  // namespace lathe::stencil
