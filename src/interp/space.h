// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a running program stands on: the values of its variables and parameters, and its arrays.
//
// Besides the declared arrays there are hidden ones, made by the interpreter itself: the masks of
// branches and the locals of groups. They are read and written like any other.

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interp/interpreter.h"
#include "interp/row_ops.h"

namespace lathe::interp {

using ir::DType;
using ir::Expr;

class RowProgram;

using Id = std::uint32_t;  // of arrays, variables and values: small numbers, dense
inline constexpr Id kNone = 0xffffffff;

inline constexpr std::size_t kRow = 512;  // points that are evaluated together

// An error of the program at one point, before it is known whether anybody needs the value.
struct Fault {
  enum class Kind { OutOfRange, Unwritten, DivisionByZero, NegativePower };
  Kind kind = Kind::OutOfRange;
  Expr node = nullptr;              // the read, or the operation; null: a write to `array`
  Symbol array;                     // OutOfRange, Unwritten
  std::vector<std::int64_t> index;  // OutOfRange, Unwritten
  // The variables that the node speaks of, at that point.
  std::vector<std::pair<Symbol, std::int64_t>> point;
};

struct RunArray {
  Symbol name;
  DType dtype = DType::F64;
  const ir::Array* declared = nullptr;  // null: hidden
  std::string what;                     // of a hidden one, for messages: "the local 't'"
  Buffer* buffer = nullptr;             // null: not allocated yet
  std::vector<std::int64_t> stride;     // in elements
  // Checked mode only. Has the element been written? Empty: all count as written.
  std::vector<std::uint8_t> written;
  // Checked mode only. The last statement run that set the element: finds double writes.
  std::vector<std::uint64_t> set_by;
  bool watched = false;

  std::size_t rank() const { return stride.size(); }
  std::byte* element(std::int64_t offset) const {
    return buffer->data.data() + static_cast<std::size_t>(offset) * ir::size_bytes(dtype);
  }
  std::vector<std::int64_t> index_of(std::int64_t offset) const;
};

// Elements of one array to be written: element `offset[p]`, or `first + p * step` without a row.
struct Places {
  const std::int64_t* offset = nullptr;
  std::int64_t first = 0, step = 0;
  std::int64_t at(std::size_t p) const {
    return offset != nullptr ? offset[p] : first + static_cast<std::int64_t>(p) * step;
  }
};

// What an element held before it was written: lets a branch be undone.
struct Undo {
  Id array;
  std::int64_t offset;
  std::uint64_t bits;
  std::uint8_t written;
};
using UndoLog = std::vector<Undo>;

class Space {
 public:
  // Parameters must be bound.
  Space(const ir::Program& program, State& state, const Options& options);
  ~Space();
  Space(const Space&) = delete;

  const ir::Program& program;
  State& state;
  const Options& options;
  std::uint64_t operations = 0;

  // --- Variables: loop variables and counters, by a dense number.
  Id variable(Symbol name);
  std::int64_t& value(Id variable) { return values_[variable]; }
  ir::Scalar parameter(Symbol name) const;
  // One integer or bool, now. Throws a Fault.
  std::int64_t evaluate(Expr e);

  // --- Arrays.
  Id find(Symbol name) const;  // must exist
  RunArray& array(Id id) { return arrays_[id]; }
  RunArray& allocated(Id id) {  // allocates at first use
    if (arrays_[id].buffer == nullptr) [[unlikely]]
      allocate(id);
    return arrays_[id];
  }
  void attach(Id id, Buffer& buffer);  // a buffer that the caller gave
  // A new array without bounds yet. `what` names it in messages: "the local 't'".
  Id hidden(std::string_view stem, DType t, std::string what);
  void reset(Id id, Bounds bounds);  // zero-filled
  Symbol name_of(Id id) const { return arrays_[id].name; }
  std::size_t array_count() const { return arrays_.size(); }
  void rotate(std::span<const Id> ids);

  // Locals of the group that is being compiled or run: reads of the name mean its hidden array at
  // the group's point.
  struct Local {
    Id array = kNone;
    std::vector<Expr> indices;
  };
  std::unordered_map<Symbol, Local> locals;

  // --- Writing. `values` is a row of the array's dtype; NaNs become canonical on the way.
  // `active` says which points count (null: all). `set`: a plain set, where double writes are
  // errors.
  void write(Id id, const Places& places, const void* values, const std::uint8_t* active,
             std::size_t n, bool set);
  void fill(Id id, ir::Scalar value);
  UndoLog* log = nullptr;  // of the innermost branch that must be undone, if any
  // Takes writes out of the arrays, last one first; the log then holds the values taken out.
  void undo(UndoLog& log);
  // Writes them again, into the log around.
  void redo(const UndoLog& undone);

  // --- Messages. The item that runs; each run of a statement counts.
  Symbol label;
  Span span;
  void begin_run(Symbol item, Span where) {
    label = item;
    span = where;
    ++run_;
  }
  [[noreturn]] void fail(const Fault& fault) const;

 private:
  void allocate(Id id);
  void note_write(RunArray& a, Id id, std::int64_t offset, const void* value, bool set);
  [[noreturn]] void fail_twice(const RunArray& a, std::int64_t offset) const;

  std::deque<RunArray> arrays_;  // they keep their addresses while hidden ones are added
  std::unordered_map<Symbol, Id> array_ids_;
  std::unordered_map<Symbol, Id> variable_ids_;
  std::vector<std::int64_t> values_;
  std::unordered_map<Symbol, ir::Scalar> parameters_;
  std::deque<Buffer> hidden_;
  std::unordered_map<Expr, std::unique_ptr<RowProgram>> scalars_;
  std::uint64_t run_ = 0;
};

// An array in a message: "input 'u' over [0..n] = [0..100]", and where it is declared.
struct Described {
  std::string text;
  Span span;
};
Described describe(const ir::Array& array, const Bounds& bounds);
// The size of an array, checked for overflow (UserError with the formula).
std::int64_t byte_count(DType dtype, const Bounds& bounds, const Described& what);
// An array of the interpreter's own.
Buffer make_buffer(DType dtype, Bounds bounds, const Described& what);
Bounds bounds_of(const Buffer& buffer);
std::string declared_text(const ir::Array& array);  // [0..n, -1..m+1]
std::string range_text(const std::vector<std::int64_t>& lo, const std::vector<std::int64_t>& hi);
std::string index_text(const std::vector<std::int64_t>& index);

}  // namespace lathe::interp
