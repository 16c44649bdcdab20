// SPDX-License-Identifier: Apache-2.0
// Default jams.
//
// Of a stencil with several rows, iterations side by side read most of their rows in common: they
// are loaded once, and what one computes for the next stays in registers. With 32 registers.
//
//   for j:                                 jam j/3:
//     vector i/8: out reads u at      ->     vector i/8: out
//       j-1, j, j+1, j+2

#include <algorithm>

#include "ir/traverse.h"
#include "rewrite/rules.h"
#include "schedule/default_parts.h"
#include "schedule/nest.h"

namespace lathe::schedule {
namespace {

constexpr std::int64_t kTogether = 3;        // iterations; code grows with each
constexpr std::int64_t kVectorBytes = 64;    // of processors with 32 of them
constexpr std::size_t kFewLoads = 6;         // memory is slower than these
constexpr std::size_t kMostLoads = 24;       // of one iteration
constexpr std::size_t kMostOperations = 96;  // of one iteration: code gets three times as long
constexpr double kSaves = 0.2;               // of the loads

using Statements = std::map<Symbol, const ir::Statement*>;

bool may_be_jammed(const Node& n) {
  return n.kind == NodeKind::For && is_point_loop(n) && n.body.size() == 1 &&
         n.body[0].kind == NodeKind::Vector &&
         std::all_of(n.body[0].body.begin(), n.body[0].body.end(),
                     [](const Node& x) { return x.kind == NodeKind::Compute; });
}

bool pays(const Node& n, const Statements& statements, ir::Maker& maker) {
  std::vector<Expr> roots, next;
  const ir::Build build(maker);
  for (const Node& leaf : n.body[0].body) {
    const auto it = statements.find(leaf.name);
    if (it == statements.end()) return false;  // a group, a while
    Symbol v = n.name;
    std::int64_t shift = 0;
    for (const Bind& b : leaf.binds)
      if (b.loop == n.name) {
        v = b.variable;
        shift = b.shift;
      }
    for (Expr e : it->second->values) {
      const auto at = [&](std::int64_t k) {
        const Expr here = build.add(maker.graph().index(n.name), build.integer(k));
        return ir::rename(maker, e, {{v, here}});
      };
      roots.push_back(at(shift));
      next.push_back(at(shift + 1));
    }
  }
  const auto count = [](const std::vector<Expr>& all) {
    std::pair<std::size_t, std::size_t> loads_and_operations{0, 0};
    for (Expr e : ir::post_order(all)) {
      if (e->op == ir::Op::Read && e->arg_count > 0)
        ++loads_and_operations.first;
      else if (ir::is_float(e->dtype) && e->arg_count > 0)
        ++loads_and_operations.second;
    }
    return loads_and_operations;
  };
  const auto [loads, operations] = count(roots);
  if (loads < kFewLoads || loads > kMostLoads || operations > kMostOperations) return false;
  roots.insert(roots.end(), next.begin(), next.end());
  const auto both = static_cast<double>(count(roots).first);
  return both <= (1 - kSaves) * 2 * static_cast<double>(loads);
}

// The next loop that is worth a try, from the outside in.
Node* find_loop(std::vector<Node>& body, const Statements& statements, ir::Maker& maker,
                std::size_t& skip) {
  for (Node& n : body) {
    if (may_be_jammed(n) && pays(n, statements, maker)) {
      if (skip == 0) return &n;
      --skip;
    }
    for (std::vector<Node>* inner : {&n.body, &n.otherwise})
      if (Node* found = find_loop(*inner, statements, maker, skip)) return found;
  }
  return nullptr;
}

}  // namespace

void jam_rows(const ir::Program& program, const Machine& machine, const KnownProgram& known,
              analysis::SetQuery& query, Schedule& s) {
  if (machine.vector_bytes < kVectorBytes) return;
  Statements statements;
  ir::for_each_statement(program.body,
                         [&](const ir::Statement& st) { statements[st.label] = &st; });
  rewrite::Simplifier maker(*program.graph);
  for (std::size_t skip = 0;; ++skip) {
    Schedule trial = s;
    std::size_t left = skip;
    Node* const n = find_loop(trial.body, statements, maker, left);
    if (!n) return;
    n->kind = NodeKind::Jam;
    n->tile = kTogether;
    n->reason = "three rows at a time share what they load";
    if (!is_legal(program, trial, known, query)) continue;
    s = std::move(trial);
    --skip;  // it is no candidate any more
  }
}

}  // namespace lathe::schedule
