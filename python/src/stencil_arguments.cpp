// SPDX-License-Identifier: Apache-2.0
// Python's rules for arguments, in one crossing: a call of a small stencil takes about a
// microsecond in the library, so nothing here may take long. NumPy's arrays and Python's numbers
// go straight; everything else is asked about in lathe/stencil_arrays.py.

#include "stencil_arguments.h"

#include <cstring>

#include "errors.h"
#include "stencil_numpy.h"

namespace nb = nanobind;

namespace lathe_python {
namespace {

struct Words {
  nb::object origin = nb::steal(PyUnicode_InternFromString("origin"));
  nb::object domain = nb::steal(PyUnicode_InternFromString("domain"));
  nb::object validate_args = nb::steal(PyUnicode_InternFromString("validate_args"));
  nb::object exec_info = nb::steal(PyUnicode_InternFromString("exec_info"));
};
const Words& words() {
  static const Words* const made = new Words;
  return *made;
}

bool same(PyObject* a, PyObject* b) { return a == b || PyUnicode_Compare(a, b) == 0; }

const char* utf8(PyObject* text) {
  const char* bytes = PyUnicode_AsUTF8(text);
  if (!bytes) throw nb::python_error();
  return bytes;
}

// An int, also NumPy's. `what()` begins the message of what is none.
template <class What>
std::int64_t integer(PyObject* number, What&& what) {
  const nb::object index = nb::steal(PyIndex_Check(number) ? PyNumber_Index(number) : nullptr);
  if (!index.is_valid()) {
    PyErr_Clear();
    refuse(PyExc_TypeError, "%s: %s is a %s\n  help: sizes and indices are ints", what().c_str(),
           nb::repr(number).c_str(), Py_TYPE(number)->tp_name);
  }
  const long long value = PyLong_AsLongLong(index.ptr());
  if (value == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    refuse(PyExc_OverflowError, "%s: %s does not fit 64 bits", what().c_str(),
           nb::repr(number).c_str());
  }
  return value;
}

}  // namespace

Signature::Signature(const lathe_stencil* s) : stencil(lathe_stencil_name(s)) {
  for (std::int32_t i = 0; i < lathe_stencil_argument_count(s); ++i) {
    const lathe_stencil_argument_info info = lathe_stencil_argument(s, i);
    arguments.push_back({nb::steal(PyUnicode_InternFromString(info.name)), info,
                         info.access != LATHE_ACCESS_NONE && !info.is_optional,
                         std::string("argument '") + info.name + "'"});
    if (!info.keyword_only) positional = arguments.size();
  }
}

Arguments::Arguments(const Signature& signature)
    : signature_(signature),
      given_(signature.arguments.size()),
      arrays_(new View[signature.arguments.size()]),
      origins_(signature.arguments.size()) {}

void Arguments::drop() {
  for (std::size_t i = 0; i < given_.size(); ++i) arrays_[i].drop();
  kept_.clear();
}

void Arguments::take(PyObject* args, PyObject* kwargs, CallExtras& extras, bool is_frozen) {
  field_of_view_.clear();
  views_.clear();
  values_.clear();
  match(args, kwargs, extras, is_frozen);
  for (std::size_t i = 0; i < given_.size(); ++i) {
    const Signature::Argument& a = signature_.arguments[i];
    PyObject* const object = given_[i];
    if (!object || object == Py_None) {
      if (a.required) refuse_missing();
    } else if (a.info.is_field) {
      take_field(i, object);
    } else {
      take_scalar(i, object);
    }
  }
}

void Arguments::match(PyObject* args, PyObject* kwargs, CallExtras& extras, bool is_frozen) {
  std::fill(given_.begin(), given_.end(), nullptr);
  const auto count = static_cast<std::size_t>(PyTuple_GET_SIZE(args));
  if (count > signature_.positional)
    refuse(PyExc_TypeError, "%s() takes %zu positional arguments, and %zu are given",
           signature_.stencil.c_str(), signature_.positional, count);
  for (std::size_t i = 0; i < count; ++i)
    given_[i] = PyTuple_GET_ITEM(args, static_cast<Py_ssize_t>(i));
  if (!kwargs) return;
  PyObject *name, *value;
  for (Py_ssize_t at = 0; PyDict_Next(kwargs, &at, &name, &value);) {
    const std::size_t i = find(name);
    if (i < given_.size()) {
      if (given_[i])
        refuse(PyExc_TypeError, "%s() got two values for argument '%s'", signature_.stencil.c_str(),
               utf8(name));
      given_[i] = value;
    } else if (same(name, words().exec_info.ptr())) {
      extras.exec_info = value == Py_None ? nullptr : value;
    } else if (!is_frozen && same(name, words().origin.ptr())) {
      extras.origin = value == Py_None ? nullptr : value;
    } else if (!is_frozen && same(name, words().domain.ptr())) {
      extras.domain = value == Py_None ? nullptr : value;
    } else if (!is_frozen && same(name, words().validate_args.ptr())) {
      extras.validate = PyObject_IsTrue(value) != 0;
    } else {
      refuse_keyword(name);
    }
  }
}

std::size_t Arguments::find(PyObject* name) const {
  const auto& all = signature_.arguments;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].name.ptr() == name) return i;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (PyUnicode_Compare(all[i].name.ptr(), name) == 0) return i;
  return all.size();
}

void Arguments::refuse_keyword(PyObject* name) const {
  std::string all;
  for (const Signature::Argument& a : signature_.arguments)
    all += (all.empty() ? "" : ", ") + std::string(a.info.name);
  refuse(PyExc_TypeError,
         "%s() got an unexpected keyword argument '%s'\n  help: its arguments are %s",
         signature_.stencil.c_str(), utf8(name), all.c_str());
}

void Arguments::refuse_missing() const {
  std::string missing;
  for (std::size_t i = 0; i < given_.size(); ++i)
    if (signature_.arguments[i].required && (!given_[i] || given_[i] == Py_None))
      missing +=
          (missing.empty() ? "'" : ", '") + std::string(signature_.arguments[i].info.name) + "'";
  refuse(PyExc_TypeError, "%s() misses a value for %s", signature_.stencil.c_str(),
         missing.c_str());
}

void Arguments::take_field(std::size_t i, PyObject* object) {
  origins_[i].given = false;
  lathe_view view;
  if (!is_numpy_array(object)) {
    take_foreign(i, object);
    view = arrays_[i].view;
  } else if (!view_numpy_array(object, view)) {
    arrays_[i].take(object, signature_.arguments[i].what.c_str());
    view = arrays_[i].view;
  }
  view.name = signature_.arguments[i].info.name;
  field_of_view_.push_back(i);
  views_.push_back(view);
}

// Not NumPy's own: names of dimensions and an origin may come with it, or a conversion be needed.
void Arguments::take_foreign(std::size_t i, PyObject* object) {
  const Signature::Argument& a = signature_.arguments[i];
  const nb::object adopted = nb::module_::import_("lathe.stencil_arrays")
                                 .attr("adopt")(nb::handle(object), a.info.axes, a.info.data_rank,
                                                (a.info.access & LATHE_WRITE) != 0, a.what.c_str());
  const nb::object array = adopted[0], origin = adopted[1];
  arrays_[i].take(array.ptr(), a.what.c_str());
  kept_.push_back(array);
  if (!origin.is_none()) set_origin(i, origin.ptr(), false);
}

void Arguments::take_scalar(std::size_t i, PyObject* object) {
  const lathe_stencil_argument_info& info = signature_.arguments[i].info;
  lathe_value v{};
  v.name = info.name;
  const bool real = info.dtype == LATHE_F64 || info.dtype == LATHE_F32;
  if (info.dtype == LATHE_F64 && PyFloat_Check(object)) {
    v.dtype = LATHE_F64;
    v.as.f = PyFloat_AS_DOUBLE(object);
  } else if (info.dtype == LATHE_I64 && PyLong_CheckExact(object)) {
    v.dtype = LATHE_I64;
    v.as.i = PyLong_AsLongLong(object);
    if (v.as.i == -1 && PyErr_Occurred()) throw nb::python_error();
  } else {
    // Checked and converted in Python: float, int or bool.
    const nb::object number = nb::module_::import_("lathe.stencil_arrays")
                                  .attr("scalar")(nb::handle(object), info.name,
                                                  static_cast<int>(info.dtype), signature_.strict);
    if (real) {
      v.dtype = LATHE_F64;
      v.as.f = PyFloat_AsDouble(number.ptr());
    } else {
      v.dtype = info.dtype == LATHE_BOOL ? LATHE_BOOL : LATHE_I64;
      v.as.i = PyLong_AsLongLong(number.ptr());
    }
    if (PyErr_Occurred()) throw nb::python_error();
  }
  values_.push_back(v);
}

void Arguments::take_extras(const CallExtras& extras) {
  has_domain_ = extras.domain != nullptr;
  if (extras.domain) take_domain(extras.domain);
  if (extras.origin) take_origin(extras.origin);
  for (std::size_t v = 0; v < views_.size(); ++v)
    if (const Origin& o = origins_[field_of_view_[v]]; o.given) views_[v].lo = o.lo;
}

void Arguments::freeze(PyObject* origin, PyObject* domain) {
  for (std::size_t i = 0; i < given_.size(); ++i)
    if (signature_.arguments[i].info.is_field) field_of_view_.push_back(i);
  take_extras({origin, domain, nullptr, true});
}

void Arguments::copy_extras(const Arguments& frozen) {
  has_domain_ = frozen.has_domain_;
  std::memcpy(domain_, frozen.domain_, sizeof domain_);
  for (std::size_t v = 0; v < views_.size(); ++v)
    if (const Origin& o = frozen.origins_[field_of_view_[v]]; o.given) views_[v].lo = o.lo;
}

void Arguments::take_domain(PyObject* domain) {
  const nb::object list = nb::steal(PySequence_Fast(domain, ""));
  if (!list.is_valid() || PySequence_Fast_GET_SIZE(list.ptr()) != 3) {
    PyErr_Clear();
    refuse(error_class("ArgumentError").ptr(),
           "invalid 'domain' value %s\n  help: it is three sizes, of I, J and K",
           nb::repr(domain).c_str());
  }
  const auto what = [&] {
    return std::string("invalid 'domain' value ") + nb::repr(domain).c_str();
  };
  for (int axis = 0; axis < 3; ++axis) {
    domain_[axis] = integer(PySequence_Fast_GET_ITEM(list.ptr(), axis), what);
  }
}

void Arguments::take_origin(PyObject* origin) {
  if (!PyDict_Check(origin)) {
    for (std::size_t i : field_of_view_) set_origin(i, origin, true);
    return;
  }
  PyObject* const all = PyDict_GetItemString(origin, "_all_");
  PyObject *name, *numbers;
  for (Py_ssize_t at = 0; PyDict_Next(origin, &at, &name, &numbers);) {
    const nb::object text = nb::steal(PyObject_Str(name));
    const std::size_t i = find(text.ptr());
    const bool is_field = i < given_.size() && signature_.arguments[i].info.is_field;
    if (!is_field && std::strcmp(utf8(text.ptr()), "_all_") != 0)
      refuse(error_class("ArgumentError").ptr(),
             "an origin is given for '%s', which is not a field of stencil '%s'", utf8(text.ptr()),
             signature_.stencil.c_str());
    if (is_field) set_origin(i, numbers, false);
  }
  if (!all) return;
  for (std::size_t i : field_of_view_)
    if (!PyDict_GetItem(origin, signature_.arguments[i].name.ptr())) set_origin(i, all, true);
}

// One number for all axes, one for each axis of the field (data dimensions may follow), or one for
// each of I, J and K.
void Arguments::set_origin(std::size_t i, PyObject* numbers, bool of_all) {
  const lathe_stencil_argument_info& info = signature_.arguments[i].info;
  const std::size_t axes = std::strlen(info.axes);
  Origin& out = origins_[i];
  out.given = true;
  const auto what = [&] {
    return std::string("invalid origin ") + nb::repr(numbers).c_str() + " of field '" + info.name +
           "'";
  };
  if (PyIndex_Check(numbers) && !PySequence_Check(numbers)) {
    for (std::size_t a = 0; a < axes; ++a) out.lo[a] = -integer(numbers, what);
    return;
  }
  const nb::object list = nb::steal(PySequence_Fast(numbers, ""));
  const auto count =
      list.is_valid() ? static_cast<std::size_t>(PySequence_Fast_GET_SIZE(list.ptr())) : 0;
  const bool own =
      !of_all && (count == axes || count == axes + static_cast<std::size_t>(info.data_rank));
  if (!list.is_valid() || (!own && count != 3 && count != axes)) {
    PyErr_Clear();
    refuse(error_class("ArgumentError").ptr(),
           "invalid origin %s of field '%s', whose axes are %s\n  help: give one number per axis",
           nb::repr(numbers).c_str(), info.name, info.axes);
  }
  for (std::size_t a = 0; a < axes; ++a) {
    const std::size_t at = count == 3 && !own ? static_cast<std::size_t>(info.axes[a] - 'I') : a;
    out.lo[a] = -integer(PySequence_Fast_GET_ITEM(list.ptr(), static_cast<Py_ssize_t>(at)), what);
  }
}

}  // namespace lathe_python
