// SPDX-License-Identifier: Apache-2.0
// The words of stencils: names that nobody knows are refused, defaults and domains are found.

#include "unit/cli/command.h"

namespace lathe::cli {
namespace {

class StencilWordsTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    put_scale();
    put("s.py", R"(
@gtscript.function
def weighted(x):
    from __externals__ import WEIGHT
    return x * WEIGHT

@gtscript.stencil(backend="numpy", externals={"WEIGHT": 2.0})
def one(u: Field["real"], v: Field["real"], a: float = 0.5):
    from __externals__ import A
    with computation(PARALLEL), interval(...):
        if __INLINED(A > 1):
            v = weighted(u) * a
        else:
            v = u + a
)");
    put("unused.py", R"(
@gtscript.stencil(backend="numpy")
def ends(u: Field[float], v: Field[float], p: Field[IJ, float]):
    with computation(PARALLEL):
        with interval(0, -1):
            v = 1.0 + p
        with interval(-1, None):
            v = 2.0
)");
  }

  static Said run(std::vector<std::string> words) {
    std::vector<std::string> all = {"run",    "s.py:one", "--domain",     "2x2x2",      "--in",
                                    "u=ramp", "--dtype",  "real=float32", "--external", "A=1"};
    all.insert(all.end(), words.begin(), words.end());
    return lathe(all);
  }
};

TEST_F(StencilWordsTest, NamesThatNobodyKnows) {
  EXPECT_EQ(run({}).err, "");
  EXPECT_EQ(run({"--external", "FOO=1"}).err,
            "error: --external FOO=1: stencil 'one' has no external 'FOO'\n"
            "  help: it has A, WEIGHT\n");
  EXPECT_EQ(run({"--external", "WEIGHTS=1"}).err,
            "error: --external WEIGHTS=1: stencil 'one' has no external 'WEIGHTS'\n"
            "  help: did you mean 'WEIGHT'?\n");
  EXPECT_EQ(run({"--dtype", "double=float32"}).err,
            "error: --dtype double=float32: stencil 'one' has no dtype 'double'\n"
            "  help: it has float, int, real\n");
  EXPECT_EQ(run({"--external", "A=2"}).err, "error: --external A=2: 'A' is given twice\n");
  EXPECT_EQ(run({"--dtype", "real=float64"}).err,
            "error: --dtype real=float64: 'real' is given twice\n");
  EXPECT_EQ(run({"--set", "b=1"}).err,
            "error: --set b=1: stencil 'one' has no scalar 'b'\n  help: it has a\n");
  EXPECT_EQ(run({"--set", "a=1", "--set", "a=2"}).err, "error: --set a=2: 'a' is given twice\n");
  EXPECT_EQ(run({"--in", "w=ramp"}).err,
            "error: --in w=ramp: stencil 'one' has no field 'w'\n  help: it has u, v\n");
}

// A function that this configuration does not reach knows it.
TEST_F(StencilWordsTest, NamesOfBranchesNotTaken) {
  EXPECT_EQ(run({"--external", "WEIGHT=3"}).err, "");
}

TEST_F(StencilWordsTest, CheckLooksAtAllFiles) {
  EXPECT_EQ(
      lathe({"check", "s.py", "--external", "A=1", "--dtype", "real=float64", "--external", "B=1"})
          .err,
      "error: --external B=1: 's.py' has no external 'B'\n  help: it has A, WEIGHT\n");
  const Said said = lathe({"check", "s.py", "unused.py", "--external", "A=1", "--dtype",
                           "real=float64", "--dtype", "other=float64"});
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(said.err,
            "error: --dtype other=float64: no file has the dtype 'other'\n"
            "  help: it has float, int, real\n");
  EXPECT_EQ(
      lathe({"check", "s.py", "unused.py", "--external", "A=1", "--dtype", "real=float64"}).status,
      0);
}

TEST_F(StencilWordsTest, OfStencilsOnly) {
  const auto refused = [](const std::string& option) {
    return "error: " + option +
           " is for stencils, and 'scale.lathe' is none\n"
           "  help: a stencil is in a .py file: FILE.py:NAME\n";
  };
  const std::vector<std::string> all = {"run",   "scale.lathe", "--set", "n=3",
                                        "--set", "a=1",         "--in",  "u=ramp"};
  const auto with = [&](const std::string& option, const std::string& value) {
    std::vector<std::string> words = all;
    words.insert(words.end(), {option, value});
    return lathe(words).err;
  };
  EXPECT_EQ(with("--external", "A=1"), refused("--external A=1"));
  EXPECT_EQ(with("--dtype", "float=float32"), refused("--dtype float=float32"));
  EXPECT_EQ(with("--layout", "KJI"), refused("--layout KJI"));
  EXPECT_EQ(with("--domain", "2x2x2"), refused("--domain"));
  EXPECT_EQ(with("--origin", "1"), refused("--origin"));
}

TEST_F(StencilWordsTest, InfoShowsDefaults) {
  EXPECT_EQ(
      lathe({"check", "s.py:one", "--info", "--external", "A=1", "--dtype", "real=float32"}).out,
      "s.py: stencil one: fine\n"
      "  field  u: f32 over IJK, read, needs beyond the domain (before/after): I 0/0, J 0/0, "
      "K 0/0\n"
      "  field  v: f32 over IJK, write, needs beyond the domain (before/after): I 0/0, J 0/0, "
      "K 0/0\n"
      "  scalar a: f64, 0.5 by default\n"
      "  levels of K: at least 1\n");
}

// Fields that are only written have no file; that of one that is not used has the levels.
TEST_F(StencilWordsTest, DomainsOfFiles) {
  put_array<double>("u.npy", ir::DType::F64, {1, 2, 3}, {0, 0, 0, 0, 0, 0});
  put_array<double>("p.npy", ir::DType::F64, {1, 1}, {5});
  const Said said =
      lathe({"run", "unused.py", "--in", "u=u.npy", "--in", "p=p.npy", "--out", "v=v.npy"});
  EXPECT_EQ(said.err, "");
  EXPECT_EQ(array_in<double>("v.npy"), (std::vector<double>{6, 6, 2}));
  EXPECT_EQ(lathe({"run", "unused.py", "--in", "p=p.npy"}).err,
            "error: the compute domain is not known: no file has the axis K\n"
            "  help: add --domain 64x64x40\n");
}

TEST_F(StencilWordsTest, DiffTakesDomainsAndDefaults) {
  const Said said = lathe({"diff", "s.py:one", "--domain", "2x3x4", "--in", "u=random:1", "--b",
                           "loops", "--external", "A=2", "--dtype", "real=float64"});
  EXPECT_EQ(said.err, "");
  EXPECT_EQ(said.out, "a: interp\nb: loops\nv: equal in 24 elements\nequal, bit for bit\n");
  EXPECT_EQ(lathe({"diff", "scale.lathe", "--set", "n=3", "--set", "a=1", "--in", "u=ramp",
                   "--domain", "2x2x2"})
                .err,
            "error: --domain is for stencils, and 'scale.lathe' is none\n"
            "  help: a stencil is in a .py file: FILE.py:NAME\n");
}

// As models name the ends of their tiles.
TEST_F(StencilWordsTest, ExternalsArePointsOfAxes) {
  put("ends.py", R"(
def ends(u: Field[float], v: Field[float]):
    from __externals__ import i_end
    with computation(PARALLEL), interval(...):
        v = u
        with horizontal(region[i_end, :]):
            v = 7.0
)");
  const auto run = [](const std::string& value) {
    return lathe({"run", "ends.py", "--domain", "4x1x1", "--in", "u=zeros", "--out", "v=v.npy",
                  "--external", "i_end=" + value});
  };
  EXPECT_EQ(run("I[-1] - 1").err, "");
  EXPECT_EQ(array_in<double>("v.npy"), (std::vector<double>{0, 0, 7, 0}));
  EXPECT_EQ(run("I[0]").err, "");
  EXPECT_EQ(array_in<double>("v.npy"), (std::vector<double>{7, 0, 0, 0}));
  for (const char* wrong : {"I[x]", "I[0", "H[0]", "I[0]*2", "I[0]+", "I[0]+-1", "I[0]x1"})
    EXPECT_EQ(run(wrong).err, "error: external 'i_end' is '" + std::string(wrong) +
                                  "', not a number, a bool or a point of an axis\n"
                                  "  help: write --external i_end=0.5, =True, or ='I[0] + 1'\n");
}

// The condition of a while, at its line, also where each point runs its own rounds.
TEST_F(StencilWordsTest, AWhileThatReadsTooFar) {
  put("far.py",
      "def far(u: Field[float], v: Field[float]):\n"
      "    with computation(FORWARD), interval(...):\n"
      "        n = 0\n"
      "        while u[0, 0, n] < 2.0:\n"
      "            n += 1\n"
      "        v = n\n");
  for (const char* target : {"loops", "c"})
    EXPECT_EQ(
        lathe({"run", "far.py", "--domain", "1x1x2", "--in", "u=zeros", "--target", target}).err,
        "error: statement 'while.0' reads 'u' at [0, 0, 2], but u covers [0..1, 0..1, 0..2]\n"
        "  --> far.py:4:9\n"
        "   |\n"
        " 4 |         while u[0, 0, n] < 2.0:\n"
        "   |         ^^^^^^^^^^^^^^^^^^^^^^^\n"
        "  help: an index that is computed must name a level that the array has: keep it inside "
        "with min and max, or give a field more levels; temporaries have those of the domain\n");
}

// Users write I, J, K, whatever the layout: of fields, of temporaries, in what is watched and said.
TEST_F(StencilWordsTest, IndicesAreInTheUsersOrder) {
  put("order.py",
      "def order(u: Field[float], m: Field[IJ, int], v: Field[float, (2,)]):\n"
      "    with computation(PARALLEL), interval(...):\n"
      "        t = u + 1.0\n"
      "        v[0, 0, 0][1] = t[1, 0, 0] + u[0, 0, m + up]\n");
  for (const char* layout : {"IJK", "KJI", "KIJ"}) {
    const auto run = [&](const std::string& domain, std::vector<std::string> words) {
      words.insert(words.begin(), {"run", "order.py", "--domain", domain, "--layout", layout,
                                   "--in", "u=zeros", "--in", "m=zeros", "--in", "v=zeros"});
      return lathe(words);
    };
    const std::string out = run("4x3x2", {"--external", "up=0", "--watch", "t[3, 1, 0]", "--watch",
                                          "v[2,1,0,1]", "--target", "interp"})
                                .out;
    EXPECT_EQ(out.substr(0, out.find("\nv:")),
              "watch t[3, 1, 0]: 0.0 -> 1.0  by 't' at order.py:3\n"
              "watch v[2, 1, 0, 1]: 0.0 -> 1.0  by 'v' at order.py:4")
        << layout;
    for (const char* target : {"interp", "loops", "c"})
      EXPECT_TRUE(run("1x2x2", {"--external", "up=2", "--target", target})
                      .err.starts_with("error: statement 'v' reads 'u' at [0, 0, 2], but u covers "
                                       "[0..2, 0..2, 0..2]\n"))
          << layout << " " << target;
  }
}

TEST_F(StencilWordsTest, ComputedLevels) {
  put("levels.py",
      "def levels(pe: Field[float], lev: Field[IJ, int], v: Field[float]):\n"
      "    with computation(PARALLEL), interval(...):\n"
      "        v = pe[0, 0, lev]\n");
  EXPECT_EQ(
      lathe({"check", "levels.py", "--info"}).out,
      "levels.py: stencil levels: fine\n"
      "  field  pe: f64 over IJK, read, needs beyond the domain (before/after): I 0/0, J 0/0, "
      "K 0/0; levels are computed: any that the array has\n"
      "  field  lev: i64 over IJ, read, needs beyond the domain (before/after): I 0/0, J 0/0\n"
      "  field  v: f64 over IJK, write, needs beyond the domain (before/after): I 0/0, J 0/0, "
      "K 0/0\n"
      "  levels of K: at least 1\n");
  // A bundle's random numbers are no levels; what is said of it speaks of stencils.
  const std::string said = lathe({"emit", "levels.py", "-o", "bundle"}).err;
  EXPECT_TRUE(said.starts_with("error: no golden data: statement 'v' reads 'pe' at [0, 0, "))
      << said;
  EXPECT_TRUE(said.ends_with("or give a field more levels; temporaries have those of the domain\n"))
      << said;
}

TEST_F(StencilWordsTest, HelpNamesStencils) {
  for (const char* command : {"emit", "diff"})
    EXPECT_NE(lathe({command, "--help"}).out.find("A .lathe file, or FILE.py:STENCIL"),
              std::string::npos);
}

TEST_F(StencilWordsTest, DataIndicesAreNoLevels) {
  put("data.py", R"(
def data(n: Field[int], t: GlobalTable[(float, (4,))], w: Field[float]):
    u: Field[(float, (3,))] = 1.0
    with computation(PARALLEL), interval(...):
        if n > 3:
            w = t.A[n]
        w = u[0, 0, 0][n]
)");
  const auto help_of = [](const std::string& domain) {
    const Said said = lathe({"run", "data.py", "--domain", domain, "--in", "n=ramp", "--in",
                             "t=ramp", "--in", "w=zeros", "--checked"});
    return said.err.substr(said.err.find("  help: "));
  };
  const std::string help =
      "  help: a data index that is computed must name an element that is there: keep it inside "
      "with min and max\n";
  EXPECT_EQ(help_of("1x1x4"), help);
  EXPECT_EQ(help_of("1x1x5"), help);
}

TEST_F(StencilWordsTest, InformationAsJson) {
  put("lap.py", R"(
def lap(u: Field[float], v: Field[float], p: Field[IJ, float], a: float = 0.5):
    with computation(PARALLEL), interval(1, None):
        t = u[-1, 0, 0] + u[1, 0, -1]
        v = t
)");
  const Said said = lathe({"check", "lap.py", "--info", "--json"});
  EXPECT_EQ(said.status, 0);
  EXPECT_EQ(
      said.out,
      R"({"stencils": [{"file":"lap.py","stencil":"lap","levels":2,"arguments":[)"
      R"({"name":"u","kind":"field","dtype":"f64","used":true,"axes":"IJK","data_dims":[],)"
      R"("access":"read","beyond_domain":{"I":[1,1],"J":[0,0],"K":[0,0]},"any_level":false},)"
      R"({"name":"v","kind":"field","dtype":"f64","used":true,"axes":"IJK","data_dims":[],)"
      R"("access":"write","beyond_domain":{"I":[0,0],"J":[0,0],"K":[-1,0]},"any_level":false,)"
      R"("needs":{"u":{"I":[1,1],"J":[0,0],"K":[0,0]}}},)"
      R"({"name":"p","kind":"field","dtype":"f64","used":false,"axes":"IJ","data_dims":[],)"
      R"("access":"none","any_level":false},)"
      R"({"name":"a","kind":"scalar","dtype":"f64","used":false,"default":"0.5"}],)"
      R"("temporaries":["t"],"copies":[]}], "diagnostics": [
]
}
)");
}

// What one output needs is less than what all do: temporaries that are set again, branches, sweeps,
// outputs that are read, tables.
TEST_F(StencilWordsTest, InformationByOutput) {
  put("two.py", R"(
def two(u: Field[float], w: Field[IJ, float], g: GlobalTable[(float, (2,))], a: Field[float],
        b: Field[float], c: Field[float], d: Field[float], n: float):
    with computation(PARALLEL), interval(...):
        t = u[-1, 0, 0]
        a = t[-1, 0, 0] + w[0, 3]
        t = u[0, 2, 0]
        b = t + g.A[1]
        d = 0.0
    with computation(FORWARD), interval(1, None):
        s = u[0, 0, -1]
        if w[1, 0] > n:
            s = u
            c = s[0, 1, 0]
        else:
            c = b
)");
  const std::string text = lathe({"check", "two.py", "--info"}).out;
  EXPECT_NE(text.find("  output a needs u (I 2/-1, J 0/0, K 0/0), w (I 0/0, J -3/3)\n"
                      "  output b needs u (I 0/0, J -2/2, K 0/0), g\n"
                      "  output c needs u (I 0/0, J 0/2, K 0/0), w (I -1/1, J 0/1), g, "
                      "b (I 0/0, J 0/0, K 0/0)\n"
                      "  output d needs no field\n"),
            std::string::npos)
      << text;
  const std::string json = lathe({"check", "two.py", "--info", "--json"}).out;
  EXPECT_NE(json.find(R"("needs":{"u":{"I":[0,0],"J":[-2,2],"K":[0,0]},"g":{}}})"),
            std::string::npos)
      << json;
  EXPECT_NE(json.find(R"("needs":{}},{"name":"n")"), std::string::npos) << json;
}

// Where a statement writes what its other points still read, the compiler says what it keeps.
TEST_F(StencilWordsTest, InformationAboutCopies) {
  put("self.py", R"(
def self(a: Field[float], b: Field[float], c: Field[float]):
    with computation(PARALLEL), interval(...):
        a = a[1, 0, 0]
        t = b * 2.0
        t = t[1, 0, 0] + t[-1, 0, 0]
        c = t
        if c[1, 0, 0] > 0.0:
            c = c[-1, 0, 0]
        else:
            c = b
        b = b + a[0, 1, 0]
)");
  const std::string text = lathe({"check", "self.py", "--info"}).out;
  const auto waits = [](const std::string& name, int line) {
    return "  copy: new values of '" + name +
           "' wait in an array of their own until all points have read the old ones (line " +
           std::to_string(line) + ")\n";
  };
  EXPECT_EQ(text.substr(text.find("  copy: ")), waits("a", 4) + waits("t", 6) + waits("c", 9));
  const std::string json = lathe({"check", "self.py", "--info", "--json"}).out;
  EXPECT_NE(json.find(R"("copies":[{"field":"a","line":4,"holds":"new"},)"
                      R"({"field":"t","line":6,"holds":"new"},)"
                      R"({"field":"c","line":9,"holds":"new"}]})"),
            std::string::npos)
      << json;
}

TEST_F(StencilWordsTest, RemarksAreForCheckAlone) {
  put("thirds.py", R"(
def thirds(u: Field[float], v: Field[float]):
    with computation(PARALLEL), interval(...):
        v = u * (1 / 3)
)");
  const Said text = lathe({"check", "thirds.py"});
  EXPECT_EQ(text.status, 0);
  EXPECT_EQ(text.out, "thirds.py: stencil thirds: fine\n");
  EXPECT_EQ(text.err,
            "note: '/' of two integers is computed in float64; GT4Py computes it in float32\n"
            "  --> thirds.py:4:18\n"
            "   |\n"
            " 4 |         v = u * (1 / 3)\n"
            "   |                  ^^^^^\n");
  const Said json = lathe({"check", "thirds.py", "--json"});
  EXPECT_EQ(json.status, 0);
  EXPECT_NE(json.out.find("\"severity\":\"note\""), std::string::npos) << json.out;
  const Said run = lathe({"run", "thirds.py", "--domain", "1x1x1", "--in", "u=ramp"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err, "");
}

}  // namespace
}  // namespace lathe::cli
