// SPDX-License-Identifier: Apache-2.0
#pragma once
// From expressions to the steps of a RowProgram.

#include <map>

#include "interp/row_program.h"

namespace lathe::interp {

class RowCompiler {
 public:
  RowCompiler(RowProgram& program, Symbol variable, std::vector<Symbol> inputs);
  void compile(const std::vector<Expr>& roots, const std::vector<ir::Target>& targets,
               bool guarded);

 private:
  using Level = RowProgram::Level;
  using Kind = RowProgram::Kind;
  using Step = RowProgram::Step;
  using AccessPlan = RowProgram::AccessPlan;
  using AxisPlan = RowProgram::AxisPlan;

  struct Operand {
    Expr node;
    Id lazy_on = kNone;  // operand number that decides whether this one counts
    bool when = true;
  };
  struct AxisForm {  // AxisPlan, before values have numbers
    std::int64_t constant = 0, slope = 0;
    std::vector<std::pair<Expr, std::int64_t>> terms;
    Expr row = nullptr;
  };
  struct Access {
    Symbol array;
    Id id;
    std::vector<AxisForm> axes;
    Expr fill = nullptr;
  };

  bool varies(Expr e) const { return varies_.at(e); }
  void find_varying(std::span<const Expr> roots);
  bool node_varies(Expr e) const;
  Level level_of(Expr e) const;

  Access access(Symbol array, std::span<const Expr> indices, Expr fill);
  AxisForm axis_form(Expr index);
  bool add_to_form(AxisForm& form, Expr e, std::int64_t factor, int depth);
  std::vector<Operand> operands(Expr e);
  std::vector<Expr> evaluation_order(std::span<const Expr> roots);

  Id extend(Id mask, Id condition, bool when);
  Id common(Id a, Id b) const;
  void find_masks(const std::vector<Expr>& order, std::span<const Expr> roots, bool guarded);

  Id new_value(Level level, DType t);
  void emit(Expr e);
  void emit_mask(Id mask);
  Step& add_step(Kind kind, Level level, Id out, Id mask);
  Id argument(Expr e, Level level);  // the value of an operand, as a row for pieces
  Id as_row(Id value);
  AccessPlan plan(const Access& a, Level level);
  void make_constant(Expr e, ir::Scalar s);
  void assign_storage();

  RowProgram& p_;
  Space& space_;
  Symbol variable_;
  std::vector<Symbol> inputs_;
  bool has_rows_;
  std::unordered_map<Expr, bool> varies_;
  std::unordered_map<Expr, Access> accesses_;
  std::unordered_map<Expr, Id> values_;
  std::unordered_map<Expr, Id> mask_of_;
  std::map<std::tuple<Id, Id, bool>, Id> mask_ids_;
  std::vector<bool> mask_emitted_;
  std::unordered_map<Id, Id> row_of_;  // value of a level below Piece -> value that holds its row
  std::uint32_t next_id_ = 1;
};

}  // namespace lathe::interp
