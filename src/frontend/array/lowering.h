// SPDX-License-Identifier: Apache-2.0
#pragma once
// The state of one to_program(): for lower*.cpp alone.

#include <map>
#include <set>

#include "frontend/array/lower.h"
#include "ir/program_builder.h"

namespace lathe::array {

using ir::Expr;
using Exprs = std::vector<Expr>;

class Lowering {
 public:
  Lowering(const Nodes& outputs, const Sizes& sizes, const LowerOptions& options);
  Lowered run();

 private:
  // An element of an operand that an element of a node needs.
  struct Ask {
    const Node* node;
    Exprs at;
  };
  // A node on its way: what it asked for, what it got.
  struct Frame {
    const Node* node;
    Exprs at;
    int round = 0;
    std::vector<Ask> asks;
    Exprs got;
    Exprs bound;  // variables that it binds
  };
  struct Place {
    ir::Symbol name;
    bool is_parameter = false;
  };

  // lower.cpp: names, sizes, statements.
  void take_names();
  std::string fresh_name(const std::string& stem);
  void declare_leaf(const Node& n);
  void declare_stored(const Node& n, const std::string& name, bool is_output);
  void emit(const Node& n);
  bool is_array(const Node& n) const;
  void note_pinned(Expr value);
  void emit_scan(const Node& n);
  void emit_scatter(const Node& n);
  void emit_call(const Node& n);
  void emit_positions(const Node& n, const std::string& name);
  std::vector<ir::VariableRange> ranges(const Node& n, const Shape& shape);
  std::string stored_name();
  Expr variable(std::string_view wanted, bool is_summed = false);
  Expr size(const Dim& d);  // settles it first
  Expr monomial(const DimTerm& t);
  Expr size_parameter(const Dim& key);
  ir::Val val(Expr e) { return b_.value(e); }
  ir::Val at(const Node& n, const Exprs& indices);  // of a stored node

  // lower_node.cpp: an element as an expression.
  Expr element(const Node& n, const Exprs& at);
  Expr read(const Node& n, const Exprs& at, bool checked);
  bool ask(Frame& f);  // false: nothing more to ask, combine()
  Expr combine(Frame& f);
  Expr reduced(const Frame& f, ir::Op op, ir::DType t, const Exprs& values,
               const std::vector<Dim>& lengths);
  Expr contracted(Frame& f);
  void tell_factors_apart(Exprs& factors);
  Exprs spread_index(const Node& operand, const Shape& result, const Exprs& at);

  // lower_shape.cpp: where operands of shape functions are read.
  Exprs view_index(const Node& n, const Exprs& at);
  Exprs reshape_index(const Node& n, const Exprs& at);
  Exprs roll_index(const Node& n, const Exprs& at);
  Expr update_condition(const Node& n, const Exprs& at, Exprs& inner);

  Expr number(std::int64_t v) { return b_.build().integer(v); }
  Expr plus(Expr a, Expr b);
  Expr minus(Expr a, Expr b);
  Expr times(Expr a, Expr b);

  const Nodes& outputs_;
  const Sizes& sizes_;
  const LowerOptions& options_;
  ir::ProgramBuilder b_;
  Lowered out_;
  std::vector<const Node*> order_;
  std::unordered_map<const Node*, Place> places_;  // leaves and stored nodes
  std::vector<ir::Array> leaves_;                  // those with axes, as declared
  std::map<ir::Symbol, ir::Symbol> second_names_;  // of leaves that a product reads twice
  std::map<std::string, const Node*> inputs_;      // by name
  std::set<std::string> taken_;                    // names of the whole program
  std::map<std::string, int> next_number_;
  std::set<std::string> bound_;  // variables of the statement
  std::vector<std::pair<Dim, Expr>> sizes_made_;
  std::map<std::pair<const Node*, Exprs>, Expr> known_;  // elements of the statement
};

}  // namespace lathe::array
