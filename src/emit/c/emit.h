// SPDX-License-Identifier: Apache-2.0
#pragma once
// Loops printed as C: one self-contained text without includes, in gnu11, for gcc 12 and clang 14
// or later. Its result has the bits that the interpreter gives, at every optimisation level.
//
//   kernel scale(n: size)                        int lathe_run(lathe_context *context) {
//     argument u: f64[0..n] input unit     ->      const i64 p0_n = ...
//     vector i in 0..n by 8:                       for (; x0_i + 8 <= h1; x0_i += 8) {
//       v[i] = 2.0 * u[i]                            store_f64x8(&b1_v[x0_i], ...
//
// What a vector loop does: `width` iterations are chunks of as many lanes as fit into one register
// (vector_bytes over the widest value of the body); what is left runs in parts of a chunk. A loop
// whose body differs from lane to lane in more than values (a condition, a bound) is printed as a
// plain loop. Names of the program never become C identifiers: `u` is b0_u.

#include <string>
#include <vector>

#include "ir/loops.h"

namespace lathe::emit {

struct EmitOptions {
  int vector_bytes = 64;  // of a vector register; 0: no explicit vectors
  // Every read and store tests its range and faults. Prints no vectors.
  bool checked = false;
  int optimize = 1;    // -O level; 1 is enough for explicit vectors
  bool native = true;  // for the processor of this machine, else for any of its architecture
};

// By number in lathe_context::arrays: arguments and scratch buffers in the order of
// Kernel::buffers, then those of Alloc.
struct ArraySlot {
  Symbol name;
  ir::DType dtype = ir::DType::F64;
  std::size_t rank = 0;
  bool allocated = false;  // by lathe_context::allocate
  // A copy of the buffer's layout: memory order of axes, outermost first; empty: as declared.
  std::vector<std::size_t> layout;
};

// By number, for lathe_context::call. Tables may be among the inputs.
struct CallSlot {
  Symbol function;
  std::vector<Symbol> inputs, outputs;
};

// Faults of checked mode have site kFirstCheck + n; the values are the indices.
inline constexpr std::int64_t kFirstCheck = std::int64_t{1} << 20;
struct CheckSite {
  Symbol array;
  bool store = false;
};

struct EmitResult {
  std::string text;
  // Where in the text the functions that kernels share begin, and where this kernel's own code
  // does: whoever puts many kernels into one file keeps the first of equal functions.
  std::size_t library_begin = 0, code_begin = 0;
  std::vector<std::size_t> functions;  // where in the text bodies and lathe_run begin
  std::vector<ArraySlot> arrays;
  std::vector<CallSlot> calls;
  std::vector<CheckSite> checks;
  int bodies = 0;           // lathe_body_0 ... are exported
  bool needs_libm = false;  // link with -lm
};

EmitResult emit_c(const loops::Kernel& kernel, const EmitOptions& options = {});

// What the text must be compiled with, besides -o and the file: "-std=gnu11", "-O1" ...
std::vector<std::string> emit_flags(const EmitOptions& options = {});

// abi.h as it is printed at the head of every kernel.
std::string_view abi_text();

}  // namespace lathe::emit
