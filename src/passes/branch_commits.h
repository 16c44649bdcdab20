// SPDX-License-Identifier: Apache-2.0
#pragma once
// The last part of a split branch: what a side wrote to its versions goes to the arrays.

#include <vector>

#include "base/function_ref.h"
#include "passes/branch_versions.h"

namespace lathe::passes {

struct Commit {
  ir::Statement statement;  // as it ran, on the version
  ir::Target original;
  bool coarse = false;  // it goes by the side's mask alone
};

// What an inner branch may have written is committed from the version of the side around, wherever
// that side ran: elements that it did not write still hold what they held before.
void note_commits(const ir::Branch& inner, Expr mask, std::vector<Commit>& commits);

// original[i] = version[i] for each, once where several are the same. `mask` is the side's. Where
// the mask alone decides, the element need not exist, unless `exists` can tell.
void append_commits(ir::Graph& graph, const std::vector<Version>& versions,
                    const std::vector<Commit>& commits, Expr mask,
                    FunctionRef<bool(const ir::Domain&, const ir::Target&)> exists, Body& out);

// target = value over the domain.
ir::Statement assignment(Symbol label, ir::Domain domain, ir::Target target, Expr value, Span span);

}  // namespace lathe::passes
