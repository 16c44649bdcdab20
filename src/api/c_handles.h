// SPDX-License-Identifier: Apache-2.0
#pragma once
// What stands behind the handles of lathe/c.h, and the wall that no exception passes.

#include <lathe/c.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <string>

#include "api/call.h"
#include "api/compiled.h"
#include "base/diagnostics.h"

struct lathe_error {
  lathe_code code = LATHE_ERROR_INTERNAL;
  std::string message, text, json, about;
  lathe_kind kind = LATHE_KIND_OTHER;
  bool says_where = false;
};

struct lathe_program {
  lathe::ir::Program program;
  std::unique_ptr<lathe::api::Signature> signature;
  std::string name;
  mutable std::mutex mutex;  // guards the graph, `sized` and `text`
  mutable std::string text;  // printed when somebody asks
  mutable std::optional<lathe::ir::Program> sized;
};

struct lathe_kernel {
  std::shared_ptr<lathe::SourceMap> sources;  // of its own: a schedule adds to them
  std::unique_ptr<lathe::api::Compiled> compiled;
  std::once_flag schedule_made;
  std::string schedule;
};

struct lathe_call {
  explicit lathe_call(lathe_kernel& k) : kernel(k), call(*k.compiled) { call.own_results(true); }

  lathe_kernel& kernel;
  lathe::api::Call call;
};

struct lathe_cancel {
  mutable lathe::api::Cancellation cancellation;
};

namespace lathe::api {

// A misuse of the interface: there is no place in a program to show.
class UsageError : public UserError {
 public:
  using UserError::UserError;
};

// All of `diagnostics`, as a report; null when `error` is: nobody wants it.
lathe_code report(lathe_error** error, lathe_code code, const Diagnostics& diagnostics,
                  const SourceMap& sources);
// The exception that is being handled.
lathe_code report_exception(lathe_error** error, lathe_code code, const SourceMap* sources);

// Runs f. What it throws becomes a report: mistakes of the user have that code.
template <class F>
lathe_code guarded(lathe_error** error, lathe_code code, const SourceMap* sources, F&& f) {
  if (error) *error = nullptr;
  try {
    f();
    return LATHE_OK;
  } catch (...) {
    return report_exception(error, code, sources);
  }
}

inline void require(bool holds, const char* message) {
  if (!holds) throw UsageError(message);
}

// Fields that the caller's version of a structure does not have are zero.
template <class Options>
Options known_part(const Options* given) {
  Options out{};
  if (!given) return out;
  require(given->size >= sizeof(std::size_t),
          "the size of an options structure is not set: "
          "it must be sizeof of its type");
  std::memcpy(&out, given, std::min(given->size, sizeof(Options)));
  return out;
}

std::size_t parameter_number(const Signature& signature, const char* name, std::size_t guess);
std::size_t argument_number(const Signature& signature, const char* name, std::size_t guess);
ir::Scalar to_scalar(const lathe_value& value, const ParameterInfo& parameter);
ir::DType to_dtype(lathe_dtype dtype);
// Everything is bound.
void run_call(Call& call, const Signature& signature, const lathe_run_options* options,
              lathe_timing* timing);

}  // namespace lathe::api
