// SPDX-License-Identifier: Apache-2.0
#pragma once
// The reference interpreter of Program: the definition of the language.
//
// Expressions are evaluated over rows - the innermost range of a domain, in pieces of up to kRow
// points - one operation at a time (row_program.h), so that reading the code is reading the meaning
// and tests still run tens of millions of element operations a second.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "ir/program.h"

namespace lathe::interp {

// A dense array with its declared range: element (x0, x1, ...) with lo <= x < hi, row-major.
struct Buffer {
  ir::DType dtype = ir::DType::F64;
  std::vector<std::int64_t> lo, hi;
  std::vector<std::byte> data;

  std::int64_t extent(std::size_t axis) const;  // max(0, hi - lo)
  std::int64_t element_count() const;
  ir::Scalar at(std::span<const std::int64_t> index) const;
  void set(std::span<const std::int64_t> index, ir::Scalar value);
};
struct Bounds {
  std::vector<std::int64_t> lo, hi;
};
// Zero-filled. More bytes than 64 bits count or than the machine has are a UserError with the
// formula; of a declared array also with its name, its range as written, and its place.
Buffer make_buffer(ir::DType dtype, std::vector<std::int64_t> lo, std::vector<std::int64_t> hi);
Buffer make_buffer(const ir::Array& array, Bounds bounds);
bool same_bits(const Buffer& a, const Buffer& b);  // all NaNs are one value
// A stable digest of dtype, shape and canonicalised elements, as 16 hex digits.
std::string digest(const Buffer& b);

struct Event {  // one element written, for --watch
  ir::Symbol array;
  std::vector<std::int64_t> index;  // as users write it
  ir::Scalar before, after;
  ir::Symbol label;
  Span span;
};

// A run that takes more element operations than its caller allows.
class TooLong : public UserError {
 public:
  explicit TooLong(std::uint64_t cap)
      : UserError("the run takes more than " + std::to_string(cap) + " element operations") {}
};

struct Options {
  bool checked = false;  // bounds of `trusted` reads too, uninitialised reads, double writes,
                         // integer division by zero; each is a UserError with span, array, index
  std::int64_t while_cap = std::int64_t{1} << 31;
  std::uint64_t operation_cap = ~std::uint64_t{0};  // element operations; more: TooLong
  struct Watch {
    std::string array;
    std::vector<std::int64_t> index;
  };
  std::vector<Watch> watch;
  std::vector<Event>* events = nullptr;  // filled for watched elements
};

// Values for parameters, inputs, inouts and states; after a run also outputs, inouts, states and
// temps. Buffers of inputs must have the declared ranges.
struct State {
  std::map<std::string, ir::Scalar> parameters;
  std::map<std::string, Buffer> arrays;
};

class Interpreter {
 public:
  // The program must be verified. Throws UserError for missing or wrong bindings and, while
  // running, for errors of the program; a refused binding leaves `state` untouched.
  Interpreter(const ir::Program& program, State& state, Options options = {});
  ~Interpreter();
  void run();
  // Runs one top-level item; false when none is left. `next()` is the item that step() would run.
  bool step();
  const ir::Item* next() const;
  // Element operations executed so far.
  std::uint64_t operations() const;

 private:
  struct Machine;
  std::unique_ptr<Machine> machine_;
};

inline void run(const ir::Program& program, State& state, Options options = {}) {
  Interpreter(program, state, std::move(options)).run();
}

// The declared range of an array, with sizes bound. Throws UserError on overflow.
Bounds declared_bounds(const ir::Program& program, const ir::Array& array, const State& state);

}  // namespace lathe::interp
