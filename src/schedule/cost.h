// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a schedule costs on a machine at given sizes, before it runs: docs/cost-model.md says how
// the numbers come about. The bench prints them beside what it measures.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "schedule/nest.h"

namespace lathe::schedule {

struct CostMachine {
  int threads = 1;
  double clock = 3e9;                        // cycles a second, while wide vectors are busy
  double units = 2;                          // operations on full vectors in a cycle
  double division = 16, root = 24;           // cycles of a full vector of f64
  std::int64_t vector_bytes = 64;            // of a register
  std::int64_t l1 = 32 << 10, l2 = 1 << 20;  // of each thread
  std::int64_t last = 16 << 20;              // our share of the last cache
  // Bytes a second between memory and all threads, and those that one thread gets alone.
  struct Rates {
    double read = 20e9, write = 20e9, triad = 25e9;
  };
  Rates all, one;
};

// One loop nest: a node at the top of the tree.
struct NestCost {
  std::string label;       // of its first statement
  double operations = 0;   // of elements, each counted once, whatever it is
  double l2_bytes = 0;     // that L1 gets from or gives to what lies behind it
  double last_bytes = 0;   // the same of L2
  double memory_read = 0;  // lines fetched because they are written count too
  double memory_written = 0;
  double seconds = 0;
  std::string bound;  // what takes longest: memory, last cache, L2, arithmetic, latency
};

struct Cost {
  std::vector<NestCost> nests;
  double seconds = 0;
  bool complete = true;  // false: a bound or a call depends on data, and counts as nothing
};

using SizeNumbers = std::map<std::string, std::int64_t>;

// `stream`: outputs that the schedule streams are streamed, as a call with large outputs does.
Cost predict(const Nest& nest, const SizeNumbers& sizes, const CostMachine& machine, bool stream);

// A line per nest and one for all of them, as `explain` and the bench show it.
std::string to_text(const Cost& cost);

}  // namespace lathe::schedule
