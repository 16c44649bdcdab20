// SPDX-License-Identifier: Apache-2.0
// Puts the answer of analysis/extents.h into the program: wider ranges, wider arrays, no
// `extended`.
//
//   temp t: f64[i: n] extended             temp t: f64[i: -1..n]
//   for i in 0..n: t[i] = u[i]        =>   for i in -1..n: t[i] = u[i]
//   for i in 0..n: v[i] = t[i-1]           for i in 0..n: v[i] = t[i-1]

#include <algorithm>

#include "analysis/extents.h"
#include "passes/passes.h"
#include "passes/rebuild.h"

namespace lathe::passes {

ir::Program compute_extents(const ir::Program& program) {
  if (std::none_of(program.arrays.begin(), program.arrays.end(),
                   [](const ir::Array& a) { return a.extended; }))
    return program;
  Diagnostics diagnostics;
  const auto extents = analysis::compute_extents(program, diagnostics);
  if (!extents) throw UserError(diagnostics.all().front());

  ir::Program out = program;
  for (ir::Array& a : out.arrays)
    if (const auto* wide = extents->find_array(a.name)) {
      a.axes = wide->axes;
      a.extended = false;
      a.extended_axes.clear();
    }
  const auto widen = [&](Symbol label, ir::Domain& domain) {
    if (const auto* wide = extents->find(label)) domain.ranges = wide->ranges;
  };
  out.body = map_items(program.body, [&](Item item, Body& to) {
    std::visit(
        [&](auto& node) {
          if constexpr (requires { node.statement.domain; })
            widen(node.statement.label, node.statement.domain);
          else if constexpr (requires { node.domain; })
            widen(node.label, node.domain);
        },
        item.node);
    to.push_back(std::move(item));
  });
  return out;
}

}  // namespace lathe::passes
