// SPDX-License-Identifier: Apache-2.0
#pragma once
// Python's arrays as lathe_view, where they lie: the buffer protocol, __array_interface__, DLPack.

#include <lathe/c.h>
#include <nanobind/nanobind.h>

#include <cstdint>

namespace lathe_python {

// Keeps the exporter from moving its memory while it lives. Neither copied nor moved: make them in
// a std::deque, or in an array.
class View {
 public:
  View() = default;
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  ~View() { drop(); }

  // Throws TypeError when the object has no memory to show, or elements that Lathe does not know;
  // `what` begins the message ("argument 'x'").
  void take(PyObject* object, const char* what);
  // False, without an exception, when the object shows no memory in any of these ways.
  bool try_take(PyObject* object, const char* what);
  void drop();

  lathe_view view{};  // all but its name; `lo` is null

 private:
  bool take_buffer(PyObject* object, const char* what);
  bool take_interface(PyObject* object, const char* what);
  bool take_dlpack(PyObject* object, const char* what);

  static constexpr int kMaxRank = 64;  // NumPy's
  Py_buffer buffer_{};
  bool has_buffer_ = false;
  PyObject* owner_ = nullptr;
  std::int64_t shape_[kMaxRank], strides_[kMaxRank];
};

// The dtype of a format of `struct`, or -1.
lathe_dtype dtype_of_format(const char* format, Py_ssize_t item_size);
// "f64", the name that messages use.
const char* name_of(lathe_dtype dtype);
std::int64_t bytes_of(lathe_dtype dtype);

void bind_views(nanobind::module_& module);

}  // namespace lathe_python
