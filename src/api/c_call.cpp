// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "api/c_handles.h"
#include "base/quoted.h"

namespace lathe::api {
namespace {

RunOptions run_options(const lathe_run_options& given) {
  RunOptions out;
  out.threads = given.threads;
  if (given.cancel) {
    out.cancellation = &given.cancel->cancellation;
    out.cancel = &out.cancellation->flag();
  }
  return out;
}

// Of what one call of lathe_run() gives. Small numbers cost nothing.
class EachOnce {
 public:
  void note(std::size_t number, const char* name) {
    const bool is_new = number < 64 ? (few_ >> number & 1) == 0 : more_.insert(number).second;
    if (!is_new) throw UsageError(quoted(name) + " is given twice");
    if (number < 64) few_ |= std::uint64_t{1} << number;
  }

 private:
  std::uint64_t few_ = 0;
  std::set<std::size_t> more_;
};

std::size_t bind(Call& call, const Signature& s, const lathe_view& view, std::size_t guess) {
  const std::size_t n = argument_number(s, view.name, guess);
  require(view.space == LATHE_HOST, "only LATHE_HOST memory can be bound");
  require(view.rank >= 0, "a view has a negative number of axes");
  require(view.rank == 0 || view.shape != nullptr, "a view with axes has no shape");
  call.bind(n, {static_cast<std::byte*>(view.data), to_dtype(view.dtype),
                static_cast<std::size_t>(view.rank), view.lo, view.shape, view.strides,
                view.read_only != 0});
  return n;
}

std::size_t set(Call& call, const Signature& s, const lathe_value& value, std::size_t guess) {
  const std::size_t n = parameter_number(s, value.name, guess);
  call.set(n, to_scalar(value, s.parameters()[n]));
  return n;
}

lathe_view to_view(const Signature& s, std::size_t argument, const ArrayRef& a) {
  return {s.arguments()[argument].name.c_str(),
          a.data,
          static_cast<lathe_dtype>(a.dtype),
          static_cast<int32_t>(a.rank),
          a.lo,
          a.extents,
          a.strides,
          LATHE_HOST,
          a.read_only ? 1 : 0};
}

}  // namespace

void run_call(Call& call, const Signature& s, const lathe_run_options* given,
              lathe_timing* timing) {
  const lathe_run_options options = known_part(given);
  if (timing) known_part(timing);  // is its size set?
  auto allocate = [&](std::size_t n, ArrayRef& array, std::int64_t* strides) {
    lathe_view view = to_view(s, n, array);
    if (options.allocate(options.allocate_user, &view, strides) != 0) return false;
    array.data = static_cast<std::byte*>(view.data);
    return true;
  };
  const Allocator allocator(allocate);
  const Timing t = call.run(run_options(options), options.allocate ? &allocator : nullptr);
  if (!timing) return;
  const lathe_timing found = {timing->size,       t.seconds, t.scratch,
                              t.scratch_unshared, t.copied,  t.interpreted ? 1 : 0};
  std::memcpy(timing, &found, std::min(timing->size, sizeof found));
}

}  // namespace lathe::api

using namespace lathe;
using namespace lathe::api;

lathe_code lathe_run(lathe_kernel* kernel, const lathe_value* values, int32_t value_count,
                     const lathe_view* views, int32_t view_count, const lathe_run_options* options,
                     lathe_timing* timing, lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, kernel ? kernel->sources.get() : nullptr, [&] {
    require(kernel && (values || value_count == 0) && (views || view_count == 0),
            "lathe_run needs a kernel, values and views");
    const Signature& s = kernel->compiled->signature();
    std::unique_ptr<Call> call = kernel->compiled->take_call();
    EachOnce values_given, views_given;
    for (int32_t i = 0; i < value_count; ++i)
      values_given.note(set(*call, s, values[i], static_cast<std::size_t>(i)), values[i].name);
    for (int32_t i = 0; i < view_count; ++i)
      views_given.note(bind(*call, s, views[i], static_cast<std::size_t>(i)), views[i].name);
    run_call(*call, s, options, timing);
    kernel->compiled->keep_call(std::move(call));
  });
}

lathe_code lathe_call_create(lathe_kernel* kernel, lathe_call** call, lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, nullptr, [&] {
    require(kernel && call, "lathe_call_create needs a kernel and a place for the call");
    *call = new lathe_call(*kernel);
  });
}

void lathe_call_destroy(lathe_call* call) { delete call; }

lathe_code lathe_call_set(lathe_call* call, const lathe_value* value, lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, call ? call->kernel.sources.get() : nullptr, [&] {
    require(call && value, "lathe_call_set needs a call and a value");
    set(call->call, call->kernel.compiled->signature(), *value, 0);
  });
}

lathe_code lathe_call_bind(lathe_call* call, const lathe_view* view, lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, call ? call->kernel.sources.get() : nullptr, [&] {
    require(call && view, "lathe_call_bind needs a call and a view");
    bind(call->call, call->kernel.compiled->signature(), *view, 0);
  });
}

lathe_code lathe_call_unbind(lathe_call* call, const char* name, lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, nullptr, [&] {
    require(call, "lathe_call_unbind needs a call");
    call->call.unbind(argument_number(call->kernel.compiled->signature(), name, 0));
  });
}

lathe_code lathe_call_run(lathe_call* call, const lathe_run_options* options, lathe_timing* timing,
                          lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, call ? call->kernel.sources.get() : nullptr, [&] {
    require(call, "lathe_call_run needs a call");
    run_call(call->call, call->kernel.compiled->signature(), options, timing);
  });
}

lathe_code lathe_call_view(const lathe_call* call, const char* name, lathe_view* view,
                           lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, nullptr, [&] {
    require(call && view, "lathe_call_view needs a call and a place for the view");
    const Signature& s = call->kernel.compiled->signature();
    const std::size_t n = argument_number(s, name, 0);
    if (!call->call.exists(n))
      throw UsageError(std::string("'") + name + "' does not exist yet", {},
                       "bind it, or run the call first");
    *view = to_view(s, n, call->call.array(n));
  });
}
