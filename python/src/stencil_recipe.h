// SPDX-License-Identifier: Apache-2.0
#pragma once
// A stencil from what lathe/stencil_objects.py has collected: texts and objects, as plain Python
// values, so that a stencil can be pickled and made again elsewhere.

#include <lathe/c_python.h>
#include <nanobind/nanobind.h>

namespace lathe_python {

// `recipe`: (texts, steps, definition, options).
//   texts       ((file name, text), ...)
//   steps       (("int", 3, dtype), ...): calls of lathe/c_python.h, by the end of their names,
//   with
//               their arguments; those that make an object are numbered from 0
//   definition  the number of a function
//   options     name, dtypes ((name, dtype), ...), int_bits, float_bits, checked
// `checked`: also when the options do not say so.
lathe_stencil* make_stencil(nanobind::tuple recipe, bool checked = false, bool interpret = false);

// A mistake in a definition as exception of lathe/stencils.py, all others as check() does.
void check_stencil(lathe_code code, lathe_error* error);

}  // namespace lathe_python
