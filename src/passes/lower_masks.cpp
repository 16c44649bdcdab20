// SPDX-License-Identifier: Apache-2.0
// Branches and whiles of any content become masks, guards, versions and commits.
//
//   for i in 0..n if f[i] > 0:                 b.mask[i] = f[i] > 0
//     forward k in 0..m:                       b.else.mask[i] = not b.mask[i]
//       u[i, k] = u[i, k-1]               =>   u.if[x, y] = u[x, y]
//     else: v[i] = u[i+1, 0]                   u.if.written[x, y] = false
//                                              forward k in 0..m:
//                                                where b.mask[i]: u.if.written[i, k] = true
//                                                where b.mask[i]: u.if[i, k] = u.if[i, k-1]
//                                              where b.else.mask[i]: v[i] = u[i+1, 0]
//                                              where u.if.written[x, y]: u[x, y] = u.if[x, y]
//
// One side alone works in place: nobody else looks. Of two sides the first works on versions, but
// only of the arrays that the second one touches and that hold something; then the second works in
// place, then what the first has written is committed. Whether an element was written is noted by a
// twin before each write, with its target, domain and guard; so commits are right whatever loops
// and inner branches the side holds. An inner mask holds the outer one, so one mask is enough.
//
//   w: for i in 0..n while c: ...         w.on[i] = c
//                                         fresh w.any or= w.on[i]
//                                    =>   when w.any:
//                                           w: repeat r in 0..2147483648 capped w.on
//                                              until not w.any:
//                                             ...
//                                             w.on[i] = w.on[i] and c
//                                             fresh w.any or= w.on[i]
//
// A while whose points do not meet stays, its lines as one group: then each point, or some side by
// side, runs its own rounds (ir/rounds.h), and what the lines hand to each other is local.
//
// A mask is an array over the branch's points. Where none can be declared (bounds that follow other
// variables, or data), a branch's condition goes into every guard instead, on copies of what the
// branch writes and the condition reads. A while without such an array has points that do not meet.

#include <algorithm>

#include "ir/rounds.h"
#include "passes/passes.h"
#include "passes/temporaries.h"

namespace lathe::passes {
namespace {

constexpr std::int64_t kMaxRounds = std::int64_t{1} << 31;

// Under which condition a body runs: at the points of `ranges`, where `array` there is true, or the
// condition is.
struct Mask {
  std::vector<ir::Range> ranges;
  Symbol array;              // none: `condition`
  Expr condition = nullptr;  // holds no variable that a reduction binds elsewhere
};

// What is around an item.
struct Context {
  const Mask* mask = nullptr;
  Temporaries::Names versions;  // original -> version, of the sides around
};

class Masks {
 public:
  explicit Masks(ir::Program& program) : make_(program) {
    for (const ir::Array& a : program.arrays)
      if (a.role != ir::Role::Temp && a.role != ir::Role::Output) written_.insert(a.name);
  }

  Body run() {
    Body out;
    const Body body = make_.program.body;
    for (make_.position = 0; make_.position < body.size(); ++make_.position)
      item(body[make_.position], {}, out);
    return out;
  }

 private:
  void items(const Body& body, const Context& c, Body& out) {
    for (const Item& i : body) item(i, c, out);
  }

  // As the verifier does, counts everything textually before as written.
  void item(const Item& original, const Context& c, Body& out) {
    const bool masked = std::holds_alternative<ir::Branch>(original.node) ||
                        std::holds_alternative<ir::While>(original.node);
    if (masked && !c.mask && !can_lower(original)) {
      const auto* w = std::get_if<ir::While>(&original.node);
      auto kept = w ? by_points(*w, c) : std::nullopt;
      out.push_back(kept ? std::move(*kept) : original);
    } else {
      Item mapped = original;
      map_own_expressions(mapped, [&](Symbol, Expr e) { return make_.redirect(e, c.versions); });
      std::visit([&](auto& n) { lower(n, c, out); }, mapped.node);
    }
    written_.merge(touched(original).writes);
  }

  // A while needs an array over its points.
  bool can_lower(const Item& item) const {
    if (auto* w = std::get_if<ir::While>(&item.node))
      if (!make_.declarable(w->domain.ranges)) return false;
    bool all = true;
    ir::for_each_body(item, [&](const Body& body) {
      for (const Item& inner : body) all = all && can_lower(inner);
    });
    return all;
  }

  // --- Items, their own expressions already on the versions.

  void lower(ir::Statement& s, const Context& c, Body& out) {
    mask_and_retarget(s, s.domain, c);
    emit(std::move(s), out);
  }

  void lower(ir::Group& g, const Context& c, Body& out) {
    add_mask(g.domain, c);
    std::vector<ir::Statement> lines;
    for (ir::Statement& s : g.statements) {
      retarget(s, c);
      for (ir::Statement& twin : twins(s, s.domain)) lines.push_back(std::move(twin));
      lines.push_back(std::move(s));
    }
    g.statements = std::move(lines);
    out.push_back({std::move(g)});
  }

  void lower(ir::Scan& s, const Context& c, Body& out) {
    mask_and_retarget(s.statement, s.statement.domain, c);
    ir::Statement all = s.statement;
    all.accumulate.reset();  // it writes each element once
    all.domain.ranges.push_back(s.range);
    for (ir::Statement& twin : twins(all, all.domain)) out.push_back({std::move(twin)});
    out.push_back({std::move(s)});
  }

  void lower(ir::Sweep& s, const Context& c, Body& out) { loop(s, c, out); }
  void lower(ir::Repeat& r, const Context& c, Body& out) { loop(r, c, out); }
  template <class Loop>
  void loop(Loop& l, const Context& c, Body& out) {
    const Body body = std::exchange(l.body, {});
    written_.merge(touched(body).writes);
    items(body, c, l.body);
    out.push_back({std::move(l)});
  }

  void lower(ir::When& w, const Context& c, Body& out) {
    const Body yes = std::exchange(w.then_body, {}), no = std::exchange(w.else_body, {});
    items(yes, c, w.then_body);
    items(no, c, w.else_body);
    out.push_back({std::move(w)});
  }

  void lower(ir::Call& c, const Context&, Body& out) { out.push_back({std::move(c)}); }

  void lower(ir::Branch& b, const Context& c, Body& out) {
    const auto [yes, no] = make_masks(b, c, out);
    Context first = c, second = c;
    first.mask = &yes;
    second.mask = &no;
    const std::set<Symbol> versioned = shared(b);
    for (Symbol a : versioned) open_version(a, b.span, first, out);
    items(b.then_body, first, out);
    items(b.else_body, second, out);
    for (Symbol a : versioned) commit(first.versions.at(a), make_name(a, c), b.span, out);
  }

  void lower(ir::While& w, const Context& c, Body& out) {
    if (auto kept = by_points(w, c)) return out.push_back(std::move(*kept));
    const std::string stem(w.label.text());
    const Symbol on = make_.name(stem, "on"), any = make_.name(stem, "any");
    make_.declare_over(on, ir::DType::Bool, w.domain.ranges, w.span);
    make_.declare(any, ir::DType::Bool, {}, w.span);
    const Expr start = both(make_.raw, around(w.domain, c), w.condition);
    evaluate(w, on, any, on, any, start, out);

    ir::Repeat r;
    r.label = w.label;
    r.span = w.span;
    r.range = {make_.name(stem, "round"), make_.build.integer(0), make_.build.integer(kMaxRounds)};
    r.capped = on;
    r.until = make_.build.logical_not(make_.read(any, {}));
    written_.merge(touched(w.body).writes);
    const Mask mask{w.domain.ranges, on};
    Context inner = c;
    inner.mask = &mask;
    items(w.body, inner, r.body);
    const Expr again = make_.build.logical_and(make_.read(on, w.domain.ranges), w.condition);
    evaluate(w, on, any, make_.graph.fresh_symbol(on.text()), make_.graph.fresh_symbol(any.text()),
             again, r.body);

    ir::When some;
    some.label = make_.name(stem, "when");
    some.condition = make_.read(any, {});
    some.span = w.span;
    some.then_body.push_back({std::move(r)});
    out.push_back({std::move(some)});
  }

  // The same while with its lines in one group, if its points do not meet.
  std::optional<Item> by_points(const ir::While& w, const Context& c) {
    std::optional<ir::Group> found = ir::lines_of(w);
    if (!found) return std::nullopt;
    ir::Group& g = *found;
    if (!g.label) g.label = make_.name(w.label.text(), "lines");
    for (ir::Statement& line : std::exchange(g.statements, {})) {
      map_statement_expressions(line,
                                [&](Symbol, Expr e) { return make_.redirect(e, c.versions); });
      retarget(line, c);
      for (ir::Statement& twin : twins(line, line.domain)) g.statements.push_back(std::move(twin));
      g.statements.push_back(std::move(line));
    }
    ir::While own = w;
    own.domain.guard = around(w.domain, c);
    own.body.clear();
    if (g.statements.size() == 1 && g.locals.empty()) {
      ir::Statement line = std::move(g.statements[0]);
      line.domain.ranges = w.domain.ranges;
      own.body.push_back({std::move(line)});
    } else {
      own.body.push_back({std::move(g)});
    }
    Item item{std::move(own)};
    if (!ir::as_rounds(item)) return std::nullopt;
    return item;
  }

  // on[i] = value; any = is one of them on?
  void evaluate(const ir::While& w, Symbol on, Symbol any, Symbol on_label, Symbol any_label,
                Expr value, Body& out) {
    const ir::Domain everywhere{w.domain.ranges, nullptr};
    const std::vector<Expr> at = make_.point(everywhere.ranges);
    out.push_back({make_.set(on_label, everywhere, {on, at}, value, w.span)});
    ir::Statement some =
        make_.set(any_label, everywhere, {any, {}}, make_.read(on, everywhere.ranges), w.span);
    some.accumulate = accumulate_or();
    some.accumulate->fresh = true;
    out.push_back({std::move(some)});
  }

  static ir::Accumulation accumulate_or() {
    ir::Accumulation how;
    how.op = ir::Op::Or;
    how.order = ir::Order::Free;
    how.dtype = ir::DType::Bool;
    return how;
  }

  // --- Masks.

  // The mask around and the guard: where the condition is evaluated at all. Null: everywhere.
  Expr around(const ir::Domain& d, const Context& c) {
    return both(make_.raw, c.mask ? at(*c.mask, d.ranges) : nullptr, d.guard);
  }

  // The mask at points of `ranges`, which begin with its variables but may go further: there it is
  // false.
  Expr at(const Mask& m, const std::vector<ir::Range>& ranges) {
    Expr own = nullptr;  // the mask's own bounds, where the ranges have others
    for (std::size_t k = 0; k < m.ranges.size(); ++k) {
      const ir::Range& r = m.ranges[k];
      if (ranges[k].lo == r.lo && ranges[k].hi == r.hi) continue;
      const Expr x = make_.graph.index(r.variable);
      own = both(make_.raw, own, make_.build.le(r.lo, x));
      own = both(make_.raw, own, make_.build.lt(x, r.hi));
    }
    if (!m.array) return both(make_.raw, own, m.condition);
    return make_.graph.read(m.array, ir::DType::Bool, make_.point(m.ranges),
                            own ? ir::Policy::Zero : ir::Policy::Error);
  }

  struct Sides {
    Mask yes, no;
  };
  Sides make_masks(const ir::Branch& b, const Context& c, Body& out) {
    if (!make_.declarable(b.domain.ranges)) return inline_masks(b, c, out);
    const std::string stem(b.label.text());
    const auto mask = [&](std::string_view suffix, Expr value) {
      const Symbol m = make_.name(stem, suffix);
      make_.declare_over(m, ir::DType::Bool, b.domain.ranges, b.span);
      out.push_back({make_.set(m, {b.domain.ranges, nullptr}, {m, make_.point(b.domain.ranges)},
                               value, b.span)});
      return Mask{b.domain.ranges, m};
    };
    const Expr where = around(b.domain, c);
    Sides sides;
    sides.yes = mask("mask", both(make_.raw, where, b.condition));
    if (b.else_body.empty()) return sides;
    const Expr off = make_.build.logical_not(make_.read(sides.yes.array, b.domain.ranges));
    sides.no = mask("else.mask", both(make_.raw, where, off));
    return sides;
  }

  // The condition itself, on copies of what it reads and the branch writes.
  Sides inline_masks(const ir::Branch& b, const Context& c, Body& out) {
    std::set<Symbol> writes = touched(b.then_body).writes;
    writes.merge(touched(b.else_body).writes);
    ir::Branch own = b;
    own.then_body = own.else_body = {};
    Item shell{own};
    Temporaries::Names copies;
    for (Expr e : own_expressions(shell))
      for (Symbol a : ir::arrays_read(e))
        for (Symbol w : writes)
          if (a == make_name(w, c) && !copies.contains(a))
            copies[a] = make_.snapshot(a, b.span, out);
    map_own_expressions(
        shell, [&](Symbol, Expr e) { return with_fresh_variables(make_.redirect(e, copies)); });
    const ir::Branch& kept = std::get<ir::Branch>(shell.node);
    const Expr where = around(kept.domain, c);
    const Expr off = make_.build.logical_not(kept.condition);
    return {{kept.domain.ranges, {}, both(make_.raw, where, kept.condition)},
            {kept.domain.ranges, {}, both(make_.raw, where, off)}};
  }

  // Statements that get this expression may have loops called like its reductions' variables.
  Expr with_fresh_variables(Expr root) {
    std::unordered_map<Expr, Expr> done;
    for (Expr n : ir::post_order(root)) {
      std::vector<Expr> args;
      for (Expr a : n->args()) args.push_back(done.at(a));
      if (n->op != ir::Op::Reduce) {
        done[n] = args.empty() ? n : make_.graph.with_args(n, args);
        continue;
      }
      ir::ReduceInfo info = n->reduce();
      for (Symbol& v : info.variables) {
        const Symbol other = make_.graph.fresh_symbol(v.text());
        for (Expr& a : args) a = ir::rename(make_.raw, a, {{v, make_.graph.index(other)}});
        v = other;
      }
      done[n] = make_.graph.reduce(info, args, n->dtype);
    }
    return done.at(root);
  }

  // --- Writes.

  static Symbol make_name(Symbol original, const Context& c) {
    const auto version = c.versions.find(original);
    return version == c.versions.end() ? original : version->second;
  }

  void retarget(ir::Statement& s, const Context& c) {
    for (ir::Target& t : s.targets) t.array = make_name(t.array, c);
  }
  void add_mask(ir::Domain& d, const Context& c) {
    if (c.mask) d.guard = both(make_.raw, at(*c.mask, d.ranges), d.guard);
  }
  void mask_and_retarget(ir::Statement& s, ir::Domain& d, const Context& c) {
    retarget(s, c);
    add_mask(d, c);
  }

  // Appends a statement, after notes of what it is going to write.
  void emit(ir::Statement s, Body& out) {
    for (ir::Statement& twin : twins(s, s.domain)) out.push_back({std::move(twin)});
    out.push_back({std::move(s)});
  }

  // They come first: the statement may change what its guard and indices read.
  std::vector<ir::Statement> twins(const ir::Statement& s, const ir::Domain& domain) {
    std::vector<ir::Statement> notes;
    const Expr yes = make_.build.boolean(true);
    for (const ir::Target& t : s.targets) {
      const auto map = written_map_.find(t.array);
      if (map == written_map_.end()) continue;
      const Symbol label = make_.graph.fresh_symbol(map->second.text());
      if (s.accumulate && s.accumulate->fresh) {
        notes.push_back(make_.fill(label, map->second, yes, s.span));
        continue;
      }
      notes.push_back(make_.set(label, domain, {map->second, t.indices}, yes, s.span));
      // Several points of an accumulation meet in one element.
      if (s.accumulate && !domain.ranges.empty()) notes.back().accumulate = accumulate_or();
    }
    return notes;
  }

  // --- Versions.

  // What the first side writes and the second one touches. Before anything has written an array
  // there is nothing that a side could see of it but its own writes.
  std::set<Symbol> shared(const ir::Branch& b) const {
    std::set<Symbol> found;
    const Touched second = touched(b.else_body);
    for (Symbol a : touched(b.then_body).writes)
      if (written_.contains(a) && (second.reads.contains(a) || second.writes.contains(a)))
        found.insert(a);
    return found;
  }

  void open_version(Symbol original, Span span, Context& side, Body& out) {
    const Symbol now = make_name(original, side);
    const Symbol version = make_.name(original.text(), "if");
    const Symbol map = make_.name(version.text(), "written");
    make_.declare_like(version, now, make_.array(now).dtype, span);
    make_.declare_like(map, now, ir::DType::Bool, span);
    out.push_back({make_.copy(version, version, now, span)});
    out.push_back({make_.fill(map, map, make_.build.boolean(false), span)});
    side.versions[original] = version;
    written_map_[version] = map;
  }

  void commit(Symbol version, Symbol to, Span span, Body& out) {
    const std::vector<ir::Range> all = make_.region(to);
    const ir::Domain where{all, make_.read(written_map_.at(version), all)};
    emit(make_.set(make_.name(to.text(), "commit"), where, {to, make_.point(all)},
                   make_.read(version, all), span),
         out);
  }

  Temporaries make_;
  std::set<Symbol> written_;  // arrays with content, as far as the walk has come
  std::unordered_map<Symbol, Symbol> written_map_;  // of versions
};

}  // namespace

ir::Program lower_masks(const ir::Program& program) {
  ir::Program out = program;
  out.body = Masks(out).run();
  // What one line of a round hands to the next has no place in memory.
  std::vector<Symbol> handed;
  const auto look = [&](const auto& self, const Body& body) -> void {
    for (const Item& item : body) {
      if (const auto rounds = ir::as_rounds(item); rounds && rounds->group)
        for (const ir::Statement* line : rounds->lines) handed.push_back(line->targets[0].array);
      ir::for_each_body(item, [&](const Body& inner) { self(self, inner); });
    }
  };
  look(look, out.body);
  for (Symbol array : handed)
    if (Outcome local = demote_temporary(out, array); std::holds_alternative<ir::Program>(local))
      out = std::get<ir::Program>(std::move(local));
  return out;
}

}  // namespace lathe::passes
