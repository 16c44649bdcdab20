// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a user waits for besides kernels: the first result of a stencil in a new process, with an
// empty kernel cache and with a full one, and what a call costs.

#include <string>
#include <vector>

#include "road/records.h"
#include "stencil/options.h"

namespace lathe::bench {

std::vector<Record> stencil_latency(const StencilBenchOptions& options);

// The child: from the text of options.latency_child to its first result; how long of that the C
// compiler took; the processor's time of Lathe itself. Kernels are kept where LATHE_CACHE_DIR says.
int print_latency(const StencilBenchOptions& options);

// A stencil of about so many lines.
std::string long_stencil(int lines);

}  // namespace lathe::bench
