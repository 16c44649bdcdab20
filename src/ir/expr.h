// SPDX-License-Identifier: Apache-2.0
#pragma once
// Expr: an immutable, interned scalar graph. Two equal expressions are the same pointer, so common
// subexpressions exist once by construction. Nodes live as long as their Graph.
//
// A node is an operation (ops.def), operands, a dtype and, for some operations, an attribute:
//
//   operation  attribute                 operands                        text
//   Const      Scalar                                                    4.0, 3i32, true
//   Index      Symbol variable                                           i
//   Param      Symbol parameter                                          n
//   Read       Symbol array, Policy      indices..., [fill if Value]     u[i-1, j; clamp]
//   Inside     Symbol array              indices...                      inside u[i-1, j]
//   Lookup     const Table*              index                           (only inside functions)
//   Reduce     ReduceInfo                lo, hi per variable; guard;     sum[tree, f64] j in 0..m
//                                        body, or factors (contract)       where j != i: u[i, j]
//   others     none                      as ops.def says                 a + b, sqrt(x)
//
// Operands of one operation have one dtype; conversions are explicit Cast nodes (ir/build.h inserts
// them by promotion). Variables are free names: a statement or a Reduce around the expression binds
// them. A Reduce never binds a name that is bound around it (the verifier refuses shadowing).

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/symbol.h"
#include "ir/dtype.h"
#include "ir/op.h"
#include "ir/scalar.h"

namespace lathe::ir {

using lathe::Symbol;  // also known as ir::Symbol

struct Node;
using Expr = const Node*;

// What a read outside the declared range of its array gives.
enum class Policy : std::uint8_t { Error, Zero, Clamp, Wrap, Mirror, Value, Trusted };
std::string_view name(Policy p);  // "error" "zero" "clamp" "wrap" "mirror" "value" "trusted"

// The order in which a reduction combines its points (semantics.md, "Order of accumulation").
// Free: operations whose result does not depend on it (integer, bool, min, max).
enum class Order : std::uint8_t { Free, Tree, Chain, Seq };
std::string_view name(Order o);

struct ReduceInfo {
  Op op = Op::Add;  // the combining operation; Fma for contract
  Order order = Order::Free;
  DType accumulator = DType::F64;
  std::vector<Symbol> variables;
  friend bool operator==(const ReduceInfo&, const ReduceInfo&) = default;
};

// A constant table of an elementary function.
struct Table {
  std::string name;
  DType dtype;
  std::vector<Scalar> values;
};

struct Node {
  Op op;
  DType dtype;
  std::uint32_t arg_count;
  std::uint32_t id;     // dense, in creation order: for side tables, never to order output by
  std::uint32_t depth;  // leaves 1, saturating
  std::uint64_t hash;   // structural: the same in every run and process
  const Expr* arg_data;
  std::uint64_t bits;  // Const: the element bits
  Symbol name;         // Index, Param: the variable; Read, Inside: the array
  Policy policy;       // Read
  bool has_reduce;     // somewhere in it
  // A bit of each variable and each array named somewhere in it; others may have the same bit.
  std::uint64_t variables, arrays;
  const void* info;  // Reduce: ReduceInfo; Lookup: Table

  std::span<const Expr> args() const { return {arg_data, arg_count}; }
  Expr arg(std::size_t i) const { return arg_data[i]; }

  Scalar scalar() const { return {dtype, bits}; }  // Const
  const ReduceInfo& reduce() const { return *static_cast<const ReduceInfo*>(info); }
  const Table& table() const { return *static_cast<const Table*>(info); }
};

inline std::uint64_t filter_bit(Symbol s) { return std::uint64_t{1} << (s.hash() >> 58); }
// False only if it certainly does not: spares most walks.
inline bool may_mention(Expr e, Symbol variable) {
  return (e->variables & filter_bit(variable)) != 0;
}
inline bool may_name(Expr e, Symbol array) { return (e->arrays & filter_bit(array)) != 0; }

inline bool is_const(Expr e) { return e->op == Op::Const; }

// Owns symbols and nodes. One per compilation; not thread-safe; never shrinks.
class Graph {
 public:
  Graph();
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  Symbol symbol(std::string_view text);
  // `stem`, or `stem.1`, `stem.2` ...: the first that nobody in this graph has asked for.
  Symbol fresh_symbol(std::string_view stem);

  Expr constant(Scalar s);
  Expr index(Symbol variable);
  Expr param(Symbol name, DType t);
  // `args` as the table above says. The dtype of Read is the array's; of others, ir/typing.h's.
  Expr read(Symbol array, DType t, std::span<const Expr> indices, Policy p = Policy::Error,
            Expr fill = nullptr);
  Expr inside(Symbol array, std::span<const Expr> indices);
  Expr lookup(const Table* table, Expr index);
  Expr reduce(ReduceInfo info, std::span<const Expr> args, DType t);
  // Any operation without attribute, and Cast/BitCast, whose result dtype `t` is the attribute.
  // Raw: no promotion, no simplification; operands must satisfy the typing rule (checked).
  Expr apply(Op op, DType t, std::span<const Expr> args);
  // The same operation, attribute and dtype on other operands.
  Expr with_args(Expr e, std::span<const Expr> args);

  // Keeps a table alive as long as the graph; equal tables are one.
  const Table* intern(Table table);

  std::size_t node_count() const;
  std::size_t bytes() const;

 private:
  struct Store;
  std::unique_ptr<Store> store_;
};

// Named views of operands, so that no pass counts positions:
//   auto [cond, yes, no] = view::Select(e);
namespace view {
struct Unary {
  explicit Unary(Expr e);
  Expr x;
};
struct Binary {
  explicit Binary(Expr e);
  Expr left, right;
};
struct Select {
  explicit Select(Expr e);
  Expr cond, yes, no;
};
struct Gate {
  explicit Gate(Expr e);
  Expr cond, x;
};
struct Read {
  explicit Read(Expr e);  // Read or Inside
  Symbol array;
  Policy policy;
  std::span<const Expr> indices;
  Expr fill;  // null unless policy is Value
};
struct Reduce {
  explicit Reduce(Expr e);
  const ReduceInfo& info;
  std::span<const Expr> bounds;  // lo, hi, lo, hi ... in the order of info.variables
  Expr guard;
  std::span<const Expr> values;  // the body, or the factors of a contract
  Expr lo(std::size_t variable) const { return bounds[2 * variable]; }
  Expr hi(std::size_t variable) const { return bounds[2 * variable + 1]; }
};
}  // namespace view

}  // namespace lathe::ir
