// SPDX-License-Identifier: Apache-2.0
// The calls `searchsorted`, `searchsorted_right` and `contains`, on dense arrays where they lie and
// on dense copies of others.

#include <algorithm>
#include <cstring>

#include "api/call.h"
#include "api/compiled.h"
#include "api/frame.h"
#include "api/search_rows.h"
#include "api/strided.h"
#include "ir/calls.h"

namespace lathe::api {
namespace {

// An array as `strided.h` takes it, and where it lies one element behind the other.
struct DenseView {
  DenseView(const lathe_array& array, std::size_t rank, ir::DType t)
      : extents(rank), strides(rank), size(static_cast<std::int64_t>(ir::size_bytes(t))) {
    std::int64_t first = 0;
    for (std::size_t x = rank; x-- > 0;) {
      const lathe_axis& axis = array.axes[x];
      extents[x] = std::max<std::int64_t>(0, axis.hi - axis.lo);
      strides[x] = axis.stride * size;
      is_dense &= extents[x] <= 1 || axis.stride == count;
      first += axis.lo * axis.stride;
      count *= extents[x];
    }
    data = array.data + first * size;
    dense = data;
    if (is_dense || count == 0) return;
    copy = take_memory(count * size);
    dense = static_cast<char*>(copy.data());
  }

  Strided there() const { return {reinterpret_cast<std::byte*>(data), strides.data()}; }
  void move(bool to_dense) const {
    if (dense == data) return;
    std::vector<std::int64_t> steps(extents.size());
    dense_strides(extents.data(), extents.size(), size, steps.data());
    const Strided here{reinterpret_cast<std::byte*>(dense), steps.data()};
    copy_elements(to_dense ? here : there(), to_dense ? there() : here, extents.data(),
                  extents.size(), static_cast<std::size_t>(size));
  }
  DenseRow row() const { return {dense, count}; }

  std::vector<std::int64_t> extents, strides;
  std::int64_t size = 0, count = 1;
  bool is_dense = true;
  char *data = nullptr, *dense = nullptr;
  host::Block copy;
};

}  // namespace

// False: not such a call, or one that is wrong; the interpreter has the words for it.
bool Frame::search_in_memory(const emit::CallSlot& call) {
  const ir::CallInfo* info = ir::find_call(call.function.text());
  if (!info) return false;
  const bool contains = info->kind == ir::CallKind::Contains;
  const bool behind = info->kind == ir::CallKind::SearchsortedRight;
  if (!contains && !behind && info->kind != ir::CallKind::Searchsorted) return false;
  for (ir::Symbol input : call.inputs) {
    const ir::Array* declared = signature_.program().find_array(input);
    if (declared && declared->role == ir::Role::Const) return false;
  }
  const std::size_t in = slot_of(call.inputs[0]), values = slot_of(call.inputs[1]),
                    out = slot_of(call.outputs[0]);
  const emit::ArraySlot &a = variant_.code.arrays[in], &v = variant_.code.arrays[values],
                        &to = variant_.code.arrays[out];
  if (a.rank != 1 || a.dtype != v.dtype || v.rank != to.rank) return false;
  if (to.dtype != (contains ? ir::DType::Bool : ir::DType::I64)) return false;
  const DenseView row(arrays_[in], a.rank, a.dtype), wanted(arrays_[values], v.rank, v.dtype),
      result(arrays_[out], to.rank, to.dtype);
  if (result.extents != wanted.extents) return false;
  row.move(true);
  wanted.move(true);
  if (contains) {
    find_in_row(a.dtype, row.row(), wanted.row(), result.dense, options_.threads);
  } else {
    auto* const places = reinterpret_cast<std::int64_t*>(result.dense);
    search_row(a.dtype, behind, row.row(), wanted.row(), places, options_.threads);
    const std::int64_t first = arrays_[in].axes[0].lo;
    if (first != 0)
      for (std::int64_t i = 0; i < result.count; ++i) places[i] += first;
  }
  result.move(false);
  return true;
}

}  // namespace lathe::api
