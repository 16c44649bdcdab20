// SPDX-License-Identifier: Apache-2.0
#pragma once
// One call of a compiled kernel: its context, scratch memory, and what went wrong.

#include <deque>
#include <vector>

#include "api/compiled.h"
#include "device/host/memory.h"
#include "emit/c/abi.h"

namespace lathe::api {

struct Compiled::Frame {
  Frame(const ir::Program& program, const Variant& variant, Arguments& arguments,
        const RunOptions& options);

  int call();
  // Throws the UserError that the status stands for.
  [[noreturn]] void report(int status);
  std::int64_t scratch_bytes() const { return scratch_bytes_; }

  static bool is_computed(const ir::Array& a);

 private:
  static Frame& of(lathe_context* c) { return *static_cast<Frame*>(c->host); }
  static void parallel(lathe_context*, lathe_body*, void*, lathe_int64, lathe_int64, lathe_int64);
  static char* thread_memory(lathe_context*, lathe_int64 bytes);
  static void thread_release(lathe_context*, char* memory);
  static lathe_int32 allocate(lathe_context*, lathe_int32 number, const lathe_int64* bounds);
  static lathe_int32 call_function(lathe_context*, lathe_int32 number);

  void set_array(std::size_t number, const ArrayView& view);
  ArrayView make_scratch(const emit::ArraySlot& slot, const std::vector<std::int64_t>& lo,
                         const std::vector<std::int64_t>& hi);
  std::int64_t evaluate(ir::Expr e) const;
  interp::Buffer copy_out(std::size_t number) const;
  void copy_in(std::size_t number, const interp::Buffer& buffer);
  std::size_t number_of(ir::Symbol array) const;

  const ir::Program& program_;
  const Variant& variant_;
  Arguments& arguments_;
  const RunOptions& options_;
  lathe_context context_ = {};
  std::vector<lathe_uint64> parameters_;
  std::vector<lathe_array> arrays_;
  std::vector<std::vector<lathe_axis>> axes_;
  std::deque<host::Block> blocks_;
  std::int64_t scratch_bytes_ = 0;
  std::exception_ptr failure_;  // thrown inside of a callback
};

}  // namespace lathe::api
