// SPDX-License-Identifier: Apache-2.0
// Kernels to text and back.

#include "ir/loops_text.h"

#include <gtest/gtest.h>

#include "ir/build.h"
#include "unit/ir/loops_samples.h"
#include "unit/ir/parse.h"

namespace lathe::loops {
namespace {

TEST(LoopsText, SamplesPrintAsTheyAreWritten) {
  for (const Sample& sample : kSamples) {
    const auto first = parse(sample.text);
    ASSERT_TRUE(first) << sample.name;
    std::string expected(sample.text);
    if (sample.name == "holes") expected.erase(expected.find("\n\n"), 1);
    EXPECT_EQ(to_text(*first), expected);
    const auto second = parse(to_text(*first));
    ASSERT_TRUE(second) << sample.name;
    EXPECT_TRUE(same_kernel(*first, *second)) << sample.name;
  }
}

TEST(LoopsText, SamplesDifferFromOneAnother) {
  std::vector<Kernel> kernels;
  for (const Sample& sample : kSamples) kernels.push_back(*parse(sample.text));
  for (std::size_t a = 0; a < kernels.size(); ++a)
    for (std::size_t b = 0; b < kernels.size(); ++b)
      EXPECT_EQ(same_kernel(kernels[a], kernels[b]), a == b);
}

TEST(LoopsText, EveryFieldCounts) {
  const std::string text(kSamples[0].text);
  const auto kernel = parse(text);
  const std::pair<std::string, std::string> changes[] = {
      {"grain 16", "grain 8"},
      {"by 8", "by 4"},
      {"parallel i in 0..n:", "for i in 0..n:"},
      {"input unit", "input"},
      {"a * lap", "a + lap"},
      {"examples/", "example/"},
      {"output", "inout"},
      {"scratch lap: f64[0..n, 0..m]", "scratch lap: f64[0..m, 0..m]"},
      {"t.0", "t.5"},
      {"kernel diffuse", "kernel k"}};
  for (const auto& [from, to] : changes) {
    std::string changed = text;
    for (std::size_t at = changed.find(from); at != std::string::npos;
         at = changed.find(from, at + to.size()))
      changed.replace(at, from.size(), to);
    ASSERT_NE(changed, text) << from;
    const auto other = parse(changed);
    ASSERT_TRUE(other) << changed;
    EXPECT_FALSE(same_kernel(*kernel, *other)) << from;
  }
}

TEST(LoopsText, WordsOfKernelsMayNameThings) {
  const std::string text = R"(kernel words(step: size)
  argument load: f64[0..step] inout
  scratch table: f64

  for parallel in 0..step step 2:
    var stream: f64 = load[parallel]
    stream = stream + 1
    table = stream
    load[parallel] = table
)";
  const auto kernel = parse(text);
  ASSERT_TRUE(kernel);
  EXPECT_EQ(to_text(*kernel), text);
}

TEST(LoopsText, ReadsAreTrustedUnlessTheySayOtherwise) {
  const auto kernel = parse("kernel k(n: size)\n  argument u: f64[0..n] inout\n\n  u[0] = u[1]\n");
  const auto& store = std::get<Store>(kernel->body[0].node);
  EXPECT_EQ(store.value->policy, ir::Policy::Trusted);
  const std::string text =
      "kernel k(n: size)\n  argument u: f64[0..n] inout\n\n  u[0] = u[1; clamp]\n";
  EXPECT_EQ(to_text(*parse(text)), text);
}

TEST(LoopsText, SpansOfSitesSurvive) {
  auto sources = std::make_shared<SourceMap>();
  sources->add("a program.lathe", "one\ntwo three\n");
  const std::string text =
      "kernel k(n: size)\n"
      "  site 0: division in v (i, j)  # a // b  # @a program.lathe:2:5+5\n";
  const auto kernel = parse(text, nullptr, sources);
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->sites[0].operation, "a // b");
  EXPECT_EQ(sources->text(kernel->sites[0].span), "three");
  TextOptions options;
  options.spans = true;
  EXPECT_EQ(to_text(*kernel, options), text);
}

TEST(LoopsText, LongAndDeepKernelsTakeLinearTime) {
  // A deep expression, a long body and a deep nest: seconds if anything were quadratic.
  Kernel k;
  k.graph = std::make_shared<ir::Graph>();
  k.name = k.graph->symbol("long");
  k.parameters.push_back({k.graph->symbol("n"), true, DType::I64, {}});
  ir::RawMaker maker(*k.graph);
  const ir::Build build(maker);
  Expr e = k.graph->param(k.graph->symbol("n"), DType::I64);
  for (int i = 0; i < 20000; ++i) e = build.sub(build.integer(i), e);
  k.body.push_back({Let{k.graph->symbol("deep"), e}});
  for (int i = 0; i < 10000; ++i) {
    const Symbol name = k.graph->symbol("x" + std::to_string(i));
    k.body.push_back({Let{name, build.add(build.integer(i), build.integer(1))}});
  }
  Body nest;
  for (int i = 0; i < 120; ++i) {
    For f;
    f.variable = k.graph->symbol("loop" + std::to_string(i));
    f.lo = build.integer(0);
    f.hi = build.integer(2);
    f.body = std::move(nest);
    nest.clear();
    nest.push_back({std::move(f)});
  }
  k.body.push_back(std::move(nest[0]));
  const std::string text = to_text(k);
  const auto again = parse(text);
  ASSERT_TRUE(again);
  EXPECT_TRUE(same_kernel(k, *again));
  EXPECT_EQ(to_text(*again), text);
}

TEST(LoopsText, ErrorsSayWhatIsWrong) {
  const std::pair<std::string, std::string> cases[] = {
      {"program k()\n", "expected 'kernel', not 'program'"},
      {"kernel k()\n  x = 1\n", "unknown name 'x'"},
      {"kernel k()\n  argument u: f64[0..3] inout\n  vector i in 0..3:\n    u[i] = 1\n",
       "expected 'by' after the bounds of a vector loop"},
      {"kernel k()\n  argument u: f64[0..3]\n", "expected the role of an argument"},
      {"kernel k()\n  site 1: range of u\n", "this is site 0"},
      {"kernel k()\n  site 0: rang of u\n", "expected what goes wrong at the site"},
      {"kernel k()\n  for i in 0..3:\n    scratch t: f64\n", "declarations come before"},
      {"kernel k()\n  for i in 0..3 step 1.5:\n", "expected the number of iterations"},
      {"kernel k()\n  else:\n", "this 'else' belongs to no 'if'"},
      {"kernel k()\n  break\n", "unknown name 'break'"},
      {"kernel k()\n  if true:\n    let x = 1\n  let y = x\n", "unknown name 'x'"},
      {"kernel k()\n  if true:\n    stack s: f64\n  s = 1\n", "unknown name 's'"},
  };
  for (const auto& [text, expected] : cases) {
    std::string messages;
    EXPECT_FALSE(parse(text, &messages)) << text;
    EXPECT_NE(messages.find(expected), std::string::npos) << messages;
  }
}

TEST(LoopsText, HeadsAreOneLine) {
  const auto kernel = parse(kSamples[0].text);
  EXPECT_EQ(head_text(kernel->body[1]), "parallel i in 1..n-1 grain 16:");
}

}  // namespace
}  // namespace lathe::loops
