// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels of lazy arrays, kept in memory by the shape of their graph: the next graph of that shape,
// with other data and other sizes, runs at once.

#include <memory>
#include <string>
#include <vector>

#include "api/compiled.h"
#include "frontend/array/graph_key.h"

namespace lathe::api {

struct ArrayKernel {
  // A parameter of the program: a size of the graph, or a leaf without axes.
  struct Parameter {
    array::Dim size;
    int symbol = -1;  // of a size that is one symbol: its number
    int leaf = -1;    // else the value of that leaf
    ir::DType dtype = ir::DType::I64;
  };
  // An argument: a leaf, or a result.
  struct Argument {
    int leaf = -1, result = -1;
  };

  std::vector<std::uint64_t> words;  // of its key
  bool checked = false, interpret = false;
  std::unique_ptr<Compiled> compiled;
  std::vector<array::SymbolRef> symbols;
  std::vector<Parameter> parameters;
  std::vector<Argument> arguments;
  std::string text, explanation;  // of the program, and of what is stored and why
};

// So many are kept: the ones that were used last.
constexpr std::size_t kKeptArrayKernels = 1024;

// The kernel for graphs of that key, compiled so; made when there is none.
std::shared_ptr<ArrayKernel> array_kernel(const array::GraphKey& key, const array::Nodes& outputs,
                                          const array::Sizes& sizes, const array::NodeSet& leaves,
                                          const CompileOptions& how);

// How many kernels were made in this process: tests ask.
std::size_t array_kernel_count();

std::string explain(const array::Lowered& lowered);

}  // namespace lathe::api
