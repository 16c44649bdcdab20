// SPDX-License-Identifier: Apache-2.0
// lathe.function, where it must be quick: arguments are taken apart, a traced graph is found by
// dtypes, ranks and static arguments, its inputs are bound and it is evaluated. What has no graph
// yet is traced by lathe/_function.py, once.
//
// The parts of the key, for each argument in order:
//   A dtype rank    an array          F          a number with a point: an input of the graph
//   S               a static value, which follows in the tuple
//   ( n  [ n  { n   containers; the keys of a dictionary are static values

#include <cstring>
#include <string>

#include "arrays.h"
#include "errors.h"
#include "evaluate.h"
#include "place.h"

namespace nb = nanobind;

namespace lathe_python {
namespace {

constexpr std::size_t kQuickViews = 6;

// A graph with the names of its inputs, one for each array and number among the arguments.
struct Traced {
  Handles outputs;
  std::vector<std::string> names;
  nb::object rebuild;  // of the results, unless it is None: one array, or a tuple of them
  bool single = false;
  // Of inputs that no result reads: the sizes of their axes ("" for numbers), which some may need.
  std::vector<std::vector<std::string>> unread;
};

enum class Found { Quick, Lazy, Other };

// Arguments, taken apart.
class FunctionArguments {
 public:
  Found take(nb::handle o) {
    PyObject* p = o.ptr();
    if (Array* array = array_of(o)) {
      if (!array->value) return Found::Lazy;
      lathe_view& view = next_view();
      if (lathe_lazy_view(array->value, &view, nullptr) != LATHE_OK) return Found::Other;
      add_array(view);
      return labelled(array->value) ? Found::Other : Found::Quick;
    }
    if (PyFloat_CheckExact(p)) {
      key += 'F';
      leaves.push_back({-1, PyFloat_AS_DOUBLE(p)});
      return Found::Quick;
    }
    if (PyTuple_CheckExact(p) || PyList_CheckExact(p)) return take_sequence(p);
    if (PyDict_CheckExact(p)) return take_dict(p);
    if (PyObject_CheckBuffer(p) && !PyBytes_Check(p)) {
      View& holder = next_holder();
      if (!holder.try_take(p, "argument")) return Found::Other;
      next_view() = holder.view;
      add_array(holder.view);
      return Found::Quick;
    }
    if (p == Py_None || PyLong_CheckExact(p) || PyBool_Check(p) || PyUnicode_CheckExact(p)) {
      key += PyBool_Check(p) ? 'B' : 'S';  // True and 1 are equal, and not the same
      statics.append(o);
      return Found::Quick;
    }
    return Found::Other;
  }

  // An array or a number, whoever made it.
  void take_leaf(nb::handle o) {
    Array* array = array_of(o);
    if (PyFloat_CheckExact(o.ptr()) || (array && array->value)) {
      take(o);
      return;
    }
    View& holder = next_holder();
    holder.take(o.ptr(), "argument");
    next_view() = holder.view;
    add_array(holder.view);
  }

  struct Leaf {
    int view;  // -1: a number
    double number;
  };
  std::string key;
  nb::list statics;
  std::vector<Leaf> leaves;
  std::vector<lathe_view> views;

 private:
  // A list that holds itself: the other way has the words for it.
  static constexpr int kDeepest = 200;
  struct Deeper {
    explicit Deeper(int& d) : depth(d) { ++depth; }
    ~Deeper() { --depth; }
    int& depth;
  };

  Found take_sequence(PyObject* p) {
    const Deeper deeper(depth_);
    if (depth_ > kDeepest) return Found::Other;
    const Py_ssize_t n = PySequence_Fast_GET_SIZE(p);
    key += PyTuple_CheckExact(p) ? '(' : '[';
    key += std::to_string(n);
    Found worst = Found::Quick;
    for (Py_ssize_t i = 0; i < n && worst != Found::Other; ++i)
      worst = std::max(worst, take(PySequence_Fast_GET_ITEM(p, i)));
    return worst;
  }

  Found take_dict(PyObject* p) {
    const Deeper deeper(depth_);
    if (depth_ > kDeepest) return Found::Other;
    key += '{' + std::to_string(PyDict_GET_SIZE(p));
    Found worst = Found::Quick;
    Py_ssize_t at = 0;
    PyObject *name = nullptr, *value = nullptr;
    while (worst != Found::Other && PyDict_Next(p, &at, &name, &value)) {
      statics.append(nb::handle(name));
      worst = std::max(worst, take(value));
    }
    return worst;
  }

  static bool labelled(const lathe_lazy* array) {
    for (std::int32_t a = 0; a < lathe_lazy_rank(array); ++a)
      if (*lathe_lazy_label(array, a)) return true;
    return false;
  }

  lathe_view& next_view() { return views.emplace_back(); }
  View& next_holder() {
    if (used_ < kQuickViews) return quick_[used_++];
    return more_.emplace_back();
  }
  void add_array(const lathe_view& view) {
    key += {'A', static_cast<char>('a' + view.dtype), static_cast<char>('0' + view.rank)};
    leaves.push_back({static_cast<int>(views.size()) - 1, 0});
  }

  View quick_[kQuickViews];
  std::size_t used_ = 0;
  std::deque<View> more_;
  int depth_ = 0;
};

class Function {
 public:
  // Functions of lathe/_function.py that take the owner, whom we do not hold: no cycles.
  Function(nb::object trace, nb::object otherwise)
      : trace_(std::move(trace)), otherwise_(std::move(otherwise)) {}

  // `out` is None, or a tuple with an array for each result.
  nb::object call(nb::handle owner, nb::tuple args, nb::dict kwargs, nb::handle out) {
    FunctionArguments arguments;
    Found found = Found::Quick;
    const Py_ssize_t n = PyTuple_GET_SIZE(args.ptr());
    for (Py_ssize_t i = 0; i < n; ++i)
      found = std::max(found, arguments.take(PyTuple_GET_ITEM(args.ptr(), i)));
    if (PyDict_GET_SIZE(kwargs.ptr()) > 0) found = std::max(found, arguments.take(kwargs));
    if (found != Found::Quick) return otherwise_(owner, args, kwargs, out, found == Found::Lazy);
    const nb::object key = key_of(arguments);
    nb::object traced = nb::borrow(PyDict_GetItemWithError(traces_.ptr(), key.ptr()));
    if (!traced.is_valid()) {
      if (PyErr_Occurred()) throw nb::python_error();
      traced = trace_(owner, args, kwargs);
      if (traced.is_none()) return otherwise_(owner, args, kwargs, out, false);
      traces_[key] = traced;
    }
    return run(nb::cast<Traced&>(traced), arguments, out);
  }

  nb::dict traces() const { return traces_; }

  static nb::object run(Traced& traced, const FunctionArguments& arguments, nb::handle out) {
    std::vector<lathe_view> views;
    std::vector<lathe_value> values;
    views.reserve(arguments.views.size());
    for (std::size_t i = 0; i < arguments.leaves.size(); ++i) {
      const FunctionArguments::Leaf& leaf = arguments.leaves[i];
      const char* name = traced.names[i].c_str();
      if (leaf.view < 0) {
        lathe_value value{};
        value.name = name;
        value.dtype = LATHE_F64;
        value.as.f = leaf.number;
        values.push_back(value);
      } else {
        views.push_back(arguments.views[static_cast<std::size_t>(leaf.view)]);
        views.back().name = name;
        if (!traced.unread[i].empty()) add_sizes(traced.unread[i], views.back(), values);
      }
    }
    lathe_eval_options options{};
    options.size = sizeof options;
    options.values = values.data();
    options.value_count = static_cast<std::int32_t>(values.size());
    options.views = views.data();
    options.view_count = static_cast<std::int32_t>(views.size());
    std::vector<lathe_view> targets;
    std::deque<View> held;
    if (!out.is_none()) {
      for (nb::handle o : nb::borrow<nb::tuple>(out)) {
        targets.emplace_back();
        if (o.is_none()) continue;
        held.emplace_back().take(o.ptr(), "out");
        targets.back() = held.back().view;
        if (targets.back().read_only) refuse(PyExc_ValueError, "out: the array is read-only");
      }
      if (targets.size() != traced.outputs.all.size())
        refuse(PyExc_ValueError, "out: takes one array for each result");
      options.targets = targets.data();
    }
    std::vector<lathe_lazy*> made(traced.outputs.all.size());
    if (!made.empty())
      evaluate(traced.outputs.data(), traced.outputs.count(), options, made.data());
    for (std::size_t i = 0; i < targets.size(); ++i)
      if (targets[i].data) made[i] = kept_in(out[i], made[i]);
    if (traced.single) return wrap_value(made[0]);
    nb::object results = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(made.size())));
    for (std::size_t i = 0; i < made.size(); ++i)
      PyTuple_SET_ITEM(results.ptr(), static_cast<Py_ssize_t>(i),
                       wrap_value(made[i]).release().ptr());
    return traced.rebuild.is_none() ? results : traced.rebuild(results);
  }

 private:
  static void add_sizes(const std::vector<std::string>& names, const lathe_view& view,
                        std::vector<lathe_value>& values) {
    for (std::size_t axis = 0; axis < names.size(); ++axis) {
      if (names[axis].empty()) continue;
      lathe_value value{};
      value.name = names[axis].c_str();
      value.dtype = LATHE_I64;
      value.as.i = view.shape[axis];
      values.push_back(value);
    }
  }

  nb::object key_of(const FunctionArguments& arguments) {
    nb::bytes text(arguments.key.data(), arguments.key.size());
    if (arguments.statics.size() == 0) return text;
    return nb::make_tuple(text, nb::tuple(arguments.statics));
  }

  nb::object trace_, otherwise_;
  nb::dict traces_;
};

}  // namespace

void bind_functions(nb::module_& module) {
  nb::class_<Traced>(module, "Traced")
      .def(
          "__init__",
          [](Traced* self, nb::tuple outputs, nb::iterable inputs, nb::object rebuild,
             bool single) {
            new (self) Traced;
            for (nb::handle o : outputs) self->outputs.all.push_back(to_lazy(o, "function"));
            for (nb::handle input : inputs) {
              self->names.emplace_back(nb::str(nb::object(input[0])).c_str());
              self->unread.emplace_back();
              bool read = false;
              for (lathe_lazy* h : self->outputs.all)
                read = read || lathe_lazy_has_input(h, self->names.back().c_str()) != 0;
              if (read) continue;
              for (nb::handle length : nb::borrow<nb::sequence>(nb::object(input[1])))
                self->unread.back().emplace_back(
                    PyUnicode_Check(length.ptr()) ? nb::str(length).c_str() : "");
            }
            self->rebuild = std::move(rebuild);
            self->single = single;
          },
          nb::arg("outputs"), nb::arg("inputs"), nb::arg("rebuild").none(), nb::arg("single"))
      .def_prop_ro("outputs", [](const Traced& self) {
        nb::list out;
        for (lathe_lazy* h : self.outputs.all) out.append(wrap(lathe_lazy_copy(h)));
        return nb::tuple(out);
      });
  nb::class_<Function>(module, "Function")
      .def(nb::init<nb::object, nb::object>())
      .def("call", &Function::call, nb::arg("owner"), nb::arg("args"), nb::arg("kwargs"),
           nb::arg("out").none())
      .def("traces", &Function::traces);
  // Arrays and numbers that _function.py has found among the arguments.
  module.def(
      "run_traced",
      [](Traced& traced, nb::tuple leaves, nb::handle out) {
        FunctionArguments arguments;
        for (nb::handle leaf : leaves) arguments.take_leaf(leaf);
        if (arguments.leaves.size() != traced.names.size())
          refuse(PyExc_TypeError, "the function was traced with other arguments");
        return Function::run(traced, arguments, out);
      },
      nb::arg("traced"), nb::arg("leaves"), nb::arg("out").none());
  module.def("scalar", [](const char* name, int dtype, bool weak) {
    lathe_lazy* made = nullptr;
    lathe_error* error = nullptr;
    check(lathe_lazy_scalar(name, dtype, weak, user_place(), &made, &error), error);
    return wrap(made);
  });
}

}  // namespace lathe_python
