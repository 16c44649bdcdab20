// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the bench was asked to do, and how it shows that it is still at it.

#include <chrono>
#include <string>
#include <vector>

namespace lathe::bench {

struct Options {
  std::string programs = "bench/programs";
  std::string libraries = "build/bench";  // of the C contenders
  std::string python;                     // of the peers; empty: no peers
  std::string peers = "bench/road/peers";
  std::string out = "build/bench";
  std::vector<std::string> only;  // parts of "hdiff f64 256^2x80"; empty: all
  bool quick = false;
  bool latency = false;  // only what is not the speed of kernels
  bool predict = false;  // only what the cost model says
  bool memory_child = false;
  int threads = 0;
};

// One of `parts` is in the text, or at its ends beside a blank: "halide " is not halide-adams.
bool has_part(const std::vector<std::string>& parts, const std::string& text);

// Progress on a terminal: what runs now, and how long all of it may still take.
class Progress {
 public:
  explicit Progress(std::size_t rows);
  void begin(const std::string& row);
  void round(int done, int of);
  void end();  // of a row: removes the line

 private:
  void show(double part, const std::string& text);

  bool terminal_;
  std::size_t rows_, done_ = 0;
  std::string row_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace lathe::bench
