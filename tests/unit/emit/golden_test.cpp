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
