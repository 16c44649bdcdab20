// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cfenv>

namespace lathe::interp {

// Rounding to nearest and denormals on, whatever the process was set to; restored at the end.
class FloatMode {
 public:
  FloatMode() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~FloatMode() { std::fesetenv(&before_); }
  FloatMode(const FloatMode&) = delete;

 private:
  std::fenv_t before_;
};

}  // namespace lathe::interp
