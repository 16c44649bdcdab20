// SPDX-License-Identifier: Apache-2.0
#pragma once
// Text to lathe_program, for files and for the builder.

#include <memory>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "lathe/c.h"

namespace lathe::api {

lathe_code make_program(const std::string& file, std::string_view text, lathe_program** program,
                        lathe_error** error);

}  // namespace lathe::api
