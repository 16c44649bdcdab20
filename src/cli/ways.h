// SPDX-License-Identifier: Apache-2.0
#pragma once
// The ways in which `lathe diff` runs a program: "interp", "c,threads=2", "interp,f32" ...

#include <optional>
#include <string>

#include "interp/interpreter.h"
#include "ir/program.h"

namespace lathe::cli {

struct Way {
  std::string target = "interp";  // or loops, c
  bool optimize = false;          // interp: after the passes
  bool f32 = false;               // all that is f64 in f32
  std::string schedule;           // loops, c: a lockfile
  int threads = 0;                // c; 0: all
};

// Throws UserError that names the option.
Way parse_way(const std::string& option, const std::string& text);

// "c, threads 2, schedule x.schedule"
std::string describe(const Way& way);

// The program, whose extents are computed, on these inputs (f64 ones are rounded where the way says
// f32). Throws UserError as the target does.
interp::State run_way(const Way& way, const ir::Program& program, const interp::State& inputs);

// The program up to its item `count`, with all arrays that are written there as results. Nothing
// where that is no program.
std::optional<ir::Program> cut_after(const ir::Program& program, std::size_t count);

}  // namespace lathe::cli
