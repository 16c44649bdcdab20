// SPDX-License-Identifier: Apache-2.0
#pragma once
// The compiler's passes in the one order they run in, and the driver that runs them.

#include <span>
#include <string_view>

#include "base/function_ref.h"
#include "ir/program.h"

namespace lathe {

// What a program has been through. A pass states what it needs and gives; the table in pipeline.cpp
// must chain, or it does not compile.
enum class Stage {
  Parsed,    // as a front end made it
  Sized,     // no temporary is `extended` any more
  Prepared,  // only what loops are made from (passes/passes.h)
};

struct Pass {
  std::string_view name;
  Stage needs, gives;
  ir::Program (*run)(const ir::Program&);
};

std::span<const Pass> pipeline();
// What follows when the decisions are made: from a Sized program to a Prepared one.
std::span<const Pass> preparation();
const Pass* find_pass(std::string_view name);  // of either

// Runs one pass: verifies its result, and in debug builds checks that it survives a trip through
// text. Throws InternalError naming the pass; UserError passes through.
ir::Program run_pass(const Pass& pass, const ir::Program& program);

// Runs them all. After each pass, `seen(pass, result, seconds)`.
using Observer = FunctionRef<void(const Pass&, const ir::Program&, double seconds)>;
ir::Program run_pipeline(const ir::Program& program, Observer seen);
ir::Program run_pipeline(const ir::Program& program);
ir::Program run_preparation(const ir::Program& program, Observer seen);
ir::Program run_preparation(const ir::Program& program);

}  // namespace lathe
