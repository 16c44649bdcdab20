// SPDX-License-Identifier: Apache-2.0
// What was compiled once runs by its recipe: no schedule, no loops, the same results and messages.

#include <gtest/gtest.h>

#include "api/compiled.h"
#include "api/examples.h"
#include "api/recipe.h"
#include "device/host/temporary_folder.h"
#include "ir/text.h"

namespace lathe::testing {
namespace {

// A whole temporary, halos, and a read that may fail.
const char* const kGather = R"(program gather(n: size)
  input  at: i64[i: n]
  input  u: f32[i: -1..n+1]
  temp   t: f64[i: n]
  temp   s: f64[i: n]
  output v: f64[i: n]

  for i in 0..n: t[i] = u[i-1] + u[i+1]
  forward k in 1..n: s[k] = t[k-1] + t[at[k]]
  for i in 1..n: v[i] = s[i] + s[n-i]
)";

ir::Program parse(const char* text) {
  Diagnostics diagnostics;
  return *ir::parse_program("gather.lathe", text, diagnostics);
}

interp::State state_of(std::int64_t bad) {
  interp::State state;
  state.parameters["n"] = ir::Scalar::of_int(ir::DType::I64, 6);
  interp::Buffer at = interp::make_buffer(ir::DType::I64, {0}, {6});
  interp::Buffer u = interp::make_buffer(ir::DType::F32, {-1}, {7});
  for (std::int64_t i = 0; i < 6; ++i) {
    const std::int64_t index[1] = {i};
    at.set(index, ir::Scalar::of_int(ir::DType::I64, i == 4 ? bad : 5 - i));
    u.set(index, ir::Scalar::of_int(ir::DType::F32, i * i));
  }
  state.arrays["at"] = at;
  state.arrays["u"] = u;
  return state;
}

TEST(Recipe, IsReadBackAsItWasPrinted) {
  const ir::Program program = parse(kGather);
  api::Compiled compiled(program);
  const api::Variant& v = compiled.variant(compiled.plain_key());
  const auto text = api::print_recipe("abc", *v.plan, v.code);
  ASSERT_TRUE(text);
  const auto read = api::parse_recipe(*text, compiled.signature(), *program.graph);
  ASSERT_TRUE(read) << *text;
  EXPECT_EQ(read->kernel, "abc");
  EXPECT_EQ(api::print_recipe("abc", read->plan, read->code), text);
  std::string damaged = *text;
  damaged[damaged.find("f32")] = 'g';
  EXPECT_FALSE(api::parse_recipe(damaged, compiled.signature(), *program.graph));
}

TEST(Recipe, ASecondProcessHasNothingToDecide) {
  const host::TemporaryFolder folder("recipe");
  const ir::Program program = parse(kGather);
  const auto run = [&](std::int64_t bad, bool recalled) {
    // A cache of its own, as another process has.
    host::CacheSettings settings;
    settings.folder = folder.path();
    host::Cache cache(settings);
    api::CompileOptions options;
    options.cache = &cache;
    api::Compiled compiled(program, options);
    interp::State state = state_of(bad);
    std::string said;
    try {
      compiled.run(state);
      said = interp::digest(state.arrays.at("v"));
    } catch (const UserError& e) {
      said = e.diagnostic().message;
    }
    EXPECT_EQ(compiled.ready_variant(compiled.plain_key()).recalled, recalled);
    return said;
  };
  interp::State wanted = state_of(2);
  interp::run(program, wanted);
  EXPECT_EQ(run(2, false), interp::digest(wanted.arrays.at("v")));
  EXPECT_EQ(run(2, true), interp::digest(wanted.arrays.at("v")));
  EXPECT_EQ(run(9, true), "statement 's' reads 't' at [9], but t covers [0..6]");
}

}  // namespace
}  // namespace lathe::testing
