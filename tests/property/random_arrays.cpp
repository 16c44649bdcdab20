// SPDX-License-Identifier: Apache-2.0
// Declarations: parameters, extents, inputs, constant tables, and the taste of this program.

#include <algorithm>
#include <cmath>
#include <limits>

#include "random_generator.h"

namespace lathe::testing {

using namespace ir;

Symbol Generator::unique(std::string_view stem) {
  int& count = names_[std::string(stem)];
  const std::string number = count == 0 ? "" : std::to_string(count);
  ++count;
  return p_.graph->symbol(std::string(stem) + number);
}

void Generator::make_profile() {
  std::vector<DType> all;
  for (int i = 0; i < kDTypeCount; ++i) all.push_back(static_cast<DType>(i));
  rng_.shuffle(all);
  const std::size_t liked = 1 + rng_.below(4);
  dtypes_.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(liked));
  if (rng_.percent(75)) dtypes_.push_back(rng_.percent(60) ? DType::F64 : DType::F32);
  if (rng_.percent(12)) dtypes_.push_back(rng_.percent(50) ? DType::F16 : DType::BF16);
  if (rng_.percent(60)) {
    for (std::size_t n = 2 + rng_.below(8); n > 0; --n)
      focus_.push_back(static_cast<Op>(rng_.below(static_cast<std::size_t>(kOpCount))));
  }
}

DType Generator::some_dtype() { return rng_.pick(dtypes_); }

DType Generator::some_float() {
  std::vector<DType> liked;
  for (DType t : dtypes_)
    if (is_float(t)) liked.push_back(t);
  if (!liked.empty() && rng_.percent(85)) return rng_.pick(liked);
  constexpr DType kFloats[] = {DType::F64, DType::F64, DType::F32, DType::F16, DType::BF16};
  return rng_.pick(kFloats);
}

DType Generator::some_int() {
  std::vector<DType> liked;
  for (DType t : dtypes_)
    if (is_int(t)) liked.push_back(t);
  if (!liked.empty() && rng_.percent(80)) return rng_.pick(liked);
  constexpr DType kInts[] = {DType::I64, DType::I64, DType::I32, DType::I16, DType::I8,
                             DType::U8,  DType::U16, DType::U32, DType::U64};
  return rng_.pick(kInts);
}

DType Generator::some_number() { return rng_.percent(65) ? some_float() : some_int(); }

int Generator::add_extent(Extent e) {
  extents_.push_back(e);
  return static_cast<int>(extents_.size()) - 1;
}

void Generator::make_parameters() {
  constexpr std::string_view kSizes[] = {"n", "m", "l"};
  const std::size_t sizes = 1 + rng_.below(3);
  for (std::size_t i = 0; i < sizes; ++i) {
    const Symbol name = unique(kSizes[i]);
    p_.parameters.push_back({name, true, DType::I64, {}});
    add_extent({p_.graph->param(name, DType::I64), 0, {}, -1, -1, false});
  }
  for (std::size_t scalars = rng_.below(4); scalars > 0; --scalars)
    p_.parameters.push_back({unique("a"), false, some_dtype(), {}});
}

void Generator::make_extents() {
  const int sizes = static_cast<int>(extents_.size());
  const auto constant = [&](std::int64_t c, bool is_long) {
    add_extent({b_.integer(c), c, c, -1, -1, is_long});
  };
  constant(rng_.between(1, 6), false);
  if (rng_.percent(30)) constant(rng_.between(2, 4), false);
  if (rng_.percent(40)) {
    const int of = static_cast<int>(rng_.below(static_cast<std::size_t>(sizes)));
    const std::int64_t by = rng_.between(1, 2);
    add_extent({b_.add(extents_[static_cast<std::size_t>(of)].size, b_.integer(by)),
                by,
                {},
                -1,
                -1,
                false});
  }
  if (rng_.percent(25)) {
    const int outer = static_cast<int>(rng_.below(static_cast<std::size_t>(sizes)));
    const int inner = static_cast<int>(rng_.below(static_cast<std::size_t>(sizes)));
    const Expr product = b_.mul(extents_[static_cast<std::size_t>(outer)].size,
                                extents_[static_cast<std::size_t>(inner)].size);
    add_extent({product, 0, {}, outer, inner, false});
  }
  if (options_.longs && rng_.percent(8))
    constant(rng_.percent(80) ? rng_.between(33, 140) : rng_.between(4090, 8300), true);
}

int Generator::some_extent(bool allow_long) {
  std::vector<int> candidates;
  for (std::size_t i = 0; i < extents_.size(); ++i)
    if (allow_long || !extents_[i].is_long) candidates.push_back(static_cast<int>(i));
  // Sizes come first in the list and are what most arrays have.
  if (rng_.percent(55)) return candidates[rng_.below(std::min<std::size_t>(2, candidates.size()))];
  return rng_.pick(candidates);
}

int Generator::some_rank() {
  static const std::vector<int> kWeights = {10, 45, 35, 10};
  return static_cast<int>(rng_.weighted(kWeights));
}

std::vector<AxisShape> Generator::some_axes(int rank) {
  std::vector<AxisShape> axes;
  const bool halos = rng_.percent(45);
  for (int i = 0; i < rank; ++i) {
    AxisShape axis{some_extent(rank == 1), 0, 0};
    if (halos) {
      axis.below = rng_.between(0, 2);
      axis.above = rng_.between(0, 2);
    }
    // 7 x 7 x 7 points of n * m are too many for a quick test.
    if (rank == 3 && extents_[static_cast<std::size_t>(axis.extent)].outer >= 0) axis.extent = 0;
    axes.push_back(axis);
  }
  return axes;
}

ArrayShape& Generator::add_array(std::string_view stem, DType t, Role role,
                                 std::vector<AxisShape> axes) {
  Array array;
  array.name = unique(stem);
  array.dtype = t;
  array.role = role;
  constexpr std::string_view kAxes[] = {"x", "y", "z"};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Expr lo = b_.integer(-axes[i].below);
    const Expr hi = extent_plus(axes[i].extent, axes[i].above);
    array.axes.push_back({p_.graph->symbol(kAxes[i]), lo, hi});
  }
  ArrayShape shape;
  shape.name = array.name;
  shape.dtype = t;
  shape.role = role;
  shape.axes = std::move(axes);
  p_.arrays.push_back(std::move(array));
  arrays_.push_back(std::move(shape));
  ArrayShape& a = arrays_.back();
  if (role == Role::Input || role == Role::InOut || role == Role::State || role == Role::Const)
    a.written = all_of(a);
  a.frozen = role == Role::Input || role == Role::Const;
  return a;
}

Region Generator::all_of(const ArrayShape& a) const {
  Region region;
  for (const AxisShape& axis : a.axes) region.push_back(axis.all());
  return region;
}

bool Generator::fully_written(const ArrayShape& a) const {
  if (!a.written) return false;
  for (std::size_t i = 0; i < a.axes.size(); ++i)
    if ((*a.written)[i].lo > -a.axes[i].below || (*a.written)[i].offset < a.axes[i].above)
      return false;
  return true;
}

void Generator::make_inputs() {
  for (std::size_t n = 2 + rng_.below(3); n > 0; --n) {
    const DType t = some_dtype();
    add_array("u", t, Role::Input, some_axes(some_rank()));
  }
  if (rng_.percent(35)) {
    const DType t = some_dtype();
    add_array("w", t, Role::InOut, some_axes(some_rank()));
  }
  if (rng_.percent(25)) {
    const DType t = some_dtype();
    add_array("s", t, Role::State, some_axes(some_rank()));
  }
}

// Small values, most of them; with `special`, now and then one that hurts.
Scalar Generator::some_scalar(DType t, bool special) {
  if (is_bool(t)) return Scalar::of_bool(rng_.percent(50));
  if (is_float(t)) {
    if (special && rng_.percent(15)) {
      const double inf = std::numeric_limits<double>::infinity();
      const double kSpecial[] = {0.0,  -0.0,         1.0,    -1.0,  inf,
                                 -inf, std::nan(""), 1e-310, 65504, 3e38};
      return Scalar::of_double(t, rng_.pick(kSpecial));
    }
    const double kNice[] = {0.5, 0.25, 2, 3, -1.5, 0.1, 1e-3, 4};
    return Scalar::of_double(t, rng_.percent(60) ? rng_.pick(kNice) : rng_.unit() * 4 - 2);
  }
  if (special && rng_.percent(15)) return Scalar::of_uint(t, rng_.next());
  return Scalar::of_int(t, rng_.between(-5, 9));
}

// Coefficients of any dtype, and index tables: permutations and the row starts of a graph.
void Generator::make_tables() {
  std::vector<int> constants;
  for (std::size_t i = 0; i < extents_.size(); ++i)
    if (extents_[i].constant && !extents_[i].is_long) constants.push_back(static_cast<int>(i));
  if (rng_.percent(35)) {
    std::vector<AxisShape> axes;
    for (std::size_t rank = 1 + rng_.below(2); rank > 0; --rank) {
      const std::int64_t below = rng_.percent(25) ? 1 : 0;
      axes.push_back({rng_.pick(constants), below, 0});
    }
    const DType t = some_dtype();
    ArrayShape& a = add_array("c", t, Role::Const, axes);
    std::int64_t count = 1;
    for (const AxisShape& axis : a.axes)
      count *= *extents_[static_cast<std::size_t>(axis.extent)].constant + axis.below + axis.above;
    for (; count > 0; --count) p_.arrays.back().values.push_back(some_scalar(t, true));
  }
  if (rng_.percent(40)) add_index_table(rng_.pick(constants), true);
  if (rng_.percent(40)) add_index_table(rng_.pick(constants), false);
}

ArrayShape& Generator::add_index_table(int extent, bool permutation) {
  const std::int64_t n = *extents_[static_cast<std::size_t>(extent)].constant;
  std::vector<std::int64_t> values;
  for (std::int64_t i = 0; i < n; ++i) values.push_back(permutation ? i : rng_.between(0, n));
  if (permutation) {
    rng_.shuffle(values);
  } else {  // row starts: one more, monotone from 0 to n
    values.push_back(n);
    std::sort(values.begin(), values.end());
  }
  constexpr DType kOthers[] = {DType::I32, DType::U8, DType::U64};
  const DType t = rng_.percent(60) ? DType::I64 : kOthers[n % 3];
  const AxisShape axis{extent, 0, permutation ? 0 : 1};
  ArrayShape& a = add_array(permutation ? "perm" : "ptr", t, Role::Const, {axis});
  for (std::int64_t v : values) p_.arrays.back().values.push_back(Scalar::of_int(t, v));
  a.values = Interval{0, {{extent, permutation ? 0 : 1}}};
  return a;
}

}  // namespace lathe::testing
