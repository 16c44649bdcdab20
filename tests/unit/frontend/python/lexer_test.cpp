// SPDX-License-Identifier: Apache-2.0
#include "frontend/python/lexer.h"

#include <gtest/gtest.h>

#include "parse.h"

namespace lathe::python {
namespace {

// Tokens side by side: words as they are written, layout in capitals.
std::string tokens_of(std::string text, Lines lines = Lines::Matter) {
  SourceMap sources;
  Diagnostics diagnostics;
  const std::uint32_t file = add_source(sources, "test.py", std::move(text));
  const std::string& all = sources.file(file).text;
  const TokenList list =
      tokenize(sources, {file, 0, static_cast<std::uint32_t>(all.size())}, lines, diagnostics);
  std::string out;
  for (const Token& t : list.tokens) {
    if (!out.empty()) out += ' ';
    switch (t.kind) {
      case TokenKind::End: out += "END"; break;
      case TokenKind::Newline: out += "NEWLINE"; break;
      case TokenKind::Indent: out += "INDENT"; break;
      case TokenKind::Dedent: out += "DEDENT"; break;
      case TokenKind::Error: out += "ERROR"; break;
      default: out += all.substr(t.begin, t.end - t.begin); break;
    }
  }
  for (const Span& comment : list.comments) out += " " + std::string(sources.text(comment));
  return out + (diagnostics.has_errors() ? " !" + diagnostics.all()[0].message : "");
}

TEST(PythonLexer, Lines) {
  EXPECT_EQ(tokens_of(""), "END");
  EXPECT_EQ(tokens_of("\n\n"), "END");
  EXPECT_EQ(tokens_of("a"), "a NEWLINE END");
  EXPECT_EQ(tokens_of("a\n\nb\n"), "a NEWLINE b NEWLINE END");
  EXPECT_EQ(tokens_of("# one\na # two\n  # three"), "a NEWLINE END # one # two # three");
  EXPECT_EQ(tokens_of("(a\n\n  b)\n"), "( a b ) NEWLINE END");
  EXPECT_EQ(tokens_of("a \\\n  b\n"), "a b NEWLINE END");
  EXPECT_EQ(tokens_of("a\r\nb\rc\r\n"), "a NEWLINE b NEWLINE c NEWLINE END");
  EXPECT_EQ(tokens_of("\xef\xbb\xbf"
                      "a"),
            "a NEWLINE END");
  EXPECT_EQ(tokens_of("a\nb", Lines::Join), "a b END");
}

TEST(PythonLexer, Blocks) {
  EXPECT_EQ(tokens_of("a\n b\n  c\nd"),
            "a NEWLINE INDENT b NEWLINE INDENT c NEWLINE DEDENT DEDENT d NEWLINE END");
  EXPECT_EQ(tokens_of("a\n b"), "a NEWLINE INDENT b NEWLINE DEDENT END");
  EXPECT_EQ(tokens_of("a\n b\n\n   # no block\n b"),
            "a NEWLINE INDENT b NEWLINE b NEWLINE DEDENT END # no block");
  EXPECT_EQ(tokens_of("a\n\tb\n\tc"), "a NEWLINE INDENT b NEWLINE c NEWLINE DEDENT END");
  // Tabs reach to the next multiple of 8, and the lines must agree for tabs of 1, too.
  EXPECT_EQ(tokens_of("a\n        b\n\tc"),
            "a NEWLINE INDENT b NEWLINE c NEWLINE DEDENT END !this line mixes tabs and spaces "
            "unlike the lines around it");
  EXPECT_EQ(tokens_of("a\n  b\n\f  c"), "a NEWLINE INDENT b NEWLINE c NEWLINE DEDENT END");
  EXPECT_EQ(tokens_of("a\n  \\\n  b"), "a NEWLINE INDENT b NEWLINE DEDENT END");
}

TEST(PythonLexer, NumbersAndOperators) {
  EXPECT_EQ(tokens_of("1if 0x1for 1_0.5e-3j .5 1. 1..a", Lines::Join),
            "1 if 0x1f or 1_0.5e-3j .5 1. 1. . a END");
  EXPECT_EQ(tokens_of("a**=b//c->d...e:=f!=g<<=h", Lines::Join),
            "a **= b // c -> d ... e := f != g <<= h END");
  for (const char* wrong : {"1__0", "1_", "0x", "0b2", "0o8", "1a", "1.a", "1e5x", "012", "0_7"})
    EXPECT_EQ(tokens_of(wrong, Lines::Join).substr(0, 5), "ERROR") << wrong;
  EXPECT_EQ(tokens_of("00 0_0 012.5 09e1 09j", Lines::Join), "00 0_0 012.5 09e1 09j END");
}

TEST(PythonLexer, Names) {
  EXPECT_EQ(tokens_of("été _変1 nonlocal nonlocal_", Lines::Join),
            "été _変1 nonlocal nonlocal_ END");
  EXPECT_EQ(tokens_of("a€b", Lines::Join), "a ERROR b END !'€' means nothing here");
}

TEST(PythonLexer, Strings) {
  EXPECT_EQ(tokens_of("'a' rb\"b\\\"\" '''c\n'd''' U''", Lines::Join),
            "'a' rb\"b\\\"\" '''c\n'd''' U'' END");
  EXPECT_EQ(tokens_of("ub'a'", Lines::Join), "ub 'a' END");
  EXPECT_EQ(tokens_of("'a\nb"), "ERROR NEWLINE b NEWLINE END !this string has no end");
  EXPECT_EQ(tokens_of("f'a{b!r:>{c}}{{d'", Lines::Join), "f' a { b ! r : > { c } } {{d ' END");
  EXPECT_EQ(tokens_of("f\"{\"a\"}\" f'{f'{1}'}'", Lines::Join),
            "f\" { \"a\" } \" f' { f' { 1 } ' } ' END");
  EXPECT_EQ(tokens_of("f'\\N{DIGIT ONE}\\{a}'", Lines::Join), "f' \\N{DIGIT ONE}\\ { a } ' END");
  EXPECT_EQ(tokens_of("rf'\\N{a}'", Lines::Join), "rf' \\N { a } ' END");
  EXPECT_EQ(tokens_of("f'{a!=b}{(c:=d)}{e:=f}'", Lines::Join),
            "f' { a != b } { ( c := d ) } { e : =f } ' END");
}

TEST(PythonLexer, OneBracketHidesNothing) {
  EXPECT_EQ(tokens_of("a = (b\ndef c(): pass\n"),
            "a = ( b ERROR NEWLINE def c ( ) : pass NEWLINE END !'(' is never closed");
}

}  // namespace
}  // namespace lathe::python
