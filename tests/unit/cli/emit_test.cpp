// SPDX-License-Identifier: Apache-2.0
// lathe emit: what it writes where, and what it refuses. tests/cli builds and runs bundles.

#include <nlohmann/json.hpp>
#include <set>

#include "unit/cli/command.h"

namespace lathe::cli {
namespace {

namespace fs = std::filesystem;

class EmitTest : public CommandTest {
 protected:
  static std::set<std::string> names_in(const std::string& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
      names.insert(entry.path().filename().string());
    return names;
  }
  static Said emit(std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"emit", "scale.lathe", "-o", "bundle"};
    words.insert(words.end(), more.begin(), more.end());
    return lathe(words);
  }
  static std::string refused(const std::string& why) {
    return "error: 'bundle' is not overwritten: " + why +
           "\n  help: name a folder that does not exist, or remove this one yourself\n";
  }
};

const std::set<std::string> kFiles = {"scale.c", "scale.h",  "golden.h",
                                      "test.c",  "Makefile", "bundle.sha256"};

TEST_F(EmitTest, WritesABundle) {
  put_scale();
  const Said said = emit();
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_EQ(said.out, "bundle: scale.c scale.h golden.h test.c Makefile\nmake -C bundle test\n");
  EXPECT_EQ(names_in("bundle"), kFiles);
  EXPECT_EQ(names_in("."), (std::set<std::string>{"bundle", "scale.lathe"}));
  EXPECT_NE(content("bundle/scale.h")
                .find("int scale_run(int64_t n, double a, const double *u, double *v, double "
                      "*total);\n"),
            std::string::npos);
  const std::string code = content("bundle/scale.c");
  EXPECT_NE(code.find("#pragma omp parallel"), std::string::npos);
  EXPECT_NE(code.find("\nstatic i32 lathe_run("), std::string::npos);
}

TEST_F(EmitTest, GoldenDataAreTheInterpretersBits) {
  put_scale();
  put_array<double>("u.npy", ir::DType::F64, {2}, {1, 2});
  EXPECT_EQ(emit({"--set", "a=0.5", "--in", "u=u.npy"}).status, 0);
  EXPECT_EQ(
      content("bundle/golden.h"),
      R"(/* golden.h: inputs of scale_run and what Lathe's interpreter makes of them, as bits. */

/* n */
static const int64_t golden_p0 = INT64_C(2);

/* a */
static const double golden_p1 = 0x1p-1;

/* u */
static const uint64_t golden_in_a0[] = {
    0x3ff0000000000000, 0x4000000000000000,
};

/* v */
static const uint64_t golden_out_a1[] = {
    0x3fe0000000000000, 0x3ff0000000000000,
};

/* total */
static const uint64_t golden_out_a2[] = {
    0x3ff8000000000000,
};
)");
}

TEST_F(EmitTest, SaysItInJson) {
  put_scale();
  const auto json = nlohmann::json::parse(emit({"--json"}).out);
  EXPECT_EQ(json.at("folder"), "bundle");
  EXPECT_EQ(json.at("function"), "scale_run");
  EXPECT_EQ(json.at("files").size(), 5u);
}

TEST_F(EmitTest, ReplacesItsOwnBundle) {
  put_scale();
  EXPECT_EQ(emit().status, 0);
  const std::string before = content("bundle/golden.h");
  put("bundle/scale.o", "what make leaves");
  put("bundle/test_scale", "what make leaves");
  EXPECT_EQ(emit({"--set", "n=3"}).status, 0);
  EXPECT_NE(content("bundle/golden.h"), before);
  EXPECT_EQ(names_in("bundle"), kFiles);
  fs::create_directory("empty");
  EXPECT_EQ(lathe({"emit", "scale.lathe", "-o", "empty/"}).status, 0);
  EXPECT_EQ(names_in("empty"), kFiles);
  EXPECT_EQ(names_in("."), (std::set<std::string>{"bundle", "empty", "scale.lathe"}));
}

TEST_F(EmitTest, NeverOverwritesWhatIsNotItsOwn) {
  put_scale();
  put("bundle", "a file");
  EXPECT_EQ(emit().err, refused("it is no folder"));
  fs::remove("bundle");
  fs::create_directory("bundle");
  put("bundle/thesis.tex", "years");
  EXPECT_EQ(emit().err, refused("it holds other things than a bundle"));
  fs::remove("bundle/thesis.tex");
  EXPECT_EQ(emit().status, 0);
  put("bundle/notes.txt", "mine");
  EXPECT_EQ(emit().err, refused("'notes.txt' is not of the bundle"));
  fs::remove("bundle/notes.txt");
  put("bundle/test.c", "better");
  const Said changed = emit();
  EXPECT_EQ(changed.status, 1);
  EXPECT_EQ(changed.err, refused("'test.c' was changed since the bundle was written"));
  EXPECT_EQ(content("bundle/test.c"), "better");
  EXPECT_EQ(names_in("."), (std::set<std::string>{"bundle", "scale.lathe"}));
}

TEST_F(EmitTest, TheSchedulesWords) {
  put_scale();
  put("scale.schedule", lathe({"explain", "scale.lathe", "--stage", "lockfile"}).out);
  EXPECT_EQ(emit({"--schedule", "scale.schedule"}).status, 0);
  EXPECT_EQ(emit({"--schedule", "missing.schedule"}).err,
            "error: cannot read 'missing.schedule': there is no such file\n");
}

TEST_F(EmitTest, WhatABundleCannotDo) {
  put("scale.lathe", R"(program factor(n: size)
  input  a: f64[i: n, j: n]
  output l: f64[i: n, j: n]

  call cholesky(a) -> l
)");
  EXPECT_EQ(emit().err,
            "error: a bundle cannot carry this 'cholesky': it has sort, argsort, searchsorted, "
            "contains and "
            "nonzero of arrays that are no constants\n"
            "  help: leave it to the code around the bundle, or use the C API of Lathe\n");
  put_scale();
  EXPECT_EQ(emit({"--set", "n=1000000"}).err,
            "error: golden data of 2000001 elements are too much for a C file\n"
            "  help: set smaller sizes: at most 1048576 elements\n");
  EXPECT_EQ(emit({"--set", "k=3"}).err,
            "error: no golden data: --set k=3: program 'scale' has no parameter 'k'\n"
            "  note: --set and --in choose other data than the small sizes and random numbers of a "
            "bundle\n"
            "  help: it has n, a\n");
  EXPECT_FALSE(fs::exists("bundle"));
  EXPECT_EQ(lathe({"emit", "scale.lathe", "-o", "/proc/bundle"}).err,
            "error: cannot write '/proc/bundle': No such file or directory\n"
            "  help: name a folder in a place that you may write to: -o DIR\n");
}

}  // namespace
}  // namespace lathe::cli
