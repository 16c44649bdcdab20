// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace lathe::bench {

struct ArrayBenchOptions {
  std::string libraries = "build/bench";  // of the C contenders
  std::string python;                     // of the peers; empty: no peers
  std::string peers = "bench/array/peers";
  std::string out = "build/bench";
  std::string json;               // where records go, if not to results.json of `out`
  std::vector<std::string> only;  // parts of "array softmax f32 4096x4096 memory"; empty: all
  std::vector<std::string> who;   // contenders by name; empty: all
  bool quick = false;
  bool check = false;          // only whether results agree, at a small size
  bool latency = false;        // only what is not the speed of kernels
  bool latency_child = false;  // this process evaluates a graph for the first time
  int threads = 0;
};

}  // namespace lathe::bench
