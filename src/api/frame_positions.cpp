// SPDX-License-Identifier: Apache-2.0
// The calls `nonzero_count` and `nonzero` on bools, where they lie or on a copy side by side.

#include <algorithm>
#include <cstring>

#include "api/compiled.h"
#include "api/frame.h"
#include "api/positions.h"
#include "ir/calls.h"

namespace lathe::api {

// False: not such a call, another kind of array, or one that is wrong; the interpreter takes all.
bool Frame::find_in_memory(const emit::CallSlot& call) {
  const ir::CallInfo* info = ir::find_call(call.function.text());
  const bool counts = info && info->kind == ir::CallKind::NonzeroCount;
  if (!info || (info->kind != ir::CallKind::Nonzero && !counts)) return false;
  const ir::Array* declared = signature_.program().find_array(call.inputs[0]);
  if (declared && declared->role == ir::Role::Const) return false;
  const std::size_t in = slot_of(call.inputs[0]), out = slot_of(call.outputs[0]);
  const emit::ArraySlot &from = variant_.code.arrays[in], &to = variant_.code.arrays[out];
  if (!ir::is_bool(from.dtype) || from.rank == 0 || to.dtype != ir::DType::I64) return false;
  if (to.rank != (counts ? 0U : 1U)) return false;
  std::int64_t length = 1, first = 0;
  bool dense = true;
  for (std::size_t k = from.rank; k-- > 0;) {
    const lathe_axis& x = arrays_[in].axes[k];
    const std::int64_t extent = std::max<std::int64_t>(0, x.hi - x.lo);
    dense &= extent <= 1 || x.stride == length;
    first += x.lo * x.stride;
    length *= extent;
  }
  interp::Buffer copy;
  if (!dense && length > 0) copy = read_whole(in);
  const char* const bytes =
      dense ? arrays_[in].data + first : reinterpret_cast<const char*>(copy.data.data());
  const std::int64_t found = count_nonzero(bytes, length, options_.threads);
  if (counts) {
    std::memcpy(arrays_[out].data, &found, sizeof found);
    return true;
  }
  const lathe_axis& y = arrays_[out].axes[0];
  if (y.hi - y.lo != found || (found > 1 && y.stride != 1)) return false;
  if (found == 0) return true;
  find_nonzero(bytes, length, reinterpret_cast<std::int64_t*>(arrays_[out].data) + y.lo * y.stride,
               found, options_.threads);
  return true;
}

}  // namespace lathe::api
