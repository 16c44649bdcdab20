// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a call of a program must give, and what it gets back: parameters and arguments by number,
// with all that can be known before the call.

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/formula.h"
#include "ir/program.h"

namespace lathe::api {

bool is_argument(const ir::Array& a);  // not a temporary, not a constant
// Are its extents computed by the program?
bool is_computed(const ir::Array& a);

struct ParameterInfo {
  std::string name;
  ir::DType dtype = ir::DType::I64;
  bool is_size = false;
  Span span;
};

struct ArgumentInfo {
  std::string name;
  ir::DType dtype = ir::DType::F64;
  ir::Role role = ir::Role::Input;
  std::size_t rank = 0;
  std::size_t first_axis = 0;  // where its axes begin when those of all arguments are one list
  bool computed = false;
  const ir::Array* declared = nullptr;

  bool is_read() const { return role != ir::Role::Output; }
  bool is_written() const { return role != ir::Role::Input; }
};

// lo <= index < hi.
struct AxisBounds {
  std::int64_t lo = 0, hi = 0;
};

class Signature {
 public:
  // Refers to the program and to the mutex that guards its graph: they must live as long.
  Signature(const ir::Program& program, std::mutex& graph_mutex);

  const ir::Program& program() const { return program_; }
  const std::vector<ParameterInfo>& parameters() const { return parameters_; }
  const std::vector<ArgumentInfo>& arguments() const { return arguments_; }
  std::size_t axis_count() const { return bounds_.size(); }

  // The number of that name. `guess` is looked at first: callers tend to keep the order.
  std::optional<std::size_t> find_parameter(std::string_view name, std::size_t guess = 0) const;
  std::optional<std::size_t> find_argument(std::string_view name, std::size_t guess = 0) const;

  // The declared ranges of all arguments, axis by axis; those of computed ones are left as they
  // are. Throws UserError for a bound that does not fit in 64 bits. Thread-safe.
  void evaluate(const std::uint64_t* parameters, AxisBounds* out) const;
  // Those of one array, by the interpreter, which knows every form that a bound can have.
  void evaluate_slowly(const ir::Array& array, const std::uint64_t* parameters,
                       AxisBounds* out) const;

 private:
  struct Pair {
    std::optional<Formula> lo, hi;
  };

  const ir::Program& program_;
  std::vector<ParameterInfo> parameters_;
  std::vector<ArgumentInfo> arguments_;
  std::vector<Pair> bounds_;  // of all arguments' axes
  std::mutex& graph_mutex_;   // the interpreter makes names in the program's graph
};

}  // namespace lathe::api
