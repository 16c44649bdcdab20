// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reductions: what is combined (Combination), in which order (Reducer), over which points
// (ReductionRun). Reduce expressions and accumulating statements share all three.

#include <memory>
#include <vector>

#include "interp/nest.h"
#include "interp/row_program.h"

namespace lathe::interp {

// An operation on accumulators. An accumulator is a tuple with one element per component: one for
// ordinary operations, several for the program's combiners. Rows of accumulators are one row per
// component.
class Combination {
 public:
  Combination(Space& space, ir::Op op, DType accumulator);  // Fma: contract
  Combination(Space& space, const ir::Combiner& combiner);

  std::size_t components() const { return dtypes_.size(); }
  DType dtype(std::size_t c) const { return dtypes_[c]; }
  ir::Scalar neutral(std::size_t c) const { return neutral_[c]; }
  // Rows per point: one per component; a contract has two, the factors of the last product.
  std::size_t point_rows() const { return contract_ ? 2 : dtypes_.size(); }
  bool is_contract() const { return contract_; }

  // acc[p] = acc[p] (+) partial[p]
  void join(void* const* acc, const void* const* partial, std::size_t n);
  // acc[p] = acc[p] (+) point[p]; of a contract fma(point 0, point 1, acc).
  void absorb(void* const* acc, const void* const* points, std::size_t n);
  // acc[p] = point[p]; of a contract the rounded product.
  void begin(void* const* acc, const void* const* points, std::size_t n);

 private:
  std::vector<DType> dtypes_;
  std::vector<ir::Scalar> neutral_;
  bool contract_ = false;
  RowFunction join_, fma_, mul_;
  std::unique_ptr<RowProgram> tuple_;
  std::vector<std::vector<std::byte>> results_;  // of a tuple, before they are written
};

// Numbered accumulators. Each is `width` wide: one for each of so many neighbouring outputs, which
// are reduced together.
class Accumulators {
 public:
  Accumulators(const Combination& combination, std::size_t count);
  void set_width(std::size_t width);
  void** at(std::size_t p);  // pointers to element p of each component; valid until the next call
  void set_neutral(std::size_t p);
  void set(std::size_t p, const void* const* from);
  void resize(std::size_t count);

 private:
  const Combination* combination_;
  std::size_t count_, width_ = 1;
  std::vector<std::vector<std::byte>> rows_;
  std::vector<void*> pointers_;
};

// The shape of orders (docs/language.md): fixed once, for every target.
inline constexpr std::int64_t kShort = 32, kLanes = 64, kBlock = 4096;

// One reduction in its order, fed point by point from the first to the last. There is a level for
// each reduced variable; the last one gets rows of points, the others get the results of rows.
//
//   start(old)   { enter(level, length) ... points(...) ... leave(level) }   finish(result)
//
// With a width, every point is a row of so many values, one for each of the neighbouring outputs;
// old and result are rows too.
class Reducer {
 public:
  Reducer(Combination& combination, ir::Order order, std::size_t levels);
  void set_width(std::size_t width);

  void start(void* const* old);
  // A run of `length` points of this variable begins; its lowest one is number 0. For every level
  // but the first, `element` is the number of this run among the points of the level above.
  void enter(std::size_t level, std::int64_t length, std::int64_t element = 0);
  // Points e, e + 1, ... of the last variable: rows per point (Combination::point_rows).
  // `present` says which of them exist; null: all.
  void points(std::int64_t e, const void* const* rows, const std::uint8_t* present, std::size_t n);
  void leave(std::size_t level);
  // Without levels: the one point there is.
  void point(const void* const* rows);
  bool any() const { return any_; }  // did any point exist?
  void finish(void* const* result);

 private:
  // Rows to combine: points, or the results of rows (partial).
  struct Rows {
    const void* const* row;
    bool partial;
  };
  struct Tree {  // one level of a tree
    explicit Tree(const Combination& c) : sum(c, 1), lanes(c, kLanes), blocks(c, 0) {}
    std::int64_t length = 0, element = 0, block = 0;
    bool has_sum = false;
    Accumulators sum;  // of at most kShort points
    Accumulators lanes;
    std::vector<std::uint8_t> lane_present = std::vector<std::uint8_t>(kLanes, 0);
    Accumulators blocks;
    std::vector<std::uint8_t> block_present;
  };

  // Element p of each row; valid until the next call.
  const void* const* at(Rows rows, std::size_t p);
  void combine(void* const* acc, Rows rows, std::size_t p, std::size_t n);
  void begin(void* const* acc, Rows rows, std::size_t p, std::size_t n);

  void sequence(Accumulators& into, Rows rows, const std::uint8_t* present, std::size_t begin,
                std::size_t n);
  void chain_points(std::int64_t e, Rows rows, const std::uint8_t* present, std::size_t n);
  void end_chain_block();
  void tree_points(Tree& t, std::int64_t e, Rows rows, const std::uint8_t* present, std::size_t n);
  void lane_points(Tree& t, std::size_t lane, Rows rows, const std::uint8_t* present,
                   std::size_t begin, std::size_t n);
  void join_pair(Accumulators& a, std::vector<std::uint8_t>& present, std::size_t to,
                 std::size_t from);
  void end_tree_block(Tree& t);
  bool tree_result(Tree& t);

  Combination& combination_;
  ir::Order order_;
  std::size_t width_ = 1;
  bool any_ = false;
  Accumulators total_;  // seq, chain: old and everything so far; tree: old
  Accumulators part_;   // chain: a later block
  std::int64_t chain_block_ = 0;
  std::vector<std::unique_ptr<Tree>> trees_;
  std::vector<const void*> pointers_;
};

// From this many neighbouring outputs on they are reduced together, where that pays.
inline constexpr std::size_t kWideFrom = 8;

// A reduction over ranges at one point of what is around it.
class ReductionRun {
 public:
  // `values`: one per component, or the factors of a contract.
  ReductionRun(Space& space, std::vector<ir::Range> ranges, Expr guard, std::vector<Expr> values,
               std::unique_ptr<Combination> combination, ir::Order order, Symbol outer_row);
  // A Reduce expression inside a row over `outer_row`.
  ReductionRun(Space& space, Expr reduce, Symbol outer_row);

  // acc = acc (+) all points. Throws a Fault. Answers whether any point existed.
  bool run(void* const* acc);
  // A Reduce expression: from the neutral element, in the dtype of the expression.
  ir::Scalar run_expression();

  // The same at n neighbouring points of the row around it: acc are rows, and the bits are those of
  // n single runs. Only if runs_wide(); answers false, with acc as it was, when there is a fault
  // somewhere, and single runs must find out where.
  bool runs_wide() const { return wide_rows_ != nullptr; }
  bool run_wide(std::int64_t first, std::size_t n, void* const* acc, bool* any);
  bool run_wide_expression(std::int64_t first, std::size_t n, void* out);

  bool mentions_outer_row() const { return mentions_outer_row_; }
  Combination& combination() { return *combination_; }

 private:
  void run_level(std::size_t level, std::int64_t element);
  void run_row(std::int64_t lo, std::int64_t hi);
  bool run_wide_level(std::size_t level, std::int64_t element, std::int64_t first, std::size_t n);
  bool wide_pays(const std::vector<Expr>& values, Symbol outer_row) const;

  Space& space_;
  std::unique_ptr<Combination> combination_;
  Reducer reducer_;
  Nest nest_;
  std::unique_ptr<RowProgram> rows_;
  std::unique_ptr<RowProgram> wide_rows_;  // along the row around; null: never
  bool guarded_ = false;
  bool mentions_outer_row_ = true;
  DType result_ = DType::F64;
};

// The values of a statement or Reduce as rows for a Combination: cast to the accumulator, the
// factors of a contract multiplied left to right until two are left.
std::vector<Expr> point_values(Space& space, const Combination& combination,
                               const std::vector<Expr>& values);

}  // namespace lathe::interp
