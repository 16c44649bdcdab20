// SPDX-License-Identifier: Apache-2.0
#pragma once
// The value graph: what a program computes, without order and without storage.
//
// A value is a function from the points of its dimensions D to elements:
//
//   inst    an expression over values at the same point; outside of its domain the value `over`
//   map     another value at other indices: u[i-1, j]
//   bcast   the same at every index of further dimensions
//   fby     along R: at the first point `init`, then `next` of the point before ("followed by")
//   last    `v` at the last point of R; `otherwise` if R is empty
//   extern  what the caller gave
//
// Every version of an array (analysis/versions.h) is one value, under the version's name, and its
// dimensions end with the axes of the array:
//
//   for i, j: lap[i, j] = u[i-1, j] + u[i+1, j]    lap.0 = inst lap, reads map(u, i-1, j), ...
//   for i, k: t[i] += a[i, k]                      t.0   = last(next) along k, where
//                                                  acc   = fby(t, next) along k
//                                                  next  = inst acc + a
//   forward k: x[i, k] = x[i, k-1] / b[i, k]       x.0   = inst x over x, reads x.0[k-1], where
//                                                  x.0[k-1] = fby(map(x, i, -1), x.0) along k
//   repeat t: y[i] = f(x); x[i] = g(y)             x@repeat.0 = fby(x, x.0) along t
//
// A sweep over k whose statements write x at k and read it at constant distances from k expands x
// along k, as above: n `fby` in a row are the sliding window of depth n. Every other array that a
// sweep or repeat writes is carried whole: `fby` along the loop inside, `last` after it.
// Guards and partial writes are `over`: at other points the old content.
// Scatters, calls, branches, whiles, scans and tuple accumulations are there as opaque insts: they
// have dimensions and operands, but no expression.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "interp/interpreter.h"
#include "ir/program.h"

namespace lathe::schedule {

using ValueId = std::uint32_t;
inline constexpr ValueId kNoValue = 0xffffffff;

// lo <= name < hi; the loop of a backward sweep runs down.
struct Dim {
  ir::Symbol name;
  ir::Expr lo = nullptr, hi = nullptr;
  bool down = false;
};

struct Inst {
  ir::Symbol label;                // the statement; none: one of Lathe's own, see `value`
  ir::Expr value = nullptr;        // null: opaque
  std::vector<ir::Range> domain;   // where it holds, in nesting order; empty: at all points of D
  ir::Expr guard = nullptr;        // and where this is true
  ValueId over = kNoValue;         // elsewhere; none: nothing was ever written there
  std::string opaque;              // why there is no expression
  std::vector<ValueId> arguments;  // opaque: what it reads
};

struct Map {
  ValueId v = kNoValue;
  std::vector<ir::Expr> indices;  // one per axis of v
  ir::Policy policy = ir::Policy::Error;
  ir::Expr fill = nullptr;
  bool by_data = false;  // a gather: indices that are read from arrays
};

struct Bcast {
  ValueId v = kNoValue;
  std::vector<ir::Symbol> dims;  // none: a copy
};

struct Fby {
  ValueId init = kNoValue, next = kNoValue;
  std::vector<Dim> along;  // in nesting order
};

// Not every order of a reduction is that of its loops: of `tree` and `chain` the order of
// combination is the interpreter's (interp/reduction.h), and fby and next say what is combined.
struct ReduceOrder {
  ir::Op op = ir::Op::Add;
  ir::Order order = ir::Order::Seq;
  std::vector<ValueId> points;  // what is combined: one value, or the two factors of a contract
  ValueId where = kNoValue;     // which points exist; none: all
};

struct Last {
  ValueId v = kNoValue;
  std::vector<Dim> along;
  ValueId otherwise = kNoValue;  // when there is no point
  ValueId until = kNoValue;      // a bool: the first point where it holds is the last
  std::optional<ReduceOrder> reduce;
};

struct Extern {
  bool given = true;  // else: memory that nothing has written
};

using Def = std::variant<Inst, Map, Bcast, Fby, Last, Extern>;

// Which value each Read (and Reduce) of an expression stands for.
using ReadTable = std::unordered_map<ir::Expr, ValueId>;

struct Value {
  std::string name;  // none: shown where it is read
  ir::DType dtype = ir::DType::F64;
  std::vector<Dim> dims;  // D: loops first, then the axes
  std::size_t loops = 0;  // how many of them are loops
  Def def;
  ir::Symbol array;                        // whose content it is; none: not an array's
  bool version = false;                    // of that array
  std::shared_ptr<const ReadTable> reads;  // of the expressions in def and dims
  Span span;

  bool has(ir::Symbol dim) const;
};

struct ValueGraph {
  ir::Program program;
  std::vector<Value> values;
  std::vector<std::pair<ir::Symbol, ValueId>> results;  // outputs, inouts, states at the end

  const Value& at(ValueId id) const { return values[id]; }
  const Value* find(std::string_view name) const;
};

// The program must be verified.
ValueGraph build_values(const ir::Program& program);

// One line per value that has a name.
std::string print(const ValueGraph& graph);

// Calls f(ValueId) for each value that this one is defined by; `next` of a fby comes with the
// others.
template <class F>
void for_each_operand(const Value& value, F&& f);
// The values that an inst, or a map through data, reads: each once, in textual order.
std::vector<ValueId> operands_of(const Value& value);

// The static rules, in linear time; what is violated, or nothing:
//   dtypes are equal along definitions; D of each value follows from its definition; every
//   dimension of an operand encloses its reader; each value is consumed (init or next of a fby) at
//   most once per role; definitions form cycles only through `next`.
std::vector<std::string> check_values(const ValueGraph& graph);

// Why the graph cannot be evaluated (it reaches an opaque inst, or an extent is computed), or "".
std::string why_not_evaluable(const ValueGraph& graph);
// The denotation, point by point, with a memory: an oracle for small sizes. Takes and gives what
// interp::run does, but no temporaries. False, and nothing written, when it needs more than `most`
// elements of values: what depends on many loops has many.
bool evaluate(const ValueGraph& graph, interp::State& state, std::uint64_t most = UINT64_MAX);

template <class F>
void for_each_operand(const Value& value, F&& f) {
  const auto some = [&](ValueId id) {
    if (id != kNoValue) f(id);
  };
  if (value.reads)
    for (const ValueId id : operands_of(value)) f(id);
  if (const auto* inst = std::get_if<Inst>(&value.def)) {
    some(inst->over);
    for (const ValueId id : inst->arguments) f(id);
  } else if (const auto* map = std::get_if<Map>(&value.def)) {
    some(map->v);
  } else if (const auto* bcast = std::get_if<Bcast>(&value.def)) {
    some(bcast->v);
  } else if (const auto* fby = std::get_if<Fby>(&value.def)) {
    some(fby->init);
    some(fby->next);
  } else if (const auto* last = std::get_if<Last>(&value.def)) {
    some(last->v);
    some(last->otherwise);
    some(last->until);
    if (last->reduce) {
      for (const ValueId id : last->reduce->points) f(id);
      some(last->reduce->where);
    }
  }
}

}  // namespace lathe::schedule
