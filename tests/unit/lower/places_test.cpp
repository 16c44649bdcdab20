// SPDX-License-Identifier: Apache-2.0
// From a schedule's layouts and storage that is taken over to buffers of a kernel. The kernel must
// give the bits of the program.

#include <gtest/gtest.h>

#include "interp/loops_interpreter.h"
#include "ir/loops_text.h"
#include "ir/loops_verify.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "lower/lower.h"
#include "pipeline.h"
#include "schedule/legal.h"

namespace lathe::lower {
namespace {

interp::State start() {
  interp::State state;
  state.parameters["n"] = ir::Scalar::of_int(ir::DType::I64, 7);
  state.parameters["m"] = ir::Scalar::of_int(ir::DType::I64, 11);
  interp::Buffer u = interp::make_buffer(ir::DType::F64, {0, 0}, {7, 11});
  for (std::size_t at = 0; at < 77; ++at)
    ir::Scalar::of_double(ir::DType::F64, 0.5 * static_cast<double>(at % 13))
        .store(u.data.data() + 8 * at);
  state.arrays["u"] = std::move(u);
  return state;
}

struct Lowered {
  ir::Program program;
  loops::Kernel kernel;
};

Lowered lowered(const std::string& text, const std::string& lockfile) {
  Diagnostics diagnostics;
  auto sources = std::make_shared<SourceMap>();
  const auto program = ir::parse_program("test.lathe", text, diagnostics, sources);
  if (!program || !ir::verify(*program, diagnostics))
    throw std::runtime_error(render_text(diagnostics, *sources));
  const ir::Program prepared = run_preparation(run_pipeline(*program));
  const auto s = schedule::parse_schedule("test.lock", lockfile, prepared, diagnostics);
  if (!s) throw std::runtime_error(render_text(diagnostics, *sources));
  const auto nest = schedule::resolve_legal(prepared, *s);
  Lowered out{*program, lower(*nest, {})};
  loops::verify_or_die(out.kernel, "lower");
  return out;
}

// The loops' text; both ways give the same v.
std::string loops_of(const std::string& text, const std::string& lockfile) {
  const Lowered way = lowered(text, lockfile);
  interp::State a = start(), b = start();
  interp::run(way.program, a);
  interp::run(way.kernel, b, {.checked = true, .seed = 1, .poison = true});
  EXPECT_TRUE(interp::same_bits(a.arrays.at("v"), b.arrays.at("v"))) << lockfile;
  return loops::to_text(way.kernel);
}

template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const UserError& e) {
    return e.diagnostic().message;
  }
  return "nothing was wrong";
}

bool has(const std::string& text, std::string_view line) { return text.find(line) != text.npos; }

constexpr const char* kProgram = R"(program p(n: size, m: size)
  input u: f64[x: n, y: m]
  temp t: f64[x: n, y: m]
  temp s: f64[x: n, y: m]
  output v: f64[x: n, y: m]
  for x in 0..n, y in 0..m: t[x, y] = u[x, y] + 1
  for x in 0..n, y in 0..m: s[x, y] = 2 * t[x, y]
  for x in 0..n, y in 0..m: v[x, y] = s[n-1-x, y]
)";

TEST(LowerPlaces, LayoutOfAWholeTemporary) {
  const std::string text = loops_of(kProgram, R"(schedule p
vector y/4: t -> whole [y, x]
for y: vector x/4: s -> whole [y, x]
v
)");
  EXPECT_TRUE(has(text, "scratch t: f64[0..n, 0..m] layout 1, 0\n")) << text;
  EXPECT_TRUE(has(text, "scratch s: f64[0..n, 0..m] layout 1, 0\n")) << text;
}

TEST(LowerPlaces, LayoutOfATile) {
  const std::string text = loops_of(kProgram, R"(schedule p
for y/4:
  for x:
    vector y/4: t -> tile [y, x]
  for y:
    vector x/4: s
v
)");
  EXPECT_TRUE(has(text, "thread t.1: f64[")) << text;
  EXPECT_TRUE(has(text, "] layout 1, 0\n")) << text;
}

// A prefetch runs ahead along the axis that is contiguous.
TEST(LowerPlaces, PrefetchAlongTheLayout) {
  const std::string text = loops_of(kProgram, R"(schedule p
vector y/4: t -> whole [y, x]
for y:
  vector x/4: s
  prefetch t 64
v
)");
  EXPECT_TRUE(has(text, "prefetch t[x+8, y]\n")) << text;
}

// Of what a sweep reads and writes the row of its next iteration, in the sweep's direction; of
// several rows the one that is new.
TEST(LowerPlaces, PrefetchOfTheNextIteration) {
  const std::string program = R"(program p(n: size, m: size)
  input u: f64[x: n, y: m]
  temp w: f64[y: m]
  output v: f64[x: n, y: m]
  for y in 0..m: w[y] = u[n-1, y]
  for y in 0..m: v[n-1, y] = u[n-1, y]
  backward x in 1..n-1:
    for y in 0..m: v[x, y] = u[x-1, y] - u[x, y] * w[y]
  for y in 0..m: v[0, y] = u[0, y]
)";
  const std::string text = loops_of(program, R"(schedule p
w
v.0
backward x:
  vector y/4: v.1
  prefetch u next x, v next x, w next x
v.2
)");
  EXPECT_TRUE(has(text, "prefetch u[x-2, y]\n")) << text;
  EXPECT_TRUE(has(text, "prefetch v[x-1, y]\n")) << text;
  EXPECT_FALSE(has(text, "prefetch w")) << text;  // the same lines in each iteration
}

// Where the next iteration reads by a table, finding that out would be a read of the table's next
// element: there may be none.
TEST(LowerPlaces, PrefetchLooksUpNothing) {
  const std::string text = loops_of(R"(program p(n: size, m: size)
  input  u: f64[x: n, y: m]
  temp   at: i64[x: n]
  output v: f64[x: n, y: m]

  for x in 0..n: at[x] = x
  for y in 0..m: v[0, y] = 0
  forward x in 1..n:
    for y in 0..m: v[x, y] = v[x-1, y] + u[at[x], y; trusted]
)",
                                    R"(schedule p
at
for y: v.0
forward x:
  vector y/8: v.1
  prefetch u next x, v next x
)");
  EXPECT_TRUE(has(text, "prefetch v[x+1, y]\n")) << text;
  EXPECT_FALSE(has(text, "prefetch u")) << text;
}

TEST(LowerPlaces, OneBufferForTwo) {
  const std::string text = loops_of(kProgram, R"(schedule p
parallel x: t -> whole [y, x]
for x: vector y/4: s -> in place t
v
)");
  EXPECT_TRUE(has(text, "scratch s: f64[0..n, 0..m] layout 1, 0\n")) << text;
  EXPECT_FALSE(has(text, "scratch t")) << text;
}

// What is wrong is told in the author's names.
TEST(LowerPlaces, ErrorsKeepTheFormerName) {
  const Lowered way = lowered(R"(program p(n: size, m: size)
  input u: f64[x: n, y: m]
  temp t: f64[x: n]
  temp s: f64[x: n]
  output v: f64[x: n]
  t.0: for x in 0..n: t[x] = 1
  t.1: for x in 0..n: t[i64(u[x, 1] * 100)] = 1
  for x in 0..n: s[x] = 2 * t[x]
  for x in 0..n: v[x] = s[n-1-x]
)",
                              "schedule p\nt.0, t.1\ns -> in place t\nv\n");
  interp::State a = start(), b = start();
  const std::string message = error_of([&] { interp::run(way.program, a); });
  EXPECT_TRUE(has(message, "'t'") || has(message, "'t[")) << message;
  EXPECT_EQ(error_of([&] { interp::run(way.kernel, b); }), message);
}

}  // namespace
}  // namespace lathe::lower
