// SPDX-License-Identifier: Apache-2.0
// Stencils behind lathe/c_stencil.h. For each order of axes in memory that calls have shown there
// is one kernel; a call finds which part of each array it works on (stencil_plan.h), and runs the
// kernel on those parts.

#include <lathe/c_stencil.h>

#include <map>

#include "analysis/check_access.h"
#include "api/c_handles.h"
#include "api/stencil_plan.h"
#include "frontend/python/encoding.h"
#include "frontend/stencil/stencil.h"
#include "ir/text.h"
#include "ir/verify.h"

using namespace lathe;
using namespace lathe::api;

struct lathe_stencil {
  std::shared_ptr<SourceMap> sources = std::make_shared<SourceMap>();
  std::optional<stencil::File> file;
  std::string name;
  stencil::Options options;
  bool checked = false;
  const StencilKernel* first = nullptr;                           // that of "IJK"
  std::mutex mutex;                                               // guards `kernels`
  std::map<std::string, std::unique_ptr<StencilKernel>> kernels;  // by layout; "IJK" always
  StencilPlans plans;                                             // refer to `kernels`

  const stencil::Info& info() const { return first->info; }
};

namespace {

// Throws UserError; `diagnostics` has what the checker found.
std::unique_ptr<StencilKernel> make_kernel(lathe_stencil& s, const std::string& layout,
                                           Diagnostics& diagnostics) {
  stencil::Options options = s.options;
  options.layout = layout;
  auto compiled = s.file->compile(s.name, options, diagnostics);
  const bool fine = compiled && ir::verify(compiled->program, diagnostics) &&
                    analysis::check_access(compiled->program, diagnostics) &&
                    !diagnostics.has_errors();
  if (!fine) return nullptr;
  auto made = std::make_unique<StencilKernel>();
  made->program = std::make_unique<lathe_program>();
  made->program->program = std::move(compiled->program);
  made->program->signature =
      std::make_unique<Signature>(made->program->program, made->program->mutex);
  made->program->name = made->program->program.name.text();
  made->program->text = ir::print(made->program->program);
  made->info = std::move(compiled->info);
  return made;
}

stencil::Value to_value(const lathe_value& v) {
  switch (v.dtype) {
    case LATHE_BOOL: return stencil::Value::boolean(v.as.i != 0);
    case LATHE_F64: return stencil::Value::of_float(v.as.f);
    default: return stencil::Value::of_int(v.as.i);
  }
}

const StencilKernel& kernel_for(lathe_stencil& s, const std::string& layout) {
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

std::shared_ptr<const StencilPlan> plan_for(lathe_stencil& s, const StencilGiven& given) {
  if (auto known = s.plans.find(given)) return known;
  const auto find_kernel = [&](const std::string& layout) -> const StencilKernel& {
    return kernel_for(s, layout);
  };
  auto made =
      std::make_shared<const StencilPlan>(s.info(), given, StencilPlan::KernelFor(find_kernel));
  s.plans.add(made);
  return made;
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
    made->first = kernel.get();
    made->kernels["IJK"] = std::move(kernel);
    *stencil = made.release();
  });
  if (code != LATHE_OK || !diagnostics.has_errors()) return code;
  return report(error, LATHE_ERROR_PROGRAM, diagnostics, *made->sources);
}

void lathe_stencil_destroy(lathe_stencil* stencil) { delete stencil; }
const char* lathe_stencil_name(const lathe_stencil* stencil) { return stencil->name.c_str(); }
const char* lathe_stencil_program(const lathe_stencil* stencil) {
  return stencil->first->program->text.c_str();
}

int32_t lathe_stencil_argument_count(const lathe_stencil* stencil) {
  return static_cast<int32_t>(stencil->info().arguments.size());
}

lathe_stencil_argument_info lathe_stencil_argument(const lathe_stencil* stencil, int32_t index) {
  if (index < 0 || index >= lathe_stencil_argument_count(stencil)) return {};
  const stencil::Argument& a = stencil->info().arguments[static_cast<std::size_t>(index)];
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
  return stencil->info().min_levels;
}

lathe_code lathe_stencil_run(lathe_stencil* stencil, const lathe_value* values, int32_t value_count,
                             const lathe_view* views, int32_t view_count, const int64_t* domain,
                             const lathe_run_options* options, lathe_timing* timing,
                             lathe_error** error) {
  const StencilGiven given = {values, value_count, views, view_count, domain};
  std::shared_ptr<const StencilPlan> plan;
  const lathe_code code =
      guarded(error, LATHE_ERROR_ARGUMENT, stencil ? stencil->sources.get() : nullptr, [&] {
        require(stencil, "lathe_stencil_run needs a stencil");
        plan = plan_for(*stencil, given);
      });
  if (code != LATHE_OK) return code;
  return guarded(error, LATHE_ERROR_ARGUMENT, plan->kernel().sources.get(),
                 [&] { plan->run(given, options, timing); });
}
