// SPDX-License-Identifier: Apache-2.0
#include "frontend/python/parser.h"

#include <cmath>

#include "parse.h"

namespace lathe::python {
namespace {

std::string tree_line(std::string text) { return tree_of(std::move(text)) + "\n"; }

// The trees are Python's own.
TEST(PythonParser, EveryConstruct) { EXPECT_GE(compare_cases("trees.txt", tree_line), 100u); }

TEST(PythonParser, EveryMessageIsAsWritten) {
  EXPECT_GE(compare_cases("errors.txt", messages_of), 25u);
}

TEST(PythonParser, FilesWithoutStatements) {
  for (const char* text : {"", "\n", "   ", "\t\n  \n", "# only\n  # comments", "\f"}) {
    const Parsed p(text);
    EXPECT_EQ(p.tree(), "Module(body=[], type_ignores=[])") << text;
  }
}

TEST(PythonParser, EditorsDoNotMatter) {
  const std::string tree = tree_of("if a:\n    b\n");
  EXPECT_EQ(tree_of("if a:\n    b"), tree);
  EXPECT_EQ(tree_of("if a:\r\n    b\r\n"), tree);
  EXPECT_EQ(tree_of("if a:\r    b\r"), tree);
  EXPECT_EQ(tree_of("if a:\n\tb"), tree);
  EXPECT_EQ(tree_of("\xef\xbb\xbfif a:\n    b"), tree);
  EXPECT_EQ(tree_of("'''a\r\nb\rc'''"), "Expr(value=Constant(value='a\\nb\\nc'))");
}

TEST(PythonParser, Encodings) {
  const std::string tree = "Expr(value=Constant(value='\\xe9'))";
  EXPECT_EQ(tree_of("'\xc3\xa9'"), tree);
  EXPECT_EQ(tree_of("# coding: utf-8\n'\xc3\xa9'"), tree);
  EXPECT_EQ(tree_of("#!/usr/bin/python\n# -*- coding: latin-1 -*-\n'\xe9'"), tree);
  EXPECT_EQ(tree_of("# vim: set fileencoding=ISO-8859-1 :\n'\xe9'"), tree);
  EXPECT_EQ(Parsed("a\n# coding: koi8-r\n").messages(), "") << "only comments may stand before it";
}

TEST(PythonParser, WrongBytes) {
  EXPECT_EQ(messages_of(std::string("a = 1\nb\0c\n", 10)),
            "error: a NUL byte in Python source\n"
            "  --> test.py:2:2\n"
            "   |\n"
            " 2 | b\ufffd"
            "c\n"
            "   |  ^\n"
            "  help: remove it\n");
  EXPECT_EQ(messages_of("a = '\xe9'\n"),
            "error: byte 0xe9 is not valid UTF-8\n"
            "  --> test.py:1:6\n"
            "   |\n"
            " 1 | a = '\ufffd'\n"
            "   |      ^\n"
            "  help: save the file as UTF-8\n");
  EXPECT_EQ(messages_of("# coding: ascii\na = 'é'\n"),
            "error: this file says that it is ASCII, but this character is not\n"
            "  --> test.py:2:6\n"
            "   |\n"
            " 2 | a = 'é'\n"
            "   |      ^\n"
            "  help: say 'coding: utf-8' in its first line\n");
  EXPECT_EQ(Parsed("\xff\xfe"
                   "a")
                .diagnostics.all()[0]
                .message,
            "'test.py' is UTF-16 text, not UTF-8");
}

TEST(PythonParser, CommentsAreKept) {
  const Parsed p("# one\nif a:  # two\n    b  # three: é\n");
  ASSERT_TRUE(p.module);
  ASSERT_EQ(p.module->comments.size(), 3u);
  EXPECT_EQ(p.sources.text(p.module->comments[0]), "# one");
  EXPECT_EQ(p.sources.text(p.module->comments[2]), "# three: é");
}

TEST(PythonParser, Spans) {
  const Parsed p("@d\ndef f(a):\n    return (a + b) * c[1:2]\n\n");
  ASSERT_TRUE(p.module);
  const auto& f = p.module->body[0]->as<FunctionDef>();
  EXPECT_EQ(p.sources.text(f.span), "def f(a):\n    return (a + b) * c[1:2]");
  EXPECT_EQ(p.sources.text(f.name_span), "f");
  const auto& product = f.body[0]->as<Return>().value->as<BinOp>();
  EXPECT_EQ(p.sources.text(product.span), "(a + b) * c[1:2]");
  EXPECT_EQ(p.sources.text(product.left->span), "a + b");
  EXPECT_EQ(p.sources.text(product.right->as<Subscript>().index->span), "1:2");
  EXPECT_EQ(product.try_as<Call>(), nullptr);
  EXPECT_THROW(product.as<Call>(), InternalError);
}

TEST(PythonParser, Numbers) {
  const Parsed p("1_000; 0xff; 9223372036854775807; 9223372036854775808; 1e400; 1_0.5; 3j");
  ASSERT_TRUE(p.module);
  const auto constant = [&](std::size_t i) -> const Constant& {
    return p.module->body[i]->as<ExprStmt>().value->as<Constant>();
  };
  EXPECT_EQ(constant(0).integer, 1000);
  EXPECT_EQ(constant(0).text, "1_000");
  EXPECT_EQ(constant(1).integer, 255);
  EXPECT_TRUE(constant(2).fits);
  EXPECT_FALSE(constant(3).fits);
  EXPECT_EQ(constant(3).text, "9223372036854775808");
  EXPECT_TRUE(std::isinf(constant(4).real));
  EXPECT_EQ(constant(5).real, 10.5);
  EXPECT_EQ(constant(6).what, ConstantKind::Imaginary);
}

TEST(PythonParser, Expressions) {
  SourceMap sources;
  Diagnostics diagnostics;
  Arena arena;
  const std::uint32_t file = add_source(sources, "a.py", "x: 'Field[\n  float]' = 1");
  const Expr* e = parse_expression(sources, {file, 4, 19}, diagnostics, arena);
  ASSERT_NE(e, nullptr);
  EXPECT_EQ(dump(*e, sources),
            "Subscript(value=Name(id='Field', ctx=Load()), slice=Name(id='float', ctx=Load()), "
            "ctx=Load())");
  EXPECT_EQ(sources.text(e->span), "Field[\n  float]");
  EXPECT_EQ(parse_expression(sources, {file, 4, 10}, diagnostics, arena), nullptr);
  EXPECT_EQ(render_text(diagnostics, sources),
            "error: '[' is never closed\n"
            "  --> a.py:1:10\n"
            "   |\n"
            " 1 | x: 'Field[\n"
            "   |          ^\n"
            "  help: close it with ']'\n");
}

}  // namespace
}  // namespace lathe::python
