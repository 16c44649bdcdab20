// SPDX-License-Identifier: Apache-2.0
#pragma once
// NumPy's own arrays without the detour over a buffer, which takes longer than a small stencil.

#include <lathe/c.h>
#include <nanobind/nanobind.h>

namespace lathe_python {

// Is it an array of NumPy's, not of a class derived from it?
bool is_numpy_array(PyObject* object);

// Fills in everything but the name; the array must stay alive. False: the buffer protocol has to be
// asked (a dtype that stencils do not have, a NumPy that is built otherwise).
bool view_numpy_array(PyObject* array, lathe_view& view);

}  // namespace lathe_python
