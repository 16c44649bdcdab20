// SPDX-License-Identifier: Apache-2.0
// Calls of linear algebra: matrices side by side, shared among threads. What is computed is what
// the interpreter computes.

#include <algorithm>
#include <exception>
#include <mutex>

#include "api/compiled.h"
#include "api/frame.h"
#include "device/host/pool.h"
#include "interp/float_mode.h"
#include "interp/linear.h"
#include "ir/calls.h"

namespace lathe::api {
namespace {

struct LinearWork {
  const interp::LinearBatch& batch;
  const std::atomic<bool>*cancel, *cancellation;  // either may be null
  std::byte* results;
  std::mutex mutex;
  std::exception_ptr first;  // of the first matrix that has no result
  std::int64_t failed = -1;

  static void run(void* context, std::int64_t lo, std::int64_t hi) {
    LinearWork& w = *static_cast<LinearWork*>(context);
    const interp::FloatMode mode;
    const StopWhen stop(w.cancel, w.cancellation);
    for (std::int64_t i = lo; i < hi; ++i) {
      try {
        w.batch.run(i, w.results);
      } catch (...) {
        const std::lock_guard lock(w.mutex);
        if (w.failed >= 0 && w.failed < i) continue;
        w.failed = i;
        w.first = std::current_exception();
      }
    }
  }
};

}  // namespace

bool Frame::linear_in_memory(const emit::CallSlot& slot) {
  const ir::CallInfo* info = ir::find_call(slot.function.text());
  if (!info || !interp::is_linear(info->kind)) return false;
  const auto whole = [&](ir::Symbol name) {
    const ir::Array* declared = signature_.program().find_array(name);
    const bool table = declared && declared->role == ir::Role::Const;
    return table ? constant(*declared) : read_whole(slot_of(name));
  };
  const interp::Buffer a = whole(slot.inputs[0]);
  interp::Buffer b;
  if (slot.inputs.size() > 1) b = whole(slot.inputs[1]);
  ir::Call call;
  call.function = slot.function;
  call.inputs = slot.inputs;
  const interp::LinearBatch batch =
      interp::linear_batch(info->kind, call, a, slot.inputs.size() > 1 ? &b : nullptr);
  const std::size_t out = slot_of(slot.outputs[0]);
  std::vector<std::int64_t> lo, hi;
  for (std::size_t x = 0; x < variant_.code.arrays[out].rank; ++x) {
    lo.push_back(arrays_[out].axes[x].lo);
    hi.push_back(arrays_[out].axes[x].hi);
  }
  interp::Buffer results = interp::make_buffer(a.dtype, lo, hi);
  if (results.element_count() != batch.count * batch.result) return false;  // it has the words
  LinearWork work{batch,
                  options_.cancel,
                  options_.cancellation ? &options_.cancellation->flag() : nullptr,
                  results.data.data(),
                  {},
                  {},
                  -1};
  host::Pool::shared().parallel(LinearWork::run, &work, 0, batch.count, 1, options_.threads);
  if (work.first) std::rethrow_exception(work.first);
  write_whole(out, results);
  return true;
}

}  // namespace lathe::api
