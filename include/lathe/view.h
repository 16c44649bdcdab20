// SPDX-License-Identifier: Apache-2.0
#pragma once
// Errors, element types, arrays and values: what the handles of lathe.h are given and give back.

#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>
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

// What sort of mistake, where callers treat some apart.
enum class Cause {
  Other = LATHE_KIND_OTHER,
  DType = LATHE_KIND_DTYPE,
  Index = LATHE_KIND_INDEX,
  Axis = LATHE_KIND_AXIS,
  Number = LATHE_KIND_NUMBER,
  Lengths = LATHE_KIND_LENGTHS,
  Matrix = LATHE_KIND_MATRIX,
  Division = LATHE_KIND_DIVISION,
  Power = LATHE_KIND_POWER,
  Symbol = LATHE_KIND_SYMBOL,
  Value = LATHE_KIND_VALUE,
  Assertion = LATHE_KIND_ASSERTION,
};

// what() is the whole report, with the source line and what to do.
class Error : public std::runtime_error {
 public:
  explicit Error(lathe_error* e)
      : std::runtime_error(lathe_error_text(e)),
        code_(static_cast<Code>(lathe_error_code(e))),
        cause_(static_cast<Cause>(lathe_error_kind(e))),
        message_(lathe_error_message(e)),
        json_(lathe_error_json(e)) {
    lathe_error_destroy(e);
  }

  Code code() const { return code_; }
  Cause cause() const { return cause_; }
  const std::string& message() const { return message_; }  // one sentence
  const std::string& json() const { return json_; }

 private:
  Code code_;
  Cause cause_;
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

}  // namespace v0
}  // namespace lathe
