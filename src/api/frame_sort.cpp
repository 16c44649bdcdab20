// SPDX-License-Identifier: Apache-2.0
// The calls `sort` and `argsort` on arrays where they lie. Rows are independent: many of them are
// shared among threads, a single one is sorted by several.

#include <algorithm>

#include "api/compiled.h"
#include "api/failure.h"
#include "api/frame.h"
#include "api/sort_rows.h"
#include "base/quoted.h"
#include "device/host/pool.h"
#include "ir/calls.h"

namespace lathe::api {
namespace {

struct Sorting {
  ir::DType dtype;
  bool positions;
  const lathe_array &from, &to;
  std::size_t rank;
  std::int64_t from_size, to_size;  // bytes of an element

  std::int64_t extent(std::size_t x) const { return from.axes[x].hi - from.axes[x].lo; }

  SortedRow row(std::int64_t number) const {
    SortedRow r;
    std::int64_t at = 0, to_at = 0;  // elements
    for (std::size_t x = rank; x-- > 0;) {
      std::int64_t i = 0;
      if (x + 1 < rank) {
        i = number % extent(x);
        number /= extent(x);
      }
      at += (from.axes[x].lo + i) * from.axes[x].stride;
      to_at += (to.axes[x].lo + i) * to.axes[x].stride;
    }
    const std::size_t last = rank - 1;
    r.from = from.data + at * from_size;
    r.from_step = from.axes[last].stride * from_size;
    r.to = to.data + to_at * to_size;
    r.to_step = to.axes[last].stride * to_size;
    r.length = extent(last);
    return r;
  }

  void sort(std::int64_t number, int with) const {
    positions ? argsort_row(dtype, row(number), with) : sort_row(dtype, row(number), with);
  }

  static void run(void* context, std::int64_t lo, std::int64_t hi) {
    const Sorting& s = *static_cast<const Sorting*>(context);
    for (std::int64_t n = lo; n < hi; ++n) s.sort(n, 1);
  }
};

}  // namespace

// False: not such a call, or one that is wrong; the interpreter has the words for it.
bool Frame::sort_in_memory(const emit::CallSlot& call) {
  const ir::CallInfo* info = ir::find_call(call.function.text());
  const bool positions = info && info->kind == ir::CallKind::Argsort;
  if (!info || (info->kind != ir::CallKind::Sort && !positions)) return false;
  const ir::Array* declared = signature_.program().find_array(call.inputs[0]);
  if (declared && declared->role == ir::Role::Const) return false;
  const std::size_t in = slot_of(call.inputs[0]), out = slot_of(call.outputs[0]);
  const emit::ArraySlot &from = variant_.code.arrays[in], &to = variant_.code.arrays[out];
  if (from.rank == 0 || from.rank != to.rank) return false;
  if (to.dtype != (positions ? ir::DType::I64 : from.dtype)) return false;
  std::int64_t rows = 1;
  for (std::size_t x = 0; x < from.rank; ++x) {
    const lathe_axis &a = arrays_[in].axes[x], &b = arrays_[out].axes[x];
    if (a.hi - a.lo != b.hi - b.lo) return false;
    if (a.hi <= a.lo) return true;
    if (x + 1 < from.rank) rows *= a.hi - a.lo;
  }
  Sorting sorting{from.dtype,
                  positions,
                  arrays_[in],
                  arrays_[out],
                  from.rank,
                  static_cast<std::int64_t>(ir::size_bytes(from.dtype)),
                  static_cast<std::int64_t>(ir::size_bytes(to.dtype))};
  if (rows == 1) {
    sorting.sort(0, options_.threads);
    return true;
  }
  const host::Parallel done =
      host::Pool::shared().parallel(Sorting::run, &sorting, 0, rows, 1, options_.threads);
  if (done == host::Parallel::Threw)
    throw Failure(FailureKind::NoMemory, "not enough memory to sort " + quoted(from.name));
  return true;
}

}  // namespace lathe::api
