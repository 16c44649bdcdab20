// SPDX-License-Identifier: Apache-2.0
// Binding marks the call dirty; the next run then checks and lays everything out again. A run of a
// clean call copies what must be copied, and starts the kernel.

#include "api/call.h"

#include <algorithm>
#include <chrono>

#include "api/strided.h"

namespace lathe::api {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

Call::Call(Compiled& compiled) : compiled_(compiled), signature_(compiled.signature()) {
  parameters_.resize(signature_.parameters().size());
  is_set_.resize(parameters_.size());
  is_stale_.resize(parameters_.size());
  arguments_.resize(signature_.arguments().size());
  const std::size_t axes = signature_.axis_count();
  for (std::vector<std::int64_t>* v : {&lo_, &extents_, &strides_, &used_strides_}) v->resize(axes);
  bounds_.resize(axes);
}

Call::~Call() = default;

void Call::prepare() {
  check_parameters();
  if (!bounds_known_) signature_.evaluate(parameters_.data(), bounds_.data());
  bounds_known_ = true;
  for (std::size_t n = 0; n < arguments_.size(); ++n) {
    if (info(n).computed) continue;
    if (arguments_[n].given)
      check_range(n);
    else
      own(n);
    lay_out(n);
  }
  find_overlaps();
  plan_copies();
  if (compiled_.is_interpreted()) return;
  const Variant& chosen = compiled_.ready_variant(choose_variant());
  if (variant_ != &chosen) {
    frame_ = std::make_unique<Frame>(signature_, chosen);
    variant_ = &chosen;
    frame_knows_ = false;
  }
  if (!frame_knows_) frame_->set_parameters(parameters_.data());
  frame_knows_ = true;
  for (std::size_t n = 0; n < arguments_.size(); ++n) {
    if (info(n).computed) continue;
    const std::size_t x = info(n).first_axis;
    frame_->set_argument(n, {arguments_[n].used, bounds_.data() + x, used_strides_.data() + x});
  }
}

// Footprint, and whether the kernel can take it as it lies.
void Call::lay_out(std::size_t argument) {
  const ArgumentInfo& a = info(argument);
  Argument& mine = arguments_[argument];
  const auto size = static_cast<std::int64_t>(ir::size_bytes(a.dtype));
  mine.copied =
      reinterpret_cast<std::uintptr_t>(mine.data) % static_cast<std::uintptr_t>(size) != 0;
  for (std::size_t x = a.first_axis; x < a.first_axis + a.rank; ++x) {
    // Nobody steps along an axis of one element.
    used_strides_[x] = extents_[x] > 1 ? strides_[x] : size;
    mine.copied = mine.copied || used_strides_[x] % size != 0;
  }
  mine.footprint = Footprint(mine.data, size, a.rank, extents_.data() + a.first_axis,
                             strides_.data() + a.first_axis);
  mine.used = mine.data;
}

VariantKey Call::choose_variant() const {
  VariantKey key;
  key.unit.reserve(arguments_.size());
  std::int64_t written = 0;
  for (std::size_t n = 0; n < arguments_.size(); ++n) {
    const ArgumentInfo& a = info(n);
    const auto size = static_cast<std::int64_t>(ir::size_bytes(a.dtype));
    key.unit.push_back(a.computed || a.rank == 0 ||
                       used_strides_[a.first_axis + a.rank - 1] == size);
    if (a.computed || a.role != ir::Role::Output) continue;
    std::int64_t bytes = size;
    for (std::size_t x = a.first_axis; x < a.first_axis + a.rank; ++x) bytes *= extents_[x];
    written = std::max(written, bytes);
  }
  key.stream = written >= compiled_.stream_from();
  key.sizes = compiled_.fixed_sizes(parameters_.data());
  return key;
}

void Call::plan_copies() {
  for (std::size_t n = 0; n < arguments_.size(); ++n) {
    Argument& mine = arguments_[n];
    const ArgumentInfo& a = info(n);
    if (a.computed) continue;
    if (!mine.copied) {
      mine.copy = {};
      continue;
    }
    mine.copy_bytes = dense_strides(extents_.data() + a.first_axis, a.rank,
                                    static_cast<std::int64_t>(ir::size_bytes(a.dtype)),
                                    used_strides_.data() + a.first_axis);
    if (!mine.copy || mine.copy.size() != mine.copy_bytes) mine.copy = take_memory(mine.copy_bytes);
    mine.used = static_cast<std::byte*>(mine.copy.data());
  }
}

// Outputs too: what the program does not write keeps what the caller has there.
void Call::copy_in() {
  for (std::size_t n = 0; n < arguments_.size(); ++n) {
    if (!arguments_[n].copied) continue;
    const std::size_t x = info(n).first_axis;
    copy_elements({arguments_[n].used, used_strides_.data() + x},
                  {arguments_[n].data, strides_.data() + x}, extents_.data() + x, info(n).rank,
                  ir::size_bytes(info(n).dtype));
  }
}

void Call::copy_out() {
  for (std::size_t n = 0; n < arguments_.size(); ++n) {
    if (!arguments_[n].copied || !info(n).is_written()) continue;
    const std::size_t x = info(n).first_axis;
    copy_elements({arguments_[n].data, strides_.data() + x},
                  {arguments_[n].used, used_strides_.data() + x}, extents_.data() + x, info(n).rank,
                  ir::size_bytes(info(n).dtype));
  }
}

Timing Call::run(const RunOptions& options, const Allocator* allocate) {
  if (has_stale_) drop_stale();
  if (dirty_) {
    // Sets and orders of large programs take seconds, and so do C compilers.
    const StopWhen stop(options.cancel,
                        options.cancellation ? &options.cancellation->flag() : nullptr);
    try {
      prepare();
    } catch (const Stopped&) {
      throw cancelled();
    }
    dirty_ = false;
  }
  if (!owns_results_ && !allocate) check_allocator();
  check_bools();
  if (compiled_.is_interpreted()) return interpret(options, allocate);
  return run_kernel(options, allocate);
}

Timing Call::run_kernel(const RunOptions& options, const Allocator* allocate) {
  for (std::size_t n = 0; n < arguments_.size(); ++n)
    if (info(n).computed) arguments_[n].copied = false;
  copy_in();
  auto make = [&](std::size_t argument, const AxisBounds* bounds) {
    return make_result(argument, bounds, allocate);
  };
  const MakeResult maker(make);
  const auto start = options.timed ? Clock::now() : Clock::time_point();
  const int status = frame_->call({options.threads, options.cancel, options.cancellation, &maker});
  Timing timing;
  if (options.timed) timing.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  timing.scratch = frame_->scratch_bytes();
  timing.scratch_unshared = frame_->unshared_bytes();
  for (const Argument& a : arguments_) timing.copied += a.copied ? a.copy_bytes : 0;
  if (status != LATHE_FINE)
    as_failure([&] {
      frame_->report_own(status);
      // A recipe does not know what the kernel's faults mean.
      frame_->report(variant_->recalled ? compiled_.variant(choose_variant()) : *variant_);
    });
  copy_out();
  return timing;
}

ArrayRef Call::array(std::size_t argument) const {
  const ArgumentInfo& a = info(argument);
  return {arguments_[argument].data,
          a.dtype,
          a.rank,
          lo_.data() + a.first_axis,
          extents_.data() + a.first_axis,
          strides_.data() + a.first_axis,
          arguments_[argument].read_only};
}

}  // namespace lathe::api
