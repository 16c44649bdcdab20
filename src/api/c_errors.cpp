// SPDX-License-Identifier: Apache-2.0
#include <lathe/c_array.h>

#include "api/c_handles.h"
#include "api/failure.h"
#include "api/warnings.h"

namespace lathe::api {
namespace {

// For when there is not even memory to say so.
lathe_error* out_of_memory() {
  static lathe_error error = [] {
    const std::string message = "there is no memory left";
    lathe_error made;
    made.code = LATHE_ERROR_MEMORY;
    made.message = message;
    made.text = "error: " + message + "\n";
    made.json = "[\n{\"severity\": \"error\", \"message\": \"" + message + "\"}\n]\n";
    return made;
  }();
  return &error;
}

lathe_code code_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::Program: return LATHE_ERROR_RUN;
    case FailureKind::Cancelled: return LATHE_ERROR_CANCELLED;
    case FailureKind::NoMemory: return LATHE_ERROR_MEMORY;
    case FailureKind::NoCompiler: return LATHE_ERROR_COMPILER;
  }
  return LATHE_ERROR_INTERNAL;
}

constexpr bool same(ErrorKind kind, lathe_kind number) { return static_cast<int>(kind) == number; }
static_assert(
    same(ErrorKind::Other, LATHE_KIND_OTHER) && same(ErrorKind::DType, LATHE_KIND_DTYPE) &&
    same(ErrorKind::Index, LATHE_KIND_INDEX) && same(ErrorKind::Axis, LATHE_KIND_AXIS) &&
    same(ErrorKind::Number, LATHE_KIND_NUMBER) && same(ErrorKind::Lengths, LATHE_KIND_LENGTHS) &&
    same(ErrorKind::Matrix, LATHE_KIND_MATRIX) && same(ErrorKind::Division, LATHE_KIND_DIVISION) &&
    same(ErrorKind::Power, LATHE_KIND_POWER) && same(ErrorKind::Symbol, LATHE_KIND_SYMBOL) &&
    same(ErrorKind::Value, LATHE_KIND_VALUE) && same(ErrorKind::Assertion, LATHE_KIND_ASSERTION));

lathe_code report_one(lathe_error** error, lathe_code code, const Diagnostic& d,
                      const SourceMap* sources) {
  if (!error) return code;
  const SourceMap none;
  Diagnostics diagnostics;
  Diagnostic& kept = diagnostics.add(d);
  if (!sources) kept.span = {};
  return report(error, code, diagnostics, sources ? *sources : none);
}

}  // namespace

lathe_code report(lathe_error** error, lathe_code code, const Diagnostics& diagnostics,
                  const SourceMap& sources) {
  if (!error) return code;
  try {
    auto made = std::make_unique<lathe_error>();
    made->code = code;
    for (const Diagnostic& d : diagnostics.all()) {
      if (d.severity != Severity::Error) continue;
      made->message = d.message;
      made->kind = static_cast<lathe_kind>(d.kind);
      made->about = d.about;
      made->says_where = d.says_where || d.span.known();
      break;
    }
    made->text = render_text(diagnostics, sources);
    made->json = render_json(diagnostics, sources);
    *error = made.release();
  } catch (...) {
    *error = out_of_memory();
  }
  return code;
}

lathe_code report_exception(lathe_error** error, lathe_code code, const SourceMap* sources) {
  try {
    throw;
  } catch (const Failure& e) {
    return report_one(error, code_of(e.kind()), e.diagnostic(), sources);
  } catch (const UsageError& e) {
    return report_one(error, LATHE_ERROR_USAGE, e.diagnostic(), nullptr);
  } catch (const UserError& e) {
    return report_one(error, code, e.diagnostic(), sources);
  } catch (const std::bad_alloc&) {
    if (error) *error = out_of_memory();
    return LATHE_ERROR_MEMORY;
  } catch (const std::exception& e) {
    const Diagnostic d{Severity::Error,
                       std::string("internal error: ") + e.what(),
                       {},
                       {},
                       "this is a mistake in Lathe: please report it with the program"};
    return report_one(error, LATHE_ERROR_INTERNAL, d, nullptr);
  }
}

}  // namespace lathe::api

lathe_error* lathe_error_at(lathe_kind kind, const char* message, const char* help,
                            lathe_place place) {
  using namespace lathe;
  lathe_error* made = nullptr;
  api::guarded(&made, LATHE_ERROR_ARGUMENT, nullptr, [&] {
    Diagnostic d;
    d.message = message ? message : "";
    d.kind = static_cast<ErrorKind>(kind);
    d.help = help ? help : "";
    if (place.file) d.note("at " + std::string(place.file) + ":" + std::to_string(place.line));
    d.says_where = place.file != nullptr;
    throw UserError(std::move(d));
  });
  return made;
}

using namespace lathe::api;

int lathe_api_version(void) { return LATHE_API_VERSION; }

lathe_code lathe_error_code(const lathe_error* error) { return error ? error->code : LATHE_OK; }
lathe_kind lathe_error_kind(const lathe_error* error) {
  return error ? error->kind : LATHE_KIND_OTHER;
}
const char* lathe_error_about(const lathe_error* error) {
  return error ? error->about.c_str() : "";
}
int32_t lathe_error_says_where(const lathe_error* error) { return error && error->says_where; }
const char* lathe_error_message(const lathe_error* error) {
  return error ? error->message.c_str() : "";
}
const char* lathe_error_text(const lathe_error* error) { return error ? error->text.c_str() : ""; }
const char* lathe_error_json(const lathe_error* error) {
  return error ? error->json.c_str() : "[]";
}
void lathe_error_destroy(lathe_error* error) {
  if (error != out_of_memory()) delete error;
}

void lathe_on_warning(lathe_warning_handler* handler, void* user) {
  set_warning_handler(handler, user);
}
