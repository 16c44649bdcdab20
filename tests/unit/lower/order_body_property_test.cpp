// SPDX-License-Identifier: Apache-2.0
// Random tasks: the ordered body leaves the same bits as the tasks one by one, and reads nothing
// that they do not read, or that lies outside. With domains also at points where no statement's
// reads lie inside.

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "body_run.h"
#include "body_text.h"
#include "ir/traverse.h"
#include "rewrite/rules.h"
#include "thorough.h"

namespace lathe::lower {
namespace {

using ir::DType;
using ir::Expr;
using ir::Op;
using ir::Policy;

constexpr std::int64_t kExtent = 12;

// Buffers r, u, v, w: f64[0..12], r for risky reads alone; c: f64[0..12, 0..3], p: i64[0..12]; Vars
// acc: f64, flag: bool.
class Generator {
 public:
  Generator(ir::Maker& maker, std::uint64_t seed, bool flat, bool domains = false)
      : build_(maker), random_(seed), flat_(flat), domains_(domains) {
    i_ = build_.index("i");
    numbers_ = {build_.constant(DType::F64, 0.5), build_.graph().param(symbol("a"), DType::F64)};
    indices_ = {i_};
    tests_ = {build_.boolean(true)};
  }

  std::vector<Task> tasks() {
    std::vector<Task> tasks;
    const int count = 1 + pick(7);
    for (int t = 0; t < count; ++t) {
      const int size = 1 + pick(12);
      for (int k = 0; k < size; ++k) grow();
      Task task;
      if (domains_) task.conditions = domain();
      task.domain = task.conditions.size();
      const int conditions = pick(3) == 0 ? pick(4) : 0;
      for (int k = 0; k < conditions; ++k) task.conditions.push_back(any(tests_));
      const int target = pick(8);
      if (target < 2) {
        task.assign = true;
        task.target = symbol(target == 0 ? "acc" : "flag");
        task.value = target == 0 ? any(numbers_) : any(tests_);
      } else if (target == 2) {
        task.target = symbol("c");
        task.indices = {i_, build_.integer(pick(3))};
        task.value = any(numbers_);
      } else if (target == 3) {
        task.target = symbol("p");
        task.indices = {near()};
        task.value = build_.op(Op::Mod, {any(indices_), build_.integer(kExtent)});
      } else {
        task.target = symbol(target % 2 == 0 ? "v" : "w");
        const bool scatter = pick(6) == 0;
        task.indices = {scatter ? build_.read(symbol("p"), DType::I64, {near()}, Policy::Trusted)
                                : near()};
        task.value = any(numbers_);
      }
      tasks.push_back(task);
    }
    return tasks;
  }

  std::set<Expr> risky;

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  ir::Symbol symbol(std::string_view name) { return build_.graph().symbol(name); }
  Expr any(const std::vector<Expr>& pool) {  // often a late one
    const auto n = static_cast<int>(pool.size());
    const int back = pick(3) == 0 ? pick(n) : pick(std::min(n, 4));
    return pool[static_cast<std::size_t>(n - 1 - back)];
  }
  Expr shifted(int k) {
    if (k == 0) return i_;
    return k > 0 ? build_.add(i_, build_.integer(k)) : build_.sub(i_, build_.integer(-k));
  }
  Expr near() { return shifted(pick(5) - 2); }  // in range for 2 <= i < 10
  std::vector<Expr> domain() {
    const std::int64_t lo = 2 + pick(3), hi = 10 - pick(3);
    std::vector<Expr> tests = {build_.lt(i_, build_.integer(hi))};
    const bool first = pick(2) == 0;
    tests.insert(first ? tests.begin() : tests.end(), build_.le(build_.integer(lo), i_));
    if (pick(4) == 0) return {build_.logical_and(tests[0], tests[1])};
    // A bound that is read, where the others hold.
    if (pick(4) == 0)
      tests.push_back(
          build_.lt(i_, build_.read(symbol("p"), DType::I64, {near()}, Policy::Trusted)));
    return tests;
  }
  ir::Symbol array() { return symbol(std::string(1, "uvw"[pick(3)])); }

  Expr inside(Expr index) {
    return build_.logical_and(build_.le(build_.integer(0), index),
                              build_.lt(index, build_.integer(kExtent)));
  }
  Expr read() {
    if (pick(8) == 0)
      return build_.read(symbol("c"), DType::F64, {i_, build_.integer(pick(3))}, Policy::Trusted);
    if (flat_ || pick(3) > 0) return build_.read(array(), DType::F64, {near()}, Policy::Trusted);
    Expr index = pick(4) == 0 ? build_.sub(any(indices_), i_) : shifted(pick(13) - 6);
    if (pick(2) == 0) {
      const Expr e = build_.read(array(), DType::F64, {index}, Policy::Error);
      return pick(2) == 0 ? e : build_.select(inside(index), e, any(numbers_));
    }
    const ir::Symbol from = pick(3) == 0 ? array() : symbol("r");
    const Expr e = build_.read(from, DType::F64, {index}, Policy::Trusted);
    risky.insert(e);
    switch (pick(6)) {
      case 0: return e;
      case 1: return build_.op(Op::Gate, {inside(index), e});
      case 2: {
        const Expr half = build_.op(Op::Gate, {build_.lt(index, build_.integer(kExtent)), e});
        return build_.op(Op::Gate, {build_.le(build_.integer(0), index), half});
      }
      case 3:
        return build_.select(build_.logical_and(any(tests_), inside(index)), e, any(numbers_));
      default: return build_.select(inside(index), e, any(numbers_));
    }
  }

  void grow() {
    switch (pick(13)) {
      case 0:
      case 1:
      case 2: return numbers_.push_back(read());
      case 3: return numbers_.push_back(build_.add(any(numbers_), any(numbers_)));
      case 4: return numbers_.push_back(build_.mul(any(numbers_), any(numbers_)));
      case 5: return numbers_.push_back(build_.op(Op::Exp, {any(numbers_)}));
      case 6: return numbers_.push_back(build_.select(any(tests_), any(numbers_), any(numbers_)));
      case 7: return numbers_.push_back(build_.op(Op::Gate, {any(tests_), any(numbers_)}));
      case 8: return numbers_.push_back(build_.graph().param(symbol("acc"), DType::F64));
      case 9:
        tests_.push_back(build_.lt(any(numbers_), any(numbers_)));
        if (pick(4) == 0) tests_.push_back(build_.graph().param(symbol("flag"), DType::Bool));
        return;
      case 10: return tests_.push_back(build_.lt(shifted(pick(9) - 4), build_.integer(pick(13))));
      case 11:
        if (pick(3) == 0) return tests_.push_back(build_.logical_not(any(tests_)));
        return tests_.push_back(build_.op(pick(2) ? Op::And : Op::Or, {any(tests_), any(tests_)}));
      default:
        return indices_.push_back(build_.read(symbol("p"), DType::I64, {near()}, Policy::Trusted));
    }
  }

  ir::Build build_;
  std::mt19937_64 random_;
  bool flat_, domains_;
  Expr i_;
  std::vector<Expr> numbers_, indices_, tests_;
};

Memory memory_for(std::uint64_t seed, std::int64_t i) {
  Memory memory;
  std::mt19937_64 random(seed);
  for (const char* name : {"r", "u", "v", "w", "p"}) memory.add(name, {0}, {kExtent});
  memory.add("c", {0, 0}, {kExtent, 3});
  for (auto& [name, contents] : memory.buffers) {
    for (ir::Scalar& value : contents.values) {
      const auto n = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(kExtent));
      value = name == "p" ? ir::Scalar::of_int(DType::I64, n)
                          : ir::Scalar::of_double(DType::F64, static_cast<double>(n) * 0.375 - 2);
    }
  }
  memory.scalars["i"] = ir::Scalar::of_int(DType::I64, i);
  memory.scalars["a"] = ir::Scalar::of_double(DType::F64, 1.25);
  memory.scalars["acc"] = ir::Scalar::of_double(DType::F64, -0.5);
  memory.scalars["flag"] = ir::Scalar::of_bool(i % 2 == 0);
  return memory;
}

bool same(const Memory& a, const Memory& b) {
  for (const auto& [name, contents] : a.buffers)
    if (contents.values != b.buffers.at(name).values) return false;
  return a.scalars == b.scalars;
}

std::string tasks_text(const std::vector<Task>& tasks) {
  std::string text;
  for (const Task& t : tasks) {
    if (!t.conditions.empty()) text += "where " + list_text(t.conditions) + ": ";
    text += (t.assign ? std::string(t.target.text()) : element_text(t.target, t.indices)) + " = " +
            ir::print(t.value) + "\n";
  }
  return text;
}

struct Counts {
  int points = 0, faults = 0, branches = 0;
};

void check_one(std::uint64_t seed, Counts& counts) {
  const bool flat = seed % 4 == 0, strict = seed % 4 == 1, simplify = seed % 8 >= 4;
  ir::Graph graph;
  ir::RawMaker raw(graph);
  rewrite::Simplifier simplifier(graph);
  ir::Maker& maker = simplify ? static_cast<ir::Maker&>(simplifier) : raw;
  const bool domains = !flat && seed % 5 < 2;
  Generator generator(raw, seed, flat, domains);
  const std::vector<Task> tasks = generator.tasks();
  const ir::Build build(raw);

  const auto is_risky = [&](Expr e) { return generator.risky.contains(e); };
  const auto site = [](Expr) { return std::size_t{7}; };
  const auto axes = [&](ir::Symbol name) {
    std::vector<ir::Axis> result = {{{}, build.integer(0), build.integer(kExtent)}};
    if (name.text() == "c") result.push_back({{}, build.integer(0), build.integer(3)});
    return result;
  };
  FunctionRef<bool(Expr)> risky_ref = is_risky;
  FunctionRef<std::size_t(Expr)> site_ref = site;
  FunctionRef<std::vector<ir::Axis>(ir::Symbol)> axes_ref = axes;
  OrderOptions options;
  options.flat = flat;
  options.channels = seed % 3 == 0;
  options.risky = &risky_ref;
  options.site_of = &site_ref;
  options.axes_of = &axes_ref;
  bool checked = false;
  for (const Task& task : tasks) {
    std::vector<Expr> roots = task.conditions;
    roots.push_back(task.value);
    for (Expr root : roots)
      for (Expr e : ir::reads(root)) checked = checked || e->policy == Policy::Error;
  }
  if (strict && !checked) options.axes_of = nullptr;

  const std::string text = tasks_text(tasks) + "--- seed " + std::to_string(seed) + "\n";
  loops::Body body;
  ASSERT_NO_THROW(body = order_body(maker, tasks, options)) << text;
  if (body_text(body).find("if ") != std::string::npos) ++counts.branches;
  for (std::int64_t i = domains ? 0 : 2; i < (domains ? kExtent : 10); ++i) {
    const auto where = [&] { return "i = " + std::to_string(i) + "\n" + text + body_text(body); };
    Memory expected = memory_for(seed, i), actual = expected;
    Run direct(expected, flat), ordered(actual, flat);
    direct.tasks(tasks);
    if (direct.outside()) continue;
    ++counts.points;
    ordered.body(body);
    ASSERT_EQ(ordered.problem(), "") << where();
    if (direct.faulted()) {  // nobody knows whether reads that come after the fault are inside
      ++counts.faults;
      ASSERT_TRUE(ordered.faulted() || ordered.outside()) << where();
      continue;
    }
    ASSERT_FALSE(ordered.outside() || ordered.faulted()) << where();
    ASSERT_TRUE(same(expected, actual)) << where();
    if (options.axes_of) continue;
    // Nobody can tell what lies outside: nothing is read but what the tasks read.
    for (const Run::Element& element : ordered.reads())
      ASSERT_TRUE(element.first != "r" || direct.reads().contains(element)) << where();
  }
}

TEST(OrderBodyProperty, SameBitsAsTaskByTask) {
  Counts counts;
  const char* more = std::getenv("LATHE_ORDER_SEEDS");
  const std::uint64_t seeds = more                            ? std::strtoull(more, nullptr, 10)
                              : lathe::testing::is_thorough() ? 3000
                                                              : 1000;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    check_one(seed, counts);
    if (::testing::Test::HasFatalFailure()) return;
  }
  const int tried = static_cast<int>(seeds);
  EXPECT_GT(counts.points, 10 * tried / 3);
  EXPECT_GT(counts.faults, tried / 15);
  EXPECT_GT(counts.branches, 4 * tried / 15);
}

// Nothing depends on where nodes lie or in which order they were made.
TEST(OrderBodyProperty, TheSameInEveryGraph) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::string texts[2];
    for (int k = 0; k < 2; ++k) {
      ir::Graph graph;
      ir::RawMaker maker(graph);
      const ir::Build build(maker);
      for (int n = 0; n < 50 * k; ++n) build.add(build.index("i"), build.integer(25 - n));
      const std::vector<Task> tasks = Generator(maker, seed, true).tasks();
      texts[k] = body_text(order_body(maker, tasks, {}));
    }
    ASSERT_EQ(texts[0], texts[1]) << seed;
  }
}

}  // namespace
}  // namespace lathe::lower
