// SPDX-License-Identifier: Apache-2.0
// Text to program and back: what is printed is what was written, and parses to the same program.

#include "ir/text.h"

#include <gtest/gtest.h>

#include <functional>

#include "ir/traverse.h"
#include "unit/ir/parse.h"

namespace lathe::ir {
namespace {

// The text is in the printer's own style: printing the program gives it back.
void expect_fixed_point(const std::string& text) {
  const auto program = parse(text);
  if (!program) return;
  EXPECT_EQ(print(*program), text);
}

// Any style: what is printed parses to the same program and prints the same.
void expect_round_trip(const std::string& text) {
  const auto first = parse(text);
  if (!first) return;
  const std::string printed = print(*first);
  const auto second = parse(printed);
  if (!second) return;
  EXPECT_TRUE(same_program(*first, *second)) << text << "\nprinted as\n" << printed;
  EXPECT_EQ(print(*second), printed);
  EXPECT_EQ(structural_hash(*first), structural_hash(*second));
}

TEST(Text, DiffusePrintsAsItIsWritten) {
  expect_fixed_point(R"(program diffuse(n: size, m: size, a: f64)
  input  u: f64[i: n, j: m]
  temp   lap: f64[i: n, j: m]
  output v: f64[i: n, j: m]
  output row: f64[i: n]

  for i in 1..n-1, j in 1..m-1:
    lap[i, j] = u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1] - 4 * u[i, j]
  for i in 0..n, j in 0..m:
    v[i, j] = select(1 <= i and i < n-1 and 1 <= j and j < m-1, u[i, j] + a * lap[i, j], u[i, j])
  for i in 0..n: row[i] = sum j in 0..m: v[i, j]
)");
}

TEST(Text, EmptyProgram) {
  expect_fixed_point("program nothing()\n");
  expect_fixed_point("program p(n: size)\n  output s: f64\n");
}

TEST(Text, Declarations) {
  expect_fixed_point(R"(program d(n: size, k: i32, x: bf16, on: bool)
  input  a: f64[i: n, j: -1..n+1]
  output b: bool[i: 2 * n]
  inout  c: u8[i: n]
  state  s: f32
  temp   t: f16[i: n] extended
  const  w: f64[k: 3] = [0.25, -0.5, 1e+22]
  const  e: i8[r: 2, c: -1..1] = [[-128, 127], [0, 1]]
  const  m: bool[r: 2] = [true, false]
  const  f: f32[r: 3] = [inf, -inf, nan]
  combiner argmin(a1: f64, i1: i64; b1: f64, j1: i64) = (min(a1, b1), select(b1 < a1, j1, i1)) neutral (inf, -1)
)");
}

TEST(Text, StatementsAndAccumulations) {
  expect_fixed_point(R"(program s(n: size, x: f64)
  input  a: f64[i: n, j: n]
  input  idx: i32[i: n]
  temp   h: f16[i: n]
  temp   q: f64
  temp   k: i64
  output r: f64[i: n]
  output b: bool[i: n]
  output p: i64[i: n]
  output best: f64[i: n]
  combiner argmin(u: f64, i1: i64; v: f64, j1: i64) = (min(u, v), select(v < u, j1, i1)) neutral (inf, -1)

  q = 0
  where x > 0: q = 2 * x
  for i in 0..n: r[i] = 0
  for i in 0..n where i % 2 == 0: r[i] = 1
  for i in 0..n, j in 0..i where a[i, j] > 0: fresh r[i] += a[i, j]
  for i in 0..n, j in 0..n: r[j] += a[i, j]
  for i in 0..n, j in 0..n: r[j] += [seq, f64] a[i, j]
  for i in 0..n: r[idx[i]] += a[i, 0]
  for i in 0..n, j in 0..n: r[i] -= a[i, j]
  for i in 0..n: r[i] /= x
  for i in 0..n: r[i] **= 2
  for i in 0..n: r[i] min= a[i, i]
  for i in 0..n: r[i] fmax= a[i, i]
  for i in 0..n: b[i] and= i > 2
  for i in 0..n: p[i] &= 7
  for i in 0..n: p[i] <<= 1
  for i in 0..n: h[0] += f16(a[i, i])
  for i in 0..n: h[0] += [chain, f64] f16(a[i, i])
  for i in 0..n, j in 0..n: fresh r[i] contract= a[i, j], r[j], x
  for i in 0..n, j in 0..n: fresh (best[i], p[i]) argmin= (a[i, j], j)
  for i in 0..n, j in 0..n: (best[i], p[i]) argmin= [seq] (a[i, j], j)
  k = n
)");
}

TEST(Text, ControlFlow) {
  expect_fixed_point(R"(program c(n: size, m: size, on: bool)
  inout  u: f64[i: n]
  inout  v: f64[i: n]
  temp   w: f64[i: n, k: m]
  temp   err: f64

  for i in 0..n:
    local t: f64
    t = u[i] + 1
    where t > 0: v[i] = t
    u[i] = t
  for i in 0..n where u[i] > 0 if v[i] > 0:
    v[i] = 1
    for i in 0..n where u[i] > 2: v[i] = 2
    for i in 0..n, k in 0..m: w[i, k] = 0
    if u[i] > 3:
      u[i] = 0
    else:
      while u[i] < 0:
        u[i] = u[i] + 1
    scan j in 0..m: w[i, j] += u[i]
  else:
    v[i] = 3
  for i in 0..n while u[i] < 10:
    u[i] = u[i] + 1
  forward k in 1..m:
    for i in 0..n: w[i, k] = w[i, k-1] * 0.5
  backward k in 0..m-1:
    for i in 0..n: w[i, k] = w[i, k+1]
  for i in 0..n scan k in 0..m: w[i, k] += u[i]
  for i in 0..n scan k in 0..m exclusive: where k > 2: w[i, k] *= [blocked] u[i]
  when on and err < 3:
    u[0] = 1
  else:
    u[0] = 2
  repeat t in 0..100 rotate u, v until err < 1e-06:
    for i in 0..n: v[i] = u[i]
    err = sum i in 0..n: v[i]
  call sort(u) -> v
)");
}

// One expression per line, each the value of `r[i]` in a program with these names.
std::string with_value(const std::string& dtype, const std::string& value) {
  return "program e(n: size, m: size, b: bool, k: i32, h: f16, x: f32, y: f64, w: u8)\n"
         "  input  u: f64[i: n]\n"
         "  input  g: f64[i: n, j: m]\n"
         "  input  f: f32[i: n]\n"
         "  input  z: i64[i: n]\n"
         "  input  q: bool[i: n]\n"
         "  output r: " +
         dtype +
         "[i: n]\n\n"
         "  for i in 0..n: r[i] = " +
         value + "\n";
}

TEST(Text, Expressions) {
  for (const char* value : {"u[i] - (u[i-1] - u[i+1])",
                            "(u[i] + 1) * 2",
                            "-u[i] ** 2",
                            "(-u[i]) ** 2",
                            "2 ** -u[i]",
                            "u[i] ** -1",
                            "(-1) ** u[i]",
                            "u[i] ** 2.0 ** 3.5",
                            "(u[i] ** 2) ** 3",
                            "-(-1.0)",
                            "-(1.0)",
                            "--u[i]",
                            "u[i] - -1",
                            "u[i] / 3 / 4",
                            "u[i] / (3 / y)",
                            "u[i] % 2 // 3",
                            "inf",
                            "-inf",
                            "nan",
                            "0",
                            "-0.0",
                            "0.1",
                            "1e+22",
                            "4",
                            "select(u[i] < 1 or u[i] > 2 and b, u[i], 0)",
                            "select((b or q[i]) and b, 1.5, 2.5)",
                            "select(not (b and q[i]), u[i], 1)",
                            "select(not b and q[i], u[i], 1)",
                            "select(not not b, u[i], 1)",
                            "select((u[i] < 1) == b, u[i], 1)",
                            "gate(b, u[i])",
                            "sqrt(u[i])",
                            "fma(u[i], 2, y)",
                            "atan2(u[i], 1)",
                            "min(u[i], 0)",
                            "sqrt(2.0)",
                            "f64(x) + u[i]",
                            "f64(x * 2)",
                            "f64(0.5f32)",
                            "f64(3)",
                            "f64(f64(3))",
                            "bitcast_f64(z[i])",
                            "u[i-1; clamp]",
                            "u[i+1; value 0]",
                            "u[i; zero]",
                            "u[i; wrap]",
                            "u[i; mirror]",
                            "u[i; trusted]",
                            "u[z[i]]",
                            "u[2 * i - 1]",
                            "select(inside u[i+1], u[i+1], 0)",
                            "g[i, 0] + g[i, m-1]",
                            "sum j in 0..m: g[i, j]",
                            "2 * (sum j in 0..m: g[i, j])",
                            "sum[seq, f64] j in 0..m where j != i: g[i, j] * u[j]",
                            "product j in 0..m: g[i, j]",
                            "minimum j in 0..m: g[i, j]",
                            "maximum j in 0..m: g[i, j]",
                            "reduce fmin j in 0..m: g[i, j]",
                            "reduce - j in 0..m: g[i, j]",
                            "contract j in 0..m: (g[i, j], u[j], 2)",
                            "sum j in 0..m, l in j..m: g[i, j] * g[i, l]",
                            "f64(sum j in 0..m: 1)",
                            "select(any j in 0..m: g[i, j] > 0, 1.0, 0.0)",
                            "select(all j in 0..m where j > 2: g[i, j] > 0, 1.0, 0.0)",
                            "sum j in z[i]..z[i+1]: u[j]",
                            "sum j in 0..m: sum l in 0..j: g[j, l]",
                            "f64(f[i] * 0.1)",
                            "f64(h * 3)"}) {
    expect_fixed_point(with_value("f64", value));
  }
  for (const char* value :
       {"z[i] & 3 | 4 ^ 5", "(z[i] | 3) & 4", "z[i] << 2 >> 1", "~z[i]", "~(-1)", "z[i] + i64(k)",
        "i64(w + 200)", "i64(7u8 // 2)", "-9223372036854775808", "i64(-128i8)",
        "i64(18446744073709551615u64)", "z[i] // 2 * 3 % 4", "tdiv(z[i], 2)", "i64(u[i])",
        "i + n-1", "i * (n-1)"}) {
    expect_round_trip(with_value("i64", value));
  }
  for (const char* value :
       {"f[i] * 0.1", "x + 1e-3f32", "inff32", "2.0f32 ** 3", "0.5f32 + 1.5f32"})
    expect_round_trip(with_value("f32", value));
}

TEST(Text, WeakLiteralsTakeTheDtypeTheyMeet) {
  const auto value = [](const std::string& dtype, const std::string& text) -> Expr {
    static std::vector<Program> kept;
    const auto p = parse(with_value(dtype, text));
    if (!p) return nullptr;
    kept.push_back(*p);
    return std::get<Statement>(kept.back().body[0].node).values[0];
  };
  // Directly from the digits: 0.1 as float32, not as a rounded double.
  const Expr tenth = value("f32", "f[i] * 0.1");
  EXPECT_EQ(tenth->dtype, DType::F32);
  EXPECT_EQ(tenth->arg(1)->scalar(), Scalar::of_float(DType::F32, 0.1f));
  // 1 + 2^-11 + 2^-60 lies just above the tie of float16; as a double it is the tie itself.
  const Expr half = value("f16", "1.000488281250000000867361737988403547205962240695953369140625");
  EXPECT_EQ(half->scalar(), Scalar::of_double(DType::F16, 1.0 + 1.0 / 1024));
  const Expr tie = value("f16", "1.00048828125");
  EXPECT_EQ(tie->scalar(), Scalar::of_double(DType::F16, 1.0));
  EXPECT_EQ(value("f64", "u[i] + 4")->arg(1)->scalar(), Scalar::of_double(DType::F64, 4));
  EXPECT_EQ(value("f64", "z[i] + 0.5")->arg(0)->op, Op::Cast);
  EXPECT_EQ(value("f64", "1 / 2")->arg(0)->scalar(), Scalar::of_double(DType::F64, 1));
  EXPECT_EQ(value("f64", "sqrt(2)")->arg(0)->dtype, DType::F64);
  EXPECT_EQ(value("i64", "w + 1")->arg(0)->dtype, DType::U8);  // i64(w + 1)
  EXPECT_EQ(value("i64", "b + 1")->arg(0)->op, Op::Cast);
}

TEST(Text, LetsAreSpelling) {
  const auto with = parse(R"(program p(n: size)
  input u: f64[i: n]
  output v: f64[i: n]
  output s: f64
  for i in 0..n:
    let a = u[i] + 1
    let b = a * a
    v[i] = b + a
  let c = u[0] + 1
  s = let d = c * c in d + d
)");
  const auto without = parse(R"(program p(n: size)
  input u: f64[i: n]
  output v: f64[i: n]
  output s: f64
  for i in 0..n: v[i] = (u[i] + 1) * (u[i] + 1) + (u[i] + 1)
  s = (u[0] + 1) * (u[0] + 1) + (u[0] + 1) * (u[0] + 1)
)");
  ASSERT_TRUE(with && without);
  EXPECT_TRUE(same_program(*with, *without));
}

TEST(Text, SharedPartsGetALet) {
  expect_fixed_point(R"(program p(n: size, t1: f64)
  input  u: f64[i: n]
  output v: f64[i: n]

  for i in 0..n:
    let t2 = sqrt(u[i] * u[i] + u[i-1] * u[i-1] + t1)
    v[i] = t2 / (t2 + 1)
)");
  // Two sums within a sum share a part that uses their variable: it cannot go outside either.
  expect_fixed_point(R"(program p(n: size)
  input  u: f64[i: n]
  output v: f64

  v = sum l in 0..n: ((sum p in 0..3: select(2 <= p and p < 3 and (p-2) % 2 == 0, 0, u[l] * u[p])) + (sum p in 0..3: select(2 <= p and p < 3 and (p-2) % 2 == 0, 2, u[p]))) * u[l]
)");
  // Parts that use the variable of a reduction stay inside it, others go outside.
  expect_fixed_point(R"(program p(n: size)
  input  u: f64[i: n]
  output v: f64[i: n]

  for i in 0..n:
    let t1 = sqrt(u[i] * u[i] + u[i-1] * u[i-1] + 1)
    v[i] = sum j in 0..n: let t2 = exp(u[j] * u[j] + u[j-1] * u[j-1]) in t1 * t2 / (t2 + t1)
)");
}

// x = x * x, again and again: text and time stay linear.
TEST(Text, DeepGraphsPrintInLinearSize) {
  auto p = parse("program p()\n  input  x: f64\n  output y: f64\n\n  y = x\n");
  ASSERT_TRUE(p);
  auto& statement = std::get<Statement>(p->body[0].node);
  RawMaker maker(*p->graph);
  const Build build(maker);
  for (int k = 0; k < 100'000; ++k)
    statement.values[0] = build.mul(statement.values[0], statement.values[0]);
  const std::string text = print(*p);
  EXPECT_LT(text.size(), 5'000'000u);
  const auto again = parse(text);
  ASSERT_TRUE(again);
  EXPECT_TRUE(same_program(*p, *again));
}

TEST(Text, LongChainsParseWithoutNesting) {
  std::string sum = "x", nested = "x", right = "x";
  for (int k = 0; k < 100'000; ++k) sum += k % 2 ? " + x" : " * x - 1";
  expect_round_trip("program p()\n  input x: f64\n  output y: f64\n  y = " + sum + "\n");
  auto p = parse("program p()\n  input  x: f64\n  output y: f64\n\n  y = x\n");
  auto& statement = std::get<Statement>(p->body[0].node);
  RawMaker maker(*p->graph);
  const Build build(maker);
  const Expr x = statement.values[0];
  for (int k = 0; k < 100'000; ++k) {
    statement.values[0] =
        k % 3 == 0 ? build.op(Op::Sqrt, {statement.values[0]}) : build.sub(x, statement.values[0]);
  }
  const auto again = parse(print(*p));
  ASSERT_TRUE(again);
  EXPECT_TRUE(same_program(*p, *again));
}

TEST(Text, NestingIsCapped) {
  std::string messages;
  const std::string deep = std::string(300, '(') + "x" + std::string(300, ')');
  EXPECT_FALSE(
      parse("program p()\n  input x: f64\n  output y: f64\n  y = " + deep + "\n", &messages));
  EXPECT_NE(messages.find("nested deeper than 256"), std::string::npos) << messages;
  const std::string minus = std::string(100'000, '-') + "x";
  EXPECT_FALSE(
      parse("program p()\n  input x: f64\n  output y: f64\n  y = " + minus + "\n", &messages));
  const std::string fine = std::string(200, '(') + "x" + std::string(200, ')');
  EXPECT_TRUE(parse("program p()\n  input x: f64\n  output y: f64\n  y = " + fine + "\n"));
}

TEST(Text, LabelsAndSpans) {
  const auto p = parse(R"(program p(n: size)
  input  u: f64[i: n]
  output v: f64[i: n]

  for i in 0..n: v[i] = u[i]
  first: for i in 0..n: v[i] = u[i+1] + 1
  for i in 0..n:
    v[i] = 1
    last: v[i] = 2
)");
  ASSERT_TRUE(p);
  std::vector<std::string> labels;
  for_each_statement(p->body, [&](const Statement& s) { labels.emplace_back(s.label.text()); });
  EXPECT_EQ(labels, (std::vector<std::string>{"v.0", "first", "v.2", "last"}));
  const auto& first = std::get<Statement>(p->body[1].node);
  const Expr read = reads(first.values[0])[0];
  const Span where = p->spans->find(first.label, read);
  ASSERT_TRUE(where.known());
  EXPECT_EQ(p->sources->text(where), "u[i+1]");
  EXPECT_EQ(p->sources->text(p->spans->find(first.label, first.values[0])), "u[i+1] + 1");
  PrintOptions options;
  options.labels = options.spans = true;
  const std::string text = print(*p, options);
  EXPECT_NE(text.find("v.0: for i in 0..n: v[i] = u[i]  # @test.lathe:5:3+"), std::string::npos)
      << text;
  const auto again = parse(text);
  ASSERT_TRUE(again);
  EXPECT_TRUE(same_program(*p, *again));
}

// Spans survive: parsed beside its source, the printed program speaks of the places in the source.
TEST(TextTest, SpansRoundTrip) {
  const std::string source = R"(program spans(n: size)
  input  u: f64[i: n]  # a comment, é
  inout  w: f64[i: n]
  output v: f64[i: n]

  for i in 0..n: v[i] = u[i]
  for i in 0..n if u[i] > 0:
    w[i] = 1
    while w[i] < 3: w[i] = w[i] + 1
  else:
    w[i] = 2
  forward k in 1..n:
    for i in 0..n:
      local x: f64
      x = w[i] * 2
      v[i] = x
  repeat t in 0..3 until w[0; zero] > 2:
    for i in 0..n scan j in 0..i: v[j] += u[j]
  when n > 2: call sort(u) -> v
)";
  Diagnostics diagnostics;
  auto sources = std::make_shared<SourceMap>();
  const auto p = parse_program("spans.py", source, diagnostics, sources);
  ASSERT_TRUE(p) << render_text(diagnostics, *sources);
  PrintOptions options;
  options.spans = true;
  const auto again = parse_program("printed", print(*p, options), diagnostics, sources);
  ASSERT_TRUE(again) << render_text(diagnostics, *sources);
  const auto spans = [](const Program& program) {
    std::vector<Span> found;
    for (const Array& a : program.arrays) found.push_back(a.span);
    const std::function<void(const Body&)> walk = [&](const Body& body) {
      for (const Item& item : body) {
        std::visit(
            [&](const auto& n) {
              if constexpr (std::is_same_v<std::decay_t<decltype(n)>, Scan>)
                found.push_back(n.statement.span);
              else
                found.push_back(n.span);
            },
            item.node);
        if (auto* g = std::get_if<Group>(&item.node))
          for (const Statement& s : g->statements) found.push_back(s.span);
        for_each_body(item, walk);
      }
    };
    walk(program.body);
    return found;
  };
  EXPECT_EQ(spans(*p), spans(*again));
}

}  // namespace
}  // namespace lathe::ir
