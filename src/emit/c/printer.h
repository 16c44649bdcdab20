// SPDX-License-Identifier: Apache-2.0
#pragma once
// The printer of one kernel: statements in, lines of C out. Its files:
//
//   emit.cpp          the whole text           frames.cpp        names, and what a frame loads
//   statements.cpp    statements               allocate.cpp      memory, rotations, calls
//   loops_serial.cpp  for and parallel         loops_vector.cpp  chunks, remainders, streaming
//   evaluate.h, .cpp  expressions to text      access.cpp        where elements lie
//   scalar_ops.cpp, vector_ops.cpp             single operations
//   divisors.cpp      division by what stays the same
//
// A *frame* is a C function under construction: lathe_run, or the body of a parallel loop. Names
// are asked for through the printer, which notes what a frame must load or capture to have them.

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "emit/c/block.h"
#include "emit/c/emit.h"
#include "emit/c/lanes.h"
#include "emit/c/library.h"

namespace lathe::emit {

constexpr std::size_t kLine = 64;  // bytes that memory hands over at a time

using ir::DType;
using ir::Expr;
using ir::Op;

// How tightly a text binds: what it needs brackets inside of.
enum Strength : int { kLoose, kSum, kProduct, kAtom };

struct Value {
  std::string text;
  Strength strength = kAtom;
  DType dtype = DType::F64;  // of the language
  int lanes = 1;
  std::size_t mask = 0;  // bytes of a lane's mask, if it is a bool in lanes
  bool tame = false;     // an i64 that stays far from overflow: indices and sizes

  std::string wrapped(Strength least) const { return strength < least ? "(" + text + ")" : text; }
};

// A variable of C.
struct Local {
  std::string name, type;
  int frame = 0;
};

// A scalar of the kernel: parameter, loop variable, Let or Var.
struct Binding {
  std::vector<Local> chunks;  // one, or one per chunk if it differs from lane to lane
  DType dtype = DType::I64;
  bool varies = false;
  std::size_t mask = 0;
  bool tame = false;     // a loop variable or a size
  bool mutates = false;  // a Var
  int parameter = -1;    // number, if it is one
};

// A buffer in C. Element [x0, x1 ...] is name[x0 * stride0 + x1 * stride1 ... - offset].
struct Place {
  DType dtype = DType::F64;
  Local pointer;
  int array = -1;      // number in the context: strides and bounds are loaded from there
  bool table = false;  // a constant of the file
  int unit = -1;       // the axis with stride 1
  std::int64_t offset = 0;
  std::vector<Local> stride, lo, hi;  // otherwise; without a type: a number
  // Named vectors, one per chunk (Lanes), or named values, one per channel (VectorLoad).
  bool registers = false, loaded = false;
  bool varies = false;  // from lane to lane, even where the index does not
  int lanes = 1;
  std::size_t mask = 0;
  std::string base;  // of the names
};

// How expressions are read at the place where one stands.
struct Form {
  int lanes = 1;  // more: inside a vector loop
  int chunk = 0, chunks = 1;
  Symbol variable;    // of the vector loop
  std::string first;  // C text of its value at lane 0 of chunk 0; a number if `constant`
  bool constant = false;
  std::string active;  // name of the number of lanes that exist, if some may not: a remainder
};

struct Frame {
  int number = 0;
  bool run = false;  // lathe_run, else a body
  std::set<int> parameters;
  struct ArrayUse {
    bool pointer = false, written = false;
    std::set<int> strides, lows, highs;
  };
  std::map<int, ArrayUse> arrays;
  std::vector<Local> captured;
  // After a rotation or allocation: arrays to load again, when it is known which parts are used.
  std::vector<std::pair<int, std::shared_ptr<Block>>> reloads;
  bool streamed = false;
};

class Printer {
 public:
  Printer(const loops::Kernel& kernel, const EmitOptions& options);
  EmitResult run();

  // --- Names, for evaluation.
  Library& library() { return library_; }
  const Binding& binding(Symbol name) const;
  std::string use(const Local& local);  // captures it, if it is another frame's
  std::string use(const Binding& b, int chunk);
  Place& place(Symbol buffer);
  std::string pointer(Place& p, bool written);
  std::string stride(Place& p, std::size_t axis);  // "1" for the unit axis
  std::string low(Place& p, std::size_t axis);
  std::string high(Place& p, std::size_t axis);
  std::string temporary() { return "t" + std::to_string(next_temporary_++); }
  // The C function of an elementary operation, for f32 or f64.
  std::string elementary(Op op, DType t, int lanes);
  // The type of a variable; `mask` for a bool in lanes.
  std::string value_type(DType t, int lanes, std::size_t mask);
  // A division by what was prepared before the vector loop.
  bool divides_by_known(Expr e) const { return e->op == Op::Div && divisors_.contains(e->arg(1)); }
  std::string divide_by_known(Expr division, const std::string& dividend, int lanes);
  bool checked() const { return options_.checked; }
  int add_check(Symbol array, bool store);

 private:
  using Body = loops::Body;

  // --- Scopes: names are forgotten at the end of the body that declares them.
  class Scope {
   public:
    explicit Scope(Printer& printer) : printer_(printer), mark_(printer.undo_.size()) {}
    ~Scope() { printer_.forget(mark_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Printer& printer_;
    std::size_t mark_;
  };
  void forget(std::size_t mark);
  void bind(Symbol name, Binding b);
  void bind_place(Symbol name, Place p);
  bool bound(Symbol name) const { return bindings_.contains(name); }
  Local new_local(char kind, Symbol name, std::string type);

  // --- emit.cpp: the whole, and frames
  void look_ahead(const Body& statements);
  void join_rotations();
  void declare_buffer(const loops::Buffer& b, bool allocated);
  void declare_table(const loops::Buffer& b);
  void load_array(Block& out, const Frame& frame, int array, bool declare);
  Block prologue(const Frame& frame);
  std::string run_function();

  // --- statements.cpp, allocate.cpp
  void body(const Body& statements, const Form& form);
  void print_waiting();
  bool is_row_by_row(std::span<const loops::Stmt> statements, const Form& form) const;
  bool is_register(Symbol buffer) const;
  void statement(const loops::Stmt& s, const Form& form);
  void emit(const loops::For& s, const Form& form);
  void emit(const loops::If& s, const Form& form);
  void emit(const loops::Let& s, const Form& form);
  void emit(const loops::Var& s, const Form& form);
  void emit(const loops::Assign& s, const Form& form);
  void emit(const loops::Store& s, const Form& form);
  void emit(const loops::Alloc& s, const Form& form);
  void emit(const loops::VectorLoad& s, const Form& form);
  void emit(const loops::Prefetch& s, const Form& form);
  std::string some_lane_goes_on(Expr condition, const Form& form);
  void emit(const loops::Break& s, const Form& form);
  void emit(const loops::Fault& s, const Form& form);
  void emit(const loops::Rotate& s, const Form& form);
  void emit(const loops::Call& s, const Form& form);
  void emit(const loops::Comment& s, const Form& form);
  void declare_scalar(Symbol name, Expr value, bool mutates, const Form& form);
  void fault_lanes(const loops::If& s, const Form& form);
  void store_lanes(const loops::Store& s, Place& p, const Form& form);
  void allocate_array(const loops::Alloc& s);
  void allocate_lanes(const loops::Alloc& s, int lanes);
  Local buffer_part(const Place& p, char kind, std::size_t axis, const std::string& text);
  void buffer_bounds(const loops::Buffer& b, Place& p);
  void allocate_single(const loops::Alloc& s);
  void allocate_memory(const loops::Alloc& s);
  std::int64_t lay_out(const loops::Buffer& b, Place& p);
  void release_memory(std::size_t mark);
  void reload(int array);
  void settle_rotations();
  std::string leave() const;  // from the function, when status says so

  // --- loops_serial.cpp, loops_vector.cpp
  void serial_loop(const loops::For& f, const Form& form);
  void keep_scalar(const loops::For& f);
  void parallel_loop(const loops::For& f);
  void vector_loop(const loops::For& f);
  struct VectorLoop;
  void straight_line(const VectorLoop& v);
  void wide_loop(const VectorLoop& v, int chunks);
  int chunks_of_lines(const VectorLoop& v);
  void partial_loop(const VectorLoop& v, const std::string& end);
  void streaming_loop(const VectorLoop& v);
  void find_streams(VectorLoop& v);
  std::string bound(Expr e, std::string_view name, const Form& form);
  void poll();
  // divisors.cpp; `runs`: C text of the test that the loop runs at all
  void find_divisors(const loops::For& f, int lanes, const std::string& runs);
  void add_divisor(Expr divisor, const std::string& runs);

  const loops::Kernel& kernel_;
  EmitOptions options_;
  LanePlans plans_;
  Library library_;
  EmitResult result_;
  std::map<Symbol, Binding> bindings_;
  std::map<Symbol, Place> places_;
  struct Undo {
    bool is_place;
    Symbol name;
    std::optional<Binding> binding;
    std::optional<Place> place;
  };
  std::vector<Undo> undo_;
  std::map<const loops::Alloc*, int> allocated_;  // their arrays
  std::vector<const loops::Buffer*> array_buffer_;
  std::vector<std::vector<int>> rotation_groups_;  // arrays that exchange contents
  std::set<int> rotated_;
  // Stores that go around the caches now, and whether they wait until all chunks are computed.
  std::map<const loops::Store*, bool> streaming_;
  std::vector<std::pair<const loops::Store*, std::string>> waiting_;  // their lines
  std::vector<std::string> bodies_;                                   // finished functions
  std::string tables_;
  struct Divisor {
    Local value, inverse, lack, least;
  };
  std::map<Expr, Divisor> divisors_;  // of the vector loop around
  Block* out_ = nullptr;
  Frame* frame_ = nullptr;
  struct Memory {
    std::string name;
    int loop;  // depth of the loop that holds it
  };
  std::vector<Memory> memory_;  // thread memory held in this function
  int loop_depth_ = 0;          // in this function
  bool in_vector_loop_ = false;
  int next_name_ = 0, next_temporary_ = 0;
};

bool contains_loop(const loops::Stmt& s);
bool contains_loop(const loops::Body& body);

}  // namespace lathe::emit
