// SPDX-License-Identifier: Apache-2.0
// The C text of a few kernels, below abi.h and the types: tests/golden/emit-c/. LATHE_UPDATE=1
// rewrites it.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "emit/c/emit.h"
#include "source_dir.h"
#include "unit/emit/kernels.h"

namespace lathe::testing {
namespace {

namespace fs = std::filesystem;

void compare(const std::string& name, const loops::Kernel& kernel,
             const emit::EmitOptions& options = {}) {
  const std::string all = emit::emit_c(kernel, options).text;
  const std::string last = "typedef double f64;\n";
  const std::string actual = all.substr(all.find(last) + last.size());
  const fs::path path = fs::path(source_dir()) / "tests/golden/emit-c" / (name + ".c");
  if (std::getenv("LATHE_UPDATE")) {
    std::ofstream(path) << "// SPDX-License-Identifier: Apache-2.0\n" << actual;
    return;
  }
  std::ifstream in(path);
  std::string wanted{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ("// SPDX-License-Identifier: Apache-2.0\n" + actual, wanted)
      << "LATHE_UPDATE=1 rewrites " << path;
}

TEST(Golden, Diffusion) {
  KernelBuilder k("diffusion");
  make_diffusion(k, 16);
  compare("diffusion", k.kernel);
}

TEST(Golden, DiffusionPlain) {
  KernelBuilder k("diffusion");
  make_diffusion(k, 16);
  compare("diffusion-checked", k.kernel, {.checked = true});
}

TEST(Golden, Streaming) {
  KernelBuilder k("streaming");
  make_diffusion(k, 8, true);
  compare("streaming", k.kernel);
}

// A line of memory takes two of these vectors: they are stored one right after the other. What is
// read in the same loop, too, is stored at once.
TEST(Golden, StreamingLines) {
  KernelBuilder k("streaming_lines");
  const E n = k.size("n"), i = k.var("i");
  k.argument("u", DType::F64, {{k.num(0), n}}, ir::Role::Input);
  for (const char* name : {"v", "w", "x"})
    k.argument(name, DType::F64, {{k.num(0), n}}, ir::Role::InOut);
  const E u = k.read("u", {i});
  k.kernel.body = {k.vector("i", k.num(0), n, 4,
                            {k.store("v", {i}, u + k.real(1), true), k.store("w", {i}, u * u, true),
                             k.store("x", {i}, k.read("x", {i}) - u, true)})};
  compare("streaming-lines", k.kernel, {.vector_bytes = 32});
}

TEST(Golden, TreeSum) {
  KernelBuilder k("tree_sum");
  make_tree_sum(k);
  compare("tree-sum", k.kernel);
}

TEST(Golden, RegisterTile) {
  KernelBuilder k("tile");
  make_tile(k);
  compare("tile", k.kernel);
}

// Six rows of two vectors: with 16 registers there is no room for six numbers of `a` beside them,
// so each of them is used up before the next one.
TEST(Golden, RegisterTileRowByRow) {
  KernelBuilder k("rows");
  const E n = k.size("n"), p = k.var("p"), l = k.var("l");
  k.argument("a", DType::F32, {{k.num(0), n}, {k.num(0), k.num(6)}}, ir::Role::Input);
  k.argument("b", DType::F32, {{k.num(0), n}, {k.num(0), k.num(16)}}, ir::Role::Input);
  k.argument("c", DType::F32, {{k.num(0), k.num(6)}, {k.num(0), k.num(16)}}, ir::Role::InOut);
  Body start, step, end;
  step.push_back(k.let("t", k.read("b", {p, l})));
  for (int row = 0; row < 6; ++row) {
    const std::string acc = "acc" + std::to_string(row);
    k.kernel.body.push_back(
        k.alloc(k.buffer(acc, DType::F32, Space::Lanes, {{k.num(0), k.num(16)}})));
    start.push_back(k.store(acc, {l}, k.read("c", {k.num(row), l})));
    const E t = k.param("t", DType::F32), old = k.read(acc, {l});
    step.push_back(k.store(acc, {l}, k.fma(k.read("a", {p, k.num(row)}), t, old)));
    end.push_back(k.store("c", {k.num(row), l}, old));
  }
  const auto lanes = [&](Body body) {
    return k.vector("l", k.num(0), k.num(16), 16, std::move(body));
  };
  k.kernel.body.push_back(lanes(std::move(start)));
  k.kernel.body.push_back(k.serial("p", k.num(0), n, {lanes(std::move(step))}));
  k.kernel.body.push_back(lanes(std::move(end)));
  compare("tile-row-by-row", k.kernel, {.vector_bytes = 32});
}

TEST(Golden, LazyOperands) {
  KernelBuilder k("lazy");
  const E n = k.size("n"), i = k.var("i");
  k.argument("u", DType::F64, {{k.num(0), n}}, ir::Role::Input);
  k.argument("v", DType::F64, {{k.num(0), n}}, ir::Role::Output);
  const E left = k.read("u", {i - 1}), right = k.read("u", {i + 1});
  const E inside = k.op(Op::And, {k.op(Op::Lt, {k.num(0), i}), i + 1 < n});
  const E limited = k.op(Op::Max, {left * left - right * right, k.op(Op::Exp, {left * right})});
  k.kernel.body = {k.serial(
      "i", k.num(0), n,
      {k.store("v", {i}, k.select(inside, limited, k.select(k.num(0) < i, left, k.real(0.5))))})};
  compare("lazy-operands", k.kernel);
}

TEST(Golden, IntegersAndMasks) {
  KernelBuilder k("masks");
  const E n = k.size("n"), i = k.var("i");
  k.argument("u", DType::I16, {{k.num(0), n}}, ir::Role::Input);
  k.argument("x", DType::F64, {{k.num(0), n}}, ir::Role::Input);
  k.argument("v", DType::I16, {{k.num(0), n}}, ir::Role::Output);
  const E u = k.read("u", {i});
  const E both = k.op(Op::And, {u < k.cast(DType::I16, k.num(7)), k.read("x", {i}) < k.real(0)});
  k.kernel.body = {k.vector("i", k.num(0), n, 8,
                            {k.store("v", {i}, k.select(both, u * u, k.cast(DType::I16, i)))})};
  compare("integers-and-masks", k.kernel);
}

}  // namespace
}  // namespace lathe::testing
