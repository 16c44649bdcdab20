// SPDX-License-Identifier: Apache-2.0
// Document 004's fusion of parallel loops: two neighbours over one domain become a group.
//
//   for i in 0..n: t[i] = u[i]                  for i in 0..n:
//   for i in 0..n: v[i] = 2 * t[i]         =>     t[i] = u[i]
//                                                 v[i] = 2 * t[i]
//
// Legal when no point reads or overwrites what another point of the group writes.

#include <algorithm>
#include <optional>

#include "base/quoted.h"
#include "ir/group_rule.h"
#include "passes/passes.h"
#include "passes/rebuild.h"

namespace lathe::passes {
namespace {

// A statement as a group of one; nothing for other items.
std::optional<ir::Group> as_group(const Item& item) {
  if (auto* g = std::get_if<ir::Group>(&item.node)) return *g;
  auto* s = std::get_if<ir::Statement>(&item.node);
  if (!s) return std::nullopt;
  ir::Group g;
  g.domain = s->domain;
  g.span = s->span;
  g.statements = {*s};
  g.statements[0].domain.ranges.clear();
  g.domain.guard = nullptr;  // stays with the line
  return g;
}

// An item goes by its own label or, a group, by that of one of its lines.
bool is_called(const Item& item, Symbol label) {
  if (label_of(item) == label) return true;
  auto* g = std::get_if<ir::Group>(&item.node);
  return g && std::any_of(g->statements.begin(), g->statements.end(),
                          [&](const ir::Statement& s) { return s.label == label; });
}

struct Fusion {
  ir::Program program;
  Symbol first, second;
  std::optional<Refusal> refusal;
  bool found = false;

  Body in(const Body& body) {
    Body out;
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (!found && is_called(body[i], first)) {
        found = true;
        if (auto fused = fuse(body, i)) {
          out.push_back({std::move(*fused)});
          ++i;
          continue;
        }
      }
      Item item = body[i];
      map_bodies(item, [&](Body inner) { return in(inner); });
      out.push_back(std::move(item));
    }
    return out;
  }

  std::optional<ir::Group> refuse(std::string reason, Span a, Span b) {
    refusal = Refusal{std::move(reason), a, b};
    return std::nullopt;
  }

  std::optional<ir::Group> fuse(const Body& body, std::size_t i) {
    const Span at = span_of(body[i]);
    if (i + 1 == body.size() || !is_called(body[i + 1], second))
      return refuse(quoted(second) + " does not follow " + quoted(first), at, {});
    const Span next = span_of(body[i + 1]);
    auto a = as_group(body[i]), b = as_group(body[i + 1]);
    if (!a || !b) return refuse("only statements and groups can be fused", at, next);
    if (!same_ranges(a->domain.ranges, b->domain.ranges))
      return refuse(quoted(first) + " and " + quoted(second) + " run over different domains", at,
                    next);
    if (a->domain.ranges.empty())
      return refuse(quoted(first) + " and " + quoted(second) + " have no loop to share", at, next);
    push_guard_down(*program.graph, *a);
    push_guard_down(*program.graph, *b);
    ir::Group joined = *a;
    if (!joined.label)
      joined.label =
          b->label ? b->label : program.graph->fresh_symbol(std::string(first.text()) + ".fused");
    joined.locals.insert(joined.locals.end(), b->locals.begin(), b->locals.end());
    joined.statements.insert(joined.statements.end(), b->statements.begin(), b->statements.end());
    if (auto why = ir::group_refusal(joined)) return refuse(why->reason, why->first, why->second);
    return joined;
  }
};

}  // namespace

Outcome fuse_statements(const ir::Program& program, Symbol first, Symbol second) {
  Fusion fusion{program, first, second, std::nullopt};
  Body body = fusion.in(program.body);
  if (fusion.refusal) return *fusion.refusal;
  if (!fusion.found) return Refusal{"there is no statement " + quoted(first), {}, {}};
  fusion.program.body = std::move(body);
  return fusion.program;
}

}  // namespace lathe::passes
