// SPDX-License-Identifier: Apache-2.0
// What the verifier of kernels refuses, one test per reason.

#include "ir/loops_verify.h"

#include <gtest/gtest.h>

#include "unit/ir/loops_samples.h"
#include "unit/ir/parse.h"

namespace lathe::loops {
namespace {

std::string refusals(const Kernel& kernel) {
  Diagnostics diagnostics;
  const bool good = verify(kernel, diagnostics);
  EXPECT_EQ(good, !diagnostics.has_errors());
  return render_text(diagnostics, SourceMap());
}

constexpr std::string_view kHeader = R"(kernel k(n: size, a: f64)
  argument u: f64[0..n] input
  argument v: f64[0..n] output
  scratch w: f64[0..n]
  table c: f64[0..3] = [1, 2, 3]
  scratch s: i64
  site 0: range trusted of u in v (i)
  site 1: division in v (i)  # 1 // s
)";

TEST(LoopsVerify, SamplesAreWellFormed) {
  for (const Sample& sample : kSamples) EXPECT_EQ(refusals(*parse(sample.text)), "") << sample.name;
}

struct Case {
  std::string_view body, reason;
};

constexpr Case kBodies[] = {
    // Names.
    {"for i in 0..n:\n  for i in 0..n:\n    v[i] = 0", "'i' is bound already"},
    {"let a = 1", "'a' is bound already"},
    {"let x = 1\nlet x = 2", "'x' is bound already"},
    {"stack w: f64", "'w' is bound already"},
    // dtypes.
    {"for i in 0..f64(n):\n  v[i] = 0", "the upper bound must be i64, not f64"},
    {"for i in 0i32..n:\n  v[i] = 0", "the lower bound must be i64, not i32"},
    {"if s:\n  s = 1", "the condition must be bool, not i64"},
    {"for i in 0..n:\n  break if s", "the condition must be bool, not i64"},
    {"v[a] = 1", "an index is f64, but indices are integers"},
    {"v[0] = w[a]", "an index of 'w' is f64, but indices are integers"},
    {"fault 0 (a, 1)", "a value of the fault must be i64, not f64"},
    // Reads and stores.
    {"v[0] = w[0; clamp]", "'w' is read with the policy 'clamp'"},
    {"v[0] = w[0, 1]", "'w' has 1 axis, but is used with 2 indices"},
    {"v[0, 1] = 1", "'v' has 1 axis, but is used with 2 indices"},
    {"v[0] = sum i in 0..n: w[i]", "the operation 'Reduce' has no place in a kernel"},
    {"let x = inside w[3]", "the operation 'Inside' has no place in a kernel"},
    {"c[0] = 1", "the table 'c' is written"},
    {"u[0] = 1", "the input 'u' is written"},
    {"stack t: f64[0..4]\nstream t[0] = 1", "a streaming store goes to an argument or a scratch"},
    // Scalars.
    {"let x = 1\nx = 2", "'x' cannot be assigned: it is not a var"},
    {"a = 2", "'a' cannot be assigned: it is not a var"},
    {"for i in 0..n:\n  i = 2", "'i' cannot be assigned: it is not a var"},
    {"var x: i64 = 0\nparallel i in 0..n:\n  x = i",
     "'x' belongs outside of the parallel loop that assigns it"},
    {"var x: i64 = 0\nvector i in 0..n by 4:\n  x = i",
     "'x' belongs outside of the vector loop that assigns it"},
    // Loops.
    {"parallel i in 0..n:\n  for j in 0..n:\n    parallel k in 0..n:\n      w[k] = 1",
     "a parallel loop stands inside of another one"},
    {"vector i in 0..n by 3:\n  v[i] = 0", "the width of a vector loop is a power of two, not 3"},
    {"vector i in 0..n by 0:\n  v[i] = 0", "the width of a vector loop is a power of two, not 0"},
    {"for i in 0..n step 0:\n  v[i] = 0", "the step of a loop is at least 1"},
    {"parallel i in 0..n grain 0:\n  v[i] = 0", "the grain of a parallel loop is at least 1"},
    {"vector i in 0..n by 4:\n  if i < 3:\n    v[i] = 0", "this cannot stand in a vector loop"},
    {"vector i in 0..n by 4:\n  for k in 0..3:\n    v[i] = 0",
     "this cannot stand in a vector loop"},
    {"vector i in 0..n by 4:\n  for k in 0..n:\n    break if v[i] > 0\n    v[i] = 0",
     "this cannot stand in a vector loop"},
    {"vector i in 0..n by 4:\n  fault 0 (i, i)", "this cannot stand in a vector loop"},
    {"vector i in 0..n by 4:\n  stack x: f64", "this cannot stand in a vector loop"},
    {"vector i in 0..n by 4:\n  load p = u[i] width 4", "this cannot stand in a vector loop"},
    {"for i in 0..n:\n  vector j in 0..n by 4:\n    break if j == 3",
     "this cannot stand in a vector loop"},
    {"break if s == 0", "'break' leaves a serial loop"},
    {"for i in 0..n:\n  parallel j in 0..n:\n    break if j == 3", "'break' leaves a serial loop"},
    // Lanes.
    {"lanes x: f64[0..8]\nx[0] = 1", "the lanes 'x' are used in another way than lane by lane"},
    {"lanes x: f64[0..8]\nvector l in 0..8 by 4:\n  x[l] = 1", "in another way than lane by lane"},
    {"lanes x: f64[0..8]\nvector l in 0..4 by 4:\n  x[l] = 1", "in another way than lane by lane"},
    {"lanes x: f64[0..8]\nvector l in 0..8 by 8:\n  v[l] = x[7 - l]",
     "in another way than lane by lane"},
    {"lanes x: f64[0..8]\nparallel i in 0..n:\n  vector l in 0..8 by 8:\n    x[l] = 1",
     "'x' are the lanes of one thread"},
    {"lanes x: f64[0..6]", "the lanes 'x' must have one axis 0..W, W a power of two"},
    {"lanes x: f64[1..8]", "the lanes 'x' must have one axis 0..W, W a power of two"},
    {"lanes x: f64[0..4, 0..4]", "the lanes 'x' must have one axis 0..W, W a power of two"},
    {"lanes x: f64[0..n]", "the extents of the lanes buffer 'x' must be constants"},
    // Allocations.
    {"stack x: f64[0..n]", "the extents of the stack buffer 'x' must be constants"},
    {"for i in 0..n:\n  allocate scratch x: f64[0..n]",
     "scratch buffers are allocated in the kernel's own body"},
    {"if s == 0:\n  allocate argument x: f64[0..n] output",
     "argument buffers are allocated in the kernel's own body"},
    {"allocate argument x: f64[0..n] input", "an argument that is allocated must be an output"},
    {"allocate table x: f64[0..1] = [1]", "a table is declared before the body"},
    {"let m = n + 1\nallocate scratch x: f64[0..m]", "the extents of 'x' speak of the scalar 'm'"},
    {"thread x: f64[0..a]", "the upper bound of an axis must be i64, not f64"},
    {"thread x: f64[0..n, 0..n] layout 0, 0", "the layout of 'x' does not name each axis once"},
    {"thread x: f64[0..n, 0..n] layout 1", "the layout of 'x' does not name each axis once"},
    // Loads and prefetches.
    {"load p = u[0] width 0", "a load takes 1 to 64 elements, not 0"},
    {"load p = s width 2", "'s' has no axis to load along"},
    {"load p = u[0] width 2\nv[0] = p[2]", "'p' is read at 2, but holds 2 elements"},
    {"load p = u[0] width 2\nv[0] = p[s]", "'p' are read at something else than one constant"},
    {"load p = u[0] width 2\np[0] = 1", "'p' is not a buffer that can be written"},
    {"load p = u[0, 1] width 2", "'u' has 1 axis, but is used with 2 indices"},
    {"stack x: f64[0..4]\nprefetch x[0]", "'x' is at hand already"},
    {"prefetch u[0, 1]", "'u' has 1 axis, but is used with 2 indices"},
    // Faults.
    {"fault 7", "there is no site 7"},
    {"fault 0", "the fault has 0 values, which does not fit site 0"},
    {"fault 1 (1, 2)", "the fault has 2 values, which does not fit site 1"},
    // Whole buffers.
    {"rotate v", "rotating one buffer changes nothing"},
    {"rotate v, w, v", "'v' is rotated twice"},
    {"rotate v, u", "the input 'u' cannot be rotated"},
    {"rotate w, c", "the table buffer 'c' cannot be rotated"},
    {"rotate w, s", "they differ in dtype, extents or layout"},
    {"parallel i in 0..n:\n  rotate v, w", "a rotation cannot stand in a parallel loop"},
    {"call argsort(v) -> s", "the result 's' of 'argsort' must have 1 axis, not 0"},
    {"call sort(v) -> u", "cannot be written"},
    {"call shuffle(v) -> w", "there is no operation 'shuffle' to call"},
    {"thread x: f64[0..n]\ncall sort(x) -> w", "the thread buffer 'x' cannot be passed to a call"},
    {"parallel i in 0..n:\n  call sort(v) -> w", "a call cannot stand in a parallel loop"},
};

TEST(LoopsVerify, BodiesAreRefusedWithAReason) {
  for (const Case& c : kBodies) {
    std::string text(kHeader);
    text += "\n  ";
    for (char x : c.body) text += x == '\n' ? std::string("\n  ") : std::string(1, x);
    const auto kernel = parse(text + "\n");
    if (!kernel) continue;
    const std::string said = refusals(*kernel);
    EXPECT_NE(said.find(c.reason), std::string::npos) << c.body << "\nsays\n" << said;
    // Nothing else is wrong.
    EXPECT_EQ(said.find("error:", said.find("error:") + 1), std::string::npos) << c.body << said;
  }
}

constexpr Case kDeclarations[] = {
    {"argument x: f64[0..n] input unit\n  argument x: f64 output", "'x' is bound already"},
    {"scratch s: i64\n  scratch x: f64[0..s]", "depend on more than parameters and constants"},
    {"argument x: f64 input unit", "'x' cannot be 'unit'"},
    {"argument x: f64[0..n] input layout 0", "the argument 'x' has a layout"},
    {"table x: f64[0..n] = []", "the extents of the table 'x' must be constants"},
    {"site 0: range in v", "the site must say which array it is about"},
    {"site 0: division of u in v  # 1 // 2", "a site of this kind is not about an array"},
    {"site 0: division in v", "the site must say which operation it is about"},
    {"site 0: twice write of u in v", "only a site of kind 'range' tells reads from writes"},
    {"site 0: range write trusted of u in v", "only a read that may be out of range is 'trusted'"},
    {"site 0: unwritten trusted of u in v", "only a read that may be out of range is 'trusted'"},
    {"site 0: range of u in v  # hm", "a site of this kind is not about an operation"},
};

TEST(LoopsVerify, DeclarationsAreRefusedWithAReason) {
  for (const Case& c : kDeclarations) {
    const auto kernel = parse("kernel k(n: size)\n  " + std::string(c.body) + "\n");
    if (!kernel) continue;
    const std::string said = refusals(*kernel);
    EXPECT_NE(said.find(c.reason), std::string::npos) << c.body << "\nsays\n" << said;
  }
}

// What no text gives.
TEST(LoopsVerify, KernelsMadeByHandAreRefusedWithAReason) {
  const Kernel good = *parse(kSamples[0].text);
  const auto refused = [&](auto&& change) {
    Kernel k = good;
    change(k, std::get<For>(k.body[1].node));
    return refusals(k);
  };
  ir::Graph& g = *good.graph;
  const Expr one = g.constant(ir::Scalar::of_int(DType::I64, 1));
  const auto expect = [&](const std::string& said, std::string_view reason) {
    EXPECT_NE(said.find(reason), std::string::npos) << said;
  };
  expect(refused([&](Kernel&, For& f) { f.lo = nullptr; }), "an expression is missing");
  expect(refused([&](Kernel&, For& f) { f.down = true; }), "only serial loops run down");
  expect(refused([&](Kernel&, For& f) { f.width = 2; }), "only vector loops have a width");
  expect(refused([&](Kernel&, For& f) { std::get<For>(f.body[0].node).step = 2; }),
         "a vector loop has no step");
  expect(refused([&](Kernel&, For& f) { std::get<For>(f.body[0].node).grain = 2; }),
         "only parallel loops have a grain");
  expect(refused([&](Kernel&, For& f) { f.variable = g.symbol("for"); }), "cannot be a name");
  expect(refused([&](Kernel&, For& f) { f.hi = g.index(g.symbol("z")); }), "'z' is not bound here");
  expect(refused([&](Kernel&, For& f) { f.hi = g.param(g.symbol("u"), DType::I64); }),
         "'u' is used as a scalar, but is none");
  expect(refused([&](Kernel&, For& f) { f.hi = g.index(g.symbol("n")); }),
         "'n' is used as a loop variable, but is none");
  expect(refused([&](Kernel&, For& f) { f.hi = g.param(g.symbol("a"), DType::I64); }),
         "'a' is f64, but is used as i64");
  expect(refused([&](Kernel&, For& f) {
           f.body.push_back({Store{g.symbol("q"), {one}, one}});
         }),
         "there is no buffer 'q' here");
  expect(refused([&](Kernel&, For& f) {
           f.body.push_back({Store{g.symbol("v"), {one, one}, one}});
         }),
         "the value for 'v' must be f64, not i64");
  expect(refused([&](Kernel&, For& f) {
           f.body.push_back({Assign{g.symbol("q"), one}});
         }),
         "'q' is not bound here");
  expect(refused([&](Kernel&, For& f) {
           const Expr read =
               g.read(g.symbol("u"), DType::I64, std::vector<Expr>{one, one}, ir::Policy::Trusted);
           f.body.push_back({Let{g.symbol("q"), read}});
         }),
         "'u' is f64, but is read as i64");
  expect(refused([&](Kernel& k, For&) { k.body.push_back({Comment{"a\nb"}}); }),
         "a comment is one line");
  expect(refused([&](Kernel& k, For&) { k.buffers[0].space = Space::Thread; }),
         "thread buffers are declared in the body that uses them");
  expect(refused([&](Kernel& k, For&) { k.buffers[0].role = ir::Role::Temp; }),
         "is neither input, output, inout nor state");
  expect(refused([&](Kernel& k, For&) { k.buffers[2].values.resize(3); }),
         "'lap' has values, but is not a table");
  expect(refused([&](Kernel& k, For&) { k.parameters[0].dtype = DType::I32; }),
         "the size 'n' must be i64");
  expect(refused([&](Kernel& k, For&) {
           k.sites.push_back({Site::Kind::Division, false, {}, {}, {}, "a\n", {}});
         }),
         "the operation of a site is one line without '#'");
  Kernel tables = *parse("kernel k()\n  table c: f64[0..2] = [1, 2]\n");
  tables.buffers[0].values.pop_back();
  expect(refusals(tables), "the table 'c' has 1 values, but its extents ask for 2");
  tables.buffers[0].values.push_back(ir::Scalar::of_int(DType::I64, 1));
  expect(refusals(tables), "the table 'c' is f64, but holds a value of i64");
  expect(refused([&](Kernel&, For& f) {
           for (int i = 0; i < 2 * kMaxLoopNesting; ++i) {
             If s;
             s.condition = g.constant(ir::Scalar::of_bool(true));
             s.then_body = std::move(f.body);
             f.body = {};
             f.body.push_back({std::move(s)});
           }
         }),
         "statements are nested deeper than 128");
}

TEST(LoopsVerify, RefusalsShowTheStatementAndTheLoopsAround) {
  const auto kernel = parse(
      "kernel k(n: size)\n  argument v: f64[0..n] input\n\n  parallel i in 0..n:\n    v[i] = 1\n");
  EXPECT_EQ(refusals(*kernel),
            "error: the input 'v' is written\n"
            "  note: in: v[i] = 1\n"
            "  note: inside of: parallel i in 0..n:\n");
  try {
    verify_or_die(*kernel, "loops");
    FAIL();
  } catch (const InternalError& e) {
    EXPECT_EQ(e.stage(), "loops");
    EXPECT_NE(e.problem().find("kernel k(n: size)"), std::string::npos);
  }
}

}  // namespace
}  // namespace lathe::loops
