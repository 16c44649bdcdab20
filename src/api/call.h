// SPDX-License-Identifier: Apache-2.0
#pragma once
// A call of a compiled program: arguments bound once, run as often as wanted.
//
//   Call call(compiled);
//   call.set(0, n);
//   call.bind(0, u);
//   call.run();            // checks, prepares, runs
//   call.run();            // runs
//
// What the kernel cannot take as it is - elements that are not aligned, an input that shares memory
// with something that is written - is copied, at each run. Several calls of one Compiled may run at
// once; one Call is used by one thread at a time.

#include <memory>
#include <vector>

#include "api/compiled.h"
#include "api/failure.h"
#include "api/frame.h"
#include "api/overlap.h"
#include "api/take_memory.h"
#include "base/stop.h"

namespace lathe::api {

// An array as the caller has it: element [x...] lies at data + sum((x - lo) * stride).
struct ArrayRef {
  std::byte* data = nullptr;
  ir::DType dtype = ir::DType::F64;
  std::size_t rank = 0;
  const std::int64_t* lo = nullptr;       // null: all 0
  const std::int64_t* extents = nullptr;  // one per axis
  const std::int64_t* strides = nullptr;  // in bytes, of any sign; null: row-major, dense
  bool read_only = false;
};

// Gives memory for a result whose extents the program computed: fills in data and, if it wants
// others than dense ones, strides. False: there is none.
using Allocator = FunctionRef<bool(std::size_t argument, ArrayRef& array, std::int64_t* strides)>;

inline Failure cancelled() { return Failure(FailureKind::Cancelled, "the call was cancelled"); }

// Runs f; what it says is wrong with the program is a Failure.
template <class F>
void as_failure(F&& f) {
  try {
    f();
  } catch (const Failure&) {
    throw;
  } catch (const Stopped&) {
    throw cancelled();
  } catch (const UserError& e) {
    throw Failure(FailureKind::Program, e.diagnostic());
  }
}

// What any value of a size must be, and what is said where a parameter has none.
void check_size(const ParameterInfo& p, ir::Scalar value);
[[noreturn]] void refuse_missing(const ParameterInfo& p);

class Call {
 public:
  explicit Call(Compiled& compiled);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // Both throw UserError for what can never be right, and change nothing then.
  void set(std::size_t parameter, ir::Scalar value);
  void bind(std::size_t argument, const ArrayRef& array);
  void unbind(std::size_t argument);
  // The elements of a bound argument lie elsewhere from now on, in the same layout, in memory that
  // no other argument shares.
  void move_to(std::size_t argument, std::byte* data);
  // What is not given again before the next run is missing then. What is given again as it was
  // costs nothing: nothing is checked or laid out twice.
  void start_over();
  bool has_copies() const;

  // Outputs and states that are not bound are made and kept by the call: zeros at first, and from
  // then on what the runs leave there. Otherwise they are missing.
  void own_results(bool yes) { owns_results_ = yes; }

  // Throws UserError; nothing is written when a call is refused. `allocate` may be null: such
  // results are the call's own then.
  Timing run(const RunOptions& options = {}, const Allocator* allocate = nullptr);

  // Where an argument lies: bound, owned, or made by the last run. Valid until the next run or
  // binding, if exists().
  ArrayRef array(std::size_t argument) const;
  bool exists(std::size_t argument) const {
    return arguments_[argument].given || arguments_[argument].made;
  }

 private:
  struct Argument {
    std::byte* data = nullptr;  // as given, owned or made; null: nothing yet
    bool given = false, read_only = false;
    bool made = false;    // by this call, or for it
    bool stale = false;   // from before start_over()
    bool copied = false;  // for the kernel's sake
    std::byte* used = nullptr;
    Footprint footprint;
    host::Block owned, copy;
    std::int64_t copy_bytes = 0;
  };

  const ArgumentInfo& info(std::size_t argument) const { return signature_.arguments()[argument]; }
  void prepare();
  void drop_stale();
  bool is_bound_to(std::size_t argument, const ArrayRef& array) const;
  bool is_laid_out_as(std::size_t argument, const ArrayRef& array) const;
  void check_parameters() const;
  void check_allocator() const;
  void check_range(std::size_t argument) const;
  void own(std::size_t argument);
  void lay_out(std::size_t argument);
  void find_overlaps();
  void plan_copies();
  VariantKey choose_variant() const;
  void copy_in();
  void copy_out();
  void check_bools() const;
  Placed make_result(std::size_t argument, const AxisBounds* bounds, const Allocator* allocate);
  Timing run_kernel(const RunOptions& options, const Allocator* allocate);
  Timing interpret(const RunOptions& options, const Allocator* allocate);
  interp::State read_state();
  void write_back(interp::State& state, const Allocator* allocate);

  Compiled& compiled_;
  const Signature& signature_;
  bool owns_results_ = false;
  bool dirty_ = true;
  bool has_stale_ = false;
  // Do bounds_ and frame_ follow from parameters_ as they are?
  bool bounds_known_ = false, frame_knows_ = false;
  std::vector<std::uint64_t> parameters_;
  std::vector<std::uint8_t> is_set_, is_stale_;  // per parameter
  std::vector<Argument> arguments_;
  // Per axis of all arguments: as given, as declared, and as the kernel sees it.
  std::vector<std::int64_t> lo_, extents_, strides_, used_strides_;
  std::vector<AxisBounds> bounds_;
  const Variant* variant_ = nullptr;
  std::unique_ptr<Frame> frame_;
};

}  // namespace lathe::api
