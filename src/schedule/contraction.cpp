// SPDX-License-Identifier: Apache-2.0
// Loops of their own for accumulations whose result has a row along memory:
//
//   for j/512:                                   c[i, j] += a[i, k] * b[k, j]
//     for k/256:
//       copy b -> tile [j/64, k, j%64]           # slivers of b, one after another
//       parallel i/24:
//         for j/64:
//           for i/6:
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
  std::vector<Node> tiles();
  std::vector<Node> rows();
  // An operand that the lanes (or rows) run over and the other does not: packed.
  std::optional<Node> copy(Expr read, Symbol along, Symbol other, std::int64_t tile) const;
  std::int64_t lanes(std::int64_t vectors) const { return vectors * machine.vector_bytes / size; }
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

std::vector<Node> Contraction::tiles() {
  const bool many = machine.vector_bytes >= 64;  // 32 registers, else 16
  const std::int64_t height = 6, width = lanes(many ? 4 : 2);
  const std::int64_t piece = 256, block = 4 * height;
  std::vector<Node> body = {node(NodeKind::Compute, s.label)};
  wrap(body, node(NodeKind::Vector, lane, width, "one row of the tile in registers"));
  wrap(body, node(NodeKind::Unroll, row, height, "so many vectors as registers can hold"));
  for (std::size_t r = reduced.size(); r-- > 0;) wrap(body, node(NodeKind::For, reduced[r]));
  wrap(body, node(NodeKind::For, row, height));
  wrap(body, node(NodeKind::For, lane, width, "a sliver of the copy stays in the first cache"));
  // Rows along the reduced variable are read as they are; others would cost a page each.
  std::vector<Symbol> copied;
  for (Expr read : reads) {
    if (mentions(read, lane) || !mentions(read, row)) continue;
    if (read->args().back()->op == Op::Index && read->args().back()->name != row) continue;
    if (std::count(copied.begin(), copied.end(), read->name) > 0) continue;
    if (auto n = copy(read, row, lane, height)) {
      copied.push_back(read->name);
      body.insert(body.begin(), std::move(*n));
    }
  }
  wrap(body, spread(row, block, batch.empty()));
  for (Expr read : reads) {
    if (!mentions(read, lane) || mentions(read, row)) continue;
    if (std::count(copied.begin(), copied.end(), read->name) > 0) continue;
    if (auto n = copy(read, lane, row, width)) {
      copied.push_back(read->name);
      body.insert(body.begin(), std::move(*n));
    }
  }
  if (reduced.size() == 1)
    wrap(body, node(NodeKind::For, reduced[0], piece, "so much of the copy stays in the cache"));
  const std::int64_t columns = machine.l2 / 2 / (piece * size);
  wrap(body, node(NodeKind::For, lane, std::max(width, columns / width * width),
                  "the copy fits half of the second cache"));
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

}  // namespace

std::optional<Node> contraction_loops(const ir::Program& program, const ir::Statement& statement,
                                      const Machine& machine) {
  Contraction c{program, statement, machine, {}, {}, {}, {}, {}, 8};
  if (!c.analyse()) return std::nullopt;
  const auto without = [&](Symbol v) {
    return v && std::any_of(c.reads.begin(), c.reads.end(), [&](Expr r) {
             return !mentions(r, v) && std::any_of(c.reduced.begin(), c.reduced.end(),
                                                   [&](Symbol k) { return mentions(r, k); });
           });
  };
  const bool along = std::any_of(c.reads.begin(), c.reads.end(), [&](Expr r) {
    return ir::shifted_variable(r->args().back()) == c.lane;
  });
  std::vector<Node> body;
  if (without(c.row) && without(c.lane))
    body = c.tiles();
  else if (along)
    body = c.rows();
  else
    return std::nullopt;
  for (std::size_t b = c.batch.size(); b-- > 0;) wrap(body, spread(c.batch[b], 0, b == 0));
  return std::move(body.front());
}

}  // namespace lathe::schedule
