// SPDX-License-Identifier: Apache-2.0
#include "schedule/inline_nowhere.h"

#include <algorithm>
#include <map>

#include "base/quoted.h"
#include "ir/traverse.h"
#include "schedule/inline_prepared.h"

namespace lathe::schedule {
namespace {

void drop_nowhere(std::vector<Node>& body) {
  for (Node& n : body) {
    drop_nowhere(n.body);
    drop_nowhere(n.otherwise);
  }
  std::erase_if(body, [](const Node& n) {
    return (n.kind == NodeKind::Compute && n.place.kind == PlaceKind::Nowhere) ||
           (n.is_loop() && n.body.empty());
  });
}

struct Temporary {
  Symbol array;
  const Node* node;
};

// In the order of the tree.
std::vector<Temporary> temporaries_nowhere(const ir::Program& program, std::vector<Node>& body) {
  std::map<Symbol, const ir::Statement*> statements;
  ir::for_each_statement(program.body, [&](const ir::Statement& s) { statements[s.label] = &s; });
  std::vector<Temporary> out;
  for_each_node(body, [&](Node& n) {
    if (n.kind != NodeKind::Compute || n.place.kind != PlaceKind::Nowhere) return;
    const auto it = statements.find(n.name);
    if (it == statements.end()) return;
    for (const ir::Target& t : it->second->targets)
      if (std::none_of(out.begin(), out.end(), [&](auto& x) { return x.array == t.array; }))
        out.push_back({t.array, &n});
  });
  return out;
}

[[noreturn]] void refuse(const Temporary& t, const passes::Refusal& refusal) {
  Diagnostic d{Severity::Error,
               quoted(t.array) + " cannot live nowhere: " + refusal.reason,
               t.node->span,
               {},
               "give it a place: register, window, tile or whole"};
  if (refusal.first.known()) d.note("first place", refusal.first);
  if (refusal.second.known()) d.note("second place", refusal.second);
  throw UserError(d);
}

}  // namespace

ir::Program inline_nowhere(const ir::Program& program, std::vector<Node>& body) {
  std::vector<Temporary> waiting = temporaries_nowhere(program, body);
  if (waiting.empty()) return program;
  ir::Program result = program;
  // What is inlined first decides about what can be inlined next, and the tree says nothing of the
  // order between its blocks: who is refused asks again after the others.
  while (!waiting.empty()) {
    std::vector<Temporary> refused;
    std::optional<passes::Refusal> first;
    for (const Temporary& t : waiting) {
      passes::Outcome outcome = inline_prepared(result, t.array);
      if (auto* p = std::get_if<ir::Program>(&outcome)) {
        result = std::move(*p);
        continue;
      }
      refused.push_back(t);
      if (!first) first = std::get<passes::Refusal>(outcome);
    }
    if (refused.size() == waiting.size()) refuse(refused.front(), *first);
    waiting = std::move(refused);
  }
  drop_nowhere(body);
  return result;
}

}  // namespace lathe::schedule
