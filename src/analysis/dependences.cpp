// SPDX-License-Identifier: Apache-2.0
// Indices that are a variable plus a number give the distance by subtraction; whether it occurs at
// all is the question whether the sink's domain, shifted, meets the source's. Everything else is a
// set over both statements' variables, the sink's with a prime.

#include "analysis/dependences.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "analysis/check_text.h"
#include "analysis/written.h"
#include "ir/traverse.h"

namespace lathe::analysis {
namespace {

using ir::Comparison;
using ir::PwAff;

// Reads in bounds may give other values at the other statement: each keeps its own.
SetExpr own_reads(const SetExpr& s, const char* tag) {
  return s.map_leaves([&](const PwAff& e) -> std::optional<PwAff> {
    if (e.kind() != PwAff::Kind::Read) return std::nullopt;
    return PwAff::read(tag + ("[" + e.name() + "]"), e.read_variables());
  });
}

std::map<std::string, std::string> primes(const std::vector<std::string>& variables) {
  std::map<std::string, std::string> names;
  for (const std::string& v : variables) names.emplace(v, v + "'");
  return names;
}

// Outside the array such a read is of another element than its indices say. Where the statement
// writes at the same indices, they are inside; but guards are evaluated at other points, too.
bool may_be_moved(const StatementAccess& s, const Access& a) {
  if (a.policy != ir::Policy::Clamp && a.policy != ir::Policy::Wrap &&
      a.policy != ir::Policy::Mirror)
    return false;
  if (!s.statement) return true;
  if (const ir::Expr guard = s.statement->domain.guard) {
    const std::vector<ir::Expr> nodes = ir::post_order(guard);
    if (std::find(nodes.begin(), nodes.end(), a.node) != nodes.end()) return true;
  }
  return std::none_of(s.writes.begin(), s.writes.end(), [&](const Access& w) {
    return w.array == a.array && !w.whole && w.is_affine() && a.is_affine() && w.affine == a.affine;
  });
}

// sink variable - source variable, for each index of the form v + c on both sides with one v.
// Nothing when some index has another form.
std::optional<std::map<std::string, std::int64_t>> distances(const Access& a, const Access& b,
                                                             bool* contradicts) {
  std::map<std::string, std::int64_t> out;
  for (std::size_t k = 0; k < a.affine.size(); ++k) {
    const PwAff &x = *a.affine[k], &y = *b.affine[k];
    const auto used = x.variables();
    if (used != y.variables() || used.size() > 1) return std::nullopt;
    if (used.empty()) {
      const PwAff difference = x - y;
      if (!difference.parameters().empty()) return std::nullopt;
      *contradicts = *contradicts || !(difference == PwAff::zero());
      continue;
    }
    const PwAff v = PwAff::var(used[0]), shift = (x - v) - (y - v);
    if (!(x - v).variables().empty() || !(y - v).variables().empty()) return std::nullopt;
    if (shift.kind() != PwAff::Kind::Int && shift.kind() != PwAff::Kind::Zero) return std::nullopt;
    const auto [at, fresh] = out.try_emplace(used[0], shift.value());
    *contradicts = *contradicts || at->second != shift.value();
  }
  return out;
}

class Finder {
 public:
  Finder(const ir::Program& program, SetQuery& query)
      : query_(query), sizes_(size_context(program)) {}

  void pair(const StatementAccess& source, const Access& a, const StatementAccess& sink,
            const Access& b, std::vector<Dependence>& out) {
    Dependence d;
    d.kind = !a.write  ? DependenceKind::Anti
             : b.write ? DependenceKind::Output
                       : DependenceKind::Flow;
    d.source = source.label;
    d.sink = sink.label;
    d.array = a.array;
    d.accumulates = source.statement == sink.statement && is_own(source, a) && is_own(sink, b);
    for (const std::string& v : source.variables)
      if (std::find(sink.variables.begin(), sink.variables.end(), v) != sink.variables.end())
        d.variables.push_back(v);
    if (a.whole || b.whole || may_be_moved(source, a) || may_be_moved(sink, b)) {
      keep(d, out);
      return;
    }
    if (!a.is_affine() || !b.is_affine()) return relate(d, a, b, out);
    bool contradicts = false;
    const auto shifts = distances(a, b, &contradicts);
    if (contradicts) return;
    const bool all = shifts && std::all_of(d.variables.begin(), d.variables.end(),
                                           [&](const auto& v) { return shifts->count(v) != 0; });
    const SetExpr x = own_reads(a.reach(), "source");
    const SetExpr y = own_reads(b.reach(), "sink");
    if (shifts && all) {
      // The sink's point in terms of the source's; variables of its own get a prime.
      std::map<std::string, std::string> own;
      for (const std::string& v : b.variables)
        if (shifts->count(v) == 0) own.emplace(v, v + "'");
      const SetExpr at_source =
          y.rename(own).map_leaves([&](const PwAff& e) -> std::optional<PwAff> {
            if (e.kind() != PwAff::Kind::Var || shifts->count(e.name()) == 0) return std::nullopt;
            return e + PwAff::integer(shifts->at(e.name()));
          });
      if (query_.disjoint(x, at_source, sizes_) == Proof::Yes) return;
      d.distance.emplace();
      for (const std::string& v : d.variables) d.distance->push_back(shifts->at(v));
      keep(d, out);
      return;
    }
    relate(d, a, b, out);
  }

 private:
  // The old content that an accumulation takes, or its write.
  static bool is_own(const StatementAccess& s, const Access& a) {
    return s.statement && s.statement->accumulate && (a.write || a.old_value);
  }

  // The pairs as far as sets can say them.
  void relate(Dependence& d, const Access& a, const Access& b, std::vector<Dependence>& out) {
    std::vector<SetExpr> parts = {own_reads(a.reach(), "source"),
                                  own_reads(b.reach(), "sink").rename(primes(b.variables))};
    for (std::size_t k = 0; k < a.affine.size(); ++k)
      if (a.is_affine(k) && b.is_affine(k))
        parts.push_back(SetExpr::compare(*a.affine[k], Comparison::Eq,
                                         b.affine[k]->rename(primes(b.variables))));
    if (parts.size() == 2 && !a.affine.empty()) return keep(d, out);
    d.relation = SetExpr::intersection(std::move(parts));
    if (query_.is_empty(*d.relation, sizes_) != Proof::Yes) keep(d, out);
  }

  static void keep(const Dependence& d, std::vector<Dependence>& out) {
    for (Dependence& other : out)
      if (other.kind == d.kind && other.array == d.array && other.source == d.source &&
          other.sink == d.sink && other.distance == d.distance &&
          other.relation.has_value() == d.relation.has_value() &&
          (!d.relation || *other.relation == *d.relation)) {
        other.accumulates = other.accumulates && d.accumulates;
        return;
      }
    out.push_back(d);
  }

  SetQuery& query_;
  SetExpr sizes_;
};

// Is the sink's round of the first `shared` loops, those around both, later (1), the same (0),
// earlier (-1), or not known?
std::optional<int> later_round(const Dependence& d, const StatementAccess& s, std::size_t shared) {
  if (!d.distance) return std::nullopt;
  for (std::size_t k = 0; k < shared; ++k) {
    const auto at = std::find(d.variables.begin(), d.variables.end(), s.sequential[k]);
    if (at == d.variables.end()) continue;
    const std::int64_t x = (*d.distance)[static_cast<std::size_t>(at - d.variables.begin())];
    if (x != 0) return (x > 0) == (s.directions[k] > 0) ? 1 : -1;
  }
  return 0;
}

void find(Finder& finder, const StatementAccess& source, const StatementAccess& sink,
          std::vector<Dependence>& out) {
  const auto cross = [&](const std::vector<Access>& from, const std::vector<Access>& to) {
    for (const Access& a : from)
      for (const Access& b : to)
        if (a.array == b.array) finder.pair(source, a, sink, b, out);
  };
  cross(source.writes, sink.reads);
  cross(source.reads, sink.writes);
  cross(source.writes, sink.writes);
}

// Statements, by number, that touch what others do; at least one of the two writes.
class Meeting {
 public:
  explicit Meeting(const std::vector<StatementAccess>& all) : all_(all) {
    for (std::size_t s = 0; s < all.size(); ++s) {
      for (const Access& a : all[s].reads) touching_[a.array].push_back(s);
      for (const Access& a : all[s].writes) {
        touching_[a.array].push_back(s);
        writing_[a.array].push_back(s);
      }
    }
  }

  std::set<std::size_t> of(std::size_t s) const {
    std::set<std::size_t> out;
    for (const Access& a : all_[s].writes) add(touching_, a.array, out);
    for (const Access& a : all_[s].reads) add(writing_, a.array, out);
    return out;
  }

 private:
  using Statements = std::unordered_map<Symbol, std::vector<std::size_t>>;
  static void add(const Statements& from, Symbol array, std::set<std::size_t>& out) {
    const auto found = from.find(array);
    if (found != from.end()) out.insert(found->second.begin(), found->second.end());
  }

  const std::vector<StatementAccess>& all_;
  Statements touching_, writing_;
};

}  // namespace

bool Dependence::same_point() const {
  return distance && std::all_of(distance->begin(), distance->end(), [](auto x) { return x == 0; });
}

std::vector<Dependence> dependences(const ir::Program& program, const StatementAccess& source,
                                    const StatementAccess& sink, SetQuery& query) {
  std::vector<Dependence> out;
  Finder finder(program, query);
  find(finder, source, sink, out);
  return out;
}

std::vector<Dependence> dependences(const ir::Program& program, SetQuery& query) {
  const std::vector<StatementAccess> all = collect_accesses(program);
  const Meeting meeting(all);
  Finder finder(program, query);
  std::vector<Dependence> out;
  for (std::size_t a = 0; a < all.size(); ++a)
    for (const std::size_t b : meeting.of(a)) {
      const std::size_t loops = shared_loops(all[a], all[b]);
      if (b <= a && loops == 0) continue;
      std::vector<Dependence> found;
      find(finder, all[a], all[b], found);
      // Rounds never go back; against the text (or to itself) only another round comes later. A
      // while has rounds without a counter.
      const std::size_t counted = shared_rounds(all[a], all[b]);
      const bool in_while = loops > counted;
      std::erase_if(found, [&](const Dependence& d) {
        const auto round = later_round(d, all[a], counted);
        return round && counted > 0 && (*round < 0 || (*round == 0 && b <= a && !in_while));
      });
      out.insert(out.end(), found.begin(), found.end());
    }
  return out;
}

bool same_point_only(const ir::Program& program, Symbol first, Symbol second, Symbol array,
                     SetQuery& query) {
  const std::vector<StatementAccess> all = collect_accesses(program);
  for (const StatementAccess& a : all)
    for (const StatementAccess& b : all) {
      if (!(a.label == first) || !(b.label == second)) continue;
      for (const Dependence& d : dependences(program, a, b, query)) {
        if (!(d.array == array)) continue;
        const bool all_shared =
            d.variables.size() == a.variables.size() && d.variables.size() == b.variables.size();
        if (!all_shared || !d.same_point()) return false;
      }
    }
  return true;
}

std::string to_text(const Dependence& d) {
  constexpr const char* kKinds[] = {"flow ", "anti ", "output "};
  std::string text = std::string(d.source.text()) + " -> " + std::string(d.sink.text()) + ": " +
                     kKinds[static_cast<int>(d.kind)] + std::string(d.array.text());
  if (d.distance) {
    for (std::size_t k = 0; k < d.variables.size(); ++k) {
      const std::int64_t x = (*d.distance)[k];
      text += (k == 0 ? " " : ", ") + d.variables[k] + " " + (x > 0 ? "+" : "") + std::to_string(x);
    }
    return text;
  }
  return text + (d.relation ? " where " + ir::to_text(*d.relation) : " unknown");
}

}  // namespace lathe::analysis
