// SPDX-License-Identifier: Apache-2.0
// lathe run: every way to give it wrong values, with the full message.

#include "unit/cli/command.h"

namespace lathe::cli {
namespace {

using ir::DType;

class RunErrorsTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    put("all.lathe", R"(program all_kinds(n: size, a: f64, k: i8, u: u8, b: bool, w: u64)
  input  x: f64[i: n]
  inout  y: f64[i: n, j: 2]
  temp   t: f64[i: n]
  output cube: f64[i: n, j: 2, l: 2]
  output none: f64[i: 0]
  output s: f64

  for i in 0..n: t[i] = x[i]
  for i in 0..n, j in 0..2: y[i, j] = y[i, j] + t[i]
  for i in 0..n, j in 0..2, l in 0..2: cube[i, j, l] = y[i, j] * y[i, l]
  for i in 0..0: none[i] = 1
  s = 0
)");
    put_array<double>("x3.npy", DType::F64, {3}, {1, 2, 3});
    put_array<double>("x4.npy", DType::F64, {4}, {1, 2, 3, 4});
    put_array<float>("x32.npy", DType::F32, {3}, {1, 2, 3});
    put("text.npy", "not an array");
  }

  // What a run says that is right up to the words given.
  static std::string error_of(std::vector<std::string> words, bool complete = true) {
    std::vector<std::string> all = {"run", "all.lathe"};
    const auto given = [&](const std::string& name) {
      for (std::size_t i = 1; i < words.size(); ++i)
        if (words[i - 1] != "--out" && words[i].starts_with(name + "=")) return true;
      return false;
    };
    if (complete) {
      for (const auto& [name, value] :
           {std::pair("n", "3"), {"a", "1"}, {"k", "1"}, {"u", "1"}, {"b", "true"}, {"w", "1"}})
        if (!given(name)) all.insert(all.end(), {"--set", name + std::string("=") + value});
      for (const auto& [name, value] : {std::pair("x", "ramp"), {"y", "zeros"}})
        if (!given(name)) all.insert(all.end(), {"--in", name + std::string("=") + value});
    }
    all.insert(all.end(), words.begin(), words.end());
    const Said said = lathe(all);
    EXPECT_EQ(said.status, said.err.empty() ? 0 : 1);
    return said.err;
  }
};

TEST_F(RunErrorsTest, TheRestIsRight) { EXPECT_EQ(error_of({}), ""); }

TEST_F(RunErrorsTest, WhatIsMissingIsListedAtOnce) {
  EXPECT_EQ(error_of({"--set", "a=2"}, false),
            "error: program 'all_kinds' needs values that are not given\n"
            "  help: add, for example: --set n=100 --set k=1 --set u=1 --set b=true --set w=1 "
            "--in x=random:1 --in y=random:1\n");
}

TEST_F(RunErrorsTest, Set) {
  EXPECT_EQ(error_of({"--set", "n"}), "error: --set n: expected NAME=VALUE\n");
  EXPECT_EQ(error_of({"--set", "=3"}), "error: --set =3: expected NAME=VALUE\n");
  EXPECT_EQ(error_of({"--set", "n="}), "error: --set n=: expected NAME=VALUE\n");
  EXPECT_EQ(error_of({"--set", "q=3"}),
            "error: --set q=3: program 'all_kinds' has no parameter 'q'\n"
            "  help: it has n, a, k, u, b, w\n");
  EXPECT_EQ(error_of({"--set", "n=3", "--set", "n=4"}), "error: --set n=4: 'n' is given twice\n");
  EXPECT_EQ(error_of({"--set", "n=3.5"}), "error: --set n=3.5: 'n' is an integer\n");
  EXPECT_EQ(error_of({"--set", "n=-1"}), "error: --set n=-1: a size cannot be negative\n");
  EXPECT_EQ(error_of({"--set", "a=big"}), "error: --set a=big: 'a' is a f64 number\n");
  EXPECT_EQ(error_of({"--set", "b=1"}), "error: --set b=1: 'b' is a bool: true or false\n");
  EXPECT_EQ(error_of({"--set", "k=128"}), "error: --set k=128: does not fit into i8\n");
  EXPECT_EQ(error_of({"--set", "u=-1"}), "error: --set u=-1: does not fit into u8\n");
  EXPECT_EQ(error_of({"--set", "w=-1"}), "error: --set w=-1: does not fit into u64\n");
  EXPECT_EQ(error_of({"--set", "w=18446744073709551616"}),
            "error: --set w=18446744073709551616: the number does not fit into 64 bits\n");
  EXPECT_EQ(error_of({"--set", "n=99999999999999999999"}),
            "error: --set n=99999999999999999999: the number does not fit into 64 bits\n");
  EXPECT_EQ(error_of({"--set", "n=9999999999999999999"}),
            "error: --set n=9999999999999999999: the number does not fit into 64 bits, of which "
            "one is the sign\n");
  EXPECT_EQ(error_of({"--set", "w=18446744073709551615", "--set", "a=1e-3"}), "");
}

TEST_F(RunErrorsTest, WordsWithoutAPart) {
  const std::string compiled = " has a part in compiled code only\n  help: add --target c\n";
  EXPECT_EQ(error_of({"--time"}), "error: --time" + compiled);
  EXPECT_EQ(error_of({"--repeat", "3"}), "error: --repeat" + compiled);
  EXPECT_EQ(error_of({"--threads", "2"}), "error: --threads" + compiled);
  EXPECT_EQ(error_of({"--target", "loops", "--time"}), "error: --time" + compiled);
  EXPECT_EQ(error_of({"--schedule", "x.lock"}),
            "error: --schedule has no part in what the interpreter does\n"
            "  help: add --target c, or --target loops\n");
}

TEST_F(RunErrorsTest, In) {
  EXPECT_EQ(error_of({"--in", "x"}), "error: --in x: expected NAME=VALUE\n");
  EXPECT_EQ(error_of({"--in", "q=ramp"}),
            "error: --in q=ramp: program 'all_kinds' has no input, inout or state 'q'\n"
            "  help: it has x, y\n");
  EXPECT_EQ(error_of({"--in", "t=ramp"}),
            "error: --in t=ramp: program 'all_kinds' has no input, inout or state 't'\n"
            "  help: it has x, y\n");
  EXPECT_EQ(error_of({"--in", "x=ramp", "--in", "x=zeros"}),
            "error: --in x=zeros: 'x' is given twice\n");
  EXPECT_EQ(error_of({"--in", "x=rampp"}),
            "error: --in x=rampp: expected FILE.npy, random:SEED, ramp or zeros\n");
  EXPECT_EQ(error_of({"--in", "x=random:x"}),
            "error: --in x=random:x: the seed is a natural number\n");
  EXPECT_EQ(error_of({"--in", "x=none.npy"}),
            "error: cannot read 'none.npy': there is no such file\n");
  EXPECT_TRUE(error_of({"--in", "x=text.npy"}).starts_with("error: cannot read 'text.npy': "));
}

// Said before any size is asked for.
TEST_F(RunErrorsTest, KindsOfFiles) {
  const std::string place =
      "  --> all.lathe:2:10\n"
      "   |\n"
      " 2 |   input  x: f64[i: n]\n"
      "   |          ^\n";
  EXPECT_EQ(error_of({"--in", "x=x32.npy"}, false),
            "error: 'x32.npy' holds f32, but 'x' is f64\n" + place +
                "  help: convert the file, or change the declaration\n");
  put_array<double>("x22.npy", DType::F64, {2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(error_of({"--in", "x=x22.npy"}, false),
            "error: 'x22.npy' has shape (2, 2), 2 axes, but 'x' has 1 axis\n" + place +
                "  help: reshape the file, or change the declaration\n");
  EXPECT_EQ(error_of({"--in", "x=x4.npy"}),
            "error: 'x4.npy' has 4 elements along axis 'i' of 'x', but 0..n is 3 long\n" + place +
                "  help: n is 3: --set n=3\n");
}

TEST_F(RunErrorsTest, SizesThatNoFileCanHave) {
  put("sizes.lathe", R"(program sizes(n: size)
  input  u: f64[i: -2..n+2]
  input  w: f64[j: 2*n]
  output s: f64
  s = 0
)");
  const auto says = [](const std::string& u, const std::string& w) {
    return lathe({"run", "sizes.lathe", "--in", "u=" + u, "--in", "w=" + w}).err;
  };
  const std::string place_u =
      "  --> sizes.lathe:2:10\n   |\n 2 |   input  u: f64[i: -2..n+2]\n   |          ^\n";
  const std::string place_w =
      "  --> sizes.lathe:3:10\n   |\n 3 |   input  w: f64[j: 2*n]\n   |          ^\n";
  const std::string help = "  help: give a file of another shape, or change the declaration\n";
  EXPECT_EQ(
      says("x3.npy", "zeros"),
      "error: 'x3.npy' has 3 elements along axis 'i' of 'u', but -2..n+2 is not that long for "
      "any size 'n'\n" +
          place_u + help);
  EXPECT_EQ(
      says("zeros", "x3.npy"),
      "error: 'x3.npy' has 3 elements along axis 'j' of 'w', but 0..2 * n is not that long for "
      "any size 'n'\n" +
          place_w + help);
  EXPECT_EQ(says("x4.npy", "x4.npy"),
            "error: 'x4.npy' has 4 elements along axis 'j' of 'w', but 0..2 * n is 0 long\n" +
                place_w + "  help: n is 0: axis 'i' of 'x4.npy' has 4 elements\n");
}

TEST_F(RunErrorsTest, MoreMemoryThanThereIs) {
  put("big.lathe", R"(program big(n: size)
  temp   t: f64[i: -1..2*n]
  output v: f64[i: n]

  for i in -1..2*n: t[i] = 1
  for i in 0..n: v[i] = t[i]
)");
  EXPECT_EQ(
      lathe({"run", "big.lathe", "--set", "n=1000000000000"}).err,
      "error: temp 't' over [-1..2 * n] = [-1..2000000000000] needs 8 bytes * (2000000000000 - "
      "-1) = 16000000000008 bytes, which is more memory than there is\n"
      "  --> big.lathe:2:10\n"
      "   |\n"
      " 2 |   temp   t: f64[i: -1..2*n]\n"
      "   |          ^\n"
      "  help: use smaller sizes\n");
  const std::string input =
      error_of({"--set", "n=1000000000000", "--in", "y=zeros", "--in", "x=zeros"});
  EXPECT_TRUE(
      input.starts_with("error: input 'x' over [0..n] = [0..1000000000000] needs 8 bytes * "
                        "1000000000000 = 8000000000000 bytes, which is more memory than "
                        "there is\n  --> all.lathe:2:10\n"))
      << input;
}

// Loops that run side by side may write no element twice; here it is the program that does.
TEST_F(RunErrorsTest, DoubleWritesOfTheProgramAreItsOwn) {
  put("twice.lathe", R"(program twice(n: size)
  input  x: i64[i: n]
  output v: i64[i: n]

  for i in 0..n: v[x[i]] = i
)");
  const std::string words = R"(error: statement 'v' writes 'v' at [0] twice
  --> twice.lathe:5:3
   |
 5 |   for i in 0..n: v[x[i]] = i
   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^
  help: let each point write an element of its own, or accumulate: += max= ...
)";
  for (const char* target : {"loops", "c"})
    EXPECT_EQ(lathe({"run", "twice.lathe", "--set", "n=4", "--in", "x=zeros", "--target", target,
                     "--checked"})
                  .err,
              words)
        << target;
  EXPECT_EQ(
      lathe({"run", "twice.lathe", "--set", "n=4", "--in", "x=zeros", "--target", "loops"}).err,
      words);
}

// The guard says nothing about h and e, and holds at one row; their ends are read at all of them.
TEST_F(RunErrorsTest, EndsAreReadWhereAGuardHoldsNowhere) {
  put("ends.lathe", R"(program ends(n: size, p: size, l: size)
  input  d: i64[x: l]
  inout  x: f64[x: n]

  s: for i in 0..n, h in 0..p, e in 0..d[i+h] where i < 1: x[i] += [seq] 1
)");
  for (const char* target : {"interp", "loops", "c"})
    EXPECT_TRUE(lathe({"run", "ends.lathe", "--set", "n=3", "--set", "p=2", "--set", "l=2", "--in",
                       "d=ramp", "--in", "x=zeros", "--target", target})
                    .err.starts_with("error: statement 's' reads 'd' at [2], but d covers [0..2]\n"
                                     "  --> ends.lathe:5:40\n"))
        << target;
}

TEST_F(RunErrorsTest, WhileCap) {
  put("spin.lathe", R"(program spin(n: size)
  output v: i64[i: n]

  for i in 0..n: v[i] = 0
  spin: for i in 0..n while v[i] < 10:
    v[i] = v[i] + i
)");
  for (const char* target : {"interp", "loops", "c"}) {
    const Said said =
        lathe({"run", "spin.lathe", "--set", "n=2", "--while-cap", "5", "--target", target});
    EXPECT_EQ(said.status, 1) << target;
    EXPECT_TRUE(said.err.starts_with("error: 'spin' is still on at i = 0 after 5 rounds\n"))
        << target << said.err;
    EXPECT_TRUE(said.err.ends_with(
        "  help: make its condition false at some time, or allow more rounds: --while-cap N\n"))
        << target << said.err;
    EXPECT_EQ(
        lathe({"run", "spin.lathe", "--set", "n=1", "--while-cap", "5", "--target", target}).status,
        1)
        << target;
  }
  EXPECT_EQ(lathe({"run", "spin.lathe", "--set", "n=2", "--while-cap", "0"}).status, 2);
}

TEST_F(RunErrorsTest, Out) {
  EXPECT_EQ(error_of({"--out", "s"}), "error: --out s: expected NAME=VALUE\n");
  EXPECT_EQ(error_of({"--out", "t=t.npy"}),
            "error: --out t=t.npy: program 'all_kinds' has no output, inout or state 't'\n"
            "  help: it has y, cube, none, s\n");
  EXPECT_EQ(error_of({"--out", "y=y.jpg"}),
            "error: --out y=y.jpg: expected FILE.npy or FILE.png\n");
  EXPECT_EQ(error_of({"--out", "cube=c.png"}),
            "error: --out cube=c.png: a picture needs one or two axes, 'cube' has 3\n"
            "  help: write a .npy file\n");
  EXPECT_EQ(error_of({"--out", "s=s.png"}),
            "error: --out s=s.png: a picture needs one or two axes, 's' has 0\n"
            "  help: write a .npy file\n");
  EXPECT_EQ(error_of({"--out", "none=n.png"}),
            "error: --out none=n.png: 'none' has no elements to draw\n");
  EXPECT_TRUE(error_of({"--out", "s=no/folder/s.npy"})
                  .starts_with("error: cannot write 'no/folder/s.npy': "));
  EXPECT_EQ(error_of({"--out", "y=y.npy", "--out", "y=y.png"}), "");
}

TEST_F(RunErrorsTest, Watch) {
  const std::string help = "\n  help: for example: --watch v[3,4]\n";
  EXPECT_EQ(error_of({"--watch", "q[0]"}), "error: --watch q[0]: there is no array 'q'" + help);
  EXPECT_EQ(error_of({"--watch", "x[0]"}),
            "error: --watch x[0]: 'x' is an input: nothing writes it" + help);
  EXPECT_EQ(error_of({"--watch", "y[0"}), "error: --watch y[0: ']' is missing" + help);
  EXPECT_EQ(error_of({"--watch", "y[0]"}), "error: --watch y[0]: 'y' has 2 axes, not 1" + help);
  EXPECT_EQ(error_of({"--watch", "t"}), "error: --watch t: 't' has 1 axis, not 0" + help);
  EXPECT_EQ(error_of({"--watch", "t[i]"}), "error: --watch t[i]: 'i' is not an integer" + help);
  EXPECT_EQ(error_of({"--watch", "t[]"}), "error: --watch t[]: '' is not an integer" + help);
  EXPECT_EQ(error_of({"--watch", "y[0,2]"}),
            "error: --watch y[0,2]: axis 'j' of 'y' covers 0..2, not 2" + help);
  EXPECT_EQ(error_of({"--watch", "y[ 0, 1 ]", "--watch", "s"}), "");
}

TEST_F(RunErrorsTest, NothingIsWrittenWhenTheProgramFails) {
  put("fail.lathe", R"(program fail(n: size)
  input  at: i64[i: n]
  output v: i64[i: n]

  for i in 0..n: v[i] = at[at[i] + 1]
)");
  const Said said =
      lathe({"run", "fail.lathe", "--set", "n=3", "--in", "at=ramp", "--out", "v=v.npy"});
  EXPECT_EQ(said.status, 1);
  EXPECT_NE(said.err.find("fail.lathe:5"), std::string::npos) << said.err;
  EXPECT_FALSE(std::filesystem::exists("v.npy"));
}

// The element is found along k, but which row is wrong says i.
TEST_F(RunErrorsTest, AFaultNamesTheVariablesAround) {
  put_array<std::int64_t>("ptr.npy", DType::I64, {3}, {0, 2, 4});
  put_array<std::int64_t>("col.npy", DType::I64, {4}, {0, 1, 0, 9});
  for (const std::string body : {"for i in 0..n: y[i] = sum k in ptr[i]..ptr[i+1]: x[col[k]]",
                                 "for i in 0..n, k in ptr[i]..ptr[i+1]: fresh y[i] += x[col[k]]"}) {
    put("csr.lathe",
        "program csr(n: size, m: size)\n  input ptr: i64[i: n+1]\n  input col: i64[k: m]\n"
        "  input x: f64[i: n]\n  output y: f64[i: n]\n\n  " +
            body + "\n");
    const Said said =
        lathe({"run", "csr.lathe", "--in", "ptr=ptr.npy", "--in", "col=col.npy", "--in", "x=ramp"});
    EXPECT_TRUE(said.err.starts_with("error: statement 'y' reads 'x' at [9], but x covers [0..2]"))
        << said.err;
    EXPECT_NE(said.err.find("  note: at i = 1, k = 3\n"), std::string::npos) << said.err;
  }
}

TEST_F(RunErrorsTest, NothingRawReachesTheTerminal) {
  put("raw.lathe", "program p()\n  output v: f64\n  v = \xff + \x1b[31m\n");
  const Said said = lathe({"run", "raw.lathe"});
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(said.err.find('\xff'), std::string::npos);
  EXPECT_EQ(said.err.find('\x1b'), std::string::npos);
  const Said option = lathe({"run", "all.lathe", "--set", "n=\xff\x1b"});
  EXPECT_EQ(option.err, "error: --set n=\uFFFD\uFFFD: 'n' is an integer\n");
}

}  // namespace
}  // namespace lathe::cli
