// SPDX-License-Identifier: Apache-2.0
// Loops by default: neighbours that share arrays share their outer loops, as many as their
// dependences allow; a temporary that is read some rows away in a shared loop becomes a window; the
// outermost loop is parallel, the one along memory a vector loop.

#include <algorithm>
#include <set>

#include "ir/accumulation_order.h"
#include "ir/index_form.h"
#include "ir/rounds.h"
#include "ir/traverse.h"
#include "passes/rebuild.h"
#include "schedule/default_parts.h"
#include "schedule/loop_windows.h"

namespace lathe::schedule {
namespace {

using ir::Expr;
using ir::Op;

constexpr std::int64_t kFewRows = 4;
constexpr std::int64_t kChunk = 16384;  // points of a one-dimensional piece of work
// Columns of a sweep that stay in the second cache: vectors of a row, and the least number.
constexpr std::int64_t kSweepVectors = 16, kSweepTile = 128, kSweepColumns = 8;
constexpr std::int64_t kRows = 32;  // rows of a piece of work with windows

// Something that gets loops: a statement, a group, a sweep.
struct Unit {
  const ir::Item* item = nullptr;
  std::vector<Symbol> labels;
  std::vector<Symbol> dims;     // kept variables, outermost first
  std::vector<Symbol> reduced;  // inside of those
  const ir::Sweep* sweep = nullptr;
  std::vector<Unit> inner;  // of a sweep
  bool vector = false;      // the last dim runs along memory
  bool columns = false;     // a sweep along memory: its last dim is where vectors can be
  bool rows = false;        // a sweep along memory with a value per row: row by row, in registers
  bool tree = false;        // an accumulation whose blocks are independent
  bool rounds = false;      // a while whose points run their own rounds
  std::int64_t width = 8;
  std::set<Symbol> arrays;
  std::optional<std::vector<Node>> own;  // loops that it shares with nobody
};

class Builder {
 public:
  Builder(const ir::Program& program, const Machine& machine, const Dependences& known,
          LoopChoices choices)
      : program_(program), machine_(machine), choices_(choices) {
    for (const analysis::Dependence& d : known) dependences_[{d.source, d.sink}].push_back(d);
    accesses_count();
  }

  std::vector<Node> body(const ir::Body& items) {
    std::vector<Node> out;
    std::vector<Unit> run;
    const auto flush = [&] {
      for (Node& n : nest(run, 0)) out.push_back(std::move(n));
      run.clear();
    };
    for (const ir::Item& item : items) {
      if (auto unit = make_unit(item)) {
        run.push_back(std::move(*unit));
        continue;
      }
      flush();
      if (const auto* r = std::get_if<ir::Repeat>(&item.node)) {
        Node n = node(NodeKind::Repeat, r->label);
        n.body = body(r->body);
        out.push_back(std::move(n));
      } else if (const auto* w = std::get_if<ir::When>(&item.node)) {
        Node n = node(NodeKind::When, w->label);
        n.body = body(w->then_body);
        n.otherwise = body(w->else_body);
        out.push_back(std::move(n));
      } else if (const auto* c = std::get_if<ir::Call>(&item.node)) {
        out.push_back(node(NodeKind::Call, c->label));
      } else if (const auto* s = std::get_if<ir::Sweep>(&item.node)) {
        out.push_back(plain_sweep(*s));
      }
    }
    flush();
    return out;
  }

  const LoopWindows& windows() const { return windows_; }

 private:
  static Node node(NodeKind kind, Symbol name, std::int64_t tile = 0, std::string reason = {}) {
    Node n;
    n.kind = kind;
    n.name = name;
    n.tile = tile;
    n.reason = std::move(reason);
    return n;
  }

  void accesses_count() {
    const auto count = [&](const passes::Touched& t) {
      std::set<Symbol> all = t.reads;
      all.insert(t.writes.begin(), t.writes.end());
      for (Symbol a : all) ++touched_by_[a];
    };
    const auto walk = [&](auto&& self, const ir::Body& items) -> void {
      for (const ir::Item& item : items) {
        if (ir::as_rounds(item)) {
          count(passes::touched(item));
          continue;
        }
        bool inner = false;
        ir::for_each_body(item, [&](const ir::Body& b) {
          inner = true;
          self(self, b);
        });
        if (const auto* g = std::get_if<ir::Group>(&item.node)) {
          passes::Touched all;
          for (const ir::Statement& s : g->statements) {
            const passes::Touched t = passes::touched(s);
            all.reads.insert(t.reads.begin(), t.reads.end());
            all.writes.insert(t.writes.begin(), t.writes.end());
          }
          count(all);
        } else if (!inner) {
          count(passes::touched(item));
        } else {
          for (Expr e : passes::own_expressions(item))
            for (Symbol a : ir::arrays_read(e)) touched_by_[a] += 1000;  // not ours to narrow
        }
      }
    };
    walk(walk, program_.body);
  }

  std::optional<Unit> make_unit(const ir::Item& item) {
    Unit u;
    u.item = &item;
    const passes::Touched touched = passes::touched(item);
    u.arrays = touched.reads;
    u.arrays.insert(touched.writes.begin(), touched.writes.end());
    if (const auto* s = std::get_if<ir::Statement>(&item.node)) {
      u.labels = {s->label};
      fill(u, s->domain.ranges, *s);
      if (choices_.tiles) u.own = contraction_loops(program_, *s, machine_);
      return u;
    }
    if (const auto* g = std::get_if<ir::Group>(&item.node)) {
      u.labels = {g->label};
      fill(u, g->domain.ranges, g->statements.back());
      u.reduced.clear();
      u.dims.clear();
      for (const ir::Range& r : g->domain.ranges) u.dims.push_back(r.variable);
      for (const ir::Statement& s : g->statements)
        if (s.accumulate) u.vector = false;
      return u;
    }
    if (const auto rounds = ir::as_rounds(item)) {
      u.labels = {rounds->loop->label};
      for (const ir::Statement* s : rounds->lines) u.labels.push_back(s->label);
      const ir::Statement* last = nullptr;  // that writes to memory
      for (const ir::Statement* s : rounds->lines)
        if (!s->targets[0].indices.empty()) last = s;
      if (last) fill(u, rounds->loop->domain.ranges, *last);
      // A round is a chain of operations that wait for each other: two vectors wait less.
      u.width *= 2;
      u.rounds = true;
      u.dims.clear();
      for (const ir::Range& r : rounds->loop->domain.ranges) u.dims.push_back(r.variable);
      return u;
    }
    if (const auto* s = std::get_if<ir::Sweep>(&item.node)) {
      u.sweep = s;
      u.width = 1;
      bool across = false;  // elements side by side along the last dim
      for (const ir::Item& i : s->body) {
        auto inner = make_unit(i);
        if (!inner || inner->sweep || inner->own || !inner->reduced.empty()) return std::nullopt;
        const bool column = !inner->vector && along(i, s->range.variable);
        if (u.inner.empty()) u.dims = inner->dims;
        if (inner->dims != u.dims || u.dims.empty()) return std::nullopt;
        if (!inner->vector && !column) return std::nullopt;
        (column ? u.columns : across) = true;
        u.width = std::max(u.width, inner->width);
        for (Symbol l : inner->labels) u.labels.push_back(l);
        u.inner.push_back(std::move(*inner));
      }
      if (u.inner.empty()) return std::nullopt;
      for (std::size_t a = 0; a < u.inner.size(); ++a)
        for (std::size_t b = 0; b < u.inner.size(); ++b)
          if (!zero(u.inner[a], u.inner[b], u.dims)) return std::nullopt;
      u.rows = u.columns && across;
      u.vector = !u.rows;
      return u;
    }
    return std::nullopt;
  }

  // Does the item set elements that lie side by side along this variable?
  static bool along(const ir::Item& item, Symbol v) {
    const auto* s = std::get_if<ir::Statement>(&item.node);
    return s && !s->accumulate && s->targets.size() == 1 && !s->targets[0].indices.empty() &&
           ir::shifted_variable(s->targets[0].indices.back()) == v;
  }

  // Kept variables in the order of the target's axes, as far as bounds allow; then the reduced.
  void fill(Unit& u, const std::vector<ir::Range>& ranges, const ir::Statement& s) {
    std::vector<Symbol> reduced;
    bool scatter = false;
    if (s.accumulate) {
      const auto r = ir::reduced_variables(s.targets, ranges);
      scatter = !r;
      if (r) reduced = *r;
      u.tree = r && !s.accumulate->combiner &&
               (s.accumulate->order == ir::Order::Tree || s.accumulate->order == ir::Order::Free) &&
               (s.accumulate->op == Op::Add || s.accumulate->op == Op::Mul ||
                s.accumulate->op == Op::Fma || ir::has(s.accumulate->op, ir::kAssociates));
    }
    for (const ir::Range& r : ranges)
      (std::count(reduced.begin(), reduced.end(), r.variable) ? u.reduced : u.dims)
          .push_back(r.variable);
    if (scatter) {  // domain order, point by point
      u.reduced = u.dims;
      u.dims.clear();
      return;
    }
    const bool independent = std::all_of(ranges.begin(), ranges.end(), [&](const ir::Range& r) {
      return ir::free_variables(r.lo).empty() && ir::free_variables(r.hi).empty();
    });
    const std::vector<Expr>& indices = s.targets.front().indices;
    if (independent) {
      const auto rank = [&](Symbol v) {
        for (std::size_t a = 0; a < indices.size(); ++a)
          if (ir::mentions(indices[a], v)) return a;
        return std::size_t{0};
      };
      std::stable_sort(u.dims.begin(), u.dims.end(),
                       [&](Symbol a, Symbol b) { return rank(a) < rank(b); });
    }
    const ir::Array* target = program_.find_array(s.targets.front().array);
    u.vector = u.reduced.empty() && !u.dims.empty() && !indices.empty() &&
               ir::shifted_variable(indices.back()) == u.dims.back();
    if (target)
      u.width = std::max<std::int64_t>(
          1, machine_.vector_bytes / static_cast<std::int64_t>(ir::size_bytes(target->dtype)));
    if (target && ir::is_bool(target->dtype)) u.width = 16;
  }

  // Are all dependences between the two, both ways, at equal values of these variables?
  bool zero(const Unit& a, const Unit& b, const std::vector<Symbol>& dims,
            std::set<Symbol>* elsewhere = nullptr) {
    bool all = true;
    for (Symbol x : a.labels)
      for (Symbol y : b.labels)
        for (const auto& key : {std::pair(x, y), std::pair(y, x)}) {
          const auto it = dependences_.find(key);
          if (it == dependences_.end()) continue;
          for (const analysis::Dependence& d : it->second)
            for (Symbol v : dims) {
              const auto at = std::find(d.variables.begin(), d.variables.end(), v.text());
              const bool fine =
                  d.distance && at != d.variables.end() &&
                  (*d.distance)[static_cast<std::size_t>(at - d.variables.begin())] == 0;
              const bool shown = fine || always_equal(d, v);
              if (shown) continue;
              all = false;
              if (elsewhere) elsewhere->insert(d.array);
            }
        }
    return all;
  }

  // A relation that ties v to itself, as index of the array on both sides.
  bool always_equal(const analysis::Dependence& d, Symbol v) {
    if (d.distance || !d.relation) return false;
    const std::string name(v.text());
    for (const ir::Comparison op : {ir::Comparison::Lt, ir::Comparison::Gt}) {
      const ir::SetExpr part =
          ir::SetExpr::compare(ir::PwAff::var(name + "'"), op, ir::PwAff::var(name));
      if (query_.is_empty(ir::SetExpr::intersection({*d.relation, part})) != analysis::Proof::Yes)
        return false;
    }
    return true;
  }

  static bool share_arrays(const std::vector<Unit>& run, const Unit& u) {
    return std::any_of(run.begin(), run.end(), [&](const Unit& r) {
      return std::any_of(r.arrays.begin(), r.arrays.end(),
                         [&](Symbol a) { return u.arrays.count(a) > 0; });
    });
  }

  // Units that touch the same arrays belong together, and those between them.
  // How far to look: what a while needs is made by a few lines that touch nothing of what it
  // carries.
  static bool worth_joining(const std::vector<Unit>& run, const std::vector<Unit>& units,
                            std::size_t at) {
    constexpr std::size_t kFar = 4;
    for (std::size_t i = at; i < units.size() && i < at + kFar; ++i)
      if (share_arrays(run, units[i])) return true;
    return false;
  }

  // May u join the run in a loop over its variable number `level`?
  bool joins(const std::vector<Unit>& run, const Unit& u, std::size_t level) {
    if (run.empty()) return true;
    const Unit& first = run.front();
    if (u.own || first.own) return false;
    if (level >= u.dims.size() || level >= first.dims.size()) return false;
    const Symbol v = first.dims[level];
    if (u.dims[level] != v) return false;
    const bool last = level + 1 == u.dims.size(), first_last = level + 1 == first.dims.size();
    if (u.rows || holds_rows(run)) {
      if (!go_by_rows(run, u, level)) return false;
    } else if (u.sweep || holds_sweep(run)) {
      // It brings the tile loop of its last variable: all of the run go into it, as vectors.
      if (u.dims.size() != first.dims.size() || !u.vector || u.columns != first.columns)
        return false;
      if (std::any_of(run.begin(), run.end(), [](const Unit& r) { return !r.vector; }))
        return false;
    }
    if (std::all_of(run.begin(), run.end(), [&](const Unit& r) { return zero(r, u, {v}); }))
      return true;
    return choices_.windows != WindowChoice::None && !last && !first_last && !u.sweep &&
           !holds_sweep(run) && windows_.may_roll(members(run), member(u), v);
  }

  static bool holds_rows(const std::vector<Unit>& run) {
    return std::any_of(run.begin(), run.end(), [](const Unit& u) { return u.rows; });
  }

  // Does it do nothing but set temporaries that the sweep along rows uses?
  bool serves(const Unit& u, const Unit& rows) {
    const std::set<Symbol> writes = passes::touched(*u.item).writes;
    return std::all_of(writes.begin(), writes.end(), [&](Symbol written) {
      const ir::Array* a = program_.find_array(written);
      return a && a->role == ir::Role::Temp && rows.arrays.count(written) > 0;
    });
  }

  // Whose vectors run along this loop loses them to a sweep in it: only values of its rows may.
  bool go_by_rows(const std::vector<Unit>& run, const Unit& u, std::size_t level) {
    std::vector<const Unit*> all = {&u};
    for (const Unit& r : run) all.push_back(&r);
    return std::all_of(all.begin(), all.end(), [&](const Unit* r) {
      if (r->rows) return true;
      if (r->sweep) return false;
      if (!r->vector || r->dims.size() > level + 1) return true;
      return std::any_of(all.begin(), all.end(),
                         [&](const Unit* other) { return other->rows && serves(*r, *other); });
    });
  }

  // Would what serves a sweep along rows be in a run that the sweep cannot join?
  bool leaves_rows(const std::vector<Unit>& run, const std::vector<Unit>& units, std::size_t at,
                   std::size_t level) {
    std::size_t k = at;
    while (k < units.size() && !units[k].rows) ++k;
    if (k == at || k == units.size() || !units[at].vector || !serves(units[at], units[k]))
      return false;
    std::vector<Unit> longer = run;
    for (std::size_t i = at; i < k; ++i) longer.push_back(units[i]);
    return !joins(longer, units[k], level);
  }

  static bool holds_sweep(const std::vector<Unit>& run) {
    return std::any_of(run.begin(), run.end(), [](const Unit& u) { return u.sweep != nullptr; });
  }

  static LoopMember member(const Unit& u) { return {u.labels, u.arrays}; }
  static std::vector<LoopMember> members(const std::vector<Unit>& run) {
    std::vector<LoopMember> all;
    for (const Unit& u : run) all.push_back(member(u));
    return all;
  }

  // A contraction into a temporary, what sets it before, and what uses it point by point after: in
  // one nest. How many units that took; none: it is not like that.
  std::size_t fused_tile(const std::vector<Unit>& units, std::size_t at, std::vector<Node>& out) {
    const std::size_t main = at + 1;
    if (main >= units.size() || !units[main].own || units[at].own || units[at].sweep) return 0;
    const Unit& u = units[main];
    const auto& statement = std::get<ir::Statement>(u.item->node);
    const Symbol target = statement.targets.front().array;
    const ir::Array* array = program_.find_array(target);
    if (!array || array->role != ir::Role::Temp) return 0;
    const auto fits = [&](const Unit& other) {
      return other.vector && !other.own && !other.sweep && other.labels.size() == 1 &&
             std::holds_alternative<ir::Statement>(other.item->node) && other.dims == u.dims &&
             zero(other, u, u.dims);
    };
    if (!fits(units[at]) || !passes::touched(*units[at].item).writes.count(target)) return 0;
    std::vector<Symbol> users;
    std::size_t end = main + 1;
    const auto among = [&](const Unit& other) {
      for (std::size_t k = at; k < end; ++k)
        if (k != main && !zero(units[k], other, u.dims)) return false;
      return true;
    };
    while (end < units.size() && units[end].arrays.count(target) > 0 && fits(units[end]) &&
           among(units[end]))
      users.push_back(units[end++].labels.front());
    if (users.empty() || touched_by_[target] != static_cast<int>(end - at)) return 0;
    auto nodes = fused_contraction(program_, units[at].labels.front(), statement, users, machine_);
    if (!nodes) return 0;
    out.insert(out.end(), nodes->begin(), nodes->end());
    return end - at;
  }

  std::vector<Node> nest(const std::vector<Unit>& units, std::size_t level) {
    std::vector<Node> out;
    for (std::size_t i = 0; i < units.size();) {
      if (const std::size_t used = fused_tile(units, i, out); used > 0) {
        i += used;
        continue;
      }
      if (units[i].own) {
        out.insert(out.end(), units[i].own->begin(), units[i].own->end());
        ++i;
        continue;
      }
      if (units[i].dims.size() == level) {
        out.push_back(leaf(units[i]));
        ++i;
        continue;
      }
      std::vector<Unit> run = {units[i++]};
      while (i < units.size() && units[i].dims.size() > level && joins(run, units[i], level) &&
             (level > 0 || worth_joining(run, units, i)) && !leaves_rows(run, units, i, level))
        run.push_back(units[i++]);
      out.push_back(loop(run, level));
    }
    return out;
  }

  Node loop(const std::vector<Unit>& run, std::size_t level) {
    const Symbol v = run.front().dims[level];
    const bool last = std::all_of(run.begin(), run.end(),
                                  [&](const Unit& u) { return u.dims.size() == level + 1; });
    if (last && holds_sweep(run) && !holds_rows(run)) return sweeps(run, level);
    const bool vector =
        last && std::all_of(run.begin(), run.end(), [](const Unit& u) { return u.vector; });
    std::int64_t width = 1;
    for (const Unit& u : run) width = std::max(width, u.width);
    const bool rolls = choices_.windows != WindowChoice::None && !last && !holds_sweep(run) &&
                       windows_.settle(members(run), v);
    const bool rounds = std::any_of(run.begin(), run.end(), [](const Unit& u) { return u.rounds; });
    const char* const why = rounds ? "contiguous in memory; points side by side share their rounds"
                                   : "contiguous in memory";
    Node inner = vector ? node(NodeKind::Vector, v, width, why) : node(NodeKind::For, v);
    inner.body = nest(run, level + 1);
    if (level > 0) return inner;
    if (rolls) {
      Node tiles =
          node(NodeKind::Parallel, v, kRows, "rows at the edge of a piece are computed twice");
      inner.kind = NodeKind::For;
      inner.reason = "in order: windows roll along it";
      tiles.body.push_back(std::move(inner));
      return tiles;
    }
    if (!last || !vector) {
      inner.kind = NodeKind::Parallel;
      inner.tile = 0;
      inner.reason = "no iteration depends on another";
      return inner;
    }
    Node chunks = node(NodeKind::Parallel, v, kChunk, "no iteration depends on another");
    chunks.body.push_back(std::move(inner));
    return chunks;
  }

  Node sweeps(const std::vector<Unit>& run, std::size_t level) {
    const Symbol v = run.front().dims[level];
    const bool columns = run.front().columns;
    std::int64_t width = 1;
    for (const Unit& u : run) width = std::max(width, u.width);
    const char* const why =
        columns ? "columns lie along memory: some side by side" : "contiguous in memory";
    Node tiles =
        node(level == 0 ? NodeKind::Parallel : NodeKind::For, v,
             columns ? std::max(width, kSweepColumns) : std::max(kSweepVectors * width, kSweepTile),
             "columns of a row tile stay in the cache");
    for (const Unit& u : run) {
      if (!u.sweep) {
        tiles.body.push_back(node(NodeKind::Vector, v, u.width, why));
        tiles.body.back().body.push_back(leaf(u));
        continue;
      }
      Node order = order_of(*u.sweep);
      Node vector = node(NodeKind::Vector, v, u.width, why);
      for (const Unit& s : u.inner) vector.body.push_back(leaf(s));
      order.body.push_back(std::move(vector));
      tiles.body.push_back(std::move(order));
    }
    return tiles;
  }

  Node leaf(const Unit& u) {
    if (u.sweep) {
      Node order = order_of(*u.sweep);
      order.reason = "along memory, what it carries in registers";
      for (const Unit& s : u.inner) order.body.push_back(leaf(s));
      return order;
    }
    Node n = node(NodeKind::Compute, u.labels.front());
    for (std::size_t r = u.reduced.size(); r-- > 0;) {
      Node loop = node(NodeKind::For, u.reduced[r]);
      loop.body.push_back(std::move(n));
      n = std::move(loop);
    }
    if (u.dims.empty() && !u.reduced.empty() && u.tree) {
      const bool rows = u.reduced.size() > 1;
      Node blocks = node(NodeKind::Parallel, u.reduced[0], rows ? kFewRows : kChunk,
                         rows ? "rows are independent" : "blocks of a tree are independent");
      blocks.body.push_back(std::move(n));
      n = std::move(blocks);
    }
    return n;
  }

  Node plain_sweep(const ir::Sweep& s) {
    Node n = order_of(s);
    n.body = body(s.body);
    return n;
  }

  static Node order_of(const ir::Sweep& s) {
    return node(s.forward ? NodeKind::Forward : NodeKind::Backward, s.range.variable);
  }

  const ir::Program& program_;
  const Machine& machine_;
  const LoopChoices choices_;
  analysis::SetQuery query_{20'000};
  DependenceMap dependences_;
  std::map<Symbol, int> touched_by_;
  LoopWindows windows_{program_, dependences_, touched_by_, choices_.windows};
};

}  // namespace

LoopTree build_loops(const ir::Program& program, const Machine& machine, const Dependences& known,
                     LoopChoices choices) {
  Builder builder(program, machine, known, choices);
  LoopTree tree;
  tree.body = builder.body(program.body);
  tree.windows = builder.windows().windows();
  tree.ahead = builder.windows().ahead();
  return tree;
}

}  // namespace lathe::schedule
