// SPDX-License-Identifier: Apache-2.0
// _core.Stencil and _core.FrozenStencil: what lathe/stencils.py builds on. Calls go through
// tp_call, which is quicker than a method of nanobind.

#include "stencil.h"

#include <nanobind/stl/string.h>

#include <chrono>
#include <memory>

#include "errors.h"
#include "evaluate.h"
#include "running.h"
#include "stencil_arguments.h"
#include "stencil_recipe.h"

namespace nb = nanobind;

namespace lathe_python {
namespace {

double now() {  // as time.perf_counter()
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class Stencil {
 public:
  Stencil(nb::tuple recipe, bool strict)
      : recipe_(std::move(recipe)), plain_(make_stencil(recipe_)), signature(plain_.get()) {
    signature.strict = strict;
  }

  lathe_stencil* handle() const { return plain_.get(); }

  // `self` is this, as Python has it. `frozen`: where the origins and the domain are; or null.
  void call(PyObject* self, PyObject* args, PyObject* kwargs, const Arguments* frozen) {
    std::unique_ptr<Arguments> a = std::move(spare_);
    if (!a) a = std::make_unique<Arguments>(signature);
    struct GiveBack {
      Stencil& stencil;
      std::unique_ptr<Arguments>& arguments;
      ~GiveBack() {
        arguments->drop();
        stencil.spare_ = std::move(arguments);
      }
    } give_back{*this, a};
    CallExtras extras;
    a->take(args, kwargs, extras, frozen != nullptr);
    if (frozen) {
      a->copy_extras(*frozen);
    } else {
      a->take_extras(extras);
    }
    if (extras.exec_info) return call_timed(self, *a, extras.exec_info);
    run(*a);
  }

 private:
  struct Destroy {
    void operator()(lathe_stencil* s) const { lathe_stencil_destroy(s); }
  };
  using Handle = std::unique_ptr<lathe_stencil, Destroy>;

  // As `with lathe.checked():` and `with lathe.target(...):` want it.
  lathe_stencil* handle_for_settings() {
    const Settings& s = settings();
    if (!s.checked && !s.interpret) return plain_.get();
    Handle& special = special_[s.checked ? 1 : 0][s.interpret ? 1 : 0];
    if (!special) {
      // Another thread may be quicker while the GIL is not held; it may be using its own already.
      Handle made(make_stencil(recipe_, s.checked, s.interpret));
      if (!special) special = std::move(made);
    }
    return special.get();
  }

  void run(Arguments& a) {
    lathe_error* error = nullptr;
    lathe_stencil* const stencil = handle_for_settings();
    const lathe_code code = without_gil([&](const lathe_cancel* cancel) {
      lathe_run_options options{};
      options.size = sizeof options;
      options.threads = default_threads().load(std::memory_order_relaxed);
      options.cancel = cancel;
      return lathe_stencil_run(stencil, a.values().data(),
                               static_cast<std::int32_t>(a.values().size()), a.views().data(),
                               static_cast<std::int32_t>(a.views().size()), a.domain(), &options,
                               nullptr, &error);
    });
    if (code != LATHE_OK) check_stencil(code, error);
  }

  void call_timed(PyObject* self, Arguments& a, PyObject* exec_info) {
    const auto count = static_cast<std::int32_t>(a.views().size());
    std::int64_t domain[3];
    std::vector<std::int64_t> origins(3 * a.views().size());
    lathe_error* error = nullptr;
    const double called = now();
    const lathe_code code = lathe_stencil_domain(plain_.get(), a.views().data(), count, a.domain(),
                                                 domain, origins.data(), &error);
    if (code != LATHE_OK) check_stencil(code, error);
    nb::dict told;
    for (std::size_t v = 0; v < a.views().size(); ++v)
      told[a.views()[v].name] =
          nb::make_tuple(origins[3 * v], origins[3 * v + 1], origins[3 * v + 2]);
    const double runs = now();
    run(a);
    const double ran = now();
    nb::module_::import_("lathe.stencil_info")
        .attr("fill_exec_info")(nb::handle(self), nb::handle(exec_info), called, runs, ran,
                                nb::make_tuple(domain[0], domain[1], domain[2]), told);
  }

  nb::tuple recipe_;
  Handle plain_, special_[2][2];      // by checked and interpret
  std::unique_ptr<Arguments> spare_;  // of a call that is over; guarded by the GIL

 public:
  Signature signature;
};

// Keeps the stencil alive, and its origins and domain.
struct FrozenStencil {
  FrozenStencil(nb::object s, nb::object origin, nb::object domain)
      : stencil(std::move(s)), arguments(nb::cast<Stencil&>(stencil).signature) {
    const auto given = [](const nb::object& o) { return o.is_none() ? nullptr : o.ptr(); };
    arguments.freeze(given(origin), given(domain));
  }
  nb::object stencil;
  Arguments arguments;
};

// Nothing is thrown through Python's own code.
template <class F>
PyObject* guarded_call(F&& f) {
  try {
    f();
    Py_RETURN_NONE;
  } catch (nb::python_error& e) {
    e.restore();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
  return nullptr;
}

PyObject* call_stencil(PyObject* self, PyObject* args, PyObject* kwargs) {
  return guarded_call([&] { nb::inst_ptr<Stencil>(self)->call(self, args, kwargs, nullptr); });
}

PyObject* call_frozen(PyObject* self, PyObject* args, PyObject* kwargs) {
  return guarded_call([&] {
    FrozenStencil& frozen = *nb::inst_ptr<FrozenStencil>(self);
    if (!frozen.stencil.is_valid()) refuse(PyExc_RuntimeError, "the stencil is gone");
    nb::inst_ptr<Stencil>(frozen.stencil)
        ->call(frozen.stencil.ptr(), args, kwargs, &frozen.arguments);
  });
}

PyType_Slot stencil_slots[] = {{Py_tp_call, reinterpret_cast<void*>(call_stencil)}, {0, nullptr}};

// A stencil's definition knows the module that may hold its frozen form: a cycle.
int visit_frozen(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<FrozenStencil>(self)->stencil.ptr());
  return 0;
}
int clear_frozen(PyObject* self) {
  nb::inst_ptr<FrozenStencil>(self)->stencil.reset();
  return 0;
}
PyType_Slot frozen_slots[] = {{Py_tp_call, reinterpret_cast<void*>(call_frozen)},
                              {Py_tp_traverse, reinterpret_cast<void*>(visit_frozen)},
                              {Py_tp_clear, reinterpret_cast<void*>(clear_frozen)},
                              {0, nullptr}};

// (name, is_field, dtype, access, keyword_only, is_optional, axes, data shape, boundary)
nb::list arguments_of(const Stencil& s) {
  nb::list all;
  for (const Signature::Argument& a : s.signature.arguments) {
    nb::list data, boundary;
    for (std::int32_t d = 0; d < a.info.data_rank; ++d) data.append(a.info.data_shape[d]);
    for (int axis = 0; axis < 3; ++axis)
      boundary.append(nb::make_tuple(a.info.below[axis], a.info.above[axis]));
    all.append(nb::make_tuple(a.info.name, a.info.is_field != 0, a.info.dtype, a.info.access,
                              a.info.keyword_only != 0, a.info.is_optional != 0, a.info.axes,
                              nb::tuple(data), nb::tuple(boundary)));
  }
  return all;
}

}  // namespace

void bind_stencils(nb::module_& module) {
  // Both are derived from in Python, where they get a __dict__.
  nb::class_<Stencil>(module, "Stencil", nb::type_slots(stencil_slots))
      .def(nb::init<nb::tuple, bool>(), nb::arg("recipe"), nb::arg("strict"))
      .def_prop_ro("name", [](const Stencil& s) { return s.signature.stencil; })
      .def_prop_ro("program",
                   [](const Stencil& s) { return std::string(lathe_stencil_program(s.handle())); })
      .def_prop_ro("min_levels",
                   [](const Stencil& s) { return lathe_stencil_min_levels(s.handle()); })
      .def("_arguments", arguments_of);
  nb::class_<FrozenStencil>(module, "FrozenStencil", nb::type_slots(frozen_slots))
      .def(nb::init<nb::object, nb::object, nb::object>(), nb::arg("stencil"),
           nb::arg("origin").none(), nb::arg("domain").none());
}

}  // namespace lathe_python
