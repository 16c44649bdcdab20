// SPDX-License-Identifier: Apache-2.0
#include "sizes.h"

#include <cstring>

#include "errors.h"

namespace nb = nanobind;

namespace lathe_python {
namespace {

lathe_size* to_size(nb::handle object, const char* what) {
  if (nb::isinstance<Size>(object)) return lathe_size_copy(nb::cast<Size&>(object).handle);
  if (PyUnicode_Check(object.ptr())) {
    lathe_size* named = nullptr;
    lathe_error* error = nullptr;
    check(lathe_size_named(nb::str(object).c_str(), &named, &error), error);
    return named;
  }
  if (!PyIndex_Check(object.ptr()))
    refuse(PyExc_TypeError, "%s: a length is an int, a lathe.Size or a name, not %s", what,
           Py_TYPE(object.ptr())->tp_name);
  const nb::object number = nb::steal(PyNumber_Index(object.ptr()));
  if (!number.is_valid()) throw nb::python_error();
  const long long value = PyLong_AsLongLong(number.ptr());
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();
  return lathe_size_number(value);
}

// NotImplemented for what is no size: the other operand may know.
nb::object apply_size(const char* operation, nb::handle a, nb::handle b) {
  for (nb::handle o : {a, b})
    if (!nb::isinstance<Size>(o) && !PyLong_Check(o.ptr())) return nb::borrow(Py_NotImplemented);
  const Size x(to_size(a, operation)), y(to_size(b, operation));
  lathe_size* made = nullptr;
  lathe_error* error = nullptr;
  check(lathe_size_apply(operation, x.handle, y.handle, &made, &error), error);
  return size_object(made);
}

nb::object compare_sizes(nb::handle a, nb::handle b, int operation) {
  for (nb::handle o : {a, b})
    if (!nb::isinstance<Size>(o) && !PyLong_Check(o.ptr())) return nb::borrow(Py_NotImplemented);
  const Size x(to_size(a, "=="));
  const Size y(to_size(b, "=="));
  std::int64_t left = 0, right = 0;
  const bool same = std::strcmp(lathe_size_text(x.handle), lathe_size_text(y.handle)) == 0;
  if (!same && lathe_size_compare(x.handle, y.handle) != 1 &&
      (!lathe_size_value(x.handle, &left) || !lathe_size_value(y.handle, &right))) {
    const char* const words[] = {"less than ", "at most ", "", "", "more than ", "at least "};
    refuse(
        PyExc_TypeError,
        "whether %s is %s%s is not known before there are arrays\n  help: a traced function runs "
        "once for all sizes and cannot branch on them; lathe.where chooses by values",
        lathe_size_text(x.handle), words[operation], lathe_size_text(y.handle));
  }
  switch (operation) {
    case Py_LT: return nb::bool_(left < right);
    case Py_LE: return nb::bool_(left <= right);
    case Py_EQ: return nb::bool_(left == right);
    case Py_NE: return nb::bool_(left != right);
    case Py_GT: return nb::bool_(left > right);
    default: return nb::bool_(left >= right);
  }
}

std::int64_t known(const Size& s) {
  std::int64_t value = 0;
  if (!lathe_size_value(s.handle, &value))
    refuse(PyExc_TypeError,
           "the size %s is a symbol and has no value yet\n  help: use it as it is in shapes, "
           "lathe.zeros(x.shape), and arithmetic; lathe.asarray(size) is an array that holds it. "
           "len(), range() and `for row in x` need a length that is known",
           lathe_size_text(s.handle));
  return value;
}

}  // namespace

const lathe_size* Sizes::add(nb::handle object, const char* what) {
  all.push_back(nullptr);
  all.back() = to_size(object, what);
  return all.back();
}

nb::object size_object(lathe_size* size) {
  Size owned(size);
  std::int64_t value = 0;
  if (lathe_size_value(size, &value)) return nb::int_(value);
  return nb::cast(std::move(owned));
}

nb::object shape_object(const lathe_lazy* array) {
  const std::int32_t rank = lathe_lazy_rank(array);
  nb::object shape = nb::steal(PyTuple_New(rank));
  for (std::int32_t a = 0; a < rank; ++a)
    PyTuple_SET_ITEM(shape.ptr(), a, size_object(lathe_lazy_axis(array, a)).release().ptr());
  return shape;
}

void bind_sizes(nb::module_& module) {
  nb::class_<Size> size(module, "Size",
                        "The length of an axis that is known when the array is computed.");
  size.def("__repr__", [](const Size& s) { return nb::str(lathe_size_text(s.handle)); });
  size.def("__index__", known).def("__int__", known);
  size.def("__hash__", [](const Size& s) { return nb::hash(nb::str(lathe_size_text(s.handle))); });
  size.def("__bool__", [](const Size& s) { return known(s) != 0; });
  size.def("__reduce__", [module](const Size& s) {
    return nb::make_tuple(module.attr("named_size"), nb::make_tuple(lathe_size_text(s.handle)));
  });
#define LATHE_OPERATION(name, text)                                                       \
  size.def(                                                                               \
      "__" name "__", [](nb::handle a, nb::handle b) { return apply_size(text, a, b); },  \
      nb::is_operator());                                                                 \
  size.def(                                                                               \
      "__r" name "__", [](nb::handle a, nb::handle b) { return apply_size(text, b, a); }, \
      nb::is_operator())
  LATHE_OPERATION("add", "+");
  LATHE_OPERATION("sub", "-");
  LATHE_OPERATION("mul", "*");
  LATHE_OPERATION("floordiv", "//");
  LATHE_OPERATION("mod", "%");
#undef LATHE_OPERATION
#define LATHE_COMPARISON(name, operation)                                              \
  size.def(                                                                            \
      name, [](nb::handle a, nb::handle b) { return compare_sizes(a, b, operation); }, \
      nb::is_operator())
  LATHE_COMPARISON("__lt__", Py_LT);
  LATHE_COMPARISON("__le__", Py_LE);
  LATHE_COMPARISON("__eq__", Py_EQ);
  LATHE_COMPARISON("__ne__", Py_NE);
  LATHE_COMPARISON("__gt__", Py_GT);
  LATHE_COMPARISON("__ge__", Py_GE);
#undef LATHE_COMPARISON
  module.def("named_size", [](nb::str name) { return size_object(to_size(name, "size")); });
  module.def("size_apply", [](const char* operation, nb::handle a, nb::handle b) {
    const Size x(to_size(a, operation)), y(to_size(b, operation));
    lathe_size* made = nullptr;
    lathe_error* error = nullptr;
    check(lathe_size_apply(operation, x.handle, y.handle, &made, &error), error);
    return size_object(made);
  });
}

}  // namespace lathe_python
