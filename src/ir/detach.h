// SPDX-License-Identifier: Apache-2.0
#pragma once
// A copy of a program in a graph of its own: nothing that happens to the original's graph - new
// names, other threads - is seen by it, and names made from it depend on nothing but the program.

#include "ir/program.h"

namespace lathe::ir {

Program detach(const Program& program);

}  // namespace lathe::ir
