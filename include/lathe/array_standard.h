// SPDX-License-Identifier: Apache-2.0
#pragma once
// More functions of the array API standard, and NumPy's statistics. Include lathe/array.h.

#include <stdexcept>

#include "lathe/array.h"

namespace lathe {
inline namespace v0 {

// ---- Elementwise.

// The next number towards another one.
inline Array nextafter(const Operand& x, const Operand& towards) {
  return detail::two("nextafter", x, towards);
}
inline Array signbit(const Operand& x) { return detail::one("signbit", x); }
inline Array positive(const Operand& x) { return detail::one("positive", x); }

// ---- Creation.

inline Array full_like(const Operand& x, const Operand& value) {
  return detail::two("full_like", x, value);
}
inline Array zeros_like(const Operand& x) { return detail::one("zeros_like", x); }
inline Array ones_like(const Operand& x) { return detail::one("ones_like", x); }
enum class Indexing { XY, IJ };
inline std::vector<Array> meshgrid(const std::vector<Array>& axes, Indexing how = Indexing::XY,
                                   Here here = Here::now()) {
  std::vector<Array> out;
  for (std::size_t i = 0; i < axes.size(); ++i)
    out.push_back(detail::Apply("meshgrid", here)
                      .arrays(axes)
                      .ints({static_cast<std::int64_t>(i), how == Indexing::IJ ? 1 : 0})
                      .make());
  return out;
}

// ---- Shapes.

inline std::vector<Array> broadcast_arrays(const std::vector<Array>& arrays,
                                           Here here = Here::now()) {
  std::vector<Array> out;
  for (std::size_t i = 0; i < arrays.size(); ++i)
    out.push_back(detail::Apply("broadcast_arrays", here)
                      .arrays(arrays)
                      .ints({static_cast<std::int64_t>(i)})
                      .make());
  return out;
}
inline Array permute_dims(const Operand& x, std::initializer_list<std::int64_t> order) {
  return detail::Apply("transpose", x.here()).with({x.get()}).ints(order).make();
}
inline Array concat(const std::vector<Array>& parts, std::int64_t axis = 0,
                    Here here = Here::now()) {
  return detail::Apply("concatenate", here).arrays(parts).ints({axis}).make();
}
// One array for each index of an axis, whose length is a number.
inline std::vector<Array> unstack(const Array& x, std::int64_t axis = 0, Here here = Here::now()) {
  const std::int64_t place = axis < 0 ? axis + x.rank() : axis;
  if (place < 0 || place >= x.rank()) x.refuse_axis("unstack", axis, here);
  const std::int64_t count = x.shape()[static_cast<std::size_t>(place)].value(here);
  std::vector<Array> out;
  for (std::int64_t i = 0; i < count; ++i) {
    std::vector<Index> index(static_cast<std::size_t>(place), Index(all_of_axis));
    index.emplace_back(i);
    out.push_back(x.at(index, here));
  }
  return out;
}
// Each element as often as `times` says; `total`: how many there are together.
inline Array repeat(const Operand& x, const Operand& times, const Size& total, std::int64_t axis) {
  return detail::Apply("repeat", x.here())
      .with({x.get(), times.get()})
      .ints({0, 1, axis})
      .sizes({total})
      .make();
}

// ---- Sums along an axis, with the total of nothing first if that is wanted.

inline Array cumulative_sum(const Operand& x, std::int64_t axis, bool include_initial = false) {
  return detail::Apply("cumulative_sum", x.here())
      .with({x.get()})
      .ints({1, axis, include_initial ? 1 : 0})
      .make();
}
inline Array cumulative_prod(const Operand& x, std::int64_t axis, bool include_initial = false) {
  return detail::Apply("cumulative_prod", x.here())
      .with({x.get()})
      .ints({1, axis, include_initial ? 1 : 0})
      .make();
}

// ---- Searching and sets.

enum class Side { Left, Right };
inline Array searchsorted(const Operand& sorted, const Operand& values, Side side) {
  return detail::Apply("searchsorted", sorted.here())
      .with({sorted.get(), values.get()})
      .ints({side == Side::Right ? 1 : 0})
      .make();
}
enum class SortOrder { Ascending, Descending };
inline Array sort(const Operand& x, std::int64_t axis, SortOrder order) {
  return detail::Apply("sort", x.here())
      .with({x.get()})
      .ints({1, axis, order == SortOrder::Descending ? 1 : 0})
      .make();
}
inline Array argsort(const Operand& x, std::int64_t axis, SortOrder order) {
  return detail::Apply("argsort", x.here())
      .with({x.get()})
      .ints({1, axis, order == SortOrder::Descending ? 1 : 0})
      .make();
}
// Each NaN is a value of its own, as the standard says; unique() takes them for one.
struct UniqueArrays {
  Array values, indices, inverse_indices, counts;
};
inline UniqueArrays unique_all(const Operand& x) {
  const auto one = [&](const char* name) {
    return detail::Apply(name, x.here()).with({x.get()}).ints({0}).make();
  };
  return {one("unique"), one("unique_indices"), one("unique_inverse"), one("unique_counts")};
}
inline Array unique_values(const Operand& x) { return unique_all(x).values; }

// ---- Statistics.

inline Array median(const Operand& x, const Axes& axes = {}, bool keepdims = false) {
  return detail::Apply("median", x.here()).with({x.get()}).ints(axes.ints(keepdims)).make();
}
// q: fractions, whose axes come first.
inline Array quantile(const Operand& x, const Operand& q, const Axes& axes = {},
                      bool keepdims = false) {
  return detail::Apply("quantile", x.here())
      .with({x.get(), q.get()})
      .ints(axes.ints(keepdims))
      .make();
}
inline Array percentile(const Operand& x, const Operand& q, const Axes& axes = {},
                        bool keepdims = false) {
  return detail::Apply("percentile", x.here())
      .with({x.get(), q.get()})
      .ints(axes.ints(keepdims))
      .make();
}
// How often 0, 1 ... bins - 1 occur, or their weights together.
inline Array bincount(const Operand& x, const Size& bins) {
  return detail::Apply("bincount", x.here()).with({x.get()}).sizes({bins}).make();
}
inline Array bincount(const Operand& x, const Operand& weights, const Size& bins) {
  return detail::Apply("bincount", x.here()).with({x.get(), weights.get()}).sizes({bins}).make();
}
// Bins of one width from `from` to `to`.
inline Array histogram(const Operand& x, const Size& bins, double from, double to) {
  return detail::Apply("histogram", x.here())
      .with({x.get()})
      .sizes({bins})
      .reals({from, to})
      .make();
}

}  // namespace v0
}  // namespace lathe
