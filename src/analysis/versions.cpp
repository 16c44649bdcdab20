// SPDX-License-Identifier: Apache-2.0
// Reaching definitions of whole arrays. The state is, per array, the set of versions that may be
// there; loops run until nothing new is seen.

#include "analysis/versions.h"

#include <algorithm>
#include <type_traits>

#include "ir/traverse.h"

namespace lathe::analysis {
namespace {

using ir::Expr;
using State = std::map<Symbol, std::set<int>>;

bool given(ir::Role r) {
  return r == ir::Role::Input || r == ir::Role::InOut || r == ir::Role::State ||
         r == ir::Role::Const;
}

class Flow {
 public:
  explicit Flow(const ir::Program& program) : program_(program) {
    for (const ir::Array& a : program.arrays)
      if (given(a.role)) number_[{a.name, Symbol()}] = count_[a.name]++;
    walk_writers(program.body);
    for (const ir::Array& a : program.arrays)
      if (given(a.role)) state_[a.name] = {0};
  }

  Versions run() {
    body(program_.body);
    Versions result;
    for (const ir::Array& a : program_.arrays) {
      std::vector<Version> mine;
      for (const auto& [key, number] : number_)
        if (key.first == a.name) mine.push_back({a.name, number, key.second});
      std::sort(mine.begin(), mine.end(),
                [](const Version& x, const Version& y) { return x.number < y.number; });
      result.versions.insert(result.versions.end(), mine.begin(), mine.end());
    }
    for (Symbol reader : readers_)
      for (const auto& [array, seen] : uses_[reader]) result.uses.push_back({reader, array, seen});
    return result;
  }

 private:
  void note_writer(Symbol array, Symbol label) {
    if (number_.try_emplace({array, label}, count_[array]).second) ++count_[array];
  }

  void walk_writers(const ir::Body& body) {
    for (const ir::Item& item : body) {
      if (auto* s = std::get_if<ir::Statement>(&item.node))
        for (const ir::Target& t : s->targets) note_writer(t.array, s->label);
      if (auto* s = std::get_if<ir::Scan>(&item.node))
        for (const ir::Target& t : s->statement.targets) note_writer(t.array, s->statement.label);
      if (auto* g = std::get_if<ir::Group>(&item.node))
        for (const ir::Statement& s : g->statements)
          for (const ir::Target& t : s.targets)
            if (program_.find_array(t.array)) note_writer(t.array, s.label);
      if (auto* c = std::get_if<ir::Call>(&item.node))
        for (Symbol a : c->outputs) note_writer(a, c->label);
      if (auto* r = std::get_if<ir::Repeat>(&item.node))
        for (Symbol a : r->rotate) note_writer(a, r->label);
      ir::for_each_body(item, [&](const ir::Body& inner) { walk_writers(inner); });
    }
  }

  void read(Symbol reader, Symbol array) {
    if (!program_.find_array(array)) return;  // a local
    if (std::find(readers_.begin(), readers_.end(), reader) == readers_.end())
      readers_.push_back(reader);
    std::set<int>& seen = uses_[reader][array];
    const std::set<int>& now = state_[array];
    seen.insert(now.begin(), now.end());
  }
  void read(Symbol reader, Expr e) {
    if (!e) return;
    for (Symbol a : ir::arrays_read(e)) read(reader, a);
  }
  void read(Symbol reader, const ir::Range& r) {
    read(reader, r.lo);
    read(reader, r.hi);
  }
  void read(Symbol reader, const ir::Domain& d) {
    for (const ir::Range& r : d.ranges) read(reader, r);
    read(reader, d.guard);
  }

  void write(Symbol array, Symbol label, bool all) {
    const auto number = number_.find({array, label});
    if (number == number_.end()) return;  // a local
    if (all) state_[array].clear();
    state_[array].insert(number->second);
  }

  // Does the statement set every element of the declared range?
  bool covers(const ir::Statement& s, const ir::Domain& domain, const ir::Target& t) const {
    const ir::Array* a = program_.find_array(t.array);
    if (!a || s.domain.guard || domain.guard || a->axes.size() != domain.ranges.size())
      return false;
    for (std::size_t k = 0; k < a->axes.size(); ++k) {
      const auto range =
          std::find_if(domain.ranges.begin(), domain.ranges.end(), [&](const ir::Range& r) {
            return t.indices[k]->op == ir::Op::Index && t.indices[k]->name == r.variable;
          });
      if (range == domain.ranges.end() || range->lo != a->axes[k].lo || range->hi != a->axes[k].hi)
        return false;
    }
    return true;
  }

  void statement(const ir::Statement& s, const ir::Domain& domain) {
    read(s.label, s.domain);
    for (const ir::Target& t : s.targets) {
      for (Expr e : t.indices) read(s.label, e);
      if (s.accumulate && !s.accumulate->fresh) read(s.label, t.array);
    }
    for (Expr e : s.values) read(s.label, e);
    const bool fresh = s.accumulate && s.accumulate->fresh;
    for (const ir::Target& t : s.targets)
      write(t.array, s.label, masked_ == 0 && (fresh || (!s.accumulate && covers(s, domain, t))));
  }

  void body(const ir::Body& items) {
    for (const ir::Item& item : items) std::visit([&](const auto& n) { node(n); }, item.node);
  }

  void merge(const State& other) {
    for (const auto& [array, seen] : other) state_[array].insert(seen.begin(), seen.end());
  }
  // Again, as long as an iteration leaves something that the one before did not.
  void loop(const ir::Body& items) {
    for (State before; before != state_;) {
      before = state_;
      body(items);
      merge(before);
    }
  }

  void node(const ir::Statement& s) { statement(s, s.domain); }
  void node(const ir::Group& g) {
    read(g.label, g.domain);
    for (const ir::Statement& s : g.statements) statement(s, g.domain);
  }
  void node(const ir::Scan& s) {
    read(s.statement.label, s.range);
    read(s.statement.label, s.statement.domain);
    for (Expr e : s.statement.values) read(s.statement.label, e);
    for (const ir::Target& t : s.statement.targets) {
      for (Expr e : t.indices) read(s.statement.label, e);
      write(t.array, s.statement.label, false);
    }
  }
  void node(const ir::Branch& b) {
    read(b.label, b.domain);
    read(b.label, b.condition);
    ++masked_;
    const State before = state_;
    body(b.then_body);
    const State then_state = state_;
    state_ = before;
    body(b.else_body);
    merge(then_state);
    --masked_;
  }
  void node(const ir::While& w) {
    read(w.label, w.domain);
    ++masked_;
    for (State before; before != state_;) {
      before = state_;
      read(w.label, w.condition);
      body(w.body);
      merge(before);
    }
    --masked_;
  }
  void node(const ir::Sweep& s) {
    read(s.label, s.range);
    loop(s.body);
  }
  void node(const ir::When& w) {
    read(w.label, w.condition);
    const State before = state_;
    body(w.then_body);
    const State then_state = state_;
    state_ = before;
    body(w.else_body);
    merge(then_state);
  }
  void node(const ir::Repeat& r) {
    read(r.label, r.range);
    for (State before; before != state_;) {
      before = state_;
      body(r.body);
      for (Symbol a : r.rotate) read(r.label, a);
      for (Symbol a : r.rotate) write(a, r.label, true);
      read(r.label, r.until);
      merge(before);
    }
  }
  void node(const ir::Call& c) {
    for (Symbol a : c.inputs) read(c.label, a);
    for (Symbol a : c.outputs) write(a, c.label, masked_ == 0);
  }

  const ir::Program& program_;
  std::map<std::pair<Symbol, Symbol>, int> number_;  // (array, writer)
  std::map<Symbol, int> count_;
  State state_;
  int masked_ = 0;  // branches around: writes are partial
  std::vector<Symbol> readers_;
  std::map<Symbol, std::map<Symbol, std::set<int>>> uses_;
};

std::string name_of(Symbol array, int number) {
  return std::string(array.text()) + "." + std::to_string(number);
}

}  // namespace

Versions versions(const ir::Program& program) { return Flow(program).run(); }

std::string to_text(const Versions& v) {
  std::string text;
  for (const Version& version : v.versions)
    text +=
        name_of(version.array, version.number) +
        (version.writer ? " written by '" + std::string(version.writer.text()) + "'" : " given") +
        "\n";
  for (const Use& use : v.uses) {
    text += "'" + std::string(use.reader.text()) + "' reads";
    for (int number : use.versions) text += " " + name_of(use.array, number);
    if (use.versions.empty()) text += " " + std::string(use.array.text()) + " (not written yet)";
    text += "\n";
  }
  return text;
}

}  // namespace lathe::analysis
