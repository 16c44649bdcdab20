// SPDX-License-Identifier: Apache-2.0
#pragma once
// The machine behind build_values() (private to src/schedule). One class in several files:
//   build_values.cpp       items in order: loops, conditions, opaque items
//   value_statements.cpp   statements: where they write, what they accumulate
//   value_reductions.cpp   reductions as last(fby(...))
//   value_reads.cpp        what a read stands for: map, bcast, window of a sweep

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/versions.h"
#include "ir/build.h"
#include "ir/traverse.h"
#include "rewrite/rules.h"
#include "schedule/values.h"

namespace lathe::schedule {

class ValueBuilder {
 public:
  explicit ValueBuilder(const ir::Program& program);
  ValueGraph run();

 private:
  using Expr = ir::Expr;
  using Symbol = ir::Symbol;
  using Ranges = std::vector<ir::Range>;

  // An array that a sweep writes at its own k and reads at constant distances from it.
  struct Expansion {
    std::size_t axis = 0;
    Dim loop;
    ValueId before = kNoValue;     // the content before the sweep
    std::vector<Dim> dims;         // of its windows: loops around, then axes
    std::vector<ValueId> windows;  // [d - 1]: what was there d iterations ago
  };

  // Where a statement writes, with its variables renamed so that indices are variables.
  struct Placement {
    std::string opaque;        // not empty: it has no such form, and this is why
    Ranges domain;             // nesting order; begins with the sweep's if the array is expanded
    std::vector<Dim> loops;    // around
    std::vector<Dim> axes;     // one per axis of the array
    Ranges reduced;            // accumulations: not in the target
    Expr guard = nullptr;      // of the statement and its group
    std::vector<Expr> values;  // of the statement
    bool covers = false;       // every element of the array
  };

  // ---- Items.
  void body(const ir::Body& items);
  void item(const ir::Statement& s);
  void item(const ir::Group& g);
  void item(const ir::Branch& b);
  void item(const ir::While& w);
  void item(const ir::Sweep& s);
  void item(const ir::Scan& s);
  void item(const ir::When& w);
  void item(const ir::Repeat& r);
  void item(const ir::Call& c);
  template <class F>
  void carried_loop(const Dim& loop, Symbol label, const std::vector<Symbol>& arrays, F&& run);
  void opaque_body(const ir::Body& items, const std::string& why);
  void opaque_statement(const ir::Statement& s, Symbol label, const std::string& why,
                        const ir::Target& target);
  void merge_opaque(const std::map<Symbol, ValueId>& other, Symbol label, const std::string& why);
  std::vector<Symbol> written_in(const ir::Body& items) const;
  std::map<Symbol, std::size_t> expandable(const ir::Sweep& s, const std::vector<Symbol>& written);
  void rotate(const ir::Repeat& r);
  void prune();

  // ---- Statements.
  void statement(const ir::Statement& s, const Ranges& ranges, Expr guard);
  void plain(const ir::Statement& s, const ir::Target& t, const Placement& p);
  void accumulation(const ir::Statement& s, const ir::Target& t, const Placement& p);
  Placement place(const ir::Statement& s, const ir::Target& t, Ranges ranges, Expr guard);
  bool covers(const Placement& p, const ir::Array& array) const;
  void split_reduced(const ir::Target& t, Ranges& ranges, Placement& p) const;
  void rename(const ir::Statement& s, Expr guard, const ir::Renaming& renaming, Placement& p);
  void name_axes(const ir::Array& array, const std::vector<Expr>& indices,
                 const std::vector<Symbol>& names, const ir::Renaming& renaming,
                 const Ranges& ranges, Placement& p);
  std::vector<Expr> target_indices(const ir::Target& t) const;
  Value statement_value(const ir::Statement& s, const ir::Target& t, const Placement& p);
  std::string version_name(Symbol array, Symbol writer);

  // ---- Reductions.
  struct Fold {
    std::string name;  // of the result; its parts are named after it
    Symbol label;
    std::vector<Dim> dims;  // of the result
    std::size_t loops = 0;
    Ranges along;
    Expr guard = nullptr;
    std::vector<Expr> values;
    ir::Op op = ir::Op::Add;
    ir::Order order = ir::Order::Seq;
    ir::DType dtype = ir::DType::F64;
    ValueId init = kNoValue;
    Span span;
  };
  ValueId fold(const Fold& f);
  ValueId reduce_expression(Expr reduce, const std::vector<Dim>& dims, std::size_t loops,
                            const std::string& name, Span span);
  std::vector<Expr> point_values(const Fold& f);
  Expr combine(ir::Op op, Expr acc, const std::vector<Expr>& points);
  ValueId constant(std::string name, ir::Scalar s, std::vector<Dim> dims, std::size_t loops,
                   Symbol array = {});
  Expr leaf(ValueId id);  // an expression that reads the value at the same point

  // ---- Reads.
  void prepare(Expr e, const std::vector<Dim>& dims, std::size_t loops, const std::string& name,
               Span span, ReadTable& table);
  ValueId operand(Expr read, const std::vector<Dim>& dims, std::size_t loops,
                  const std::string& name, Span span);
  ValueId content_at(Symbol array, const std::vector<Expr>& indices);
  ValueId window(Symbol array, Expansion& e, std::size_t depth);
  ValueId content(Symbol array);                             // made up where nothing was written
  ValueId aligned(ValueId v, const std::vector<Dim>& axes);  // with its axes under these names
  ValueId widened(ValueId v, const std::vector<Dim>& dims);  // over all these dimensions
  ValueId consumed(ValueId v);                               // a copy, if some fby has taken it
  std::optional<std::int64_t> distance(Expr index, Symbol variable);

  ValueId add(Value v);
  ValueId add_unnamed(Value v);  // one for all that are the same
  std::string unique_name(std::string name);
  std::vector<Dim> axis_dims(const ir::Array& a, const std::vector<Dim>& apart_from) const;
  Symbol free_name(Symbol name, const std::vector<Dim>& apart_from) const;
  const ir::Array& array_of(Symbol name) const;

  ValueGraph out_;
  const ir::Program& program_;
  analysis::Versions versions_;
  ir::RawMaker raw_;
  ir::Build build_;
  rewrite::Simplifier simplifier_;
  std::map<Symbol, ValueId> state_;  // the content of each array; none: never written
  std::vector<Dim> loops_;           // sweeps and repeats around
  std::map<Symbol, Expansion> expansions_;
  std::deque<ir::Array> locals_;  // of the group: arrays over its variables
  std::string group_;
  std::map<std::string, ValueId> unnamed_;
  std::set<std::string> names_;
  std::set<ValueId> consumed_;
  std::map<Symbol, ValueId> never_written_;
};

inline bool contains(const std::vector<Dim>& dims, ir::Symbol name) {
  for (const Dim& d : dims)
    if (d.name == name) return true;
  return false;
}

inline std::vector<Dim> joined(std::vector<Dim> a, const std::vector<Dim>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline std::vector<Dim> dims_of(const std::vector<ir::Range>& ranges) {
  std::vector<Dim> out;
  for (const ir::Range& r : ranges) out.push_back({r.variable, r.lo, r.hi, false});
  return out;
}

}  // namespace lathe::schedule
