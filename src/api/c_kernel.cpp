// SPDX-License-Identifier: Apache-2.0
#include "api/c_handles.h"
#include "ir/detach.h"

using namespace lathe;
using namespace lathe::api;

lathe_code lathe_compile(const lathe_program* program, const lathe_compile_options* options,
                         lathe_kernel** kernel, lathe_error** error) {
  if (kernel) *kernel = nullptr;
  const auto sources = std::make_shared<SourceMap>();
  const bool scheduled = options && options->schedule;
  return guarded(error, scheduled ? LATHE_ERROR_SCHEDULE : LATHE_ERROR_PROGRAM, sources.get(), [&] {
    require(program && kernel, "lathe_compile needs a program and a place for the kernel");
    const lathe_compile_options given = known_part(options);
    CompileOptions how;
    if (given.schedule) how.lockfile_text = given.schedule;
    how.checked = given.checked != 0;
    how.interpret = given.interpret != 0;
    require(given.while_cap >= 0, "a while takes at least one round: while_cap is negative");
    if (given.while_cap > 0) how.while_cap = given.while_cap;
    ir::Program own;
    {
      const std::lock_guard lock(program->mutex);
      own = ir::detach(program->program);
    }
    // Files keep their numbers; a schedule is added to them, which other kernels must not see.
    for (std::uint32_t f = 0; f < own.sources->file_count(); ++f)
      sources->add(own.sources->file(f).name, own.sources->file(f).text);
    own.sources = sources;
    auto made = std::make_unique<lathe_kernel>();
    made->sources = sources;
    made->compiled = std::make_unique<Compiled>(own, std::move(how));
    *kernel = made.release();
  });
}

void lathe_kernel_destroy(lathe_kernel* kernel) { delete kernel; }

lathe_code lathe_kernel_prepare(lathe_kernel* kernel, lathe_error** error) {
  return guarded(error, LATHE_ERROR_RUN, kernel ? kernel->sources.get() : nullptr, [&] {
    require(kernel, "lathe_kernel_prepare needs a kernel");
    if (!kernel->compiled->is_interpreted())
      kernel->compiled->ready_variant(kernel->compiled->plain_key());
  });
}

lathe_code lathe_kernel_schedule(lathe_kernel* kernel, const char** text, lathe_error** error) {
  return guarded(error, LATHE_ERROR_SCHEDULE, kernel ? kernel->sources.get() : nullptr, [&] {
    require(kernel && text, "lathe_kernel_schedule needs a kernel and a place for the text");
    std::call_once(kernel->schedule_made, [&] {
      const schedule::Schedule& schedule = kernel->compiled->schedule();
      const std::lock_guard lock(kernel->compiled->graph_mutex());
      kernel->schedule = schedule::print(schedule);
    });
    *text = kernel->schedule.c_str();
  });
}

lathe_code lathe_kernel_c_source(lathe_kernel* kernel, const char** text, lathe_error** error) {
  return guarded(error, LATHE_ERROR_SCHEDULE, kernel ? kernel->sources.get() : nullptr, [&] {
    require(kernel && text, "lathe_kernel_c_source needs a kernel and a place for the text");
    Compiled& compiled = *kernel->compiled;
    *text = compiled.variant(compiled.plain_key()).code.text.c_str();
  });
}

lathe_cancel* lathe_cancel_create(void) { return new (std::nothrow) lathe_cancel; }
void lathe_cancel_destroy(lathe_cancel* cancel) { delete cancel; }
void lathe_cancel_request(lathe_cancel* cancel) { cancel->cancellation.request(); }
void lathe_cancel_reset(lathe_cancel* cancel) { cancel->cancellation.reset(); }
