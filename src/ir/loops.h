// SPDX-License-Identifier: Apache-2.0
#pragma once
// Loops: a scheduled program, in the shape of the code that will be printed. Everything is decided
// here - order, kind of each loop, where each value lives; emitters only print.
//
//   kernel diffuse(n: size, m: size, a: f64)
//     argument u: f64[0..n, 0..m] input unit
//     argument v: f64[0..n, 0..m] output unit
//     scratch lap: f64[0..n, 0..m]
//
//     # lap: examples/diffuse.lathe:8
//     parallel i in 1..n-1 grain 16:
//       vector j in 1..m-1 by 8:
//         let t.0 = u[i, j-1] + u[i, j+1]
//         lap[i, j] = t.0 - 4 * u[i, j]
//     for i in 0..n:
//       thread row: f64[0..m]
//       var acc: f64 = 0
//       for j in 0..m:
//         if 1 <= j:
//           acc = acc + lap[i, j]
//       v[i, 0] = acc
//
// Expressions are ir::Expr with these leaves, and no Reduce or Inside among their operations:
//   Const
//   Index   a loop variable
//   Param   a parameter of the kernel, or a scalar bound by Let or Var
//   Read    an element of a buffer, always in range: policy Trusted. Checks are explicit (Fault).
// Elementary functions stay operations; emitters print them as functions.
//
// A name means one thing: nothing in scope is bound again. ir/loops_text.h prints and parses this
// form, ir/loops_verify.h says what is well formed, interp/loops_interpreter.h runs it.
//
// Select, gate, and, or are lazy outside of vector loops. Inside one, all operands are evaluated,
// for all lanes: whoever makes the loop makes sure that every read is in range then.

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostics.h"
#include "ir/program.h"

namespace lathe::loops {

using ir::Axis;
using ir::DType;
using ir::Expr;
using ir::Symbol;

enum class Space : std::uint8_t {
  Argument,  // memory of the caller, or state that outlives the call; strides are run-time values
  Table,     // a constant of the program: read-only data of the kernel
  Scratch,   // a whole temporary, alive for one call
  Thread,    // of one iteration of the loop around it: a slice of the thread's arena
  Stack,     // the same, small, with constant extents
  Lanes,     // one axis 0..W: named vector registers. Touched only in `vector l in 0..W by W`
             // loops, and only at [l].
};
std::string_view name(Space s);  // "argument" "table" "scratch" "thread" "stack" "lanes"

struct Buffer {
  Symbol name;
  DType dtype = DType::F64;
  Space space = Space::Scratch;
  std::vector<Axis> axes;          // lo <= index < hi; axis names carry no meaning here
  ir::Role role = ir::Role::Temp;  // Argument: input, output, inout, state
  bool unit = false;               // Argument: the last axis has stride 1
  std::vector<ir::Scalar> values;  // Table
  // Order of axes in memory, outermost first; empty: as declared. Not for arguments.
  std::vector<std::size_t> layout;
};

enum class Kind : std::uint8_t {
  Serial,    // for
  Parallel,  // iterations in any order, on any thread; not nested in another parallel loop
  Vector,    // `width` iterations at a time, each statement for all of them before the next one;
             // the rest one by one. Holds Let, Var, Assign, Store, Prefetch, Comment; rounds: a
             // serial `for` of those with a Break that leaves when it holds in all lanes; and If
             // around nothing but a Fault, of the first lane in which it holds
};

struct Stmt;
using Body = std::vector<Stmt>;

struct For {
  Kind kind = Kind::Serial;
  Symbol variable;
  Expr lo = nullptr, hi = nullptr;
  std::int64_t step = 1;   // Serial, Parallel: distance between iterations
  bool down = false;       // Serial: from the last to the first
  std::int64_t width = 1;  // Vector: lanes; a power of two
  std::int64_t grain = 1;  // Parallel: iterations that should stay together
  Body body;
};

struct If {
  Expr condition = nullptr;
  Body then_body, else_body;
};

struct Let {  // a scalar that never changes; visible to the end of its body
  Symbol name;
  Expr value = nullptr;
};

struct Var {  // a scalar that Assign changes; visible to the end of its body
  Symbol name;
  Expr initial = nullptr;  // also gives the dtype
};

struct Assign {
  Symbol name;
  Expr value = nullptr;
};

struct Store {
  Symbol buffer;
  std::vector<Expr> indices;
  Expr value = nullptr;  // of the buffer's dtype
  bool stream = false;   // around the caches; nobody reads it soon
};

// Thread, Stack or Lanes: visible to the end of its body; contents undefined. In the kernel's own
// body also Scratch, and Argument for a result that Lathe allocates: their extents were computed
// before, in scalar buffers; visible to the end of the kernel.
struct Alloc {
  Buffer buffer;
};

// A small register array: elements [indices..., last + 0 .. last + width) of `from`, loaded at once
// (document 000: multi-channel images). Read like a buffer with one axis 0..width, at constants.
struct VectorLoad {
  Symbol name;
  Symbol from;
  std::vector<Expr> indices;  // of channel 0
  std::int64_t width = 1;
};

struct Prefetch {
  Symbol buffer;              // Argument, Scratch, Thread, Table
  std::vector<Expr> indices;  // may lie outside: then nothing happens. In lanes: those of each
};

// Leaves the innermost `for` around it (not parallel, not vector) when the condition holds; inside
// of a vector loop when it holds in all lanes.
struct Break {
  Expr condition = nullptr;
};

// Ends the call with an error of the program: site number in Kernel::sites, and the numbers for its
// message (index of the element, or values of variables).
inline constexpr std::size_t kFaultValues = 16;  // at most
struct Fault {
  std::size_t site = 0;
  std::vector<Expr> values;  // i64
};

// The contents move one place to the left, the first to the last. Same dtype and extents. Only
// outside of parallel and vector loops.
struct Rotate {
  std::vector<Symbol> buffers;
};

// An operation on whole buffers (ir/calls.h): arguments, tables, scratch. Only outside of parallel
// and vector loops.
struct Call {
  Symbol label;  // of the program's item, for messages; may be empty
  Symbol function;
  std::vector<Symbol> inputs, outputs;
};

struct Comment {
  std::string text;  // one line
};

struct Stmt {
  std::variant<For, If, Let, Var, Assign, Store, Alloc, VectorLoad, Prefetch, Break, Fault, Rotate,
               Call, Comment>
      node;
};

// What a Fault says. Its values are the index of the element (Range, Unwritten, Twice) or the
// number of rounds (WhileCap), then those of the variables.
struct Site {
  enum class Kind : std::uint8_t { Range, Unwritten, Twice, Division, NegativePower, WhileCap };
  Kind kind = Kind::Range;
  bool writes = false;            // Range: the statement writes there; else it reads
  Symbol label;                   // of the statement
  Symbol array;                   // Range, Unwritten, Twice: as the program calls it
  std::vector<Symbol> variables;  // names of the values after the index, if any
  std::string operation;          // Division, NegativePower: "a[i] // b[i]"; one line
  Span span;
  Symbol buffer = {};    // where the array lies; none: in the buffer of that name
  bool trusted = false;  // Range: a read that promised to be inside
  std::vector<std::size_t> users_order = {};  // ir::Array's; not part of the text
};
// "range" "unwritten" "twice" "division" "negative_power" "while_cap"
std::string_view name(Site::Kind k);

struct Kernel {
  std::shared_ptr<ir::Graph> graph;
  std::shared_ptr<SourceMap> sources;
  Symbol name;
  std::vector<ir::Parameter> parameters;
  std::vector<Buffer> buffers;  // Argument, Table, Scratch, with extents in parameters alone
  std::vector<Site> sites;
  Body body;

  const Buffer* find_buffer(Symbol name) const;
};

}  // namespace lathe::loops

#include "ir/loops_walk.h"
