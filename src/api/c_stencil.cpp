// SPDX-License-Identifier: Apache-2.0
// Stencils behind lathe/c_stencil.h. For each order of axes in memory that calls have shown there
// is one kernel; a call finds which part of each array it works on (stencil_plan.h), and runs the
// kernel on those parts.

#include "api/c_stencil.h"

#include "analysis/check_access.h"
#include "api/divisions.h"
#include "frontend/python/encoding.h"
#include "frontend/stencil/faults.h"
#include "ir/text.h"
#include "ir/verify.h"

using namespace lathe;
using namespace lathe::api;

namespace {

// Throws UserError; `diagnostics` has what the checker found.
std::unique_ptr<StencilKernel> make_kernel(lathe_stencil& s, const std::string& layout,
                                           Diagnostics& diagnostics) {
  stencil::Options options = s.options;
  options.layout = layout;
  auto compiled = s.file ? s.file->compile(s.name, options, diagnostics)
                         : s.objects->compile(s.function, s.name, options, diagnostics);
  // Other layouts have the same accesses.
  const bool fine = compiled && ir::verify(compiled->program, diagnostics) &&
                    (s.first || analysis::check_access(compiled->program, diagnostics)) &&
                    !diagnostics.has_errors();
  if (!fine) return nullptr;
  auto made = std::make_unique<StencilKernel>();
  made->program = std::make_unique<lathe_program>();
  made->program->program = std::move(compiled->program);
  made->program->signature =
      std::make_unique<Signature>(made->program->program, made->program->mutex);
  made->program->name = made->program->program.name.text();
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
    const bool by_zero = s.checked && may_divide_by_zero(entry->program->program);
    options.interpret = s.interpret || by_zero ? 1 : 0;
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

namespace lathe::api {

void take_options(lathe_stencil& s, const lathe_stencil_options& given) {
  for (int32_t i = 0; i < given.external_count; ++i)
    s.options.externals.insert_or_assign(given.externals[i].name, to_value(given.externals[i]));
  for (int32_t i = 0; i < given.dtype_count; ++i)
    s.options.dtypes.insert_or_assign(given.dtypes[i].name, to_dtype(given.dtypes[i].dtype));
  if (given.int_bits) s.options.int_bits = given.int_bits;
  if (given.float_bits) s.options.float_bits = given.float_bits;
  s.checked = given.checked != 0;
  s.interpret = given.interpret != 0;
}

bool make_first_kernel(lathe_stencil& s, Diagnostics& diagnostics) {
  auto kernel = make_kernel(s, "IJK", diagnostics);
  if (!kernel) return false;
  s.first = kernel.get();
  s.kernels["IJK"] = std::move(kernel);
  return true;
}

}  // namespace lathe::api

lathe_code lathe_stencil_from_text(const char* file_name, const char* text, size_t length,
                                   const lathe_stencil_options* options, lathe_stencil** stencil,
                                   lathe_error** error) {
  if (stencil) *stencil = nullptr;
  auto made = std::make_unique<lathe_stencil>();
  Diagnostics diagnostics;
  const lathe_code code = guarded(error, LATHE_ERROR_PROGRAM, made->sources.get(), [&] {
    require(text && stencil, "lathe_stencil_from_text needs a text and a place for the stencil");
    const lathe_stencil_options given = known_part(options);
    take_options(*made, given);
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
    if (make_first_kernel(*made, diagnostics)) *stencil = made.release();
  });
  if (code != LATHE_OK || !diagnostics.has_errors()) return code;
  return report(error, LATHE_ERROR_PROGRAM, diagnostics, *made->sources);
}

void lathe_stencil_destroy(lathe_stencil* stencil) { delete stencil; }
const char* lathe_stencil_name(const lathe_stencil* stencil) {
  return stencil->info().name.c_str();
}
const char* lathe_stencil_program(const lathe_stencil* stencil) {
  return lathe_program_text(stencil->first->program.get());
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
  return guarded(error, LATHE_ERROR_ARGUMENT, plan->kernel().sources.get(), [&] {
    try {
      plan->run(given, options, timing);
    } catch (const Failure& e) {
      if (e.kind() != FailureKind::Program) throw;
      throw Failure(e.kind(), stencil::in_the_users_words(e.diagnostic(), stencil->info()));
    }
  });
}

lathe_code lathe_stencil_domain(const lathe_stencil* stencil, const lathe_view* views,
                                int32_t view_count, const int64_t* domain, int64_t* chosen,
                                int64_t* origins, lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, stencil ? stencil->sources.get() : nullptr, [&] {
    require(stencil && chosen, "lathe_stencil_domain needs a stencil and a place for sizes");
    const StencilGiven given = {nullptr, 0, views, view_count, domain};
    const stencil::CallPlan plan = plan_parts(stencil->info(), given);
    std::copy(plan.domain.begin(), plan.domain.end(), chosen);
    for (std::int32_t i = 0; origins && i < view_count; ++i) {
      std::fill_n(origins + 3 * i, 3, 0);
      const auto part = plan.parts.find(views[i].name);
      const stencil::Argument& a = *stencil->info().find(views[i].name);
      for (std::size_t p = 0; part != plan.parts.end() && p < a.axes.size(); ++p)
        origins[3 * i + (a.axes[p] - 'I')] = part->second.origin[p];
    }
  });
}
