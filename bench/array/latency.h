// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a user of arrays waits for besides kernels: the first evaluation of a small graph in a new
// process, with an empty kernel cache and with a full one, and an evaluation whose kernel is there.

#include <vector>

#include "array/options.h"
#include "road/records.h"

namespace lathe::bench {

std::vector<Record> array_latency(const ArrayBenchOptions& options);

// The child: from the first operation to the first result. Kernels are kept where LATHE_CACHE_DIR
// says.
int print_array_latency();

}  // namespace lathe::bench
