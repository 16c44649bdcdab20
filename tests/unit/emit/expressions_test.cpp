// SPDX-License-Identifier: Apache-2.0
// Random expressions over all operations: brackets, names for shared parts, masks of all widths,
// lazy operands. Against the interpreter's rows, bit for bit; many to a kernel.

#include <gtest/gtest.h>

#include "ir/traverse.h"
#include "property/random_expr.h"
#include "thorough.h"
#include "unit/emit/host.h"
#include "unit/emit/kernel_builder.h"

namespace lathe::testing {
namespace {

using Bound = std::vector<std::int64_t>;
constexpr std::size_t kCount = 203;
constexpr int kExpressions = 24;

std::vector<Op> quick_operations() {
  std::vector<Op> ops;
  for (Op op : all_operations())
    if (!has(op, ir::kElementary) || op == Op::Exp || op == Op::Pow) ops.push_back(op);
  return ops;
}

// Reads in place of parameters: lazy operands then have something to leave unread.
struct Expressions {
  KernelBuilder k{"expressions"};
  std::vector<Expr> roots;  // over parameters
  Environment rows;
  std::vector<std::string> names;

  explicit Expressions(std::uint64_t seed) {
    Rng rng(seed);
    RandomExprOptions options;
    options.ops = quick_operations();
    rows = random_parameters(rng, kCount, options);
    const E n = k.num(kCount), i = k.var("i");
    for (const auto& [name, row] : rows) {
      k.argument("in " + name, row.dtype, {{k.num(0), n}}, ir::Role::Input);
      names.push_back(name);
    }
    ir::RawMaker maker(k.graph());
    for (int e = 0; e < kExpressions; ++e) {
      options.operations = static_cast<int>(rng.between(5, 40));
      options.dtypes.clear();
      const DType t = static_cast<DType>(rng.below(ir::kDTypeCount));
      if (e % 2 == 0) options.dtypes = {t, DType::Bool};
      const Expr root = random_expr(maker, rng, t, options);
      const Expr read = ir::rewrite(maker, root, [&](Expr leaf) -> Expr {
        if (leaf->op != Op::Param) return nullptr;
        return k.read("in " + std::string(leaf->name.text()), {i});
      });
      roots.push_back(root);
      for (const char* form : {"lanes", "single"}) {
        const std::string out = form + std::to_string(e);
        k.argument(out, t, {{k.num(0), n}}, ir::Role::Output);
        const Kind kind = form[0] == 'l' ? Kind::Vector : Kind::Serial;
        k.kernel.body.push_back(
            k.loop(kind, "i", k.num(0), n, {k.store(out, {i}, E{&k.build(), read})}, 16));
      }
    }
  }
};

class RandomExpressions : public ::testing::TestWithParam<int> {};

TEST_P(RandomExpressions, HaveTheBitsOfTheInterpreter) {
  const std::pair<Compiler, int> builds[] = {
      {{"gcc", 1, true}, 64}, {{"clang", 2, true}, 64}, {{"gcc", 0, false}, 16}};
  const auto& [compiler, vector_bytes] = builds[GetParam() % 3];
  if (GetParam() >= 3 && !is_thorough()) GTEST_SKIP() << "one seed for each build, in quick runs";
  if (!available(compiler)) GTEST_SKIP() << "no " << compiler.name;
  const Expressions p(static_cast<std::uint64_t>(GetParam()));
  const emit::EmitOptions options{.vector_bytes = vector_bytes};
  const emit::EmitResult emitted = emit::emit_c(p.k.kernel, options);
  const Loaded loaded(emitted, options, compiler);
  const auto length = static_cast<std::int64_t>(kCount);
  std::vector<std::unique_ptr<HostArray>> arrays;
  for (const std::string& name : p.names) {
    const Row& row = p.rows.at(name);
    arrays.push_back(std::make_unique<HostArray>(row.dtype, Bound{0}, Bound{length}));
    std::memcpy(arrays.back()->at({0}), row.data.data(), row.data.size());
  }
  for (Expr root : p.roots)
    for (int form = 0; form < 2; ++form)
      arrays.push_back(std::make_unique<HostArray>(root->dtype, Bound{0}, Bound{length}));
  Host host;
  for (auto& a : arrays) host.array(*a);
  ASSERT_EQ(host.run(loaded, emitted), LATHE_FINE);
  const std::vector<Row> wanted = evaluate(p.roots, p.rows, kCount);
  for (std::size_t e = 0; e < p.roots.size(); ++e)
    for (std::size_t form = 0; form < 2; ++form)
      for (std::size_t at = 0; at < kCount; ++at) {
        const ir::Scalar got =
            arrays[p.names.size() + 2 * e + form]->get({static_cast<std::int64_t>(at)});
        if (got == wanted[e].at(at)) continue;
        FAIL() << text(compiler) << (form == 0 ? " lanes" : " single") << e << " at " << at << ": "
               << to_text(got) << ", not " << to_text(wanted[e].at(at));
      }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomExpressions, ::testing::Range(0, 6));

}  // namespace
}  // namespace lathe::testing
