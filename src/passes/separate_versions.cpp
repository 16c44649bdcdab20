// SPDX-License-Identifier: Apache-2.0
// A temporary that is computed, read and computed anew holds two values in turn. Each gets an array
// of its own, so that each can be inlined, kept in a window or a register:
//
//   for i in 0..n: t[i] = u[i] - u[i+1]              for i in 0..n: t.old[i] = u[i] - u[i+1]
//   for i in 0..n: t[i] = select(t[i] > 0, 0, t[i])  =>  for i in 0..n: t[i] = select(t.old[i] > 0,
//   ...
//
// A second statement with a condition on values of arrays, as branches have them, keeps the first
// value elsewhere, and so it is computed anew at every point, too:
//
//   for i in 0..n: t[i] = u[i]                       for i in 0..n: t.old[i] = u[i]
//   ... reads t[i] ...                           =>  ... reads t.old[i] ...
//   for i in 0..n where m[i]: t[i] = v[i]            for i in 0..n: t[i] = select(m[i], v[i],
//                                                                                 t.old[i])
//
// Both statements stand in one body and write the same elements: whole axes of the array, or the
// plane of the loop around. What is read in between at that plane is the first value; at another
// plane of the loop it is what the second statement left there.
//
// A temporary that several bodies use, each of them setting it before it reads it and reading
// nothing but what it has set, is a name used again; each body gets an array of its own:
//
//   forward k in 0..1: ... t[i, k] = a[i, k] ... t[i, k] ...        t
//   forward k in 1..n: ... t[i, k] = b[i, k] ... t[i, k] ...        t.own

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "ir/group_rule.h"
#include "ir/traverse.h"
#include "passes/passes.h"
#include "passes/rebuild.h"
#include "passes/temporaries.h"

namespace lathe::passes {
namespace {

bool sets_some(const ir::Statement& s) { return !s.accumulate && s.targets.size() == 1; }
bool sets_one(const ir::Statement& s) { return sets_some(s) && !s.domain.guard; }

// Does its guard ask arrays, at every point anew? Guards that ask where a point lies become parts
// of loops, which is better than a choice.
bool asks_values(const ir::Statement& s) {
  return s.domain.guard && !ir::arrays_read(s.domain.guard).empty();
}

// k against k, k-1, k+2 ...: the distance.
std::optional<std::int64_t> distance(Expr from, Expr to) {
  if (from == to) return 0;
  if (to->op != ir::Op::Add && to->op != ir::Op::Sub) return std::nullopt;
  if (to->arg(0) != from || !ir::is_const(to->arg(1))) return std::nullopt;
  const std::int64_t by = to->arg(1)->scalar().as_int();
  return to->op == ir::Op::Add ? by : -by;
}

class VersionSeparation {
 public:
  explicit VersionSeparation(Temporaries& temps) : temps_(temps) {}

  void body(Body& items) {
    for (Item& item : items)
      std::visit(
          [&](auto& n) {
            using T = std::decay_t<decltype(n)>;
            if constexpr (std::is_same_v<T, ir::When>) {
              body(n.then_body);
              body(n.else_body);
            } else if constexpr (std::is_same_v<T, ir::Sweep> || std::is_same_v<T, ir::Repeat>) {
              body(n.body);
            }
          },
          item.node);
    std::map<Symbol, std::size_t> last_write;
    for (std::size_t at = 0; at < items.size(); ++at) {
      if (const auto* second = std::get_if<ir::Statement>(&items[at].node);
          second && (sets_one(*second) || (sets_some(*second) && asks_values(*second)))) {
        const auto before = last_write.find(second->targets[0].array);
        if (before != last_write.end()) separate(items, before->second, at);
      }
      for (Symbol a : touched(items[at]).writes) last_write[a] = at;
    }
  }

 private:
  enum class Reads { None, First, Mixed };

  // Of the elements that the target names in a statement over these ranges, is `read` one?
  Reads which(const ir::Target& target, const std::vector<ir::Range>& ranges, Expr read) const {
    bool same_plane = true;
    const ir::Array& array = temps_.array(target.array);
    for (std::size_t d = 0; d < target.indices.size(); ++d) {
      const Expr index = target.indices[d];
      const auto range = std::find_if(ranges.begin(), ranges.end(), [&](const ir::Range& r) {
        return index->op == ir::Op::Index && index->name == r.variable;
      });
      if (range != ranges.end()) {
        if (range->lo != array.axes[d].lo || range->hi != array.axes[d].hi) return Reads::Mixed;
        continue;
      }
      const auto by = distance(index, read->arg(d));
      if (!by) return Reads::Mixed;
      same_plane = same_plane && *by == 0;
    }
    return same_plane ? Reads::First : Reads::None;
  }

  // --- Names used again.

  struct UsingBody {
    Body* items;
    const ir::Statement* first = nullptr;
  };
  struct Users {
    std::vector<UsingBody> bodies;
    bool fine = true;
  };

  void find_users(Body& items, std::map<Symbol, Users>& users) {
    std::map<Symbol, const ir::Statement*> first;
    std::set<Symbol> further_in;
    for (Item& item : items) {
      const bool plain = std::holds_alternative<ir::Statement>(item.node) ||
                         std::holds_alternative<ir::Group>(item.node);
      bool inner = false;
      std::visit(
          [&](auto& n) {
            using T = std::decay_t<decltype(n)>;
            if constexpr (std::is_same_v<T, ir::When>) {
              inner = true;
              find_users(n.then_body, users);
              find_users(n.else_body, users);
            } else if constexpr (std::is_same_v<T, ir::Sweep> || std::is_same_v<T, ir::Repeat>) {
              inner = true;
              find_users(n.body, users);
            }
          },
          item.node);
      if (inner) {  // its bounds and conditions
        const Touched t = touched(item);
        further_in.insert(t.reads.begin(), t.reads.end());
        further_in.insert(t.writes.begin(), t.writes.end());
        for (Expr e : own_expressions(item))
          for (Symbol a : ir::arrays_read(e)) users[a].fine = false;
        if (const auto* r = std::get_if<ir::Repeat>(&item.node))
          for (Symbol a : r->rotate) users[a].fine = false;
        continue;
      }
      const Touched t = touched(item);
      std::set<Symbol> all = t.reads;
      all.insert(t.writes.begin(), t.writes.end());
      for (Symbol a : all) {
        Users& u = users[a];
        if (!plain) u.fine = false;
        const auto* s = std::get_if<ir::Statement>(&item.node);
        if (first.emplace(a, s).second) {
          const bool sets = s && sets_one(*s) && s->targets[0].array == a && !t.reads.contains(a);
          if (!sets) u.fine = false;
          u.bodies.push_back({&items, s});
        }
        if (u.fine) u.fine = stays_inside(item, a, *first.at(a));
      }
    }
    // Bodies side by side do not see each other's values; one inside of another does.
    for (const auto& [a, s] : first)
      if (further_in.contains(a)) users[a].fine = false;
  }

  // Does the item read and write nothing of the array but what `first` has set?
  bool stays_inside(const Item& item, Symbol array, const ir::Statement& first) const {
    const ir::Target& target = first.targets[0];
    const auto inside = [&](const ir::Statement& s) {
      return std::all_of(s.targets.begin(), s.targets.end(), [&](const ir::Target& t) {
        return t.array != array ||
               (t == target && same_ranges(s.domain.ranges, first.domain.ranges));
      });
    };
    if (const auto* s = std::get_if<ir::Statement>(&item.node); s && !inside(*s)) return false;
    if (const auto* g = std::get_if<ir::Group>(&item.node))
      for (const ir::Statement& s : g->statements)
        for (const ir::Target& t : s.targets)
          if (t.array == array) return false;
    for (Expr e : own_expressions(item))
      for (Expr read : ir::reads(e))
        if (read->name == array && which(target, first.domain.ranges, read) != Reads::First)
          return false;
    return true;
  }

 public:
  void own_names(Body& items) {
    std::map<Symbol, Users> users;
    find_users(items, users);
    for (auto& [array, u] : users) {
      const ir::Array* declared = temps_.program.find_array(array);
      if (!u.fine || u.bodies.size() < 2 || !declared || declared->role != ir::Role::Temp ||
          declared->axes.empty())
        continue;
      for (std::size_t b = 1; b < u.bodies.size(); ++b) {
        const ir::Target target = u.bodies[b].first->targets[0];
        const std::vector<ir::Range> ranges = u.bodies[b].first->domain.ranges;
        const Symbol own = temps_.name(array.text(), "own");
        temps_.declare_like(own, array, temps_.array(array).dtype, u.bodies[b].first->span);
        for (Item& item : *u.bodies[b].items) {
          if (!std::holds_alternative<ir::Statement>(item.node) &&
              !std::holds_alternative<ir::Group>(item.node))
            continue;
          map_own_expressions(item,
                              [&](Symbol, Expr e) { return redirect(e, target, ranges, own); });
          if (auto* s = std::get_if<ir::Statement>(&item.node))
            for (ir::Target& t : s->targets)
              if (t.array == array) t.array = own;
        }
      }
    }
  }

 private:
  void separate(Body& items, std::size_t first_at, std::size_t second_at) {
    auto* first = std::get_if<ir::Statement>(&items[first_at].node);
    auto& second = std::get<ir::Statement>(items[second_at].node);
    if (!first || !sets_one(*first) || first->targets != second.targets ||
        !same_ranges(first->domain.ranges, second.domain.ranges))
      return;
    const ir::Target target = first->targets[0];
    if (temps_.array(target.array).role != ir::Role::Temp || target.indices.empty()) return;
    const std::vector<ir::Range> ranges = first->domain.ranges;
    if (second.domain.guard) {
      // Each point decides about its own element.
      if (!ir::determines_point(target, ranges)) return;
      for (Expr e : target.indices)
        if (reads_array(e, target.array)) return;
    }
    bool any = false, fine = true;
    const Expr before =
        temps_.graph.read(target.array, temps_.array(target.array).dtype, target.indices);
    if (second.domain.guard) any = fine = which(target, ranges, before) == Reads::First;
    for (std::size_t at = first_at + 1; at <= second_at && fine; ++at) {
      if (!touched(items[at]).reads.contains(target.array)) continue;
      fine = std::holds_alternative<ir::Statement>(items[at].node) ||
             std::holds_alternative<ir::Group>(items[at].node);
      for (Expr e : own_expressions(items[at]))
        for (Expr read : ir::reads(e)) {
          if (read->name != target.array) continue;
          const Reads what = which(target, ranges, read);
          fine = fine && what != Reads::Mixed;
          any = any || what == Reads::First;
        }
    }
    if (!fine || !any) return;
    if (second.domain.guard) {
      ir::RawMaker raw(temps_.graph);
      second.values = {ir::Build(raw).select(second.domain.guard, second.values[0], before)};
      second.domain.guard = nullptr;
    }
    const Symbol old = temps_.name(target.array.text(), "old");
    temps_.declare_like(old, target.array, temps_.array(target.array).dtype, first->span);
    first->targets[0].array = old;
    for (std::size_t at = first_at + 1; at <= second_at; ++at)
      map_own_expressions(items[at],
                          [&](Symbol, Expr e) { return redirect(e, target, ranges, old); });
  }

  // Reads of the first value become reads of `old`; bottom-up, since indices may read it, too.
  Expr redirect(Expr root, const ir::Target& target, const std::vector<ir::Range>& ranges,
                Symbol old) const {
    if (!root || !reads_array(root, target.array)) return root;
    std::unordered_map<Expr, Expr> done;
    for (Expr n : ir::post_order(root)) {
      std::vector<Expr> args;
      for (Expr a : n->args()) args.push_back(done.at(a));
      const bool first = n->op == ir::Op::Read && n->name == target.array &&
                         which(target, ranges, n) == Reads::First;
      if (!first) {
        done[n] = args.empty() ? n : temps_.graph.with_args(n, args);
        continue;
      }
      const ir::view::Read r(n);
      const std::span<const Expr> indices(args.data(), r.indices.size());
      done[n] = temps_.graph.read(old, n->dtype, indices, r.policy, r.fill ? args.back() : nullptr);
    }
    return done.at(root);
  }

  Temporaries& temps_;
};

}  // namespace

ir::Program separate_versions(const ir::Program& program) {
  ir::Program out = program;
  Temporaries temps(out);
  Body body = program.body;
  VersionSeparation separation(temps);
  separation.body(body);
  separation.own_names(body);
  out.body = std::move(body);
  return out;
}

}  // namespace lathe::passes
