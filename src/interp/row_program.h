// SPDX-License-Identifier: Apache-2.0
#pragma once
// The expressions of one statement, compiled to a list of steps over rows.
//
//   RowProgram rows(space, {guard, value}, {target}, j, /*guarded=*/true);
//   rows.start();                       the variables outside have their values
//   rows.run(first, n);                 j = first, first + 1, ... n points, n <= kRow
//   rows.row(1)                         the values: an array of the root's dtype
//   rows.places(0)                      where they go
//
// Nodes are in three levels: those of constants and parameters are computed when the program is
// made, those that do not depend on the row's variable once per row, the rest per piece.
//
// Laziness. Every step is total, so all of them may run at points where nobody needs their value:
// a read out of range, say, gives zero and a *fault* in place of the value. A fault goes on to the
// users of the value, but only by the operands that count (of a select: the condition and the side
// taken), and is an error only where it reaches a root. Besides, a step that is needed under a
// condition alone is skipped when the condition holds nowhere in the piece, and a Reduce is run at
// those points only.

#include <memory>
#include <span>
#include <vector>

#include "interp/space.h"

namespace lathe::interp {

class ReductionRun;

class RowProgram {
 public:
  // No variable: a program for one point (run(0, 1)). With `guarded`, root 0 is a bool under which
  // everything else is lazy.
  RowProgram(Space& space, std::vector<Expr> roots, std::vector<ir::Target> targets,
             Symbol variable, bool guarded);
  // Over rows that the caller gives: `inputs` are Param nodes of these names.
  RowProgram(Space& space, std::vector<Expr> roots, std::vector<Symbol> inputs);
  ~RowProgram();
  RowProgram(const RowProgram&) = delete;

  void start();
  void run(std::int64_t first, std::size_t n);
  void set_input(std::size_t input, const void* row) { rows_[inputs_[input]] = row; }

  const void* row(std::size_t root) const { return value_row(roots_[root]); }
  // The places of a target; points outside have a fault.
  const Places& places(std::size_t target) const { return target_plans_[target].places; }

  // Is there a fault at any point of the piece? Almost never, so ask this first.
  bool faulty() const { return faulty_; }
  bool root_fault(std::size_t root, std::size_t p) const { return fault_at(roots_[root], p); }
  bool targets_faulty() const;
  bool target_fault(std::size_t target, std::size_t p) const;
  // Runs the point again to find out what went wrong, and throws it as a Fault.
  [[noreturn]] void explain_root(std::size_t root, std::int64_t x);
  [[noreturn]] void explain_target(std::size_t target, std::int64_t x);

 private:
  friend class RowCompiler;

  enum class Level : std::uint8_t { Constant, Row, Piece };
  enum class Kind : std::uint8_t {
    Apply,
    Index,
    Variable,
    Access,
    Lookup,
    Reduce,
    Broadcast,
    Mask
  };

  // index = constant + sum of coefficient * value of a term + slope * x, wrapping; or a row.
  struct AxisPlan {
    std::int64_t constant = 0, slope = 0;
    std::vector<std::pair<Id, std::int64_t>> terms;  // values of a level below Piece
    Id row = kNone;                                  // a value of level Piece
  };
  struct AccessPlan {  // a read, a bounds test, or a target
    Id array = kNone;
    ir::Policy policy = ir::Policy::Error;
    std::vector<AxisPlan> axes;
    Id fill = kNone;
    Expr node = nullptr;  // null: a target
    // Of a target: the variables of its indices, and its places after a run.
    std::vector<Symbol> variables;
    Places places;
    std::vector<std::int64_t> offsets;
    std::vector<std::uint8_t> outside;
    bool has_faults = false;
  };
  struct Step {
    Kind kind = Kind::Apply;
    Level level = Level::Piece;
    Id out = kNone;        // value; of a Mask: the mask
    Id mask = kNone;       // skip when it holds nowhere
    Id plan = kNone;       // Access, Reduce; Variable: its number
    std::uint32_t id = 0;  // a fault is the id of its step; 0: none
    std::uint32_t first_arg = 0, arg_count = 0;
    Expr node = nullptr;
    RowFunction function;
  };
  struct Mask {  // the points of `parent` (none: all) where the condition is `when`
    Id parent = kNone, condition = kNone;
    bool when = true;
    int depth = 1;
    Level level = Level::Constant;
    bool any = true;
    std::vector<std::uint8_t> row;
  };

  // Values of the levels Constant and Row are one cell; those that pieces use have a row as well.
  const void* operand(const Step& s, std::uint32_t a) const {
    const Id v = args_[s.first_arg + a];
    return s.level == Level::Piece ? rows_[v] : &cells_[v];
  }
  void* result(const Step& s) {
    return s.level == Level::Piece ? storage_[s.out] : static_cast<void*>(&cells_[s.out]);
  }
  const void* value_row(Id v) const { return rows_[v]; }
  void* cell(Id v) { return &cells_[v]; }
  std::int64_t integer_cell(Id v) const;
  bool fault_at(Id v, std::size_t p) const {
    const std::uint32_t* f = faults_[v];
    return f != nullptr && f[p] != 0;
  }

  void finish(bool has_rows);
  void forget_faults(const std::vector<Step>& steps);
  void run_steps(const std::vector<Step>& steps, std::int64_t first, std::size_t n);
  void run_step(const Step& s, std::int64_t first, std::size_t n);
  void run_apply(const Step& s, std::size_t n);
  void run_access(const Step& s, std::int64_t first, std::size_t n);
  void run_lookup(const Step& s, std::size_t n);
  void run_reduce(const Step& s, std::int64_t first, std::size_t n);
  void run_mask(const Step& s, std::size_t n);
  void find_target(AccessPlan& plan, std::int64_t first, std::size_t n);

  // Reads, in row_access.cpp.
  bool affine_places(const AccessPlan& plan, std::int64_t first, std::size_t n, Places* places);
  void axis_indices(const AxisPlan& axis, std::int64_t first, std::size_t n, std::int64_t* out);
  void find_offsets(const AccessPlan& plan, std::int64_t first, std::size_t n,
                    std::int64_t* offsets, std::uint8_t* outside);
  void read_slowly(const Step& s, const AccessPlan& plan, std::int64_t first, std::size_t n);
  std::vector<std::int64_t> index_at(const AccessPlan& plan, std::int64_t first, std::size_t p);

  // Faults, in row_faults.cpp.
  std::uint32_t* fault_row(Id v);
  void record_fault(const Step& s, std::size_t p, Fault fault);
  void add_fault(const Step& s, std::size_t p, Fault::Kind kind, const AccessPlan& plan,
                 std::int64_t first);
  void check_operands(const Step& s, std::size_t n);
  void pass_faults(const Step& s, std::size_t n);
  void spread_cell_fault(const Step& s);
  void run_again(std::int64_t x);
  Expr node_of(std::uint32_t step) const;
  std::vector<Symbol> variables_of(Expr node) const;
  [[noreturn]] void throw_record(std::uint32_t fault);

  Space& space_;
  Id variable_ = kNone;
  std::vector<Step> constant_steps_, row_steps_, piece_steps_;
  std::vector<Id> args_;
  std::vector<AccessPlan> plans_;
  std::vector<std::unique_ptr<ReductionRun>> reductions_;
  std::vector<Mask> masks_;
  std::vector<AccessPlan> target_plans_;
  std::vector<Id> roots_, inputs_;

  std::vector<Level> levels_;  // by value
  std::vector<DType> dtypes_;
  std::vector<std::uint64_t> cells_;
  std::vector<void*> storage_;                // where a value of level Piece is computed
  std::vector<const void*> rows_;             // where it lies now
  std::vector<const std::uint32_t*> faults_;  // null: none
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::vector<Id> kept_broadcasts_;  // values of level Row that pieces use
  std::unordered_map<Id, std::vector<std::uint32_t>> fault_storage_;
  bool faulty_ = false;
  bool constant_faulty_ = false, row_faulty_ = false, piece_faulty_ = false;
  bool explaining_ = false;
  std::vector<std::pair<std::uint32_t, Fault>> records_;
};

}  // namespace lathe::interp
