// SPDX-License-Identifier: Apache-2.0
// Random statements over small index expressions, guards and lazy conditions: what check_access
// reports is compared with all accesses at all small sizes. No false errors, and no silence where
// every size goes wrong and everything is affine.

#include <random>

#include "analysis/check_access.h"
#include "unit/analysis/parse.h"

namespace lathe::analysis {
namespace {

using ir::Comparison;

class ProgramGenerator {
 public:
  explicit ProgramGenerator(unsigned seed) : random_(seed) {}
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  PwAff number(int from, int to) { return PwAff::integer(from + pick(to - from + 1)); }

  PwAff index(const PwAff& v, const PwAff& other, const PwAff& size) {
    switch (pick(9)) {
      case 0: return size - PwAff::integer(1) - v;
      case 1: return PwAff::integer(2) * v + number(-1, 1);
      case 2: return floor_div(v, PwAff::integer(2)) + number(-1, 1);
      case 3: return v + other - number(0, 2);
      case 4: return mod(v + number(0, 3), PwAff::integer(3));
      default: return v + number(-2, 2);
    }
  }
  SetExpr condition(const PwAff& i, const PwAff& j, const PwAff& n) {
    switch (pick(5)) {
      case 0: return SetExpr::compare(number(0, 2), Comparison::Lt, i);
      case 1: return SetExpr::compare(i + number(0, 2), Comparison::Lt, n);
      case 2: return SetExpr::compare(j, Comparison::Le, i);
      case 3: return SetExpr::compare(mod(i, PwAff::integer(2)), Comparison::Eq, PwAff::zero());
      default: return SetExpr::universe();
    }
  }

 private:
  std::mt19937 random_;
};

std::string condition_text(const SetExpr& s) {
  if (s.kind() == SetExpr::Kind::Universe) return "true";
  if (s.kind() == SetExpr::Kind::Empty) return "false";
  const char* op = s.comparison() == Comparison::Lt   ? " < "
                   : s.comparison() == Comparison::Le ? " <= "
                                                      : " == ";
  return to_text(s.left()) + op + to_text(s.right());
}

TEST(CheckAccessProperty, AgreesWithBruteForce) {
  ProgramGenerator random(7);
  const PwAff i = PwAff::var("i"), j = PwAff::var("j"), n = PwAff::param("n"),
              m = PwAff::param("m");
  int reported = 0, quiet = 0;
  for (int round = 0; round < 200; ++round) {
    const PwAff lo = random.number(0, 2), hi = n - random.number(0, 2);
    const PwAff lo2 = random.number(0, 1), hi2 = m - random.number(0, 1);
    const SetExpr guard = random.condition(i, j, n), lazy = random.condition(j, i, m);
    const PwAff e1 = random.index(i, j, n), e2 = random.index(j, i, m);
    const std::string text =
        "program p(n: size, m: size)\n"
        "  input u: f64[i: n, j: m]\n"
        "  output v: f64[i: n, j: m]\n"
        "  for i in " +
        to_text(lo) + ".." + to_text(hi) + ", j in " + to_text(lo2) + ".." + to_text(hi2) +
        " where " + condition_text(guard) + ":\n" + "    v[i, j] = select(" + condition_text(lazy) +
        ", u[" + to_text(e1) + ", " + to_text(e2) + "], 0.0)\n";
    SCOPED_TRACE(text);
    const ir::Program program = parse(text);
    Diagnostics diagnostics;
    const bool good = check_access(program, diagnostics);

    bool always_bad = true, ever_runs = false;
    for (std::int64_t nn = 2; nn <= 8; ++nn)
      for (std::int64_t mm = 2; mm <= 8; ++mm) {
        std::map<std::string, std::int64_t> at = {{"n", nn}, {"m", mm}};
        bool runs = false, bad_low = false, bad_high = false, bad2_low = false, bad2_high = false;
        for (at["i"] = *lo.evaluate(at); at["i"] < *hi.evaluate(at); ++at["i"])
          for (at["j"] = *lo2.evaluate(at); at["j"] < *hi2.evaluate(at); ++at["j"]) {
            if (guard.contains(at) != true || lazy.contains(at) != true) continue;
            runs = true;
            bad_low |= *e1.evaluate(at) < 0;
            bad_high |= *e1.evaluate(at) >= nn;
            bad2_low |= *e2.evaluate(at) < 0;
            bad2_high |= *e2.evaluate(at) >= mm;
          }
        if (!runs) continue;
        ever_runs = true;
        always_bad = always_bad && (bad_low || bad_high || bad2_low || bad2_high);
      }
    if (good) {
      ++quiet;
    } else {
      ++reported;
      ASSERT_TRUE(ever_runs && always_bad) << render_text(diagnostics, *program.sources);
    }
  }
  EXPECT_GT(reported, 25);
  EXPECT_GT(quiet, 50);
}

}  // namespace
}  // namespace lathe::analysis
