// SPDX-License-Identifier: Apache-2.0
// Programs built in C++ are the programs that the parser makes of the same text.

#include <gtest/gtest.h>

#include "ir/program_builder.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace lathe::ir {
namespace {

void expect_same(const Program& built, const std::string& text) {
  auto sources = std::make_shared<SourceMap>();
  Diagnostics diagnostics;
  const auto parsed = parse_program("test.lathe", text, diagnostics, sources);
  ASSERT_TRUE(parsed) << render_text(diagnostics, *sources);
  EXPECT_TRUE(same_program(built, *parsed)) << print(built);
  EXPECT_EQ(print(built), print(*parsed));
  EXPECT_TRUE(verify(built, diagnostics)) << render_text(diagnostics, *sources);
}

TEST(Builder, Diffuse) {
  ProgramBuilder b("diffuse");
  const Val n = b.size("n"), m = b.size("m"), a = b.param("a", DType::F64);
  const Val i = b.index("i"), j = b.index("j");
  const Field u = b.input("u", DType::F64, {{"i", n}, {"j", m}});
  const Field lap = b.temp("lap", DType::F64, {{"i", n}, {"j", m}});
  const Field v = b.output("v", DType::F64, {{"i", n}, {"j", m}});
  const Field row = b.output("row", DType::F64, {{"i", n}});
  b.statement({in(i, 1, n - 1), in(j, 1, m - 1)}, lap.at(i, j),
              u.at(i - 1, j) + u.at(i + 1, j) + u.at(i, j - 1) + u.at(i, j + 1) - 4 * u.at(i, j));
  b.statement({in(i, 0, n), in(j, 0, m)}, v.at(i, j),
              select(1 <= i && i < n - 1 && 1 <= j && j < m - 1, u.at(i, j) + a * lap.at(i, j),
                     u.at(i, j)));
  b.statement({in(i, 0, n)}, row.at(i), sum({in(j, 0, m)}, v.at(i, j)));
  expect_same(b.finish(), R"(program diffuse(n: size, m: size, a: f64)
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

TEST(Builder, EveryKindOfItem) {
  ProgramBuilder b("items");
  const Val n = b.size("n"), on = b.param("on", DType::Bool);
  const Val i = b.index("i"), j = b.index("j"), k = b.index("k"), t = b.index("t");
  const Field u = b.inout("u", DType::F64, {{"i", n}});
  const Field v = b.inout("v", DType::F64, {{"i", n}});
  const Field w = b.inout("w", DType::F32, {{"i", -1, n + 1}, {"j", n}});
  const Field s = b.output("s", DType::F64);
  const Field best = b.output("best", DType::F64);
  const Field where = b.output("where_best", DType::I64);
  const Field c =
      b.constant("c", DType::F64, {{"k", 2}},
                 {Scalar::of_double(DType::F64, 0.5), Scalar::of_double(DType::F64, 2)});
  const Symbol argmin = b.combiner(
      "argmin", {{"a", DType::F64}, {"p", DType::I64}}, {{"b", DType::F64}, {"q", DType::I64}},
      [](const std::vector<Val>& l, const std::vector<Val>& r) {
        return std::vector<Val>{min(l[0], r[0]), select(r[0] < l[0], r[1], l[1])};
      },
      {Scalar::of_double(DType::F64, std::numeric_limits<double>::infinity()),
       Scalar::of_int(DType::I64, -1)});
  How fresh;
  fresh.fresh = true;
  b.accumulate({in(i, 0, n)}, s.at(), Op::Add, u.at(i) * c.at(0), fresh);
  b.contract({in(i, 0, n)}, s.at(), {u.at(i), v.at(i)});
  b.accumulate({in(i, 0, n)}, {best.at(), where.at()}, argmin, {u.at(i), i}, fresh);
  b.label("set").statement(Over{in(i, 0, n)}.where(u.at(i) > 0), v.at(i),
                           u.read({i - 1}, Policy::Clamp));
  b.group({in(i, 0, n)}, [&] {
    const Field x = b.local("x", DType::F64);
    b.statement({}, x.at(), u.at(i) + 1);
    b.statement(Over{}.where(x.at() > 2), v.at(i), x.at());
  });
  b.branch(
      {in(i, 0, n)}, u.at(i) > 0, [&] { b.statement({}, u.at(i), 1); },
      [&] { b.while_({}, u.at(i) < 0, [&] { b.statement({}, u.at(i), u.at(i) + 1); }); });
  b.sweep(true, in(k, 1, n),
          [&] { b.statement({in(i, 0, n)}, w.at(i, k), w.at(i, k - 1) * 0.1 + u.at(i)); });
  b.scan({in(i, 0, n)}, in(j, 0, n), w.at(i, j), Op::Add, cast(DType::F32, v.at(i)), true, true);
  b.when(on && s.at() < 3, [&] { b.statement({}, s.at(), 0); });
  b.repeat(in(t, 0, 10), {u, v}, s.at() < 1, [&] { b.statement({in(i, 0, n)}, u.at(i), v.at(i)); });
  b.call("sort", {u}, {v});
  expect_same(b.finish(), R"(program items(n: size, on: bool)
  inout u: f64[i: n]
  inout v: f64[i: n]
  inout w: f32[i: -1..n+1, j: n]
  output s: f64
  output best: f64
  output where_best: i64
  const c: f64[k: 2] = [0.5, 2]
  combiner argmin(a: f64, p: i64; b: f64, q: i64) = (min(a, b), select(b < a, q, p)) neutral (inf, -1)

  for i in 0..n: fresh s += u[i] * c[0]
  for i in 0..n: s contract= u[i], v[i]
  for i in 0..n: fresh (best, where_best) argmin= (u[i], i)
  set: for i in 0..n where u[i] > 0: v[i] = u[i-1; clamp]
  for i in 0..n:
    local x: f64
    x = u[i] + 1
    where x > 2: v[i] = x
  for i in 0..n if u[i] > 0:
    u[i] = 1
  else:
    while u[i] < 0: u[i] = u[i] + 1
  forward k in 1..n:
    for i in 0..n: w[i, k] = w[i, k-1] * 0.1 + u[i]
  for i in 0..n scan j in 0..n exclusive: w[i, j] += [blocked] f32(v[i])
  when on and s < 3: s = 0
  repeat t in 0..10 rotate u, v until s < 1:
    for i in 0..n: u[i] = v[i]
  call sort(u) -> v
)");
}

TEST(Builder, MistakesOfTypesThrow) {
  ProgramBuilder b("p");
  const Val x = b.param("x", DType::F64);
  const Field k = b.output("k", DType::I64);
  EXPECT_THROW(x & 3, UserError);
  EXPECT_THROW(x && true, UserError);
  EXPECT_THROW(b.statement({}, k.at(), x), UserError);
  EXPECT_THROW(b.statement({}, k.at(), 1.5), UserError);
  EXPECT_THROW(bit_cast(DType::I32, x), UserError);
  const Field w = b.output("w", DType::U8);
  EXPECT_THROW(b.statement({}, w.at(), 300), UserError);
}

}  // namespace
}  // namespace lathe::ir
