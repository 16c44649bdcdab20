// SPDX-License-Identifier: Apache-2.0
// Arrays that a call makes: outputs and states that nobody gave, results whose extents the program
// computes, and everything for the interpreter, where it stands in for a C compiler.

#include <algorithm>
#include <chrono>
#include <cstring>

#include "api/argument_text.h"
#include "api/call.h"
#include "api/failure.h"
#include "api/strided.h"
#include "interp/space.h"

namespace lathe::api {

host::Block take_memory(std::int64_t bytes) {
  host::Allocation a = host::MemoryPool::shared().allocate(bytes);
  if (a.error) throw Failure(FailureKind::NoMemory, *a.error);
  return std::move(a.block);
}

// A state or an output that nobody gave. Zeros at first, as in the interpreter.
void Call::own(std::size_t argument) {
  const ArgumentInfo& a = info(argument);
  Argument& mine = arguments_[argument];
  interp::Bounds bounds;
  bool same = mine.owned.data() != nullptr;
  for (std::size_t x = a.first_axis; x < a.first_axis + a.rank; ++x) {
    bounds.lo.push_back(bounds_[x].lo);
    bounds.hi.push_back(bounds_[x].hi);
    const std::int64_t extent = std::max<std::int64_t>(0, bounds_[x].hi - bounds_[x].lo);
    same = same && lo_[x] == bounds_[x].lo && extents_[x] == extent;
    lo_[x] = bounds_[x].lo;
    extents_[x] = extent;
  }
  if (!owns_results_ || a.role == ir::Role::Input || a.role == ir::Role::InOut)
    throw UserError(who(a) + " is missing", a.declared->span,
                    "give an array " + std::string(ir::name(a.dtype)) +
                        interp::declared_text(*a.declared) + " = " +
                        std::string(ir::name(a.dtype)) + interp::range_text(bounds.lo, bounds.hi));
  const std::int64_t bytes =
      interp::byte_count(a.dtype, bounds, interp::describe(*a.declared, bounds));
  dense_strides(extents_.data() + a.first_axis, a.rank,
                static_cast<std::int64_t>(ir::size_bytes(a.dtype)), strides_.data() + a.first_axis);
  if (!same) mine.owned = take_memory(bytes);
  mine.data = static_cast<std::byte*>(mine.owned.data());
  mine.made = true;
  if (same) return;
  std::memset(mine.data, 0, static_cast<std::size_t>(bytes));
}

Placed Call::make_result(std::size_t argument, const AxisBounds* bounds,
                         const Allocator* allocate) {
  const ArgumentInfo& a = info(argument);
  Argument& mine = arguments_[argument];
  const std::size_t first = a.first_axis;
  interp::Bounds range;
  for (std::size_t x = 0; x < a.rank; ++x) {
    bounds_[first + x] = bounds[x];
    lo_[first + x] = bounds[x].lo;
    extents_[first + x] = std::max<std::int64_t>(0, bounds[x].hi - bounds[x].lo);
    range.lo.push_back(bounds[x].lo);
    range.hi.push_back(bounds[x].hi);
  }
  const std::int64_t bytes =
      interp::byte_count(a.dtype, range, interp::describe(*a.declared, range));
  const auto size = static_cast<std::int64_t>(ir::size_bytes(a.dtype));
  dense_strides(extents_.data() + first, a.rank, size, strides_.data() + first);
  if (allocate) {
    ArrayRef wanted = array(argument);
    wanted.data = nullptr;
    const bool given = (*allocate)(argument, wanted, strides_.data() + first);
    if (!given || (wanted.data == nullptr && bytes > 0))
      throw Failure(
          FailureKind::NoMemory,
          "no memory was given for " + who(a) + " over " + interp::range_text(range.lo, range.hi),
          "let the allocation callback return memory for it");
    mine.data = wanted.data;
  } else {
    if (!mine.owned || mine.owned.size() != bytes) mine.owned = take_memory(bytes);
    mine.data = static_cast<std::byte*>(mine.owned.data());
    std::memset(mine.data, 0, static_cast<std::size_t>(bytes));
  }
  mine.made = true;
  lay_out(argument);
  // The kernel is compiled for dense results.
  dense_strides(extents_.data() + first, a.rank, size, used_strides_.data() + first);
  mine.copied =
      mine.copied || !std::equal(strides_.begin() + static_cast<std::ptrdiff_t>(first),
                                 strides_.begin() + static_cast<std::ptrdiff_t>(first + a.rank),
                                 used_strides_.begin() + static_cast<std::ptrdiff_t>(first));
  if (mine.copied) {
    mine.copy = take_memory(bytes);
    mine.copy_bytes = bytes;
    mine.used = static_cast<std::byte*>(mine.copy.data());
    copy_elements({mine.used, used_strides_.data() + first}, {mine.data, strides_.data() + first},
                  extents_.data() + first, a.rank, ir::size_bytes(a.dtype));
  }
  return {mine.used, bounds_.data() + first, used_strides_.data() + first};
}

}  // namespace lathe::api
