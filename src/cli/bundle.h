// SPDX-License-Identifier: Apache-2.0
#pragma once
// `lathe emit`: a program as a folder of C files that need no Lathe.
//
//   NAME.c    the kernel as `lathe explain --stage c` shows it, between a runtime of a hundred
//   lines
//             in place of Lathe's own (OpenMP, malloc) and the plain function NAME_run
//   NAME.h    that function: what it takes, in which shape, what it answers
//   golden.h  inputs, and the results that the interpreter gives, as bits
//   test.c    runs NAME_run on them, with and without gaps between rows, on 1 to 3 threads
//   Makefile  the flags that keep the bits

#include <string>
#include <string_view>
#include <vector>

#include "api/compiled.h"
#include "interp/interpreter.h"

namespace lathe::cli {

struct BundleFile {
  std::string name, text;
};

// A parameter or an array of the program in C.
struct BundleName {
  std::string c;      // what NAME.h and test.c call it; never a word of C or C++
  std::string local;  // what NAME.c calls it: p0, a0
};

struct Bundle {
  std::string name;      // of the files
  std::string function;  // NAME_run
  std::string source;    // the program's file, for comments
  const api::Signature* signature = nullptr;
  const api::Variant* variant = nullptr;
  std::vector<BundleName> parameters, arguments;
  // Of the golden data.
  const interp::State *inputs = nullptr, *results = nullptr;
};

// Throws UserError for what a bundle cannot do.
Bundle plan_bundle(const std::string& file, api::Compiled& compiled, const interp::State& inputs,
                   const interp::State& results);

// The files.
std::string bundle_source(const Bundle& bundle);  // NAME.c
// Of NAME.c: operations on whole arrays (sort ...), as the function rt_function.
std::string bundle_calls(const Bundle& bundle);
// Throws UserError for one that is not carried.
void check_calls(const api::Variant& variant);
std::string bundle_header(const Bundle& bundle);    // NAME.h
std::string bundle_golden(const Bundle& bundle);    // golden.h
std::string bundle_test(const Bundle& bundle);      // test.c
std::string bundle_makefile(const Bundle& bundle);  // Makefile
std::vector<BundleFile> bundle_files(const Bundle& bundle);

// --- Shared by them.

std::string c_type(ir::DType t);     // double, int32_t; 16-bit floats are uint16_t, bool is uint8_t
std::string bits_type(ir::DType t);  // uint64_t: as wide
std::string c_string(std::string_view text);  // with quotes
// NAME_run(...) without a semicolon. `local`: with the names of NAME.c.
std::string prototype(const Bundle& bundle, bool local);
// Arrays with two or more axes may have gaps between rows.
bool has_strides(const api::ArgumentInfo& a);

// --- The folder (bundle_folder.cpp).

// All files appear, or none. A folder that holds anything but an unchanged bundle is refused with
// the name of what is in the way.
void write_bundle(const std::string& folder, const std::vector<BundleFile>& files);

}  // namespace lathe::cli
