// SPDX-License-Identifier: Apache-2.0
#pragma once
// lathe.Array: a lazy array, and its value once somebody has asked for it. lathe/_array.py derives
// the class that users see from the one here, and has all the operators.

#include <lathe/c_array.h>
#include <nanobind/nanobind.h>

#include <deque>
#include <vector>

#include "views.h"

namespace lathe_python {

// Both handles are owned. `value` is null until the array is evaluated; an array made from data
// has one handle twice.
class Array {
 public:
  Array(lathe_lazy* graph, lathe_lazy* value);
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array();

  void set(lathe_lazy* new_graph, lathe_lazy* new_value);

  lathe_lazy* graph = nullptr;
  lathe_lazy* value = nullptr;
};

// A Python object of the class that users see. Takes the handle over.
nanobind::object wrap(lathe_lazy* graph);
// With its value: takes one handle over and copies it.
nanobind::object wrap_value(lathe_lazy* value);
// Null when it is none.
Array* array_of(nanobind::handle object);

// What an operand may be: an array of ours, a number of Python (weak), anybody's array. Owned.
// Throws TypeError.
lathe_lazy* to_lazy(nanobind::handle object, const char* what);
// An array with data: refers to the object's memory and keeps it alive, or copies.
lathe_lazy* data_of(nanobind::handle object, bool copy, const char* what);
// The same for a result that was computed into the object's memory: takes the handle over, which
// keeps nobody alive.
lathe_lazy* kept_in(nanobind::handle target, lathe_lazy* result);

// Handles that are destroyed together.
struct Handles {
  std::vector<lathe_lazy*> all;
  Handles() = default;
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;
  ~Handles() {
    for (lathe_lazy* h : all) lathe_lazy_destroy(h);
  }
  lathe_lazy* const* data() const { return all.data(); }
  std::int32_t count() const { return static_cast<std::int32_t>(all.size()); }
};

// The text of lathe_lazy_text().
nanobind::str report_text(const Handles& arrays, lathe_lazy_report what);

// How many arrays of this module live: tests ask.
long live_arrays();

void bind_arrays(nanobind::module_& module);
void bind_apply(nanobind::module_& module);
void bind_evaluate(nanobind::module_& module);
void bind_functions(nanobind::module_& module);

}  // namespace lathe_python
