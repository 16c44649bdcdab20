// SPDX-License-Identifier: Apache-2.0
// Nests that single edits would hardly ever reach: a statement alone in its outermost loop gets new
// loops altogether.

#include <algorithm>

#include "ir/accumulation_order.h"
#include "ir/traverse.h"
#include "schedule_edits.h"

namespace lathe::testing {

using namespace schedule;

namespace {

Node loop(NodeKind kind, Symbol name, std::int64_t tile = 0) {
  Node n;
  n.kind = kind;
  n.name = name;
  n.tile = tile;
  return n;
}

void wrap(std::vector<Node>& body, Node outer) {
  outer.body = std::move(body);
  body.clear();
  body.push_back(std::move(outer));
}

// The one statement below a node, if it is alone there.
const Node* only_statement(const Node& n) {
  if (n.kind == NodeKind::Compute) return &n;
  if (!n.is_loop() || n.kind > NodeKind::Jam) return nullptr;
  const Node* found = nullptr;
  for (const Node& inner : n.body) {
    if (inner.kind == NodeKind::Copy || inner.kind == NodeKind::Prefetch) continue;
    if (found) return nullptr;
    found = only_statement(inner);
    if (!found) return nullptr;
  }
  return found;
}

struct Nest {
  Spot spot;
  Node statement;
  const ir::Statement* line = nullptr;
  std::vector<Symbol> kept, reduced;
};

// An accumulation that is alone in its loops and has no sweep around.
std::vector<Nest> accumulations(const EditFacts& facts, Schedule& s) {
  std::vector<Nest> all;
  for (const Spot& spot : all_spots(s)) {
    const bool inside = std::any_of(spot.around.begin(), spot.around.end(),
                                    [](const Node* n) { return n->is_loop(); });
    const Node* statement = inside ? nullptr : only_statement(spot.node());
    const auto line = statement ? facts.statements.find(statement->name) : facts.statements.end();
    if (line == facts.statements.end() || !line->second->accumulate) continue;
    const auto& ranges = line->second->domain.ranges;
    const auto reduced = ir::reduced_variables(line->second->targets, ranges);
    if (!reduced || reduced->empty()) continue;
    Nest n{spot, *statement, line->second, {}, {}};
    n.statement.binds.clear();
    for (const ir::Range& r : ranges) {
      const bool is_reduced =
          std::find(reduced->begin(), reduced->end(), r.variable) != reduced->end();
      (is_reduced ? n.reduced : n.kept).push_back(r.variable);
    }
    all.push_back(std::move(n));
  }
  return all;
}

std::int64_t divisor_of_4096(Rng& rng) { return std::int64_t{1} << rng.below(13); }

// An operand along one of the tile's variables, packed by its width.
std::optional<Node> packed(const EditFacts& facts, const Nest& nest, Symbol along,
                           std::int64_t width, Rng& rng) {
  std::vector<ir::Expr> reads;
  for (ir::Expr e : ir::post_order(nest.line->values))
    if (e->op == ir::Op::Read && ir::mentions(e, along)) reads.push_back(e);
  if (reads.empty()) return std::nullopt;
  const ir::Expr read = rng.pick(reads);
  const ir::Array* array = facts.program.find_array(read->name);
  Node n = loop(NodeKind::Copy, read->name);
  for (std::size_t x = 0; x < array->axes.size(); ++x) {
    if (!ir::mentions(read->arg(x), along)) continue;
    const auto part = [&](std::size_t axis, PackAxis::Part p, std::int64_t tile) {
      n.layout.push_back({axis, p, tile, array->axes[axis].name});
    };
    part(x, PackAxis::Part::Quotient, width);
    for (std::size_t other = 0; other < array->axes.size(); ++other)
      if (other != x) part(other, PackAxis::Part::All, 1);
    part(x, PackAxis::Part::Remainder, width);
    return n;
  }
  return std::nullopt;
}

}  // namespace

// for k: unroll i/6: vector j/64: c, with loops over tiles and copies around.
void make_register_tile(const EditFacts& facts, Schedule& s, Rng& rng) {
  std::vector<Nest> nests = accumulations(facts, s);
  std::erase_if(nests, [](const Nest& n) { return n.kept.empty(); });
  if (nests.empty()) return;
  Nest& nest = nests[rng.below(nests.size())];
  const Symbol lane = rng.percent(75) ? nest.kept.back() : rng.pick(nest.kept);
  std::vector<Symbol> rows = nest.kept;
  std::erase(rows, lane);
  rng.shuffle(rows);
  std::vector<Symbol> batch;
  while (rows.size() > rng.below(3)) {
    batch.push_back(rows.back());
    rows.pop_back();
  }
  constexpr std::int64_t kWidths[] = {1, 2, 4, 8, 8, 16, 32};
  const std::int64_t width = rng.pick(kWidths), height = rng.between(1, 6);
  const bool in_lanes = rng.percent(85);

  std::vector<Node> body = {nest.statement};
  wrap(body, loop(in_lanes ? NodeKind::Vector : NodeKind::Unroll, lane, width));
  for (Symbol row : rows) wrap(body, loop(NodeKind::Unroll, row, height));
  for (std::size_t r = nest.reduced.size(); r-- > 0;)
    wrap(body, loop(NodeKind::For, nest.reduced[r]));
  for (Symbol row : rows) wrap(body, loop(NodeKind::For, row, height));
  wrap(body, loop(NodeKind::For, lane, width));
  if (rng.percent(50) && !rows.empty()) {
    if (rng.percent(60))
      if (auto copy = packed(facts, nest, rows.front(), height, rng))
        body.insert(body.begin(), std::move(*copy));
    wrap(body, loop(rng.percent(50) ? NodeKind::Parallel : NodeKind::For, rows.front(),
                    height * rng.between(1, 3)));
  }
  if (rng.percent(60))
    if (auto copy = packed(facts, nest, lane, width, rng))
      body.insert(body.begin(), std::move(*copy));
  if (nest.reduced.size() == 1 && rng.percent(60))
    wrap(body, loop(NodeKind::For, nest.reduced[0], divisor_of_4096(rng)));
  if (rng.percent(60))
    wrap(body, loop(rng.percent(50) ? NodeKind::Parallel : NodeKind::For, lane,
                    width * rng.between(1, 4)));
  for (Symbol b : batch) wrap(body, loop(rng.percent(50) ? NodeKind::Parallel : NodeKind::For, b));
  nest.spot.node() = std::move(body.front());
}

// jam j/2: vector i/8: s, t - statements that stand next to each other and have these variables.
void run_together(const EditFacts& facts, Schedule& s, Rng& rng) {
  const auto variables = [&](const Node& n) -> std::vector<Symbol> {
    const Node* statement = only_statement(n);
    const auto line = statement ? facts.statements.find(statement->name) : facts.statements.end();
    if (line == facts.statements.end() || line->second->accumulate) return {};
    const auto& ranges = line->second->domain.ranges;
    if (ranges.size() != 2) return {};
    return {ranges[0].variable, ranges[1].variable};
  };
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at + 1 < s.body.size(); ++at)
    if (const auto v = variables(s.body[at]); !v.empty() && variables(s.body[at + 1]) == v)
      starts.push_back(at);
  if (starts.empty()) return;
  const std::size_t from = rng.pick(starts);
  const std::vector<Symbol> names = variables(s.body[from]);
  std::size_t to = from + 1;
  while (to < s.body.size() && variables(s.body[to]) == names) ++to;
  std::vector<Node> body;
  for (std::size_t at = from; at < to; ++at) {
    body.push_back(*only_statement(s.body[at]));
    body.back().binds.clear();
  }
  constexpr NodeKind kAround[] = {NodeKind::Jam, NodeKind::Jam, NodeKind::For, NodeKind::Unroll,
                                  NodeKind::Parallel};
  const NodeKind around = rng.pick(kAround);
  const bool in_lanes = around == NodeKind::Jam || rng.percent(70);
  wrap(body, loop(in_lanes ? NodeKind::Vector : NodeKind::For, names[1],
                  in_lanes ? std::int64_t{1} << rng.between(0, 4) : 0));
  wrap(body, loop(around, names[0], is_copied(around) ? rng.between(1, 4) : 0));
  s.body.erase(s.body.begin() + static_cast<std::ptrdiff_t>(from) + 1,
               s.body.begin() + static_cast<std::ptrdiff_t>(to));
  s.body[from] = std::move(body.front());
}

// parallel i/8192: for i: s
void spread_tree(const EditFacts& facts, Schedule& s, Rng& rng) {
  std::vector<Nest> nests = accumulations(facts, s);
  std::erase_if(nests, [](const Nest& n) { return n.reduced.size() != 1; });
  if (nests.empty()) return;
  Nest& nest = nests[rng.below(nests.size())];
  std::vector<Node> body = {nest.statement};
  wrap(body, loop(NodeKind::For, nest.reduced[0]));
  wrap(body, loop(NodeKind::Parallel, nest.reduced[0], 4096 * rng.between(1, 2)));
  for (std::size_t k = nest.kept.size(); k-- > 0;) wrap(body, loop(NodeKind::For, nest.kept[k]));
  nest.spot.node() = std::move(body.front());
}

}  // namespace lathe::testing
