// SPDX-License-Identifier: Apache-2.0
#pragma once
// The arguments of one call of a stencil: who is given what, arrays as views, numbers as values,
// origins and domain.

#include <lathe/c_stencil.h>
#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "views.h"

namespace lathe_python {

// What a stencil takes.
struct Signature {
  struct Argument {
    nanobind::object name;  // interned: keywords are found by their address
    lathe_stencil_argument_info info;
    bool required;
    std::string what;  // "argument 'x'"
  };
  explicit Signature(const lathe_stencil* stencil);

  std::string stencil;
  std::vector<Argument> arguments;
  std::size_t positional = 0;  // those that come first
  bool strict = false;         // scalars have exactly the parameter's type, as in GT4Py
};

// What a call says besides fields and scalars; borrowed.
struct CallExtras {
  PyObject *origin = nullptr, *domain = nullptr, *exec_info = nullptr;
  bool validate = true;
};

// Kept from call to call: making one takes longer than a small stencil runs.
class Arguments {
 public:
  explicit Arguments(const Signature& signature);

  // Fields, scalars and what else is said; throws what is wrong. A frozen stencil has its origins
  // and domain already. Then one of these:
  void take(PyObject* args, PyObject* kwargs, CallExtras& extras, bool is_frozen);
  void take_extras(const CallExtras& extras);
  void copy_extras(const Arguments& frozen);

  void drop();  // gives the arrays back

  // For a frozen stencil, which knows its origins before it is given arrays.
  void freeze(PyObject* origin, PyObject* domain);

  const std::int64_t* domain() const { return has_domain_ ? domain_ : nullptr; }
  std::vector<lathe_view>& views() { return views_; }
  std::vector<lathe_value>& values() { return values_; }

 private:
  struct Origin {
    std::int64_t lo[4] = {};
    bool given = false;
  };
  void match(PyObject* args, PyObject* kwargs, CallExtras& extras, bool is_frozen);
  std::size_t find(PyObject* name) const;
  [[noreturn]] void refuse_keyword(PyObject* name) const;
  [[noreturn]] void refuse_missing() const;
  void take_field(std::size_t argument, PyObject* object);
  void take_foreign(std::size_t argument, PyObject* object);
  void take_scalar(std::size_t argument, PyObject* object);
  void take_domain(PyObject* domain);
  void take_origin(PyObject* origin);
  void set_origin(std::size_t argument, PyObject* numbers, bool of_all);

  const Signature& signature_;
  std::vector<PyObject*> given_;  // borrowed, per argument
  std::unique_ptr<View[]> arrays_;
  std::vector<Origin> origins_;  // per argument; minus the origin
  std::vector<std::size_t> field_of_view_;
  std::vector<lathe_view> views_;
  std::vector<lathe_value> values_;
  std::vector<nanobind::object> kept_;  // what take_foreign() made
  std::int64_t domain_[3] = {};
  bool has_domain_ = false;
};

}  // namespace lathe_python
