// SPDX-License-Identifier: Apache-2.0
// lathe fmt: what it changes, what it leaves alone.

#include <algorithm>

#include "base/diagnostics.h"
#include "ir/text.h"
#include "source_dir.h"
#include "unit/cli/command.h"

namespace lathe::cli {
namespace {

namespace fs = std::filesystem;

std::string formatted(const std::string& text) {
  std::ostringstream out, err;
  const auto result = format("test.lathe", text, {out, err});
  EXPECT_EQ(err.str(), "");
  return result.value_or("");
}

TEST(FmtTest, BlanksAreThoseOfThePrinter) {
  EXPECT_EQ(formatted(R"(program  p( n :size,m:size , a: f64 ,k : i32)
 input u :f64[ i:-1 .. n+1,j : m ]
 const   w:f64[k:2,l: 2]=[[1,-2] ,[ 3, 4.5e-1 ]]
 temp t:f64[i:n]   extended
 state   z : f64[ i : n ]
 inout   y:f64
 output v: f64 [i : n , j:m]
 output c:i64
 output best: f64
 output where_: i64
 combiner argmin( a:f64,i:i64 ;b: f64,j :i64 )=( min( a,b ),select(a<=b,i,j+1) )neutral( inf,- 1 )

 for i in 0 .. n-1,j in 1..m - 1 where i+1<n :v[ i,j ]=u [i-1 , j;clamp]+a*-u[i+1,j ; value - 1]-(4*u[i,j])
 for i in 0..n : t[i]=select(not(inside u[i+1,0]) ,- - a,a**-2)
 s1 : for i in 0..n where a-1>0 and k-1>0: z[i] += [ seq ,f64 ] -t[i]
 for i in 0..n: y min =t[i]
 fresh c+= sum [ free,i64 ] i in 0..n where i<n - 1 : i*2-1
 y =reduce max[free , f64] i in 0..n:t[i]
 y= reduce - i in 0..n: t[i]
 c = (sum i in 0..c : i8(1))+c-1
 for i in 0..n : fresh ( best , where_ )argmin = (t[i],2*i-1)
 for i in 0..n: y contract= t[i] ,t[i]
 y=let q=a*a in q+1
 for i in 0..n scan j in 0..m exclusive :v[i,j]+=u[i,j]
 call sort( t )->t
 repeat it in 0..n rotate t,z until c> 3 :
    y=y+f64( it )+bitcast_f64(1)+1e3-inf
)"),
            R"(program p(n: size, m: size, a: f64, k: i32)
  input  u: f64[i: -1..n+1, j: m]
  const  w: f64[k: 2, l: 2] = [[1, -2], [3, 4.5e-1]]
  temp   t: f64[i: n] extended
  state  z: f64[i: n]
  inout  y: f64
  output v: f64[i: n, j: m]
  output c: i64
  output best: f64
  output where_: i64
  combiner argmin(a: f64, i: i64; b: f64, j: i64) = (min(a, b), select(a <= b, i, j+1)) neutral (inf, -1)

  for i in 0..n-1, j in 1..m-1 where i+1 < n: v[i, j] = u[i-1, j; clamp] + a * -u[i+1, j; value -1] - (4 * u[i, j])
  for i in 0..n: t[i] = select(not (inside u[i+1, 0]), --a, a ** -2)
  s1: for i in 0..n where a - 1 > 0 and k-1 > 0: z[i] += [seq, f64] -t[i]
  for i in 0..n: y min= t[i]
  fresh c += sum[free, i64] i in 0..n where i < n-1: i * 2 - 1
  y = reduce max[free, f64] i in 0..n: t[i]
  y = reduce - i in 0..n: t[i]
  c = (sum i in 0..c: i8(1)) + c - 1
  for i in 0..n: fresh (best, where_) argmin= (t[i], 2 * i - 1)
  for i in 0..n: y contract= t[i], t[i]
  y = let q = a * a in q + 1
  for i in 0..n scan j in 0..m exclusive: v[i, j] += u[i, j]
  call sort(t) -> t
  repeat it in 0..n rotate t, z until c > 3:
    y = y + f64(it) + bitcast_f64(1) + 1e3 - inf
)");
}

TEST(FmtTest, LinesCommentsAndLetsStay) {
  EXPECT_EQ(formatted(R"(

# What it is.
#   indented text


program p(n: size)   # the header
   output v: f64[i: n]     # the result
   # after the declarations


   # before the loop
   for i in 0..n:
         # inside
       let x = f64(i)
       let y = x*x   # squared


       v[i] = fma(x,   # continued
       # between
            y,
              select(
              x > y, x, y
              )
         )
       # still inside
   # of the program
# the end)"),
            R"(# What it is.
#   indented text

program p(n: size)  # the header
  output v: f64[i: n]  # the result
  # after the declarations

  # before the loop
  for i in 0..n:
    # inside
    let x = f64(i)
    let y = x * x  # squared

    v[i] = fma(x,  # continued
        # between
        y,
        select(
          x > y, x, y
        )
    )
    # still inside
  # of the program
# the end
)");
}

TEST(FmtTest, WindowsLineEndsAndNoLastLineEnd) {
  EXPECT_EQ(formatted("program p()\r\n  output v: f64\r\n\r\n  v = 1"),
            "program p()\n  output v: f64\n\n  v = 1\n");
}

// Every program of the golden files and examples; those after the first section were printed.
std::vector<std::string> written_programs() {
  std::vector<std::string> found;
  const fs::path root = source_dir();
  for (const fs::path& folder : {root / "tests" / "golden", root / "examples"})
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".lathe") continue;
      std::istringstream lines(content(entry.path()));
      std::string text;
      for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("=== ")) {
          text += line + "\n";
          continue;
        }
        found.push_back(text);
        text.clear();
      }
      found.push_back(text);
    }
  std::erase_if(found, [](const std::string& text) {
    return text.find("program ") == std::string::npos || text.starts_with("refused:");
  });
  return found;
}

TEST(FmtTest, FormattingTwiceChangesNothing) {
  const auto programs = written_programs();
  EXPECT_GT(programs.size(), 20u);
  for (const std::string& text : programs) {
    const std::string once = formatted(text);
    EXPECT_EQ(formatted(once), once);
  }
}

TEST(FmtTest, WhatThePrinterWritesStays) {
  for (const std::string& text : written_programs()) {
    Diagnostics diagnostics;
    const auto program = ir::parse_program("test.lathe", text, diagnostics);
    ASSERT_TRUE(program) << text;
    const std::string printed = ir::print(*program);
    EXPECT_EQ(formatted(printed), printed);
  }
}

class FmtCommandTest : public CommandTest {
 protected:
  const std::string ugly = "program p( )\n    output v:f64\n    v=1\n";
  const std::string pretty = "program p()\n  output v: f64\n  v = 1\n";
};

TEST_F(FmtCommandTest, PrintsTheResult) {
  put("p.lathe", ugly);
  const Said said = lathe({"fmt", "p.lathe"});
  EXPECT_EQ(said.status, 0);
  EXPECT_EQ(said.out, pretty);
  EXPECT_EQ(content("p.lathe"), ugly);
}

TEST_F(FmtCommandTest, Write) {
  put("p.lathe", ugly);
  put("q.lathe", pretty);
  const auto before = fs::last_write_time("q.lathe");
  const Said said = lathe({"fmt", "--write", "p.lathe", "q.lathe"});
  EXPECT_EQ(said.status, 0);
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(content("p.lathe"), pretty);
  EXPECT_EQ(fs::last_write_time("q.lathe"), before);
}

TEST_F(FmtCommandTest, Check) {
  put("p.lathe", ugly);
  put("q.lathe", pretty);
  const Said said = lathe({"fmt", "--check", "p.lathe", "q.lathe"});
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(said.out, "p.lathe would be reformatted\n");
  EXPECT_EQ(content("p.lathe"), ugly);
  EXPECT_EQ(lathe({"fmt", "--check", "q.lathe"}).status, 0);
}

TEST_F(FmtCommandTest, WrongProgramsAreLeftAlone) {
  put("p.lathe", "program p(\n");
  put("q.lathe", ugly);
  const Said said = lathe({"fmt", "--write", "p.lathe", "none.lathe", "q.lathe"});
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(said.err,
            "error: '(' is never closed\n"
            "  --> p.lathe:1:10\n"
            "   |\n"
            " 1 | program p(\n"
            "   |          ^\n"
            "error: cannot read 'none.lathe': there is no such file\n");
  EXPECT_EQ(content("p.lathe"), "program p(\n");
  EXPECT_EQ(content("q.lathe"), pretty);  // the others are done all the same
}

}  // namespace
}  // namespace lathe::cli
