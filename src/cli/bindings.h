// SPDX-License-Identifier: Apache-2.0
#pragma once
// From the words of `lathe run` to parameters and arrays, and back to files.

#include <string>
#include <vector>

#include "interp/interpreter.h"

namespace lathe::cli {

// `name=value` split at the first '='. Throws UserError naming the option.
std::pair<std::string, std::string> split_assignment(const std::string& option,
                                                     const std::string& text);

// Parameters from --set; sizes that are missing are taken from the shapes of .npy inputs.
// Inputs from --in: a .npy file, random:SEED, ramp, zeros. Everything that is missing is reported in
// one error that says what to add.
interp::State bind_inputs(const ir::Program& program, const std::vector<std::string>& set,
                   const std::vector<std::string>& in);

// v[3,4] as an array and an index.
interp::Options::Watch parse_watch(const ir::Program& program, const std::string& text);

// A .npy file, or a .png picture of an array with one or two axes. The name must be an array that a
// run gives back; answers the file's name for the report.
void write_array(const std::string& name, const interp::Buffer& buffer, const std::string& file);

}  // namespace lathe::cli
