// SPDX-License-Identifier: Apache-2.0
// A call without a C compiler: the interpreter runs the program on copies of the arguments.

#include <algorithm>
#include <chrono>

#include "api/call.h"
#include "api/failure.h"
#include "api/strided.h"
#include "base/stop.h"

namespace lathe::api {
namespace {

std::vector<std::int64_t> strides_of(const interp::Buffer& b) {
  std::vector<std::int64_t> extents, strides(b.lo.size());
  for (std::size_t x = 0; x < b.lo.size(); ++x) extents.push_back(b.extent(x));
  dense_strides(extents.data(), extents.size(), static_cast<std::int64_t>(ir::size_bytes(b.dtype)),
                strides.data());
  return strides;
}

}  // namespace

interp::State Call::read_state() {
  interp::State state;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const ParameterInfo& p = signature_.parameters()[i];
    state.parameters[p.name] = {p.dtype, parameters_[i]};
  }
  for (std::size_t n = 0; n < arguments_.size(); ++n) {
    const ArgumentInfo& a = info(n);
    if (a.computed) continue;
    interp::Bounds bounds;
    for (std::size_t x = a.first_axis; x < a.first_axis + a.rank; ++x) {
      bounds.lo.push_back(bounds_[x].lo);
      bounds.hi.push_back(bounds_[x].hi);
    }
    interp::Buffer b = interp::make_buffer(*a.declared, bounds);
    const std::vector<std::int64_t> strides = strides_of(b);
    copy_elements({b.data.data(), strides.data()},
                  {arguments_[n].data, strides_.data() + a.first_axis},
                  extents_.data() + a.first_axis, a.rank, ir::size_bytes(a.dtype));
    state.arrays[a.name] = std::move(b);
  }
  return state;
}

void Call::write_back(interp::State& state, const Allocator* allocate) {
  for (std::size_t n = 0; n < arguments_.size(); ++n) {
    const ArgumentInfo& a = info(n);
    const auto found = state.arrays.find(a.name);
    if (!a.is_written() || found == state.arrays.end()) continue;
    interp::Buffer& b = found->second;
    if (a.computed) {
      std::vector<AxisBounds> bounds;
      for (std::size_t x = 0; x < a.rank; ++x)
        bounds.push_back({b.lo[x], std::max(b.lo[x], b.hi[x])});
      make_result(n, bounds.data(), allocate);
    }
    const std::vector<std::int64_t> strides = strides_of(b);
    copy_elements({arguments_[n].data, strides_.data() + a.first_axis},
                  {b.data.data(), strides.data()}, extents_.data() + a.first_axis, a.rank,
                  ir::size_bytes(a.dtype));
  }
}

Timing Call::interpret(const RunOptions& options, const Allocator* allocate) {
  interp::State state = read_state();
  const auto start = std::chrono::steady_clock::now();
  interp::Options how;
  how.checked = compiled_.options().checked;
  how.while_cap = compiled_.options().while_cap;
  as_failure([&] {
    const ir::Program& prepared = compiled_.prepared();  // takes the same lock
    const std::lock_guard lock(compiled_.graph_mutex());
    interp::Interpreter interpreter(prepared, state, how);
    const StopWhen stop(options.cancel,
                        options.cancellation ? &options.cancellation->flag() : nullptr);
    do {
      stop_if_asked();
    } while (interpreter.step());
  });
  Timing timing;
  timing.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  timing.interpreted = true;
  write_back(state, allocate);
  return timing;
}

}  // namespace lathe::api
