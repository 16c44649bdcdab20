// SPDX-License-Identifier: Apache-2.0
// Loops of their own for accumulations whose result has a row along memory:
//
//   for j/512:                                   c[i, j] += a[i, k] * b[k, j]
//     for k/512:
//       copy b -> tile [j/64, k, j%64]           # slivers of b, one after another
//       parallel i/24:
//         for i/6:
//           for j/64:
//             for k:
//               unroll i/6: vector j/64: c       # 24 vectors of c wait in registers
//
//   parallel j/512:                              s[j] += a[k, j]
//     for k/8:
//       for j/32:
//         for k:
//           vector j/32: s

#include <algorithm>

#include "ir/accumulation_order.h"
#include "ir/index_form.h"
#include "ir/traverse.h"
#include "schedule/default_parts.h"

namespace lathe::schedule {
namespace {

using ir::Expr;
using ir::Op;

Node node(NodeKind kind, Symbol name, std::int64_t tile = 0, std::string_view reason = {}) {
  Node n;
  n.kind = kind;
  n.name = name;
  n.tile = tile;
  n.reason = reason;
  return n;
}

// A loop that carries nothing, on threads if it is outermost.
Node spread(Symbol name, std::int64_t tile, bool outermost) {
  if (!outermost) return node(NodeKind::For, name, tile);
  return node(NodeKind::Parallel, name, tile, "no iteration depends on another");
}

// Around what `body` holds so far.
void wrap(std::vector<Node>& body, Node outer) {
  outer.body = std::move(body);
  body.clear();
  body.push_back(std::move(outer));
}

struct Contraction {
  const ir::Program& program;
  const ir::Statement& s;
  const Machine& machine;
  std::vector<Symbol> batch, reduced;
  Symbol row, lane;  // row: none when the result has one variable
  std::vector<Expr> reads;
  std::int64_t size = 8;  // bytes of an element

  bool analyse();
  bool reuses() const;  // operands that rows share, and operands that lanes share
  std::vector<Node> register_tile(std::int64_t height, std::int64_t width) const;
  std::vector<Node> copies(Symbol along, Symbol other, std::int64_t tile) const;
  std::vector<Node> tiles();
  std::vector<Node> fused(Symbol init, const std::vector<Symbol>& users);
  std::vector<Node> rows();
  // An operand that the lanes (or rows) run over and the other does not: packed.
  std::optional<Node> copy(Expr read, Symbol along, Symbol other, std::int64_t tile) const;
  std::int64_t lanes(std::int64_t vectors) const { return vectors * machine.vector_bytes / size; }
  // Of a row of the tile: 6 x 4 of 32 registers, or 6 x 2 of 16. Many matrices are small ones:
  // there 8 x 2, whose columns are fewer than 4 vectors, and eight rows end where most matrices do.
  std::int64_t vectors() const { return machine.vector_bytes >= 64 && batch.empty() ? 4 : 2; }
  std::int64_t height() const { return machine.vector_bytes >= 64 && !batch.empty() ? 8 : 6; }
  void around(std::vector<Node>& body) const;  // loops over the other variables of the result
};

bool Contraction::analyse() {
  if (!s.accumulate || s.accumulate->combiner || s.targets.size() != 1) return false;
  if (s.accumulate->order == ir::Order::Tree) return false;
  const ir::DType dtype = s.accumulate->dtype;
  const ir::Array* target = program.find_array(s.targets.front().array);
  if (!target || ir::is_bool(dtype) || ir::is_half(dtype) || target->dtype != dtype) return false;
  size = static_cast<std::int64_t>(ir::size_bytes(dtype));
  if (s.domain.guard) return false;
  for (const ir::Range& r : s.domain.ranges)
    if (!ir::free_variables(r.lo).empty() || !ir::free_variables(r.hi).empty() ||
        !ir::arrays_read(r.lo).empty() || !ir::arrays_read(r.hi).empty())
      return false;
  const auto found = ir::reduced_variables(s.targets, s.domain.ranges);
  if (!found || found->empty()) return false;
  for (const ir::Range& r : s.domain.ranges)
    if (std::find(found->begin(), found->end(), r.variable) != found->end())
      reduced.push_back(r.variable);
  std::vector<Symbol> kept;
  for (Expr index : s.targets.front().indices) {
    if (index->op != Op::Index) return false;
    kept.push_back(index->name);
  }
  if (kept.empty() || kept.size() + reduced.size() != s.domain.ranges.size()) return false;
  lane = kept.back();
  kept.pop_back();
  if (!kept.empty()) {
    row = kept.back();
    kept.pop_back();
  }
  batch = kept;
  for (Expr e : ir::post_order(s.values)) {
    if (e->op == Op::Reduce) return false;
    if (e->op == Op::Read && !e->args().empty()) reads.push_back(e);
  }
  return !reads.empty();
}

std::optional<Node> Contraction::copy(Expr read, Symbol along, Symbol other,
                                      std::int64_t tile) const {
  const ir::view::Read r(read);
  if (r.policy != ir::Policy::Error && r.policy != ir::Policy::Trusted) return std::nullopt;
  Node n = node(NodeKind::Copy, read->name, 0, "read again for every tile of ");
  n.reason += other.text();
  std::optional<std::size_t> axis;
  for (std::size_t a = 0; a < r.indices.size(); ++a) {
    const Expr index = r.indices[a];
    if (index->op != Op::Index || index->name == other) return std::nullopt;
    if (index->name == along) {
      if (axis) return std::nullopt;
      axis = a;
    }
  }
  if (!axis) return std::nullopt;
  const ir::Array& array = *program.find_array(read->name);
  const auto part = [&](std::size_t a, PackAxis::Part p) {
    n.layout.push_back({a, p, p == PackAxis::Part::All ? 1 : tile, array.axes[a].name});
  };
  part(*axis, PackAxis::Part::Quotient);
  for (std::size_t a = 0; a < r.indices.size(); ++a)
    if (a != *axis) part(a, PackAxis::Part::All);
  part(*axis, PackAxis::Part::Remainder);
  return n;
}

bool Contraction::reuses() const {
  const auto without = [&](Symbol v) {
    return v && std::any_of(reads.begin(), reads.end(), [&](Expr r) {
             return !ir::mentions(r, v) &&
                    std::any_of(reduced.begin(), reduced.end(),
                                [&](Symbol k) { return ir::mentions(r, k); });
           });
  };
  return without(row) && without(lane);
}

std::vector<Node> Contraction::register_tile(std::int64_t height, std::int64_t width) const {
  std::vector<Node> body = {node(NodeKind::Compute, s.label)};
  wrap(body, node(NodeKind::Vector, lane, width, "one row of the tile in registers"));
  wrap(body, node(NodeKind::Unroll, row, height, "so many vectors as registers can hold"));
  for (std::size_t r = reduced.size(); r-- > 0;) wrap(body, node(NodeKind::For, reduced[r]));
  return body;
}

// Of each operand that runs along one of the two and not the other. Rows along the reduced variable
// are read as they are: they lie in memory like that.
std::vector<Node> Contraction::copies(Symbol along, Symbol other, std::int64_t tile) const {
  std::vector<Node> out;
  for (Expr read : reads) {
    if (!ir::mentions(read, along) || ir::mentions(read, other)) continue;
    const Expr last = read->args().back();
    if (along == row && last->op == Op::Index && last->name != row) continue;
    if (std::any_of(out.begin(), out.end(), [&](const Node& n) { return n.name == read->name; }))
      continue;
    if (auto n = copy(read, along, other, tile)) out.push_back(std::move(*n));
  }
  return out;
}

std::vector<Node> Contraction::tiles() {
  // A sliver of the copy is larger than the first cache in any case: rows stay there instead, and
  // slivers come from the second. Long pieces of the reduced variable touch the result less often,
  // and short blocks of rows can be shared out evenly.
  const std::int64_t rows_high = height(), width = lanes(vectors()), piece = 512,
                     block = 4 * rows_high;
  std::vector<Node> body = register_tile(rows_high, width);
  wrap(body, node(NodeKind::For, lane, width, "slivers of the copy come from the second cache"));
  wrap(body, node(NodeKind::For, row, rows_high, "so many rows stay in the first cache"));
  std::vector<Node> of_rows = copies(row, lane, rows_high), of_lanes = copies(lane, row, width);
  std::erase_if(of_rows, [&](const Node& n) {  // one copy of an array at a time
    return std::any_of(of_lanes.begin(), of_lanes.end(),
                       [&](const Node& other) { return other.name == n.name; });
  });
  body.insert(body.begin(), of_rows.begin(), of_rows.end());
  wrap(body, spread(row, block, batch.empty()));
  body.insert(body.begin(), of_lanes.begin(), of_lanes.end());
  if (reduced.size() == 1)
    wrap(body, node(NodeKind::For, reduced[0], piece, "so much of the copy stays in the cache"));
  const std::int64_t columns = machine.l2 / 2 / (piece * size);
  wrap(body, node(NodeKind::For, lane, std::max(width, columns / width * width),
                  "the copy fits half of the second cache"));
  return body;
}

// The result is used point by point and never leaves the registers.
std::vector<Node> Contraction::fused(Symbol init, const std::vector<Symbol>& users) {
  const std::int64_t rows_high = height(), width = lanes(vectors());
  std::vector<Node> body;
  const auto in_registers = [](Node& outer) {
    Node* n = &outer;
    while (n->kind != NodeKind::Compute) n = &n->body.front();
    n->place = {PlaceKind::Register, {}, 0};
  };
  const auto plain = [&](Symbol label) {
    std::vector<Node> nodes = {node(NodeKind::Compute, label)};
    wrap(nodes, node(NodeKind::Vector, lane, width));
    wrap(nodes, node(NodeKind::Unroll, row, rows_high));
    return std::move(nodes.front());
  };
  body.push_back(plain(init));
  in_registers(body.back());
  for (Node& n : register_tile(rows_high, width)) body.push_back(std::move(n));
  in_registers(body.back());
  for (Symbol label : users) body.push_back(plain(label));
  wrap(body, node(NodeKind::For, row, rows_high));
  wrap(body, node(NodeKind::For, lane, width, "a sliver of the copy serves many rows"));
  wrap(body, spread(row, 16 * rows_high, batch.empty()));
  std::vector<Node> of_lanes = copies(lane, row, width);
  body.insert(body.begin(), of_lanes.begin(), of_lanes.end());
  return body;
}

std::vector<Node> Contraction::rows() {
  const std::int64_t width = lanes(4), chunk = 4096 / size;
  std::vector<Node> body = {node(NodeKind::Compute, s.label)};
  wrap(body, node(NodeKind::Vector, lane, width, "contiguous in memory"));
  for (std::size_t r = reduced.size(); r-- > 0;) wrap(body, node(NodeKind::For, reduced[r]));
  wrap(body, node(NodeKind::For, lane, width));
  if (reduced.size() == 1)
    wrap(body,
         node(NodeKind::For, reduced[0], 8, "so many rows at a time, each read along memory"));
  wrap(body, spread(lane, chunk, batch.empty() && !row));
  if (row) batch.push_back(row);
  return body;
}

void Contraction::around(std::vector<Node>& body) const {
  for (std::size_t b = batch.size(); b-- > 0;) {
    Node outer = spread(batch[b], 0, b == 0);
    outer.body = std::move(body);
    body.clear();
    body.push_back(std::move(outer));
  }
}

}  // namespace

std::optional<std::vector<Node>> contraction_loops(const ir::Program& program,
                                                   const ir::Statement& statement,
                                                   const Machine& machine) {
  Contraction c{program, statement, machine, {}, {}, {}, {}, {}, 8};
  if (!c.analyse()) return std::nullopt;
  // One element for all that a lane adds up, t[j], is no reason: the rest is not read along memory.
  const bool along = std::any_of(c.reads.begin(), c.reads.end(), [&](Expr r) {
    return ir::shifted_variable(r->args().back()) == c.lane &&
           std::any_of(c.reduced.begin(), c.reduced.end(),
                       [&](Symbol k) { return ir::mentions(r, k); });
  });
  std::vector<Node> body;
  if (c.reuses())
    body = c.tiles();
  else if (along)
    body = c.rows();
  else
    return std::nullopt;
  c.around(body);
  return body;
}

std::optional<std::vector<Node>> fused_contraction(const ir::Program& program, Symbol init,
                                                   const ir::Statement& statement,
                                                   const std::vector<Symbol>& users,
                                                   const Machine& machine) {
  Contraction c{program, statement, machine, {}, {}, {}, {}, {}, 8};
  if (!c.analyse() || !c.reuses()) return std::nullopt;
  std::vector<Node> body = c.fused(init, users);
  c.around(body);
  return body;
}

}  // namespace lathe::schedule
