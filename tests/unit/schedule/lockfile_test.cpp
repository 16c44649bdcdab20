// SPDX-License-Identifier: Apache-2.0
#include <random>

#include "schedule/schedule.h"
#include "unit/schedule/parse.h"

namespace lathe::schedule {
namespace {

constexpr const char* kStencil = R"(program hdiff(n: size, m: size, k: size)
  input phi: f64[l: k, i: n, j: m]
  input coeff: f64[i: n, j: m]
  temp lap: f64[l: k, i: n, j: m]
  temp fly: f64[l: k, i: n, j: m]
  output out: f64[l: k, i: n, j: m]
  state u: f64[i: n]
  state v: f64[i: n]

  for l in 0..k, i in 1..n-1, j in 1..m-1: lap[l, i, j] = phi[l, i-1, j] + phi[l, i+1, j]
  for l in 0..k, i in 2..n-2, j in 1..m-1: fly[l, i, j] = lap[l, i+1, j] - lap[l, i, j]
  for l in 0..k, i in 3..n-2, j in 1..m-1:
    out[l, i, j] = phi[l, i, j] - coeff[i, j] * (fly[l, i, j] - fly[l, i-1, j])
  forward i in 1..n: u.sweep: u[i] = u[i-1] + u[i]
  repeat t in 0..3 rotate u, v:
    v.again: for i in 0..n: v[i] = 2 * u[i]
  when n > 3:
    v.when: for i in 0..n: v[i] = 0
  else:
    u.else: for i in 0..n: u[i] = 0
  call sort(u) -> v
)";

// All that can be written, in the form that the printer gives it.
constexpr const char* kFull = R"(schedule hdiff machine x86-64-v4 (2 cores)
variant k == 3
variant n == 0
parallel l/4:                           # 80 or more iterations, none depends on another
  for l:
    for i:
      lap -> nowhere                    # recomputed at each use
      vector j/8:
        fly(i = i+1) -> window(i, 2)    # at iteration i the row i+1; the last two are kept
        unroll j/4:
          out(l = l-1, j = i) -> stream
    prefetch phi 1024, coeff 1024       # ahead
    prefetch phi 64, coeff next i
copy phi -> tile [j/64, i, j%64]
copy phi -> tile
forward i:
  u.sweep -> in place v
repeat repeat.0:
  for i/256:
    v.again -> tile [i]
when when.0:
  for i:
    v.when
else:
  u.else
call call.0
)";

TEST(Lockfile, PrintsWhatItParses) {
  const ir::Program program = parse(kStencil);
  const std::string text = kFull;
  const Schedule s = parsed(program, text);
  const std::string printed = print(s);
  EXPECT_EQ(printed.substr(0, text.size() + 1), text + "\n");
  EXPECT_EQ(printed.substr(text.size() + 1, 10), "of header ");
  EXPECT_EQ(print_tree(s), text.substr(text.find("variant")));
  const Schedule again = parsed(program, printed);
  EXPECT_TRUE(same_tree(s.body, again.body));
  EXPECT_EQ(s.variants, again.variants);
  EXPECT_EQ(s.parts, again.parts);
  EXPECT_EQ(again.machine, "x86-64-v4 (2 cores)");
  EXPECT_EQ(print(again), printed);
  EXPECT_EQ(print(parsed(program, print(plain_schedule(program)))), print(plain_schedule(program)));
}

TEST(Lockfile, TakesShortForms) {
  const ir::Program program = parse(R"(program p(n: size)
  input u: f64[i: n]
  temp copy: f64[i: n]
  temp vector: f64[i: n]
  temp of: f64[i: n]
  output v: f64[i: n]
  for i in 0..n: copy[i] = u[i]
  for i in 0..n: vector[i] = copy[i]
  for i in 0..n: of[i] = copy[i]
  for i in 0..n: v[i] = vector[i] + of[i]
)");
  const Schedule s = parsed(program, R"(
# a comment of its own

schedule p
for i/64: vector i/8: copy -> tile, vector(i = i) -> whole  # both
of -> register
prefetch u 64, v, copy u -> tile [0/8, i%8]
)");
  EXPECT_EQ(print_tree(s), R"(for i/64:
  vector i/8:
    copy -> tile
    vector    # both
of -> register
prefetch u 64
v
copy u -> tile [0/8, i%8]
)");
  EXPECT_EQ(s.parts, fingerprints(program));  // locked from now on
  EXPECT_EQ(print(parsed(program, print(s))), print(s));
}

TEST(Lockfile, KeepsReasonsOnOneLine) {
  const ir::Program program = parse("program p()\n  output s: f64\n  s = 1.0\n");
  Schedule s = plain_schedule(program);
  s.body[0].reason = "  because\nof this  \t# and that ";
  EXPECT_EQ(print_tree(s), "s    # because of this # and that\n");
  EXPECT_EQ(parsed(program, print(s)).body[0].reason, "because of this # and that");
}

// ---- Random trees over the statements of a program.

class RandomTree {
 public:
  RandomTree(const ir::Program& program, unsigned seed) : program_(program), random_(seed) {}

  Schedule make() {
    Schedule s = plain_schedule(program_);
    s.machine = coin() ? "any" : "";
    if (coin()) s.variants.push_back({program_.parameters[0].name, below(100)});
    change(s.body, {});
    return s;
  }

 private:
  bool coin() { return random_() % 2 == 0; }
  std::int64_t below(unsigned n) { return random_() % n; }

  void change(std::vector<Node>& body, std::vector<Symbol> loops) {
    for (Node& n : body) {
      if (coin()) n.reason = coin() ? "why" : "a longer reason, with # in it";
      std::vector<Symbol> inner = loops;
      if (n.is_loop()) inner.push_back(n.name);
      if (!n.body.empty()) change(n.body, inner);
      if (!n.otherwise.empty()) change(n.otherwise, inner);
      if (n.kind == NodeKind::For) loop(n);
      if (n.kind == NodeKind::Compute) leaf(n, loops);
    }
    if (coin()) {
      Node n;
      n.kind = coin() ? NodeKind::Prefetch : NodeKind::Copy;
      n.name = program_.arrays[0].name;
      if (n.kind == NodeKind::Prefetch) n.bytes = 1 + below(4096);
      if (n.kind == NodeKind::Copy && coin())
        n.layout = {{1, PackAxis::Part::Quotient, 8, {}},
                    {0, PackAxis::Part::All, 1, program_.arrays[0].axes[0].name},
                    {1, PackAxis::Part::Remainder, 8, {}}};
      body.push_back(n);
      if (coin()) body.push_back(n);
    }
  }

  void loop(Node& n) {
    constexpr NodeKind kKinds[] = {NodeKind::For, NodeKind::Parallel, NodeKind::Vector,
                                   NodeKind::Unroll, NodeKind::Jam};
    n.kind = kKinds[below(5)];
    if (n.kind == NodeKind::Vector || n.kind == NodeKind::Unroll)
      n.tile = std::int64_t{1} << below(7);
    else if (n.kind == NodeKind::Jam)
      n.tile = 1 + below(8);
    else
      n.tile = coin() ? 0 : 1 + below(1000);
  }

  void leaf(Node& n, const std::vector<Symbol>& loops) {
    n.place.kind = static_cast<PlaceKind>(below(7));
    if (n.place.kind == PlaceKind::Window && loops.empty()) n.place.kind = PlaceKind::Tile;
    if (n.place.kind == PlaceKind::Window)
      n.place = {PlaceKind::Window, loops.back(), 1 + below(9)};
    const ir::Array& array = program_.arrays[0];
    if (n.place.kind == PlaceKind::InPlace) n.place.over = array.name;
    if (has_layout(n.place.kind) && coin())
      n.place.layout = {array.axes[2].name, array.axes[0].name, array.axes[1].name};
    if (!loops.empty() && coin()) n.binds.push_back({loops[0], loops.back(), below(9) - 4});
    if (!n.binds.empty() && n.binds[0].variable == n.binds[0].loop && n.binds[0].shift == 0)
      n.binds.clear();
  }

  const ir::Program& program_;
  std::mt19937 random_;
};

TEST(Lockfile, RandomTreesSurvive) {
  const ir::Program program = parse(kStencil);
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Schedule s = RandomTree(program, seed).make();
    const std::string text = print(s);
    const Schedule again = parsed(program, text);
    ASSERT_TRUE(same_tree(s.body, again.body)) << text;
    ASSERT_EQ(print(again), text);
  }
}

}  // namespace
}  // namespace lathe::schedule
