// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program of bench/programs with its arguments in memory: inputs filled, results ready to be
// written by whoever runs next.

#include <map>
#include <string>
#include <vector>

#include "api/compiled.h"
#include "device/host/memory.h"
#include "ir/program.h"
#include "road/rows.h"

namespace lathe::bench {

// Parsed and verified; `dtype` takes the place of f64 in the text. Throws UserError.
ir::Program load_program(const std::string& folder, const std::string& bench,
                         const std::string& dtype);

// Multiples of 2^-24 in [0, 1) that look random; the same numbers as peers/inputs.py.
void fill(ir::DType dtype, void* data, std::int64_t count, std::uint64_t seed);

struct Argument {
  std::string name;
  ir::Role role = ir::Role::Input;
  ir::DType dtype = ir::DType::F64;
  std::vector<std::int64_t> lo, hi, shape;
  std::int64_t count = 1;
  host::Block memory;
};

class Workspace {
 public:
  Workspace(const ir::Program& program, const Sizes& sizes);

  const Sizes& sizes() const { return sizes_; }
  const std::vector<Argument>& arguments() const { return arguments_; }
  std::vector<std::int64_t> parameters() const { return parameters_; }  // as declared
  api::Compiled::Arguments call_arguments() const;
  // Poisons outputs and fills what is updated in place anew.
  void reset();
  // `count` elements of the result, evenly spread.
  std::vector<double> sample(std::size_t count) const;
  std::int64_t bytes() const;  // of all arguments

 private:
  Sizes sizes_;
  std::vector<std::int64_t> parameters_;
  std::vector<Argument> arguments_;
};

}  // namespace lathe::bench
