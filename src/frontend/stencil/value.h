// SPDX-License-Identifier: Apache-2.0
#pragma once
// What Python names stand for when a stencil is compiled: constants, types, axes, functions.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/python/ast.h"
#include "ir/dtype.h"

namespace lathe::stencil {

// float64, int32: as users write them.
std::string_view python_name(ir::DType t);

struct Value;
struct Scope;
using Members = std::map<std::string, Value, std::less<>>;

struct Value {
  enum class Kind : std::uint8_t {
    Unknown,  // something of Python that only Python can evaluate; `text` says what
    None,
    Bool,       // integer
    Int,        // integer; with a dtype when NumPy made it
    Float,      // real; likewise
    String,     // text
    DType,      // dtype; `weak` when written `int` or `float`
    Axes,       // text: "I", "JK" ...
    AxisIndex,  // I[0] + 2: text is the axis, integer the offset, from_end when counted from I[-1]
    Builtin,    // text: the name that GTScript has for it
    Function,   // a function of the file
    Enum,       // members
    Namespace,  // members: a module, or a class that only holds names
    Tuple,      // elements
    Dict,       // members, by their key's text
    Field,      // the type of a field: text is its axes, elements its dtype and data dimensions
  };
  Kind kind = Kind::Unknown;
  std::int64_t integer = 0;
  double real = 0;
  std::optional<ir::DType> dtype;
  bool weak = false, from_end = false;
  bool table = false;     // of the type of a field: a GlobalTable
  bool imported = false;  // unknown: another file may say what it is
  std::string text;
  const python::FunctionDef* function = nullptr;
  const Scope* sees = nullptr;  // the names of a function that Python has looked up; see objects.h
  std::shared_ptr<const Members> members;
  std::vector<Value> elements;

  static Value unknown(std::string what);
  static Value unknown_import(std::string what);
  static Value none();
  static Value boolean(bool b);
  static Value of_int(std::int64_t v, std::optional<ir::DType> t = {});
  static Value of_float(double v, std::optional<ir::DType> t = {});
  static Value string(std::string s);
  static Value type(ir::DType t, bool weak = false);
  static Value axes(std::string names);
  static Value axis_index(std::string axis, std::int64_t number);  // I[number]
  static Value builtin(std::string name);
  static Value scope(Kind kind, Members members);

  bool is(Kind k) const { return kind == k; }
  bool is_number() const { return kind == Kind::Int || kind == Kind::Float; }
  bool is_constant() const { return is_number() || kind == Kind::Bool; }
  double as_real() const { return kind == Kind::Float ? real : static_cast<double>(integer); }
};

// The same constant, type, function ...; of unknown ones: for the same reason.
bool same_value(const Value& a, const Value& b);

// As Python would say it: "the int 3", "a function".
std::string describe(const Value& value);

// The dtype of a NumPy or Python name: float32, int_, bool ... Nothing for dtypes that fields
// cannot have (unsigned, complex, text).
std::optional<Value> dtype_named(std::string_view name);

}  // namespace lathe::stencil
