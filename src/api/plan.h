// SPDX-License-Identifier: Apache-2.0
#pragma once
// What does not change from call to call of one kernel: where each of its arrays comes from, and
// its scratch memory, as formulas.

#include <memory>
#include <optional>
#include <vector>

#include "api/scratch.h"
#include "api/signature.h"
#include "emit/c/emit.h"
#include "ir/loops.h"

namespace lathe::api {

// One array of the kernel: lathe_context::arrays[n].
struct SlotPlan {
  enum class From : std::uint8_t { Argument, Scratch, Allocated };
  From from = From::Argument;
  // The argument's number; also of an Allocated one, when it is a result.
  std::optional<std::size_t> argument;
  std::size_t first_axis = 0, rank = 0;
};

struct ScratchBuffer {
  std::size_t slot = 0;
  std::int64_t element_size = 0;
  std::vector<std::size_t> order;  // of axes in memory, outermost first
  std::vector<std::optional<Formula>> lo, hi;
  ir::Array as_array;                // for bounds that are no Formula
  std::optional<std::size_t> place;  // nothing: nobody touches it
};

struct CallPlan {
  CallPlan() = default;
  // Arguments are numbered as in the signature; the kernel's parameters must be the program's.
  CallPlan(const loops::Kernel& kernel, const emit::EmitResult& code, const Signature& signature);

  // The ranges of one scratch buffer, one per axis. Throws UserError.
  void evaluate(const ScratchBuffer& buffer, const Signature& signature,
                const std::uint64_t* parameters, AxisBounds* out) const;

  std::vector<SlotPlan> slots;
  std::size_t axis_count = 0;  // of all slots
  std::vector<ScratchBuffer> scratch;
  std::size_t place_count = 0;
};

// The memory order of axes that a slot asks for, spelled out.
std::vector<std::size_t> memory_order(const emit::ArraySlot& slot);

}  // namespace lathe::api
