// SPDX-License-Identifier: Apache-2.0
#pragma once
// How arrays are evaluated: settings of the thread, and the call.

#include <lathe/c_array.h>
#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>

namespace lathe_python {

// Of the thread: `with lathe.checked():` and `with lathe.target("interpreter"):`.
struct Settings {
  std::int32_t checked = 0, interpret = 0;
};
Settings& settings();
std::atomic<std::int32_t>& default_threads();  // 0: all
void apply_settings(lathe_eval_options& options);

// A number of Python; false for anything else.
bool to_value(nanobind::handle object, lathe_value& value);

// Without the GIL; throws. Results have the labels of their graphs.
void evaluate(const lathe_lazy* const* arrays, std::int32_t count, lathe_eval_options& options,
              lathe_lazy** results);
// Takes the value over.
lathe_lazy* with_labels_of(const lathe_lazy* graph, lathe_lazy* value);

}  // namespace lathe_python
