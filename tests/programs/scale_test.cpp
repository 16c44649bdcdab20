// SPDX-License-Identifier: Apache-2.0
// Size is no obstacle: a chain of 100,000 operations and a program of 2,000 statements go through
// every stage without recursion over their depth, in linear memory. The suite's time budget (tests/
// CMakeLists.txt) is the limit on time.

#include <gtest/gtest.h>

#include "analysis/check_access.h"
#include "base/diagnostics.h"
#include "interp/interpreter.h"
#include "ir/text.h"
#include "ir/traverse.h"
#include "ir/verify.h"
#include "pipeline.h"
#include "rewrite/derivative.h"
#include "rewrite/rules.h"
#include "thorough.h"

namespace lathe::testing {
namespace {

ir::Program parse(const std::string& text) {
  Diagnostics diagnostics;
  auto sources = std::make_shared<SourceMap>();
  auto program = ir::parse_program("scale.lathe", text, diagnostics, sources);
  EXPECT_TRUE(program && ir::verify(*program, diagnostics)) << render_text(diagnostics, *sources);
  return std::move(*program);
}

interp::State run(const ir::Program& program) {
  interp::State state;
  state.parameters["n"] = ir::Scalar::of_int(ir::DType::I64, 3);
  interp::Buffer u = interp::make_buffer(ir::DType::F64, {0}, {3});
  for (std::int64_t i = 0; i < 3; ++i)
    u.set(std::vector{i}, ir::Scalar::of_double(ir::DType::F64, 0.25 * static_cast<double>(i)));
  state.arrays["u"] = u;
  interp::run(program, state);
  return state;
}

// x = 0.5 * x + 0.5 * x * u[i] ..., 100,000 operations that share their operands.
ir::Program chain(int operations) {
  ir::Program p = parse(
      "program chain(n: size)\n"
      "  input  u: f64[i: n]\n"
      "  output v: f64[i: n]\n\n"
      "  for i in 0..n: v[i] = u[i]\n");
  ir::RawMaker raw(*p.graph);
  const ir::Build build(raw);
  auto& s = std::get<ir::Statement>(p.body[0].node);
  const ir::Expr u = s.values[0];
  ir::Expr x = u;
  for (int k = 0; k < operations; k += 4) {
    const ir::Expr half = build.mul(build.constant(ir::DType::F64, 0.5), x);
    x = build.add(half, build.mul(half, build.sub(x, build.constant(ir::DType::F64, k % 7))));
    x = build.select(build.lt(x, u), x, u);
  }
  s.values[0] = x;
  return p;
}

// Recursion would end at about 30,000 of them.
TEST(ScaleTest, AChainOf100000Operations) {
  const int operations = is_thorough() ? 100'000 : 40'000;
  const ir::Program p = chain(operations);
  const ir::Expr value = std::get<ir::Statement>(p.body[0].node).values[0];
  EXPECT_GT(ir::post_order(value).size(), static_cast<std::size_t>(operations));

  const std::string text = ir::print(p);
  EXPECT_LT(text.size(), 20u << 20);
  const ir::Program again = parse(text);
  EXPECT_TRUE(ir::same_program(p, again));

  const std::size_t before = p.graph->bytes();
  rewrite::Simplifier simplifier(*p.graph);
  const ir::Expr simple = simplifier.simplify(value);
  EXPECT_LE(ir::dag_size(std::span(&simple, 1)), ir::post_order(value).size());
  const ir::Expr u = ir::reads(value)[0];
  const auto gradient = rewrite::reverse_derivative(simplifier, simple, std::span(&u, 1));
  ASSERT_TRUE(std::holds_alternative<std::vector<ir::Expr>>(gradient));
  EXPECT_LT(p.graph->bytes(), before + (600u << 20));

  const interp::State a = run(p), b = run(run_pipeline(again));
  EXPECT_TRUE(interp::same_bits(a.arrays.at("v"), b.arrays.at("v")));
}

TEST(ScaleTest, AProgramOf2000Statements) {
  std::string text =
      "program many(n: size)\n"
      "  input  u: f64[i: n]\n";
  for (int k = 0; k < 2000; ++k) text += "  temp   t" + std::to_string(k) + ": f64[i: n]\n";
  text += "  output v: f64[i: n]\n\n  for i in 0..n: t0[i] = u[i]\n";
  for (int k = 1; k < 2000; ++k) {
    const std::string t = "t" + std::to_string(k), last = "t" + std::to_string(k - 1);
    text += "  for i in 0..n: " + t + "[i] = " + last + "[i] * 0.5 + " + last +
            "[i-1; clamp] * 0.25 + " + std::to_string(k % 5) + "\n";
  }
  text += "  for i in 0..n: v[i] = t1999[i]\n";
  const ir::Program p = parse(text);
  EXPECT_EQ(ir::print(p), text);
  const interp::State a = run(p), b = run(run_pipeline(p));
  EXPECT_TRUE(interp::same_bits(a.arrays.at("v"), b.arrays.at("v")));
}

// Are all reads fine? Each term is evaluated where all before it hold.
bool is_fine(const std::string& term, int terms, const std::string& last) {
  std::string text =
      "program conditions(n: size)\n"
      "  input  u: f64[i: n]\n"
      "  output v: f64[i: n]\n\n  for i in 0..n: v[i] = select(i > 0";
  for (int k = 0; k < terms; ++k) text += " and " + term + std::to_string(k);
  Diagnostics diagnostics;
  return analysis::check_access(parse(text + " and " + last + ", 1, 0)\n"), diagnostics);
}

TEST(ScaleTest, AChainOf40000Conditions) {
  EXPECT_TRUE(is_fine("u[i] > ", 40'000, "u[i-1] > 0"));
  EXPECT_TRUE(is_fine("i > -", 40'000, "u[i-1] > 0"));
  // What the first term says is known far behind it.
  EXPECT_TRUE(is_fine("i > -", 150, "u[i-1] > 0"));
  EXPECT_FALSE(is_fine("i > -", 150, "u[i+1] > 0"));
}

// Each step chooses by what it changes, so a step is seen where its condition holds, where it does
// not, and at all points: only the last says something.
TEST(ScaleTest, AChainOf20000Choices) {
  std::string text =
      "program choices(n: size)\n  input  u: f64[i: n]\n  output v: f64[i: n]\n\n"
      "  for i in 0..n: v[i] = u[i]\n";
  ir::Program p = parse(text);
  ir::RawMaker raw(*p.graph);
  const ir::Build build(raw);
  auto& s = std::get<ir::Statement>(p.body[0].node);
  ir::Expr x = s.values[0];
  const auto number = [&](double v) { return build.constant(ir::DType::F64, v); };
  for (int k = 0; k < 20'000; ++k) {
    const ir::Expr more = build.add(x, number(1)), less = build.mul(x, number(0.5));
    x = build.select(build.lt(number(0), x), more, less);
  }
  s.values[0] = x;
  Diagnostics diagnostics;
  EXPECT_TRUE(analysis::check_access(p, diagnostics));
  interp::Buffer expected = interp::make_buffer(ir::DType::F64, {0}, {3});
  for (std::int64_t i = 1; i < 3; ++i)
    expected.set(std::vector{i},
                 ir::Scalar::of_double(ir::DType::F64, 20'000 + 0.25 * static_cast<double>(i)));
  EXPECT_TRUE(interp::same_bits(run(p).arrays.at("v"), expected));
}

}  // namespace
}  // namespace lathe::testing
