// SPDX-License-Identifier: Apache-2.0
#include "api/warnings.h"

#include <atomic>
#include <cstdio>
#include <mutex>

namespace lathe::api {
namespace {

std::mutex mutex;  // guards the two
WarningHandler current = nullptr;
void* current_user = nullptr;

}  // namespace

void set_warning_handler(WarningHandler handler, void* user) {
  const std::lock_guard lock(mutex);
  current = handler;
  current_user = user;
}

void warn(const Diagnostic& warning) {
  const SourceMap none;
  Diagnostic placeless = warning;
  placeless.severity = Severity::Warning;
  placeless.span = {};
  const std::string text = render_text(placeless, none);
  const std::lock_guard lock(mutex);
  if (current)
    current(current_user, text.c_str(), render_json(placeless, none).c_str());
  else
    std::fputs(text.c_str(), stderr);
}

void warn_no_compiler(const Diagnostic& problem) {
  static std::atomic<bool> told{false};
  if (told.exchange(true)) return;
  Diagnostic warning = problem;
  warning.message += "; programs run in the interpreter: the same results, but much slower";
  warning.help =
      "install gcc or clang, or name a C compiler in LATHE_CC (one program, by its path or by a "
      "name on PATH, without arguments)";
  warn(warning);
}

}  // namespace lathe::api
