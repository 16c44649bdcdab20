// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "base/quoted.h"
#include "schedule/nest_parts.h"

namespace lathe::schedule {

void check_loops(const Nest& nest) {
  for (const Leaf& leaf : nest.leaves) {
    for (const Bind& b : leaf.node->binds)
      if (std::none_of(leaf.path.begin(), leaf.path.end(),
                       [&](const Node* n) { return n->is_loop() && n->name == b.loop; }))
        throw UserError("there is no loop over " + quoted(b.loop) + " around " + quoted(leaf.label),
                        leaf.node->span);
    std::set<Symbol> points;
    bool parallel = false;
    for (std::size_t p = 0; p < leaf.path.size(); ++p) {
      const Node& n = *leaf.path[p];
      if (!n.is_loop()) continue;
      if (n.kind == NodeKind::Parallel) {
        if (parallel) throw UserError("a parallel loop inside of a parallel loop", n.span);
        parallel = true;
      }
      if ((n.kind == NodeKind::Vector || is_copied(n.kind)) && n.tile < 1)
        throw UserError("vector, unroll and jam need a width, as in vector i/8", n.span);
      const bool outside = leaf.on_demand && p < leaf.scope;
      if (!outside && !leaf.range(n.name))
        throw UserError(quoted(leaf.label) + " has no variable " + quoted(n.name) +
                            ", so it cannot run inside of that loop",
                        leaf.node->span,
                        "bind one of its variables: " + std::string(leaf.label.text()) +
                            "(x = " + std::string(n.name.text()) + ")");
      if (is_point_loop(n) && !points.insert(n.name).second)
        throw UserError("two loops run the points of " + quoted(n.name), n.span);
      if (is_tile_loop(n) && points.count(n.name))
        throw UserError(
            "a loop over tiles of " + quoted(n.name) + " inside of the loop over its points",
            n.span);
      const bool ordered = n.kind == NodeKind::Forward || n.kind == NodeKind::Backward;
      if (!outside && leaf.is_sweep(n.name) != ordered && is_point_loop(n))
        throw UserError(
            ordered
                ? quoted(n.name) + " is not the variable of a sweep around " + quoted(leaf.label)
                : quoted(n.name) +
                      " is the variable of a sweep: its loop is `forward` or `backward`",
            n.span);
    }
    for (const ir::Sweep* s : leaf.sweeps) {
      const auto loop = std::find_if(leaf.path.begin(), leaf.path.end(), [&](const Node* n) {
        return is_point_loop(*n) && n->name == s->range.variable;
      });
      const NodeKind kind = s->forward ? NodeKind::Forward : NodeKind::Backward;
      if (loop == leaf.path.end() || (*loop)->kind != kind)
        throw UserError(quoted(leaf.label) + " needs a loop `" +
                            (s->forward ? "forward " : "backward ") +
                            std::string(s->range.variable.text()) + "` around it",
                        leaf.node->span);
    }
  }
}

}  // namespace lathe::schedule
