// SPDX-License-Identifier: Apache-2.0
#pragma once
// What lathe/array.h declares, and the functions of arrays. Include lathe/array.h.

#include "lathe/array.h"

namespace lathe {
inline namespace v0 {

namespace detail {

// A request to lathe_lazy_apply, put together.
class Apply {
 public:
  Apply(const char* name, Here here) {
    raw_.size = sizeof raw_;
    raw_.name = name;
    raw_.place = here.raw();
  }
  Apply& with(std::initializer_list<const lathe_lazy*> operands) {
    operands_.assign(operands);
    return *this;
  }
  Apply& arrays(const std::vector<Array>& operands) {
    for (const Array& a : operands) operands_.push_back(a.get());
    return *this;
  }
  Apply& ints(std::vector<std::int64_t> v) {
    ints_ = std::move(v);
    return *this;
  }
  Apply& sizes(const Shape& shape) {
    sizes_ = shape;
    return *this;
  }
  Apply& reals(std::initializer_list<double> v) {
    reals_.assign(v);
    return *this;
  }
  Apply& text(const char* t) {
    raw_.text = t;
    return *this;
  }
  Apply& dtype(DType t) {
    raw_.has_dtype = 1;
    raw_.dtype = static_cast<lathe_dtype>(t);
    return *this;
  }
  Apply& index(const std::vector<Index>& items) {
    for (const Index& i : items) index_.push_back(i.raw());
    return *this;
  }
  Array make() {
    std::vector<const lathe_size*> sizes;
    for (const Size& s : sizes_) sizes.push_back(s.get());
    raw_.operands = operands_.data();
    raw_.operand_count = static_cast<std::int32_t>(operands_.size());
    raw_.ints = ints_.data();
    raw_.int_count = static_cast<std::int32_t>(ints_.size());
    raw_.sizes = sizes.data();
    raw_.size_count = static_cast<std::int32_t>(sizes.size());
    raw_.reals = reals_.data();
    raw_.real_count = static_cast<std::int32_t>(reals_.size());
    raw_.index = index_.data();
    raw_.index_count = static_cast<std::int32_t>(index_.size());
    lathe_lazy* made = nullptr;
    lathe_error* error = nullptr;
    check(lathe_lazy_apply(&raw_, &made, &error), error);
    return Array::adopt(made);
  }

 private:
  lathe_apply raw_{};
  std::vector<const lathe_lazy*> operands_;
  std::vector<std::int64_t> ints_;
  Shape sizes_;
  std::vector<double> reals_;
  std::vector<lathe_index> index_;
};

inline Array one(const char* name, const Operand& x) {
  return Apply(name, x.here()).with({x.get()}).make();
}
inline Array two(const char* name, const Operand& a, const Operand& b) {
  return Apply(name, a.here()).with({a.get(), b.get()}).make();
}

template <class T>
lathe_lazy* number(const T& x, bool weak) {
  const Value v("", x);
  lathe_lazy* made = nullptr;
  lathe_error* error = nullptr;
  check(lathe_lazy_number(&v, weak ? 1 : 0, &made, &error), error);
  return made;
}

}  // namespace detail

template <class T>
Operand::Operand(const T& x, Here here) : here_(here) {
  static_assert(kNumberOrArray<T>,
                "lathe: arrays can be combined with arrays, sizes and numbers, and nothing else");
  if constexpr (std::is_base_of_v<Array, T>) {
    handle_ = lathe_lazy_copy(x.get());
  } else if constexpr (std::is_same_v<T, Size>) {
    lathe_error* error = nullptr;
    detail::check(lathe_lazy_size(x.get(), &handle_, &error), error);
  } else if constexpr (std::is_arithmetic_v<T>) {
    handle_ = detail::number(x, true);
  }
}

template <class T>
requires(std::is_arithmetic_v<T> || std::is_same_v<T, Size>) Array::Array(const T& x, Here here)
    : handle_(lathe_lazy_copy(Operand(x, here).get())) {}

inline Index::Index(const Array& array)
    : kind_(LATHE_INDEX_ARRAY), array_(lathe_lazy_copy(array.get())) {}
inline Index::Index(const Index& other)
    : kind_(other.kind_),
      has_start_(other.has_start_),
      has_stop_(other.has_stop_),
      start_(other.start_),
      stop_(other.stop_),
      step_(other.step_),
      array_(other.array_ ? lathe_lazy_copy(other.array_) : nullptr) {}

// ---- Leaves.

inline Array input(const char* name, const Shape& shape, DType t, Here here = Here::now()) {
  std::vector<const lathe_size*> sizes;
  for (const Size& s : shape) sizes.push_back(s.get());
  lathe_lazy* made = nullptr;
  lathe_error* error = nullptr;
  detail::check(
      lathe_lazy_input(name, static_cast<lathe_dtype>(t), sizes.data(),
                       static_cast<std::int32_t>(sizes.size()), here.raw(), &made, &error),
      error);
  return Array::adopt(made);
}
template <Element T>
Array input(const char* name, const Shape& shape, Here here = Here::now()) {
  return input(name, shape, dtype_of<T>(), here);
}
template <Element T>
Array scalar(const char* name, Here here = Here::now()) {
  return input<T>(name, {}, here);
}
// A copy of the values.
inline Array array(const View& view, Here here = Here::now()) {
  const lathe_view raw = view.raw("");
  lathe_lazy* made = nullptr;
  lathe_error* error = nullptr;
  detail::check(lathe_lazy_data(&raw, LATHE_COPY, nullptr, nullptr, here.raw(), &made, &error),
                error);
  return Array::adopt(made);
}
namespace detail {
// Are there as many as a shape has elements? Without computing a product that may not fit.
inline bool fill(std::size_t count, const std::vector<std::int64_t>& shape) {
  for (std::int64_t length : shape)
    if (length == 0) return count == 0;
  for (std::int64_t length : shape) {
    if (length < 0 || count % static_cast<std::size_t>(length) != 0) return false;
    count /= static_cast<std::size_t>(length);
  }
  return count == 1;
}
}  // namespace detail
template <Element T>
Array array(const std::vector<T>& values, std::vector<std::int64_t> shape = {},
            Here here = Here::now()) {
  if (shape.empty()) shape = {static_cast<std::int64_t>(values.size())};
  if (!detail::fill(values.size(), shape)) {
    std::string text;
    for (std::int64_t length : shape) text += (text.empty() ? "" : ", ") + std::to_string(length);
    detail::refuse(
        here, Cause::Lengths,
        "array: " + detail::counted(static_cast<std::int64_t>(values.size()), "value", "values") +
            " cannot fill the shape (" + text + (shape.size() == 1 ? ",)" : ")"),
        "give as many values as the product of the lengths");
  }
  return array(View(values.data(), std::move(shape)), here);
}
// The values themselves, which must stay where they are as long as anything made of this does.
inline Array refer(const View& view, Here here = Here::now()) {
  const lathe_view raw = view.raw("");
  lathe_lazy* made = nullptr;
  lathe_error* error = nullptr;
  detail::check(lathe_lazy_data(&raw, LATHE_REFER, nullptr, nullptr, here.raw(), &made, &error),
                error);
  return Array::adopt(made);
}
inline Array arange(const Size& stop, Here here = Here::now()) {
  return detail::Apply("arange", here).sizes({0, stop, 1}).make();
}
inline Array arange(const Size& start, const Size& stop, std::int64_t step = 1,
                    Here here = Here::now()) {
  return detail::Apply("arange", here).sizes({start, stop, step}).make();
}
inline Array linspace(double start, double stop, const Size& count, bool endpoint = true,
                      Here here = Here::now()) {
  return detail::Apply("linspace", here)
      .reals({start, stop})
      .sizes({count})
      .ints({endpoint ? 1 : 0})
      .make();
}
inline Array full(const Shape& shape, const Operand& value) {
  return detail::Apply("full", value.here()).with({value.get()}).sizes(shape).make();
}
inline Array full(const Shape& shape, const Operand& value, DType t) {
  return detail::Apply("full", value.here()).with({value.get()}).sizes(shape).dtype(t).make();
}
inline Array zeros(const Shape& shape, DType t, Here here = Here::now()) {
  return full(shape, Operand(0, here), t);
}
template <Element T = double>
Array zeros(const Shape& shape, Here here = Here::now()) {
  return zeros(shape, dtype_of<T>(), here);
}
inline Array ones(const Shape& shape, DType t, Here here = Here::now()) {
  return full(shape, Operand(1, here), t);
}
template <Element T = double>
Array ones(const Shape& shape, Here here = Here::now()) {
  return ones(shape, dtype_of<T>(), here);
}
template <Element T = double>
Array eye(const Size& rows, const Size& columns, int diagonal = 0, Here here = Here::now()) {
  return detail::Apply("eye", here)
      .sizes({rows, columns})
      .ints({diagonal})
      .dtype(dtype_of<T>())
      .make();
}
template <Element T = double>
Array eye(const Size& n, Here here = Here::now()) {
  return eye<T>(n, n, 0, here);
}

// ---- Operators.

inline Array operator+(const Operand& a, const Operand& b) { return detail::two("add", a, b); }
inline Array operator-(const Operand& a, const Operand& b) { return detail::two("subtract", a, b); }
inline Array operator*(const Operand& a, const Operand& b) { return detail::two("multiply", a, b); }
inline Array operator/(const Operand& a, const Operand& b) { return detail::two("divide", a, b); }
inline Array operator%(const Operand& a, const Operand& b) {
  return detail::two("remainder", a, b);
}
inline Array operator-(const Operand& a) { return detail::one("negative", a); }
inline Array operator<(const Operand& a, const Operand& b) { return detail::two("less", a, b); }
inline Array operator<=(const Operand& a, const Operand& b) {
  return detail::two("less_equal", a, b);
}
inline Array operator>(const Operand& a, const Operand& b) { return detail::two("greater", a, b); }
inline Array operator>=(const Operand& a, const Operand& b) {
  return detail::two("greater_equal", a, b);
}
inline Array operator==(const Operand& a, const Operand& b) { return detail::two("equal", a, b); }
inline Array operator!=(const Operand& a, const Operand& b) {
  return detail::two("not_equal", a, b);
}
inline Array operator&(const Operand& a, const Operand& b) {
  return detail::two("bitwise_and", a, b);
}
inline Array operator|(const Operand& a, const Operand& b) {
  return detail::two("bitwise_or", a, b);
}
inline Array operator^(const Operand& a, const Operand& b) {
  return detail::two("bitwise_xor", a, b);
}
inline Array operator~(const Operand& a) { return detail::one("invert", a); }
inline Array& operator+=(Array& a, const Operand& b) { return a = Operand(a, b.here()) + b; }
inline Array& operator-=(Array& a, const Operand& b) { return a = Operand(a, b.here()) - b; }
inline Array& operator*=(Array& a, const Operand& b) { return a = Operand(a, b.here()) * b; }
inline Array& operator/=(Array& a, const Operand& b) { return a = Operand(a, b.here()) / b; }
inline Array& operator%=(Array& a, const Operand& b) { return a = Operand(a, b.here()) % b; }
inline Array& operator&=(Array& a, const Operand& b) { return a = Operand(a, b.here()) & b; }
inline Array& operator|=(Array& a, const Operand& b) { return a = Operand(a, b.here()) | b; }
inline Array& operator^=(Array& a, const Operand& b) { return a = Operand(a, b.here()) ^ b; }
// Templates, so that only those who print include the streams.
template <class Char>
std::basic_ostream<Char>& operator<<(std::basic_ostream<Char>& to, const Array& a) {
  std::string text = a.text();
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return to << text.c_str();
}
template <class Char>
std::basic_ostream<Char>& operator<<(std::basic_ostream<Char>& to, const Size& s) {
  return to << s.text().c_str();
}

// ---- Parts.

// A part of an array that may be assigned to, in the expression that names it: a(0) = 1. Parts of
// it are, too: a(0)(1) = 1. Kept in a variable it is an array like any other.
class Part : public Array {
 public:
  void operator=(const Operand& v) && { store("set", v); }
  Part& operator=(const Array& v) & {
    Array::operator=(v);
    return *this;
  }
  void operator=(const Part& v) && {
    store("set", Operand(static_cast<const Array&>(v), path_.back().here));
  }
  void operator+=(const Operand& v) && { store("set", Operand(self(v) + v, v.here())); }
  void operator-=(const Operand& v) && { store("set", Operand(self(v) - v, v.here())); }
  void operator*=(const Operand& v) && { store("set", Operand(self(v) * v, v.here())); }
  void operator/=(const Operand& v) && { store("set", Operand(self(v) / v, v.here())); }
  void operator%=(const Operand& v) && { store("set", Operand(self(v) % v, v.here())); }
  void operator&=(const Operand& v) && { store("set", Operand(self(v) & v, v.here())); }
  void operator|=(const Operand& v) && { store("set", Operand(self(v) | v, v.here())); }
  void operator^=(const Operand& v) && { store("set", Operand(self(v) ^ v, v.here())); }
  // Where an index comes several times, every value is added.
  void add(const Operand& v) && { store("add_at", v); }
  using Array::operator();
  Part operator()(const IndexHere& a, const IndexHere& b = {}, const IndexHere& c = {},
                  const IndexHere& d = {}, const IndexHere& e = {}, const IndexHere& f = {}) && {
    std::vector<Index> items = IndexHere::all({&a, &b, &c, &d, &e, &f});
    Array part = at(items, a.here());
    std::vector<Step> path = path_;
    path.push_back({std::move(items), a.here()});
    return Part(std::move(part), *whole_, std::move(path));
  }
  Part(const Part&) = default;
  Part(Part&&) = default;

 private:
  friend class Array;
  struct Step {
    std::vector<Index> index;
    Here here;  // where the part was named
  };
  Part(Array part, Array& whole, std::vector<Step> path)
      : Array(std::move(part)), whole_(&whole), path_(std::move(path)) {}
  // On the line of the other operand, which is the user's.
  Operand self(const Operand& v) const { return {static_cast<const Array&>(*this), v.here()}; }
  // What each step but the last takes; then all of them are put back, from the inside.
  void store(const char* how, const Operand& v) {
    std::vector<Array> taken{*whole_};
    for (std::size_t i = 0; i + 1 < path_.size(); ++i) {
      refuse_copy(path_[i]);
      taken.push_back(taken.back().at(path_[i].index, path_[i].here));
    }
    Array made = detail::Apply(how, v.here())
                     .with({taken.back().get(), v.get()})
                     .index(path_.back().index)
                     .make();
    for (std::size_t i = taken.size() - 1; i-- > 0;)
      made = taken[i].set(path_[i].index, made, path_[i].here);
    *whole_ = made;
  }
  static void refuse_copy(const Step& step) {
    for (const Index& i : step.index)
      if (i.raw().kind == LATHE_INDEX_ARRAY)
        detail::refuse(step.here, Cause::Index,
                       "set: what index arrays and masks take is a copy, and an assignment to a "
                       "part of it would change nothing",
                       "index once, a(rows, 2) = v");
  }
  Array* whole_;
  std::vector<Step> path_;
};

inline Array Array::at(const std::vector<Index>& index, Here here) const {
  return detail::Apply("index", here).with({handle_}).index(index).make();
}
inline Array Array::set(const std::vector<Index>& index, const Array& value, Here here) const {
  return detail::Apply("set", here).with({handle_, value.get()}).index(index).make();
}
inline Array Array::operator()(const IndexHere& a, const IndexHere& b, const IndexHere& c,
                               const IndexHere& d, const IndexHere& e, const IndexHere& f) const& {
  return at(IndexHere::all({&a, &b, &c, &d, &e, &f}), a.here());
}
inline Part Array::operator()(const IndexHere& a, const IndexHere& b, const IndexHere& c,
                              const IndexHere& d, const IndexHere& e, const IndexHere& f) & {
  std::vector<Index> items = IndexHere::all({&a, &b, &c, &d, &e, &f});
  Array part = at(items, a.here());
  return Part(std::move(part), *this, {{std::move(items), a.here()}});
}
inline Array Array::named(std::initializer_list<const char*> labels, Here here) const {
  lathe_lazy* made = nullptr;
  lathe_error* error = nullptr;
  detail::check(lathe_lazy_named(handle_, labels.begin(), static_cast<std::int32_t>(labels.size()),
                                 here.raw(), &made, &error),
                error);
  return Array::adopt(made);
}

}  // namespace v0
}  // namespace lathe

#include "lathe/array_eval.h"      // IWYU pragma: export
#include "lathe/array_linear.h"    // IWYU pragma: export
#include "lathe/array_maths.h"     // IWYU pragma: export
#include "lathe/array_standard.h"  // IWYU pragma: export
