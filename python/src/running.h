// SPDX-License-Identifier: Apache-2.0
#pragma once
// Work that may take long: without the GIL, stopped by Ctrl-C, its warnings told by Python's
// `warnings`. A call of a microsecond costs some hundred nanoseconds more.

#include <lathe/c.h>
#include <nanobind/nanobind.h>

namespace lathe_python {

// While one lives on the main thread, Ctrl-C requests cancel(); elsewhere cancel() is null: Python
// tells of Ctrl-C on the main thread alone.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  const lathe_cancel* cancel() const { return cancel_; }

 private:
  const lathe_cancel* cancel_ = nullptr;
};

// Throws the KeyboardInterrupt, or the warning that a filter made an error, if there is one. After
// each call that released the GIL.
void after_running(lathe_code code);

// code = without_gil([&](const lathe_cancel* cancel) { return lathe_...(..., &error); });
// Follow it by check(code, error).
template <class Work>
lathe_code without_gil(Work&& work) {
  lathe_code code = LATHE_OK;
  {
    const Interruptible interruptible;
    const nanobind::gil_scoped_release released;
    code = work(interruptible.cancel());
  }
  after_running(code);
  return code;
}

void bind_running(nanobind::module_& module);

}  // namespace lathe_python
