// SPDX-License-Identifier: Apache-2.0
#include "arrays.h"

#include <atomic>
#include <cstring>
#include <memory>

#include "dlpack.h"
#include "errors.h"
#include "place.h"
#include "sizes.h"

namespace nb = nanobind;

namespace lathe_python {
namespace {

PyObject* array_type = nullptr;  // the class that users see
std::atomic<long> alive{0};
constexpr int kMaxAxes = 64;

// Called by whoever drops the last reference to the data, on any thread, also without the GIL.
void release_view(void* owner) {
  if (!Py_IsInitialized()) return;
  const PyGILState_STATE state = PyGILState_Ensure();
  delete static_cast<View*>(owner);
  PyGILState_Release(state);
}

lathe_lazy* number_of(nb::handle object) {
  lathe_value value{};
  if (PyBool_Check(object.ptr())) {
    value.dtype = LATHE_BOOL;
    value.as.i = object.ptr() == Py_True;
  } else if (PyLong_Check(object.ptr())) {
    int overflow = 0;
    value.dtype = LATHE_I64;
    value.as.i = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
    if (overflow > 0) {
      value.dtype = LATHE_U64;
      value.as.u = PyLong_AsUnsignedLongLong(object.ptr());
    }
    if (overflow < 0 || PyErr_Occurred()) {
      PyErr_Clear();
      refuse(PyExc_OverflowError, "the number %s does not fit 64 bits", nb::str(object).c_str());
    }
  } else {
    value.dtype = LATHE_F64;
    value.as.f = PyFloat_AsDouble(object.ptr());
  }
  lathe_lazy* made = nullptr;
  lathe_error* error = nullptr;
  check(lathe_lazy_number(&value, 1, &made, &error), error);
  return made;
}

int get_buffer(PyObject* self, Py_buffer* buffer, int flags) {
  static const char* const formats[] = {"?", "b", "h", "i",     "q", "B", "H",
                                        "I", "Q", "e", nullptr, "f", "d"};
  Array* array = nb::inst_ptr<Array>(self);
  lathe_view view;
  if (!array->value || lathe_lazy_view(array->value, &view, nullptr) != LATHE_OK) {
    PyErr_SetString(PyExc_BufferError, "the array has no values yet: compute() it first");
    return -1;
  }
  if (!formats[view.dtype]) {
    PyErr_SetString(PyExc_BufferError, "buffers cannot hold bf16: convert with astype first");
    return -1;
  }
  if (flags & PyBUF_WRITABLE) {
    PyErr_SetString(PyExc_BufferError, "arrays of Lathe never change");
    return -1;
  }
  std::int64_t count = 1;
  bool dense = true;
  std::int64_t step = bytes_of(view.dtype);
  for (int a = view.rank; a-- > 0;) {
    dense = dense && (view.strides[a] == step || view.shape[a] == 1);
    step *= view.shape[a];
    count *= view.shape[a];
  }
  if (!dense && !(flags & PyBUF_STRIDES)) {
    PyErr_SetString(PyExc_BufferError, "the array is not contiguous");
    return -1;
  }
  *buffer = {};
  buffer->buf = view.data;
  buffer->obj = Py_NewRef(self);
  buffer->len = count * bytes_of(view.dtype);
  buffer->itemsize = bytes_of(view.dtype);
  buffer->readonly = 1;
  buffer->ndim = view.rank;
  if (flags & PyBUF_FORMAT) buffer->format = const_cast<char*>(formats[view.dtype]);
  if (flags & PyBUF_ND)
    buffer->shape = reinterpret_cast<Py_ssize_t*>(const_cast<std::int64_t*>(view.shape));
  if ((flags & PyBUF_STRIDES) == PyBUF_STRIDES)
    buffer->strides = reinterpret_cast<Py_ssize_t*>(const_cast<std::int64_t*>(view.strides));
  // `x[0] = 1` may give the object another value while the buffer is held.
  buffer->internal = lathe_lazy_copy(array->value);
  return 0;
}

void release_buffer(PyObject*, Py_buffer* buffer) {
  lathe_lazy_destroy(static_cast<lathe_lazy*>(buffer->internal));
}

// What an exported tensor holds.
struct Exported {
  lathe_lazy* value;
  std::int64_t shape[kMaxAxes], strides[kMaxAxes];
  union {
    DlManaged plain;
    DlManagedVersioned versioned;
  } managed;
};

void fill_tensor(DlTensor& tensor, Exported& exported, const lathe_view& view) {
  static const std::uint8_t codes[] = {
      DLPACK_BOOL, DLPACK_INT,  DLPACK_INT,   DLPACK_INT,    DLPACK_INT,   DLPACK_UINT, DLPACK_UINT,
      DLPACK_UINT, DLPACK_UINT, DLPACK_FLOAT, DLPACK_BFLOAT, DLPACK_FLOAT, DLPACK_FLOAT};
  tensor.data = view.data;
  tensor.device = {DLPACK_CPU, 0};
  tensor.ndim = view.rank;
  tensor.dtype = {codes[view.dtype], static_cast<std::uint8_t>(8 * bytes_of(view.dtype)), 1};
  for (int a = 0; a < view.rank; ++a) {
    exported.shape[a] = view.shape[a];
    exported.strides[a] = view.strides[a] / bytes_of(view.dtype);
  }
  tensor.shape = exported.shape;
  tensor.strides = exported.strides;
  tensor.byte_offset = 0;
}

void delete_exported(void* context) {
  auto* exported = static_cast<Exported*>(context);
  lathe_lazy_destroy(exported->value);
  delete exported;
}

// A capsule that nobody has taken still owns its tensor.
void destroy_capsule(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor")) {
    auto* m = static_cast<DlManaged*>(PyCapsule_GetPointer(capsule, "dltensor"));
    m->deleter(m);
  } else if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
    auto* m = static_cast<DlManagedVersioned*>(PyCapsule_GetPointer(capsule, "dltensor_versioned"));
    m->deleter(m);
  }
}

nb::object to_dlpack(const lathe_lazy* value, bool versioned, bool copy) {
  lathe_view view;
  lathe_error* error = nullptr;
  check(lathe_lazy_view(value, &view, &error), error);
  if (view.rank > kMaxAxes) refuse(PyExc_BufferError, "too many axes");
  auto exported = std::make_unique<Exported>();
  if (copy) {
    check(lathe_lazy_data(&view, LATHE_COPY, nullptr, nullptr, {nullptr, 0}, &exported->value,
                          &error),
          error);
    check(lathe_lazy_view(exported->value, &view, &error), error);
  } else {
    exported->value = lathe_lazy_copy(value);
  }
  Exported* e = exported.release();
  PyObject* capsule = nullptr;
  if (versioned) {
    DlManagedVersioned& m = e->managed.versioned;
    m = {};
    m.version = {DLPACK_MAJOR, DLPACK_MINOR};
    m.context = e;
    m.deleter = [](DlManagedVersioned* self) { delete_exported(self->context); };
    m.flags = copy ? DLPACK_IS_COPIED : DLPACK_READ_ONLY;
    fill_tensor(m.tensor, *e, view);
    capsule = PyCapsule_New(&m, "dltensor_versioned", destroy_capsule);
  } else {
    DlManaged& m = e->managed.plain;
    m = {};
    m.context = e;
    m.deleter = [](DlManaged* self) { delete_exported(self->context); };
    fill_tensor(m.tensor, *e, view);
    capsule = PyCapsule_New(&m, "dltensor", destroy_capsule);
  }
  if (!capsule) throw nb::python_error();
  return nb::steal(capsule);
}

PyType_Slot array_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)},
                             {Py_bf_releasebuffer, reinterpret_cast<void*>(release_buffer)},
                             {0, nullptr}};

}  // namespace

Array::Array(lathe_lazy* graph, lathe_lazy* value) : graph(graph), value(value) { ++alive; }

Array::~Array() {
  --alive;
  lathe_lazy_destroy(graph);
  lathe_lazy_destroy(value);
}

void Array::set(lathe_lazy* new_graph, lathe_lazy* new_value) {
  lathe_lazy *old_graph = graph, *old_value = value;
  graph = new_graph;
  value = new_value;
  lathe_lazy_destroy(old_graph);
  lathe_lazy_destroy(old_value);
}

long live_arrays() { return alive.load(); }

static nb::object make_object(lathe_lazy* graph, lathe_lazy* value) {
  nb::object made = nb::inst_alloc(array_type);
  new (nb::inst_ptr<Array>(made)) Array(graph, value);
  nb::inst_mark_ready(made);
  return made;
}

nb::object wrap(lathe_lazy* graph) {
  if (lathe_lazy_has_data(graph)) return wrap_value(graph);
  return make_object(graph, nullptr);
}
nb::object wrap_value(lathe_lazy* value) { return make_object(value, lathe_lazy_copy(value)); }

Array* array_of(nb::handle object) {
  if (Py_TYPE(object.ptr()) != reinterpret_cast<PyTypeObject*>(array_type) &&
      !nb::isinstance<Array>(object))
    return nullptr;
  return nb::inst_ptr<Array>(object);
}

static lathe_lazy* data_of(std::unique_ptr<View> view, bool copy) {
  lathe_lazy* made = nullptr;
  lathe_error* error = nullptr;
  check(lathe_lazy_data(&view->view, copy ? LATHE_COPY : LATHE_REFER, copy ? nullptr : release_view,
                        view.get(), user_place(), &made, &error),
        error);
  if (!copy) view.release();
  return made;
}

lathe_lazy* data_of(nb::handle object, bool copy, const char* what) {
  auto view = std::make_unique<View>();
  view->take(object.ptr(), what);
  return data_of(std::move(view), copy);
}

lathe_lazy* kept_in(nb::handle target, lathe_lazy* result) {
  lathe_lazy_destroy(result);
  return data_of(target, false, "out");
}

// Its ValueErrors (rows of different lengths) with our words before them, and the user's line.
static nb::object by_numpy(nb::handle object, const char* what) {
  try {
    return nb::module_::import_("numpy").attr("asarray")(object);
  } catch (nb::python_error& e) {
    if (!e.matches(PyExc_ValueError)) throw;
    const std::string said = nb::str(e.value()).c_str();
    refuse(PyExc_ValueError, "%s: %s", what, said.c_str());
  }
}

lathe_lazy* to_lazy(nb::handle object, const char* what) {
  if (const Array* array = array_of(object)) return lathe_lazy_copy(array->graph);
  if (PyFloat_CheckExact(object.ptr()) || PyLong_CheckExact(object.ptr()) ||
      PyBool_Check(object.ptr()))
    return number_of(object);
  if (nb::isinstance<Size>(object)) {
    lathe_lazy* made = nullptr;
    lathe_error* error = nullptr;
    check(lathe_lazy_size(nb::cast<Size&>(object).handle, &made, &error), error);
    return made;
  }
  auto view = std::make_unique<View>();
  if (!view->try_take(object.ptr(), what)) {
    if (PyFloat_Check(object.ptr()) || PyLong_Check(object.ptr())) return number_of(object);
    // Lists and whatever else NumPy can make an array of.
    if (PyList_Check(object.ptr()) || PyTuple_Check(object.ptr()) ||
        PyObject_HasAttrString(object.ptr(), "__array__")) {
      return data_of(by_numpy(object, what), false, what);
    }
    refuse(PyExc_TypeError, "%s: expected an array or a number, not %s", what,
           Py_TYPE(object.ptr())->tp_name);
  }
  return data_of(std::move(view), false);
}

void bind_arrays(nb::module_& module) {
  bind_place(module);
  bind_sizes(module);
  nb::class_<Array> array(module, "ArrayBase", nb::type_slots(array_slots),
                          nb::is_weak_referenceable());
  module.def("set_array_type", [](nb::type_object type) { array_type = type.inc_ref().ptr(); });
  array.def_prop_ro("_dtype", [](const Array& a) { return lathe_lazy_dtype(a.graph); });
  array.def_prop_ro(
      "ndim", [](const Array& a) { return lathe_lazy_rank(a.graph); }, "The number of axes.");
  array.def_prop_ro(
      "shape", [](const Array& a) { return shape_object(a.value ? a.value : a.graph); },
      "The lengths of the axes: ints, or lathe.Size where they are symbols.");
  array.def_prop_ro(
      "is_computed", [](const Array& a) { return a.value != nullptr; }, "Are its values there?");
  array.def_prop_ro(
      "is_closed",
      [](const Array& a) { return a.value != nullptr || lathe_lazy_is_closed(a.graph) != 0; },
      "Can it be computed as it is: does it depend on no input, scalar or size that is open?");
  array.def_prop_ro("_is_data", [](const Array& a) { return lathe_lazy_has_data(a.graph) != 0; });
  array.def_prop_ro(
      "labels",
      [](const Array& a) {
        nb::list out;
        for (int i = 0; i < lathe_lazy_rank(a.graph); ++i) {
          const char* label = lathe_lazy_label(a.graph, i);
          out.append(*label ? nb::object(nb::str(label)) : nb::none());
        }
        return nb::tuple(out);
      },
      "The names of the axes; None for one without.");
  array.def("_become", [](Array& self, const Array& other) {
    self.set(lathe_lazy_copy(other.graph), other.value ? lathe_lazy_copy(other.value) : nullptr);
  });
  // The same graph, without its value.
  array.def("_same", [](const Array& self) {
    return make_object(lathe_lazy_copy(self.graph),
                       self.value ? lathe_lazy_copy(self.value) : nullptr);
  });
  array.def("_value", [](const Array& self) -> nb::object {
    if (!self.value) return nb::none();
    return wrap_value(lathe_lazy_copy(self.value));
  });
  // Where the values lie; null data of arrays that are not computed.
  array.def("_address", [](const Array& self) -> std::uintptr_t {
    lathe_view view{};
    if (!self.value || lathe_lazy_view(self.value, &view, nullptr) != LATHE_OK) return 0;
    return reinterpret_cast<std::uintptr_t>(view.data);
  });
  module.def(
      "to_array",
      [](nb::handle object, const char* what) {
        if (array_of(object)) return nb::borrow(object);
        return wrap(to_lazy(object, what));
      },
      nb::arg("object").none(), nb::arg("what"));
  // Is there memory that can be referred to? What is in it may still be refused.
  module.def(
      "shows_memory",
      [](nb::handle o) {
        return PyObject_CheckBuffer(o.ptr()) ||
               PyObject_HasAttrString(o.ptr(), "__array_interface__") ||
               PyObject_HasAttrString(o.ptr(), "__dlpack__");
      },
      nb::arg("object").none());
  module.def(
      "data",
      [](nb::handle object, bool copy, const char* what) {
        return wrap_value(data_of(object, copy, what));
      },
      nb::arg("object").none(), nb::arg("copy"), nb::arg("what"));
  module.def("input", [](const char* name, int dtype, nb::iterable shape) {
    Sizes sizes;
    for (nb::handle s : shape) sizes.add(s, "input");
    lathe_lazy* made = nullptr;
    lathe_error* error = nullptr;
    check(
        lathe_lazy_input(name, dtype, sizes.all.data(), sizes.count(), user_place(), &made, &error),
        error);
    return wrap(made);
  });
  module.def("dlpack", [](const Array& self, bool versioned, bool copy) {
    if (!self.value) refuse(PyExc_BufferError, "the array has no values yet");
    return to_dlpack(self.value, versioned, copy);
  });
  module.def("live_arrays", live_arrays);
}

}  // namespace lathe_python
