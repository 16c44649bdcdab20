// SPDX-License-Identifier: Apache-2.0
// A layout belongs to the array, but it is written where a statement is. So every statement that
// writes the array has to say the same, the ones that say nothing included: whoever changes one of
// them sees that there are more.

#include "schedule/layouts.h"

#include <algorithm>

#include "base/nearest_name.h"
#include "base/quoted.h"

namespace lathe::schedule {
namespace {

[[noreturn]] void refuse(std::string message, const Node& node, const ir::Array& array,
                         std::string help = {}) {
  Diagnostic d{Severity::Error, std::move(message), node.span, {}, std::move(help)};
  d.note("declared here", array.span);
  throw UserError(d);
}

// Numbers of axes instead of their names.
std::vector<std::size_t> numbers(const Node& node, const ir::Array& array) {
  const std::vector<Symbol>& names = node.place.layout;
  if (array.role != ir::Role::Temp)
    refuse(quoted(array.name) + " is no temporary, so no schedule decides how it lies in memory",
           node, array);
  std::vector<std::size_t> order;
  for (const Symbol name : names) {
    NearestName near(name.text());
    std::size_t x = 0;
    while (x < array.axes.size() && array.axes[x].name != name)
      near.consider(array.axes[x++].name.text());
    if (x == array.axes.size())
      refuse(quoted(array.name) + " has no axis " + quoted(name), node, array, near.help());
    if (std::find(order.begin(), order.end(), x) != order.end())
      refuse("the layout of " + quoted(array.name) + " has " + quoted(name) + " twice", node,
             array);
    order.push_back(x);
  }
  for (std::size_t x = 0; x < array.axes.size(); ++x)
    if (std::find(order.begin(), order.end(), x) == order.end())
      refuse("the layout of " + quoted(array.name) + " lacks " + quoted(array.axes[x].name), node,
             array, "name every axis once; the last one is contiguous");
  return order;
}

struct Writer {
  const Node* node;
  Span span;
};

void check_agreement(const Nest& nest, const std::map<Symbol, Writer>& laid_out) {
  for (const Leaf& leaf : nest.leaves)
    for (const ir::Statement* s : leaf.lines)
      for (const ir::Target& t : s->targets) {
        const auto it = laid_out.find(t.array);
        // What takes over the storage of another takes its layout, too.
        if (it == laid_out.end() || leaf.node->place.kind == PlaceKind::InPlace) continue;
        if (leaf.node->place.layout == it->second.node->place.layout) continue;
        Diagnostic d{Severity::Error,
                     "the statements that write " + quoted(t.array) + " give it different layouts",
                     leaf.node->span,
                     {},
                     "write the same layout at each of them"};
        d.note("it is written here", s->span);
        d.note("and here", it->second.span);
        throw UserError(d);
      }
}

void check_rotations(const Nest& nest, const std::map<Symbol, Writer>& laid_out) {
  const auto layout = [&](Symbol array) {
    const auto it = nest.layouts.find(array);
    return it == nest.layouts.end() ? std::vector<std::size_t>{} : it->second;
  };
  for (const auto& [label, item] : nest.items) {
    const auto* repeat = std::get_if<ir::Repeat>(&item->node);
    if (!repeat) continue;
    for (const Symbol a : repeat->rotate)
      for (const Symbol b : repeat->rotate) {
        if (!nest.layouts.count(a) || layout(a) == layout(b)) continue;
        Diagnostic d{Severity::Error,
                     quoted(label) + " rotates " + quoted(a) + " and " + quoted(b) +
                         ", so both must lie in memory in the same way",
                     laid_out.at(a).node->span,
                     {},
                     {}};
        d.note("rotated here", repeat->span);
        throw UserError(d);
      }
  }
}

}  // namespace

void find_layouts(Nest& nest) {
  std::map<Symbol, Writer> laid_out;
  for (const Leaf& leaf : nest.leaves) {
    if (leaf.node->place.layout.empty()) continue;
    if (!has_layout(leaf.node->place.kind)) throw UserError(kNoLayout, leaf.node->span);
    for (const ir::Statement* s : leaf.lines)
      for (const ir::Target& t : s->targets) {
        const ir::Array* array = nest.program.find_array(t.array);
        if (!array) continue;  // a local of the group
        std::vector<std::size_t> order = numbers(*leaf.node, *array);
        laid_out.insert({t.array, {leaf.node, s->span}});
        if (!std::is_sorted(order.begin(), order.end())) nest.layouts[t.array] = std::move(order);
      }
  }
  check_agreement(nest, laid_out);
  check_rotations(nest, laid_out);
}

}  // namespace lathe::schedule
