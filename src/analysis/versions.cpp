// SPDX-License-Identifier: Apache-2.0
// Reaching definitions over the items: a state says for each array which versions may be in place.
// Loop bodies are walked until their state at the end adds nothing to the state at the beginning.

#include "analysis/versions.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/access.h"
#include "ir/domain.h"

namespace lathe::analysis {
namespace {

using State = std::map<Symbol, std::set<std::size_t>>;  // array -> indices into its versions

void merge(State& to, const State& from) {
  for (const auto& [array, versions] : from) to[array].insert(versions.begin(), versions.end());
}

// Does it write every element of the target's declared range, whatever the sizes are?
bool covers(const ir::Program& program, const std::vector<ir::Range>& ranges, ir::Expr guard,
            const ir::Target& target) {
  const ir::Array* array = program.find_array(target.array);
  if (array == nullptr || guard != nullptr || ranges.size() != target.indices.size()) return false;
  std::set<Symbol> used;
  for (std::size_t k = 0; k < target.indices.size(); ++k) {
    const ir::Expr index = target.indices[k];
    if (index->op != ir::Op::Index || !used.insert(index->name).second) return false;
    const auto r = std::find_if(ranges.begin(), ranges.end(),
                                [&](const ir::Range& x) { return x.variable == index->name; });
    if (r == ranges.end() || !(ir::to_bound(r->lo) == ir::to_bound(array->axes[k].lo)) ||
        !(ir::to_bound(r->hi) == ir::to_bound(array->axes[k].hi)))
      return false;
  }
  return true;
}

class VersionWalk {
 public:
  explicit VersionWalk(const ir::Program& program) : program_(program) {
    for (const ir::Array& a : program.arrays) {
      out_.arrays.push_back({a.name, {}});
      const bool given = a.role != ir::Role::Temp && a.role != ir::Role::Output;
      if (!given) continue;
      out_.arrays.back().versions.push_back({std::string(a.name.text()), {}, a.span});
      state_[a.name] = {0};
    }
    // What each item reads, by label: an item may have several entries (a repeat's end).
    for (const StatementAccess& s : collect_accesses(program))
      for (const Access& a : s.reads) reads_[s.label].insert(a.array);
  }

  Versions run() {
    body(program_.body);
    for (const auto& [key, seen] : seen_) {
      const ArrayVersions& a = *out_.find(key.second.second);
      ReadVersions r{key.second.first, key.second.second, {}};
      for (const std::size_t v : seen) r.may_see.push_back(a.versions[v].name);
      out_.reads.push_back(std::move(r));
    }
    return std::move(out_);
  }

 private:
  void see(Symbol label) {
    const auto at = reads_.find(label);
    if (at == reads_.end()) return;
    const std::size_t order = order_.try_emplace(label, order_.size()).first->second;
    for (const Symbol array : at->second) {
      if (program_.find_array(array) == nullptr) continue;
      auto& seen = seen_[{order, {label, array}}];
      const std::set<std::size_t>& now = state_[array];
      seen.insert(now.begin(), now.end());
    }
  }

  std::size_t version(Symbol array, Symbol writer, Span span) {
    for (ArrayVersions& a : out_.arrays) {
      if (!(a.array == array)) continue;
      std::size_t number = 0;
      for (std::size_t k = 0; k < a.versions.size(); ++k) {
        if (a.versions[k].writer == writer) return k;
        number += a.versions[k].writer ? 1 : 0;
      }
      a.versions.push_back(
          {std::string(array.text()) + "." + std::to_string(number), writer, span});
      return a.versions.size() - 1;
    }
    return 0;
  }
  void write(Symbol array, Symbol writer, Span span, bool everything) {
    if (program_.find_array(array) == nullptr) return;  // a local
    const std::size_t v = version(array, writer, span);
    if (everything) state_[array].clear();
    state_[array].insert(v);
  }

  void statement(const ir::Statement& s, const std::vector<ir::Range>& ranges) {
    see(s.label);
    for (const ir::Target& t : s.targets)
      write(t.array, s.label, s.span,
            (s.accumulate && s.accumulate->fresh) ||
                (!partial_ && covers(program_, ranges, s.domain.guard, t)));
  }

  void body(const ir::Body& items) {
    for (const ir::Item& item : items)
      std::visit([&](const auto& node) { this->item(node); }, item.node);
  }
  void item(const ir::Statement& s) { statement(s, s.domain.ranges); }
  void item(const ir::Scan& s) {
    std::vector<ir::Range> ranges = s.statement.domain.ranges;
    ranges.push_back(s.range);
    statement(s.statement, ranges);
  }
  void item(const ir::Group& g) {
    see(g.label);
    const bool outer = std::exchange(partial_, partial_ || g.domain.guard != nullptr);
    for (const ir::Statement& s : g.statements) statement(s, g.domain.ranges);
    partial_ = outer;
  }
  // Both sides start from the state before; points that take the other side keep what they had.
  void sides(const ir::Body& a, const ir::Body& b, bool some_points) {
    const State before = state_;
    const bool outer = std::exchange(partial_, partial_ || some_points);
    body(a);
    const State after_a = std::exchange(state_, before);
    body(b);
    partial_ = outer;
    merge(state_, after_a);
  }
  void item(const ir::Branch& b) {
    see(b.label);
    sides(b.then_body, b.else_body, true);
  }
  void item(const ir::When& w) {
    see(w.label);
    sides(w.then_body, w.else_body, false);
  }
  template <class F>
  void loop(const ir::Body& items, F&& end_of_round) {
    const State before = state_;
    for (State start = state_;;) {
      body(items);
      end_of_round();
      merge(state_, start);  // also: the loop may end here, or never run
      if (state_ == start) break;
      start = state_;
    }
    merge(state_, before);
  }
  void item(const ir::While& w) {
    const bool outer = std::exchange(partial_, true);
    see(w.label);
    loop(w.body, [&] { see(w.label); });
    partial_ = outer;
  }
  void item(const ir::Sweep& s) {
    see(s.label);
    loop(s.body, [] {});
  }
  void item(const ir::Repeat& r) {
    see(r.label);
    loop(r.body, [&] {
      see(r.label);
      for (const Symbol array : r.rotate) write(array, r.label, r.span, true);
    });
  }
  void item(const ir::Call& c) {
    see(c.label);
    for (const Symbol array : c.outputs) write(array, c.label, c.span, !partial_);
  }

  const ir::Program& program_;
  Versions out_;
  State state_;
  bool partial_ = false;  // only some points run: no write covers everything
  std::map<Symbol, std::set<Symbol>> reads_;
  std::map<Symbol, std::size_t> order_;  // of labels, as they are first met
  std::map<std::pair<std::size_t, std::pair<Symbol, Symbol>>, std::set<std::size_t>> seen_;
};

}  // namespace

const ArrayVersions* Versions::find(Symbol array) const {
  for (const ArrayVersions& a : arrays)
    if (a.array == array) return &a;
  return nullptr;
}

const ReadVersions* Versions::find_read(Symbol label, Symbol array) const {
  for (const ReadVersions& r : reads)
    if (r.label == label && r.array == array) return &r;
  return nullptr;
}

Versions versions(const ir::Program& program) { return VersionWalk(program).run(); }

std::string to_text(const Versions& v) {
  std::string out;
  for (const ArrayVersions& a : v.arrays) {
    out += std::string(a.array.text()) + ":";
    for (const Version& x : a.versions)
      out += " " + x.name + (x.writer ? " by " + std::string(x.writer.text()) : " given") +
             (&x == &a.versions.back() ? "" : ",");
    out += a.versions.empty() ? " never written\n" : "\n";
  }
  for (const ReadVersions& r : v.reads) {
    out += std::string(r.label.text()) + " reads " + std::string(r.array.text()) + ":";
    for (const std::string& name : r.may_see) out += " " + name;
    out += r.may_see.empty() ? " nothing that was written\n" : "\n";
  }
  return out;
}

}  // namespace lathe::analysis
