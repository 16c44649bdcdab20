// SPDX-License-Identifier: Apache-2.0
#include "frontend/stencil/value.h"

#include <algorithm>

#include "base/number_text.h"

namespace lathe::stencil {

std::string_view python_name(ir::DType t) {
  switch (t) {
    case ir::DType::I8: return "int8";
    case ir::DType::I16: return "int16";
    case ir::DType::I32: return "int32";
    case ir::DType::I64: return "int64";
    case ir::DType::F32: return "float32";
    case ir::DType::F64: return "float64";
    default: return ir::name(t);
  }
}

bool same_value(const Value& a, const Value& b) {
  const bool reals = a.real == b.real || (a.real != a.real && b.real != b.real);
  if (a.kind != b.kind || a.integer != b.integer || !reals || a.dtype != b.dtype ||
      a.weak != b.weak || a.from_end != b.from_end || a.table != b.table || a.text != b.text ||
      a.function != b.function || !a.members != !b.members)
    return false;
  if (a.members && a.members != b.members &&
      !std::equal(a.members->begin(), a.members->end(), b.members->begin(), b.members->end(),
                  [](const auto& x, const auto& y) {
                    return x.first == y.first && same_value(x.second, y.second);
                  }))
    return false;
  return std::equal(a.elements.begin(), a.elements.end(), b.elements.begin(), b.elements.end(),
                    same_value);
}

Value Value::unknown(std::string what) {
  Value v;
  v.text = std::move(what);
  return v;
}
Value Value::unknown_import(std::string what) {
  Value v = unknown(std::move(what));
  v.imported = true;
  return v;
}
Value Value::none() {
  Value v;
  v.kind = Kind::None;
  return v;
}
Value Value::boolean(bool b) {
  Value v;
  v.kind = Kind::Bool;
  v.integer = b ? 1 : 0;
  return v;
}
Value Value::of_int(std::int64_t i, std::optional<ir::DType> t) {
  Value v;
  v.kind = Kind::Int;
  v.integer = i;
  v.dtype = t;
  return v;
}
Value Value::of_float(double r, std::optional<ir::DType> t) {
  Value v;
  v.kind = Kind::Float;
  v.real = r;
  v.dtype = t;
  return v;
}
Value Value::string(std::string s) {
  Value v;
  v.kind = Kind::String;
  v.text = std::move(s);
  return v;
}
Value Value::type(ir::DType t, bool weak) {
  Value v;
  v.kind = Kind::DType;
  v.dtype = t;
  v.weak = weak;
  return v;
}
Value Value::axes(std::string names) {
  Value v;
  v.kind = Kind::Axes;
  v.text = std::move(names);
  return v;
}

Value Value::axis_index(std::string axis, std::int64_t number) {
  Value v;
  v.kind = Kind::AxisIndex;
  v.text = std::move(axis);
  v.from_end = number < 0;
  v.integer = v.from_end ? number + 1 : number;  // from the last point
  v.weak = number != 0 && number != -1;          // a number that regions refuse
  return v;
}
Value Value::builtin(std::string name) {
  Value v;
  v.kind = Kind::Builtin;
  v.text = std::move(name);
  return v;
}
Value Value::scope(Kind kind, Members members) {
  Value v;
  v.kind = kind;
  v.members = std::make_shared<const Members>(std::move(members));
  return v;
}

std::string describe(const Value& v) {
  switch (v.kind) {
    case Value::Kind::Unknown: return v.text.empty() ? "something unknown" : v.text;
    case Value::Kind::None: return "None";
    case Value::Kind::Bool: return v.integer ? "True" : "False";
    case Value::Kind::Int: return "the int " + std::to_string(v.integer);
    case Value::Kind::Float: return "the float " + to_text(v.real);
    case Value::Kind::String: return "a string";
    case Value::Kind::DType: return "the dtype " + std::string(ir::name(*v.dtype));
    case Value::Kind::Axes: return "the axis " + v.text;
    case Value::Kind::AxisIndex: return "a point of axis " + v.text;
    case Value::Kind::Builtin: return "'" + v.text + "' of GTScript";
    case Value::Kind::Function: return "a function";
    case Value::Kind::Enum: return "an enum";
    case Value::Kind::Namespace: return "a module or class";
    case Value::Kind::Tuple: return "a tuple";
    case Value::Kind::Dict: return "a dict";
    case Value::Kind::Field: return "the type of a field";
  }
  return "";
}

std::optional<Value> dtype_named(std::string_view name) {
  using ir::DType;
  struct Known {
    std::string_view name;
    DType dtype;
    bool weak;
  };
  static constexpr Known kKnown[] = {
      {"bool", DType::Bool, false},  {"bool_", DType::Bool, false},  {"int8", DType::I8, false},
      {"int16", DType::I16, false},  {"int32", DType::I32, false},   {"int64", DType::I64, false},
      {"int", DType::I64, true},     {"int_", DType::I64, false},    {"float", DType::F64, true},
      {"float_", DType::F64, false}, {"float32", DType::F32, false}, {"float64", DType::F64, false},
      {"single", DType::F32, false}, {"double", DType::F64, false},
  };
  for (const Known& k : kKnown)
    if (k.name == name) return Value::type(k.dtype, k.weak);
  return std::nullopt;
}

}  // namespace lathe::stencil
