// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the generator knows about extents, variables and arrays: enough to prove, while it writes an
// index, that the index is in range and that the element was written before.
//
// Every extent is a non-negative integer expression E: a size, a constant, `n + 1`, `n * m`, or a
// scalar that the program computes. Variables and axes speak of distances from 0 and from E:
//
//   array axis   -below .. E + above        variable   lo <= v, and v < E + offset for each upper
//
// so `v + o` fits the axis iff lo + o >= -below and, for an upper of the axis's extent, offset + o
// <= above. If E is so small that the variable has no value, nothing is read.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "ir/program.h"

namespace lathe::testing {

struct Extent {
  ir::Expr size = nullptr;
  std::int64_t minimum = 0;  // size >= minimum, whatever the parameters are
  std::optional<std::int64_t> constant;
  int outer = -1, inner = -1;  // of a product n * m
  bool is_long = false;        // one such variable per statement
};

struct Upper {
  int extent;
  std::int64_t offset;
};

struct Interval {
  std::int64_t lo = 0;
  std::vector<Upper> upper;  // all of them hold
};

struct Variable {
  Symbol name;
  Interval interval;
  bool by_data = false;  // its range is read from an array
};

struct Side {  // lo .. E + offset, on one axis
  std::int64_t lo, offset;
};
using Region = std::vector<Side>;

struct AxisShape {
  int extent;
  std::int64_t below, above;
  Side all() const { return {-below, above}; }
};

struct ArrayShape {
  Symbol name;
  ir::DType dtype;
  ir::Role role;
  std::vector<AxisShape> axes;
  std::optional<Region> written;   // surely holds values there; nothing: unknown
  std::optional<Interval> values;  // an index array: what its elements lie in
  bool frozen = false;             // nobody may write it (again)
  bool extended = false;           // left to compute-extents
  bool available = true;           // its extents are computed by now
  int reads = 0;
};

// How a target index follows from a loop variable: v + offset, or E - 1 - v + offset.
struct AxisUse {
  std::size_t axis;
  std::int64_t offset;
  bool reversed;
  friend bool operator==(const AxisUse&, const AxisUse&) = default;
};

// What surrounds the place where an item is made.
struct Context {
  std::vector<Variable> around;   // sweep variables and counters
  std::vector<ir::Range> prefix;  // of the branches around: inner domains begin with it
  std::vector<Variable> prefix_variables;
  bool masked = false;  // inside a Branch or While
  Symbol sweep;         // the body of this sweep, without a condition in between
  int depth = 0;        // of bodies
  int loops = 0;        // sweeps, repeats and whiles around: values must not grow
};

}  // namespace lathe::testing
