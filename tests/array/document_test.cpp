// SPDX-License-Identifier: Apache-2.0
// Document 003's examples. Its pin() listing reads elements of k before they are set when i is the
// outer loop; what stands here is the meaning that the specification gives it instead.
#include <gtest/gtest.h>
#include <lathe/array.h>

#include <cmath>

namespace lathe {
namespace {

struct Document : ::testing::Test {
  const Size n = size("n");
  const Array A = input<double>("A", {n, n}), x = input<double>("x", {n});
};

const char* const kSquare =
    "                AND\n"
    "       /-------/  \\-------\\\n"
    "       |                  |\n"
    "{ 0 <= i < n }     { 0 <= j < n }\n";

std::string trimmed(std::string s) {
  while (s.ends_with("\n\n")) s.pop_back();
  return s;
}

TEST_F(Document, FlattenedByDefault) {
  const Array k = arange(n), c = outer(sin(k), cos(k));
  EXPECT_EQ(c.listing(),
            "for i, j\n"
            "  c[i, j] = sin(i) * cos(j)\n"
            "end\n");
  EXPECT_EQ(trimmed(c.domain()), kSquare);
}

TEST_F(Document, PinnedIsAScalarForEachUse) {
  Array k = arange(n);
  k.pin();
  const Array c = outer(sin(k), cos(k));
  EXPECT_EQ(c.listing(),
            "for i\n"
            "  <> k_i = i  {id=k_i}\n"
            "  for j\n"
            "    <> k_j = j  {id=k_j}\n"
            "    c[i, j] = sin(k_i) * cos(k_j)  {dep=k_i:k_j}\n"
            "  end\n"
            "end\n");
  EXPECT_EQ(trimmed(c.domain()), kSquare);  // the loop domain is unchanged
}

TEST_F(Document, CseHasALoopOfItsOwn) {
  Array k = arange(n);
  k.pin_cse();
  const Array c = outer(sin(k), cos(k));
  EXPECT_EQ(c.listing(),
            "for i_dup\n"
            "  <> k[i_dup] = i_dup  {id=k}\n"
            "end\n"
            "\n"
            "for i, j\n"
            "  c[i, j] = sin(k[i]) * cos(k[j])  {dep=k}\n"
            "end\n");
  EXPECT_EQ(trimmed(c.domain()),
            "                                     OR\n"
            "                 /------------------/  \\-------------\\\n"
            "                 |                                   |\n"
            "                AND                         { 0 <= i_dup < n }\n"
            "       /-------/  \\-------\\\n"
            "       |                  |\n"
            "{ 0 <= i < n }     { 0 <= j < n }\n");
}

TEST_F(Document, DiamondFlattened) {
  const Array k = matmul(A, x), c = outer(sin(k), cos(k));
  EXPECT_EQ(c.listing(),
            "for i, j\n"
            "  c[i, j] = sin(sum([k], A[i, k] * x[k])) * cos(sum([k], A[j, k] * x[k]))\n"
            "end\n");
}

TEST_F(Document, DiamondWithCse) {
  Array k = matmul(A, x);
  k.pin_cse();
  const Array c = outer(sin(k), cos(k));
  EXPECT_EQ(c.listing(),
            "for i_dup\n"
            "  <> k[i_dup] = sum([k], A[i_dup, k] * x[k])  {id=k}\n"
            "end\n"
            "\n"
            "for i, j\n"
            "  c[i, j] = sin(k[i]) * cos(k[j])  {dep=k}\n"
            "end\n");
}

TEST_F(Document, DiamondPinned) {
  Array k = matmul(A, x);
  k.pin();
  const Array c = outer(sin(k), cos(k));
  EXPECT_EQ(c.listing(),
            "for i\n"
            "  <> k_i = sum([k], A[i, k] * x[k])  {id=k_i}\n"
            "  for j\n"
            "    <> k_j = sum([k], A[j, k] * x[k])  {id=k_j}\n"
            "    c[i, j] = sin(k_i) * cos(k_j)  {dep=k_i:k_j}\n"
            "  end\n"
            "end\n");
}

TEST_F(Document, PinsOfPinsAndOfStatements) {
  Array k = x + 1;
  k.pin();
  Array l = k * k;
  l.pin();
  EXPECT_EQ((l + sin(l)).listing(),
            "for i\n"
            "  <> k_i = x[i] + 1.0  {id=k_i}\n"
            "  <> k1_i = k_i * k_i  {id=k1_i}\n"
            "  c[i] = k1_i + sin(k1_i)  {dep=k1_i}\n"
            "end\n");
  Array m = x * 2;
  m.pin();
  Array stored = m + 1;
  stored.pin_cse();
  // Each statement has what it reads itself.
  EXPECT_EQ((stored + x).listing(),
            "for i_dup\n"
            "  <> k_i_dup = x[i_dup] * 2.0  {id=k_i_dup}\n"
            "  <> k1[i_dup] = k_i_dup + 1.0  {id=k1}  {dep=k_i_dup}\n"
            "end\n"
            "\n"
            "for i\n"
            "  c[i] = k1[i] + x[i]  {dep=k1}\n"
            "end\n");
  const Array one = k(0) * 2;
  EXPECT_EQ(one.listing(), "<> k_0 = x[0] + 1.0  {id=k_0}\nc = k_0 * 2.0  {dep=k_0}\n");
}

// What this form cannot show is the program: elements of pinned arrays inside of a sum, scans and
// calls, inputs that are called k or c, what would be longer than anybody reads.
TEST_F(Document, OtherwiseTheProgram) {
  Array k = x + 1;
  k.pin();
  EXPECT_EQ(sum(k * k).listing(),
            "program array(n: size)\n"
            "  input  x: f64[i: n]\n"
            "  output c: f64\n\n"
            "  c = sum k in 0..n: (x[k] + 1) * (x[k] + 1)\n");
  const auto is_program = [](const Array& a) { return a.listing().starts_with("program "); };
  EXPECT_TRUE(is_program(cumsum(x, 0) + 1));
  EXPECT_TRUE(is_program(sort(x) + 1));
  Array pinned = input<double>("k", {n}) + x;
  pinned.pin();
  EXPECT_TRUE(is_program(pinned * pinned));
  EXPECT_TRUE(is_program(input<double>("c", {n}) + 1));
  Array p = x, q = sin(x);
  for (int i = 0; i < 60; ++i) {
    Array both = p + q;
    p = q;
    q = both;
  }
  EXPECT_TRUE(is_program(q));
}

TEST_F(Document, TheDiamondComputesItsProductOnce) {
  const Array k = matmul(A, x), c = outer(sin(k), cos(k));
  const std::string program = c.program();
  EXPECT_EQ(program.find("contract"), program.rfind("contract")) << program;
  EXPECT_NE(c.explain().find("t0: f64(n,) of matmul, stored because it is read by 2 others"),
            std::string::npos)
      << c.explain();
}

TEST_F(Document, AllFormsHaveTheSameBits) {
  std::vector<double> a, v;
  for (int i = 0; i < 49; ++i) a.push_back(std::sin(i));
  for (int i = 0; i < 7; ++i) v.push_back(i * 0.25);
  std::vector<std::vector<double>> results;
  for (int how = 0; how < 4; ++how) {
    Array k = matmul(A, x);
    if (how == 1) k.pin();
    if (how == 2) k.pin_cse();
    if (how == 3) k = k.eval({{"A", View(a.data(), {7, 7})}, {"x", View(v.data(), {7})}});
    const Array c = outer(sin(k), cos(k));
    const Array value =
        how == 3 ? c.eval() : c.eval({{"A", View(a.data(), {7, 7})}, {"x", View(v.data(), {7})}});
    results.push_back(value.to_vector<double>());
  }
  for (int how = 1; how < 4; ++how) EXPECT_EQ(results[0], results[static_cast<std::size_t>(how)]);
}

// Labels belong to axes, not to positions.
TEST_F(Document, LabelsSurvive) {
  const Array q = input<double>("q", {n, n}).named({"element", "i_q_point"});
  const Array t = transpose(q)(range(1, _));
  EXPECT_EQ(t.label(0), "i_q_point");
  EXPECT_EQ(t.label(1), "element");
  EXPECT_EQ(sum(t, 1).label(0), "i_q_point");
  EXPECT_NE(sum(t, 1).program().find("i_q_point in"), std::string::npos) << sum(t, 1).program();
  EXPECT_EQ((q * 2 + 1).label(1), "i_q_point");
}

}  // namespace
}  // namespace lathe
