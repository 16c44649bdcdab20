// SPDX-License-Identifier: Apache-2.0
#pragma once
// From the words of `lathe run` to parameters and arrays (bindings.cpp), and from arrays to files
// and lines of a report (results.cpp).

#include <string>
#include <utility>
#include <vector>

#include "interp/interpreter.h"

namespace lathe::cli {

// `name=value` split at the first '='. Throws UserError naming the option.
std::pair<std::string, std::string> split_assignment(const std::string& option,
                                                     const std::string& text);

// Parameters from --set; sizes that are missing are taken from the shapes of .npy inputs.
// Inputs from --in: a .npy file, random:SEED, ramp, zeros. A file is mapped and copied once, into
// its array. Everything that is missing is reported in one error that says what to add.
interp::State bind_inputs(const ir::Program& program, const std::vector<std::string>& set,
                          const std::vector<std::string>& in);

// A value of --set in that dtype; UserError when it is none.
ir::Scalar parse_scalar(const std::string& name, ir::DType dtype, const std::string& text);
// Is the source of --in a file? random:SEED, ramp and zeros are not; anything else is a UserError.
bool is_npy_source(const std::string& name, const std::string& source);
// From random:SEED, ramp or zeros.
void fill_generated(const std::string& name, const std::string& source, interp::Buffer& buffer);

// v[3,4] as an array and an index that something may write.
interp::Options::Watch parse_watch(const ir::Program& program, const interp::State& state,
                                   const std::string& text);

// The arrays that a run gives back, in the order of their declaration.
std::vector<std::string> result_names(const ir::Program& program);

// [3, 4]; nothing for a scalar.
std::string index_text(const std::vector<std::int64_t>& index);

// What --out asks for. Refuses names that are no result and pictures of what is no picture.
struct OutFile {
  std::string name, path;
};
std::vector<OutFile> parse_outs(const ir::Program& program, const std::vector<std::string>& out);
std::vector<OutFile> parse_outs(const std::vector<std::string>& results,
                                const std::vector<std::string>& out);

// A .npy file, or a .png picture of an array with one or two axes.
void write_array(const OutFile& out, const interp::Buffer& buffer);

struct Summary {
  std::string low, high;  // of what is not NaN, in the dtype's own text; empty when there is none
  std::int64_t nans = 0;
};
Summary summarise(const interp::Buffer& buffer);

std::vector<std::int64_t> shape_of(const interp::Buffer& buffer);

}  // namespace lathe::cli
