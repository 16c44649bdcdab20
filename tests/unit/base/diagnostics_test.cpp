// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostics.h"

#include <gtest/gtest.h>

namespace lathe {
namespace {

// The span of the first occurrence of `what` in the file.
Span find(const SourceMap& sources, std::uint32_t file, std::string_view what) {
  const auto at = static_cast<std::uint32_t>(sources.file(file).text.find(what));
  return {file, at, at + static_cast<std::uint32_t>(what.size())};
}

std::string rendered(std::string text, std::string_view what) {
  SourceMap sources;
  const std::uint32_t file = sources.add("a.lathe", std::move(text));
  return render_text(Diagnostic{Severity::Error, "wrong", find(sources, file, what), {}, {}},
                     sources);
}

TEST(RenderText, HasTheShapeOfTheLanguageDefinition) {
  SourceMap sources;
  const std::string blank(13, '\n');
  const auto file = sources.add("diffusion.py", blank + "    out = phi[2, 0, 0] - phi\n");
  Diagnostic diagnostic;
  diagnostic.message = "stencil 'lap' reads 'phi' at i+2, but phi has a halo of 1 there";
  diagnostic.span = find(sources, file, "phi[2, 0, 0]");
  diagnostic.help = "give phi a halo of 2 in i, or shrink the domain";
  EXPECT_EQ(render_text(diagnostic, sources),
            "error: stencil 'lap' reads 'phi' at i+2, but phi has a halo of 1 there\n"
            "  --> diffusion.py:14:11\n"
            "   |\n"
            "14 |     out = phi[2, 0, 0] - phi\n"
            "   |           ^^^^^^^^^^^^\n"
            "  help: give phi a halo of 2 in i, or shrink the domain\n");
}

TEST(RenderText, NotesHaveTheirOwnPlace) {
  SourceMap sources;
  const auto a = sources.add("a.lathe", "input u\n");
  const auto b = sources.add("b.lathe", std::string(99, '\n') + "output u\n");
  Diagnostic diagnostic{Severity::Warning, "'u' is declared twice", {}, {}, {}};
  diagnostic.span = {b, 106, 107};
  diagnostic.note("first declared here", {a, 6, 7}).note("names are per program");
  EXPECT_EQ(render_text(diagnostic, sources),
            "warning: 'u' is declared twice\n"
            "  --> b.lathe:100:8\n"
            "    |\n"
            "100 | output u\n"
            "    |        ^\n"
            "  note: first declared here\n"
            "  --> a.lathe:1:7\n"
            "    |\n"
            "  1 | input u\n"
            "    |       ^\n"
            "  note: names are per program\n");
}

TEST(RenderText, WithoutAFileOnlyTheMessage) {
  EXPECT_EQ(render_text(Diagnostic{Severity::Error, "no program given", {}, {}, {}}, SourceMap()),
            "error: no program given\n");
}

TEST(RenderText, TabsTakeTheSpaceUpToTheNextStop) {
  EXPECT_EQ(rendered("\ta\tbc = 1\n", "bc"),
            "error: wrong\n"
            "  --> a.lathe:1:4\n"
            "   |\n"
            " 1 |     a   bc = 1\n"
            "   |         ^^\n");
}

TEST(RenderText, ColumnsCountCodePointsAndCaretsCountCells) {
  // Two-byte letters of one cell, a three-byte letter of two cells, a combining accent of none.
  EXPECT_EQ(rendered("αβ 漢e\u0301 x\n", "x"),
            "error: wrong\n"
            "  --> a.lathe:1:8\n"
            "   |\n"
            " 1 | αβ 漢e\u0301 x\n"
            "   |        ^\n");
  EXPECT_EQ(rendered("αβ = 漢字\n", "漢字"),
            "error: wrong\n"
            "  --> a.lathe:1:6\n"
            "   |\n"
            " 1 | αβ = 漢字\n"
            "   |      ^^^^\n");
}

TEST(RenderText, LongSpansShowTheirFirstLine) {
  EXPECT_EQ(rendered("for i:\n  a = b\n", "i:\n  a"),
            "error: wrong\n"
            "  --> a.lathe:1:5\n"
            "   |\n"
            " 1 | for i:\n"
            "   |     ^^\n");
}

TEST(RenderText, EndOfFileHasACaretToo) {
  SourceMap sources;
  const auto file = sources.add("a.lathe", "ab");
  const Diagnostic past{Severity::Error, "more expected", {file, 2, 2}, {}, {}};
  EXPECT_EQ(render_text(past, sources),
            "error: more expected\n"
            "  --> a.lathe:1:3\n"
            "   |\n"
            " 1 | ab\n"
            "   |   ^\n");
  const auto empty = sources.add("empty.lathe", "");
  EXPECT_EQ(render_text({Severity::Error, "empty", {empty, 0, 0}, {}, {}}, sources),
            "error: empty\n"
            "  --> empty.lathe:1:1\n"
            "   |\n"
            " 1 |\n"
            "   | ^\n");
}

TEST(RenderText, NothingThatDisturbsATerminalIsPrinted) {
  EXPECT_EQ(rendered("a \x1b[31m \u202e b\xff z\n", "z"),
            "error: wrong\n"
            "  --> a.lathe:1:14\n"
            "   |\n"
            " 1 | a \ufffd[31m \ufffd b\ufffd z\n"
            "   |              ^\n");
}

TEST(RenderText, VeryLongLinesAreCut) {
  const std::string text =
      rendered(std::string(1000000, 'a') + "HERE" + std::string(1000000, 'b'), "HERE");
  EXPECT_EQ(text, "error: wrong\n  --> a.lathe:1:1000001\n   |\n 1 | ..." + std::string(60, 'a') +
                      "HERE" + std::string(96, 'b') + "...\n   | " + std::string(63, ' ') +
                      "^^^^\n");
  const std::string wide = rendered(std::string(300, 'x'), std::string(300, 'x'));
  EXPECT_EQ(wide, "error: wrong\n  --> a.lathe:1:1\n   |\n 1 | " + std::string(160, 'x') +
                      "...\n   | " + std::string(160, '^') + "\n");
}

TEST(RenderJson, GivesEveryPart) {
  SourceMap sources;
  const auto file = sources.add("a\"b.lathe", "α u\nv\n");
  Diagnostic diagnostic{Severity::Error, "bad \"u\"", {file, 3, 6}, {}, "say v"};
  diagnostic.note("because", {file, 0, 2}).note("just so");
  EXPECT_EQ(render_json(diagnostic, sources),
            R"({"severity":"error","message":"bad \"u\"","file":"a\"b.lathe","line":1,"column":3,)"
            R"("end_line":2,"end_column":2,"notes":[{"message":"because","file":"a\"b.lathe",)"
            R"("line":1,"column":1,"end_line":1,"end_column":2},{"message":"just so"}],)"
            R"("help":"say v"})");
  Diagnostics all;
  EXPECT_EQ(render_json(all, sources), "[\n]\n");
  all.warning({}, "one \xff");
  all.error({}, "two");
  EXPECT_EQ(render_json(all, sources),
            "[\n{\"severity\":\"warning\",\"message\":\"one \ufffd\",\"notes\":[]},\n"
            "{\"severity\":\"error\",\"message\":\"two\",\"notes\":[]}\n]\n");
}

TEST(Diagnostics, KeepsOrderAndReferences) {
  Diagnostics diagnostics;
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.warning({}, "first");
  EXPECT_FALSE(diagnostics.has_errors());
  Diagnostic& second = diagnostics.error({}, "second");
  for (int i = 0; i < 10; ++i) diagnostics.warning({}, "w");
  second.help = "do it";
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_EQ(diagnostics.all()[0].message, "first");
  EXPECT_EQ(diagnostics.all()[1].help, "do it");
}

TEST(Diagnostics, StopsAfterTooMany) {
  Diagnostics diagnostics(2);
  for (int i = 0; i < 5; ++i) diagnostics.error({}, "e" + std::to_string(i)).note("kept or not");
  diagnostics.warning({}, "late");
  EXPECT_TRUE(diagnostics.full());
  EXPECT_EQ(diagnostics.error_count(), 5u);
  EXPECT_EQ(render_text(diagnostics, SourceMap()),
            "error: e0\n  note: kept or not\nerror: e1\n  note: kept or not\n"
            "error: too many errors, only the first 2 are shown\n");
}

TEST(Diagnostics, ExactlyTheMaximumIsNotTooMany) {
  Diagnostics diagnostics(2);
  diagnostics.error({}, "a");
  diagnostics.error({}, "b");
  EXPECT_FALSE(diagnostics.full());
  EXPECT_EQ(render_text(diagnostics, SourceMap()), "error: a\nerror: b\n");
}

TEST(UserError, CarriesItsDiagnostic) {
  const UserError error("no such array 'w'", {3, 4, 5}, "declare it");
  EXPECT_STREQ(error.what(), "no such array 'w'");
  EXPECT_EQ(error.diagnostic().span, (Span{3, 4, 5}));
  EXPECT_EQ(error.diagnostic().help, "declare it");
}

TEST(InternalError, SaysWhereAndAsksForAReport) {
  try {
    check(true, "nothing");
    check(false, "an array without axes");
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_EQ(error.problem().find("an array without axes ("), 0u);
    EXPECT_NE(error.problem().find("diagnostics_test.cpp:"), std::string::npos);
  }
  const InternalError error = InternalError("a broken node").in("passes", "fold-constants");
  EXPECT_STREQ(error.what(),
               "internal error in passes, pass fold-constants: a broken node\n"
               "  This is a mistake in Lathe, not in your program.\n"
               "  Please report it together with the program and the command that led here.");
  EXPECT_EQ(error.in("cli", "other").pass(), "fold-constants");
}

}  // namespace
}  // namespace lathe
