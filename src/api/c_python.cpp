// SPDX-License-Identifier: Apache-2.0
// Python's objects behind lathe/c_python.h. What is added is looked at at once, and the first
// mistake kept: numbers of objects that are not there, a dtype that no field has.

#include <lathe/c_python.h>

#include "api/c_stencil.h"
#include "base/quoted.h"
#include "frontend/stencil/constant.h"

using namespace lathe;
using namespace lathe::api;
using stencil::Value;
using Kind = stencil::Value::Kind;

struct lathe_objects {
  std::shared_ptr<stencil::Objects> objects =
      std::make_shared<stencil::Objects>(std::make_shared<SourceMap>());
  stencil::Members externals;
  int32_t texts = 0, count = 0;
  std::optional<Diagnostic> problem;  // the first
  bool no_memory = false;

  bool has(lathe_object object) const { return object >= 0 && object < count; }
};

namespace {

// Runs f; a mistake is kept.
template <class F>
int32_t adding(lathe_objects* p, F&& f) {
  if (!p) return -1;
  try {
    return f();
  } catch (const UserError& e) {
    if (!p->problem) p->problem = e.diagnostic();
  } catch (const std::bad_alloc&) {
    p->no_memory = true;
  } catch (const std::exception& e) {
    if (!p->problem) p->problem = Diagnostic{Severity::Error, e.what(), {}, {}, {}};
  }
  return -1;
}

lathe_object add(lathe_objects* p, Value value) {
  return adding(p, [&] {
    const lathe_object id = p->objects->add(std::move(value));
    p->count = id + 1;
    return id;
  });
}

std::optional<ir::DType> dtype_of_number(lathe_dtype dtype) {
  if (dtype == LATHE_PYTHON) return std::nullopt;
  return to_dtype(dtype);
}

const char* text_of(const char* text) {
  require(text != nullptr, "a name or text is null");
  return text;
}

void require_objects(const lathe_objects& p, lathe_object a, lathe_object b) {
  require(p.has(a) && p.has(b), "there is no object of that number");
}

lathe_object holder(lathe_objects* p, Kind kind) { return add(p, Value::scope(kind, {})); }

std::string checked_axes(const char* axes) {
  const std::string all = text_of(axes);
  std::size_t last = 0;
  for (char c : all) {
    const std::size_t at = std::string_view(stencil::kAxisNames).find(c);
    if (at == std::string_view::npos || at + 1 <= last)
      throw UserError("the axes of a field are " + quoted(all), {},
                      "they are I, J and K, or some of them in this order");
    last = at + 1;
  }
  return all;
}

}  // namespace

lathe_objects* lathe_python_create(void) {
  try {
    return new lathe_objects;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void lathe_python_destroy(lathe_objects* python) { delete python; }

int32_t lathe_python_text(lathe_objects* p, const char* file_name, const char* text,
                          size_t length) {
  return adding(p, [&] {
    require(text != nullptr, "lathe_python_text needs a text");
    const int32_t id =
        p->objects->add_text(file_name ? file_name : "stencil.py", std::string(text, length));
    p->texts = id + 1;
    return id;
  });
}

lathe_object lathe_python_none(lathe_objects* p) { return add(p, Value::none()); }
lathe_object lathe_python_bool(lathe_objects* p, int32_t value) {
  return add(p, Value::boolean(value != 0));
}

lathe_object lathe_python_int(lathe_objects* p, int64_t value, lathe_dtype dtype) {
  return adding(p, [&] { return add(p, Value::of_int(value, dtype_of_number(dtype))); });
}
lathe_object lathe_python_float(lathe_objects* p, double value, lathe_dtype dtype) {
  return adding(p, [&] { return add(p, Value::of_float(value, dtype_of_number(dtype))); });
}
lathe_object lathe_python_string(lathe_objects* p, const char* text) {
  return adding(p, [&] { return add(p, Value::string(text_of(text))); });
}
lathe_object lathe_python_dtype(lathe_objects* p, lathe_dtype dtype, int32_t is_word) {
  return adding(p, [&] { return add(p, Value::type(to_dtype(dtype), is_word != 0)); });
}
lathe_object lathe_python_axes(lathe_objects* p, const char* axes) {
  return adding(p, [&] { return add(p, Value::axes(checked_axes(axes))); });
}

lathe_object lathe_python_axis_point(lathe_objects* p, const char* axis, int64_t index,
                                     int64_t offset) {
  return adding(p, [&] {
    Value v;
    v.kind = Kind::AxisIndex;
    v.text = checked_axes(axis);
    v.from_end = index < 0;
    v.integer = (v.from_end ? index + 1 : index) + offset;
    v.weak = index != 0 && index != -1;
    return add(p, std::move(v));
  });
}

lathe_object lathe_python_word(lathe_objects* p, const char* word) {
  return adding(p, [&] {
    const Value* known = stencil::gtscript_name(text_of(word));
    if (!known) throw UserError(quoted(std::string_view(word)) + " is not a word of GTScript");
    return add(p, *known);
  });
}
lathe_object lathe_python_unknown(lathe_objects* p, const char* what) {
  return adding(p, [&] { return add(p, Value::unknown(text_of(what))); });
}

lathe_object lathe_python_field(lathe_objects* p, const char* axes, lathe_object dtype,
                                const int64_t* dims, int32_t dim_count, int32_t is_table) {
  return adding(p, [&] {
    require_objects(*p, dtype, dtype);
    Value v;
    v.kind = Kind::Field;
    v.text = checked_axes(axes);
    v.table = is_table != 0;
    v.elements.push_back(p->objects->at(dtype));
    for (int32_t d = 0; d < dim_count; ++d) {
      if (dims[d] < 1)
        throw UserError("a data dimension of a field is " + std::to_string(dims[d]) +
                        ", not a positive int");
      v.elements.push_back(Value::of_int(dims[d]));
    }
    return add(p, std::move(v));
  });
}

lathe_object lathe_python_tuple(lathe_objects* p) { return holder(p, Kind::Tuple); }
lathe_object lathe_python_enumeration(lathe_objects* p) { return holder(p, Kind::Enum); }
lathe_object lathe_python_namespace(lathe_objects* p) { return holder(p, Kind::Namespace); }

lathe_object lathe_python_function(lathe_objects* p, int32_t text, int32_t line, const char* name,
                                   int32_t is_gtscript) {
  return adding(p, [&] {
    require(text >= 0 && text < p->texts, "there is no text of that number");
    const lathe_object id = p->objects->add_function(text, static_cast<std::uint32_t>(line),
                                                     text_of(name), is_gtscript != 0);
    p->count = id + 1;
    return id;
  });
}

void lathe_python_set(lathe_objects* p, lathe_object of, const char* name, lathe_object value) {
  adding(p, [&] {
    require_objects(*p, of, value);
    const Kind kind = p->objects->at(of).kind;
    require(kind == Kind::Function || kind == Kind::Tuple || kind == Kind::Enum ||
                kind == Kind::Namespace,
            "only functions, tuples, enumerations and namespaces hold others");
    p->objects->set(of, kind == Kind::Tuple ? "" : text_of(name), value);
    return 0;
  });
}

void lathe_python_annotate(lathe_objects* p, lathe_object function, const char* parameter,
                           lathe_object type) {
  adding(p, [&] {
    require_objects(*p, function, type);
    p->objects->set_annotation(function, text_of(parameter), type);
    return 0;
  });
}

void lathe_python_default(lathe_objects* p, lathe_object function, const char* parameter,
                          lathe_object value) {
  adding(p, [&] {
    require_objects(*p, function, value);
    p->objects->set_default(function, text_of(parameter), value);
    return 0;
  });
}

void lathe_python_external(lathe_objects* p, const char* name, lathe_object value) {
  adding(p, [&] {
    require_objects(*p, value, value);
    p->externals.insert_or_assign(text_of(name), p->objects->at(value));
    return 0;
  });
}

lathe_code lathe_stencil_from_python(const lathe_objects* python, lathe_object definition,
                                     const lathe_stencil_options* options, lathe_stencil** stencil,
                                     lathe_error** error) {
  if (stencil) *stencil = nullptr;
  auto made = std::make_unique<lathe_stencil>();
  if (python) made->sources = python->objects->sources();
  const std::shared_ptr<SourceMap> sources = made->sources;
  Diagnostics diagnostics;
  const lathe_code code = guarded(error, LATHE_ERROR_PROGRAM, sources.get(), [&] {
    require(python && stencil,
            "lathe_stencil_from_python needs objects and a place for the stencil");
    if (python->no_memory) throw std::bad_alloc();
    if (python->problem) throw UserError(*python->problem);
    require(python->has(definition) && python->objects->at(definition).is(Kind::Function),
            "a stencil is made of a function");
    const lathe_stencil_options given = known_part(options);
    made->options.externals = python->externals;
    take_options(*made, given);
    if (given.stencil) made->name = given.stencil;
    made->objects = python->objects;
    made->function = definition;
    if (make_first_kernel(*made, diagnostics)) *stencil = made.release();
  });
  if (code != LATHE_OK || !diagnostics.has_errors()) return code;
  return report(error, LATHE_ERROR_PROGRAM, diagnostics, *sources);
}
