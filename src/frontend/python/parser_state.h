// SPDX-License-Identifier: Apache-2.0
#pragma once
// The recursive-descent parser (private to src/frontend/python). One class in several files:
//   parser.cpp             tokens, errors, the public functions
//   parse_statements.cpp   statements of one line
//   parse_imports.cpp      import, and other lists of names
//   parse_compound.cpp     statements with blocks, recovery from errors
//   parse_try_with.cpp     try and with
//   parse_functions.cpp    def, class, lambda, parameters
//   parse_expressions.cpp  operators by precedence
//   parse_trailers.cpp     calls, subscripts, attributes
//   parse_atoms.cpp        names, literals, brackets
//   parse_displays.cpp     lists, sets, dicts, comprehensions
//   parse_strings.cpp      strings side by side, f-strings
//   parse_patterns.cpp     match, case
//   parse_targets.cpp      expressions as targets

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/arena.h"
#include "frontend/python/ast.h"
#include "frontend/python/gather.h"
#include "frontend/python/lexer.h"

namespace lathe::python {

class Parser {
 public:
  Parser(const SourceMap& sources, std::uint32_t file, TokenList list, Diagnostics& diagnostics,
         Arena& arena);
  StmtList module();
  Expr* only_expression();

 private:
  struct Bail {};  // thrown after an error was reported; caught where the next statement begins

  // Counts the functions that call themselves, whatever lies between.
  class Nesting {
   public:
    explicit Nesting(Parser& p) : p_(p) {
      if (p_.depth_ >= kMaxNesting) p_.fail_nesting();
      ++p_.depth_;
    }
    ~Nesting() { --p_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& p_;
  };

  // Arguments of a call, bases of a class.
  struct Arguments {
    ExprList positional;
    Seq<Keyword> keywords;
  };
  struct ArgumentLists {
    Gather<Expr*> positional;
    Gather<Keyword> keywords;
    bool unpacked = false;  // **value was seen
  };

  // The part of an f-string's value that is being put together.
  struct JoinedParts {
    Gather<Expr*> values;
    std::string text;
    std::uint32_t text_begin = 0, text_end = 0;
    bool u_prefix = false;
  };

  struct ParameterLists {
    Gather<Parameter> positional_only, positional, keyword_only;
    bool after_star = false, slash = false, star_alone = false, default_seen = false;
  };

  // Tokens.
  const Token& token(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  TokenKind kind() const { return tokens_[at_].kind; }
  TokenKind kind(std::size_t ahead) const { return token(ahead).kind; }
  bool at(TokenKind k) const { return kind() == k; }
  bool at_word(std::string_view word) const { return at_word(word, 0); }  // a soft keyword
  bool at_word(std::string_view word, std::size_t ahead) const;
  bool at_expression() const;  // something that an expression may begin with
  const Token& next();
  bool accept(TokenKind k);
  void expect(TokenKind k, std::string_view where, std::string help = {});
  std::string_view text(const Token& t) const { return text_.substr(t.begin, t.end - t.begin); }
  std::uint32_t begin() const { return token().begin; }
  Span span(const Token& t) const { return {file_, t.begin, t.end}; }
  // From there to the last token taken that is more than layout.
  Span since(std::uint32_t begin) const { return {file_, begin, std::max(begin, last_end_)}; }
  std::string_view identifier(std::string_view of_what);
  std::string shown(const Token& t) const;
  std::string missing_mark() const;  // help where a list or a call goes on unexpectedly

  // Errors.
  [[noreturn]] void fail(Span where, std::string message, std::string help = {});
  // "expected `what`, not ...".
  [[noreturn]] void fail_expected(std::string_view what, std::string help = {});
  [[noreturn]] void fail_nesting();

  // Nodes.
  template <class T>
  static int height_of(const T& field);
  template <class T, class... Fields>
  T* make(std::uint32_t begin, Fields... fields);
  template <class T, class... Fields>
  T* make_stmt(std::uint32_t begin, Fields... fields);
  template <class T, class... Fields>
  const Pattern* make_pattern(std::uint32_t begin, Fields... fields);

  // Statements.
  StmtList statements();
  void statement(Gather<const Stmt*>& body);
  void recover();
  void simple_line(Gather<const Stmt*>& body);
  void end_of_statement();
  const Stmt* simple_statement();
  const Stmt* expression_statement();
  const Stmt* assignment(std::uint32_t begin, Expr* first);
  const Stmt* augmented(std::uint32_t begin, Expr* target);
  const Stmt* annotated(std::uint32_t begin, Expr* target, bool parenthesised);
  const Stmt* return_statement();
  const Stmt* raise_statement();
  const Stmt* assert_statement();
  const Stmt* delete_statement();
  const Stmt* type_alias();
  Expr* right_side();
  bool at_type_alias() const;

  const Stmt* import_statement();
  const Stmt* from_statement();
  Alias alias(bool dotted);
  std::string_view dotted_name(std::string_view of_what);
  Seq<std::string_view> name_list(std::string_view of_what);

  const Stmt* compound_statement();  // null: the statement is not one
  StmtList block(std::string_view after);
  StmtList block_if(TokenKind word, std::string_view after);
  const Stmt* if_statement();
  const Stmt* while_statement();
  const Stmt* for_statement(std::uint32_t begin, bool is_async);
  const Stmt* with_statement(std::uint32_t begin, bool is_async);
  const Stmt* try_statement();
  ExceptHandler handler(bool& star);
  const Stmt* async_statement(ExprList decorators);
  const Stmt* decorated();
  bool at_parenthesised_items() const;
  WithItem with_item();

  const Stmt* function(std::uint32_t begin, bool is_async, ExprList decorators);
  const Stmt* class_statement(ExprList decorators);
  Seq<TypeParameter> type_parameters();
  TypeParameter type_parameter();
  const Parameters* parameters(TokenKind close, bool annotated);
  void one_parameter(ParameterLists& lists, Parameters& result, TokenKind close, bool annotated);
  void slash_parameter(ParameterLists& lists);
  Parameter parameter(bool annotated, bool star_annotation, bool may_default);

  const Stmt* match_statement();
  bool at_match() const;
  MatchCase match_case();
  const Pattern* case_patterns();
  const Pattern* pattern();
  const Pattern* or_pattern();
  const Pattern* closed_pattern();
  const Pattern* sequence_element();
  const Pattern* name_pattern();
  const Pattern* class_pattern(std::uint32_t begin, Expr* type);
  const Pattern* bracketed_pattern(TokenKind close);
  const Pattern* mapping_pattern();
  Expr* pattern_number();
  Expr* pattern_literal();
  Expr* signed_number();
  std::string_view capture_name();
  std::string_view named_capture();  // not '_'
  Expr* attribute_path();

  // Expressions. The names are those of Python's grammar.
  Expr* star_expressions();  // a, *b
  Expr* star_expression();
  Expr* star_named_expression();
  Expr* named_expression();
  Expr* expression();
  Expr* conditional(std::uint32_t begin, Expr* yes);
  Expr* lambda();
  Expr* yield_expression();
  Expr* disjunction();
  Expr* bool_operands(std::uint32_t begin, Expr* first, BoolOperator op);
  Expr* conjunction();
  Expr* inversion();
  Expr* comparison();
  Expr* comparators(std::uint32_t begin, Expr* left);
  bool comparison_operator(CompareOperator& op);
  Expr* bitwise_or() { return binary(0); }
  Expr* binary(int min_level);
  Expr* unary();
  Expr* power();
  Expr* primary();
  Expr* trailers(std::uint32_t begin, Expr* value);
  Expr* call(std::uint32_t begin, Expr* function);
  Arguments arguments();
  void argument(ArgumentLists& lists);
  Expr* lone_generator(std::size_t index, Expr* element, bool first);
  void keyword_argument(ArgumentLists& lists, std::uint32_t begin);
  Expr* starred_argument();
  Expr* slices();
  Expr* slice();
  Expr* atom();
  Expr* name_atom();
  Expr* number();
  Expr* parenthesised();
  Expr* list_display();
  Expr* brace_display();
  Expr* dict_display(std::uint32_t begin, Expr* key);
  Expr* set_display(std::uint32_t begin);
  Expr* comprehension(std::uint32_t begin, ComprehensionKind makes, Expr* element, Expr* value,
                      TokenKind close);
  Seq<ForClause> for_clauses();
  bool at_for_clause() const;
  void elements(Gather<Expr*>& found, TokenKind close);

  Expr* strings();
  Expr* plain_strings(std::uint32_t begin);
  void append_string(std::string& out, const Token& t);
  void append_body(std::string& out, std::uint32_t begin, std::string_view body, bool bytes,
                   bool raw, bool braces);
  void fstring(JoinedParts& parts);
  void add_text(JoinedParts& parts, const Token& t, bool raw, bool braces);
  void flush_text(JoinedParts& parts);
  void field(JoinedParts& parts, bool raw);
  void add_source_text(JoinedParts& parts, std::uint32_t begin, std::uint32_t end, bool raw);
  Expr* format(bool raw);
  char conversion();

  // Targets.
  Expr* target_list();  // of for
  void make_target(Expr* e, Context context);
  void make_target_within(Expr* e, Context context);
  void make_elements_targets(ExprList elements, Context context);
  [[noreturn]] void fail_target(const Expr* e, Context context);
  bool is_single_target(const Expr* e) const;

  std::uint32_t file_;
  std::string_view text_;
  std::vector<Token> tokens_;
  std::vector<Span> comments_;
  Diagnostics& diagnostics_;
  Arena& arena_;
  std::size_t at_ = 0;
  std::uint32_t last_end_ = 0;
  int depth_ = 0;
};

// Of a field that holds expressions: the height of the highest.
template <class T>
int Parser::height_of(const T& field) {
  int height = 0;
  const auto see = [&](const Expr* e) { height = std::max(height, e ? int{e->height} : 0); };
  if constexpr (std::is_convertible_v<T, const Expr*>) {
    see(field);
  } else if constexpr (std::is_convertible_v<T, ExprList>) {
    for (const Expr* e : field) see(e);
  } else if constexpr (std::is_convertible_v<T, Seq<Keyword>>) {
    for (const Keyword& k : field) see(k.value);
  } else if constexpr (std::is_convertible_v<T, Seq<ForClause>>) {
    for (const ForClause& clause : field) {
      see(clause.target);
      see(clause.iterable);
      for (const Expr* e : clause.conditions) see(e);
    }
  } else if constexpr (std::is_convertible_v<T, const Parameters*>) {
    for (const auto& list : {field->positional_only, field->positional, field->keyword_only})
      for (const Parameter& p : list) see(p.default_value);  // a lambda: no annotations
  }
  return height;
}

template <class T, class... Fields>
T* Parser::make(std::uint32_t begin, Fields... fields) {
  int below = 0;
  ((below = std::max(below, height_of(fields))), ...);
  if (below >= kMaxHeight) fail_nesting();
  const Expr base{T::kKind, static_cast<std::uint16_t>(below + 1), since(begin)};
  return arena_.make<T>(ExprOf<T::kKind>{base}, fields...);
}

template <class T, class... Fields>
T* Parser::make_stmt(std::uint32_t begin, Fields... fields) {
  return arena_.make<T>(StmtOf<T::kKind>{{T::kKind, since(begin)}}, fields...);
}

template <class T, class... Fields>
const Pattern* Parser::make_pattern(std::uint32_t begin, Fields... fields) {
  return arena_.make<T>(PatternOf<T::kKind>{{T::kKind, since(begin)}}, fields...);
}

}  // namespace lathe::python
