// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace lathe::bench {

struct StencilBenchOptions {
  std::string examples = "examples/stencil";
  std::string libraries = "build/bench";  // of GridTools
  std::string python;                     // of the peers; empty: no peers
  std::string peers = "bench/stencil/peers";
  std::string out = "build/bench";
  std::vector<std::string> only;  // parts of "stencil hdiff f64 256x256x80 KJI"; empty: all
  std::vector<std::string> who;   // peers by name; empty: all
  bool quick = false;
  bool check = false;         // only whether results agree, at a small size
  bool latency = false;       // only what is not the speed of kernels
  std::string latency_child;  // the stencil that this process is to compile
  int threads = 0;
};

}  // namespace lathe::bench
