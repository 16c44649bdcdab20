// SPDX-License-Identifier: Apache-2.0
#pragma once
// Program: what every front end ends at and every pass maps to itself. Its meaning is interp/'s.
//
// A program is parameters, arrays, combiners and a list of items, executed in order. Items:
//
//   Statement  for i in 0..n where g: t[i] = e         all reads see the state before the statement
//   Group      for i in 0..n: several statements       point by point; points are independent
//   Branch     for i in 0..n if c: ... else: ...       each side on its own version (document 004)
//   While      for i in 0..n while c: ...              a branch under the mask until it is all off
//   Sweep      forward k in 0..n: ... / backward ...   one k after another
//   Scan       for i in 0..n scan j in 0..m: t += e    prefix accumulation
//   When       when scalar: ... else: ...              no versions
//   Repeat     repeat t in 0..n rotate a, b until c:   counted, rotating contents
//   Call       call sort(u) -> s, p                    an operation with a meaning of its own
//
// Programs are values: copying one is cheap enough for passes to be pure functions. Expressions
// live in the Graph that the program shares with its relatives.

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/diagnostics.h"
#include "ir/expr.h"

namespace lathe::ir {

struct Parameter {
  Symbol name;
  bool is_size = false;  // i64, never negative
  DType dtype = DType::I64;
  Span span;
  // Of a size: callers give no less. Known to analyses only, the text form does not say it.
  std::int64_t least = 0;
};

enum class Role : std::uint8_t { Input, Output, InOut, State, Temp, Const };
std::string_view name(Role r);  // "input" "output" "inout" "state" "temp" "const"

// lo <= index < hi; empty when hi <= lo.
struct Axis {
  Symbol name;
  Expr lo, hi;
};

struct Array {
  Symbol name;
  DType dtype = DType::F64;
  Role role = Role::Temp;
  std::vector<Axis> axes;  // none: a scalar
  // Only for temps that a front end leaves to `compute-extents`: statements that write it are
  // widened to what later statements read. Gone after that pass.
  bool extended = false;
  std::vector<Symbol> extended_axes;  // those that may grow, the others being fixed; empty: all
  std::vector<Scalar> values;         // Const only: row-major
  Span span;
  // Where a front end stores axes in another order than users write them: the axis here of each of
  // theirs. Empty: the same order. For indices that users read or give; no computation looks at it.
  std::vector<std::size_t> users_order;

  bool is_extended_along(std::size_t axis) const;
};

// An index of such an array in the other order.
std::vector<std::int64_t> as_users_write(const std::vector<std::size_t>& users_order,
                                         const std::vector<std::int64_t>& index);
std::vector<std::int64_t> as_stored(const std::vector<std::size_t>& users_order,
                                    const std::vector<std::int64_t>& users_index);

// One loop variable: lo <= variable < hi. Bounds may use variables of the ranges before it, of the
// loops around, and array reads.
struct Range {
  Symbol variable;
  Expr lo, hi;
  friend bool operator==(const Range&, const Range&) = default;
};

// Ranges in nesting order (the last is innermost), and a guard: points where it is false do not
// exist. The guard does not move the points that exist, so orders of accumulation can count on
// lo. Set expressions (ir/domain.h) are derived from this.
struct Domain {
  std::vector<Range> ranges;
  Expr guard = nullptr;  // null: true
};

// A tuple operation: combine(left, right) with its neutral tuple. Associative, or used with `seq`.
//   combiner argmin(a: f64, i: i64; b: f64, j: i64) = (min(a, b), select(b < a, j, i))
//     neutral (inf, -1)
// Inside `result` the operands are Param nodes; they are bound by the combiner, like a function's.
struct Combiner {
  Symbol name;
  std::vector<Parameter> left, right;  // same dtypes, one per component
  std::vector<Expr> result;
  std::vector<Scalar> neutral;
  Span span;
};

struct Target {
  Symbol array;
  std::vector<Expr> indices;
  friend bool operator==(const Target&, const Target&) = default;
};

struct Accumulation {
  Op op = Op::Add;  // Fma: contract
  Symbol combiner;  // not empty: a tuple operation instead of `op`
  Order order = Order::Free;
  DType dtype = DType::F64;  // accumulator dtype (single-valued)
  bool fresh = false;        // first set the whole declared region to the neutral element
};

// for domain: targets = values, or targets op= values.
struct Statement {
  Symbol label;                 // stable and unique in the program
  Domain domain;                // inside a Group: no ranges, only the guard
  std::vector<Target> targets;  // one; several only with a combiner
  std::optional<Accumulation> accumulate;
  std::vector<Expr> values;  // one per target; contract: the factors
  Span span;
};

// Per point: a scalar that lives while one point of a Group runs. Written as `t = e`, read as `t`:
// an array without axes.
struct Local {
  Symbol name;
  DType dtype = DType::F64;
};

struct Item;
using Body = std::vector<Item>;

struct Group {
  Symbol label;
  Domain domain;
  std::vector<Local> locals;
  std::vector<Statement> statements;
  Span span;
};

struct Branch {
  Symbol label;
  Domain domain;
  Expr condition = nullptr;
  Body then_body, else_body;
  Span span;
};

struct While {
  Symbol label;
  Domain domain;
  Expr condition = nullptr;
  Body body;
  Span span;
};

struct Sweep {
  Symbol label;
  Range range;
  bool forward = true;
  Body body;
  Span span;
};

// For each point of `domain`: along `range` in increasing order, the running combination of the
// statement's values is stored in its target (exclusive: the one before this point's value).
struct Scan {
  Range range;
  bool exclusive = false;
  bool blocked = false;  // else seq
  Statement statement;   // domain = the points; accumulate is set, not fresh
};

struct When {
  Symbol label;
  Expr condition = nullptr;
  Body then_body, else_body;
  Span span;
};

// Runs the body for counter = lo..hi-1; after each run the contents of `rotate` move one place to
// the left (the first takes the second's, the last the first's), then `until` is tested.
//
// Capped: the loop of a While (passes/lower_masks). `capped` is the bool array of the points that
// are still on, axes called as the While's variables; `until` becomes true when none is. To run out
// of rounds first - of the range's, or of the cap that whoever runs the program sets - is an error
// that names the first point that is on.
struct Repeat {
  Symbol label;
  Range range;
  std::vector<Symbol> rotate;
  Symbol capped;         // empty: to run out of rounds is the normal end
  Expr until = nullptr;  // null: never
  Body body;
  Span span;
};

struct Call {
  Symbol label;
  Symbol function;                      // one of ir/calls.h
  std::vector<Symbol> inputs, outputs;  // whole arrays
  Span span;
};

struct Item {
  std::variant<Statement, Group, Branch, While, Sweep, Scan, When, Repeat, Call> node;
};

// Where an expression was written. Expressions are shared, so a place is a use: a statement's label
// and the node. Programs made without text have none.
struct SpanTable {
  std::vector<std::pair<std::pair<Symbol, Expr>, Span>> uses;
  Span find(Symbol label, Expr e) const;  // the first such use; an empty Span when unknown
};

struct Program {
  std::shared_ptr<Graph> graph;
  std::shared_ptr<SourceMap> sources;
  Symbol name;
  std::vector<Parameter> parameters;
  std::vector<Array> arrays;
  std::vector<Combiner> combiners;
  Body body;
  std::shared_ptr<const SpanTable> spans;

  const Array* find_array(Symbol name) const;
  const Parameter* find_parameter(Symbol name) const;
  const Combiner* find_combiner(Symbol name) const;
};

// Calls f(const Statement&) for each statement of the body, in textual order, at any depth,
// including those of groups and scans.
template <class F>
void for_each_statement(const Body& body, F&& f);

}  // namespace lathe::ir

#include "ir/program_walk.h"
