// SPDX-License-Identifier: Apache-2.0
#pragma once
// The decisions that Lathe takes when nobody else does. Bottom-up, each with its reason:
//
//   1. Temporaries that are cheaper to compute again than to store live nowhere: in program order,
//      again and again, since what is inlined makes one reader of several.
//   2. Neighbours that share arrays share their outer loops, as many as their dependences allow;
//      a temporary that is only read some rows away in a shared loop becomes a window, and its
//      statement runs ahead of its reader, with its operands (loop_windows.h).
//   3. The outermost loop is parallel, the one along memory is a vector loop.
//   4. A temporary touched in one nest alone lives in a register or a tile of it.
//   5. Pure outputs are streamed.
//   6. Where neighbouring rows read the same rows, two are computed at a time.
//   7. Where an array is read in several rows at once, the first of them is fetched ahead.

#include <optional>
#include <string>
#include <string_view>

#include "schedule/schedule.h"

namespace lathe::schedule {

struct Machine {
  std::string name = "any";
  std::int64_t vector_bytes = 64;
  std::int64_t l1 = 32 << 10, l2 = 1 << 20, l3 = 32 << 20;
};

// A level of x86-64, with caches of a common size: what would be decided on such a machine. None:
// there is no such name; machine_names() says which there are.
std::optional<Machine> machine_named(std::string_view name);
std::string machine_names();
// Those, and what else lockfiles are made for: other processors' own names, any.
bool is_lockfile_machine(std::string_view name);
std::string lockfile_machines();

Schedule default_schedule(const ir::Program& program, const Machine& machine = {});

}  // namespace lathe::schedule
