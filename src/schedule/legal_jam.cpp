// SPDX-License-Identifier: Apache-2.0
// What a jam may hold. Its iterations run together, one vector of each after the other:
//
//   jam j/2:                 for j by 2:
//     vector i/16: s   ->      vector i/16: s at j, s at j+1
//
// so that they share what they load. Dependences between points of different i would be broken:
// legal.cpp looks at those.

#include <algorithm>

#include "base/quoted.h"
#include "schedule/legal_parts.h"

namespace lathe::schedule {

namespace {

bool holds(const Node& n, NodeKind kind) {
  return std::any_of(n.body.begin(), n.body.end(),
                     [&](const Node& inner) { return inner.kind == kind || holds(inner, kind); });
}

std::string help_for(const Node& jam) {
  if (holds(jam, NodeKind::Prefetch)) return "write the prefetch after the jam, outside of it";
  if (holds(jam, NodeKind::Copy)) return "write the copy before the jam, outside of it";
  const std::string unroll =
      "write unroll " + std::string(jam.name.text()) + "/" + std::to_string(jam.tile);
  return holds(jam, NodeKind::Vector) ? unroll : "give it a vector loop to hold, or " + unroll;
}

}  // namespace

std::optional<Diagnostic> refused_jam(const Leaf& leaf, const ir::Statement& s) {
  const auto jam = std::find_if(leaf.path.begin(), leaf.path.end(),
                                [](const Node* n) { return n->kind == NodeKind::Jam; });
  if (jam == leaf.path.end()) return std::nullopt;
  const Node& n = **jam;
  Diagnostic d;
  d.span = n.span;
  const std::string name = "jam " + std::string(n.name.text());
  const bool holds_vector = n.body.size() == 1 && n.body[0].kind == NodeKind::Vector &&
                            std::all_of(n.body[0].body.begin(), n.body[0].body.end(),
                                        [](const Node& x) { return x.kind == NodeKind::Compute; });
  if (!holds_vector) {
    d.message = quoted(name) + " must hold one vector loop over statements and nothing else";
    d.note(quoted(leaf.label) + " runs in it", s.span);
    d.help = help_for(n);
    return d;
  }
  if (!s.accumulate) return std::nullopt;
  d.message = "iterations of " + quoted(name) + " run together, but " + quoted(leaf.label) +
              " accumulates, and the order of its points is meaning";
  d.note("it accumulates here", s.span);
  d.help = "write for " + std::string(n.name.text());
  return d;
}

}  // namespace lathe::schedule
