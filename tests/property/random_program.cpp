// SPDX-License-Identifier: Apache-2.0
// The whole program: declarations, items, and outputs through which the rest can be seen. Also
// calls, whose operands are whole arrays.

#include "random_program.h"

#include <algorithm>

#include "ir/calls.h"
#include "random_generator.h"

namespace lathe::testing {

using namespace ir;

Generator::Generator(std::uint64_t seed, const RandomOptions& options)
    : rng_(seed),
      options_(options),
      p_{std::make_shared<Graph>(),    std::make_shared<SourceMap>(), {}, {}, {}, {}, {},
         std::make_shared<SpanTable>()},
      maker_(*p_.graph),
      b_(maker_) {}

Program Generator::run() {
  p_.name = p_.graph->symbol("random");
  make_profile();
  make_parameters();
  make_extents();
  make_inputs();
  make_tables();
  Context top;
  for (int n = 2; n > 0; --n) set_statement(top, p_.body);
  items(top, static_cast<int>(rng_.between(options_.items / 2, options_.items + 2)), p_.body);
  make_outputs(p_.body);
  return std::move(p_);
}

// A copy of most of what nobody has read, so that mistakes in it are seen; the rest stays dead.
void Generator::make_outputs(Body& out) {
  Context top;
  for (std::size_t i = 0, n = arrays_.size(); i < n; ++i) {
    ArrayShape& a = arrays_[i];
    if (!a.written || !a.available || a.role != Role::Temp || a.reads > 0 || rng_.percent(30))
      continue;
    enter(top);
    // Without halos: the outputs are the insides.
    std::vector<AxisShape> axes = a.axes;
    for (std::size_t k = 0; k < axes.size(); ++k) {
      const Side side = (*a.written)[k];
      axes[k].below = -side.lo;
      axes[k].above = side.offset;
      if (side.lo > 0) axes[k].below = 0;
    }
    ArrayShape& copy = add_array("v", a.dtype, Role::Output, axes);
    Statement s;
    s.label = label_for(copy.name);
    std::vector<Expr> indices;
    for (std::size_t k = 0; k < axes.size(); ++k) {
      Variable v;
      s.domain.ranges.push_back(box_range(axes[k].extent, (*a.written)[k], v));
      scope_.push_back(v);
      indices.push_back(p_.graph->index(v.name));
    }
    s.targets.push_back({copy.name, indices});
    s.values.push_back(p_.graph->read(a.name, a.dtype, indices));
    ++a.reads;
    out.push_back({std::move(s)});
  }
  const bool any = std::any_of(arrays_.begin(), arrays_.end(),
                               [](const ArrayShape& a) { return a.role == Role::Output; });
  if (any) return;
  const DType t = some_dtype();
  initialise(top, add_array("v", t, Role::Output, some_axes(1)), out);
}

// a[i, j] = 4 on the diagonal, something below 1 / n elsewhere, symmetric most of the time.
ArrayShape* Generator::definite_matrix(Body& out) {
  enter({});
  const DType t = rng_.percent(50) ? DType::F64 : DType::F32;
  const int extent = some_extent(false);
  ArrayShape& a = add_array("spd", t, Role::Temp, {{extent, 0, 0}, {extent, 0, 0}});
  Statement s;
  Variable i, j;
  s.domain.ranges.push_back(box_range(extent, {0, 0}, i));
  scope_.push_back(i);
  s.domain.ranges.push_back(box_range(extent, {0, 0}, j));
  scope_.push_back(j);
  const Expr x = p_.graph->index(i.name), y = p_.graph->index(j.name);
  const Expr small =
      apply(Op::Div, {b_.constant(t, 1), b_.cast(t, b_.add(b_.add(x, y), b_.integer(9)))});
  const Expr rest = rng_.percent(80) ? small : clamp(value(t, 2), -0.25, 0.25);
  s.label = label_for(a.name);
  s.targets.push_back({a.name, {x, y}});
  s.values.push_back(b_.select(b_.eq(x, y), b_.constant(t, 4), rest));
  out.push_back({std::move(s)});
  a.written = all_of(a);
  return &a;
}

bool Generator::call(Context& c, Body& out) {
  if (c.depth > 0) return false;
  // Linear algebra has tests of its own.
  const CallInfo& which = all_calls()[rng_.below(static_cast<std::size_t>(CallKind::Cholesky) + 1)];
  std::vector<ArrayShape*> whole;
  for (ArrayShape& a : arrays_)
    if (fully_written(a) && a.available) whole.push_back(&a);
  if (whole.empty()) return false;
  if (which.kind == CallKind::Cholesky) {  // square and definite: something new
    ArrayShape* matrix = definite_matrix(out);
    if (matrix) whole = {matrix};
  }
  ArrayShape& in = *rng_.pick(whole);
  Call call;
  call.label = unique("op");
  call.function = p_.graph->symbol(which.name);
  call.inputs.push_back(in.name);
  const auto result = [&](std::string_view stem, DType t, std::vector<AxisShape> axes) {
    ArrayShape& a = add_array(stem, t, Role::Temp, std::move(axes));
    a.written = all_of(a);
    call.outputs.push_back(a.name);
    ++in.reads;
    return &a;
  };
  switch (which.kind) {
    case CallKind::Sort:
      if (in.axes.empty()) return false;
      result("sorted", in.dtype, in.axes);
      break;
    case CallKind::Argsort: {
      if (in.axes.empty()) return false;
      const AxisShape last = in.axes.back();
      ArrayShape& p = *result("order", DType::I64, in.axes);
      p.values = Interval{0, {{last.extent, last.below + last.above}}};
      p.frozen = true;
      break;
    }
    case CallKind::Searchsorted:
    case CallKind::SearchsortedRight:
    case CallKind::Contains: {
      if (in.axes.size() != 1) return false;
      ArrayShape& sorted = *result("sorted", in.dtype, in.axes);
      Call sort = call;
      sort.function = p_.graph->symbol("sort");
      out.push_back({std::move(sort)});
      std::vector<ArrayShape*> keys;
      for (ArrayShape* a : whole)
        if (a->dtype == in.dtype) keys.push_back(a);
      ArrayShape& key = *rng_.pick(keys);
      call = Call{unique("op"), p_.graph->symbol(which.name), {sorted.name, key.name}, {}, {}};
      ++sorted.reads;
      if (which.kind == CallKind::Contains) {
        result("found", DType::Bool, key.axes);
        break;
      }
      ArrayShape& p = *result("place", DType::I64, key.axes);
      p.values = Interval{-in.axes[0].below, {{in.axes[0].extent, in.axes[0].above + 1}}};
      p.frozen = true;
      break;
    }
    case CallKind::NonzeroCount:
    case CallKind::Nonzero: {
      if (in.axes.empty()) return false;
      ArrayShape& count = *result("count", DType::I64, {});
      count.frozen = true;
      call.function = p_.graph->symbol("nonzero_count");
      if (which.kind == CallKind::NonzeroCount) break;
      Call first = call;
      first.label = unique("op");
      out.push_back({std::move(first)});
      const int extent =
          add_extent({p_.graph->read(count.name, DType::I64, {}), 0, {}, -1, -1, false});
      ++count.reads;
      call.function = p_.graph->symbol("nonzero");
      call.outputs.clear();
      ArrayShape& p = *result("where_", DType::I64, {{extent, 0, 0}});
      p.frozen = true;
      if (in.axes.size() == 1 && in.axes[0].below == 0)
        p.values = Interval{0, {{in.axes[0].extent, in.axes[0].above}}};
      break;
    }
    case CallKind::Cholesky: {
      if (in.axes.size() < 2 || !is_float(in.dtype) || is_half(in.dtype)) return false;
      const AxisShape x = in.axes[in.axes.size() - 2], y = in.axes.back();
      if (x.extent != y.extent || x.below != y.below || x.above != y.above) return false;
      result("factor", in.dtype, in.axes);
      break;
    }
    default: return false;
  }
  out.push_back({std::move(call)});
  return true;
}

Program random_program(std::uint64_t seed, const RandomOptions& options) {
  return Generator(seed, options).run();
}

}  // namespace lathe::testing
