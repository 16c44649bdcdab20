// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is sent down the road from a program to a kernel: a random program with contractions among
// its statements, and several states to run it on.

#include <memory>
#include <vector>

#include "harness.h"

namespace lathe::testing {

// A state to start from, and what the interpreter makes of it. Outputs hold rubbish at the start.
struct RoadRun {
  Sizes sizes;
  interp::State start, wanted;
};

struct Subject {
  Case c;
  std::vector<RoadRun> runs;
};

// Sizes of 0, 1, small ones, and some around widths of vectors and tiles.
std::vector<Sizes> road_sizes(const ir::Program& program, std::uint64_t seed);
// Runs the interpreter; sizes that take it too long are halved, those that fail left out.
std::shared_ptr<const Subject> make_subject(const Case& c, const std::vector<Sizes>& sizes);

Case road_case(std::uint64_t seed);
std::shared_ptr<const Subject> road_subject(std::uint64_t seed);

std::string text(const Sizes& sizes);  // "m=3 n=17"

}  // namespace lathe::testing
