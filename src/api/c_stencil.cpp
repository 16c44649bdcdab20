// SPDX-License-Identifier: Apache-2.0
// Stencils behind lathe/c_stencil.h. For each order of axes in memory that calls have shown there
// is one kernel; a call finds which part of each array it works on, and runs the kernel on those
// parts.

#include <lathe/c_stencil.h>

#include <array>
#include <map>

#include "analysis/check_access.h"
#include "api/c_handles.h"
#include "base/quoted.h"
#include "frontend/python/encoding.h"
#include "frontend/stencil/call.h"
#include "ir/text.h"
#include "ir/verify.h"

using namespace lathe;
using namespace lathe::api;

struct lathe_stencil {
  struct Kernel {
    std::unique_ptr<lathe_program> program;
    lathe_kernel* kernel = nullptr;
    stencil::Info info;
    ~Kernel() { lathe_kernel_destroy(kernel); }
  };

  std::shared_ptr<SourceMap> sources = std::make_shared<SourceMap>();
  std::optional<stencil::File> file;
  std::string name;
  stencil::Options options;
  bool checked = false;
  std::mutex mutex;                                        // guards `kernels`
  std::map<std::string, std::unique_ptr<Kernel>> kernels;  // by layout; "IJK" always
};

namespace {

using LayoutKernel = lathe_stencil::Kernel;

// Throws UserError; `diagnostics` has what the checker found.
std::unique_ptr<LayoutKernel> make_kernel(lathe_stencil& s, const std::string& layout,
                                          Diagnostics& diagnostics) {
  stencil::Options options = s.options;
  options.layout = layout;
  auto compiled = s.file->compile(s.name, options, diagnostics);
  const bool fine = compiled && ir::verify(compiled->program, diagnostics) &&
                    analysis::check_access(compiled->program, diagnostics) &&
                    !diagnostics.has_errors();
  if (!fine) return nullptr;
  auto made = std::make_unique<LayoutKernel>();
  made->program = std::make_unique<lathe_program>();
  made->program->program = std::move(compiled->program);
  made->program->signature =
      std::make_unique<Signature>(made->program->program, made->program->mutex);
  made->program->name = made->program->program.name.text();
  made->program->text = ir::print(made->program->program);
  made->info = std::move(compiled->info);
  return made;
}

std::size_t axis_number(char axis) { return static_cast<std::size_t>(axis - 'I'); }

// The axes of the first field over all three, from the largest stride to the smallest.
std::string layout_of(const stencil::Info& info,
                      const std::map<std::string, const lathe_view*>& views) {
  for (const stencil::Argument& a : info.arguments) {
    const auto at = views.find(a.name);
    if (a.axes != "IJK" || at == views.end() || !at->second->strides) continue;
    const lathe_view& v = *at->second;
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

// The program's array: a part of the caller's, axes in the program's order.
struct PartView {
  std::vector<std::int64_t> lo, shape, strides;
  lathe_view view{};
};

void make_part(const stencil::Argument& a, const stencil::CallPlan& plan, const std::string& layout,
               const lathe_view& given, PartView& out) {
  const stencil::CallPlan::Part& part = plan.parts.at(a.name);
  const std::vector<std::int64_t> strides = strides_of(given);
  char* data = static_cast<char*>(given.data);
  for (std::size_t d = 0; d < a.data_dims.size(); ++d) {
    out.lo.push_back(0);
    out.shape.push_back(a.data_dims[d]);
    out.strides.push_back(strides[a.axes.size() + d]);
  }
  for (char c : layout) {
    const std::size_t p = a.axes.find(c);
    if (p == std::string::npos) continue;
    const std::size_t axis = axis_number(c);
    out.lo.push_back(a.needed[axis].bounds(plan.domain[axis]).first);
    out.shape.push_back(part.extent[p]);
    out.strides.push_back(strides[p]);
    data += part.begin[p] * strides[p];
  }
  out.view = given;
  out.view.name = a.symbol.c_str();
  out.view.data = data;
  out.view.rank = static_cast<int32_t>(out.shape.size());
  out.view.lo = out.lo.data();
  out.view.shape = out.shape.data();
  out.view.strides = out.strides.data();
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

stencil::Value to_value(const lathe_value& v) {
  switch (v.dtype) {
    case LATHE_BOOL: return stencil::Value::boolean(v.as.i != 0);
    case LATHE_F64: return stencil::Value::of_float(v.as.f);
    default: return stencil::Value::of_int(v.as.i);
  }
}

const LayoutKernel& kernel_for(lathe_stencil& s, const std::string& layout) {
  const std::lock_guard lock(s.mutex);
  auto& entry = s.kernels[layout];
  if (!entry) {
    Diagnostics diagnostics;
    entry = make_kernel(s, layout, diagnostics);
    check(entry != nullptr, "a stencil that compiled for one layout compiles for all");
  }
  if (!entry->kernel) {
    lathe_compile_options options{};
    options.size = sizeof options;
    options.checked = s.checked ? 1 : 0;
    lathe_error* error = nullptr;
    const lathe_code code = lathe_compile(entry->program.get(), &options, &entry->kernel, &error);
    if (code != LATHE_OK) {
      const std::string message = error->message;
      lathe_error_destroy(error);
      throw UserError(message);
    }
  }
  return *entry;
}

// What a call binds, by the names of the program.
struct Bound {
  std::vector<lathe_value> values;
  std::vector<PartView> parts;
  std::vector<lathe_view> views;
};

void bind_call(lathe_stencil& s, const LayoutKernel*& kernel, const lathe_value* values,
               int32_t value_count, const lathe_view* views, int32_t view_count,
               const int64_t* domain, Bound& out) {
  require(value_count == 0 || values, "values are counted, but not given");
  require(view_count == 0 || views, "views are counted, but not given");
  const stencil::Info& any = s.kernels.at("IJK")->info;
  std::map<std::string, const lathe_view*> by_name;
  std::map<std::string, stencil::Given> given;
  stencil::CallOptions options;
  for (int32_t i = 0; i < view_count; ++i) {
    const lathe_view& v = views[i];
    require(v.name != nullptr && v.rank >= 0 && (v.rank == 0 || v.shape),
            "a view has no name or no shape");
    const stencil::Argument* a = any.find(v.name);
    if (!a || !a->is_field)
      throw UserError("stencil " + quoted(any.name) + " has no field " +
                      quoted(std::string_view(v.name)));
    by_name[v.name] = &v;
    given[v.name] = {to_dtype(v.dtype), {v.shape, v.shape + v.rank}};
    if (!v.lo) continue;
    std::vector<std::int64_t>& origin = options.origin[v.name];
    for (std::size_t p = 0; p < a->axes.size() && p < static_cast<std::size_t>(v.rank); ++p)
      origin.push_back(-v.lo[p]);
  }
  if (domain) options.domain = {domain[0], domain[1], domain[2]};
  const stencil::CallPlan plan = stencil::plan_call(any, given, options);
  const std::string layout = layout_of(any, by_name);
  kernel = &kernel_for(s, layout);
  const char* const sizes[3] = {"ni", "nj", "nk"};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    lathe_value v{};
    v.name = sizes[axis];
    v.dtype = LATHE_I64;
    v.as.i = plan.domain[axis];
    out.values.push_back(v);
  }
  const stencil::Info& info = kernel->info;
  out.parts.resize(info.arguments.size());
  for (std::size_t n = 0; n < info.arguments.size(); ++n) {
    const stencil::Argument& a = info.arguments[n];
    if (a.symbol.empty()) continue;
    if (a.is_field) {
      make_part(a, plan, layout, *by_name.at(a.name), out.parts[n]);
      out.views.push_back(out.parts[n].view);
      continue;
    }
    const lathe_value* found = nullptr;
    for (int32_t i = 0; i < value_count; ++i)
      if (values[i].name && a.name == values[i].name) found = &values[i];
    if (!found && !a.default_value)
      throw UserError("missing value for scalar " + quoted(a.name) + " of stencil " +
                      quoted(info.name));
    out.values.push_back(found ? *found : default_of(a));
    out.values.back().name = a.symbol.c_str();
  }
}

}  // namespace

lathe_code lathe_stencil_from_text(const char* file_name, const char* text, size_t length,
                                   const lathe_stencil_options* options, lathe_stencil** stencil,
                                   lathe_error** error) {
  if (stencil) *stencil = nullptr;
  auto made = std::make_unique<lathe_stencil>();
  Diagnostics diagnostics;
  const lathe_code code = guarded(error, LATHE_ERROR_PROGRAM, made->sources.get(), [&] {
    require(text && stencil, "lathe_stencil_from_text needs a text and a place for the stencil");
    const lathe_stencil_options given = known_part(options);
    for (int32_t i = 0; i < given.external_count; ++i)
      made->options.externals.insert_or_assign(given.externals[i].name,
                                               to_value(given.externals[i]));
    for (int32_t i = 0; i < given.dtype_count; ++i)
      made->options.dtypes.insert_or_assign(given.dtypes[i].name, to_dtype(given.dtypes[i].dtype));
    if (given.int_bits) made->options.int_bits = given.int_bits;
    if (given.float_bits) made->options.float_bits = given.float_bits;
    made->checked = given.checked != 0;
    const std::uint32_t id = python::add_source(
        *made->sources, file_name ? file_name : "stencil.py", std::string(text, length));
    made->file = stencil::File::parse(made->sources, id, diagnostics);
    if (!made->file) return;
    const std::vector<std::string> all = made->file->stencils();
    if (given.stencil) {
      made->name = given.stencil;
    } else if (all.size() == 1) {
      made->name = all[0];
    } else {
      throw UserError("the file holds " + std::to_string(all.size()) + " stencils", {},
                      "name one of them");
    }
    auto kernel = make_kernel(*made, "IJK", diagnostics);
    if (!kernel) return;
    made->kernels["IJK"] = std::move(kernel);
    *stencil = made.release();
  });
  if (code != LATHE_OK || !diagnostics.has_errors()) return code;
  return report(error, LATHE_ERROR_PROGRAM, diagnostics, *made->sources);
}

void lathe_stencil_destroy(lathe_stencil* stencil) { delete stencil; }
const char* lathe_stencil_name(const lathe_stencil* stencil) { return stencil->name.c_str(); }
const char* lathe_stencil_program(const lathe_stencil* stencil) {
  return stencil->kernels.at("IJK")->program->text.c_str();
}

int32_t lathe_stencil_argument_count(const lathe_stencil* stencil) {
  return static_cast<int32_t>(stencil->kernels.at("IJK")->info.arguments.size());
}

lathe_stencil_argument_info lathe_stencil_argument(const lathe_stencil* stencil, int32_t index) {
  if (index < 0 || index >= lathe_stencil_argument_count(stencil)) return {};
  const stencil::Argument& a =
      stencil->kernels.at("IJK")->info.arguments[static_cast<std::size_t>(index)];
  lathe_stencil_argument_info out{};
  out.name = a.name.c_str();
  out.is_field = a.is_field ? 1 : 0;
  out.dtype = static_cast<lathe_dtype>(a.dtype);
  out.access = static_cast<lathe_access>(a.access);
  out.keyword_only = a.keyword_only ? 1 : 0;
  out.is_optional = a.optional || a.default_value ? 1 : 0;
  out.axes = a.axes.c_str();
  out.data_rank = static_cast<int32_t>(a.data_dims.size());
  out.data_shape = a.data_dims.data();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    out.below[axis] = a.needed[axis].below().value_or(0);
    out.above[axis] = a.needed[axis].above().value_or(0);
  }
  return out;
}

int64_t lathe_stencil_min_levels(const lathe_stencil* stencil) {
  return stencil->kernels.at("IJK")->info.min_levels;
}

lathe_code lathe_stencil_run(lathe_stencil* stencil, const lathe_value* values, int32_t value_count,
                             const lathe_view* views, int32_t view_count, const int64_t* domain,
                             const lathe_run_options* options, lathe_timing* timing,
                             lathe_error** error) {
  Bound bound;
  const LayoutKernel* kernel = nullptr;
  const lathe_code code =
      guarded(error, LATHE_ERROR_ARGUMENT, stencil ? stencil->sources.get() : nullptr, [&] {
        require(stencil, "lathe_stencil_run needs a stencil");
        bind_call(*stencil, kernel, values, value_count, views, view_count, domain, bound);
      });
  if (code != LATHE_OK) return code;
  return lathe_run(kernel->kernel, bound.values.data(), static_cast<int32_t>(bound.values.size()),
                   bound.views.data(), static_cast<int32_t>(bound.views.size()), options, timing,
                   error);
}
