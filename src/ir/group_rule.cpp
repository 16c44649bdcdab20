// SPDX-License-Identifier: Apache-2.0
#include "ir/group_rule.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/quoted.h"
#include "ir/index_form.h"
#include "ir/text.h"
#include "ir/traverse.h"

namespace lathe::ir {
namespace {

std::string at(const std::vector<Expr>& indices) {
  std::string text = "[";
  for (Expr e : indices) text += (text.size() > 1 ? ", " : "") + print(e);
  return text + "]";
}

class Rule {
 public:
  explicit Rule(const Group& group) : group_(group) {
    for (const Local& l : group.locals) locals_.insert(l.name);
    for (const Statement& s : group.statements)
      for (const Target& t : s.targets)
        if (!locals_.contains(t.array)) {
          writes_.try_emplace(t.array, Write{&t, &s});
          if (s.domain.guard) guarded_.insert(t.array);
        }
  }

  std::optional<GroupRefusal> refusal() {
    for (const Range& r : group_.domain.ranges)
      if (depends(r.lo) || depends(r.hi))
        return fail("the bounds of the group read what its lines write", group_.span, {});
    if (auto why = own_guard()) return why;
    for (const Statement& s : group_.statements)
      if (auto why = line(s)) return why;
    return std::nullopt;
  }

 private:
  struct Write {
    const Target* target;
    const Statement* statement;
  };

  static std::optional<GroupRefusal> fail(std::string reason, Span a, Span b) {
    return GroupRefusal{std::move(reason), a, b};
  }

  bool depends(Expr e) const {
    const auto arrays = arrays_read(e);
    return std::any_of(arrays.begin(), arrays.end(),
                       [&](Symbol a) { return writes_.contains(a) || locals_.contains(a); });
  }

  // Every write of the group depends on the guard: none is certain.
  std::optional<GroupRefusal> own_guard() {
    if (!group_.domain.guard) return std::nullopt;
    for (Expr e : reads(group_.domain.guard)) {
      const auto write = writes_.find(e->name);
      if (write == writes_.end() || (stays(e->policy) && is_harmless(e))) continue;
      const view::Read r(e);
      return GroupRefusal{"whether a point takes part depends on " + quoted(e->name) + " at " +
                              at({r.indices.begin(), r.indices.end()}) +
                              ", which another point of the group may write",
                          write->second.statement->span, group_.span, true};
    }
    return std::nullopt;
  }

  std::optional<GroupRefusal> line(const Statement& s) {
    if (s.accumulate && s.accumulate->fresh)
      return fail("a fresh accumulation clears its whole target, so it cannot be a line of a group",
                  s.span, {});
    for (const Target& t : s.targets) {
      if (locals_.contains(t.array)) continue;
      const Write& first = writes_.at(t.array);
      if (t.indices != first.target->indices)
        return fail(quoted(t.array) + " is written at " + at(first.target->indices) + " and at " +
                        at(t.indices) + " by lines of one group",
                    first.statement->span, s.span);
      for (Expr e : t.indices)
        if (depends(e))
          return fail("an index of " + quoted(t.array) + " depends on what the group writes",
                      s.span, {});
      if (!determines_point(t, group_.domain.ranges))
        return fail(quoted(t.array) + at(t.indices) + " is written by several points of the group",
                    s.span, {});
    }
    if (s.domain.guard)
      if (auto why = check_reads(s.span, s.domain.guard)) return why;
    for (Expr e : s.values)
      if (auto why = check_reads(s.span, e)) return why;
    return std::nullopt;
  }

  std::optional<GroupRefusal> check_reads(Span reader, Expr root) {
    for (Expr e : reads(root)) {
      const auto write = writes_.find(e->name);
      if (write == writes_.end()) continue;
      const view::Read r(e);
      // Where an own read is moved, the write is a fault: if it is certain to happen.
      const bool fine = stays(r.policy) ? is_harmless(e)
                                        : is_own(r, write->second) && !guarded_.contains(e->name);
      if (!fine)
        return fail(quoted(e->name) + " is read at " + at({r.indices.begin(), r.indices.end()}) +
                        ", which another point of the group may write",
                    write->second.statement->span, reader);
    }
    return std::nullopt;
  }

  static bool is_own(const view::Read& r, const Write& write) {
    const std::vector<Expr>& own = write.target->indices;
    return std::equal(r.indices.begin(), r.indices.end(), own.begin(), own.end());
  }

  // Of a read that stays where it is: no other point writes what is read.
  bool is_harmless(Expr read) const {
    const view::Read r(read);
    const Write& write = writes_.at(read->name);
    return is_own(r, write) || elsewhere(r.indices, write.target->indices);
  }

  // A read that is not moved back into the array when it is outside.
  static bool stays(Policy p) {
    return p != Policy::Clamp && p != Policy::Wrap && p != Policy::Mirror;
  }

  // Some component differs by a constant whatever the point: c[i, k-1] in a sweep over k that
  // writes c[i, k]. No point of the group writes what is read there.
  bool elsewhere(std::span<const Expr> read, const std::vector<Expr>& written) const {
    for (std::size_t k = 0; k < read.size() && k < written.size(); ++k) {
      const auto [base, shift] = split_constant(read[k]);
      const auto [other_base, other_shift] = split_constant(written[k]);
      if (base != other_base || shift == other_shift) continue;
      const bool varies =
          base && std::any_of(group_.domain.ranges.begin(), group_.domain.ranges.end(),
                              [&, b = base](const Range& r) { return mentions(b, r.variable); });
      if (!varies && !(base && depends(base))) return true;
    }
    return false;
  }

  // e as base + constant; no base for a constant.
  static std::pair<Expr, std::int64_t> split_constant(Expr e) {
    if (is_const(e)) return {nullptr, e->scalar().as_int()};
    if (e->op == Op::Add || e->op == Op::Sub) {
      const view::Binary v(e);
      if (is_const(v.right)) {
        const std::int64_t c = v.right->scalar().as_int();
        if (e->op == Op::Add) return {v.left, c};
        if (c != INT64_MIN) return {v.left, -c};
      }
      if (e->op == Op::Add && is_const(v.left)) return {v.right, v.left->scalar().as_int()};
    }
    return {e, 0};
  }

  const Group& group_;
  std::set<Symbol> locals_;
  std::set<Symbol> guarded_;  // written under conditions
  std::map<Symbol, Write> writes_;
};

}  // namespace

std::optional<GroupRefusal> group_refusal(const Group& group) { return Rule(group).refusal(); }

bool changes_own_guard(const Group& group) {
  if (!group.domain.guard) return false;
  const auto asked = arrays_read(group.domain.guard);
  return std::any_of(group.statements.begin(), group.statements.end(), [&](const Statement& s) {
    return std::any_of(s.targets.begin(), s.targets.end(), [&](const Target& t) {
      return std::find(asked.begin(), asked.end(), t.array) != asked.end();
    });
  });
}

bool determines_point(const Target& target, const std::vector<Range>& ranges) {
  return std::all_of(ranges.begin(), ranges.end(), [&](const Range& r) {
    return std::any_of(target.indices.begin(), target.indices.end(),
                       [&](Expr e) { return shifted_variable(e) == r.variable; });
  });
}

}  // namespace lathe::ir
