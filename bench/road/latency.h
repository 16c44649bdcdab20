// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is not the speed of kernels: how long compiling takes, what a call costs, how much memory a
// program needs.

#include <string>
#include <vector>

#include "road/options.h"
#include "road/records.h"

namespace lathe::bench {

// Of ten.lathe, from its text to the first result: with an empty kernel cache, and with a full one.
std::vector<Record> compile_latency(const Options& options);

// Of n independent statements, n from 1 to 500.
std::vector<Record> compile_statements(const Options& options);

// Of tiny.lathe, with one thread and with two.
std::vector<Record> call_overhead(const Options& options);

// Of hdiff f64 256^2x80: what a process holds that runs it, against its arguments.
std::vector<Record> peak_memory(const Options& options);
// The child of peak_memory(): runs the row and prints the most bytes that this process ever held.
int print_memory(const Options& options);

}  // namespace lathe::bench
