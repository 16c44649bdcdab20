// SPDX-License-Identifier: Apache-2.0
#include "passes/branch_commits.h"

#include <algorithm>

namespace lathe::passes {
namespace {

// An accumulation visits an element once per reduced point; its commit visits it once.
void drop_reduced(const ir::Target& target, Expr mask, ir::Domain& domain) {
  domain.guard = mask;
  std::erase_if(domain.ranges, [&](const ir::Range& r) {
    return std::none_of(target.indices.begin(), target.indices.end(),
                        [&](Expr e) { return ir::mentions(e, r.variable); });
  });
}

}  // namespace

void note_commits(const ir::Branch& inner, Expr mask, std::vector<Commit>& commits) {
  for (const Body* body : {&inner.then_body, &inner.else_body})
    for (const Item& item : *body) {
      if (auto* below = std::get_if<ir::Branch>(&item.node)) {
        note_commits(*below, mask, commits);
      } else {
        const auto& s = std::get<ir::Statement>(item.node);
        ir::Statement ran = s;
        ran.domain.guard = mask;
        commits.push_back({ran, s.targets[0], true});
      }
    }
}

void append_commits(ir::Graph& graph, const std::vector<Version>& versions,
                    const std::vector<Commit>& commits, Expr mask,
                    FunctionRef<bool(const ir::Domain&, const ir::Target&)> exists, Body& out) {
  ir::RawMaker raw(graph);
  std::vector<std::pair<ir::Target, ir::Domain>> done;
  for (const Commit& c : commits) {
    const Version& v = *find_version(versions, c.original.array);
    ir::Domain domain = c.statement.domain;
    if (c.statement.accumulate) drop_reduced(c.original, mask, domain);
    if ((c.coarse || c.statement.accumulate) && !exists(domain, c.original))
      domain.guard = both(raw, domain.guard, graph.inside(c.original.array, c.original.indices));
    const bool repeated = std::any_of(done.begin(), done.end(), [&](const auto& d) {
      return d.first == c.original && same_ranges(d.second.ranges, domain.ranges) &&
             d.second.guard == domain.guard;
    });
    if (repeated) continue;
    done.push_back({c.original, domain});
    const Symbol label = graph.fresh_symbol(std::string(c.statement.label.text()) + ".commit");
    const Expr value = graph.read(v.name, v.dtype, version_indices(v, c.original.indices));
    out.push_back({assignment(label, domain, c.original, value, c.statement.span)});
  }
}

ir::Statement assignment(Symbol label, ir::Domain domain, ir::Target target, Expr value,
                         Span span) {
  ir::Statement s;
  s.label = label;
  s.domain = std::move(domain);
  s.targets = {std::move(target)};
  s.values = {value};
  s.span = span;
  return s;
}

}  // namespace lathe::passes
