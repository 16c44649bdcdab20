// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is put into order: units, each one statement of the body. A unit is an operation with those
// that stand inside its expression; it reads registers (scalars of other units), may define one,
// and has units that must come before it.
//
//   let t = u[i] * 2.0 + a           defines t, uses nothing but leaves
//   v[i] = select(0.0 < t, t, w[i])  a task; w[i] stands inside

#include <cstdint>
#include <span>
#include <vector>

#include "lower/places.h"

namespace lathe::lower {

struct Unit {
  enum class Kind : std::uint8_t {
    Let,
    Declare,  // of a Var
    Yes,      // its assignments
    No,
    Load,   // several channels at once
    Task,   // a store or an assignment
    Never,  // a task that never happens
    Enter,  // no statement: what must be there before a context is entered
  };
  Kind kind = Kind::Let;
  std::uint32_t what = 0;  // a node; Load: a group; Task, Never: a task; Enter: a context
  Context context = kAlways;
  std::uint32_t defines = kNone;  // a register
};

// Lists of numbers in one array.
class Lists {
 public:
  Lists() = default;
  // pairs (list, value); values of one list keep their order.
  Lists(std::size_t count, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs);
  std::span<const std::uint32_t> operator[](std::size_t n) const {
    return {values_.data() + starts_[n], starts_[n + 1] - starts_[n]};
  }

 private:
  std::vector<std::uint32_t> values_, starts_;
};

class UnitGraph {
 public:
  UnitGraph(const BodyGraph& body, const Places& places, const MemoryOrder& memory);

  const std::vector<Unit>& units() const { return units_; }
  std::span<const std::uint32_t> earlier(std::uint32_t unit) const { return earlier_[unit]; }
  std::span<const std::uint32_t> uses(std::uint32_t unit) const { return uses_[unit]; }
  std::span<const std::uint32_t> users(std::uint32_t reg) const { return users_[reg]; }
  std::size_t register_count() const { return register_count_; }
  std::uint32_t register_of(std::uint32_t node) const { return registers_[node]; }
  std::uint32_t unit_of_task(std::uint32_t task) const { return task_units_[task]; }

 private:
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  void number_registers();
  void make_units();
  std::uint32_t begin(Unit::Kind kind, std::uint32_t what, Context context);
  void use(std::uint32_t node);            // a reference to it from the unit that was begun
  void use_operation(std::uint32_t node);  // the operation itself
  void wait_for_memory(std::uint32_t node);
  void connect();

  const BodyGraph& body_;
  const Places& places_;
  const MemoryOrder& memory_;
  std::vector<Unit> units_;
  std::vector<std::uint32_t> registers_;  // by node
  std::size_t register_count_ = 0;
  std::vector<std::uint32_t> task_units_, context_units_;
  std::vector<std::uint32_t> last_user_;                        // by register
  Pairs use_pairs_, earlier_pairs_, after_task_, before_task_;  // (unit, ...)
  Pairs definers_;                                              // (register, unit)
  Lists uses_, users_, earlier_;
};

}  // namespace lathe::lower
