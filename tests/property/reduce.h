// SPDX-License-Identifier: Apache-2.0
#pragma once
// Makes a failing case small: drops items, unwraps bodies, drops guards, axes, arrays and
// parameters, replaces expressions by their operands or by constants, shrinks sizes - as long as
// the program stays well formed, runs in checked mode, and still fails.

#include <functional>
#include <string>

#include "harness.h"

namespace lathe::testing {

using Fails = std::function<bool(const Case&)>;

struct Reduction {
  Case smallest;
  int tried = 0, accepted = 0;
};
Reduction reduce(const Case& failing, const Fails& fails, int max_tries = 20000);

// For a named check: fails with the same kind of message.
Fails fails_like(const Check& check, const std::string& message);

// The program's text, and the seed and sizes to run it on, as comments.
std::string describe(const Case& c, const std::string& check, const std::string& message);
std::size_t line_count(const ir::Program& program);

}  // namespace lathe::testing
