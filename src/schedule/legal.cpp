// SPDX-License-Identifier: Apache-2.0
#include "schedule/legal.h"

#include <algorithm>
#include <set>

#include "analysis/access.h"
#include "analysis/dependences.h"
#include "base/quoted.h"
#include "ir/accumulation_order.h"
#include "ir/domain.h"
#include "ir/index_form.h"
#include "ir/traverse.h"
#include "passes/rebuild.h"
#include "schedule/legal_parts.h"
#include "schedule/ranges.h"
#include "schedule/register_tile.h"

namespace lathe::schedule {
namespace {

using analysis::Dependence;
using analysis::DependenceKind;
using analysis::Proof;
using analysis::Signs;
using ir::Comparison;
using ir::PwAff;
using ir::SetExpr;

// Where something stands in the tree.
struct Position {
  std::vector<const Node*> path;    // around it
  std::vector<std::size_t> number;  // of each node of the path among its siblings, and its own
  const Leaf* leaf = nullptr;
  const Node* node = nullptr;
};

void number_nodes(const Nest& nest, const std::vector<Node>& body, Position around,
                  std::map<Symbol, Position>& out, std::size_t first = 0) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    const Node& n = body[i];
    Position here = around;
    here.number.push_back(first + i);
    here.node = &n;
    if (n.kind == NodeKind::Compute) {
      here.leaf = &nest.leaves[nest.leaf_of.at(&n)];
      out[n.name] = here;
      for (const ir::Statement* s : here.leaf->lines) out[s->label] = here;
    } else if (n.kind == NodeKind::Call || n.kind == NodeKind::Repeat || n.kind == NodeKind::When) {
      out[n.name] = here;
    }
    Position inner = here;
    inner.path.push_back(&n);
    inner.leaf = nullptr;
    number_nodes(nest, n.body, inner, out);
    number_nodes(nest, n.otherwise, inner, out, n.body.size());
  }
}

class Judge {
 public:
  Judge(const Nest& nest, analysis::SetQuery& query, const KnownProgram* known)
      : nest_(nest),
        query_(query),
        sizes_(analysis::size_context(nest.program)),
        maker_(*nest.program.graph),
        ranges_(nest, maker_),
        known_(known),
        places_(nest) {
    number_nodes(nest, nest.body, {}, positions_);
    if (!known) found_ = analysis::collect_accesses(nest.program);
    for (const analysis::StatementAccess& s : known ? known->accesses : found_) {
      order_[s.label] = order_.size();
      access_[s.label] = &s;
    }
  }

  std::optional<Diagnostic> run() {
    for (const Leaf& leaf : nest_.leaves)
      for (const ir::Statement* s : leaf.lines) {
        if (auto d = refused_width(nest_, leaf, *s)) return d;
        if (auto d = refused_jam(leaf, *s)) return d;
        if (s->accumulate)
          if (auto d = refused_accumulation(nest_, leaf, *s)) return d;
        if (auto d = places_.refused(leaf, *s)) return d;
      }
    if (auto d = refused_copy(nest_)) return d;
    Dependences found;
    if (!known_) found = analysis::dependences(nest_.program, query_);
    for (const Dependence& d : known_ ? known_->dependences : found)
      if (auto v = judge(d)) return v;
    return std::nullopt;
  }

 private:
  // ---- Dependences.

  const analysis::StatementAccess& access(Symbol label) const {
    static const analysis::StatementAccess kNothing;
    const auto at = access_.find(label);
    return at == access_.end() ? kNothing : *at->second;
  }

  // The possible signs of (sink's iteration - source's iteration) of a loop over `v`.
  Signs signs(const Dependence& d, const std::optional<SetExpr>& relation, Symbol v,
              std::int64_t shift) {
    const std::string name(v.text());
    if (d.distance) {
      const auto it = std::find(d.variables.begin(), d.variables.end(), name);
      if (it == d.variables.end()) return {};
      const std::int64_t x =
          (*d.distance)[static_cast<std::size_t>(it - d.variables.begin())] + shift;
      return {x<0, x == 0, x> 0};
    }
    if (!relation) return {};
    return query_.signs(*relation, name + "'", name, shift, sizes_);
  }

  // Rounds of sweeps and repeats never go back, so only these pairs depend on each other.
  std::optional<SetExpr> real_pairs(const Dependence& d) {
    if (!d.relation) return std::nullopt;
    const analysis::StatementAccess &a = access(d.source), &b = access(d.sink);
    std::vector<SetExpr> cases, equal;
    for (std::size_t k = 0; k < shared_rounds(a, b); ++k) {
      const std::string& v = a.sequential[k];
      const PwAff source = PwAff::var(v), sink = PwAff::var(v + "'");
      std::vector<SetExpr> later = equal;
      later.push_back(
          SetExpr::compare(sink, a.directions[k] > 0 ? Comparison::Gt : Comparison::Lt, source));
      cases.push_back(SetExpr::intersection(later));
      equal.push_back(SetExpr::compare(sink, Comparison::Eq, source));
    }
    if (order_[d.source] < order_[d.sink]) cases.push_back(SetExpr::intersection(equal));
    return SetExpr::intersection({*d.relation, SetExpr::unite(cases)});
  }

  std::optional<Diagnostic> judge(const Dependence& d) {
    const auto from = positions_.find(d.source), to = positions_.find(d.sink);
    if (from == positions_.end() || to == positions_.end()) return std::nullopt;
    const Position &a = from->second, &b = to->second;
    if (d.accumulates) return std::nullopt;  // the order of its own points is judged apart
    const Storage* storage = nest_.find_storage(d.array);
    // A register or tile inside of its own statement's point is no matter of order.
    std::optional<SetExpr> relation = real_pairs(d);
    if (d.relation && query_.is_empty(*relation, sizes_) == Proof::Yes) return std::nullopt;
    std::size_t level = storage ? storage->scope : 0;
    std::size_t common = 0;
    while (common < a.path.size() && common < b.path.size() && a.path[common] == b.path[common])
      ++common;
    if (storage && d.kind == DependenceKind::Flow)
      if (auto v = judge_rounds(d, relation, a, std::min(common, storage->scope))) return v;
    // Each round of a loop around the storage has its own: the two are in one round of it.
    std::size_t same_rounds = 0;
    for (std::size_t k = 0; k < std::min(level, common); ++k) {
      if (!is_next_round(d, *a.path[k], same_rounds)) continue;
      ++same_rounds;
      if (relation) relation = at_equal(*relation, counter_of(*a.path[k]), 0);
    }
    // A repeat or when that reads something itself stands around its body.
    for (; level < common; ++level) {
      const Node& n = *a.path[level];
      if (n.kind == NodeKind::When) continue;
      // What is computed on demand is not tied to the iterations of loops around its storage.
      for (const Leaf* leaf : {a.leaf, b.leaf})
        if (leaf && leaf->on_demand && level < leaf->scope && n.is_loop() && !is_tied(*leaf, n))
          return refuse(d, &n,
                        quoted(leaf->label) +
                            " is computed on demand, also at points of other iterations of " +
                            quoted(n.name));
      const bool counter = n.kind == NodeKind::Repeat;
      const Symbol v = counter_of(n);
      const std::int64_t shift =
          counter || !a.leaf || !b.leaf ? 0 : a.leaf->shift(v) - b.leaf->shift(v);
      Signs s = signs(d, relation, v, shift);
      const bool sequential = is_sequential(d, v);
      if (n.kind == NodeKind::Backward) std::swap(s.negative, s.positive);
      if (sequential && is_round(n) && !d.distance && !relation) s.negative = false;
      // In one round of all before it, real pairs never go back, whether sets can show that or not.
      const bool next = is_next_round(d, n, same_rounds);
      if (next && !d.distance && shift == 0) s.negative = false;
      if (storage && storage->window_loop == &n && d.kind == DependenceKind::Flow) {
        const auto it = std::find(d.variables.begin(), d.variables.end(), std::string(v.text()));
        if (!d.distance || it == d.variables.end())
          return refuse(d, &n, "it is not shown how far apart the two are along " + quoted(v));
        const std::int64_t far =
            (*d.distance)[static_cast<std::size_t>(it - d.variables.begin())] + shift;
        if (std::abs(far) + 1 > storage->place.depth)
          return refuse(d, &n,
                        "the window holds " + std::to_string(storage->place.depth) +
                            " iterations of " + quoted(v) + ", but " +
                            std::to_string(std::abs(far) + 1) + " are needed");
      }
      if (n.kind == NodeKind::Parallel || n.kind == NodeKind::Vector) {
        if (s.negative || s.positive)
          return refuse(d, &n,
                        std::string("iterations of a ") +
                            (n.kind == NodeKind::Vector ? "vector" : "parallel") +
                            " loop have no order");
        continue;
      }
      if (s.negative) return refuse(d, &n, "the loop runs the reader before the writer");
      if (n.kind == NodeKind::Jam && s.positive)
        if (auto v = judge_jam(d, relation, n, a, b)) return v;
      if (is_tile_loop(n)) continue;  // a later tile, or the same one: inside
      if (!s.zero) return std::nullopt;
      if (s.positive && relation) relation = at_equal(*relation, v, shift);
      if (next) ++same_rounds;
      // Against the text only another round comes later.
      if (is_round(n) && sequential && !d.distance && !relation &&
          order_[d.source] >= order_[d.sink] && access(d.source).sequential.back() == v.text())
        return std::nullopt;
    }
    if (a.node == b.node) return std::nullopt;
    // One is a repeat or when around the other: its own reads come first (bounds) or last (until);
    // the tree cannot change that.
    if (a.path.size() == common && b.path.size() > common && b.path[common] == a.node)
      return std::nullopt;
    if (b.path.size() == common && a.path.size() > common && a.path[common] == b.node)
      return std::nullopt;
    if (a.number[common] > b.number[common]) {
      if (order_[d.source] >= order_[d.sink] && shares_rounds(a, b, common))
        return std::nullopt;  // other round
      return refuse(d, nullptr, quoted(d.source) + " runs after it");
    }
    return std::nullopt;
  }

  // Iterations of a jam run vector by vector: later ones must not need points of another one.
  std::optional<Diagnostic> judge_jam(const Dependence& d, const std::optional<SetExpr>& relation,
                                      const Node& jam, const Position& a, const Position& b) {
    const Symbol v = jam.body.front().name;
    const std::int64_t shift = !a.leaf || !b.leaf ? 0 : a.leaf->shift(v) - b.leaf->shift(v);
    const Signs across = signs(d, relation, v, shift);
    if (!across.negative && !across.positive) return std::nullopt;
    return refuse(
        d, &jam,
        "the iterations of a jam run together, one vector of " + quoted(v) + " after the other");
  }

  // A place that belongs to one round of a sweep or repeat holds nothing for the next one.
  std::optional<Diagnostic> judge_rounds(const Dependence& d,
                                         const std::optional<SetExpr>& relation, const Position& a,
                                         std::size_t end) {
    for (std::size_t level = 0; level < end; ++level) {
      const Node& n = *a.path[level];
      if (!is_round(n)) continue;
      const Symbol v = counter_of(n);
      const Signs s = signs(d, relation, v, 0);
      if (s.negative || s.positive)
        return refuse(d, &n,
                      quoted(d.array) + " is kept for one iteration of " + quoted(v) + " only");
    }
    return std::nullopt;
  }

  // Does the statement, though on demand, compute nothing but points of the loop's own iteration?
  bool is_tied(const Leaf& leaf, const Node& n) {
    const auto [it, fresh] = tied_.insert({{&leaf, &n}, false});
    if (!fresh || !leaf.range(n.name)) return it->second;
    const Interval r = ranges_.range(leaf, n.name, leaf.scope);
    const Expr at = ranges_.add(ranges_.value(n), leaf.shift(n.name));
    if (r.point) return it->second = is_point_loop(n) && r.lo == at;
    const auto lo = ir::to_pw_aff(r.lo), hi = ir::to_pw_aff(r.hi), own = ir::to_pw_aff(at);
    if (!lo || !hi || !own) return false;
    const PwAff end = *own + PwAff::integer(is_tile_loop(n) ? n.tile : 1);
    const SetExpr beyond = SetExpr::unite(
        {SetExpr::compare(*lo, Comparison::Lt, *own), SetExpr::compare(*hi, Comparison::Gt, end)});
    return it->second = query_.is_empty(beyond, sizes_) == Proof::Yes;
  }

  // Do all sweeps that the program has around both stand around both in the tree, too? A repeat is
  // one node and always does.
  static bool shares_rounds(const Position& a, const Position& b, std::size_t common) {
    if (common == 0) return false;
    if (!a.leaf || !b.leaf) return true;
    for (std::size_t k = 0; k < std::min(a.leaf->sweeps.size(), b.leaf->sweeps.size()); ++k) {
      if (a.leaf->sweeps[k] != b.leaf->sweeps[k]) break;
      const Symbol v = a.leaf->sweeps[k]->range.variable;
      if (std::none_of(a.path.begin(), a.path.begin() + static_cast<std::ptrdiff_t>(common),
                       [&](const Node* n) { return n->is_loop() && n->name == v; }))
        return false;
    }
    return true;
  }

  static bool is_round(const Node& n) {
    return n.kind == NodeKind::Repeat || n.kind == NodeKind::Forward ||
           n.kind == NodeKind::Backward;
  }

  // The variable of a loop or repeat.
  Symbol counter_of(const Node& n) const {
    return n.kind == NodeKind::Repeat
               ? std::get<ir::Repeat>(nest_.items.at(n.name)->node).range.variable
               : n.name;
  }

  // Is it the loop over rounds number `index` of those that the program has around both?
  bool is_next_round(const Dependence& d, const Node& n, std::size_t index) const {
    const analysis::StatementAccess& source = access(d.source);
    return is_round(n) && index < shared_rounds(source, access(d.sink)) &&
           source.sequential[index] == counter_of(n).text();
  }

  // The pairs in one iteration of a loop.
  static SetExpr at_equal(const SetExpr& pairs, Symbol variable, std::int64_t shift) {
    const std::string v(variable.text());
    return SetExpr::intersection(
        {pairs, SetExpr::compare(PwAff::var(v + "'") + PwAff::integer(shift), Comparison::Eq,
                                 PwAff::var(v))});
  }

  // Is it the counter of a sweep or repeat around both?
  bool is_sequential(const Dependence& d, Symbol v) const {
    const std::vector<std::string>& all = access(d.source).sequential;
    const std::size_t shared = shared_rounds(access(d.source), access(d.sink));
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(shared);
    return std::find(all.begin(), end, v.text()) != end;
  }

  Diagnostic refuse(const Dependence& d, const Node* loop, const std::string& why) {
    const char* verb[] = {"needs what it writes to", "overwrites what it reads of",
                          "overwrites what it writes to"};
    const Position& sink = positions_.at(d.sink);
    Diagnostic out{Severity::Error,
                   "the schedule breaks a dependence: " + quoted(d.sink) + " must run after " +
                       quoted(d.source) + ", for it " + verb[static_cast<int>(d.kind)] + " " +
                       quoted(d.array) + ", but " + why,
                   loop ? loop->span : sink.node->span,
                   {},
                   ""};
    out.note(example(d) + ": " + quoted(d.source) + " here", access(d.source).span);
    out.note("and " + quoted(d.sink) + " here", access(d.sink).span);
    std::set<std::string> former;
    for (const auto& [use, name] : nest_.former)
      if (use.first == d.source || use.first == d.sink) former.insert(quoted(name));
    for (const std::string& name : former) {
      if (!out.help.empty()) out.help += ", ";
      out.help += quoted(d.array) + " has the storage of " + name;
    }
    return out;
  }

  // Two points in numbers, for small sizes.
  std::string example(const Dependence& d) {
    if (d.distance) {
      std::string text;
      for (std::size_t k = 0; k < d.variables.size(); ++k) {
        if ((*d.distance)[k] == 0) continue;
        const std::int64_t from = std::max<std::int64_t>(4, 4 - (*d.distance)[k]);
        text += (text.empty() ? "" : ", ") + d.variables[k] + " = " + std::to_string(from) +
                " before " + d.variables[k] + " = " + std::to_string(from + (*d.distance)[k]);
      }
      return text.empty() ? "at the same point" : text;
    }
    return "for some points";
  }

  const Nest& nest_;
  analysis::SetQuery& query_;
  SetExpr sizes_;
  ir::RawMaker maker_;
  Ranges ranges_;
  std::map<std::pair<const Leaf*, const Node*>, bool> tied_;
  std::map<Symbol, Position> positions_;
  std::map<Symbol, std::size_t> order_;
  std::map<Symbol, const analysis::StatementAccess*> access_;
  std::vector<analysis::StatementAccess> found_;  // where nobody knew them
  const KnownProgram* known_;                     // may be null
  PlaceJudge places_;
};

}  // namespace

KnownProgram::KnownProgram(const ir::Program& program, analysis::SetQuery& query)
    : accesses(analysis::collect_accesses(program)),
      dependences(analysis::dependences(program, query)) {}

std::optional<Diagnostic> violation(const Nest& nest, analysis::SetQuery& query,
                                    const KnownProgram* known) {
  return Judge(nest, query, known).run();
}

namespace {

// Bounds of loops must not use variables of loops further inside in a way that has no hull.
void check_bounds(const Nest& nest) {
  ir::RawMaker maker(*nest.program.graph);
  Ranges ranges(nest, maker);
  for (const Leaf& leaf : nest.leaves)
    for (std::size_t p = leaf.on_demand ? leaf.scope : 0; p < leaf.path.size(); ++p)
      if (leaf.path[p]->is_loop()) ranges.range(leaf, leaf.path[p]->name, p);
}

}  // namespace

std::unique_ptr<Nest> resolve_legal(const ir::Program& program, const Schedule& schedule) {
  std::unique_ptr<Nest> nest = resolve(program, schedule);
  check_bounds(*nest);
  analysis::SetQuery query;
  if (auto d = violation(*nest, query)) throw UserError(std::move(*d));
  return nest;
}

std::unique_ptr<Nest> resolve_legal(const ir::Program& program, const Schedule& schedule,
                                    const KnownProgram& known, analysis::SetQuery& query) {
  std::unique_ptr<Nest> nest = resolve(program, schedule);
  check_bounds(*nest);
  if (auto d = violation(*nest, query, nest->unchanged ? &known : nullptr))
    throw UserError(std::move(*d));
  return nest;
}

}  // namespace lathe::schedule
