// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a call of a stencil comes to: the kernel for its order of axes, the part of each array that
// the kernel sees, where its scalars come from. All of that follows from the shapes, strides and
// origins of what is given, not from what the arrays hold or where they lie. So the last few plans
// are kept, and a call that looks like an earlier one sets pointers and values and runs.

#include <lathe/c_stencil.h>

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "api/spare_call.h"
#include "base/function_ref.h"
#include "frontend/stencil/call.h"

namespace lathe::api {

// What the caller of lathe_stencil_run() brings. Refers to it.
struct StencilGiven {
  const lathe_value* values = nullptr;
  std::int32_t value_count = 0;
  const lathe_view* views = nullptr;
  std::int32_t view_count = 0;
  const std::int64_t* domain = nullptr;
};

// What a call with these would work on. Throws UserError, as StencilPlan does.
stencil::CallPlan plan_parts(const stencil::Info& info, const StencilGiven& given);

// A stencil, compiled for one order of axes in memory.
struct StencilKernel {
  std::unique_ptr<lathe_program> program;
  lathe_kernel* kernel = nullptr;  // made by the first call
  stencil::Info info;
  ~StencilKernel();
};

// Never changes, but for the call that it keeps; any number of threads may use it at once.
class StencilPlan {
 public:
  // Finds the kernel for an order of axes. The result lives as long as the plan.
  using KernelFor = FunctionRef<const StencilKernel&(const std::string& layout)>;

  // Throws UserError: what is missing, too small, of another type. `info` is that of any layout.
  StencilPlan(const stencil::Info& info, const StencilGiven& given, const KernelFor& kernel_for);

  // Would a plan for these be the same?
  bool fits(const StencilGiven& given) const;
  const lathe_kernel& kernel() const { return *kernel_; }

  // `given` fits. Throws as Call does.
  void run(const StencilGiven& given, const lathe_run_options* options, lathe_timing* timing) const;

 private:
  // An array as the call had it; its numbers - shape, lo, strides - are in numbers_.
  struct Array {
    std::string name;
    lathe_dtype dtype;
    std::int32_t rank;
    bool has_lo, has_strides;
  };
  // The program's array: a part of one of the caller's, axes in the program's order.
  struct Part {
    std::size_t argument = 0;  // of the signature
    std::size_t view = 0;      // of the call
    std::int64_t offset = 0;   // bytes from the view's first element
    std::vector<std::int64_t> lo, shape, strides;
  };
  struct Parameter {
    std::size_t number = 0;   // of the signature
    std::int32_t value = -1;  // of the call; -1: `fixed`
    lathe_value fixed{};
  };

  void remember(const StencilGiven& given);
  void add_part(const stencil::Argument& a, const std::string& layout,
                const stencil::CallPlan& plan, const lathe_view& given, std::size_t view);
  void add_parameter(const std::string& name, std::int32_t value, const lathe_value& fixed);

  std::vector<Array> arrays_;
  std::vector<std::string> value_names_;  // empty: it had none
  bool has_domain_ = false;
  std::array<std::int64_t, 3> domain_{};  // as given
  std::vector<std::int64_t> numbers_;

  lathe_kernel* kernel_ = nullptr;
  std::vector<Part> parts_;
  std::vector<Parameter> parameters_;
  mutable SpareCall spare_;
};

// The plans of the last calls.
class StencilPlans {
 public:
  // Null: none fits.
  std::shared_ptr<const StencilPlan> find(const StencilGiven& given);
  void add(std::shared_ptr<const StencilPlan> plan);

 private:
  static constexpr std::size_t kKept = 4;
  std::mutex mutex_;                                       // guards `plans_`
  std::vector<std::shared_ptr<const StencilPlan>> plans_;  // the last used one first
};

}  // namespace lathe::api
