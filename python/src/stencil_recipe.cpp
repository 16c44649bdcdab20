// SPDX-License-Identifier: Apache-2.0
#include "stencil_recipe.h"

#include <nanobind/stl/string.h>

#include <memory>
#include <string>
#include <vector>

#include "errors.h"
#include "running.h"

namespace nb = nanobind;

namespace lathe_python {
namespace {

using Python = std::unique_ptr<lathe_objects, decltype(&lathe_python_destroy)>;

class Cook {
 public:
  explicit Cook(lathe_objects* python) : python_(python) {}

  void step(const nb::tuple& s) {
    const std::string kind = nb::cast<std::string>(s[0]);
    const auto number = [&](std::size_t at) { return nb::cast<std::int64_t>(s[at]); };
    const auto small = [&](std::size_t at) { return nb::cast<std::int32_t>(s[at]); };
    const auto text = [&](std::size_t at) { return nb::cast<std::string>(s[at]); };
    lathe_objects* const p = python_;
    if (kind == "none") {
      lathe_python_none(p);
    } else if (kind == "bool") {
      lathe_python_bool(p, nb::cast<bool>(s[1]));
    } else if (kind == "int") {
      lathe_python_int(p, number(1), small(2));
    } else if (kind == "float") {
      lathe_python_float(p, nb::cast<double>(s[1]), small(2));
    } else if (kind == "string") {
      lathe_python_string(p, text(1).c_str());
    } else if (kind == "dtype") {
      lathe_python_dtype(p, small(1), small(2));
    } else if (kind == "axes") {
      lathe_python_axes(p, text(1).c_str());
    } else if (kind == "axis_point") {
      lathe_python_axis_point(p, text(1).c_str(), number(2), number(3));
    } else if (kind == "word") {
      lathe_python_word(p, text(1).c_str());
    } else if (kind == "unknown") {
      lathe_python_unknown(p, text(1).c_str());
    } else if (kind == "field") {
      std::vector<std::int64_t> dims;
      for (nb::handle d : nb::borrow<nb::tuple>(s[3])) dims.push_back(nb::cast<std::int64_t>(d));
      lathe_python_field(p, text(1).c_str(), small(2), dims.data(),
                         static_cast<std::int32_t>(dims.size()), small(4));
    } else if (kind == "tuple") {
      lathe_python_tuple(p);
    } else if (kind == "enumeration") {
      lathe_python_enumeration(p);
    } else if (kind == "namespace") {
      lathe_python_namespace(p);
    } else if (kind == "function") {
      lathe_python_function(p, small(1), small(2), text(3).c_str(), small(4));
    } else if (kind == "set") {
      lathe_python_set(p, small(1), text(2).c_str(), small(3));
    } else if (kind == "annotate") {
      lathe_python_annotate(p, small(1), text(2).c_str(), small(3));
    } else if (kind == "default") {
      lathe_python_default(p, small(1), text(2).c_str(), small(3));
    } else if (kind == "external") {
      lathe_python_external(p, text(1).c_str(), small(2));
    } else {
      refuse(PyExc_ValueError, "a recipe of a stencil has no step '%s'", kind.c_str());
    }
  }

 private:
  lathe_objects* python_;
};

}  // namespace

void check_stencil(lathe_code code, lathe_error* error) {
  if (code != LATHE_ERROR_PROGRAM) return check(code, error);
  raise_made("lathe.stencils", code, error);
}

lathe_stencil* make_stencil(nb::tuple recipe, bool checked, bool interpret) {
  const Python python(lathe_python_create(), lathe_python_destroy);
  if (!python) throw std::bad_alloc();
  for (nb::handle item : nb::borrow<nb::tuple>(recipe[0])) {
    const auto [name, text] =
        std::pair(nb::cast<std::string>(item[0]), nb::cast<std::string>(item[1]));
    lathe_python_text(python.get(), name.c_str(), text.data(), text.size());
  }
  Cook cook(python.get());
  for (nb::handle item : nb::borrow<nb::tuple>(recipe[1])) cook.step(nb::borrow<nb::tuple>(item));
  const lathe_object definition = nb::cast<lathe_object>(recipe[2]);
  const nb::dict given = nb::borrow<nb::dict>(recipe[3]);
  const std::string name = nb::cast<std::string>(given["name"]);
  std::vector<std::string> names;
  std::vector<lathe_named_dtype> dtypes;
  const nb::tuple pairs = nb::borrow<nb::tuple>(given["dtypes"]);
  for (nb::handle item : pairs) names.push_back(nb::cast<std::string>(item[0]));
  for (std::size_t i = 0; i < names.size(); ++i)
    dtypes.push_back({names[i].c_str(), nb::cast<lathe_dtype>(pairs[i][1])});
  lathe_stencil_options options{};
  options.size = sizeof options;
  options.stencil = name.empty() ? nullptr : name.c_str();
  options.dtypes = dtypes.data();
  options.dtype_count = static_cast<std::int32_t>(dtypes.size());
  options.int_bits = nb::cast<std::int32_t>(given["int_bits"]);
  options.float_bits = nb::cast<std::int32_t>(given["float_bits"]);
  options.checked = checked || nb::cast<bool>(given["checked"]);
  options.interpret = interpret;
  lathe_stencil* made = nullptr;
  lathe_error* error = nullptr;
  const lathe_code code = without_gil([&](const lathe_cancel*) {
    return lathe_stencil_from_python(python.get(), definition, &options, &made, &error);
  });
  check_stencil(code, error);
  return made;
}

}  // namespace lathe_python
