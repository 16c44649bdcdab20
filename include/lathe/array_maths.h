// SPDX-License-Identifier: Apache-2.0
#pragma once
// Functions of arrays, by NumPy's names. Include lathe/array.h.

#include "lathe/array.h"

namespace lathe {
inline namespace v0 {

// Axes of a reduction: one, several, or (default) all.
class Axes {
 public:
  Axes() = default;
  Axes(int axis) : given_(true), axes_{axis} {}
  Axes(std::initializer_list<int> axes) : given_(true), axes_(axes.begin(), axes.end()) {}
  std::vector<std::int64_t> ints(bool keepdims) const {
    std::vector<std::int64_t> out{keepdims ? 1 : 0, given_ ? 1 : 0};
    out.insert(out.end(), axes_.begin(), axes_.end());
    return out;
  }

 private:
  bool given_ = false;
  std::vector<std::int64_t> axes_;
};

// ---- Elementwise.

inline Array sqrt(const Operand& x) { return detail::one("sqrt", x); }
inline Array rsqrt(const Operand& x) { return detail::one("rsqrt", x); }
inline Array cbrt(const Operand& x) { return detail::one("cbrt", x); }
inline Array exp(const Operand& x) { return detail::one("exp", x); }
inline Array exp2(const Operand& x) { return detail::one("exp2", x); }
inline Array expm1(const Operand& x) { return detail::one("expm1", x); }
inline Array log(const Operand& x) { return detail::one("log", x); }
inline Array log2(const Operand& x) { return detail::one("log2", x); }
inline Array log10(const Operand& x) { return detail::one("log10", x); }
inline Array log1p(const Operand& x) { return detail::one("log1p", x); }
inline Array sin(const Operand& x) { return detail::one("sin", x); }
inline Array cos(const Operand& x) { return detail::one("cos", x); }
inline Array tan(const Operand& x) { return detail::one("tan", x); }
inline Array arcsin(const Operand& x) { return detail::one("arcsin", x); }
inline Array arccos(const Operand& x) { return detail::one("arccos", x); }
inline Array arctan(const Operand& x) { return detail::one("arctan", x); }
inline Array sinh(const Operand& x) { return detail::one("sinh", x); }
inline Array cosh(const Operand& x) { return detail::one("cosh", x); }
inline Array tanh(const Operand& x) { return detail::one("tanh", x); }
inline Array arcsinh(const Operand& x) { return detail::one("arcsinh", x); }
inline Array arccosh(const Operand& x) { return detail::one("arccosh", x); }
inline Array arctanh(const Operand& x) { return detail::one("arctanh", x); }
inline Array erf(const Operand& x) { return detail::one("erf", x); }
inline Array erfc(const Operand& x) { return detail::one("erfc", x); }
inline Array gamma(const Operand& x) { return detail::one("gamma", x); }
inline Array lgamma(const Operand& x) { return detail::one("lgamma", x); }
inline Array floor(const Operand& x) { return detail::one("floor", x); }
inline Array ceil(const Operand& x) { return detail::one("ceil", x); }
inline Array trunc(const Operand& x) { return detail::one("trunc", x); }
inline Array rint(const Operand& x) { return detail::one("rint", x); }
inline Array isnan(const Operand& x) { return detail::one("isnan", x); }
inline Array isinf(const Operand& x) { return detail::one("isinf", x); }
inline Array isfinite(const Operand& x) { return detail::one("isfinite", x); }
inline Array square(const Operand& x) { return detail::one("square", x); }
inline Array sign(const Operand& x) { return detail::one("sign", x); }
inline Array reciprocal(const Operand& x) { return detail::one("reciprocal", x); }
inline Array logical_not(const Operand& x) { return detail::one("logical_not", x); }
inline Array absolute(const Operand& x) { return detail::one("absolute", x); }
inline Array abs(const Operand& x) { return detail::one("absolute", x); }
inline Array minimum(const Operand& a, const Operand& b) { return detail::two("minimum", a, b); }
inline Array maximum(const Operand& a, const Operand& b) { return detail::two("maximum", a, b); }
inline Array fmin(const Operand& a, const Operand& b) { return detail::two("fmin", a, b); }
inline Array fmax(const Operand& a, const Operand& b) { return detail::two("fmax", a, b); }
inline Array power(const Operand& a, const Operand& b) { return detail::two("power", a, b); }
inline Array floor_divide(const Operand& a, const Operand& b) {
  return detail::two("floor_divide", a, b);
}
inline Array fmod(const Operand& a, const Operand& b) { return detail::two("fmod", a, b); }
inline Array arctan2(const Operand& a, const Operand& b) { return detail::two("arctan2", a, b); }
inline Array copysign(const Operand& a, const Operand& b) { return detail::two("copysign", a, b); }
inline Array hypot(const Operand& a, const Operand& b) { return detail::two("hypot", a, b); }
inline Array logaddexp(const Operand& a, const Operand& b) {
  return detail::two("logaddexp", a, b);
}
inline Array logical_and(const Operand& a, const Operand& b) {
  return detail::two("logical_and", a, b);
}
inline Array logical_or(const Operand& a, const Operand& b) {
  return detail::two("logical_or", a, b);
}
inline Array logical_xor(const Operand& a, const Operand& b) {
  return detail::two("logical_xor", a, b);
}
inline Array left_shift(const Operand& a, const Operand& b) {
  return detail::two("left_shift", a, b);
}
inline Array right_shift(const Operand& a, const Operand& b) {
  return detail::two("right_shift", a, b);
}
inline Array matmul(const Operand& a, const Operand& b) { return detail::two("matmul", a, b); }
inline Array dot(const Operand& a, const Operand& b) { return detail::two("dot", a, b); }
inline Array outer(const Operand& a, const Operand& b) { return detail::two("outer", a, b); }
inline Array inner(const Operand& a, const Operand& b) { return detail::two("inner", a, b); }
inline Array vecdot(const Operand& a, const Operand& b, std::int64_t axis = -1) {
  return detail::Apply("vecdot", a.here()).with({a.get(), b.get()}).ints({axis}).make();
}
inline Array searchsorted(const Operand& a, const Operand& b) {
  return detail::two("searchsorted", a, b);
}
inline Array pow(const Operand& a, const Operand& b) { return detail::two("power", a, b); }
inline Array where(const Operand& condition, const Operand& a, const Operand& b) {
  return detail::Apply("where", condition.here()).with({condition.get(), a.get(), b.get()}).make();
}
inline Array clip(const Operand& x, const Operand& low, const Operand& high) {
  return detail::Apply("clip", x.here()).with({x.get(), low.get(), high.get()}).make();
}
// With one bound alone: clip(x, _, 1).
inline Array clip(const Operand& x, Open, const Operand& high) {
  return detail::Apply("clip", x.here()).with({x.get(), high.get()}).ints({0, 1}).make();
}
inline Array clip(const Operand& x, const Operand& low, Open) {
  return detail::Apply("clip", x.here()).with({x.get(), low.get()}).ints({1, 0}).make();
}
inline Array round(const Operand& x, int decimals = 0) {
  return detail::Apply("round", x.here()).with({x.get()}).ints({decimals}).make();
}
inline Array astype(const Operand& x, DType t) {
  return detail::Apply("astype", x.here()).with({x.get()}).dtype(t).make();
}
template <Element T>
Array astype(const Operand& x) {
  return astype(x, dtype_of<T>());
}

// ---- Reductions and scans.

inline Array sum(const Operand& x, const Axes& axes = {}, bool keepdims = false) {
  return detail::Apply("sum", x.here()).with({x.get()}).ints(axes.ints(keepdims)).make();
}
inline Array prod(const Operand& x, const Axes& axes = {}, bool keepdims = false) {
  return detail::Apply("prod", x.here()).with({x.get()}).ints(axes.ints(keepdims)).make();
}
// With a dtype of their own: elements are converted first.
inline Array sum(const Operand& x, const Axes& axes, bool keepdims, DType t) {
  return detail::Apply("sum", x.here()).with({x.get()}).ints(axes.ints(keepdims)).dtype(t).make();
}
inline Array prod(const Operand& x, const Axes& axes, bool keepdims, DType t) {
  return detail::Apply("prod", x.here()).with({x.get()}).ints(axes.ints(keepdims)).dtype(t).make();
}
inline Array min(const Operand& x, const Axes& axes = {}, bool keepdims = false) {
  return detail::Apply("min", x.here()).with({x.get()}).ints(axes.ints(keepdims)).make();
}
inline Array max(const Operand& x, const Axes& axes = {}, bool keepdims = false) {
  return detail::Apply("max", x.here()).with({x.get()}).ints(axes.ints(keepdims)).make();
}
inline Array mean(const Operand& x, const Axes& axes = {}, bool keepdims = false) {
  return detail::Apply("mean", x.here()).with({x.get()}).ints(axes.ints(keepdims)).make();
}
inline Array any(const Operand& x, const Axes& axes = {}, bool keepdims = false) {
  return detail::Apply("any", x.here()).with({x.get()}).ints(axes.ints(keepdims)).make();
}
inline Array all(const Operand& x, const Axes& axes = {}, bool keepdims = false) {
  return detail::Apply("all", x.here()).with({x.get()}).ints(axes.ints(keepdims)).make();
}
inline Array argmin(const Operand& x, const Axes& axes = {}, bool keepdims = false) {
  return detail::Apply("argmin", x.here()).with({x.get()}).ints(axes.ints(keepdims)).make();
}
inline Array argmax(const Operand& x, const Axes& axes = {}, bool keepdims = false) {
  return detail::Apply("argmax", x.here()).with({x.get()}).ints(axes.ints(keepdims)).make();
}
inline Array count_nonzero(const Operand& x, const Axes& axes = {}, bool keepdims = false) {
  return detail::Apply("count_nonzero", x.here()).with({x.get()}).ints(axes.ints(keepdims)).make();
}
inline Array var(const Operand& x, const Axes& axes = {}, bool keepdims = false,
                 double correction = 0) {
  return detail::Apply("var", x.here())
      .with({x.get()})
      .ints(axes.ints(keepdims))
      .reals({correction})
      .make();
}
inline Array stddev(const Operand& x, const Axes& axes = {}, bool keepdims = false,
                    double correction = 0) {
  return detail::Apply("std", x.here())
      .with({x.get()})
      .ints(axes.ints(keepdims))
      .reals({correction})
      .make();
}
inline Array cumsum(const Operand& x, int axis, bool exclusive = false) {
  return detail::Apply("cumsum", x.here())
      .with({x.get()})
      .ints({1, axis, exclusive ? 1 : 0})
      .make();
}
inline Array cumprod(const Operand& x, int axis, bool exclusive = false) {
  return detail::Apply("cumprod", x.here())
      .with({x.get()})
      .ints({1, axis, exclusive ? 1 : 0})
      .make();
}
// Of all elements, one after another.
inline Array cumsum(const Operand& x) {
  return detail::Apply("cumsum", x.here()).with({x.get()}).ints({0, 0, 0}).make();
}
inline Array cumprod(const Operand& x) {
  return detail::Apply("cumprod", x.here()).with({x.get()}).ints({0, 0, 0}).make();
}
// The largest and the least element so far along an axis.
inline Array cummax(const Operand& x, int axis) {
  return detail::Apply("cummax", x.here()).with({x.get()}).ints({axis}).make();
}
inline Array cummin(const Operand& x, int axis) {
  return detail::Apply("cummin", x.here()).with({x.get()}).ints({axis}).make();
}
// y[i] = a[i] * y[i - 1] + b[i] along an axis, from 0.
inline Array linear_recurrence(const Operand& a, const Operand& b, int axis = -1) {
  return detail::Apply("linear_recurrence", a.here()).with({a.get(), b.get()}).ints({axis}).make();
}

// ---- Contractions.

inline Array einsum(const char* text, const std::vector<Array>& operands, Here here = Here::now()) {
  return detail::Apply("einsum", here).arrays(operands).text(text).make();
}
inline Array tensordot(const Operand& a, const Operand& b, const std::vector<int>& of_a,
                       const std::vector<int>& of_b) {
  std::vector<std::int64_t> ints{static_cast<std::int64_t>(of_a.size())};
  ints.insert(ints.end(), of_a.begin(), of_a.end());
  ints.insert(ints.end(), of_b.begin(), of_b.end());
  return detail::Apply("tensordot", a.here()).with({a.get(), b.get()}).ints(ints).make();
}

// ---- Shapes.

enum class Layout { C, Fortran };
inline Array reshape(const Operand& x, const Shape& shape, Layout layout = Layout::C) {
  return detail::Apply("reshape", x.here())
      .with({x.get()})
      .sizes(shape)
      .ints({layout == Layout::Fortran ? 1 : 0})
      .make();
}
inline Array transpose(const Operand& x, std::initializer_list<std::int64_t> order = {}) {
  return detail::Apply("transpose", x.here()).with({x.get()}).ints(order).make();
}
inline Array broadcast_to(const Operand& x, const Shape& shape) {
  return detail::Apply("broadcast_to", x.here()).with({x.get()}).sizes(shape).make();
}
inline Array expand_dims(const Operand& x, std::int64_t axis) {
  return detail::Apply("expand_dims", x.here()).with({x.get()}).ints({axis}).make();
}
inline Array squeeze(const Operand& x, std::initializer_list<std::int64_t> axes = {}) {
  return detail::Apply("squeeze", x.here()).with({x.get()}).ints(axes).make();
}
inline Array concatenate(const std::vector<Array>& parts, std::int64_t axis = 0,
                         Here here = Here::now()) {
  return detail::Apply("concatenate", here).arrays(parts).ints({axis}).make();
}
inline Array stack(const std::vector<Array>& parts, std::int64_t axis = 0,
                   Here here = Here::now()) {
  return detail::Apply("stack", here).arrays(parts).ints({axis}).make();
}
// Widths before and after each axis.
inline Array pad(const Operand& x, const Shape& widths, const Operand& value = 0,
                 const char* mode = "constant") {
  return detail::Apply("pad", x.here())
      .with({x.get(), value.get()})
      .sizes(widths)
      .text(mode)
      .make();
}
inline Array roll(const Operand& x, std::int64_t shift, std::int64_t axis) {
  return detail::Apply("roll", x.here()).with({x.get()}).ints({shift, axis}).make();
}
inline Array flip(const Operand& x, std::initializer_list<std::int64_t> axes = {}) {
  return detail::Apply("flip", x.here()).with({x.get()}).ints(axes).make();
}
inline Array tril(const Operand& x, std::int64_t diagonal = 0) {
  return detail::Apply("tril", x.here()).with({x.get()}).ints({diagonal}).make();
}
inline Array triu(const Operand& x, std::int64_t diagonal = 0) {
  return detail::Apply("triu", x.here()).with({x.get()}).ints({diagonal}).make();
}
inline Array diagonal(const Operand& x, std::int64_t offset = 0, std::int64_t axis1 = 0,
                      std::int64_t axis2 = 1) {
  return detail::Apply("diagonal", x.here()).with({x.get()}).ints({offset, axis1, axis2}).make();
}
inline Array trace(const Operand& x, std::int64_t offset = 0) {
  return detail::Apply("trace", x.here()).with({x.get()}).ints({offset, 0, 1}).make();
}
inline Array moveaxis(const Operand& x, std::int64_t from, std::int64_t to) {
  return detail::Apply("moveaxis", x.here()).with({x.get()}).ints({from, to}).make();
}
inline Array swapaxes(const Operand& x, std::int64_t a, std::int64_t b) {
  return detail::Apply("swapaxes", x.here()).with({x.get()}).ints({a, b}).make();
}
// Without an axis: of all elements, one after another.
inline Array repeat(const Operand& x, std::int64_t times) {
  return detail::Apply("repeat", x.here()).with({x.get()}).ints({times, 0}).make();
}
inline Array repeat(const Operand& x, std::int64_t times, std::int64_t axis) {
  return detail::Apply("repeat", x.here()).with({x.get()}).ints({times, 1, axis}).make();
}
inline Array tile(const Operand& x, std::initializer_list<std::int64_t> times) {
  return detail::Apply("tile", x.here()).with({x.get()}).ints(times).make();
}
inline Array diff(const Operand& x, std::int64_t axis = -1, std::int64_t times = 1) {
  return detail::Apply("diff", x.here()).with({x.get()}).ints({axis, times}).make();
}

// ---- Sorting and searching.

inline Array sort(const Operand& x, std::int64_t axis = -1) {
  return detail::Apply("sort", x.here()).with({x.get()}).ints({1, axis}).make();
}
inline Array argsort(const Operand& x, std::int64_t axis = -1) {
  return detail::Apply("argsort", x.here()).with({x.get()}).ints({1, axis}).make();
}
inline Array unique(const Operand& x) { return detail::one("unique", x); }
// One array of indices for each axis.
inline std::vector<Array> nonzero(const Array& x, Here here = Here::now()) {
  std::vector<Array> out;
  for (int a = 0; a < x.rank(); ++a)
    out.push_back(detail::Apply("nonzero", here).with({x.get()}).ints({a}).make());
  return out;
}
inline Array take(const Operand& x, const Operand& indices, std::int64_t axis) {
  return detail::Apply("take", x.here()).with({x.get(), indices.get()}).ints({1, axis}).make();
}
inline Array take(const Operand& x, const Operand& indices) {
  return detail::Apply("take", x.here()).with({x.get(), indices.get()}).ints({0}).make();
}
// Which elements of x are among those of `values`?
inline Array isin(const Operand& x, const Operand& values) {
  return detail::two("isin", x, values);
}
// The number of the bin that each element is in; `right`: bins are closed on the right.
inline Array digitize(const Operand& x, const Operand& bins, bool right = false) {
  return detail::Apply("digitize", x.here())
      .with({x.get(), bins.get()})
      .ints({right ? 1 : 0})
      .make();
}
// The line through the points (at[i], of[i]), at x; `at` ascends.
inline Array interp(const Operand& x, const Operand& at, const Operand& of) {
  return detail::Apply("interp", x.here()).with({x.get(), at.get(), of.get()}).make();
}
inline Array take_along_axis(const Operand& x, const Operand& indices, std::int64_t axis) {
  return detail::Apply("take_along_axis", x.here())
      .with({x.get(), indices.get()})
      .ints({axis})
      .make();
}
// ---- Random numbers: the same for the same seed, everywhere.

inline Array random_bits(const Shape& shape, std::int64_t seed, Here here = Here::now()) {
  return detail::Apply("random_bits", here).sizes(shape).ints({seed}).make();
}
template <Element T = double>
Array random_uniform(const Shape& shape, std::int64_t seed, Here here = Here::now()) {
  return detail::Apply("random_uniform", here)
      .sizes(shape)
      .ints({seed})
      .dtype(dtype_of<T>())
      .make();
}
template <Element T = double>
Array random_normal(const Shape& shape, std::int64_t seed, Here here = Here::now()) {
  return detail::Apply("random_normal", here).sizes(shape).ints({seed}).dtype(dtype_of<T>()).make();
}

}  // namespace v0
}  // namespace lathe
