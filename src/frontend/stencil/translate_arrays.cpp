// SPDX-License-Identifier: Apache-2.0
// The arrays of a stencil's program: on which ranges they lie, and which of them are the caller's.

#include <algorithm>

#include "frontend/stencil/outputs.h"
#include "frontend/stencil/translator.h"

namespace lathe::stencil {

// Data dimensions lie outside of the axes: neighbours in memory are neighbours on the grid.
std::vector<ir::Axis> Translator::axes_of(const FieldVar& f,
                                          const std::array<Extent, 3>* needed) const {
  const ir::Build& build = builder_.build();
  ir::Graph& graph = builder_.graph();
  std::vector<ir::Axis> axes;
  for (std::size_t d = 0; d < f.dims.size(); ++d)
    axes.push_back(
        {graph.symbol("d" + std::to_string(d)), build.integer(0), build.integer(f.dims[d])});
  const ir::Expr sizes[3] = {ni_.expr(), nj_.expr(), nk_.expr()};
  for (char c : options_.layout) {
    const std::size_t a = static_cast<std::size_t>(c - 'I');
    if (!f.has_axis[a]) continue;
    const char name[2] = {static_cast<char>('i' + a), 0};
    Extent e = needed ? (*needed)[a] : Extent::domain();
    if (e.empty()) e = Extent::domain();
    axes.push_back({graph.symbol(name), e.lo(build, sizes[a]), e.hi(build, sizes[a])});
  }
  return axes;
}

// Users write I, J, K and then data dimensions, whatever the layout.
std::vector<std::size_t> users_order(const std::vector<ir::Axis>& axes, std::size_t data_dims) {
  std::vector<std::size_t> order;
  for (std::size_t n = data_dims; n < axes.size(); ++n) order.push_back(n);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return axes[a].name.text() < axes[b].name.text();
  });
  for (std::size_t d = 0; d < data_dims; ++d) order.push_back(d);
  return order;
}

// The levels of a field of which data say which is meant are those that the caller's array has:
//
//   pe: f64[i: ni, j: nj, k: -pe_before..nk+pe_after]      with pe_before and pe_after as sizes
void Translator::open_levels(const FieldVar& f, Extent& needed, std::vector<ir::Axis>& axes) {
  Argument& argument = *std::find_if(info_.arguments.begin(), info_.arguments.end(),
                                     [&](const Argument& a) { return a.name == f.name; });
  argument.levels_before = program_name(std::string(f.symbol.text()) + "_before");
  argument.levels_after = program_name(std::string(f.symbol.text()) + "_after");
  needed = needed.flattened(std::max<std::int64_t>(1, info_.min_levels));
  const ir::Build& build = builder_.build();
  const ir::Expr before = builder_.size(argument.levels_before).expr();
  const ir::Expr after = builder_.size(argument.levels_after).expr();
  const ir::Symbol k = builder_.graph().symbol("k");
  for (ir::Axis& axis : axes)
    if (axis.name == k) axis = {k, build.op(ir::Op::Neg, {before}), build.add(nk_.expr(), after)};
}

void Translator::declare_array(const FieldVar& f) {
  ir::Array a;
  a.name = f.symbol;
  a.dtype = f.dtype;
  a.role = f.api ? ir::Role::InOut : ir::Role::Temp;
  a.axes = axes_of(f, nullptr);
  a.users_order = users_order(a.axes, f.dims.size());
  a.extended = !f.api;
  // K is never extended: temporaries have the levels of the domain.
  if (!f.api && a.axes.size() > 2)
    for (const ir::Axis& axis : a.axes)
      if (axis.name.text() == "i" || axis.name.text() == "j") a.extended_axes.push_back(axis.name);
  a.span = f.span;
  builder_.declare(std::move(a));
}

std::int64_t Translator::least_of(std::string_view size) const {
  if (size == "nk") return std::max<std::int64_t>(1, info_.min_levels);
  for (const Argument& a : info_.arguments) {
    if (size == a.levels_before) return a.needed[2].below().value_or(0);
    if (size == a.levels_after) return a.needed[2].above().value_or(0);
  }
  return 1;
}

// What each output needs, found as for all of them together.
void Translator::settle_outputs(const std::vector<FieldUse>& uses) {
  for (std::size_t n = 0; n < fields_.size(); ++n) {
    if (!fields_[n].api || !fields_[n].written) continue;
    const std::vector<Step> steps = steps_for(uses, all_steps_, n);
    const std::vector<bool> is_read = read_by(steps, uses.size());
    Diagnostics known;  // errors were told
    Needed needed = find_needed(uses, steps, known);
    Output output{fields_[n].name, {}};
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      if (!fields_[f].api || !is_read[f]) continue;
      needed.fields[f][2].settle(info_.min_levels);
      output.inputs.emplace_back(fields_[f].name, needed.fields[f]);
    }
    info_.outputs.push_back(std::move(output));
  }
}

// Arguments on the range that they need; those that nothing uses are not part of the program.
void Translator::settle_arguments(ir::Program& program, const Needed& needed,
                                  const std::vector<std::vector<ir::Axis>>& axes) {
  for (std::size_t n = 0; n < fields_.size(); ++n) {
    const FieldVar& f = fields_[n];
    if (!f.api) {
      info_.temporaries.push_back(f.name);
      continue;
    }
    const auto array = std::find_if(program.arrays.begin(), program.arrays.end(),
                                    [&](const ir::Array& a) { return a.name == f.symbol; });
    Argument& argument = *std::find_if(info_.arguments.begin(), info_.arguments.end(),
                                       [&](const Argument& a) { return a.name == f.name; });
    argument.access = f.read ? (f.written ? Access::ReadWrite : Access::Read)
                             : (f.written ? Access::Write : Access::None);
    if (argument.access == Access::None) {
      program.arrays.erase(array);
      continue;
    }
    argument.symbol = std::string(f.symbol.text());
    argument.needed = needed.fields[n];
    array->role = !f.written           ? ir::Role::Input
                  : f.read || f.partly ? ir::Role::InOut
                                       : ir::Role::Output;
    array->axes = axes[n];
  }
  for (const ScalarVar& s : scalars_) {
    Argument& argument = *std::find_if(info_.arguments.begin(), info_.arguments.end(),
                                       [&](const Argument& a) { return a.name == s.name; });
    if (s.used) {
      argument.symbol = std::string(s.symbol.text());
      argument.access = Access::Read;
    } else {
      std::erase_if(program.parameters, [&](const ir::Parameter& p) { return p.name == s.symbol; });
    }
  }
}

}  // namespace lathe::stencil
