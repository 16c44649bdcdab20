// SPDX-License-Identifier: Apache-2.0
// The points of a group are independent, so its lines may run one after the other over the whole
// domain. Locals go into the lines that read them; lines that end up in one loop again share what
// they have in common when loops are made.

#include <algorithm>
#include <map>
#include <optional>

#include "ir/build.h"
#include "passes/passes.h"
#include "passes/rebuild.h"

namespace lathe::passes {
namespace {

// As text, an expression is a tree: locals that are used twice by locals that are used twice ...
constexpr std::size_t kMostNodes = 2000;

std::size_t tree_size(Expr root) {
  std::unordered_map<Expr, std::size_t> sizes;
  for (Expr e : ir::post_order(root)) {
    std::size_t size = 1;
    for (Expr operand : e->args()) size = std::min(kMostNodes + 1, size + sizes.at(operand));
    sizes[e] = size;
  }
  return sizes.at(root);
}

bool is_temporary(const ir::Program& program, Symbol array) {
  const ir::Array* a = program.find_array(array);
  return a && a->role == ir::Role::Temp;
}

// Does the group write both what may live anywhere and what the caller sees?
bool is_mixed(const ir::Program& program, const ir::Group& group,
              const std::map<Symbol, Expr>& locals) {
  bool temporary = false, visible = false;
  for (const ir::Statement& s : group.statements)
    for (const ir::Target& t : s.targets)
      if (!locals.contains(t.array)) (is_temporary(program, t.array) ? temporary : visible) = true;
  return temporary && visible;
}

class GroupSplitter {
 public:
  GroupSplitter(const ir::Program& program, const ir::Group& group)
      : program_(program), group_(group), raw_(*program.graph) {
    for (const ir::Local& local : group.locals) values_[local.name] = nullptr;
  }

  // The lines as statements; nothing when the group stays.
  std::optional<Body> run() {
    if (!is_mixed(program_, group_, values_)) return std::nullopt;
    Body out;
    for (const ir::Statement& line : group_.statements) {
      if (line.accumulate || line.targets.size() != 1) return std::nullopt;
      ir::Statement s = line;
      map_statement_expressions(s, [&](Symbol, Expr e) { return without_locals(e); });
      if (!fine_) return std::nullopt;
      const Symbol target = s.targets[0].array;
      if (const auto local = values_.find(target); local != values_.end()) {
        if (!set(local->second, s)) return std::nullopt;
        continue;
      }
      // A local that read this array holds what was there before.
      for (auto& [name, value] : values_)
        if (value && reads_array(value, target)) value = nullptr;
      if (group_.domain.guard && reads_array(group_.domain.guard, target)) return std::nullopt;
      s.domain.guard = both(raw_, group_.domain.guard, s.domain.guard);
      s.domain.ranges = group_.domain.ranges;
      out.push_back({std::move(s)});
    }
    return out;
  }

 private:
  bool set(Expr& local, const ir::Statement& s) {
    if (s.domain.guard && !local) return false;
    local =
        s.domain.guard ? ir::Build(raw_).select(s.domain.guard, s.values[0], local) : s.values[0];
    return true;
  }

  Expr without_locals(Expr root) {
    const Expr result = ir::rewrite(raw_, root, [&](Expr e) -> Expr {
      if (e->op != ir::Op::Read) return nullptr;
      const auto local = values_.find(e->name);
      if (local == values_.end()) return nullptr;
      // What a reduction binds may have the name of what the local's value means.
      if (!local->second || root->has_reduce) fine_ = false;
      return local->second ? local->second : e;
    });
    fine_ = fine_ && tree_size(result) <= kMostNodes;
    return result;
  }

  const ir::Program& program_;
  const ir::Group& group_;
  ir::RawMaker raw_;
  std::map<Symbol, Expr> values_;  // of locals; null: none, or not any more
  bool fine_ = true;
};

}  // namespace

ir::Program split_groups(const ir::Program& program) {
  ir::Program out = program;
  out.body = map_items(program.body, [&](Item item, Body& to) {
    if (const auto* group = std::get_if<ir::Group>(&item.node))
      if (auto lines = GroupSplitter(program, *group).run()) {
        for (Item& line : *lines) to.push_back(std::move(line));
        return;
      }
    to.push_back(std::move(item));
  });
  return out;
}

}  // namespace lathe::passes
