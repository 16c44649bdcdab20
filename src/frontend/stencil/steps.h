// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the statements of a stencil read and write, and where that makes them run.

#include <array>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "frontend/stencil/extent.h"

namespace lathe::stencil {

// A field of the definition, or a temporary.
struct FieldUse {
  std::string name;
  bool api = false;
  bool has_axis[3] = {true, true, true};
  bool has_data = false;  // more than one element at a point
};

// Levels of K: from lo up to hi. `runtime` when bounds come from data: then lo and hi are 0 and nk.
struct Levels {
  Edge lo{0, {}}, hi{{}, 0};
  bool runtime = false;
  bool full() const { return lo == Edge{0, {}} && hi == Edge{{}, 0}; }
};

// region[a:b, c:d]: nothing where a side is open.
struct Region {
  std::array<std::optional<Edge>, 2> lo, hi;  // I, J
  Span span;
};

struct FieldRead {
  std::size_t field = 0;
  std::array<std::int64_t, 2> offset{0, 0};  // I, J
  std::optional<std::int64_t> level = 0;     // offset in K; nothing: any level
  std::optional<std::int64_t> at = {};       // that level, when .at(K=2) says so
  Span span;
  bool lazy = false;  // in a part of the expression that is not always evaluated
};

struct Step {
  enum class Kind : std::uint8_t { Assign, Branch, While, Sweep };
  Kind kind = Kind::Assign;
  Span span;
  std::vector<FieldRead> reads;  // of the value, or of the condition
  Levels levels;
  std::optional<Region> region;
  // Assign
  std::size_t target = 0;
  std::optional<std::int64_t> target_level = 0;
  // Branch (both sides), While, Sweep
  std::vector<Step> body, otherwise;
};

struct Needed {
  std::vector<std::array<Extent, 3>> fields;  // by field: what is read and written of API fields
  // By field: may data say which level is meant, so that every level of the caller's array counts?
  std::vector<bool> any_level;
  std::int64_t min_levels = 0;
};

// Errors: temporaries read beyond K, or whose region would grow with every level or round.
Needed find_needed(const std::vector<FieldUse>& fields, const std::vector<Step>& steps,
                   Diagnostics& diagnostics);

}  // namespace lathe::stencil
