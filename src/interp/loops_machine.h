// SPDX-License-Identifier: Apache-2.0
#pragma once
// The interpreter of Loops (private). A kernel is compiled to a tree of Code, in which names are
// numbers, and then run.
//   lane_expr.cpp      one expression, for one point or for all lanes of a vector loop
//   loops_compile.cpp  statements to Code
//   loops_run.cpp      running it
//   loops_ledger.cpp   what has been written and touched
//
// Buffers are arrays of the Space that also runs Programs, so that binding, writing, rotation and
// calls are those of the language.

#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "interp/loops_interpreter.h"
#include "interp/loops_ledger.h"
#include "interp/space.h"

namespace lathe::interp {

// A loop variable, or a scalar of Let or Var. One value, or one per lane when bound in a vector
// loop: elements of the dtype, side by side.
struct Slot {
  DType dtype = DType::I64;
  bool per_lane = false;
  std::vector<std::uint64_t> row;
};

// What a running kernel stands on.
struct Frame {
  Frame(const loops::Kernel& kernel, const ir::Program& interface, State& state,
        const LoopsOptions& options);

  const loops::Kernel& kernel;
  Options space_options;
  Space space;
  Ledger ledger;
  bool checked, poison;
  std::deque<Slot> slots;

  // For messages: the statement that runs, and the loops around it.
  const loops::Stmt* statement = nullptr;
  std::vector<std::pair<Symbol, Id>> loops;

  // The array has been allocated; its contents are `defined`, or anything.
  void open(Id array, bool defined);
  // The element's place, or an InternalError. `verb`: "reads", "writes".
  std::int64_t offset(Id array, std::span<const std::int64_t> index, std::string_view verb,
                      std::size_t lane);
  void check_read(Id array, std::int64_t offset, std::size_t lane);
  void check_write(Id array, std::int64_t offset, std::size_t lane);
  [[noreturn]] void fail(std::string problem, std::size_t lane) const;

  std::vector<Symbol> names;  // of arrays by id, as the kernel calls them
  std::string element_text(Id array, std::int64_t offset);
};

// What names mean where an expression stands.
struct Meaning {
  Id slot = kNone, array = kNone;
};
using Scope = std::unordered_map<Symbol, Meaning>;

class LaneExpr {
 public:
  // For `lanes` points at most; eager: every operand is evaluated.
  LaneExpr(Frame& frame, const Scope& scope, Expr root, std::size_t lanes, bool eager);
  LaneExpr(LaneExpr&&) = default;

  // The values, one after another.
  const void* run(std::size_t n);
  const void* row() const { return rows_.back(); }   // of the last run
  std::int64_t integer(std::size_t lane = 0) const;  // of the last run
  bool truth() { return *static_cast<const std::uint8_t*>(run(1)) != 0; }
  DType dtype() const { return nodes_.back().dtype; }

 private:
  enum class Kind : std::uint8_t { Fixed, Spread, Read, Apply };  // Spread: one value for all lanes
  struct Node {
    Kind kind = Kind::Fixed;
    DType dtype = DType::I64;
    ir::Op op = ir::Op::Const;
    Id place = kNone;  // the slot or array
    std::uint32_t first_arg = 0, arg_count = 0;
    RowFunction function;
  };

  void add(const Scope& scope, Expr e, const std::unordered_map<Expr, Id>& numbers);
  void add_leaf(const Scope& scope, Expr e, Node& node);
  void* own_row(DType t);
  void run_on_demand();
  Id wanted(const Node& node) const;
  void compute(Id v, std::size_t n);
  void read(const Node& node, void* out, std::size_t n);

  Frame* frame_;
  std::size_t lanes_;
  bool lazy_ = false;
  std::vector<Node> nodes_;  // operands before users; the root is the last
  std::vector<Id> args_;
  std::vector<const void*> rows_;
  std::vector<void*> storage_;  // null: the row lies elsewhere
  std::vector<std::unique_ptr<std::uint64_t[]>> blocks_;
  std::vector<std::int64_t> index_;
  std::vector<std::uint64_t> done_;  // by node: the last run that computed it
  std::uint64_t run_ = 0;
  std::vector<Id> stack_;
};

// A compiled statement. Expressions in the order of loops::for_each_expr.
struct Code {
  const loops::Stmt* stmt = nullptr;
  Id slot = kNone;
  Id array = kNone, from = kNone;
  std::vector<Id> rotated;
  std::vector<LaneExpr> exprs;
  std::vector<Code> body, other;
};

class LoopsMachine {
 public:
  LoopsMachine(const loops::Kernel& kernel, State& state, const LoopsOptions& options);
  void run();
  std::uint64_t operations() const { return frame_.space.operations; }

 private:
  enum class Flow : std::uint8_t { Next, Break };
  std::size_t fault_lane_ = 0;  // of a Fault inside of a vector loop

  // Compiling.
  std::vector<Code> compile(const loops::Body& body);
  Code compile(const loops::Stmt& s);
  void compile_loop(const loops::For& f, Code& code);
  void bind(Symbol name, Meaning meaning);
  Id new_slot(DType t);
  Id new_array(Symbol name, DType t);
  Id array_of(Symbol name) const;

  // Running.
  Flow run(std::vector<Code>& block);
  Flow run(Code& code);
  Flow run(const loops::For& f, Code& code);
  Flow run(const loops::If& s, Code& code);
  Flow run(const loops::Let& s, Code& code) { return set(code, s.value); }
  Flow run(const loops::Var& s, Code& code) { return set(code, s.initial); }
  Flow run(const loops::Assign& s, Code& code) { return set(code, s.value); }
  Flow run(const loops::Store& s, Code& code);
  Flow run(const loops::Alloc& s, Code& code);
  Flow run(const loops::VectorLoad& s, Code& code);
  Flow run(const loops::Prefetch& s, Code& code);
  Flow run(const loops::Break& s, Code& code);
  Flow run(const loops::Fault& s, Code& code);
  Flow run(const loops::Rotate& s, Code& code);
  Flow run(const loops::Call& s, Code& code);
  Flow run(const loops::Comment&, Code&) { return Flow::Next; }
  Flow set(Code& code, Expr value);
  void open_declared();
  void run_serial(const loops::For& f, Code& code, std::int64_t lo, std::uint64_t count);
  void run_parallel(const loops::For& f, Code& code, std::int64_t lo, std::uint64_t count);
  void run_vector(const loops::For& f, Code& code, std::int64_t lo, std::uint64_t count);

  const loops::Kernel& kernel_;
  LoopsOptions options_;
  ir::Program interface_;
  Frame frame_;
  Scope scope_;
  std::vector<Symbol> bound_;
  std::size_t width_ = 1;  // lanes of the statements that are being compiled
  bool in_vector_ = false;
  std::vector<Code> code_;
  std::size_t lanes_ = 1;  // that run now
  std::uint64_t random_;
};

}  // namespace lathe::interp
