// SPDX-License-Identifier: Apache-2.0
#pragma once
// A piece of work in a child process: a crash becomes a sentence.

#include <string>

#include "base/function_ref.h"

namespace lathe::testing {

// What `work` returns; "crash: Segmentation fault" when it does not, "hang: ..." when it takes more
// than that many seconds of processor time.
std::string in_child(FunctionRef<std::string()> work, double seconds = 60);

}  // namespace lathe::testing
