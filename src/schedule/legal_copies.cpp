// SPDX-License-Identifier: Apache-2.0
#include "schedule/legal_copies.h"

#include "base/quoted.h"

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
        std::vector<const Leaf*> after;
        for (std::size_t x = i + 1; x < body.size(); ++x) collect(body[x], after);
        for (const Leaf* leaf : after)
          for (const ir::Statement* s : leaf->lines)
            for (const ir::Target& t : s->targets)
              if (t.array == n.name) {
                Diagnostic d{Severity::Error,
                             quoted(n.name) + " cannot be copied here: " + quoted(s->label) +
                                 " writes it while the copy is in use",
                             n.span,
                             {},
                             "put the copy after that statement"};
                d.note("written here", s->span);
                return d;
              }
      }
      if (auto d = judge_copies(n.body)) return d;
      if (auto d = judge_copies(n.otherwise)) return d;
    }
    return std::nullopt;
  }

  void collect(const Node& n, std::vector<const Leaf*>& out) const {
    if (n.kind == NodeKind::Compute) out.push_back(&nest_.leaves[nest_.leaf_of.at(&n)]);
    for (const Node& inner : n.body) collect(inner, out);
    for (const Node& inner : n.otherwise) collect(inner, out);
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
