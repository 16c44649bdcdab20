// SPDX-License-Identifier: Apache-2.0
// "Inline temporary" of documents 001 and 004: a read becomes the value that the reaching write
// computes, with the write's variables solved from the read's index.
//
//   for i in 0..n: t[i] = u[i] * u[i]
//   for i in 1..n: v[i] = t[i] - t[i-1]    =>   for i in 1..n: v[i] = u[i] * u[i] - u[i-1] * u[i-1]
//
// Going back from the last write before the read: a write supplies the element where its (solved)
// ranges and guard hold. If that follows from what is known at the read, it is the value; if not,
// a select falls back to the write before. The last resort must be proved, because below it the
// temporary was never written. Everything that the value and the guard read must still be what it
// was when the write ran.

#include <algorithm>
#include <functional>
#include <optional>

#include "base/quoted.h"
#include "ir/group_rule.h"
#include "ir/text.h"
#include "passes/facts.h"
#include "passes/passes.h"
#include "passes/rebuild.h"
#include "rewrite/rules.h"

namespace lathe::passes {
namespace {

// All statements that write the temporary, in one body.
struct Writers {
  const Body* body = nullptr;
  std::vector<std::size_t> positions;
};

class Inliner {
 public:
  Inliner(const ir::Program& program, Symbol temp, Symbol reader)
      : program_(program),
        graph_(*program.graph),
        simplifier_(graph_),
        build_(simplifier_),
        temp_(temp),
        reader_(reader) {}

  Outcome run() {
    array_ = program_.find_array(temp_);
    if (!array_ || array_->role != ir::Role::Temp)
      return Refusal{quoted(temp_) + " is not a temporary", {}, {}};
    find_writers(program_.body, false);
    if (refusal_) return *refusal_;
    if (!writers_.body) return Refusal{quoted(temp_) + " is never written", array_->span, {}};
    ir::Program out = program_;
    out.body = rebuild(program_.body, {}, std::nullopt);
    if (refusal_) return *refusal_;
    if (reader_ && !found_reader_)
      return Refusal{"no statement " + quoted(reader_) + " reads " + quoted(temp_), {}, {}};
    if (!still_used(out)) drop(out);
    return out;
  }

 private:
  // --- The writes.

  void refuse(std::string reason, Span first = {}, Span second = {}) {
    if (!refusal_) refusal_ = Refusal{std::move(reason), first, second};
  }

  void find_writers(const Body& body, bool in_branch) {
    for (std::size_t i = 0; i < body.size(); ++i) {
      const Item& item = body[i];
      if (auto* s = std::get_if<ir::Statement>(&item.node)) {
        if (std::any_of(s->targets.begin(), s->targets.end(),
                        [&](const ir::Target& t) { return t.array == temp_; }))
          note_writer(body, i, *s, in_branch);
      } else if (touched_here(item)) {
        refuse(quoted(temp_) + " is written by " + quoted(label_of(item)) +
                   ", which is not a plain statement",
               span_of(item));
      }
      const bool branch = in_branch || std::holds_alternative<ir::Branch>(item.node) ||
                          std::holds_alternative<ir::While>(item.node);
      ir::for_each_body(item, [&](const Body& inner) { find_writers(inner, branch); });
    }
  }

  // Does a group, scan, call or rotation write it?
  bool touched_here(const Item& item) const {
    Item shallow = item;
    if (auto* b = std::get_if<ir::Branch>(&shallow.node)) b->then_body = b->else_body = {};
    if (auto* w = std::get_if<ir::When>(&shallow.node)) w->then_body = w->else_body = {};
    if (auto* w = std::get_if<ir::While>(&shallow.node)) w->body = {};
    if (auto* s = std::get_if<ir::Sweep>(&shallow.node)) s->body = {};
    if (auto* r = std::get_if<ir::Repeat>(&shallow.node)) r->body = {};
    return touched(shallow).writes.contains(temp_);
  }

  void note_writer(const Body& body, std::size_t i, const ir::Statement& s, bool in_branch) {
    if (s.accumulate || s.targets.size() != 1)
      return refuse(quoted(temp_) + " is accumulated", s.span);
    if (in_branch)
      return refuse(quoted(temp_) + " is written inside a branch: split the conditional first",
                    s.span);
    for (Expr e : expressions(s))
      if (reads_array(e, temp_))
        return refuse(
            quoted(temp_) + " is a recurrence: " + quoted(s.label) + " reads and writes it",
            s.span);
    if (writers_.body && writers_.body != &body)
      return refuse(quoted(temp_) + " is written in two places of different nesting", s.span);
    writers_.body = &body;
    writers_.positions.push_back(i);
  }

  // --- The reads.

  // Where an item stands: in the writers' body at `at`, or deeper inside the item there.
  struct Position {
    std::size_t at;
    const Item* item;
    bool nested;
  };
  // What is around an expression.
  struct Place {
    Symbol label;
    Span span;
    std::vector<ir::Range> scope;  // every variable that may be used here
    std::vector<Expr> facts;
    std::optional<Position> position;
    const ir::Target* target = nullptr;  // of the statement
  };

  Body rebuild(const Body& body, const std::vector<ir::Range>& scope,
               std::optional<Position> position) {
    Body out;
    for (std::size_t i = 0; i < body.size(); ++i) {
      std::optional<Position> here = position;
      if (&body == writers_.body)
        here = Position{i, &body[i], false};
      else if (here)
        here->nested = true;
      out.push_back(rebuild_item(body[i], scope, here));
    }
    return out;
  }

  Item rebuild_item(const Item& original, std::vector<ir::Range> scope,
                    std::optional<Position> here) {
    // Most statements have nothing to do with it.
    if (const auto* s = std::get_if<ir::Statement>(&original.node); s && !reads_temp(*s))
      return original;
    Item item = original;
    replace_own(item, scope, here);
    std::visit(
        [&](auto& n) {
          using T = std::decay_t<decltype(n)>;
          const T& o = std::get<T>(original.node);
          if constexpr (std::is_same_v<T, ir::Sweep> || std::is_same_v<T, ir::Repeat>)
            scope.push_back(o.range);
          if constexpr (std::is_same_v<T, ir::Branch> || std::is_same_v<T, ir::When>) {
            n.then_body = rebuild(o.then_body, scope, here);
            n.else_body = rebuild(o.else_body, scope, here);
          } else if constexpr (std::is_same_v<T, ir::While> || std::is_same_v<T, ir::Sweep> ||
                               std::is_same_v<T, ir::Repeat>) {
            n.body = rebuild(o.body, scope, here);
          }
        },
        item.node);
    return item;
  }

  bool reads_temp(const ir::Statement& s) const {
    const std::vector<Expr> all = expressions(s);
    return std::any_of(all.begin(), all.end(), [&](Expr e) { return reads_array(e, temp_); });
  }

  void replace_own(Item& item, const std::vector<ir::Range>& scope, std::optional<Position> here) {
    Place place{label_of(item), span_of(item), scope, range_facts(simplifier_, scope), here};
    // Conditions of loops are evaluated again after their bodies.
    const bool loops = std::holds_alternative<ir::While>(item.node) ||
                       std::holds_alternative<ir::Repeat>(item.node);
    if (loops && place.position) place.position->nested = true;
    // `until` may use the counter and the guard of a scan its variable, so nothing that is put
    // there may bind their names.
    if (const auto* r = std::get_if<ir::Repeat>(&item.node)) place.scope.push_back(r->range);
    if (const auto* c = std::get_if<ir::Scan>(&item.node)) place.scope.push_back(c->range);
    if (auto* s = std::get_if<ir::Statement>(&item.node)) return statement(*s, place);
    if (auto* g = std::get_if<ir::Group>(&item.node)) {
      domain(g->domain, place);
      for (ir::Statement& s : g->statements) statement(s, place);
      // The guard is that of all points before the first line runs.
      if (found_reader_ && g->domain.guard)
        for (const ir::Statement& s : g->statements)
          for (const ir::Target& t : s.targets)
            if (reads_array(g->domain.guard, t.array))
              refuse(quoted(t.array) + " decides which points " + quoted(g->label) +
                         " has, and changes there",
                     g->span, s.span);
      if (found_reader_)
        if (const auto why = ir::group_refusal(*g)) refuse(why->reason, why->first, why->second);
      return;
    }
    if (auto* c = std::get_if<ir::Scan>(&item.node)) {
      domain(c->statement.domain, place);
      range(c->range, place);
      return targets_and_values(c->statement, place);
    }
    if (auto* b = std::get_if<ir::Branch>(&item.node)) {
      domain(b->domain, place);
      b->condition = replace(b->condition, place);
    } else if (auto* w = std::get_if<ir::While>(&item.node)) {
      const std::vector<ir::Range> ranges = w->domain.ranges;
      domain(w->domain, place);
      if (w->domain.ranges != ranges)
        refuse(quoted(temp_) + " bounds the points of the while " + quoted(w->label) +
                   ", which must be known before it",
               w->span);
      w->condition = replace(w->condition, place);
    } else {
      map_own_expressions(item, [&](Symbol, Expr e) { return replace(e, place); });
    }
  }

  void range(ir::Range& r, Place& place) {
    r.lo = replace(r.lo, place);
    r.hi = replace(r.hi, place);
    place.scope.push_back(r);
    for (Expr e : range_facts(simplifier_, {r})) place.facts.push_back(e);
  }

  // Afterwards the place knows the ranges and the guard.
  void domain(ir::Domain& d, Place& place) {
    for (ir::Range& r : d.ranges) range(r, place);
    if (!d.guard) return;
    const std::vector<Expr> known = conjuncts(d.guard);
    d.guard = replace(d.guard, place);
    place.facts.insert(place.facts.end(), known.begin(), known.end());
  }

  void statement(ir::Statement& s, Place place) {
    place.label = s.label;
    place.span = s.span;
    const ir::Target target = s.targets[0];
    place.target = &target;
    domain(s.domain, place);
    targets_and_values(s, place);
  }

  void targets_and_values(ir::Statement& s, Place place) {
    const ir::Target target = s.targets[0];
    place.target = &target;
    for (ir::Target& t : s.targets)
      for (Expr& e : t.indices) e = replace(e, place);
    for (Expr& e : s.values) e = replace(e, place);
  }

  Expr replace(Expr root, Place place) {
    if (refusal_ || !reads_array(root, temp_)) return root;
    if (reader_ && place.label != reader_) return root;
    found_reader_ = true;
    for (Expr n : ir::post_order(root))
      if (n->op == ir::Op::Reduce)
        for (Symbol v : n->reduce().variables) place.scope.push_back({v, nullptr, nullptr});
    const FactTable facts = facts_below(simplifier_, root, place.facts);
    // Bottom-up, so that a read inside the index of another is replaced first.
    std::unordered_map<Expr, Expr> done;
    for (Expr n : ir::post_order(root)) {
      std::vector<Expr> args;
      for (Expr a : n->args()) args.push_back(done.at(a));
      const Expr made = args.empty() ? n : simplifier_.remake(n, args);
      const bool ours = n->op == ir::Op::Read && n->name == temp_;
      const Expr value = ours ? resolve(n, args, facts.at(n), place) : made;
      if (!value) return root;  // refused
      done[n] = value;
    }
    return done.at(root);
  }

  // --- One read: the value at `index`, from the writes before it.

  Expr resolve(Expr read, const std::vector<Expr>& args, std::vector<Expr> facts,
               const Place& place) {
    const ir::view::Read r(read);
    const std::span<const Expr> index(args.data(), r.indices.size());
    if (!place.position) {
      refuse(
          quoted(temp_) + " is read by " + quoted(place.label) + " outside the body that writes it",
          place.span);
      return nullptr;
    }
    if (r.policy != ir::Policy::Error && r.policy != ir::Policy::Trusted && !inside(index, facts)) {
      refuse(quoted(temp_) + " is read with policy '" + std::string(name(r.policy)) +
                 "', possibly outside its range",
             place.span);
      return nullptr;
    }
    std::vector<std::pair<Expr, Expr>> cases;  // condition, value; the last without condition
    for (auto w = writers_.positions.rbegin(); w != writers_.positions.rend(); ++w) {
      if (*w >= place.position->at) continue;
      const auto& s = std::get<ir::Statement>((*writers_.body)[*w].node);
      const auto solved = solve(s, index, place);
      if (!solved) return nullptr;
      std::vector<Expr> open;
      bool never = false;
      for (Expr c : solved->conditions) {
        if (implies(query_, facts, c)) continue;
        never = never || implies(query_, facts, build_.logical_not(c));
        open.push_back(c);
      }
      if (never) continue;
      if (!usable(s, *w, *solved, place)) return nullptr;
      if (open.empty()) return chain(cases, solved->value);
      cases.push_back({conjunction(simplifier_, open), solved->value});
      if (open.size() == 1) facts.push_back(build_.logical_not(open[0]));
    }
    refuse(quoted(temp_) +
               ir::print(graph_.read(temp_, array_->dtype, index)).substr(temp_.text().size()) +
               " may not have been written when " + quoted(place.label) + " reads it",
           place.span);
    return nullptr;
  }

  Expr chain(const std::vector<std::pair<Expr, Expr>>& cases, Expr last) {
    Expr value = last;
    for (auto c = cases.rbegin(); c != cases.rend(); ++c)
      value = build_.select(c->first, c->second, value);
    return value;
  }

  bool inside(std::span<const Expr> index, const std::vector<Expr>& facts) {
    for (std::size_t k = 0; k < index.size(); ++k) {
      const ir::Axis& axis = array_->axes[k];
      if (!implies(query_, facts, build_.le(axis.lo, index[k])) ||
          !implies(query_, facts, build_.lt(index[k], axis.hi)))
        return false;
    }
    return true;
  }

  struct Solved {
    Expr value;
    std::vector<Expr> conditions;  // under which this write wrote the element
  };

  // The write's variables from the read's index: a component that is a variable, plus or minus
  // something without variables of the write, is solved for it; every other one becomes an
  // equality.
  std::optional<Solved> solve(const ir::Statement& s, std::span<const Expr> index,
                              const Place& place) {
    ir::Renaming renaming;
    const auto& target = s.targets[0].indices;
    std::vector<bool> used(target.size(), false);
    for (const ir::Range& r : s.domain.ranges) {
      std::size_t k = 0;
      Expr solution = nullptr;
      for (; k < target.size() && !solution; ++k)
        if (!used[k]) solution = solve_for(s.domain, r.variable, target[k], index[k]);
      if (!solution) {
        refuse("the index of " + quoted(temp_) + " in " + quoted(s.label) +
                   " cannot be solved for '" + std::string(r.variable.text()) + "'",
               s.span, place.span);
        return std::nullopt;
      }
      used[k - 1] = true;
      renaming.push_back({r.variable, solution});
    }
    // Bound variables of the value must differ from those in use at the read.
    for (const ir::Range& r : place.scope)
      renaming.push_back({r.variable, graph_.index(r.variable)});
    for (Expr e : index)
      for (Symbol v : ir::free_variables(e)) renaming.push_back({v, graph_.index(v)});
    const auto here = [&](Expr e) { return ir::rename(simplifier_, e, renaming); };

    Solved solved;
    for (std::size_t k = 0; k < target.size(); ++k)
      if (!used[k]) solved.conditions.push_back(build_.eq(here(target[k]), index[k]));
    for (const ir::Range& r : s.domain.ranges) {
      const Expr v = here(graph_.index(r.variable));
      solved.conditions.push_back(build_.le(here(r.lo), v));
      solved.conditions.push_back(build_.lt(v, here(r.hi)));
    }
    for (Expr e : conjuncts(s.domain.guard)) solved.conditions.push_back(here(e));
    solved.value = build_.cast(array_->dtype, here(s.values[0]));
    return solved;
  }

  // v with component == at, where the component is v + rest or rest - v; null if it is neither.
  Expr solve_for(const ir::Domain& domain, Symbol v, Expr component, Expr at) {
    int sign = 0;
    std::vector<std::pair<Expr, int>> stack = {{component, 1}};
    while (!stack.empty()) {
      const auto [e, s] = stack.back();
      stack.pop_back();
      if (e->op == ir::Op::Index && e->name == v) {
        if (sign != 0) return nullptr;
        sign = s;
      } else if (e->op == ir::Op::Add || e->op == ir::Op::Sub) {
        const ir::view::Binary b(e);
        stack.push_back({b.left, s});
        stack.push_back({b.right, e->op == ir::Op::Add ? s : -s});
      } else if (e->op == ir::Op::Neg) {
        stack.push_back({ir::view::Unary(e).x, -s});
      } else {
        for (const ir::Range& r : domain.ranges)
          if (ir::mentions(e, r.variable)) return nullptr;
      }
    }
    if (sign == 0) return nullptr;
    const Expr rest = ir::rename(simplifier_, component, {{v, build_.integer(0)}});
    for (const ir::Range& r : domain.ranges)
      if (ir::mentions(rest, r.variable)) return nullptr;
    return sign > 0 ? build_.sub(at, rest) : build_.sub(rest, at);
  }

  // Nothing that the value or the guard reads was written since; the reader's own target does not
  // come back with an offset.
  bool usable(const ir::Statement& s, std::size_t written, const Solved& solved,
              const Place& place) {
    std::set<Symbol> needed;
    for (Expr e : expressions(s))
      for (Symbol a : ir::arrays_read(e)) needed.insert(a);
    for (std::size_t i = written + 1; i <= place.position->at; ++i) {
      if (i == place.position->at && !place.position->nested) break;
      const Item& between = (*writers_.body)[i];
      for (Symbol a : touched(between).writes)
        if (needed.contains(a)) {
          refuse(quoted(a) + " is written by " + quoted(label_of(between)) +
                     " between the write of " + quoted(temp_) + " and its use in " +
                     quoted(place.label),
                 span_of(between), place.span);
          return false;
        }
    }
    if (!place.target) return true;
    std::vector<Expr> brought = solved.conditions;
    brought.push_back(solved.value);
    for (Expr e : brought)
      if (reads_elsewhere(e, *place.target)) {
        refuse(quoted(place.target->array) + " is written by " + quoted(place.label) +
                   " and would be read there at another index",
               s.span, place.span);
        return false;
      }
    return true;
  }

  // --- After all reads are gone.

  bool still_used(const ir::Program& p) const {
    bool used = false;
    for (const ir::Array& a : p.arrays)
      for (const ir::Axis& axis : a.axes)
        used = used || reads_array(axis.lo, temp_) || reads_array(axis.hi, temp_);
    const std::function<void(const Body&)> walk = [&](const Body& body) {
      for (const Item& item : body) {
        for (Expr root : own_expressions(item))
          if (!used && ir::may_name(root, temp_))
            for (Expr e : ir::post_order(root))
              used =
                  used || ((e->op == ir::Op::Read || e->op == ir::Op::Inside) && e->name == temp_);
        if (auto* c = std::get_if<ir::Call>(&item.node))
          used = used || std::find(c->inputs.begin(), c->inputs.end(), temp_) != c->inputs.end();
        ir::for_each_body(item, walk);
      }
    };
    walk(p.body);
    return used;
  }

  void drop(ir::Program& p) {
    Body left = map_items(p.body, [&](Item item, Body& to) {
      auto* s = std::get_if<ir::Statement>(&item.node);
      if (!s || s->targets[0].array != temp_) append_tidy(simplifier_, std::move(item), to);
    });
    if (rotates_nothing(left)) return;
    p.body = std::move(left);
    std::erase_if(p.arrays, [&](const ir::Array& a) { return a.name == temp_; });
  }

  const ir::Program& program_;
  ir::Graph& graph_;
  rewrite::Simplifier simplifier_;
  ir::Build build_;
  analysis::SetQuery query_;
  Symbol temp_, reader_;
  const ir::Array* array_ = nullptr;
  Writers writers_;
  std::optional<Refusal> refusal_;
  bool found_reader_ = false;
};

}  // namespace

Outcome inline_temporary(const ir::Program& program, Symbol temp, Symbol reader) {
  return Inliner(program, temp, reader).run();
}

}  // namespace lathe::passes
