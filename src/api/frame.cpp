// SPDX-License-Identifier: Apache-2.0
// What changes from call to call is written into arrays that exist; a call allocates nothing but
// its scratch memory, in one piece.

#include "api/frame.h"

#include <algorithm>

#include "api/compiled.h"
#include "api/failure.h"
#include "api/thread_arena.h"
#include "base/checked.h"
#include "base/quoted.h"
#include "device/host/float_mode.h"
#include "device/host/pool.h"

namespace lathe::api {
namespace {

constexpr std::int64_t kAlignment = 64;  // of each scratch buffer

UserError too_large(ir::Symbol name) {
  return UserError("temporary " + quoted(name) + " does not fit in 64 bits of address", {},
                   "use smaller sizes");
}

}  // namespace

Frame::Frame(const Signature& signature, const Variant& variant)
    : signature_(signature), variant_(variant), plan_(*variant.plan) {
  parameters_.resize(signature.parameters().size());
  arrays_.resize(plan_.slots.size());
  begins_.resize(plan_.slots.size());
  axes_.resize(plan_.axis_count);
  offsets_.resize(plan_.scratch.size());
  context_.parallel = parallel;
  context_.thread_memory = thread_memory;
  context_.thread_release = thread_release;
  context_.allocate = allocate;
  context_.call = call_function;
  context_.host = this;
}

void Frame::set_parameters(const std::uint64_t* bits) {
  for (std::size_t i = 0; i < parameters_.size(); ++i) parameters_[i] = bits[i];
  plan_scratch();
}

// `data` is that of the element at the lower bounds; the kernel wants that of index 0.
void Frame::place(std::size_t slot, char* data, std::int64_t element_size) {
  const lathe_axis* axes = axes_of(slot);
  for (std::size_t x = 0; x < plan_.slots[slot].rank; ++x)
    data -= axes[x].lo * axes[x].stride * element_size;
  begins_[slot] = data;
  arrays_[slot] = {data, axes_of(slot)};
}

void Frame::set_argument(std::size_t argument, const Placed& where) {
  const auto size =
      static_cast<std::int64_t>(ir::size_bytes(signature_.arguments()[argument].dtype));
  for (std::size_t n = 0; n < plan_.slots.size(); ++n) {
    if (plan_.slots[n].argument != argument) continue;
    lathe_axis* axes = axes_of(n);
    for (std::size_t x = 0; x < plan_.slots[n].rank; ++x)
      axes[x] = {where.bounds[x].lo, where.bounds[x].hi, where.strides[x] / size};
    place(n, reinterpret_cast<char*>(where.data), size);
    return;
  }
}

void Frame::plan_scratch() {
  arena_bytes_ = unshared_bytes_ = 0;
  if (plan_.scratch.empty()) return;
  AxisBounds few[8];
  std::vector<AxisBounds> many;
  std::vector<std::int64_t> places(plan_.place_count);
  for (const ScratchBuffer& s : plan_.scratch) {
    const std::size_t rank = s.order.size();
    AxisBounds* bounds = few;
    if (rank > std::size(few)) {
      many.resize(rank);
      bounds = many.data();
    }
    plan_.evaluate(s, signature_, parameters_.data(), bounds);
    lathe_axis* axes = axes_of(s.slot);
    CheckedInt elements = 1;
    for (std::size_t k = rank; k-- > 0;) {
      const std::size_t x = s.order[k];
      const std::int64_t hi = std::max(bounds[x].lo, bounds[x].hi);
      axes[x] = {bounds[x].lo, hi, elements ? *elements : 0};
      elements = checked_mul(elements, checked_sub(hi, bounds[x].lo));
    }
    CheckedInt bytes = checked_mul(elements, CheckedInt(s.element_size));
    bytes = checked_add(bytes, CheckedInt(kAlignment - 1));
    const CheckedInt all = checked_add(bytes, CheckedInt(unshared_bytes_));
    if (!all) throw too_large(s.as_array.name);
    if (!s.place) continue;
    const std::int64_t rounded = *bytes / kAlignment * kAlignment;
    unshared_bytes_ += rounded;
    places[*s.place] = std::max(places[*s.place], rounded);
  }
  for (std::int64_t& p : places) {
    const std::int64_t bytes = p;
    p = arena_bytes_;
    arena_bytes_ += bytes;
  }
  for (std::size_t i = 0; i < plan_.scratch.size(); ++i)
    offsets_[i] = plan_.scratch[i].place ? places[*plan_.scratch[i].place] : 0;
}

int Frame::call(const CallOptions& options) {
  options_ = options;
  if (options.cancel && options.cancel->load(std::memory_order_relaxed)) return LATHE_CANCELLED;
  failure_ = nullptr;
  allocated_bytes_ = 0;
  host::Block arena;
  if (!plan_.scratch.empty()) {
    host::Allocation a = host::MemoryPool::shared().allocate(arena_bytes_);
    if (a.error) {
      failure_ = std::make_exception_ptr(Failure(FailureKind::NoMemory, *a.error));
      return LATHE_NO_MEMORY;
    }
    arena = std::move(a.block);
    for (std::size_t i = 0; i < plan_.scratch.size(); ++i)
      place(plan_.scratch[i].slot, static_cast<char*>(arena.data()) + offsets_[i],
            plan_.scratch[i].element_size);
  }
  for (std::size_t n = 0; n < arrays_.size(); ++n) arrays_[n] = {begins_[n], axes_of(n)};
  context_.parameters = parameters_.data();
  context_.arrays = arrays_.data();
  context_.status = LATHE_FINE;
  ThreadArena& memory = ThreadArena::of_this_thread();
  const ThreadArena::Mark mark = memory.mark();
  int status = LATHE_FINE;
  {
    const Cancellation::Watch watch(options.cancellation, &context_.status, LATHE_CANCELLED);
    const host::FloatModeGuard mode;
    status = variant_.entry(&context_);
  }
  memory.release_to(mark);
  blocks_.clear();
  return status;
}

void Frame::parallel(lathe_context* c, lathe_body* body, void* environment, lathe_int64 lo,
                     lathe_int64 hi, lathe_int64 grain) {
  Frame& f = of(c);
  // A body that faults leaves without giving its memory back.
  struct Work {
    lathe_body* body;
    void* environment;
    static void run(void* context, std::int64_t from, std::int64_t to) {
      const Work& w = *static_cast<const Work*>(context);
      ThreadArena& memory = ThreadArena::of_this_thread();
      const ThreadArena::Mark mark = memory.mark();
      w.body(w.environment, from, to);
      memory.release_to(mark);
    }
  } work{body, environment};
  // One thread needs no pool, and computes as Frame::call has set it already.
  if (f.options_.threads == 1 && !f.options_.cancel) {
    if (lo < hi) Work::run(&work, lo, hi);
    return;
  }
  const host::Parallel done =
      host::Pool::shared().parallel(Work::run, &work, lo, hi, std::max<lathe_int64>(1, grain),
                                    f.options_.threads, f.options_.cancel);
  if (done == host::Parallel::Done) return;
  lathe_int32 expected = 0;
  __atomic_compare_exchange_n(&c->status, &expected, LATHE_CANCELLED, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
}

char* Frame::thread_memory(lathe_context*, lathe_int64 bytes) {
  return ThreadArena::of_this_thread().take(bytes);
}

void Frame::thread_release(lathe_context*, char* memory) {
  ThreadArena::of_this_thread().release(memory);
}

lathe_int32 Frame::allocate(lathe_context* c, lathe_int32 number, const lathe_int64* bounds) {
  Frame& f = of(c);
  const auto n = static_cast<std::size_t>(number);
  const SlotPlan& slot = f.plan_.slots[n];
  std::vector<AxisBounds> ranges(slot.rank);
  for (std::size_t x = 0; x < slot.rank; ++x)
    ranges[x] = {bounds[2 * x], std::max(bounds[2 * x], bounds[2 * x + 1])};
  try {
    if (slot.argument)
      f.set_argument(*slot.argument, (*f.options_.make_result)(*slot.argument, ranges.data()));
    else
      f.make_temporary(n, ranges.data());
    return 0;
  } catch (...) {
    f.failure_ = std::current_exception();
    return LATHE_NO_MEMORY;
  }
}

void Frame::make_temporary(std::size_t slot, const AxisBounds* bounds) {
  const emit::ArraySlot& wanted = variant_.code.arrays[slot];
  const auto size = static_cast<std::int64_t>(ir::size_bytes(wanted.dtype));
  const std::vector<std::size_t> order = memory_order(wanted);
  lathe_axis* axes = axes_of(slot);
  CheckedInt elements = 1;
  for (std::size_t k = order.size(); k-- > 0;) {
    const std::size_t x = order[k];
    axes[x] = {bounds[x].lo, bounds[x].hi, elements ? *elements : 0};
    elements = checked_mul(elements, checked_sub(bounds[x].hi, bounds[x].lo));
  }
  const CheckedInt bytes = checked_mul(elements, CheckedInt(size));
  if (!bytes) throw too_large(wanted.name);
  host::Allocation a = host::MemoryPool::shared().allocate(*bytes);
  if (a.error) throw Failure(FailureKind::NoMemory, *a.error);
  blocks_.push_back(std::move(a.block));
  allocated_bytes_ += *bytes;
  place(slot, static_cast<char*>(blocks_.back().data()), size);
}

std::size_t Frame::slot_of(ir::Symbol array) const {
  for (std::size_t n = 0; n < arrays_.size(); ++n)
    if (variant_.code.arrays[n].name == array) return n;
  internal_error("an array of the kernel");
}

}  // namespace lathe::api
