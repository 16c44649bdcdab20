// SPDX-License-Identifier: Apache-2.0
// The steps, each a file of its own:
//
//   memory_order    which contents of memory each read sees; afterwards equal means same value
//   expr_graph      the expressions as one graph; which reads may lie outside
//   body_graph      under what conditions each is evaluated (conditions, conditionalizer)
//   places          which get a scalar of their own, which stand inside others
//   unit_graph      statements, and what each must wait for
//   list_schedule   their order
//   blocks          the `if`s around them
//   emit_body       the text of the statements

#include "lower/order_body.h"

#include "lower/emit_body.h"
#include "lower/list_schedule.h"

namespace lathe::lower {

loops::Body order_body(ir::Maker& maker, const std::vector<Task>& tasks,
                       const OrderOptions& options) {
  const MemoryOrder memory(maker, tasks, options);
  const ExprGraph exprs(maker, memory, options);
  const BodyGraph body(exprs, memory);
  const Places places(body, options.channels && !options.flat);
  const UnitGraph graph(body, places, memory);
  const std::vector<std::uint32_t> order = list_schedule(graph, body.contexts());
  const Blocks blocks(body, places, graph, order);
  return BodyEmitter(maker, tasks, options, body, places, graph, blocks).run(order);
}

}  // namespace lathe::lower
