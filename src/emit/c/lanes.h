// SPDX-License-Identifier: Apache-2.0
#pragma once
// What differs from lane to lane in a vector loop, and how many lanes it gets.

#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/function_ref.h"
#include "ir/loops.h"

namespace lathe::emit {

// Of expressions inside one vector loop: the same in all lanes, linear in the variable, or neither.
class LaneAnalysis {
 public:
  // `is_lane(leaf)`: a Param or Read that holds one value per lane, besides what its operands say.
  LaneAnalysis(Symbol variable, FunctionRef<bool(ir::Expr)> is_lane)
      : variable_(variable), is_lane_(is_lane) {}

  bool varies(ir::Expr e);
  // d index / d variable, if it is one constant; 0 for what does not vary.
  std::optional<std::int64_t> slope(ir::Expr index);

 private:
  struct Fact {
    bool varies = false;
    std::optional<std::int64_t> slope = 0;
  };
  Fact fact(ir::Expr e);
  Fact find(ir::Expr e) const;

  Symbol variable_;
  FunctionRef<bool(ir::Expr)> is_lane_;
  std::unordered_map<ir::Expr, Fact> facts_;
};

// An integer of a loop's variable, as i32(j): counted in its own dtype, not converted from one of
// 64 bits. Both wrap.
bool is_count(ir::Expr e, Symbol variable);

// How vector loops and Lanes buffers are printed.
struct VectorPlan {
  int lanes = 1;   // of one register; 1: a plain loop
  int chunks = 1;  // width / lanes
};

struct LanePlans {
  std::map<const loops::For*, VectorPlan> loops;
  // Lanes buffers as named vectors of so many lanes; 1: an array.
  std::map<const loops::Alloc*, int> registers;
};

// An If that does nothing but fault: it may differ from lane to lane in a vector loop.
bool only_faults(const loops::If& s);

LanePlans plan_lanes(const loops::Kernel& kernel, int vector_bytes);

}  // namespace lathe::emit
