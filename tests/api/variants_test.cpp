// SPDX-License-Identifier: Apache-2.0
// `variant d == 3` in a schedule: a call with that size runs a kernel of its own, which nobody can
// tell but by the time.

#include <gtest/gtest.h>

#include <cstring>

#include "api/compiled.h"
#include "api/examples.h"
#include "device/host/temporary_folder.h"
#include "ir/text.h"
#include "thorough.h"

namespace lathe::testing {
namespace {

// d bounds a sum, an innermost loop, a temporary; and is a value.
const char* const kSmall = R"(program small(n: size, d: size)
  input  x: DTYPE[i: n, k: d]
  input  p: i64[i: n]
  temp   t: DTYPE[i: n, k: d]
  output r: DTYPE[i: n]
  output v: DTYPE[i: n, k: d]

  for i in 0..n, k in 0..d: t[i, k] = x[i, d-1 - k] + DTYPE(d)
  for i in 0..n: r[i] = sum k in 0..d: x[i, k] * t[p[i], k]
  for i in 0..n, k in 0..d: v[i, k] = t[p[i], k] + r[i]
)";

ir::Program program_of(std::string text, const std::string& dtype = "f64") {
  for (std::size_t at; (at = text.find("DTYPE")) != text.npos;) text.replace(at, 5, dtype);
  Diagnostics diagnostics;
  auto program = ir::parse_program("small.lathe", text, diagnostics);
  EXPECT_TRUE(program) << diagnostics.all().front().message;
  return *program;
}

interp::State state_of(const ir::Program& program, std::int64_t n, std::int64_t d,
                       std::int64_t bad = 0) {
  interp::State state;
  state.parameters["n"] = ir::Scalar::of_int(ir::DType::I64, n);
  state.parameters["d"] = ir::Scalar::of_int(ir::DType::I64, d);
  for (const ir::Array& a : program.arrays) {
    if (a.role != ir::Role::Input) continue;
    const interp::Bounds b = interp::declared_bounds(program, a, state);
    interp::Buffer buffer = interp::make_buffer(a.dtype, b.lo, b.hi);
    const std::size_t size = ir::size_bytes(a.dtype);
    for (std::size_t e = 0; e * size < buffer.data.size(); ++e) {
      const auto i = static_cast<std::int64_t>(e);
      const bool index = a.name.text() == "p";
      const std::int64_t value = index ? (i + bad) % (n + bad) : i * 7 % 5 - 2;
      const ir::Scalar element =
          ir::is_float(a.dtype) ? ir::Scalar::of_double(a.dtype, 0.3 * static_cast<double>(value))
                                : ir::Scalar::of_int(a.dtype, value);
      element.store(buffer.data.data() + e * size);
    }
    state.arrays[std::string(a.name.text())] = std::move(buffer);
  }
  return state;
}

// The default schedule with these lines after its header.
std::string lockfile(const ir::Program& program, const std::string& lines) {
  api::Compiled compiled(program);
  std::string text = schedule::print(compiled.schedule());
  return text.insert(text.find('\n') + 1, lines);
}

class Variants : public ::testing::Test {
 protected:
  api::CompileOptions options(const std::string& lockfile_text) {
    api::CompileOptions o;
    o.cache = &cache_;
    o.lockfile_text = lockfile_text;
    return o;
  }
  std::size_t compiled_so_far() const { return cache_.list().size(); }

  host::TemporaryFolder folder_{"variants"};
  host::Cache cache_{host::CacheSettings{folder_.path(), std::uint64_t{1} << 30, {}}};
};

TEST_F(Variants, HaveTheSameBitsInEveryDtype) {
  const std::vector<const char*> all = {"i8",  "u16", "i64", "f16",  "f32", "f64",
                                        "i16", "i32", "u8",  "bf16", "u32", "u64"};
  for (std::size_t k = 0; k < (is_thorough() ? all.size() : 6); ++k) {
    const char* const dtype = all[k];
    const ir::Program program = program_of(kSmall, dtype);
    api::Compiled compiled(program, options(lockfile(program, "variant d == 3\n")));
    for (const std::int64_t d : {3, 4}) {
      interp::State wanted = state_of(program, 37, d), got = wanted;
      interp::run(program, wanted);
      compiled.run(got);
      for (const char* name : {"r", "v"})
        EXPECT_TRUE(interp::same_bits(wanted.arrays.at(name), got.arrays.at(name)))
            << name << " in " << dtype << ", d = " << d;
    }
  }
}

TEST_F(Variants, AreCompiledWhenTheyAreFirstUsed) {
  const ir::Program program = program_of(kSmall);
  api::Compiled compiled(
      program, options(lockfile(program, "variant d == 3\nvariant d == 2\nvariant n == 8\n")));
  const auto run = [&](std::int64_t n, std::int64_t d) {
    interp::State wanted = state_of(program, n, d), got = wanted;
    interp::run(program, wanted);
    compiled.run(got);
    EXPECT_TRUE(interp::same_bits(wanted.arrays.at("v"), got.arrays.at("v"))) << n << ", " << d;
    return compiled_so_far();
  };
  EXPECT_EQ(run(5, 3), 1u);
  EXPECT_EQ(run(6, 3), 1u);
  EXPECT_EQ(run(5, 4), 2u);  // the kernel of all sizes
  EXPECT_EQ(run(7, 1), 2u);
  EXPECT_EQ(run(5, 2), 3u);
  EXPECT_EQ(run(8, 3), 4u);  // both are constants
  EXPECT_EQ(run(8, 4), 5u);
  EXPECT_EQ(run(5, 3), 5u);
  const api::Variant& both = compiled.variant({{true, true, true, true}, false, {{0, 8}, {1, 3}}});
  EXPECT_EQ(both.code.text.find("p1_d"), std::string::npos);
}

TEST_F(Variants, OneCallMayChangeItsSizes) {
  const ir::Program program = program_of(kSmall);
  const std::string text = lockfile(program, "variant d == 3\n");
  const Program p = Program::from_text("small.lathe", ir::print(program));
  CompileOptions o;
  o.schedule = text;
  const Kernel kernel = p.compile(o);
  EXPECT_EQ(kernel.schedule(), text);
  Call call = kernel.call();
  for (const std::int64_t d : {3, 4, 3}) {
    const interp::State given = state_of(program, 5, d);
    interp::State wanted = given;
    interp::run(program, wanted);
    std::vector<double> x(static_cast<std::size_t>(5 * d)), r(5), v(x.size());
    std::vector<std::int64_t> at(5);
    std::memcpy(x.data(), given.arrays.at("x").data.data(), x.size() * 8);
    std::memcpy(at.data(), given.arrays.at("p").data.data(), at.size() * 8);
    call.set("n", 5).set("d", d);
    call.bind("x", View(x.data(), {5, d})).bind("p", View(at.data(), {5}));
    call.bind("r", View(r.data(), {5})).bind("v", View(v.data(), {5, d}));
    call.run();
    EXPECT_EQ(std::memcmp(v.data(), wanted.arrays.at("v").data.data(), v.size() * 8), 0) << d;
  }
}

TEST_F(Variants, SayWhereAndWhatAsTheGeneralKernelDoes) {
  const ir::Program program = program_of(kSmall);
  const auto said = [&](const std::string& lines) -> std::string {
    api::Compiled compiled(program, options(lockfile(program, lines)));
    interp::State state = state_of(program, 5, 3, 1);
    try {
      compiled.run(state);
    } catch (const UserError& e) {
      return render_text(e.diagnostic(), *program.sources);
    }
    return "no error";
  };
  const std::string general = said("");
  EXPECT_TRUE(
      general.starts_with("error: statement 'r' reads 't' at [5, 0], but t covers [0..5, "
                          "0..3]\n  --> small.lathe:9:50\n"))
      << general;
  EXPECT_EQ(said("variant d == 3\n"), general);
  EXPECT_EQ(said("variant n == 5\n"), general);
}

TEST_F(Variants, MayBeEmpty) {
  const ir::Program program = program_of(kSmall);
  api::Compiled compiled(program, options(lockfile(program, "variant d == 0\nvariant n == 0\n")));
  for (const std::int64_t n : {0, 4}) {
    interp::State wanted = state_of(program, n, 0), got = wanted;
    interp::run(program, wanted);
    compiled.run(got);
    EXPECT_TRUE(interp::same_bits(wanted.arrays.at("r"), got.arrays.at("r"))) << n;
  }
}

}  // namespace
}  // namespace lathe::testing
