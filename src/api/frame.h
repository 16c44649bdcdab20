// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernel's side of a call: its context, its scratch memory, what it asks of its host, and what
// went wrong. A frame may be used for one call after another; never for two at once.

#include <atomic>
#include <exception>
#include <vector>

#include "api/cancellation.h"
#include "api/plan.h"
#include "base/function_ref.h"
#include "device/host/memory.h"
#include "emit/c/abi.h"
#include "interp/interpreter.h"

namespace lathe::api {

struct Variant;

// An array in memory as the kernel takes it: aligned, strides in whole elements.
struct Placed {
  std::byte* data = nullptr;  // of element [lo...]
  const AxisBounds* bounds = nullptr;
  const std::int64_t* strides = nullptr;  // in bytes
};

// Makes a result whose extents the program has computed: (argument, bounds) -> where it lies.
using MakeResult = FunctionRef<Placed(std::size_t argument, const AxisBounds* bounds)>;

struct CallOptions {
  int threads = 0;  // 0: all
  const std::atomic<bool>* cancel = nullptr;
  Cancellation* cancellation = nullptr;
  const MakeResult* make_result = nullptr;
};

class Frame {
 public:
  Frame(const Signature& signature, const Variant& variant);
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  // What every call has until it is set again. Parameters are copied; they decide about the scratch
  // memory, which is planned here.
  void set_parameters(const std::uint64_t* bits);
  void set_argument(std::size_t argument, const Placed& where);

  // LATHE_FINE or another status of abi.h.
  int call(const CallOptions& options);
  // Throws what the status of the last call stands for, unless it is a fault of the kernel.
  void report_own(int status) const;
  // Throws the UserError of the kernel's fault. `full`: the kernel with all that it says about its
  // faults.
  [[noreturn]] void report(const Variant& full) const;

  // Of the last call, whole temporaries: as they lie, and as they would each on their own.
  std::int64_t scratch_bytes() const { return arena_bytes_ + allocated_bytes_; }
  std::int64_t unshared_bytes() const { return unshared_bytes_ + allocated_bytes_; }

 private:
  static Frame& of(lathe_context* c) { return *static_cast<Frame*>(c->host); }
  static void parallel(lathe_context*, lathe_body*, void*, lathe_int64, lathe_int64, lathe_int64);
  static char* thread_memory(lathe_context*, lathe_int64 bytes);
  static void thread_release(lathe_context*, char* memory);
  static lathe_int32 allocate(lathe_context*, lathe_int32 number, const lathe_int64* bounds);
  static lathe_int32 call_function(lathe_context*, lathe_int32 number);

  lathe_axis* axes_of(std::size_t slot) { return axes_.data() + plan_.slots[slot].first_axis; }
  const lathe_axis* axes_of(std::size_t slot) const {
    return axes_.data() + plan_.slots[slot].first_axis;
  }
  void place(std::size_t slot, char* data, std::int64_t element_size);
  void plan_scratch();
  void make_temporary(std::size_t slot, const AxisBounds* bounds);
  void perform(const emit::CallSlot& call);
  bool sort_in_memory(const emit::CallSlot& call);
  bool find_in_memory(const emit::CallSlot& call);
  bool search_in_memory(const emit::CallSlot& call);
  bool linear_in_memory(const emit::CallSlot& call);
  interp::Buffer read_whole(std::size_t slot) const;
  void write_whole(std::size_t slot, const interp::Buffer& buffer);
  std::size_t slot_of(ir::Symbol array) const;
  interp::Buffer constant(const ir::Array& array) const;

  const Signature& signature_;
  const Variant& variant_;
  const CallPlan& plan_;
  CallOptions options_;
  lathe_context context_ = {};
  std::vector<lathe_uint64> parameters_;
  std::vector<lathe_array> arrays_;
  std::vector<char*> begins_;  // arrays_[n].data as it is before a call: rotations move it
  std::vector<lathe_axis> axes_;
  std::vector<std::int64_t> offsets_;  // of scratch buffers in the arena
  std::int64_t arena_bytes_ = 0, unshared_bytes_ = 0, allocated_bytes_ = 0;
  std::vector<host::Block> blocks_;  // what was allocated while the call ran
  std::exception_ptr failure_;       // thrown inside of a callback
};

}  // namespace lathe::api
