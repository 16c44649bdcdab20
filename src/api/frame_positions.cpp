// SPDX-License-Identifier: Apache-2.0
// The calls `nonzero_count` and `nonzero` on rows of bools where they lie.

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
  if (!ir::is_bool(from.dtype) || from.rank != 1 || to.dtype != ir::DType::I64) return false;
  if (to.rank != (counts ? 0U : 1U)) return false;
  const lathe_axis& x = arrays_[in].axes[0];
  const std::int64_t length = std::max<std::int64_t>(0, x.hi - x.lo);
  if (length > 1 && x.stride != 1) return false;
  const char* const bytes = arrays_[in].data + x.lo * x.stride;
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
