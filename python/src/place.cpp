// SPDX-License-Identifier: Apache-2.0
#include "place.h"

#include <cstring>
#include <string>
#include <vector>

namespace nb = nanobind;

namespace lathe_python {
namespace {

std::vector<std::string>& package_folders() {
  static auto* const folders = new std::vector<std::string>;
  return *folders;
}

bool is_ours(const char* file) {
  for (const std::string& f : package_folders())
    if (std::strncmp(file, f.c_str(), f.size()) == 0) return true;
  return false;
}

}  // namespace

lathe_place user_place() {
  lathe_place place{nullptr, 0};
  PyFrameObject* frame = PyEval_GetFrame();
  Py_XINCREF(frame);
  while (frame) {
    PyCodeObject* code = PyFrame_GetCode(frame);
    const char* file = PyUnicode_AsUTF8(code->co_filename);
    Py_DECREF(code);  // the frame keeps it
    if (!file) {
      PyErr_Clear();
    } else if (!is_ours(file)) {
      place = {file, PyFrame_GetLineNumber(frame)};
      break;
    }
    PyFrameObject* back = PyFrame_GetBack(frame);
    Py_DECREF(frame);
    frame = back;
  }
  Py_XDECREF(frame);
  return place;
}

void bind_place(nb::module_& module) {
  module.def("add_package_folder",
             [](const char* folder) { package_folders().emplace_back(folder); });
  module.def("user_place", [] {
    const lathe_place place = user_place();
    return nb::make_tuple(place.file ? place.file : "", place.line);
  });
}

}  // namespace lathe_python
