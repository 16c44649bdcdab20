// SPDX-License-Identifier: Apache-2.0
#pragma once
// The verifier (private to src/ir): one class, its checks split by concern.
//   verify.cpp              the walk over items and what is in scope where
//   verify_declarations.cpp names, parameters, arrays, extents, combiners, labels
//   verify_expr.cpp         one expression: reads, variables, reductions
//   verify_statement.cpp    domains, targets, accumulations, groups, scans
//   verify_call.cpp         calls, rotation
//   verify_flow.cpp         what is written before it is read, outputs, extents that change

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/quoted.h"
#include "ir/known_bounds.h"
#include "ir/program.h"

namespace lathe::ir {

inline bool contains(const std::vector<Symbol>& names, Symbol name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Verifier {
 public:
  Verifier(const Program& program, Diagnostics& diagnostics);
  void run();

 private:
  // What an item may use: counters of sweeps and repeats around it, the points of the innermost
  // branch or while, the locals of its group.
  struct Scope {
    std::vector<Symbol> counters;
    const Domain* points = nullptr;
    std::vector<Symbol> variables;  // of the domain that is being checked
    const Group* group = nullptr;
    bool in_loop = false;
  };

  // Where a message points, and whose expressions are looked at.
  struct Place {
    Symbol label;
    Span span;
  };

  Diagnostic& error(Span where, std::string message, std::string help = {});
  Span span_of(const Place& place, Expr e) const;
  const Array* array(Symbol name) const;
  const Parameter* parameter(Symbol name) const;

  // Declarations.
  void check_declarations();
  void check_array(const Array& a, std::unordered_set<Symbol>& before);
  void check_constant(const Array& a);
  void check_extent(const Array& a, const Axis& axis, const std::unordered_set<Symbol>& before);
  void check_combiner(const Combiner& c);
  void check_labels();

  // Items.
  void check_any(const Item& item, const Scope& scope);
  void check_body(const Body& body, const Scope& scope);
  void check_item(const Statement& s, Scope scope);
  void check_item(const Group& g, Scope scope);
  void check_item(const Branch& b, Scope scope);
  void check_item(const While& w, Scope scope);
  void check_item(const Sweep& s, Scope scope);
  void check_item(const Scan& s, Scope scope);
  void check_item(const When& w, Scope scope);
  void check_item(const Repeat& r, Scope scope);
  void check_item(const Call& c, Scope scope);
  void check_points(const Domain& d, Scope& scope, const Place& place, std::string_view what);
  void check_range(const Range& r, Scope& scope, const Place& place);
  void check_counter(const Range& r, Scope& scope, const Place& place, std::string_view what);
  void check_known_points(const While& w, const Scope& scope);
  void check_condition(Expr e, const Scope& scope, const Place& place, std::string_view what);
  bool check_scalar(Expr e, const Scope& scope, const Place& place, std::string_view what);
  void check_assignment(const Statement& s, const Scope& scope, const Place& place);
  void check_target(const Target& t, const Scope& scope, const Place& place);
  void check_accumulation(const Statement& s, const Place& place);
  void check_tuple(const Statement& s, const Place& place);
  void check_rotation(const Repeat& r, const Scope& scope, const Place& place);
  void check_cap(const Repeat& r, const Place& place);
  void check_call(const Call& c, const Place& place);

  // Expressions.
  void check_expr(Expr e, const Scope& scope, const Place& place);
  void check_read(Expr e, const Scope& scope, const Place& place);
  void check_reduce(Expr e, const Scope& scope, const Place& place);
  void check_shadowing(Expr e, const Place& place);
  void check_order(Op op, Order order, DType accumulator, DType value, Span where);
  const Local* local(Symbol name, const Scope& scope) const;

  // Flow.
  void check_flow();

  const Program& program_;
  Diagnostics& diagnostics_;
  KnownBounds known_;
  std::size_t position_ = 0;  // of the top level's item that is being checked
  std::unordered_map<Symbol, const Array*> arrays_;
  std::unordered_map<Symbol, const Parameter*> parameters_;
  std::unordered_set<Symbol> ambiguous_;  // declared twice: say no more about their roles
};

std::string valid_name(std::string_view name);              // empty, or why not
std::string plural(std::size_t n, std::string_view thing);  // "1 axis", "2 indices"

// A whole array of a call. Why the call does not fit the table of ir/calls.h: nothing when it does.
struct CallOperand {
  Symbol name;
  DType dtype = DType::F64;
  std::size_t rank = 0;
  bool writable = false;
};
struct Refusal {
  std::string message, help;
};
std::vector<Refusal> call_refusals(std::string_view function, const std::vector<CallOperand>& in,
                                   const std::vector<CallOperand>& out);

}  // namespace lathe::ir
