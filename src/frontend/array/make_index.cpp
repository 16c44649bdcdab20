// SPDX-License-Identifier: Apache-2.0
// Indexing: integers, slices and new axes are one View; integer arrays are a Gather of that view;
// masks are the positions of what they let through. NumPy's rule for the axes of index arrays: in
// place when all of them (and integers among them) stand together, else first.

#include <algorithm>

#include "frontend/array/make.h"

namespace lathe::array {
namespace {

using Item = IndexItem;

struct Cut {
  Dim start = 0, length = 0;
};

// What a number counts from the end, if it is negative: only its value tells when it is a formula.
Dim from_the_start(const Dim& given, const Dim& n) {
  if (never_negative(given)) return given;
  if (never_negative(Dim(-1) - given)) return n + given;
  const Dim is_negative = min(Dim(1), max(Dim(0), Dim(0) - given));
  return given + n * is_negative;
}

// A bound of a slice, kept within low..high.
Dim clamped(const std::optional<Dim>& given, const Dim& otherwise, const Dim& n, const Dim& low,
            const Dim& high) {
  if (!given) return otherwise;
  const Dim bound = from_the_start(*given, n);
  if (never_negative(*given)) return min(bound, high);
  if (never_negative(Dim(-1) - *given)) return max(bound, low);
  return max(low, min(bound, high));
}

Cut cut_of(const Item& item, const Dim& n) {
  const std::int64_t step = item.step;
  Cut out;
  if (step > 0) {
    out.start = clamped(item.start, Dim(0), n, Dim(0), n);
    const Dim stop = clamped(item.stop, n, n, Dim(0), n);
    out.length = max(Dim(0), floor_div(stop - out.start + Dim(step - 1), Dim(step)));
    return out;
  }
  const Dim last = n - Dim(1);
  out.start = clamped(item.start, last, n, Dim(-1), last);
  const Dim stop = clamped(item.stop, Dim(-1), n, Dim(-1), last);
  out.length = max(Dim(0), floor_div(out.start - stop + Dim(-step - 1), Dim(-step)));
  return out;
}

Dim integer_of(const Maker& m, const Dim& given, const Node& x, std::size_t axis,
               std::vector<Condition>& conditions) {
  const Dim& n = x.shape[axis];
  const Dim start = from_the_start(given, n);
  const auto v = known_value(start), length = known_value(n);
  if (v && length && (*v < 0 || *v >= *length))
    refuse(m,
           "index " + to_text(given) + " is out of range for axis " + std::to_string(axis) +
               " of " + describe(x),
           {}, ErrorKind::Index);
  if (!(start.is_constant() && n.is_constant()))
    conditions.push_back({Condition::Rule::Index, start, n, static_cast<int>(axis)});
  return start;
}

// With an item for each axis, masks as index arrays.
struct Plan {
  std::vector<Item> items;              // NewAxis between; one other item per axis of x
  std::vector<NodeRef> arrays;          // i64
  std::vector<std::size_t> array_axes;  // of x
};

std::size_t axes_taken(const Item& i) {
  if (i.kind == Item::Kind::NewAxis) return 0;
  if (i.kind == Item::Kind::Array && ir::is_bool(i.array->dtype)) return i.array->rank();
  return i.kind == Item::Kind::Ellipsis ? 0 : 1;
}

void add_mask(const Maker& m, const NodeRef& x, const NodeRef& mask, std::size_t axis,
              std::vector<Item>& items) {
  if (mask->rank() == 0) refuse(m, "a mask needs axes", "use where() for a single condition");
  Shape part;
  for (std::size_t a = 0; a < mask->rank(); ++a) {
    const Dim &d = mask->shape[a], &e = x->shape[axis + a];
    const auto v = known_value(d), w = known_value(e);
    if ((v && w && *v != *w) || compare(d, e) == Answer::No)
      refuse(m,
             "the mask " + describe(*mask) + " does not fit " + describe(*x) + ": axis " +
                 std::to_string(axis + a) + " is " + to_text(d) + " and " + to_text(e),
             {}, ErrorKind::Index);
    part.push_back(e);
  }
  // The mask read as the array is shaped: what cannot be proved becomes a condition of it.
  const NodeRef fitting_mask = broadcast_to(m, mask, part);
  const NodeRef flat = positions(m, fitting_mask);
  Dim inner(1);
  std::vector<Item> found(mask->rank());
  for (std::size_t a = mask->rank(); a-- > 0;) {
    NodeRef index = flat;
    if (!inner.is(1)) index = elementwise(m, "floor_divide", {index, size_value(inner, m.place)});
    if (a > 0) index = elementwise(m, "remainder", {index, size_value(part[a], m.place)});
    found[a].kind = Item::Kind::Array;
    found[a].array = index;
    inner = inner * part[a];
  }
  items.insert(items.end(), found.begin(), found.end());
}

Plan plan_of(const Maker& m, const NodeRef& x, const std::vector<Item>& given) {
  std::size_t taken = 0, ellipses = 0;
  for (const Item& i : given) {
    taken += axes_taken(i);
    ellipses += i.kind == Item::Kind::Ellipsis ? 1 : 0;
    if (i.kind == Item::Kind::Slice && i.step == 0) refuse(m, "a slice cannot have step 0");
  }
  if (ellipses > 1) refuse(m, "an index can have one ellipsis", {}, ErrorKind::Index);
  if (taken > x->rank())
    refuse(m,
           "too many indices: " + describe(*x) + " has " + std::to_string(x->rank()) +
               (x->rank() == 1 ? " axis" : " axes") + ", but " + std::to_string(taken) +
               " are indexed",
           {}, ErrorKind::Index);
  Plan out;
  auto fill = [&](std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out.items.push_back({});
  };
  std::size_t axis = 0;
  for (const Item& i : given) {
    if (i.kind == Item::Kind::Ellipsis) {
      fill(x->rank() - taken);
      axis += x->rank() - taken;
      continue;
    }
    if (i.kind == Item::Kind::Array && ir::is_bool(i.array->dtype)) {
      add_mask(m, x, i.array, axis, out.items);
    } else {
      if (i.kind == Item::Kind::Array && !ir::is_int(i.array->dtype))
        refuse(m,
               "an index array must hold integers or bools, not " +
                   std::string(ir::name(i.array->dtype)),
               {}, ErrorKind::Index);
      out.items.push_back(i);
      if (i.kind == Item::Kind::Array)
        out.items.back().array = cast(i.array, ir::DType::I64, m.place);
    }
    axis += axes_taken(i);
  }
  if (ellipses == 0) fill(x->rank() - taken);
  return out;
}

// The view that slices, integers and new axes make; axes with index arrays stay whole.
struct Basic {
  std::vector<AxisView> axes;  // of x
  Shape shape;                 // of the view
  std::vector<Condition> conditions;
  std::vector<std::size_t> array_axes;  // of the view
  Nodes arrays;
  std::size_t position = 0;  // of the index arrays' axes
  bool is_whole = true;
};

Basic basic_of(const Maker& m, const NodeRef& x, const Plan& plan) {
  Basic out;
  const bool advanced = std::any_of(plan.items.begin(), plan.items.end(),
                                    [](const Item& i) { return i.kind == Item::Kind::Array; });
  std::size_t axis = 0, groups = 0;
  std::size_t result_axes = 0;  // without those of index arrays
  bool in_group = false;
  for (const Item& i : plan.items) {
    const bool special = i.kind == Item::Kind::Array || (advanced && i.kind == Item::Kind::Integer);
    if (special && !in_group && ++groups == 1) out.position = result_axes;
    in_group = special;
    if (i.kind == Item::Kind::NewAxis) {
      out.shape.push_back(Dim(1));
      ++result_axes;
      out.is_whole = false;
      continue;
    }
    AxisView v;
    if (i.kind == Item::Kind::Integer) {
      v.start = integer_of(m, *i.start, *x, axis, out.conditions);
      out.is_whole = false;
    } else {
      v.from = static_cast<int>(out.shape.size());
      Cut cut{Dim(0), x->shape[axis]};
      if (i.kind == Item::Kind::Slice) {
        cut = cut_of(i, x->shape[axis]);
        v.step = i.step;
      }
      v.start = cut.start;
      if (!cut.start.is(0) || v.step != 1 || !(cut.length == x->shape[axis])) out.is_whole = false;
      if (i.kind == Item::Kind::Array) {
        out.array_axes.push_back(out.shape.size());
        out.arrays.push_back(i.array);
      } else {
        ++result_axes;
      }
      out.shape.push_back(cut.length);
    }
    out.axes.push_back(v);
    ++axis;
  }
  if (groups > 1) out.position = 0;
  return out;
}

// ints of Gather and Scatter.
std::vector<std::int64_t> gather_ints(const Basic& b) {
  std::vector<std::int64_t> out(b.array_axes.begin(), b.array_axes.end());
  out.push_back(-1);
  out.push_back(static_cast<std::int64_t>(b.position));
  return out;
}

Shape gathered_shape(const Basic& b, const Shape& arrays) {
  Shape out;
  for (std::size_t a = 0; a < b.shape.size(); ++a)
    if (std::find(b.array_axes.begin(), b.array_axes.end(), a) == b.array_axes.end())
      out.push_back(b.shape[a]);
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(b.position), arrays.begin(), arrays.end());
  return out;
}

// What is assigned may have more axes in front, of length 1, as NumPy has it. A length that is not
// known must be 1 when it is.
NodeRef without_extra_axes(const Maker& m, const NodeRef& v, std::size_t rank) {
  if (v->rank() <= rank) return v;
  const std::size_t extra = v->rank() - rank;
  std::vector<AxisView> axes(v->rank());
  std::vector<Condition> conditions;
  for (std::size_t a = 0; a < extra; ++a) {
    const Dim& d = v->shape[a];
    if (d.is(1)) continue;
    if (const auto known = known_value(d); known ? *known != 1 : compare(d, Dim(1)) == Answer::No)
      return v;  // which does not fit
    conditions.push_back({Condition::Rule::Equal, d, Dim(1), static_cast<int>(a)});
  }
  for (std::size_t a = extra; a < v->rank(); ++a) axes[a].from = static_cast<int>(a - extra);
  return view(m, v, axes, {v->shape.begin() + static_cast<std::ptrdiff_t>(extra), v->shape.end()},
              std::move(conditions));
}

NodeRef basic_view(const Maker& m, const NodeRef& x, const Basic& b) {
  return b.is_whole ? x : view(m, x, b.axes, b.shape, b.conditions);
}

}  // namespace

NodeRef positions(const Maker& m, const NodeRef& mask) {
  Node n;
  n.kind = Kind::Positions;
  n.dtype = ir::DType::I64;
  n.operands = {mask};
  n.shape = {Dim(counted_symbol(std::make_shared<NodeRef>(mask)))};
  n.text = m.operation;
  n.place = m.place;
  return intern(std::move(n));
}

NodeRef index(const Maker& m, const NodeRef& x, const std::vector<IndexItem>& items) {
  const Basic b = basic_of(m, x, plan_of(m, x, items));
  const NodeRef base = basic_view(m, x, b);
  if (b.arrays.empty()) return base;
  Node n;
  n.kind = Kind::Gather;
  n.dtype = x->dtype;
  n.shape = gathered_shape(b, broadcast_shapes(m, b.arrays, n.conditions));
  n.operands = {base};
  n.operands.insert(n.operands.end(), b.arrays.begin(), b.arrays.end());
  n.ints = gather_ints(b);
  n.text = m.operation;
  n.place = m.place;
  return intern(std::move(n));
}

NodeRef set_index(const Maker& m, const NodeRef& x, const std::vector<IndexItem>& items,
                  const NodeRef& value, bool add) {
  if (value->is_weak() && !ir::is_float(value->dtype) && !fits(value->value, x->dtype))
    refuse(m,
           "the number " + ir::to_text(value->value) + " does not fit " +
               std::string(ir::name(x->dtype)),
           "convert the array with astype first", ErrorKind::Number);
  // x[mask] = number needs no positions.
  if (!add && items.size() == 1 && items[0].kind == Item::Kind::Array &&
      ir::is_bool(items[0].array->dtype) && value->rank() == 0 && items[0].array->shape == x->shape)
    return elementwise(m, "where", {items[0].array, cast(value, x->dtype, m.place), x});
  const Basic b = basic_of(m, x, plan_of(m, x, items));
  NodeRef v = cast(value, x->dtype, m.place);
  NodeRef region;
  if (b.arrays.empty()) {
    region = spread_to(m, without_extra_axes(m, v, b.shape.size()), b.shape);
    if (add) region = elementwise(m, "add", {basic_view(m, x, b), region});
  } else {
    const NodeRef base = basic_view(m, x, b);
    Node n;
    n.kind = Kind::Scatter;
    n.op = add ? ir::Op::Add : ir::Op::Const;
    n.dtype = x->dtype;
    n.shape = base->shape;
    const Shape shape = gathered_shape(b, broadcast_shapes(m, b.arrays, n.conditions));
    n.operands = {base, spread_to(m, without_extra_axes(m, v, shape.size()), shape)};
    n.operands.insert(n.operands.end(), b.arrays.begin(), b.arrays.end());
    n.ints = gather_ints(b);
    n.text = m.operation;
    n.place = m.place;
    region = intern(std::move(n));
  }
  if (b.is_whole) return region;
  // The region with an axis for each of x: length 1 where x has an integer.
  std::vector<AxisView> axes(b.shape.size());
  Shape shape;
  std::vector<Dim> starts;
  std::vector<std::int64_t> steps;
  for (const AxisView& a : b.axes) {
    if (a.from >= 0) axes[static_cast<std::size_t>(a.from)].from = static_cast<int>(shape.size());
    shape.push_back(a.from >= 0 ? b.shape[static_cast<std::size_t>(a.from)] : Dim(1));
    starts.push_back(a.start);
    steps.push_back(a.from >= 0 ? a.step : 1);
  }
  return update(m, x, view(m, region, axes, shape), std::move(starts), std::move(steps),
                b.conditions);
}

NodeRef take(const Maker& m, const NodeRef& x, const NodeRef& indices, int axis) {
  std::vector<IndexItem> items(static_cast<std::size_t>(axis) + 1);
  items.back().kind = Item::Kind::Array;
  items.back().array = indices;
  return index(m, x, items);
}

}  // namespace lathe::array
