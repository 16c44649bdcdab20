// SPDX-License-Identifier: Apache-2.0
#pragma once
// The recursive-descent parser of lockfiles (private to src/schedule). One class in three files:
//   parse_schedule.cpp   the grammar
//   parse_place.cpp      where values live and how they are laid out
//   check_names.cpp      what names mean: statements, loops, arrays
//
//   file   := 'schedule' NAME [ 'machine' TEXT ] { variant } { line } { fingerprint }
//   variant:= 'variant' NAME '==' INT
//   line   := loop ':' block | leaf { ',' leaf }
//   loop   := ('for' | 'parallel') NAME [ '/' INT ] | ('vector' | 'unroll') NAME '/' INT
//           | ('forward' | 'backward') NAME | 'repeat' LABEL | 'when' LABEL
//   block  := line | NEWLINE INDENT { line } DEDENT      'when' may be followed by 'else' ':' block
//   leaf   := LABEL [ '(' bind, ... ')' ] [ '->' place ] | 'call' LABEL
//           | 'copy' NAME '->' 'tile' [ '[' axis, ... ']' ] | 'prefetch' NAME (INT | 'next' NAME),
//           ...
//   bind   := NAME '=' NAME [ ('+' | '-') INT ]
//   place  := 'nowhere' | 'register' | 'stream' | 'window' '(' NAME ',' INT ')'
//           | ('tile' | 'whole') [ '[' NAME, ... ']' ] | 'in' 'place' NAME
//   axis   := NAME [ ('/' | '%') INT ]
//
// No word is reserved: `copy` is a statement's label unless a name follows it.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/text_lexer.h"
#include "schedule/lockfile_lines.h"
#include "schedule/program_labels.h"
#include "schedule/schedule.h"

namespace lathe::schedule {

class ScheduleParser {
 public:
  ScheduleParser(std::uint32_t file, const LockfileLines& lines, const ir::Program& program,
                 Diagnostics& diagnostics);

  // What does not parse is reported at once; wrong names are kept.
  void parse(Schedule& schedule);
  const std::vector<Diagnostic>& name_errors() const { return name_errors_; }

 private:
  struct Bail {};  // thrown after an error was reported; caught where the next line begins

  struct Number {
    std::string_view what;  // "a tile"
    std::int64_t least, most;
    bool power_of_two = false;
  };

  // Tokens.
  using Token = ir::Token;
  using TokenKind = ir::TokenKind;
  const Token& peek(std::size_t ahead = 0) const;
  const Token& next();
  bool at(std::string_view text) const;
  bool at(TokenKind kind) const { return peek().kind == kind; }
  bool accept(std::string_view text);
  void expect(std::string_view text, std::string_view where);
  const Token& name(std::string_view what);
  std::int64_t number(const Number& n);
  Span span(const Token& token) const { return {file_, token.begin, token.end}; }
  std::string shown(const Token& token) const;
  [[noreturn]] void fail(Span where, std::string message, std::string help = {});
  void skip_line();

  // Grammar.
  void variant(Schedule& schedule);
  void lines(std::vector<Node>& out);
  void line(std::vector<Node>& out);
  void loop(NodeKind kind, std::vector<Node>& out);
  void block(Node& around, std::vector<Node>& out);
  bool at_leaf_word(std::string_view word) const;
  void leaf(std::vector<Node>& out);
  void compute(std::vector<Node>& out);
  void copy(std::vector<Node>& out);
  void prefetch(std::vector<Node>& out);
  void place(Node& n);
  void window(Node& n);
  void in_place(Node& n);
  void layout(Node& n);
  PackAxis pack_axis(const ir::Array* array);
  std::string end_line();  // and the comment that stood there
  std::optional<NodeKind> block_word() const;

  // Names. Each reports what is wrong by way of name_errors_ and goes on.
  Diagnostic& name_error(Span where, std::string message);
  const LabelledItem* labelled(const Token& token, NodeKind kind);
  void check_bind(const LabelledItem* item, const Token& variable, const Token& loop);
  void check_loop_around(const Token& loop, Symbol label);
  void check_variable(const Node& loop, Span where, std::size_t first_leaf);
  void check_all_listed();
  const ir::Array* array(const Token& token);

  std::uint32_t file_;
  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t position_ = 0;
  const ir::Program& program_;
  const LockfileLines& lines_;
  ProgramLabels labels_;
  Diagnostics& diagnostics_;
  std::vector<Diagnostic> name_errors_;
  bool complete_ = true;  // no line was skipped, no label unknown: what is missing is missing

  std::vector<const Node*> loops_;           // around, the outermost first
  std::vector<Around> around_ = {{}};        // repeats and whens around
  std::vector<const LabelledItem*> leaves_;  // statements met so far
  std::unordered_map<Symbol, Span> listed_;  // by label
};

}  // namespace lathe::schedule
