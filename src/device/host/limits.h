// SPDX-License-Identifier: Apache-2.0
#pragma once
// What this process may use of the machine: containers and affinity masks give it less than all.

#include <cstdint>

namespace lathe::host {

// How many threads are good to run: LATHE_THREADS when it is a number from 1 to 1024, else the
// processors that the affinity mask allows, at most the cgroup's quota rounded up. Found once.
int hardware_threads();

// Bytes of memory and swap, or the cgroup's limit when that is less.
std::int64_t memory_limit();

// How long the threads of a process (0: this one) have waited for a processor since they began,
// because others were running: Linux counts it. 0 where it does not.
double seconds_waited(int process = 0);

}  // namespace lathe::host
