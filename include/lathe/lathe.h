// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lathe for C++20: handles over lathe/c.h, which has the contract in full. docs/api.md is the
// guide.
//
//   lathe::Program program = lathe::Program::from_text("scale.lathe", text);
//   lathe::Kernel kernel = program.compile();
//   kernel.run({{"n", n}}, {{"u", lathe::View(u.data(), {n})}, {"v", lathe::View(v.data(), {n})}});
//
// Handles are values: copies share what they stand for. Program and Kernel may be used by any
// number of threads at once, a Call by one at a time. Whatever fails throws lathe::Error.

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lathe/c.h"
#include "lathe/view.h"

namespace lathe {
inline namespace v0 {

// Stops calls that were given it, from another thread.
class Cancel {
 public:
  Cancel() : handle_(lathe_cancel_create(), lathe_cancel_destroy) {}
  void request() const { lathe_cancel_request(handle_.get()); }
  void reset() const { lathe_cancel_reset(handle_.get()); }
  const lathe_cancel* get() const { return handle_.get(); }

 private:
  std::shared_ptr<lathe_cancel> handle_;
};

using Timing = lathe_timing;

struct RunOptions {
  int threads = 0;  // 0: all that the process may use
  const Cancel* cancel = nullptr;

  // For results whose range the program computes: f(name, view) returns memory for that many
  // elements, without gaps, or null. `f` must not throw, and live until the run is over.
  template <class F>
  RunOptions& allocate(F& f) {
    user_ = &f;
    allocate_ = [](void* user, lathe_view* v, std::int64_t*) -> int {
      v->data = (*static_cast<F*>(user))(std::string_view(v->name), View(*v));
      return 0;
    };
    return *this;
  }

  lathe_run_options raw() const {
    return {sizeof(lathe_run_options), threads, cancel ? cancel->get() : nullptr, allocate_, user_};
  }

 private:
  lathe_allocator* allocate_ = nullptr;
  void* user_ = nullptr;
};

// A call whose arguments stay bound. Keeps its kernel alive. Movable, not copyable.
class Call {
 public:
  template <class T>
  Call& set(const char* name, T value) {
    const Value v(name, value);
    lathe_error* error = nullptr;
    detail::check(lathe_call_set(handle_.get(), &v, &error), error);
    return *this;
  }
  Call& bind(const char* name, const View& view) {
    const lathe_view raw = view.raw(name);
    lathe_error* error = nullptr;
    detail::check(lathe_call_bind(handle_.get(), &raw, &error), error);
    return *this;
  }
  Timing run(const RunOptions& options = {}) {
    const lathe_run_options raw = options.raw();
    Timing timing = {};
    timing.size = sizeof timing;
    lathe_error* error = nullptr;
    detail::check(lathe_call_run(handle_.get(), &raw, &timing, &error), error);
    return timing;
  }
  // Where an array lies after a run; good until the next run or binding.
  View array(const char* name) const {
    lathe_view raw{};
    lathe_error* error = nullptr;
    detail::check(lathe_call_view(handle_.get(), name, &raw, &error), error);
    return View(raw);
  }

 private:
  friend class Kernel;
  Call(std::shared_ptr<lathe_kernel> kernel, lathe_call* call)
      : kernel_(std::move(kernel)), handle_(call) {}
  struct Destroy {
    void operator()(lathe_call* c) const { lathe_call_destroy(c); }
  };

  std::shared_ptr<lathe_kernel> kernel_;  // destroyed after the call
  std::unique_ptr<lathe_call, Destroy> handle_;
};

class Kernel {
 public:
  // One call with all arguments. All arrays but computed ones must be given.
  Timing run(std::initializer_list<Value> values, std::initializer_list<Binding> arrays,
             const RunOptions& options = {}) const {
    return run(std::span(values.begin(), values.size()), std::span(arrays.begin(), arrays.size()),
               options);
  }
  Timing run(std::span<const Value> values, std::span<const Binding> arrays,
             const RunOptions& options = {}) const {
    constexpr std::size_t kFew = 8;
    lathe_view few[kFew];
    std::vector<lathe_view> many(arrays.size() > kFew ? arrays.size() : 0);
    lathe_view* views = many.empty() ? few : many.data();
    for (std::size_t i = 0; i < arrays.size(); ++i) views[i] = arrays[i].view.raw(arrays[i].name);
    static_assert(sizeof(Value) == sizeof(lathe_value));
    const lathe_run_options raw = options.raw();
    Timing timing = {};
    timing.size = sizeof timing;
    lathe_error* error = nullptr;
    detail::check(lathe_run(handle_.get(), values.data(), static_cast<std::int32_t>(values.size()),
                            views, static_cast<std::int32_t>(arrays.size()), &raw, &timing, &error),
                  error);
    return timing;
  }
  // Bind once, run often.
  Call call() const {
    lathe_call* made = nullptr;
    lathe_error* error = nullptr;
    detail::check(lathe_call_create(handle_.get(), &made, &error), error);
    return Call(handle_, made);
  }
  // Makes machine code for dense arrays now instead of at the first call.
  void prepare() const {
    lathe_error* error = nullptr;
    detail::check(lathe_kernel_prepare(handle_.get(), &error), error);
  }
  std::string schedule() const { return text(lathe_kernel_schedule); }  // a lockfile
  std::string c_source() const { return text(lathe_kernel_c_source); }

 private:
  friend class Program;
  explicit Kernel(lathe_kernel* kernel) : handle_(kernel, lathe_kernel_destroy) {}
  std::string text(lathe_code (*get)(lathe_kernel*, const char**, lathe_error**)) const {
    const char* found = nullptr;
    lathe_error* error = nullptr;
    detail::check(get(handle_.get(), &found, &error), error);
    return found;
  }

  std::shared_ptr<lathe_kernel> handle_;
};

struct CompileOptions {
  std::string schedule;        // the text of a lockfile; empty: default decisions
  bool checked = false;        // test ranges, unwritten reads, double writes; slow
  bool interpret = false;      // run in the interpreter, as if there were no C compiler; slow
  std::int64_t while_cap = 0;  // rounds that a while may take before it is an error; 0: 2^31
};

struct Region {
  std::vector<std::int64_t> lo, shape;
  friend bool operator==(const Region&, const Region&) = default;
};

class Program {
 public:
  static Program from_text(const std::string& file_name, std::string_view text) {
    lathe_program* made = nullptr;
    lathe_error* error = nullptr;
    detail::check(
        lathe_program_from_text(file_name.c_str(), text.data(), text.size(), &made, &error), error);
    return Program(made);
  }

  std::string name() const { return lathe_program_name(handle_.get()); }
  std::string text() const { return lathe_program_text(handle_.get()); }  // in its normal form
  std::vector<lathe_parameter_info> parameters() const {
    std::vector<lathe_parameter_info> out;
    for (std::int32_t i = 0; i < lathe_program_parameter_count(handle_.get()); ++i)
      out.push_back(lathe_program_parameter(handle_.get(), i));
    return out;
  }
  std::vector<lathe_array_info> arrays() const {
    std::vector<lathe_array_info> out;
    for (std::int32_t i = 0; i < lathe_program_array_count(handle_.get()); ++i)
      out.push_back(lathe_program_array(handle_.get(), i));
    return out;
  }

  Kernel compile(const CompileOptions& options = {}) const {
    const lathe_compile_options raw = {
        sizeof(lathe_compile_options),
        options.schedule.empty() ? nullptr : options.schedule.c_str(), options.checked ? 1 : 0,
        options.interpret ? 1 : 0, options.while_cap};
    lathe_kernel* made = nullptr;
    lathe_error* error = nullptr;
    detail::check(lathe_compile(handle_.get(), &raw, &made, &error), error);
    return Kernel(made);
  }

  // The part of `input` that must be there before a call so that `region` of `output` is right
  // after it: an upper bound. False when nothing of it is needed.
  bool required(const char* output, const Region& region, std::initializer_list<Value> values,
                const char* input, Region& out) const {
    lathe_view wanted{};
    wanted.name = output;
    wanted.rank = static_cast<std::int32_t>(region.shape.size());
    wanted.lo = region.lo.empty() ? nullptr : region.lo.data();
    wanted.shape = region.shape.data();
    std::size_t rank = 0;
    for (const lathe_array_info& a : arrays())
      if (std::string_view(a.name) == input) rank = static_cast<std::size_t>(a.rank);
    out.lo.assign(rank, 0);
    out.shape.assign(rank, 0);
    std::int32_t needed = 0;
    lathe_error* error = nullptr;
    detail::check(lathe_program_required(handle_.get(), &wanted, values.begin(),
                                         static_cast<std::int32_t>(values.size()), input,
                                         out.lo.data(), out.shape.data(), &needed, &error),
                  error);
    return needed != 0;
  }

 private:
  friend class Builder;
  explicit Program(lathe_program* program) : handle_(program, lathe_program_destroy) {}

  std::shared_ptr<lathe_program> handle_;
};

// A program piece by piece; ranges and statements are Lathe text. Mistakes are told by build().
class Builder {
 public:
  explicit Builder(const std::string& program_name)
      : handle_(lathe_builder_create(program_name.c_str())) {
    if (!handle_) throw std::bad_alloc();
  }

  Builder& size(const std::string& name) {
    lathe_builder_size(handle_.get(), name.c_str());
    return *this;
  }
  Builder& parameter(const std::string& name, DType dtype) {
    lathe_builder_parameter(handle_.get(), name.c_str(), static_cast<lathe_dtype>(dtype));
    return *this;
  }
  // ranges: "i: n, j: -1..m+1", or "" for a scalar.
  Builder& array(Role role, const std::string& name, DType dtype, const std::string& ranges) {
    lathe_builder_array(handle_.get(), static_cast<lathe_role>(role), name.c_str(),
                        static_cast<lathe_dtype>(dtype), ranges.c_str());
    return *this;
  }
  Builder& temporary(const std::string& name, DType dtype, const std::string& ranges) {
    lathe_builder_temporary(handle_.get(), name.c_str(), static_cast<lathe_dtype>(dtype),
                            ranges.c_str());
    return *this;
  }
  Builder& statement(const std::string& text) {
    lathe_builder_statement(handle_.get(), text.c_str());
    return *this;
  }
  Program build() const {
    lathe_program* made = nullptr;
    lathe_error* error = nullptr;
    detail::check(lathe_build(handle_.get(), &made, &error), error);
    return Program(made);
  }

 private:
  struct Destroy {
    void operator()(lathe_builder* b) const { lathe_builder_destroy(b); }
  };
  std::unique_ptr<lathe_builder, Destroy> handle_;
};

}  // namespace v0
}  // namespace lathe
