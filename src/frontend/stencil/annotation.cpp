// SPDX-License-Identifier: Apache-2.0
#include "frontend/stencil/annotation.h"

#include "base/quoted.h"
#include "frontend/stencil/constant.h"
#include "frontend/stencil/translator.h"

namespace lathe::stencil {
namespace {

using python::ExprKind;
using Kind = Value::Kind;

constexpr const char* kDTypes =
    "fields hold bool, int8, int16, int32, int64, float32 or float64 (float and int also)";

struct Parser {
  const Scope& scope;
  const Options& options;
  std::string_view of;

  Value value(const python::Expr& e) const {
    return evaluate(e, [&](std::string_view name) { return scope.find(name); });
  }

  void set_dtype(FieldType& type, const python::Expr& e) const {
    const Value v = value(e);
    const std::string_view last = last_name(e);
    if (!v.is(Kind::DType) && (last.starts_with("uint") || last.starts_with("complex") ||
                               last == "float16" || last == "str"))
      fail(ErrorKind::DType, of, e.span, "invalid data type " + quoted(last) + " of " + quoted(of),
           kDTypes);
    set_dtype(type, v, e.span);
  }

  void set_dtype(FieldType& type, const Value& v, Span span) const {
    if (v.is(Kind::String)) type.dtype_name = v.text;
    type.dtype = dtype(v, span);
  }

  ir::DType dtype(const Value& v, Span span) const {
    if (v.is(Kind::DType)) return resolve(v, options);
    if (v.is(Kind::Enum)) return options.int_bits == 32 ? ir::DType::I32 : ir::DType::I64;
    if (v.is(Kind::String)) {
      if (const auto at = options.dtypes.find(v.text); at != options.dtypes.end())
        return at->second;
      if (const auto named = dtype_named(v.text)) return resolve(*named, options);
      fail(ErrorKind::DType, of, span,
           "the dtype " + quoted(v.text) + " of " + quoted(of) + " is not known",
           "give it with dtypes={" + quoted(v.text) + ": ...}, or --dtype " + v.text + "=float32");
    }
    if (v.is(Kind::Unknown))
      fail(ErrorKind::DType, of, span, "the type of " + quoted(of) + " is " + describe(v),
           "write Field[float] for a field, float for a scalar");
    fail(ErrorKind::DType, of, span,
         "the type of " + quoted(of) + " is " + describe(v) + ", not a dtype", kDTypes);
  }

  // The type of a field as an object, or a dtype.
  FieldType type_of(const Value& v, Span span) const {
    FieldType type;
    if (!v.is(Kind::Field)) {
      set_dtype(type, v, span);
      return type;
    }
    type.is_field = true;
    type.table = v.table;
    type.axes = v.text;
    set_dtype(type, v.elements.at(0), span);
    for (std::size_t d = 1; d < v.elements.size(); ++d) type.dims.push_back(v.elements[d].integer);
    return type;
  }

  // float, or (float, (3, 2)), or (float, 3)
  void element(const python::Expr& e, FieldType& type) const {
    const auto* tuple = e.try_as<python::Tuple>();
    if (!tuple) {
      set_dtype(type, e);
      return;
    }
    if (tuple->elements.size() != 2)
      fail(e.span, "the data dimensions of " + quoted(of) + " are written (dtype, (n, ...))",
           "for example Field[(float, (3,))]");
    set_dtype(type, *tuple->elements[0]);
    const Value dims = value(*tuple->elements[1]);
    const std::vector<Value> sizes = dims.is(Kind::Tuple) ? dims.elements : std::vector{dims};
    for (const Value& n : sizes) {
      if (!n.is(Kind::Int) || n.integer < 1)
        fail(tuple->elements[1]->span,
             "a data dimension of " + quoted(of) + " is " + describe(n) + ", not a positive int",
             "data dimensions are known when the stencil is compiled");
      type.dims.push_back(n.integer);
    }
  }

  FieldType field(const python::Subscript& s) const {
    FieldType type;
    type.is_field = true;
    type.axes = "IJK";
    const auto* tuple = s.index->try_as<python::Tuple>();
    if (tuple && tuple->elements.size() == 2) {
      const Value first = value(*tuple->elements[0]);
      if (first.is(Kind::Axes)) {
        type.axes = first.text;
        element(*tuple->elements[1], type);
        return type;
      }
      if (first.is(Kind::Tuple)) {  // Field[(I, J), float]
        std::string axes;
        for (const Value& a : first.elements)
          if (a.is(Kind::Axes)) axes += a.text;
        type.axes = axes;
        element(*tuple->elements[1], type);
        return type;
      }
    }
    element(*s.index, type);
    return type;
  }

  FieldType parse(const python::Expr& e) const {
    if (const auto* s = e.try_as<python::Subscript>()) {
      const std::string_view name = last_name(*s->value);
      if (name == "Field") return field(*s);
      if (name == "GlobalTable") {
        FieldType type;
        type.is_field = type.table = true;
        element(*s->index, type);
        return type;
      }
    }
    // An alias: FloatField = Field[float].
    if (const auto* n = e.try_as<python::Name>())
      if (const auto at = scope.assigned.find(n->name);
          at != scope.assigned.end() && at->second->kind == ExprKind::Subscript)
        return parse(*at->second);
    if (const auto* c = e.try_as<python::Constant>(); c && c->what == python::ConstantKind::Str) {
      const Value v = value(e);
      if (!dtype_named(v.text) && !options.dtypes.count(v.text))
        fail(ErrorKind::DType, of, e.span, "the type of " + quoted(of) + " is written as a string",
             "write it without quotes: " + v.text);
    }
    const Value v = value(e);
    if (v.is(Kind::Field)) return type_of(v, e.span);
    if (v.is(Kind::Unknown))
      fail(ErrorKind::DType, of, e.span, "the type of " + quoted(of) + " is " + describe(v),
           "write Field[float], Field[IJ, float] or a dtype, or an alias of one in this file");
    FieldType type;
    set_dtype(type, e);
    return type;
  }
};

}  // namespace

ir::DType resolve(const Value& v, const Options& options) {
  if (!v.weak) return *v.dtype;
  const bool real = ir::is_float(*v.dtype);
  if (const auto at = options.dtypes.find(real ? "float" : "int"); at != options.dtypes.end())
    return at->second;
  return *v.dtype;
}

FieldType annotation_of(const Value& object, Span span, const Options& options,
                        std::string_view of) {
  return Parser{Scope(), options, of}.type_of(object, span);
}

FieldType parse_annotation(const python::Expr& e, const Scope& scope, const Options& options,
                           std::string_view of) {
  return Parser{scope, options, of}.parse(e);
}

}  // namespace lathe::stencil
