// SPDX-License-Identifier: Apache-2.0
// The beginning of NumPy's array and dtype objects is part of its binary interface since 1.7: every
// extension that was compiled against NumPy reads these fields. Whether they are where they are
// expected is tried once, on an array that the buffer protocol describes too.

#include "stencil_numpy.h"

#include <algorithm>

#include "views.h"

namespace nb = nanobind;

namespace lathe_python {
namespace {

struct NumpyArray {
  PyObject_HEAD;
  char* data;
  int rank;
  Py_ssize_t* shape;
  Py_ssize_t* strides;
  PyObject* base;
  PyObject* dtype;
  int flags;
};
struct NumpyDType {
  PyObject_HEAD;
  PyObject* scalar_type;
  char kind, type, byte_order;
};
constexpr int kWriteable = 0x0400;

lathe_dtype dtype_of(char type) {
  switch (type) {
    case '?': return LATHE_BOOL;
    case 'b': return LATHE_I8;
    case 'h': return LATHE_I16;
    case 'i': return LATHE_I32;
    case 'l': return sizeof(long) == 8 ? LATHE_I64 : LATHE_I32;
    case 'q': return LATHE_I64;
    case 'f': return LATHE_F32;
    case 'd': return LATHE_F64;
    default: return -1;
  }
}

bool read(PyObject* object, lathe_view& view) {
  const auto* array = reinterpret_cast<const NumpyArray*>(object);
  const auto* dtype = reinterpret_cast<const NumpyDType*>(array->dtype);
  if (dtype->byte_order != '=' && dtype->byte_order != '|') return false;
  static_assert(sizeof(Py_ssize_t) == sizeof(std::int64_t));
  view = {};
  view.data = array->data;
  view.dtype = dtype_of(dtype->type);
  view.rank = array->rank;
  view.shape = reinterpret_cast<const std::int64_t*>(array->shape);
  view.strides = reinterpret_cast<const std::int64_t*>(array->strides);
  view.read_only = (array->flags & kWriteable) == 0;
  return view.dtype >= 0;
}

// Does it tell of an array what the buffer protocol tells?
bool agrees(const nb::object& array) {
  View known;
  lathe_view v{};
  known.take(array.ptr(), "NumPy");
  return read(array.ptr(), v) && v.data == known.view.data && v.dtype == known.view.dtype &&
         v.rank == known.view.rank && v.read_only == known.view.read_only &&
         std::equal(v.shape, v.shape + v.rank, known.view.shape) &&
         std::equal(v.strides, v.strides + v.rank, known.view.strides);
}

bool is_as_expected() {
  const nb::module_ numpy = nb::module_::import_("numpy");
  for (const char* type : {"float64", "float32", "int64", "int16", "bool"}) {
    const nb::object array = numpy.attr("zeros")(nb::make_tuple(2, 3, 4), type);
    if (!agrees(array) || !agrees(array.attr("T"))) return false;
    array.attr("flags").attr("writeable") = false;
    if (!agrees(array)) return false;
  }
  return true;
}

}  // namespace

bool is_numpy_array(PyObject* object) {
  static PyTypeObject* const type = reinterpret_cast<PyTypeObject*>(
      nb::object(nb::module_::import_("numpy").attr("ndarray")).release().ptr());
  return Py_TYPE(object) == type;
}

bool view_numpy_array(PyObject* array, lathe_view& view) {
  static const bool as_expected = is_as_expected();
  return as_expected && read(array, view);
}

}  // namespace lathe_python
