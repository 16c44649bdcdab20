// SPDX-License-Identifier: Apache-2.0
#pragma once
// The words of run-time errors, for the interpreters of Program and of Loops. Each names the
// statement, the array and the index, says at which point it happened, and what can be done.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interp/interpreter.h"
#include "ir/loops.h"

namespace lathe::interp {

struct FaultReport {
  using Kind = lathe::loops::Site::Kind;
  Kind kind = Kind::Range;
  ir::Symbol label;  // of the statement
  Span span;
  ir::Symbol array;                      // Range, Unwritten, Twice
  std::string what;                      // what to call it, if not by its name
  std::vector<std::int64_t> index;       // the same
  bool writes = false;                   // Range: the statement writes there; else it reads
  bool trusted = false;                  // Range: a read that promises to be inside
  std::optional<Bounds> covered;         // Range: by the array; none: it does not reach there
  std::vector<std::size_t> users_order;  // ir::Array's
  std::string operation;                 // Division, NegativePower: as text
  std::int64_t rounds = 0;               // WhileCap
  std::vector<std::pair<ir::Symbol, std::int64_t>> point;  // variables and their values
};

[[noreturn]] void throw_fault(const FaultReport& report);

// "u covers [0..4]", or "u is empty".
std::string covers_text(ir::Symbol array, const Bounds& bounds);

// "i = 3, j = 4"
std::string point_text(const std::vector<std::pair<ir::Symbol, std::int64_t>>& point);

}  // namespace lathe::interp
