// SPDX-License-Identifier: Apache-2.0
#pragma once
// Text to lathe_program, for files and for the builder.

#include <lathe/c.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/diagnostics.h"

namespace lathe::api {

lathe_code make_program(const std::string& file, std::string_view text, lathe_program** program,
                        lathe_error** error);

}  // namespace lathe::api
