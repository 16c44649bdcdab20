// SPDX-License-Identifier: Apache-2.0
#include "views.h"

#include <cstring>

#include "dlpack.h"
#include "errors.h"
#include "stencil_numpy.h"

namespace nb = nanobind;

namespace lathe_python {
namespace {

struct Known {
  const char* name;
  std::int64_t bytes;
};
constexpr Known kKnown[] = {{"bool", 1}, {"i8", 1},  {"i16", 2}, {"i32", 4}, {"i64", 8},
                            {"u8", 1},   {"u16", 2}, {"u32", 4}, {"u64", 8}, {"f16", 2},
                            {"bf16", 2}, {"f32", 4}, {"f64", 8}};

lathe_dtype dtype_of_kind(char kind, Py_ssize_t bytes) {
  switch (kind) {
    case 'b': return bytes == 1 ? LATHE_BOOL : -1;
    case 'i':
      return bytes == 1   ? LATHE_I8
             : bytes == 2 ? LATHE_I16
             : bytes == 4 ? LATHE_I32
             : bytes == 8 ? LATHE_I64
                          : -1;
    case 'u':
      return bytes == 1   ? LATHE_U8
             : bytes == 2 ? LATHE_U16
             : bytes == 4 ? LATHE_U32
             : bytes == 8 ? LATHE_U64
                          : -1;
    case 'f': return bytes == 2 ? LATHE_F16 : bytes == 4 ? LATHE_F32 : bytes == 8 ? LATHE_F64 : -1;
    default: return -1;
  }
}

// An attribute, or null without an exception.
nb::object attribute(PyObject* object, const char* name) {
  PyObject* found = PyObject_GetAttrString(object, name);
  if (!found) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) throw nb::python_error();
    PyErr_Clear();
  }
  return nb::steal(found);
}

void read_tuple(PyObject* tuple, std::int64_t* to, int rank) {
  for (int a = 0; a < rank; ++a) {
    to[a] = PyLong_AsLongLong(PyTuple_GetItem(tuple, a));
    if (PyErr_Occurred()) throw nb::python_error();
  }
}

}  // namespace

const char* name_of(lathe_dtype dtype) { return kKnown[dtype].name; }
std::int64_t bytes_of(lathe_dtype dtype) { return kKnown[dtype].bytes; }

lathe_dtype dtype_of_format(const char* format, Py_ssize_t item_size) {
  if (!format) return LATHE_U8;
  if (*format == '@' || *format == '=' || *format == '<') ++format;
  if (!*format || format[1]) return -1;
  switch (*format) {
    case '?': return LATHE_BOOL;
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q':
    case 'n': return dtype_of_kind('i', item_size);
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q':
    case 'N': return dtype_of_kind('u', item_size);
    case 'e': return LATHE_F16;
    case 'f': return LATHE_F32;
    case 'd': return LATHE_F64;
    default: return -1;
  }
}

void View::drop() {
  if (has_buffer_) PyBuffer_Release(&buffer_);
  has_buffer_ = false;
  Py_CLEAR(owner_);
}

void View::take(PyObject* object, const char* what) {
  if (!try_take(object, what))
    refuse(PyExc_TypeError, "%s: expected an array, not %s", what, Py_TYPE(object)->tp_name);
}

// numpy.ma's arrays show their memory like any other, and their mask not at all.
static bool is_masked(PyObject* object) {
  return !is_numpy_array(object) && PyObject_HasAttrString(object, "filled") &&
         PyObject_HasAttrString(object, "mask");
}

bool View::try_take(PyObject* object, const char* what) {
  drop();
  if (is_masked(object))
    refuse(PyExc_TypeError,
           "%s: Lathe has no masked arrays, and the mask would be lost\n  help: give "
           "x.filled(value), or choose by it: lathe.where(x.mask, value, x.data)",
           what);
  if (PyObject_CheckBuffer(object) && take_buffer(object, what)) return true;
  return take_interface(object, what) || take_dlpack(object, what);
}

[[noreturn]] static void refuse_elements(const char* what, const char* type) {
  const bool is_swapped = type[0] == '>';
  refuse(PyExc_TypeError, "%s: Lathe has no arrays of %s%s", what, type,
         is_swapped ? "\n  help: turn the bytes with x.astype(x.dtype.newbyteorder(\"=\"))" : "");
}

bool View::take_buffer(PyObject* object, const char* what) {
  if (PyObject_GetBuffer(object, &buffer_, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
    // NumPy's arrays of dtypes that buffers cannot say; __array_interface__ may.
    PyErr_Clear();
    return false;
  }
  has_buffer_ = true;
  const lathe_dtype dtype = dtype_of_format(buffer_.format, buffer_.itemsize);
  if (dtype < 0) {
    if (take_interface(object, what)) return true;
    const nb::object type = attribute(object, "dtype");
    refuse_elements(what, type.is_valid() ? nb::str(type).c_str() : buffer_.format);
  }
  static_assert(sizeof(Py_ssize_t) == sizeof(std::int64_t));
  view.data = buffer_.buf;
  view.dtype = dtype;
  view.rank = buffer_.ndim;
  view.shape = reinterpret_cast<const std::int64_t*>(buffer_.shape);
  view.strides = reinterpret_cast<const std::int64_t*>(buffer_.strides);
  view.read_only = buffer_.readonly;
  return true;
}

bool View::take_interface(PyObject* object, const char* what) {
  const nb::object interface = attribute(object, "__array_interface__");
  if (!interface.is_valid() || !nb::isinstance<nb::dict>(interface)) return false;
  const nb::dict d = nb::borrow<nb::dict>(interface);
  const nb::str type(d["typestr"]);
  const char* text = type.c_str();
  lathe_dtype dtype = -1;
  if (std::strlen(text) > 2 && text[0] != '>') dtype = dtype_of_kind(text[1], std::atoi(text + 2));
  if (dtype < 0 && std::strcmp(text + 1, "V2") == 0) {
    const nb::object numpy_type = attribute(object, "dtype");
    const nb::object name =
        numpy_type.is_valid() ? attribute(numpy_type.ptr(), "name") : nb::object();
    if (name.is_valid() && std::strcmp(nb::str(name).c_str(), "bfloat16") == 0) dtype = LATHE_BF16;
  }
  if (dtype < 0) {
    const nb::object numpy_type = attribute(object, "dtype");
    refuse_elements(what, numpy_type.is_valid() ? nb::str(numpy_type).c_str() : text);
  }
  const nb::tuple shape(d["shape"]);
  view.rank = static_cast<std::int32_t>(shape.size());
  if (view.rank > kMaxRank) refuse(PyExc_ValueError, "%s: too many axes", what);
  read_tuple(shape.ptr(), shape_, view.rank);
  const nb::object strides = d.contains("strides") ? nb::object(d["strides"]) : nb::none();
  if (!strides.is_none()) read_tuple(nb::tuple(strides).ptr(), strides_, view.rank);
  const nb::object data = d.contains("data") ? nb::object(d["data"]) : nb::none();
  if (!nb::isinstance<nb::tuple>(data)) return false;
  view.data = PyLong_AsVoidPtr(nb::object(data[0]).ptr());
  if (PyErr_Occurred()) throw nb::python_error();
  view.dtype = dtype;
  view.shape = shape_;
  view.strides = strides.is_none() ? nullptr : strides_;
  view.read_only = nb::cast<bool>(nb::bool_(nb::object(data[1])));
  owner_ = Py_NewRef(object);
  return true;
}

bool View::take_dlpack(PyObject* object, const char* what) {
  const nb::object method = attribute(object, "__dlpack__");
  if (!method.is_valid() || PyType_Check(object)) return false;
  const nb::object device = attribute(object, "__dlpack_device__");
  if (device.is_valid()) {
    const long kind = PyLong_AsLong(nb::object(device()[0]).ptr());
    if (kind == -1 && PyErr_Occurred()) throw nb::python_error();
    if (kind != DLPACK_CPU)
      refuse(PyExc_BufferError, "%s: the array is not in the memory of the host", what);
  }
  nb::object capsule;
  try {
    capsule = method(nb::arg("max_version") = nb::make_tuple(int{DLPACK_MAJOR}, int{DLPACK_MINOR}));
  } catch (nb::python_error& e) {
    if (!e.matches(PyExc_TypeError)) throw;
    capsule = method();  // of before versions
  }
  const DlTensor* tensor = nullptr;
  view.read_only = 0;
  if (PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned")) {
    auto* managed =
        static_cast<DlManagedVersioned*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor_versioned"));
    if (managed->version.major != DLPACK_MAJOR)
      refuse(PyExc_BufferError, "%s: DLPack %u is not known, only %d", what, managed->version.major,
             DLPACK_MAJOR);
    tensor = &managed->tensor;
    view.read_only = (managed->flags & DLPACK_READ_ONLY) != 0;
  } else if (PyCapsule_IsValid(capsule.ptr(), "dltensor")) {
    tensor = &static_cast<DlManaged*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"))->tensor;
  } else {
    refuse(PyExc_BufferError, "%s: __dlpack__ gave no DLPack capsule", what);
  }
  const char kinds[] = {'i', 'u', 'f', 0, 0, 0, 'b'};
  const auto [code, bits, lanes] = tensor->dtype;
  lathe_dtype dtype = code < sizeof kinds ? dtype_of_kind(kinds[code], bits / 8) : -1;
  if (code == DLPACK_BFLOAT && bits == 16) dtype = LATHE_BF16;
  if (dtype < 0 || lanes != 1 || tensor->ndim > kMaxRank)
    refuse(PyExc_TypeError, "%s: Lathe has no arrays of these elements (DLPack type %d, %d bits)",
           what, code, bits);
  view.rank = tensor->ndim;
  view.dtype = dtype;
  view.data = static_cast<char*>(tensor->data) + tensor->byte_offset;
  for (int a = 0; a < view.rank; ++a) shape_[a] = tensor->shape[a];
  view.shape = shape_;
  view.strides = nullptr;
  if (tensor->strides) {
    for (int a = 0; a < view.rank; ++a) strides_[a] = tensor->strides[a] * bytes_of(dtype);
    view.strides = strides_;
  }
  owner_ = capsule.release().ptr();  // not consumed: its own destructor gives the memory back
  return true;
}

void bind_views(nb::module_& module) {
  nb::list names;  // by number
  for (const Known& k : kKnown) names.append(k.name);
  module.attr("dtype_names") = nb::tuple(names);
  // For tests: what Lathe sees of an object.
  module.def(
      "describe_view",
      [](nb::object object) {
        View v;
        v.take(object.ptr(), "describe_view");
        nb::list shape, strides;
        for (int a = 0; a < v.view.rank; ++a) {
          shape.append(v.view.shape[a]);
          if (v.view.strides) strides.append(v.view.strides[a]);
        }
        const nb::object told = v.view.strides ? nb::object(nb::tuple(strides)) : nb::none();
        return nb::make_tuple(name_of(v.view.dtype), nb::tuple(shape), told, v.view.read_only != 0,
                              reinterpret_cast<std::uintptr_t>(v.view.data));
      },
      nb::arg("array").none());
}

}  // namespace lathe_python
