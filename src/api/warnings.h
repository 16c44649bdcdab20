// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a user should know although nothing failed. Printed to stderr, unless the application has
// asked for it.

#include "base/diagnostics.h"

namespace lathe::api {

// The whole text as render_text() gives it, and the JSON. May be called from any thread.
using WarningHandler = void (*)(void* user, const char* text, const char* json);

void set_warning_handler(WarningHandler handler, void* user);  // null: stderr
void warn(const Diagnostic& warning);

// Once in a process: programs will run in the interpreter, and why.
void warn_no_compiler(const Diagnostic& problem);

}  // namespace lathe::api
