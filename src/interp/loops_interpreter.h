// SPDX-License-Identifier: Apache-2.0
#pragma once
// The reference interpreter of Loops (ir/loops.h): runs a kernel statement by statement, and finds
// what a machine would only sometimes show. A kernel and the Program it came from must give the
// same bits.
//
//   parallel loops   run their iterations in a shuffled order; with `checked`, an element that two
//                    iterations touch and one of them writes is a race
//   vector loops     run each statement for all lanes before the next one, so that a loop that
//                    cannot be vectorised gives other values; select, gate, and, or evaluate
//                    everything there
//   reads, stores    must be in range; with `checked`, what is read must have been written
//
// These are mistakes of Lathe: InternalError, with the buffer, the index, the statement and the
// loop variables. A Fault is the user's: UserError, in the words of the interpreter of Program.

#include "interp/interpreter.h"
#include "ir/loops.h"

namespace lathe::interp {

struct LoopsOptions {
  bool checked = true;     // undefined contents of thread, stack, lanes and scratch buffers; races
  std::uint64_t seed = 1;  // of the order of parallel iterations
  // Undefined contents may be read, as vector loops do for lanes that do not count: they hold
  // odd values, so that it shows if they count after all.
  bool poison = false;
  // Element operations. A statement that begins with more behind it throws TooLong, and leaves
  // `state` as far as the run has come.
  std::uint64_t operation_cap = ~std::uint64_t{0};
};

// The kernel must be verified. Parameters and arguments are taken from `state` by name, as the
// interpreter of Program takes them; outputs that are not given are allocated there, and scratch
// buffers stay there for whoever wants to look. Throws UserError for missing or wrong bindings,
// which leave `state` untouched. Answers the number of element operations executed.
std::uint64_t run(const lathe::loops::Kernel& kernel, State& state, LoopsOptions options = {});

}  // namespace lathe::interp
