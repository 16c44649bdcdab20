// SPDX-License-Identifier: Apache-2.0
#include "base/source.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"

namespace lathe {
namespace {

TEST(SourceMap, LinesAndColumns) {
  SourceMap sources;
  const auto file = sources.add("a", "ab\n\nαc");
  EXPECT_EQ(sources.file(file).line_starts, (std::vector<std::uint32_t>{0, 3, 4}));
  const auto place = [&](std::uint32_t offset) {
    const Location at = sources.location(file, offset);
    return std::to_string(at.line) + ":" + std::to_string(at.column);
  };
  EXPECT_EQ(place(0), "1:1");
  EXPECT_EQ(place(2), "1:3");
  EXPECT_EQ(place(3), "2:1");
  EXPECT_EQ(place(4), "3:1");
  EXPECT_EQ(place(6), "3:2");
  EXPECT_EQ(place(7), "3:3");
  EXPECT_EQ(place(999), "3:3");
  EXPECT_EQ(sources.file(file).line_text(1), "ab");
  EXPECT_EQ(sources.file(file).line_text(2), "");
  EXPECT_EQ(sources.file(file).line_text(3), "αc");
  EXPECT_EQ(sources.text({file, 4, 6}), "α");
  EXPECT_EQ(sources.text({file, 6, 999}), "c");
}

TEST(SourceMap, EditorsDoNotMatter) {
  SourceMap sources;
  const auto file = sources.add("a",
                                "\xef\xbb\xbf"
                                "a\r\nb\r\n");
  EXPECT_EQ(sources.file(file).text, "a\nb\n");
  Diagnostics diagnostics;
  EXPECT_TRUE(check_source_text(sources, file, diagnostics));
}

TEST(SourceMap, UnknownFilesAreOurMistake) { EXPECT_THROW(SourceMap().file(0), InternalError); }

TEST(Span, Join) {
  EXPECT_EQ(join({0, 5, 7}, {0, 1, 2}), (Span{0, 1, 7}));
  EXPECT_EQ(join({}, {0, 1, 2}), (Span{0, 1, 2}));
  EXPECT_EQ(join({0, 1, 2}, {}), (Span{0, 1, 2}));
  EXPECT_EQ(join({0, 1, 2}, {1, 0, 9}), (Span{0, 1, 2}));
}

std::string complaints(std::string text) {
  SourceMap sources;
  const auto file = sources.add("a.lathe", std::move(text));
  Diagnostics diagnostics;
  const bool clean = check_source_text(sources, file, diagnostics);
  EXPECT_EQ(clean, !diagnostics.has_errors());
  return render_text(diagnostics, sources);
}

TEST(CheckSourceText, SaysWhichByteIsWrong) {
  EXPECT_EQ(complaints("a\tα漢\n"), "");
  EXPECT_EQ(complaints("ab\xffz\n"),
            "error: byte 0xff is not valid UTF-8\n"
            "  --> a.lathe:1:3\n"
            "   |\n"
            " 1 | ab\ufffdz\n"
            "   |   ^\n"
            "  help: save the file as UTF-8\n");
  EXPECT_EQ(complaints(std::string("a\0b", 3)),
            "error: control character 0x00 in source text\n"
            "  --> a.lathe:1:2\n"
            "   |\n"
            " 1 | a\ufffd"
            "b\n"
            "   |  ^\n"
            "  help: remove it\n");
  EXPECT_EQ(complaints("a\rb\x7f\n"),
            "error: a carriage return that does not end a line\n"
            "  --> a.lathe:1:2\n"
            "   |\n"
            " 1 | a\ufffd"
            "b\ufffd\n"
            "   |  ^\n"
            "  help: end lines with \\n or \\r\\n\n"
            "error: control character 0x7f in source text\n"
            "  --> a.lathe:1:4\n"
            "   |\n"
            " 1 | a\ufffd"
            "b\ufffd\n"
            "   |    ^\n"
            "  help: remove it\n");
}

TEST(CheckSourceText, OneMessageForUtf16) {
  EXPECT_EQ(complaints(std::string("\xff\xfe"
                                   "a\0b\0",
                                   6)),
            "error: 'a.lathe' is UTF-16 text, not UTF-8\n"
            "  --> a.lathe:1:1\n"
            "   |\n"
            " 1 | \ufffd\ufffd"
            "a\ufffd"
            "b\ufffd\n"
            "   | ^\n"
            "  help: save the file as UTF-8\n");
}

TEST(CheckSourceText, StopsWhenDiagnosticsAreFull) {
  SourceMap sources;
  const auto file = sources.add("a", std::string(1000, '\1'));
  Diagnostics diagnostics;
  EXPECT_FALSE(check_source_text(sources, file, diagnostics));
  EXPECT_EQ(diagnostics.all().size(), Diagnostics::kDefaultMaxErrors + 1);
}

}  // namespace
}  // namespace lathe
