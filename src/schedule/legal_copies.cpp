// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/quoted.h"
#include "passes/rebuild.h"
#include "schedule/legal_parts.h"

namespace lathe::schedule {
namespace {

class CopyJudge {
 public:
  explicit CopyJudge(const Nest& nest) : nest_(nest) {}

  std::optional<Diagnostic> judge_copies(const std::vector<Node>& body) {
    for (std::size_t i = 0; i < body.size(); ++i) {
      const Node& n = body[i];
      if (n.kind == NodeKind::Copy) {
        if (auto d = judge_layout(n)) return d;
        for (std::size_t x = i + 1; x < body.size(); ++x)
          if (auto d = judge_writes(n, body[x])) return d;
      }
      if (auto d = judge_copies(n.body)) return d;
      if (auto d = judge_copies(n.otherwise)) return d;
    }
    return std::nullopt;
  }

  // While a copy is in use nobody writes the array or gives its name to another one.
  std::optional<Diagnostic> judge_writes(const Node& copy, const Node& n) const {
    const auto refuse = [&](Symbol label, const char* verb, const char* done, Span span) {
      Diagnostic d{Severity::Error,
                   quoted(copy.name) + " cannot be copied here: " + quoted(label) + " " + verb +
                       " it while the copy is in use",
                   copy.span,
                   {},
                   "put the copy after that statement"};
      d.note(std::string(done) + " here", span);
      return d;
    };
    if (n.kind == NodeKind::Compute)
      for (const ir::Statement* s : nest_.leaves[nest_.leaf_of.at(&n)].lines)
        for (const ir::Target& t : s->targets)
          if (t.array == copy.name) return refuse(s->label, "writes", "written", s->span);
    if (const auto item = nest_.items.find(n.name); item != nest_.items.end()) {
      if (const auto* call = std::get_if<ir::Call>(&item->second->node))
        if (passes::touched(*item->second).writes.count(copy.name))
          return refuse(call->label, "writes", "written", call->span);
      if (const auto* r = std::get_if<ir::Repeat>(&item->second->node))
        if (std::find(r->rotate.begin(), r->rotate.end(), copy.name) != r->rotate.end())
          return refuse(r->label, "rotates", "rotated", r->span);
    }
    for (const Node& inner : n.body)
      if (auto d = judge_writes(copy, inner)) return d;
    for (const Node& inner : n.otherwise)
      if (auto d = judge_writes(copy, inner)) return d;
    return std::nullopt;
  }

  // Each axis once: whole, or as the number of a tile and the place in it.
  std::optional<Diagnostic> judge_layout(const Node& n) const {
    const ir::Array* found = nest_.program.find_array(n.name);
    if (!found)
      return Diagnostic{Severity::Error,
                        quoted(n.name) + " lives nowhere, so there is nothing to copy",
                        n.span,
                        {},
                        "copy what it is computed from, or give it a place"};
    const ir::Array& a = *found;
    const auto refuse_layout = [&](const std::string& why) {
      return Diagnostic{Severity::Error,
                        "the layout of the copy of " + quoted(n.name) + " " + why,
                        n.span,
                        {},
                        "name each axis once, as d, or as d/T and d%T"};
    };
    if (nest_.find_storage(n.name))
      return Diagnostic{
          Severity::Error,
          quoted(n.name) + " lives in a place of its own already, so a copy is useless",
          n.span,
          {},
          ""};
    if (a.axes.empty())
      return Diagnostic{Severity::Error, quoted(n.name) + " is a scalar", n.span, {}, ""};
    if (n.layout.empty()) return std::nullopt;
    for (std::size_t x = 0; x < a.axes.size(); ++x) {
      std::vector<const PackAxis*> parts;
      for (const PackAxis& p : n.layout)
        if (p.axis == x) parts.push_back(&p);
      const std::string axis = quoted(a.axes[x].name);
      if (parts.empty()) return refuse_layout("leaves out axis " + axis);
      if (parts.size() == 1 && parts[0]->part == PackAxis::Part::All) continue;
      const bool pair = parts.size() == 2 && parts[0]->part != parts[1]->part &&
                        parts[0]->part != PackAxis::Part::All &&
                        parts[1]->part != PackAxis::Part::All && parts[0]->tile == parts[1]->tile;
      if (!pair) return refuse_layout("does not fit axis " + axis);
    }
    return std::nullopt;
  }

 private:
  const Nest& nest_;
};

}  // namespace

std::optional<Diagnostic> refused_copy(const Nest& nest) {
  return CopyJudge(nest).judge_copies(nest.body);
}

}  // namespace lathe::schedule
