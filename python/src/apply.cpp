// SPDX-License-Identifier: Apache-2.0
// One function for all functions: lathe_lazy_apply with Python's operands and indices.

#include <memory>

#include "arrays.h"
#include "errors.h"
#include "place.h"
#include "sizes.h"

namespace nb = nanobind;

namespace lathe_python {
namespace {

// An index expression: what stands between the brackets.
class Index {
 public:
  explicit Index(nb::handle object) {
    if (PyTuple_Check(object.ptr())) {
      for (nb::handle item : nb::borrow<nb::tuple>(object)) add(item);
    } else {
      add(object);
    }
  }
  const std::vector<lathe_index>& items() const { return items_; }

 private:
  void add(nb::handle o) {
    lathe_index item{};
    item.step = 1;
    if (PySlice_Check(o.ptr())) {
      const auto* slice = reinterpret_cast<PySliceObject*>(o.ptr());
      item.kind = LATHE_INDEX_SLICE;
      if (slice->start != Py_None) item.start = bound(slice->start);
      if (slice->stop != Py_None) item.stop = bound(slice->stop);
      if (slice->step != Py_None) {
        const nb::object step = nb::steal(PyNumber_Index(slice->step));
        if (!step.is_valid()) throw nb::python_error();
        item.step = PyLong_AsLongLong(step.ptr());
        if (PyErr_Occurred()) throw nb::python_error();
        if (item.step == 0) refuse(PyExc_ValueError, "index: a slice cannot have step 0");
      }
    } else if (o.is_none()) {
      item.kind = LATHE_INDEX_NEW_AXIS;
    } else if (o.ptr() == Py_Ellipsis) {
      item.kind = LATHE_INDEX_ELLIPSIS;
    } else if (nb::isinstance<Size>(o) || (PyLong_Check(o.ptr()) && !PyBool_Check(o.ptr()))) {
      item.kind = LATHE_INDEX_INTEGER;
      item.start = sizes_.add(o, "index");
    } else {
      item.kind = LATHE_INDEX_ARRAY;
      // An empty list is an index of no integers, though NumPy makes floats of it.
      const bool empty = PyList_Check(o.ptr()) && PyList_GET_SIZE(o.ptr()) == 0;
      const nb::object given =
          empty ? nb::module_::import_("numpy").attr("zeros")(0, "int64") : nb::borrow(o);
      if (!array_of(given) && (PyFloat_Check(o.ptr()) || PyUnicode_Check(o.ptr())))
        refuse(PyExc_IndexError,
               "index: only integers, slices, ..., None and arrays of integers or bools are "
               "indices, not %s",
               Py_TYPE(o.ptr())->tp_name);
      arrays_.all.push_back(to_lazy(given, "index"));
      item.array = arrays_.all.back();
    }
    items_.push_back(item);
  }

  // Bounds of slices beyond 64 bits mean the end, as in Python.
  const lathe_size* bound(PyObject* o) {
    if (!PyLong_Check(o)) return sizes_.add(o, "index");
    int overflow = 0;
    PyLong_AsLongLongAndOverflow(o, &overflow);
    if (overflow == 0) return sizes_.add(o, "index");
    const nb::int_ far(overflow > 0 ? INT64_MAX / 4 : -(INT64_MAX / 4));
    return sizes_.add(far, "index");
  }

  std::vector<lathe_index> items_;
  Sizes sizes_;
  Handles arrays_;
};

template <class T>
std::vector<T> numbers(nb::handle tuple, T (*convert)(PyObject*, const char*), const char* what) {
  std::vector<T> out;
  if (tuple.is_none()) return out;
  for (nb::handle h : nb::borrow<nb::tuple>(tuple)) {
    out.push_back(convert(h.ptr(), what));
    if (PyErr_Occurred()) throw nb::python_error();
  }
  return out;
}

std::int64_t to_int(PyObject* o, const char* what) {
  if (!PyIndex_Check(o))
    refuse(PyExc_TypeError, "%s: expected an int, not %s", what, nb::repr(o).c_str());
  const nb::object number = nb::steal(PyNumber_Index(o));
  if (!number.is_valid()) throw nb::python_error();
  return PyLong_AsLongLong(number.ptr());
}

double to_double(PyObject* o, const char*) { return PyFloat_AsDouble(o); }

nb::object apply(const char* name, nb::tuple operands, nb::handle ints, nb::handle sizes,
                 nb::handle reals, nb::handle text, int dtype, nb::handle index) {
  lathe_apply request{};
  request.size = sizeof request;
  request.name = name;
  Handles given;
  given.all.reserve(operands.size());
  for (nb::handle o : operands) given.all.push_back(to_lazy(o, name));
  request.operands = given.data();
  request.operand_count = given.count();
  const std::vector<std::int64_t> int_values = numbers<std::int64_t>(ints, to_int, name);
  request.ints = int_values.data();
  request.int_count = static_cast<std::int32_t>(int_values.size());
  Sizes lengths;
  if (!sizes.is_none())
    for (nb::handle s : nb::borrow<nb::tuple>(sizes)) lengths.add(s, name);
  request.sizes = lengths.all.data();
  request.size_count = lengths.count();
  const std::vector<double> real_values = numbers<double>(reals, to_double, name);
  request.reals = real_values.data();
  request.real_count = static_cast<std::int32_t>(real_values.size());
  if (!text.is_none()) {
    if (!PyUnicode_Check(text.ptr()))
      refuse(PyExc_TypeError, "%s: expected a str, not %s", name, nb::repr(text).c_str());
    request.text = PyUnicode_AsUTF8(text.ptr());
    if (!request.text) throw nb::python_error();
  }
  request.has_dtype = dtype >= 0;
  request.dtype = dtype;
  std::unique_ptr<Index> items;
  if (index.is_valid() && index.ptr() != operands.ptr()) {
    items = std::make_unique<Index>(index);
    request.index = items->items().data();
    request.index_count = static_cast<std::int32_t>(items->items().size());
  }
  request.place = user_place();
  lathe_lazy* made = nullptr;
  lathe_error* error = nullptr;
  check(lathe_lazy_apply(&request, &made, &error), error);
  return wrap(made);
}

using Derivative = lathe_code (*)(const Handles&, const Handles&, const Handles&, lathe_lazy**,
                                  lathe_error**);

Handles& fill(Handles& handles, nb::handle arrays, const char* what) {
  for (nb::handle a : nb::borrow<nb::tuple>(arrays)) handles.all.push_back(to_lazy(a, what));
  return handles;
}

nb::object to_tuple(std::vector<lathe_lazy*>& made) {
  nb::object out = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(made.size())));
  for (std::size_t i = 0; i < made.size(); ++i)
    PyTuple_SET_ITEM(out.ptr(), static_cast<Py_ssize_t>(i), wrap(made[i]).release().ptr());
  return out;
}

}  // namespace

nb::str report_text(const Handles& arrays, lathe_lazy_report what) {
  char* text = nullptr;
  lathe_error* error = nullptr;
  check(lathe_lazy_text(arrays.data(), arrays.count(), what, &text, &error), error);
  nb::str out(text);
  lathe_text_destroy(text);
  return out;
}

void bind_apply(nb::module_& module) {
  const std::pair<const char*, int> numbers[] = {{"REPORT_VALUE", LATHE_REPORT_VALUE},
                                                 {"REPORT_PROGRAM", LATHE_REPORT_PROGRAM},
                                                 {"REPORT_STORED", LATHE_REPORT_STORED},
                                                 {"REPORT_DOMAIN", LATHE_REPORT_DOMAIN},
                                                 {"REPORT_LISTING", LATHE_REPORT_LISTING},
                                                 {"REPORT_FUNCTIONS", LATHE_REPORT_FUNCTIONS},
                                                 {"REPORT_OPEN", LATHE_REPORT_OPEN},
                                                 {"PIN", LATHE_PIN},
                                                 {"PIN_CSE", LATHE_PIN_CSE}};
  for (const auto& [name, number] : numbers) module.attr(name) = number;
  module.def(
      "apply",
      [](const char* name, nb::tuple operands, nb::handle ints, nb::handle sizes, nb::handle reals,
         nb::handle text,
         int dtype) { return apply(name, operands, ints, sizes, reals, text, dtype, {}); },
      nb::arg("name"), nb::arg("operands"), nb::arg("ints").none() = nb::none(),
      nb::arg("sizes").none() = nb::none(), nb::arg("reals").none() = nb::none(),
      nb::arg("text").none() = nb::none(), nb::arg("dtype") = -1);
  module.def(
      "apply_index",
      [](const char* name, nb::tuple operands, nb::handle index) {
        const nb::object none = nb::none();
        return apply(name, operands, none, none, none, none, -1, index);
      },
      nb::arg("name"), nb::arg("operands"), nb::arg("index").none());
  module.def("pin", [](const Array& array, int pin) {
    lathe_lazy* made = nullptr;
    lathe_error* error = nullptr;
    check(lathe_lazy_pin(array.graph, pin, &made, &error), error);
    return wrap(made);
  });
  module.def("named", [](const Array& array, nb::tuple labels) {
    std::vector<const char*> names;
    for (nb::handle l : labels) names.push_back(l.is_none() ? nullptr : PyUnicode_AsUTF8(l.ptr()));
    if (PyErr_Occurred()) throw nb::python_error();
    lathe_lazy* made = nullptr;
    lathe_error* error = nullptr;
    check(lathe_lazy_named(array.graph, names.data(), static_cast<std::int32_t>(names.size()),
                           user_place(), &made, &error),
          error);
    return wrap(made);
  });
  module.def("vjp", [](nb::tuple outputs, nb::tuple cotangents, nb::tuple inputs) {
    Handles o, c, i;
    fill(o, outputs, "vjp"), fill(c, cotangents, "vjp"), fill(i, inputs, "vjp");
    if (o.count() != c.count()) refuse(PyExc_ValueError, "vjp: takes a cotangent for each output");
    std::vector<lathe_lazy*> made(i.all.size());
    lathe_error* error = nullptr;
    check(lathe_lazy_vjp(o.data(), c.data(), o.count(), i.data(), i.count(), user_place(),
                         made.data(), &error),
          error);
    return to_tuple(made);
  });
  module.def("jvp", [](nb::tuple outputs, nb::tuple inputs, nb::tuple tangents) {
    Handles o, i, t;
    fill(o, outputs, "jvp"), fill(i, inputs, "jvp"), fill(t, tangents, "jvp");
    if (i.count() != t.count()) refuse(PyExc_ValueError, "jvp: takes a tangent for each input");
    std::vector<lathe_lazy*> made(o.all.size());
    lathe_error* error = nullptr;
    check(lathe_lazy_jvp(o.data(), o.count(), i.data(), t.data(), i.count(), user_place(),
                         made.data(), &error),
          error);
    return to_tuple(made);
  });
  module.def("report", [](nb::tuple arrays, int what) {
    Handles given;
    return report_text(fill(given, arrays, "explain"), what);
  });
}

}  // namespace lathe_python
