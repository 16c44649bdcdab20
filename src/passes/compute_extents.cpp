// SPDX-License-Identifier: Apache-2.0
// Applies analysis::compute_extents: new ranges for statements and arrays, and the mark is gone.

#include <algorithm>

#include "analysis/extents.h"
#include "passes/passes.h"
#include "passes/rebuild.h"

namespace lathe::passes {
namespace {

void widen(const analysis::Extents& extents, Symbol label, ir::Domain& domain) {
  if (const auto* found = extents.find(label)) domain.ranges = found->ranges;
}

void widen(const analysis::Extents& extents, Item& item) {
  if (auto* s = std::get_if<ir::Statement>(&item.node)) widen(extents, s->label, s->domain);
  if (auto* s = std::get_if<ir::Scan>(&item.node))
    widen(extents, s->statement.label, s->statement.domain);
  if (auto* g = std::get_if<ir::Group>(&item.node)) widen(extents, g->label, g->domain);
  if (auto* b = std::get_if<ir::Branch>(&item.node)) widen(extents, b->label, b->domain);
  if (auto* w = std::get_if<ir::While>(&item.node)) widen(extents, w->label, w->domain);
}

}  // namespace

ir::Program compute_extents(const ir::Program& program) {
  if (std::none_of(program.arrays.begin(), program.arrays.end(),
                   [](const ir::Array& a) { return a.extended; }))
    return program;
  Diagnostics diagnostics;
  const auto extents = analysis::compute_extents(program, diagnostics);
  if (!extents) throw UserError(diagnostics.all().front());
  ir::Program out = program;
  for (ir::Array& a : out.arrays) {
    if (!a.extended) continue;
    if (const auto* resized = extents->find_array(a.name)) a.axes = resized->axes;
    a.extended = false;
  }
  out.body = map_items(program.body, [&](Item item, Body& to) {
    widen(*extents, item);
    to.push_back(std::move(item));
  });
  return out;
}

}  // namespace lathe::passes
