// SPDX-License-Identifier: Apache-2.0
#include "api/stencil_plan.h"

#include <algorithm>

#include "api/c_handles.h"
#include "base/quoted.h"
#include "frontend/stencil/call.h"

namespace lathe::api {
namespace {

std::size_t axis_number(char axis) { return static_cast<std::size_t>(axis - 'I'); }

// The last of the caller's views of each name.
using Views = std::map<std::string, std::size_t>;

// The axes of the first field over all three, from the largest stride to the smallest.
std::string layout_of(const stencil::Info& info, const Views& views, const StencilGiven& given) {
  for (const stencil::Argument& a : info.arguments) {
    const auto at = views.find(a.name);
    if (a.axes != "IJK" || at == views.end() || !given.views[at->second].strides) continue;
    const lathe_view& v = given.views[at->second];
    std::string layout = "IJK";
    std::stable_sort(layout.begin(), layout.end(), [&](char x, char y) {
      return std::abs(v.strides[axis_number(x)]) > std::abs(v.strides[axis_number(y)]);
    });
    return layout;
  }
  return "IJK";
}

// A view's strides in bytes.
std::vector<std::int64_t> strides_of(const lathe_view& v) {
  std::vector<std::int64_t> strides(static_cast<std::size_t>(v.rank));
  if (v.strides) {
    std::copy(v.strides, v.strides + v.rank, strides.begin());
    return strides;
  }
  auto step = static_cast<std::int64_t>(ir::size_bytes(to_dtype(v.dtype)));
  for (std::size_t a = strides.size(); a-- > 0; step *= v.shape[a]) strides[a] = step;
  return strides;
}

lathe_value integer(std::int64_t n) {
  lathe_value v{};
  v.dtype = LATHE_I64;
  v.as.i = n;
  return v;
}

lathe_value default_of(const stencil::Argument& a) {
  lathe_value v{};
  if (ir::is_float(a.dtype)) {
    v.dtype = LATHE_F64;
    v.as.f = a.default_value->as_real();
  } else {
    v.dtype = ir::is_bool(a.dtype) ? LATHE_BOOL : LATHE_I64;
    v.as.i = a.default_value->integer;
  }
  return v;
}

// The last of the caller's values of that name; -1: there is none.
std::int32_t find_value(const StencilGiven& given, const std::string& name) {
  for (std::int32_t i = given.value_count; i-- > 0;)
    if (given.values[i].name && name == given.values[i].name) return i;
  return -1;
}

stencil::CallPlan plan_parts(const stencil::Info& info, const StencilGiven& given, Views& views) {
  require(given.value_count == 0 || given.values, "values are counted, but not given");
  require(given.view_count == 0 || given.views, "views are counted, but not given");
  std::map<std::string, stencil::Given> arrays;
  stencil::CallOptions options;
  for (std::int32_t i = 0; i < given.view_count; ++i) {
    const lathe_view& v = given.views[i];
    require(v.name != nullptr && v.rank >= 0 && (v.rank == 0 || v.shape),
            "a view has no name or no shape");
    const stencil::Argument* a = info.find(v.name);
    if (!a || !a->is_field)
      throw UserError("stencil " + quoted(info.name) + " has no field " +
                      quoted(std::string_view(v.name)));
    views[v.name] = static_cast<std::size_t>(i);
    arrays[v.name] = {to_dtype(v.dtype), {v.shape, v.shape + v.rank}};
    if (!v.lo) continue;
    std::vector<std::int64_t>& origin = options.origin[v.name];
    for (std::size_t p = 0; p < a->axes.size() && p < static_cast<std::size_t>(v.rank); ++p)
      origin.push_back(-v.lo[p]);
  }
  if (given.domain) options.domain = {given.domain[0], given.domain[1], given.domain[2]};
  return stencil::plan_call(info, arrays, options);
}

}  // namespace

stencil::CallPlan plan_parts(const stencil::Info& info, const StencilGiven& given) {
  Views views;
  return plan_parts(info, given, views);
}

StencilKernel::~StencilKernel() { lathe_kernel_destroy(kernel); }

StencilPlan::StencilPlan(const stencil::Info& any, const StencilGiven& given,
                         const KernelFor& kernel_for) {
  Views views;
  const stencil::CallPlan plan = plan_parts(any, given, views);
  const std::string layout = layout_of(any, views, given);
  const StencilKernel& made = kernel_for(layout);
  kernel_ = made.kernel;
  const char* const sizes[3] = {"ni", "nj", "nk"};
  for (std::size_t axis = 0; axis < 3; ++axis)
    add_parameter(sizes[axis], -1, integer(plan.domain[axis]));
  for (const stencil::Argument& a : made.info.arguments) {
    if (a.symbol.empty()) continue;
    if (a.is_field) {
      const std::size_t view = views.at(a.name);
      add_part(a, layout, plan, given.views[view], view);
      if (a.has_any_level()) {
        const stencil::CallPlan::Part& part = plan.parts.at(a.name);
        add_parameter(a.levels_before, -1, integer(part.levels_before));
        add_parameter(a.levels_after, -1, integer(part.levels_after));
      }
      continue;
    }
    const std::int32_t value = find_value(given, a.name);
    if (value < 0 && !a.default_value)
      throw UserError("missing value for scalar " + quoted(a.name) + " of stencil " +
                      quoted(made.info.name));
    add_parameter(a.symbol, value, value < 0 ? default_of(a) : lathe_value{});
  }
  remember(given);
}

void StencilPlan::add_part(const stencil::Argument& a, const std::string& layout,
                           const stencil::CallPlan& plan, const lathe_view& given,
                           std::size_t view) {
  const stencil::CallPlan::Part& part = plan.parts.at(a.name);
  const std::vector<std::int64_t> strides = strides_of(given);
  Part out;
  out.argument = argument_number(kernel_->compiled->signature(), a.symbol.c_str(), parts_.size());
  out.view = view;
  for (std::size_t d = 0; d < a.data_dims.size(); ++d) {
    out.lo.push_back(0);
    out.shape.push_back(a.data_dims[d]);
    out.strides.push_back(strides[a.axes.size() + d]);
  }
  for (char c : layout) {
    const std::size_t p = a.axes.find(c);
    if (p == std::string::npos) continue;
    out.lo.push_back(part.begin[p] - part.origin[p]);
    out.shape.push_back(part.extent[p]);
    out.strides.push_back(strides[p]);
    out.offset += part.begin[p] * strides[p];
  }
  parts_.push_back(std::move(out));
}

void StencilPlan::add_parameter(const std::string& name, std::int32_t value,
                                const lathe_value& fixed) {
  const Signature& s = kernel_->compiled->signature();
  parameters_.push_back({parameter_number(s, name.c_str(), parameters_.size()), value, fixed});
}

void StencilPlan::remember(const StencilGiven& given) {
  for (std::int32_t i = 0; i < given.value_count; ++i)
    value_names_.push_back(given.values[i].name ? given.values[i].name : "");
  for (std::int32_t i = 0; i < given.view_count; ++i) {
    const lathe_view& v = given.views[i];
    arrays_.push_back({v.name, v.dtype, v.rank, v.lo != nullptr, v.strides != nullptr});
    for (const std::int64_t* list : {v.shape, v.lo, v.strides})
      if (list) numbers_.insert(numbers_.end(), list, list + v.rank);
  }
  has_domain_ = given.domain != nullptr;
  if (has_domain_) std::copy(given.domain, given.domain + 3, domain_.begin());
}

bool StencilPlan::fits(const StencilGiven& given) const {
  if (given.view_count != static_cast<std::int32_t>(arrays_.size()) ||
      given.value_count != static_cast<std::int32_t>(value_names_.size()) ||
      (given.view_count > 0 && !given.views) || (given.value_count > 0 && !given.values) ||
      has_domain_ != (given.domain != nullptr) ||
      (has_domain_ && !std::equal(domain_.begin(), domain_.end(), given.domain)))
    return false;
  for (std::size_t i = 0; i < value_names_.size(); ++i)
    if (value_names_[i] != (given.values[i].name ? given.values[i].name : "")) return false;
  const std::int64_t* known = numbers_.data();
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    const Array& a = arrays_[i];
    const lathe_view& v = given.views[i];
    if (!v.name || a.name != v.name || a.dtype != v.dtype || a.rank != v.rank ||
        a.has_lo != (v.lo != nullptr) || a.has_strides != (v.strides != nullptr) ||
        (a.rank > 0 && !v.shape))
      return false;
    for (const std::int64_t* list : {v.shape, v.lo, v.strides}) {
      if (!list) continue;
      if (!std::equal(list, list + a.rank, known)) return false;
      known += a.rank;
    }
  }
  return true;
}

void StencilPlan::run(const StencilGiven& given, const lathe_run_options* options,
                      lathe_timing* timing) const {
  Compiled& compiled = *kernel_->compiled;
  const Signature& s = compiled.signature();
  std::unique_ptr<Call> call = spare_.take(compiled);
  for (const Parameter& p : parameters_)
    call->set(p.number,
              to_scalar(p.value < 0 ? p.fixed : given.values[p.value], s.parameters()[p.number]));
  for (const Part& p : parts_) {
    const lathe_view& v = given.views[p.view];
    require(v.space == LATHE_HOST, "only LATHE_HOST memory can be bound");
    // Null stays null, for Call to refuse.
    std::byte* const data = v.data ? static_cast<std::byte*>(v.data) + p.offset : nullptr;
    call->bind(p.argument, {data, to_dtype(v.dtype), p.shape.size(), p.lo.data(), p.shape.data(),
                            p.strides.data(), v.read_only != 0});
  }
  run_call(*call, s, options, timing);
  spare_.keep(std::move(call));
}

std::shared_ptr<const StencilPlan> StencilPlans::find(const StencilGiven& given) {
  const std::lock_guard lock(mutex_);
  const auto at =
      std::find_if(plans_.begin(), plans_.end(), [&](const auto& p) { return p->fits(given); });
  if (at == plans_.end()) return nullptr;
  std::rotate(plans_.begin(), at, at + 1);
  return plans_.front();
}

void StencilPlans::add(std::shared_ptr<const StencilPlan> plan) {
  const std::lock_guard lock(mutex_);
  if (plans_.size() == kKept) plans_.pop_back();
  plans_.insert(plans_.begin(), std::move(plan));
}

}  // namespace lathe::api
