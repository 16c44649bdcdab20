// SPDX-License-Identifier: Apache-2.0
// Evaluation, of several arrays together: what was computed without bindings is kept by its arrays.

#include "evaluate.h"

#include <memory>
#include <string>

#include "arrays.h"
#include "errors.h"
#include "running.h"

namespace nb = nanobind;

namespace lathe_python {

Settings& settings() {
  static thread_local Settings own;
  return own;
}

std::atomic<std::int32_t>& default_threads() {
  static std::atomic<std::int32_t> threads{0};
  return threads;
}

void apply_settings(lathe_eval_options& options) {
  options.threads = default_threads().load(std::memory_order_relaxed);
  options.checked = settings().checked;
  options.interpret = settings().interpret;
}

bool to_value(nb::handle object, lathe_value& value) {
  PyObject* o = object.ptr();
  if (PyBool_Check(o)) {
    value.dtype = LATHE_BOOL;
    value.as.i = o == Py_True;
  } else if (PyFloat_Check(o)) {
    value.dtype = LATHE_F64;
    value.as.f = PyFloat_AS_DOUBLE(o);
  } else if (PyLong_Check(o)) {
    int overflow = 0;
    value.dtype = LATHE_I64;
    value.as.i = PyLong_AsLongLongAndOverflow(o, &overflow);
    if (overflow != 0) {
      value.dtype = LATHE_U64;
      value.as.u = PyLong_AsUnsignedLongLong(o);
      if (PyErr_Occurred()) throw nb::python_error();
    }
  } else {
    return false;
  }
  return true;
}

void evaluate(const lathe_lazy* const* arrays, std::int32_t count, lathe_eval_options& options,
              lathe_lazy** results) {
  apply_settings(options);
  // Arguments that a function does not use; compute() has looked at names.
  options.allow_unused = 1;
  lathe_error* error = nullptr;
  const lathe_code code = without_gil([&](const lathe_cancel* cancel) {
    options.cancel = cancel;
    return lathe_lazy_eval(arrays, count, &options, results, &error);
  });
  check(code, error);
  for (std::int32_t i = 0; i < count; ++i) results[i] = with_labels_of(arrays[i], results[i]);
}

lathe_lazy* with_labels_of(const lathe_lazy* graph, lathe_lazy* value) {
  const std::int32_t rank = lathe_lazy_rank(graph);
  std::vector<const char*> labels;
  bool any = false;
  for (std::int32_t a = 0; a < rank; ++a) {
    labels.push_back(lathe_lazy_label(graph, a));
    any = any || *labels.back();
  }
  if (!any) return value;
  lathe_lazy* named = nullptr;
  if (lathe_lazy_named(value, labels.data(), rank, {nullptr, 0}, &named, nullptr) != LATHE_OK)
    return value;
  lathe_lazy_destroy(value);
  return named;
}

namespace {

[[noreturn]] void refuse_name(const std::vector<Array*>& arrays, nb::handle name) {
  Handles graphs;
  for (const Array* a : arrays) graphs.all.push_back(lathe_lazy_copy(a->graph));
  const nb::object open = report_text(graphs, LATHE_REPORT_OPEN).attr("split")();
  if (PySequence_Size(open.ptr()) == 0)
    refuse(PyExc_TypeError, "compute: got a value for '%s', and needs none", nb::str(name).c_str());
  const nb::str all(nb::str(", ").attr("join")(open));
  refuse(PyExc_TypeError,
         "compute: there is no input, scalar or size '%s'\n  help: those without a value are %s",
         nb::str(name).c_str(), all.c_str());
}

// Every name that is given a value must be open: misspelled ones would be lost.
void check_names(const std::vector<Array*>& arrays, const nb::dict& bindings) {
  for (auto [name, value] : bindings) {
    const char* text = PyUnicode_AsUTF8(name.ptr());
    if (!text) throw nb::python_error();
    bool known = false;
    for (const Array* a : arrays) known = known || lathe_lazy_is_open(a->graph, text) != 0;
    if (!known) refuse_name(arrays, name);
  }
}

nb::object compute(nb::tuple arrays, nb::handle bindings, nb::handle targets) {
  const std::size_t count = arrays.size();
  std::vector<Array*> given;
  for (nb::handle a : arrays) {
    given.push_back(array_of(a));
    if (!given.back())
      refuse(PyExc_TypeError, "compute: expected an array of lathe, not %s",
             Py_TYPE(a.ptr())->tp_name);
  }
  std::deque<View> views;
  std::vector<lathe_view> named;
  std::vector<lathe_value> values;
  if (!bindings.is_none()) {
    check_names(given, nb::borrow<nb::dict>(bindings));
    for (auto [name, object] : nb::borrow<nb::dict>(bindings)) {
      const char* text = PyUnicode_AsUTF8(name.ptr());
      if (!text) throw nb::python_error();
      lathe_value value{};
      value.name = text;
      if (to_value(object, value)) {
        values.push_back(value);
        continue;
      }
      views.emplace_back().take(object.ptr(), text);
      named.push_back(views.back().view);
      named.back().name = text;
    }
  }
  const bool bound = !values.empty() || !named.empty();
  std::vector<lathe_view> to;
  if (!targets.is_none()) {
    for (nb::handle t : nb::borrow<nb::tuple>(targets)) {
      to.emplace_back();
      if (t.is_none()) continue;
      views.emplace_back().take(t.ptr(), "out");
      to.back() = views.back().view;
      if (to.back().read_only) refuse(PyExc_ValueError, "out: the array is read-only");
    }
    if (to.size() != count) refuse(PyExc_ValueError, "out: takes one array for each result");
  }
  // Only what is not there yet.
  const bool memory = !bound && to.empty();
  std::vector<std::size_t> asked;
  Handles wanted;  // own ones: another thread may give an array another graph meanwhile
  for (std::size_t i = 0; i < count; ++i) {
    if (memory && given[i]->value) continue;
    asked.push_back(i);
    wanted.all.push_back(lathe_lazy_copy(given[i]->graph));
  }
  std::vector<lathe_lazy*> made(asked.size());
  if (!asked.empty()) {
    lathe_eval_options options{};
    options.size = sizeof options;
    options.values = values.data();
    options.value_count = static_cast<std::int32_t>(values.size());
    options.views = named.data();
    options.view_count = static_cast<std::int32_t>(named.size());
    options.targets = to.empty() ? nullptr : to.data();
    evaluate(wanted.data(), wanted.count(), options, made.data());
  }
  nb::object out = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(count)));
  std::vector<lathe_lazy*> results(count, nullptr);
  for (std::size_t k = 0; k < asked.size(); ++k) {
    Array& array = *given[asked[k]];
    results[asked[k]] = made[k];
    if (memory && !array.value && array.graph == wanted.all[k])
      array.value = lathe_lazy_copy(made[k]);
  }
  for (std::size_t i = 0; i < count; ++i) {
    lathe_lazy* result = results[i] ? results[i] : lathe_lazy_copy(given[i]->value);
    if (!to.empty() && to[i].data) result = kept_in(targets[i], result);
    PyTuple_SET_ITEM(out.ptr(), static_cast<Py_ssize_t>(i), wrap_value(result).release().ptr());
  }
  return out;
}

}  // namespace

void bind_evaluate(nb::module_& module) {
  module.def("compute", compute, nb::arg("arrays"), nb::arg("bindings").none() = nb::none(),
             nb::arg("targets").none() = nb::none());
  module.def("kernel_count", lathe_lazy_kernel_count);
  module.def("set_threads", [](int n) { default_threads().store(n); });
  module.def("get_threads", [] { return default_threads().load(); });
  module.def("set_mode", [](bool checked, bool interpret) {
    const nb::tuple before = nb::make_tuple(settings().checked != 0, settings().interpret != 0);
    settings() = {checked, interpret};
    return before;
  });
  module.def("get_mode",
             [] { return nb::make_tuple(settings().checked != 0, settings().interpret != 0); });
  module.def("cache_folder", [] { return nb::str(lathe_cache_folder()); });
  module.def("cache_usage", [] {
    std::int64_t kernels = 0, bytes = 0;
    lathe_error* error = nullptr;
    check(lathe_cache_usage(&kernels, &bytes, &error), error);
    return nb::make_tuple(kernels, bytes);
  });
  module.def("cache_clear", [] {
    std::int64_t removed = 0;
    lathe_error* error = nullptr;
    check(lathe_cache_clear(&removed, &error), error);
    return removed;
  });
}

}  // namespace lathe_python
