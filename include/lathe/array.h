// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lazy arrays for C++20: NumPy's functions on shapes that may be symbols, one fused kernel for all
// sizes. docs/arrays.md is the guide.
//
//   const lathe::Size n = lathe::size("n");
//   const lathe::Array A = lathe::input<double>("A", {n, n}), x = lathe::input<double>("x", {n});
//   const lathe::Array k = matmul(A, x), C = outer(sin(k), cos(k));
//   const lathe::Array value = C.eval({{"A", a_view}, {"x", x_view}});
//
// An Array is a value: it owns the graph that it stands for, copies share it, `auto` is always
// safe. Nothing is computed before eval(). What can be proved wrong throws lathe::Error at once,
// with the line of the caller (by __builtin_FILE and __builtin_LINE, which clang 14 has, too); the
// rest is found by eval() before anything runs.

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lathe/c_array.h"
#include "lathe/view.h"

namespace lathe {
inline namespace v0 {

class Array;

// The line that a message names.
struct Here {
  const char* file;
  int line;
  static constexpr Here now(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
  lathe_place raw() const { return {file, line}; }
};

namespace detail {
[[noreturn]] inline void refuse(Here here, Cause cause, const std::string& message,
                                const std::string& help) {
  throw Error(
      lathe_error_at(static_cast<lathe_kind>(cause), message.c_str(), help.c_str(), here.raw()));
}
inline std::string counted(std::int64_t n, const char* what, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? what : many);
}
}  // namespace detail

// The length of an axis: a number, a name, or arithmetic on those.
class Size {
 public:
  template <std::integral T = int>
  Size(T value = 0) : handle_(lathe_size_number(static_cast<std::int64_t>(value))) {}
  static Size adopt(lathe_size* handle) { return Size(handle, 0); }
  Size(const Size& other) : handle_(lathe_size_copy(other.handle_)) {}
  Size(Size&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Size& operator=(Size other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Size() { lathe_size_destroy(handle_); }

  std::string text() const { return lathe_size_text(handle_); }
  bool is_known() const { return lathe_size_value(handle_, nullptr) != 0; }
  // Of a number, or of an axis of an array that is there.
  std::int64_t value(Here here = Here::now()) const {
    std::int64_t v = 0;
    if (!lathe_size_value(handle_, &v))
      detail::refuse(here, Cause::Lengths, "the size " + text() + " is not known",
                     "sizes are known of arrays that have values: evaluate first");
    return v;
  }
  const lathe_size* get() const { return handle_; }

  friend Size operator-(const Size& a) { return apply("-", Size(0), a); }
  friend Size operator+(const Size& a, const Size& b) { return apply("+", a, b); }
  friend Size operator-(const Size& a, const Size& b) { return apply("-", a, b); }
  friend Size operator*(const Size& a, const Size& b) { return apply("*", a, b); }
  friend Size operator/(const Size& a, const Size& b) { return apply("//", a, b); }  // floored
  friend Size operator%(const Size& a, const Size& b) { return apply("%", a, b); }
  friend Size min(const Size& a, const Size& b) { return apply("min", a, b); }
  friend Size max(const Size& a, const Size& b) { return apply("max", a, b); }

 private:
  static Size apply(const char* op, const Size& a, const Size& b) {
    lathe_size* made = nullptr;
    lathe_error* error = nullptr;
    detail::check(lathe_size_apply(op, a.handle_, b.handle_, &made, &error), error);
    return adopt(made);
  }
  Size(lathe_size* adopted, int) : handle_(adopted) {}
  lathe_size* handle_;
};

inline Size size(const char* name) {
  lathe_size* made = nullptr;
  lathe_error* error = nullptr;
  detail::check(lathe_size_named(name, &made, &error), error);
  return Size::adopt(made);
}

using Shape = std::vector<Size>;

// What may stand beside an array.
template <class T>
inline constexpr bool kNumberOrArray =
    std::is_arithmetic_v<T> || std::is_base_of_v<Array, T> || std::is_same_v<T, Size>;

// What stands on either side of an operator: an array, a size or a number, and the line it is on.
class Operand {
 public:
  template <class T>
  Operand(const T& x, Here here = Here::now());  // NOLINT: meant to convert
  Operand(const Operand& other) : handle_(lathe_lazy_copy(other.handle_)), here_(other.here_) {}
  Operand& operator=(const Operand&) = delete;
  ~Operand() { lathe_lazy_destroy(handle_); }
  const lathe_lazy* get() const { return handle_; }
  Here here() const { return here_; }

 private:
  lathe_lazy* handle_ = nullptr;
  Here here_;
};

// One item of an index: a(0, all, range(1, -1), newaxis, rows).
struct Open {};
inline constexpr Open _{};  // an end of a range that is left open
struct All {};
inline constexpr All all_of_axis{};
struct NewAxis {};
inline constexpr NewAxis newaxis{};
struct Ellipsis {};
inline constexpr Ellipsis ellipsis{};

class Index {
 public:
  template <std::integral T>
  Index(T i) : kind_(LATHE_INDEX_INTEGER), start_(i) {
    has_start_ = true;
  }
  Index(const Size& i) : kind_(LATHE_INDEX_INTEGER), has_start_(true), start_(i) {}
  Index(All) : kind_(LATHE_INDEX_ALL) {}
  Index(Open) : kind_(LATHE_INDEX_ALL) {}
  Index(NewAxis) : kind_(LATHE_INDEX_NEW_AXIS) {}
  Index(Ellipsis) : kind_(LATHE_INDEX_ELLIPSIS) {}
  Index(const Array& array);
  Index(const Index& other);
  Index(Index&& other) noexcept
      : kind_(other.kind_),
        has_start_(other.has_start_),
        has_stop_(other.has_stop_),
        start_(std::move(other.start_)),
        stop_(std::move(other.stop_)),
        step_(other.step_),
        array_(std::exchange(other.array_, nullptr)) {}
  Index& operator=(const Index&) = delete;
  ~Index() { lathe_lazy_destroy(array_); }

  lathe_index raw() const {
    return {kind_, has_start_ ? start_.get() : nullptr, has_stop_ ? stop_.get() : nullptr, step_,
            array_};
  }

 private:
  friend Index range(const Size& start, const Size& stop, std::int64_t step);
  friend Index range(Open, const Size& stop, std::int64_t step);
  friend Index range(const Size& start, Open, std::int64_t step);
  friend Index range(Open, Open, std::int64_t step);
  Index(const Size* start, const Size* stop, std::int64_t step)
      : kind_(LATHE_INDEX_SLICE),
        has_start_(start != nullptr),
        has_stop_(stop != nullptr),
        start_(start ? *start : Size()),
        stop_(stop ? *stop : Size()),
        step_(step) {}

  lathe_index_kind kind_;
  bool has_start_ = false, has_stop_ = false;
  Size start_, stop_;
  std::int64_t step_ = 1;
  lathe_lazy* array_ = nullptr;
};
// start, stop, step as in Python; `_` leaves an end open.
inline Index range(const Size& start, const Size& stop, std::int64_t step = 1) {
  return {&start, &stop, step};
}
inline Index range(Open, const Size& stop, std::int64_t step = 1) { return {nullptr, &stop, step}; }
inline Index range(const Size& start, Open, std::int64_t step = 1) {
  return {&start, nullptr, step};
}
inline Index range(Open, Open, std::int64_t step = 1) { return {nullptr, nullptr, step}; }

// A value for eval(): {"A", view} or {"n", 5}.
class Given {
 public:
  Given(const char* name, const View& view) : name_(name), view_(view), is_view_(true) {}
  template <class T>
  requires std::is_arithmetic_v<T> Given(const char* name, T value)
      : name_(name), value_(name, value) {}

  // Apart, as C wants them.
  static void split(std::initializer_list<Given> given, std::vector<Value>& values,
                    std::vector<lathe_view>& views) {
    for (const Given& g : given) {
      if (g.is_view_)
        views.push_back(g.view_.raw(g.name_));
      else
        values.push_back(g.value_);
    }
  }

 private:
  const char* name_;
  Value value_{"", 0};
  View view_;
  bool is_view_ = false;
};

// An item of a(...), and the line it is on; or none.
class IndexHere {
 public:
  IndexHere() = default;
  template <std::convertible_to<Index> T>
  IndexHere(const T& item, Here here = Here::now())  // NOLINT: meant to convert
      : items_{Index(item)}, here_(here) {}
  // Those that are there.
  static std::vector<Index> all(std::initializer_list<const IndexHere*> given) {
    std::vector<Index> out;
    for (const IndexHere* one : given)
      for (const Index& item : one->items_) out.push_back(item);
    return out;
  }
  Here here() const { return here_; }

 private:
  std::vector<Index> items_;
  Here here_{"", 0};
};

class Part;

class Array {
 public:
  Array() : Array(0.0) {}
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_same_v<T, Size>)
      Array(const T& number, Here here = Here::now());
  static Array adopt(lathe_lazy* handle) { return Array(handle, 0); }
  Array(const Array& other) : handle_(lathe_lazy_copy(other.handle_)) {}
  Array(Array&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  // Of an array that stays: what an array that is const gives for c(0) is none of its own.
  Array& operator=(const Array& other) & {
    Array copy(other);
    std::swap(handle_, copy.handle_);
    return *this;
  }
  Array& operator=(Array&& other) & noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Array() { lathe_lazy_destroy(handle_); }

  DType dtype() const { return static_cast<DType>(lathe_lazy_dtype(handle_)); }
  int rank() const { return lathe_lazy_rank(handle_); }
  Size shape(int axis, Here here = Here::now()) const {
    lathe_size* s = lathe_lazy_axis(handle_, axis < 0 ? axis + rank() : axis);
    if (!s) refuse_axis("shape", axis, here);
    return Size::adopt(s);
  }
  Shape shape() const {
    Shape out;
    for (int a = 0; a < rank(); ++a) out.push_back(shape(a));
    return out;
  }
  std::string label(int axis) const { return lathe_lazy_label(handle_, axis); }

  // a(0, range(1, -1)): the part of an array. Of an array that is not const it can also be assigned
  // to, which makes this array one with other values there: a(0) = 1; a(_, 1) += b; a(0)(1) = 2;
  // (At most six; at() takes any number.)
  Array operator()(const IndexHere& a, const IndexHere& b = {}, const IndexHere& c = {},
                   const IndexHere& d = {}, const IndexHere& e = {},
                   const IndexHere& f = {}) const&;
  Part operator()(const IndexHere& a, const IndexHere& b = {}, const IndexHere& c = {},
                  const IndexHere& d = {}, const IndexHere& e = {}, const IndexHere& f = {}) &;
  Array at(const std::vector<Index>& index, Here here = Here::now()) const;
  Array set(const std::vector<Index>& index, const Array& value, Here here = Here::now()) const;

  // Keeps the values: one scalar for each place where it is used, or an array of its own.
  Array& pin() { return pinned(LATHE_PIN); }
  Array& pin_cse() { return pinned(LATHE_PIN_CSE); }
  Array named(std::initializer_list<const char*> labels, Here here = Here::now()) const;

  Array eval(std::initializer_list<Given> given = {}, int threads = 0,
             Here here = Here::now()) const;
  // Into memory of the caller, with any strides.
  void eval_into(const View& target, std::initializer_list<Given> given = {},
                 Here here = Here::now()) const;
  bool has_data() const { return lathe_lazy_has_data(handle_) != 0; }
  // Of an array with data; good as long as this one.
  View view(Here here = Here::now()) const;
  template <Element T>
  std::vector<T> to_vector(Here here = Here::now()) const;
  template <Element T>
  T item(Here here = Here::now()) const;  // of an array with data and one element
  [[noreturn]] void refuse_axis(const char* operation, std::int64_t axis, Here here) const {
    detail::refuse(here, Cause::Axis,
                   operation + (": there is no axis " + std::to_string(axis)) + ", the array has " +
                       detail::counted(rank(), "axis", "axes"),
                   "axes count from 0, or from -1 backwards");
  }

  std::string text() const { return report(LATHE_REPORT_VALUE); }
  std::string program() const { return report(LATHE_REPORT_PROGRAM); }
  std::string explain() const { return report(LATHE_REPORT_STORED); }
  std::string domain() const { return report(LATHE_REPORT_DOMAIN); }
  std::string listing() const { return report(LATHE_REPORT_LISTING); }

  // An array is no condition: it may hold many, and none is computed yet.
  template <class T = void>
  explicit operator bool() const {
    static_assert(!std::is_same_v<T, void>,
                  "a lazy array has no truth value: use any() or all(), then eval().item<bool>()");
    return false;
  }

  const lathe_lazy* get() const { return handle_; }

 private:
  std::string report(lathe_lazy_report what) const {
    char* text = nullptr;
    lathe_error* error = nullptr;
    const lathe_lazy* const self = handle_;
    detail::check(lathe_lazy_text(&self, 1, what, &text, &error), error);
    std::string out(text);
    lathe_text_destroy(text);
    return out;
  }
  Array& pinned(lathe_pin how) {
    lathe_lazy* made = nullptr;
    lathe_error* error = nullptr;
    detail::check(lathe_lazy_pin(handle_, how, &made, &error), error);
    *this = adopt(made);
    return *this;
  }
  Array(lathe_lazy* adopted, int) : handle_(adopted) {}
  lathe_lazy* handle_ = nullptr;
};

}  // namespace v0
}  // namespace lathe

#include "lathe/array_functions.h"  // IWYU pragma: export
