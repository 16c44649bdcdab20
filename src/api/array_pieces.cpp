// SPDX-License-Identifier: Apache-2.0
// C compilers take longer than linear for long functions, and the pieces of a long loop over one
// expression are mostly alike, so that one kernel serves many - if they end where turns of the loop
// do. There, fewer values are on their way than within a turn:
//
//   y = y / (sum(y * y) + 1)        within: y and the sum so far; between two turns: y
//
// What becomes loops of its own costs a C compiler as much as dozens of operations within a loop.

#include "api/array_pieces.h"

#include <optional>
#include <utility>

namespace lathe::api {
namespace {

constexpr std::size_t kLargestGraph = 1200, kPiece = 400;  // in operations within a loop
constexpr std::size_t kLoops =
    16;  // measured: 40 to 200; larger kernels can be remembered as plans

std::size_t weight(const array::Node& n) {
  using array::Kind;
  const bool loops = n.kind == Kind::Reduce || n.kind == Kind::Contract || n.kind == Kind::Scan ||
                     n.kind == Kind::Scatter;
  return loops ? kLoops : 1;
}

bool is_alike(const array::Node& a, const array::Node& b) {
  return a.kind == b.kind && a.op == b.op && a.dtype == b.dtype && a.shape == b.shape;
}

}  // namespace

LastReaders last_readers(const std::vector<const array::Node*>& order, const array::Nodes& outputs,
                         const array::NodeSet& leaves) {
  LastReaders out;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (leaves.count(order[i])) continue;
    for (const array::NodeRef& o : order[i]->operands) out[o.get()] = i;
  }
  for (const array::NodeRef& o : outputs) out[o.get()] = order.size();
  return out;
}

bool is_too_large(const std::vector<const array::Node*>& order) {
  std::size_t sum = 0;
  for (const array::Node* n : order) sum += weight(*n);
  return sum > kLargestGraph;
}

std::size_t end_of_piece(const std::vector<const array::Node*>& order, std::size_t begin,
                         const LastReaders& last_reader, const array::NodeSet& leaves) {
  const auto last = [&](const array::Node* n) {
    const auto found = last_reader.find(n);
    return found == last_reader.end() ? 0 : found->second;
  };
  array::NodeSet open;  // values of this piece that are read later
  // How many those are, and whether the place is unlike the one where the piece before ended: of
  // several within a turn it is the same each time.
  std::optional<std::pair<std::size_t, bool>> fewest;
  std::size_t size = 0, best = begin;
  for (std::size_t i = begin; i < order.size(); ++i) {
    const array::Node* n = order[i];
    size += weight(*n);
    if (size > kPiece && best > begin) return best;
    const bool is_leaf = n->kind < array::Kind::Map || leaves.count(n) > 0;
    if (!is_leaf) {
      for (const array::NodeRef& o : n->operands)
        if (last(o.get()) <= i) open.erase(o.get());
      if (last(n) > i) open.insert(n);
    }
    const std::pair<std::size_t, bool> here{open.size(),
                                            begin > 0 && !is_alike(*n, *order[begin - 1])};
    if (2 * size < kPiece || (fewest && here > *fewest)) continue;
    fewest = here;
    best = i + 1;
  }
  return order.size();
}

}  // namespace lathe::api
