// SPDX-License-Identifier: Apache-2.0
// Every function of the surface by its name: what the C interface offers, and through it C++ and
// Python. `ints`, `dims` and `reals` mean what each row says.

#include <algorithm>
#include <unordered_map>

#include "base/nearest_name.h"
#include "base/quoted.h"
#include "frontend/array/compose.h"

namespace lathe::array {
namespace {

using Handler = NodeRef (*)(const Maker& m, const Request& r);

// keepdims, then whether axes are given, then the axes; reals: correction.
NodeRef do_reduction(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  ReduceHow how;
  how.keepdims = given_int(r, 0) != 0;
  if (given_int(r, 1) != 0) {
    how.axes = normal_axes(m, std::span(r.ints).subspan(2), x->rank());
  }
  if (!r.reals.empty()) how.correction = r.reals[0];
  how.dtype = r.dtype;
  return reduction(m, r.name, x, how);
}

// whether an axis is given, the axis, exclusive.
NodeRef do_scan(const Maker& m, const Request& r) {
  NodeRef x = given_operand(m, r, 0);
  int axis = 0;
  if (given_int(r, 0) != 0)
    axis = normal_axis(m, given_int(r, 1), x->rank());
  else
    x = reshape(m, x, {product(x->shape)});
  return scan(m, r.name == "cumsum" ? ir::Op::Add : ir::Op::Mul, x, axis, given_int(r, 2) != 0,
              r.dtype);
}

// The largest and the least so far. The axis.
NodeRef do_extremes(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  const int axis = normal_axis(m, given_int(r, 0), x->rank());
  return scan(m, r.name == "cummax" ? ir::Op::Max : ir::Op::Min, x, axis, false, x->dtype);
}

// The standard's: whether an axis is given (arrays with one axis need none), the axis, whether to
// begin with the total of nothing.
NodeRef do_cumulative(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  if (given_int(r, 0) == 0 && x->rank() != 1) refuse(m, "needs an axis for " + describe(*x));
  const int axis = given_int(r, 0) == 0 ? 0 : normal_axis(m, given_int(r, 1), x->rank());
  const bool adds = r.name == "cumulative_sum";
  const NodeRef out = scan(m, adds ? ir::Op::Add : ir::Op::Mul, x, axis, false, r.dtype);
  if (given_int(r, 2) == 0) return out;
  Shape first = out->shape;
  first[static_cast<std::size_t>(axis)] = Dim(1);
  const NodeRef begin = constant(ir::Scalar::of_int(out->dtype, adds ? 0 : 1));
  return concatenate(m, {broadcast_to(m, begin, first), out}, axis);
}

// dims: the shape; ints: 1 for Fortran's order.
NodeRef do_reshape(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  if (given_int(r, 0) == 0) return reshape(m, x, r.dims);
  Shape reversed(r.dims.rbegin(), r.dims.rend());
  return reverse_axes(m, reshape(m, reverse_axes(m, x), reversed));
}

NodeRef do_transpose(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  if (r.ints.empty()) return reverse_axes(m, x);
  return permute(m, x, normal_axes(m, r.ints, x->rank()));
}

NodeRef do_broadcast(const Maker& m, const Request& r) {
  return spread_to(m, given_operand(m, r, 0), r.dims);
}

NodeRef do_expand(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  return expand_dims(m, x, normal_axes(m, r.ints, x->rank() + r.ints.size()));
}

NodeRef do_squeeze(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  Axes axes = normal_axes(m, r.ints, x->rank());
  if (axes.empty())
    for (std::size_t a = 0; a < x->rank(); ++a)
      if (x->shape[a].is(1)) axes.push_back(static_cast<int>(a));
  return squeeze(m, x, axes);
}

NodeRef do_concatenate(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  return concatenate(m, r.operands, normal_axis(m, given_int(r, 0), x->rank()));
}

NodeRef do_stack(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  const int axis = normal_axis(m, given_int(r, 0), x->rank() + 1);
  Nodes parts;
  for (const NodeRef& p : r.operands) {
    if (p->rank() != x->rank())
      refuse(m, "arrays must have the same shape: " + describe(*x) + " and " + describe(*p));
    parts.push_back(expand_dims(m, p, {axis}));
  }
  return concatenate(m, parts, axis);
}

// ints: the axes; none: all.
NodeRef do_flip(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  const Axes axes = normal_axes(m, r.ints, x->rank());
  std::vector<IndexItem> items(x->rank());
  for (std::size_t a = 0; a < x->rank(); ++a) {
    if (!axes.empty() && std::find(axes.begin(), axes.end(), static_cast<int>(a)) == axes.end())
      continue;
    items[a].kind = IndexItem::Kind::Slice;
    items[a].step = -1;
  }
  return index(m, x, items);
}

// ints: shift and axis in turns; an odd number of them: all elements by the last shift.
NodeRef do_roll(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  if (r.ints.size() % 2 == 1)
    return reshape(m, roll(m, reshape(m, x, {product(x->shape)}), {r.ints.back()}), x->shape);
  std::vector<std::int64_t> shifts(x->rank(), 0);
  for (std::size_t i = 0; i + 1 < r.ints.size(); i += 2)
    shifts[static_cast<std::size_t>(normal_axis(m, r.ints[i + 1], x->rank()))] += r.ints[i];
  return roll(m, x, shifts);
}

NodeRef do_astype(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  if (!r.dtype) refuse(m, "needs a dtype");
  return cast(x, *r.dtype, m.place);
}

NodeRef do_full(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  for (const Dim& d : r.dims)
    if (d.is_constant() && d.constant() < 0) refuse(m, "a length is negative: " + to_text(r.dims));
  return broadcast_to(m, cast(x, r.dtype.value_or(x->dtype), m.place), r.dims);
}

NodeRef do_matmul(const Maker& m, const Request& r) {
  return matmul(m, given_operand(m, r, 0), given_operand(m, r, 1));
}

// ints: how many axes, those of the first, those of the second.
NodeRef do_tensordot(const Maker& m, const Request& r) {
  const NodeRef &a = given_operand(m, r, 0), &b = given_operand(m, r, 1);
  const auto count = static_cast<std::size_t>(given_int(r, 0));
  if (r.ints.size() != 1 + 2 * count) refuse(m, "needs the same number of axes of both arrays");
  const std::span<const std::int64_t> all(r.ints);
  return tensordot(m, a, b, normal_axes(m, all.subspan(1, count), a->rank()),
                   normal_axes(m, all.subspan(1 + count, count), b->rank()));
}

NodeRef do_einsum(const Maker& m, const Request& r) { return einsum(m, r.text, r.operands); }
NodeRef do_index(const Maker& m, const Request& r) {
  return index(m, given_operand(m, r, 0), r.items);
}
NodeRef do_set(const Maker& m, const Request& r) {
  return set_index(m, given_operand(m, r, 0), r.items, given_operand(m, r, 1));
}
NodeRef do_add_at(const Maker& m, const Request& r) {
  return set_index(m, given_operand(m, r, 0), r.items, given_operand(m, r, 1), true);
}
NodeRef do_take(const Maker& m, const Request& r) {
  const NodeRef& x = given_operand(m, r, 0);
  if (given_int(r, 0) == 0)
    return take(m, reshape(m, x, {product(x->shape)}), given_operand(m, r, 1), 0);
  return take(m, x, given_operand(m, r, 1), normal_axis(m, given_int(r, 1), x->rank()));
}

// Names of the array API standard for functions that NumPy calls otherwise.
constexpr std::pair<std::string_view, std::string_view> kAliases[] = {
    {"abs", "absolute"},
    {"acos", "arccos"},
    {"acosh", "arccosh"},
    {"asin", "arcsin"},
    {"asinh", "arcsinh"},
    {"atan", "arctan"},
    {"atan2", "arctan2"},
    {"atanh", "arctanh"},
    {"bitwise_invert", "invert"},
    {"bitwise_left_shift", "left_shift"},
    {"bitwise_right_shift", "right_shift"},
    {"concat", "concatenate"},
    {"permute_dims", "transpose"},
    {"pow", "power"},
    {"unique_values", "unique"},
};

const std::unordered_map<std::string_view, Handler>& handlers() {
  static const auto* const table = [] {
    auto* t = new std::unordered_map<std::string_view, Handler>{
        {"cumsum", do_scan},
        {"cumprod", do_scan},
        {"cummax", do_extremes},
        {"cummin", do_extremes},
        {"cumulative_sum", do_cumulative},
        {"cumulative_prod", do_cumulative},
        {"reshape", do_reshape},
        {"transpose", do_transpose},
        {"broadcast_to", do_broadcast},
        {"expand_dims", do_expand},
        {"squeeze", do_squeeze},
        {"concatenate", do_concatenate},
        {"stack", do_stack},
        {"flip", do_flip},
        {"roll", do_roll},
        {"astype", do_astype},
        {"full", do_full},
        {"matmul", do_matmul},
        {"tensordot", do_tensordot},
        {"einsum", do_einsum},
        {"index", do_index},
        {"set", do_set},
        {"add_at", do_add_at},
        {"take", do_take},
    };
    for (const char* name : {"sum", "prod", "min", "max", "mean", "var", "std", "any", "all",
                             "argmin", "argmax", "count_nonzero"})
      t->emplace(name, do_reduction);
    for (const Composed& c : composed_functions()) t->emplace(c.name, c.make);
    return t;
  }();
  return *table;
}

}  // namespace

std::vector<std::string> function_names() {
  std::vector<std::string> out;
  for (const auto& [name, handler] : handlers()) out.emplace_back(name);
  add_elementwise_names(out);
  for (const auto& [name, meant] : kAliases) out.emplace_back(name);
  std::sort(out.begin(), out.end());
  return out;
}

NodeRef apply(const Request& given) {
  const auto* const alias = std::find_if(std::begin(kAliases), std::end(kAliases),
                                         [&](const auto& a) { return a.first == given.name; });
  if (alias != std::end(kAliases)) {
    Request meant = given;
    meant.name = alias->second;
    if (given.name == "unique_values") meant.ints = {0};  // each NaN is a value of its own
    return apply(meant);
  }
  const Request& r = given;
  const Maker m{r.name, r.place};
  const auto at = handlers().find(r.name);
  if (at != handlers().end()) return at->second(m, r);
  if (NodeRef made = elementwise(m, r.name, r.operands)) return made;
  const std::vector<std::string> names = function_names();
  NearestName nearest(r.name);
  for (const std::string& name : names) nearest.consider(name);
  refuse({"array", r.place}, "there is no function " + quoted(std::string(r.name)), nearest.help());
}

}  // namespace lathe::array
