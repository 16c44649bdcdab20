// SPDX-License-Identifier: Apache-2.0
#pragma once
// The machine behind random_program(): one class, its functions sorted by concern into
// random_arrays.cpp, random_index.cpp, random_expression.cpp, random_read.cpp,
// random_reduction.cpp, random_statements.cpp, random_accumulation.cpp, random_contraction.cpp,
// random_group.cpp,
// random_branch.cpp, random_target.cpp, random_commit.cpp, random_rows.cpp, random_bodies.cpp and
// random_program.cpp.

#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "ir/build.h"
#include "ir/program.h"
#include "random_program.h"
#include "random_shapes.h"
#include "rng.h"

namespace lathe::testing {

class Generator {
 public:
  Generator(std::uint64_t seed, const RandomOptions& options);
  ir::Program run();

 private:
  using Expr = ir::Expr;
  using DType = ir::DType;
  using Op = ir::Op;

  // What a write statement is going to be.
  struct Write {
    ArrayShape* array = nullptr;
    std::vector<Expr> indices;
    std::vector<ir::Range> ranges;                 // with the prefix in front
    std::vector<Variable> variables;               // of the ranges
    std::vector<std::pair<Symbol, AxisUse>> uses;  // of prefix variables
    std::optional<Region> region;  // the box that is surely written; unknown otherwise
    std::vector<std::pair<std::size_t, Variable>> swept;  // axes indexed by a sweep variable
  };

  // -- random_arrays.cpp: the declarations -------------------------------------------------------
  void make_profile();
  void make_parameters();
  void make_extents();
  void make_inputs();
  void make_tables();
  int add_extent(Extent e);
  int some_extent(bool allow_long);
  std::vector<AxisShape> some_axes(int rank);
  int some_rank();
  DType some_dtype();
  DType some_float();
  DType some_int();
  DType some_number();
  ArrayShape& add_array(std::string_view stem, DType t, ir::Role role, std::vector<AxisShape> axes);
  ArrayShape& add_index_table(int extent, bool permutation);
  ir::Scalar some_scalar(DType t, bool special);
  Symbol unique(std::string_view stem);
  Symbol new_variable();
  Region all_of(const ArrayShape& a) const;
  bool fully_written(const ArrayShape& a) const;

  // -- random_index.cpp: indices that fit --------------------------------------------------------
  Expr plus(Expr e, std::int64_t offset);
  Expr extent_plus(int extent, std::int64_t offset);
  bool long_in_scope() const;
  std::int64_t minimum_here(int extent) const;  // given that the point in scope exists
  std::optional<std::int64_t> distance(const Variable& v, int extent) const;
  Expr index_in(const AxisShape& axis, Side side, int depth);
  Expr variable_index(const AxisShape& axis, Side side, bool reversed);
  Expr exotic_index(const AxisShape& axis, Side side, int depth);
  Expr any_index(int depth);
  ir::Range box_range(int extent, Side side, Variable& v);
  bool reduction_range(int depth, ir::Range& range, Variable& v);
  Side some_side(const AxisShape& axis, bool whole);

  // -- random_expression.cpp ---------------------------------------------------------------------
  Expr value(DType t, int depth);
  Expr leaf(DType t);
  Expr condition(int depth);
  Expr operation(DType t, int depth);
  Expr make(Op op, DType operand, int depth);
  Expr tame(Op op, std::size_t operand, Expr x);
  Expr conversion(DType t, int depth);
  Expr settle(Expr e);
  Expr constant(DType t);
  Expr apply(Op op, std::vector<Expr> args);
  Expr clamp(Expr e, double lo, double hi);
  // -- random_read.cpp ---------------------------------------------------------------------------
  Expr read(DType t, int depth);
  Expr read_of(ArrayShape& a, int depth, bool plain = false);  // plain: an element of it
  Expr policy_read(ArrayShape& a, int depth);
  Expr inside(int depth);

  // -- random_reduction.cpp ----------------------------------------------------------------------
  Expr reduction(DType t, int depth);
  Expr long_sum(DType t);
  Op accumulating_op(DType t, bool needs_neutral);
  ir::Order some_order(Op op, DType accumulator);
  DType some_accumulator(DType t);
  Expr accumulated_value(Op op, DType t, int depth);

  // -- random_statements.cpp ---------------------------------------------------------------------
  ArrayShape* writable(const Context& c);
  ArrayShape& new_target(int least_rank = 0);
  void enter(const Context& c);  // scope_ = the variables around
  std::optional<Write> plan_write(const Context& c, ArrayShape& a, const Region& within, bool whole,
                                  bool mapped = true);
  bool map_prefix(const Context& c, Write& w, const Region& within);
  void finish_write(const Context& c, const Write& w, bool unconditional);
  void merge_written(ArrayShape& a, const Region& region);
  Symbol label_for(Symbol target);
  bool set_statement(Context& c, ir::Body& out);
  bool cut_by_loop(const Context& c, std::vector<ir::Range>& ranges);
  void overshoot(const Context& c, ir::Domain& d);
  bool initialise(Context& c, ArrayShape& a, ir::Body& out);
  bool scatter_set(Context& c, ir::Body& out);
  bool group(Context& c, ir::Body& out);
  ir::Expr guard_of_group(const std::vector<Write>& writes);
  void group_lines(const Context& c, ir::Group& g, std::vector<Write>& writes);
  bool index_array(Context& c, ir::Body& out);
  bool computed_extent(Context& c, ir::Body& out);

  // -- random_accumulation.cpp -------------------------------------------------------------------
  bool accumulate(Context& c, ir::Body& out);
  bool accumulate_tuple(Context& c, ir::Body& out);
  bool scan(Context& c, ir::Body& out);
  const ir::Combiner& some_combiner();

  // -- random_contraction.cpp --------------------------------------------------------------------
  bool contraction(Context& c, ir::Body& out);
  bool is_late(const std::vector<AxisShape>& axes) const;
  Expr operand(DType t, const std::vector<Variable>& variables, Context& c, ir::Body& out);
  void contract(ir::Statement& s, DType t, Expr x, Expr y);

  // -- random_target.cpp -------------------------------------------------------------------------
  // An index that several values of a variable share; those with one value of `key` do not.
  struct Shared {
    ir::Range range;
    Variable variable;
    Expr index = nullptr, key = nullptr;
    int classes = 2;     // key takes at least these values, from 0
    bool covers = true;  // and no others
  };
  bool bend(const AxisShape& axis, Side side, bool whole, ir::Range& range, Variable& v,
            Expr& index);
  bool reduced_set(Context& c, ir::Body& out);
  Shared shared_index(const AxisShape& axis);
  bool unique_set(Context& c, ir::Body& out);

  // -- random_commit.cpp -------------------------------------------------------------------------
  ir::Statement plain_set(const ArrayShape& a, const std::vector<ir::Range>& ranges,
                          const std::vector<Expr>& indices, Expr x);
  ir::Item perhaps_in_branch(ir::Statement s, Expr condition, bool always);
  bool late_first_write(Context& c, ir::Body& out);
  bool offset_against_coarse(Context& c, ir::Body& out);

  // -- random_rows.cpp ---------------------------------------------------------------------------
  bool side_by_side(Context& c, ir::Body& out);
  Expr read_end();

  // -- random_bodies.cpp -------------------------------------------------------------------------
  void items(Context& c, int count, ir::Body& out);
  bool item(Context& c, ir::Body& out);
  bool branch(Context& c, ir::Body& out);
  bool while_loop(Context& c, ir::Body& out);
  bool sweep(Context& c, ir::Body& out);
  bool carried(Context& c, const ir::Sweep& sweep, const Variable& k, ir::Body& out);
  void side(Context& c, ir::Body& out);
  bool when(Context& c, ir::Body& out);
  bool repeat(Context& c, ir::Body& out);
  ir::Expr scalar_condition(const Context& c);
  std::vector<std::optional<Region>> written_now() const;
  void restore_written(const std::vector<std::optional<Region>>& saved);

  // -- random_program.cpp ------------------------------------------------------------------------
  bool call(Context& c, ir::Body& out);
  ArrayShape* definite_matrix(ir::Body& out);
  void make_outputs(ir::Body& out);

  Rng rng_;
  RandomOptions options_;
  ir::Program p_;
  ir::RawMaker maker_;
  ir::Build b_;
  std::vector<Extent> extents_;
  std::deque<ArrayShape> arrays_;
  std::vector<Variable> scope_;
  std::map<std::string, int> names_;

  // The policy of this program: what it likes (after YARPGen: diverse programs come from diverse
  // distributions, not from one broad one).
  std::vector<DType> dtypes_;
  std::vector<Op> focus_;
  std::vector<int> item_weights_;

  // Arrays that may be read at one index only, as long as a group or a branch is being made.
  std::map<Symbol, std::vector<Expr>> exact_;                // readable there
  std::vector<Symbol> hidden_;                               // not readable at all
  std::vector<Symbol> unwritable_;                           // as a target
  std::map<Symbol, std::map<Symbol, AxisUse>> branch_uses_;  // array -> prefix variable -> use
  std::vector<Symbol> many_writers_;  // accumulated in the branch by several points
  // Regions that are written once the sweep over this variable is done.
  std::vector<std::tuple<Symbol, ArrayShape*, Region>> after_sweep_;
  int loops_ = 0;
  int bent_ = 4;  // percent of the target indices that run backwards or in steps
};

}  // namespace lathe::testing
