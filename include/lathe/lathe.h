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

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "lathe/c.h"

namespace lathe {
inline namespace v0 {

enum class Code {
  Program = LATHE_ERROR_PROGRAM,
  Schedule = LATHE_ERROR_SCHEDULE,
  Argument = LATHE_ERROR_ARGUMENT,
  Run = LATHE_ERROR_RUN,
  Cancelled = LATHE_ERROR_CANCELLED,
  Memory = LATHE_ERROR_MEMORY,
  Compiler = LATHE_ERROR_COMPILER,
  Usage = LATHE_ERROR_USAGE,
  Internal = LATHE_ERROR_INTERNAL,
};

// what() is the whole report, with the source line and what to do.
class Error : public std::runtime_error {
 public:
  explicit Error(lathe_error* e)
      : std::runtime_error(lathe_error_text(e)),
        code_(static_cast<Code>(lathe_error_code(e))),
        message_(lathe_error_message(e)),
        json_(lathe_error_json(e)) {
    lathe_error_destroy(e);
  }

  Code code() const { return code_; }
  const std::string& message() const { return message_; }  // one sentence
  const std::string& json() const { return json_; }

 private:
  Code code_;
  std::string message_, json_;
};

namespace detail {
// By reference: the error is written while the other argument is evaluated.
inline void check(lathe_code code, lathe_error*& error) {
  if (code != LATHE_OK) throw Error(error);
}
}  // namespace detail

enum class DType {
  Bool = LATHE_BOOL,
  I8 = LATHE_I8,
  I16 = LATHE_I16,
  I32 = LATHE_I32,
  I64 = LATHE_I64,
  U8 = LATHE_U8,
  U16 = LATHE_U16,
  U32 = LATHE_U32,
  U64 = LATHE_U64,
  F16 = LATHE_F16,
  BF16 = LATHE_BF16,
  F32 = LATHE_F32,
  F64 = LATHE_F64,
};

enum class Role {
  Input = LATHE_INPUT,
  Output = LATHE_OUTPUT,
  InOut = LATHE_INOUT,
  State = LATHE_STATE,
};

template <class T>
concept Element = std::is_arithmetic_v<T> && sizeof(T) <= 8 && !std::is_same_v<T, wchar_t>;

template <Element T>
constexpr DType dtype_of() {
  if constexpr (std::is_same_v<T, bool>) return DType::Bool;
  if constexpr (std::is_same_v<T, float>) return DType::F32;
  if constexpr (std::is_same_v<T, double>) return DType::F64;
  constexpr int kLog = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
  return static_cast<DType>((std::is_signed_v<T> ? LATHE_I8 : LATHE_U8) + kLog);
}

// Somebody else's array. Row-major without gaps unless strides are given; index 0 first unless
// lower bounds are.
class View {
 public:
  using Numbers = std::vector<std::int64_t>;

  View() = default;
  template <Element T>
  View(T* data, Numbers shape) : View(dtype_of<T>(), data, std::move(shape)) {}
  template <Element T>
  View(const T* data, Numbers shape) : View(dtype_of<T>(), const_cast<T*>(data), std::move(shape)) {
    read_only_ = true;
  }
  View(DType dtype, void* data, Numbers shape)
      : data_(data), dtype_(dtype), shape_(std::move(shape)) {}
  explicit View(const lathe_view& v)
      : View(static_cast<DType>(v.dtype), v.data, Numbers(v.shape, v.shape + v.rank)) {
    if (v.lo) lo_.assign(v.lo, v.lo + v.rank);
    if (v.strides) strides_.assign(v.strides, v.strides + v.rank);
    read_only_ = v.read_only != 0;
  }

  // The index of the first element on each axis.
  View& from(Numbers lo) {
    lo_ = std::move(lo);
    return *this;
  }
  // From one element to the next on each axis, in bytes, of any sign.
  View& strided(Numbers bytes) {
    strides_ = std::move(bytes);
    return *this;
  }
  // Refused where the program writes.
  View& read_only() {
    read_only_ = true;
    return *this;
  }

  void* data() const { return data_; }
  template <Element T>
  T* data_as() const {
    if (dtype_of<T>() != dtype_) throw std::invalid_argument("the array has another dtype");
    return static_cast<T*>(data_);
  }
  DType dtype() const { return dtype_; }
  const Numbers& shape() const { return shape_; }
  const Numbers& lo() const { return lo_; }            // empty: all 0
  const Numbers& strides() const { return strides_; }  // empty: row-major without gaps

  // Refers to this view.
  lathe_view raw(const char* name) const {
    if ((!lo_.empty() && lo_.size() != shape_.size()) ||
        (!strides_.empty() && strides_.size() != shape_.size()))
      throw std::invalid_argument("a view needs as many lower bounds and strides as axes");
    return {name,
            data_,
            static_cast<lathe_dtype>(dtype_),
            static_cast<std::int32_t>(shape_.size()),
            lo_.empty() ? nullptr : lo_.data(),
            shape_.data(),
            strides_.empty() ? nullptr : strides_.data(),
            LATHE_HOST,
            read_only_ ? 1 : 0};
  }

 private:
  void* data_ = nullptr;
  DType dtype_ = DType::F64;
  Numbers shape_, lo_, strides_;
  bool read_only_ = false;
};

// A name and what it stands for: {"n", 100}, {"u", view}. For arguments: nothing is copied.
struct Value : lathe_value {
  template <class T>
  requires std::is_arithmetic_v<T> Value(const char* parameter, T value) : lathe_value{} {
    name = parameter;
    if constexpr (std::is_same_v<T, bool>) {
      dtype = LATHE_BOOL;
      as.i = value;
    } else if constexpr (std::is_floating_point_v<T>) {
      dtype = LATHE_F64;
      as.f = static_cast<double>(value);
    } else if constexpr (std::is_signed_v<T>) {
      dtype = LATHE_I64;
      as.i = value;
    } else {
      dtype = LATHE_U64;
      as.u = value;
    }
  }
};
struct Binding {
  const char* name;
  const View& view;
};

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
  // elements, without gaps, or null. `f` must live until the run is over.
  template <class F>
  RunOptions& allocate(F& f) {
    user_ = &f;
    allocate_ = [](void* user, lathe_view* v, std::int64_t*) -> int {
      v->data = (*static_cast<F*>(user))(std::string_view(v->name), View(*v));
      return v->data == nullptr;
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
    Timing timing{};
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
    Timing timing{};
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
  std::string schedule;  // the text of a lockfile; empty: default decisions
  bool checked = false;  // test every access while running; slow
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
        options.schedule.empty() ? nullptr : options.schedule.c_str(), options.checked ? 1 : 0};
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
