// SPDX-License-Identifier: Apache-2.0
// All reads of a statement see the state before it. Afterwards that is also what loops do that
// write each point at once: no point reads an element that another point of its statement writes.
//
//   for i in 1..n: t[i] = t[i-1]          for i in 1..n: t.new[i] = t[i-1]
//                                    =>   for i in 1..n: t[i] = t.new[i]
//
//   for i in 0..n, k in 0..m:             for x in 0..n: r.before[x] = r[x]
//     r[i] += r[k]                   =>   for i in 0..n, k in 0..m: r[i] += r.before[k]
//
// A read of the own target is harmless where it is of the point's own element - in a value: points
// that have values write, and no two of them write one element; in a guard only if the indices
// differ from point to point, because points without value read it too - and where isl shows that
// no other point writes it (t[i, k-1] in a sweep over k that writes t[i, k]). Accumulations visit
// an element many times: there even the own element is harmless only if points have different ones.
// Everything else counts as an overlap: gathers (t[idx[i]]), reads that may be moved back inside
// (clamp, wrap, mirror), bounds and target indices that read the target.
//
// New values wait in a temporary over the statement's points, if one can be declared and guard and
// indices are the same after the writes; otherwise, and for accumulations, a copy of the whole
// target is read instead.
//
// The points of a group are independent by the verifier's rule. Where its lines change what its own
// guard reads, the answer is kept in a local: loops ask guards again for each line.

#include <algorithm>
#include <map>

#include "analysis/access.h"
#include "analysis/sets.h"
#include "ir/group_rule.h"
#include "passes/passes.h"
#include "passes/temporaries.h"

namespace lathe::passes {
namespace {

using ir::PwAff;
using ir::SetExpr;

// Outside the array such a read is no read of it.
bool stays(ir::Policy p) {
  return p != ir::Policy::Clamp && p != ir::Policy::Wrap && p != ir::Policy::Mirror;
}

bool is_own(Expr read, const ir::Target& t) {
  const auto indices = ir::view::Read(read).indices;
  return std::equal(indices.begin(), indices.end(), t.indices.begin(), t.indices.end());
}

// Reads in bounds may have any value, another one at each of two points.
SetExpr own_reads(const SetExpr& s, const char* tag) {
  return s.map_leaves([&](const PwAff& e) -> std::optional<PwAff> {
    if (e.kind() != PwAff::Kind::Read) return std::nullopt;
    return PwAff::read(tag + ("[" + e.name() + "]"), e.read_variables());
  });
}

class Separation {
 public:
  explicit Separation(ir::Program& program)
      : make_(program),
        sizes_(analysis::size_context(program)),
        accesses_(analysis::collect_accesses(program)) {}

  Body run() {
    return map_unmasked(make_, [&](Item item, const std::vector<ir::Range>&, Body& out) {
      if (auto* s = std::get_if<ir::Statement>(&item.node)) return statement(*s, out);
      if (auto* g = std::get_if<ir::Group>(&item.node))
        if (ir::changes_own_guard(*g)) push_guard_down(make_.graph, *g);
      out.push_back(std::move(item));
    });
  }

 private:
  // --- Statements.

  void statement(ir::Statement s, Body& out) {
    const Overlap found = overlap(s);
    if (!found.values && !found.points) return out.push_back({std::move(s)});
    if (s.accumulate || found.points || !make_.declarable(s.domain.ranges))
      return read_copies(std::move(s), out);
    const Symbol array = s.targets[0].array;
    const Symbol waiting = make_.name(array.text(), "new");
    make_.declare_over(waiting, make_.array(array).dtype, s.domain.ranges, s.span);
    const ir::Target at{waiting, make_.point(s.domain.ranges)};
    out.push_back({make_.set(waiting, s.domain, at, s.values[0], s.span)});
    s.values = {make_.read(waiting, s.domain.ranges)};
    out.push_back({std::move(s)});
  }

  void read_copies(ir::Statement s, Body& out) {
    Temporaries::Names copies;
    for (const ir::Target& t : s.targets)
      for (Expr e : expressions(s))
        if (reads_array(e, t.array) && !copies.contains(t.array))
          copies[t.array] = make_.snapshot(t.array, s.span, out);
    make_.redirect(s, copies);
    out.push_back({std::move(s)});
  }

  struct Overlap {
    bool points = false;  // in what decides where the statement writes
    bool values = false;
  };
  Overlap overlap(const ir::Statement& s) {
    Overlap found;
    if (s.domain.ranges.empty()) return found;  // one point
    for (const ir::Target& t : s.targets) {
      const bool distinct = ir::determines_point(t, s.domain.ranges);
      for (const ir::Range& r : s.domain.ranges)
        found.points = found.points || reads_array(r.lo, t.array) || reads_array(r.hi, t.array);
      for (const ir::Target& u : s.targets)
        for (Expr e : u.indices) found.points = found.points || reads_array(e, t.array);
      if (s.domain.guard)
        for (Expr r : ir::reads(s.domain.guard))
          if (r->name == t.array && !(is_own(r, t) && distinct && stays(r->policy)) &&
              !never_meets(s, r))
            found.points = true;
      for (Expr e : s.values)
        for (Expr r : ir::reads(e))
          if (r->name == t.array && !(is_own(r, t) && (distinct || !s.accumulate)) &&
              !never_meets(s, r))
            found.values = true;
    }
    return found;
  }

  // Is it shown that at one time no point of the statement writes what `read` reads at another?
  bool never_meets(const ir::Statement& s, Expr read) {
    const auto at = std::find_if(accesses_.begin(), accesses_.end(),
                                 [&](const auto& a) { return a.statement && a.label == s.label; });
    if (at == accesses_.end() || !stays(read->policy)) return false;
    bool found = false;
    for (const analysis::Access& a : at->reads) {
      if (a.node != read) continue;
      found = true;
      for (const analysis::Access& w : at->writes)
        if (w.array == a.array && (w.whole || !never_meet(*at, a, w))) return false;
    }
    return found;
  }

  bool never_meet(const analysis::StatementAccess& s, const analysis::Access& read,
                  const analysis::Access& write) {
    if (!read.is_affine() || !write.is_affine()) return false;
    std::map<std::string, std::string> primes;
    for (const auto* variables : {&s.variables, &read.variables})
      for (const std::string& v : *variables) primes.emplace(v, v + "'");
    std::vector<SetExpr> parts = {own_reads(write.domain, "write"),
                                  own_reads(read.domain, "read").rename(primes)};
    for (std::size_t k = 0; k < read.affine.size(); ++k)
      parts.push_back(
          SetExpr::compare(*write.affine[k], ir::Comparison::Eq, read.affine[k]->rename(primes)));
    const auto is_counter = [&](const std::string& v) {
      return std::find(s.sequential.begin(), s.sequential.end(), v) != s.sequential.end();
    };
    for (const std::string& v : s.sequential)
      parts.push_back(
          SetExpr::compare(PwAff::var(v), ir::Comparison::Eq, PwAff::var(primes.at(v))));
    return std::all_of(s.variables.begin(), s.variables.end(), [&](const std::string& v) {
      if (is_counter(v)) return true;
      std::vector<SetExpr> elsewhere = parts;
      elsewhere.push_back(
          SetExpr::compare(PwAff::var(v), ir::Comparison::Ne, PwAff::var(primes.at(v))));
      return query_.is_empty(SetExpr::intersection(elsewhere), sizes_) == analysis::Proof::Yes;
    });
  }

  Temporaries make_;
  analysis::SetQuery query_;
  SetExpr sizes_;
  std::vector<analysis::StatementAccess> accesses_;
};

}  // namespace

ir::Program separate_overlaps(const ir::Program& program) {
  ir::Program out = program;
  out.body = Separation(out).run();
  return out;
}

}  // namespace lathe::passes
