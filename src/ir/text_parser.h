// SPDX-License-Identifier: Apache-2.0
#pragma once
// The recursive-descent parser of docs/language.md (private to src/ir). One class in several files:
//   parse_names.cpp      tokens, scopes, suggestions
//   parse_values.cpp     literals and promotion: the dtypes of expressions
//   parse_expr.cpp       the grammar of expressions
//   parse_program.cpp    header and declarations
//   parse_item.cpp       items and blocks
//   parse_statement.cpp  lines and assignments

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/function_ref.h"
#include "ir/build.h"
#include "ir/literal.h"
#include "ir/program.h"
#include "ir/text_lexer.h"

namespace lathe::ir {

inline constexpr int kMaxNesting = 256;

class Parser {
 public:
  Parser(std::uint32_t file, std::vector<Token> tokens, Program& program, Diagnostics& diagnostics);
  void parse();

 protected:  // loops_parser.h reads kernels with the same expressions
  // A parsed expression. A literal without suffix is weak: its dtype is decided by what it meets.
  // After an error that was reported, neither: whatever uses it stays silent.
  struct Value {
    Expr e = nullptr;
    bool weak = false;
    Literal literal;
    Span span;
    bool ok() const { return e != nullptr || weak; }
  };

  enum class Meaning { Variable, Let, Operand, Local };
  struct Binding {
    Meaning meaning;
    DType dtype = DType::I64;
    Value value;  // Let
  };

  struct How {
    std::optional<Order> order;
    std::optional<DType> dtype;
    bool blocked = false;
    Span span;
  };

  struct Bail {};  // thrown after an error was reported; caught where the next statement begins

  // Names bound while it lives go out of scope with it.
  class ScopeMark {
   public:
    explicit ScopeMark(Parser& p) : p_(p), size_(p.bound_.size()) {}
    ~ScopeMark() { p_.unbind_to(size_); }
    ScopeMark(const ScopeMark&) = delete;
    ScopeMark& operator=(const ScopeMark&) = delete;

   private:
    Parser& p_;
    std::size_t size_;
  };

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

  // Tokens.
  const Token& peek(std::size_t ahead = 0) const;
  const Token& next();
  bool at(std::string_view text) const;  // a name or mark that reads so
  bool at(TokenKind kind) const { return peek().kind == kind; }
  bool at_name() const;  // a name that is no keyword
  bool accept(std::string_view text);
  void expect(std::string_view text, std::string_view where);
  Symbol name(std::string_view what);
  DType dtype(std::string_view of_what);
  void end_line();
  Span span(const Token& token) const { return {file_, token.begin, token.end}; }
  Span span_from(const Token& first) const;
  std::string shown(const Token& token) const;
  Diagnostic& error(Span where, std::string message);
  [[noreturn]] void fail(Span where, std::string message, std::string help = {});
  [[noreturn]] void fail_nesting();
  void skip_statement();

  // Names.
  void bind(Symbol name, Binding binding);
  void unbind_to(std::size_t size);
  const Binding* find(Symbol name) const;
  Value resolve(const Token& token);
  enum class Candidates { Names, Arrays, Functions };
  void unknown_name(const Token& token, std::string_view what, Candidates candidates);
  void for_each_candidate(Candidates candidates, FunctionRef<void(std::string_view)> f) const;
  std::string nearest_name(std::string_view text, Candidates candidates) const;
  std::string names_in_scope(Candidates candidates) const;
  const Array* array_of(Symbol name) const;

  // Expressions.
  Value expression();
  Value lets();
  Value reduction();
  Op reducing_op(bool after_reduce);
  Policy access_policy();
  Value binary(int min_level);
  Value unary();
  Value power();
  Value atom();
  Value name_atom();
  Value literal_value(bool negative);
  Value special_literal(const Token& token, bool negative);
  bool at_literal(std::size_t ahead) const;
  Value conversion(Op op, DType to);
  Value function_call();
  Value access(bool inside);
  std::vector<Value> arguments(std::string_view close);
  Value apply(Op op, std::span<Value> args, Span operator_span, Span whole);
  Expr settle(const Value& v, DType t);
  Expr plain(const Value& v);  // a weak literal becomes i64 or f64
  Expr bound(const Value& v);  // of a range or an axis: integers become i64
  Expr converted(const Value& v, DType t, std::string_view target);
  DType common_dtype(std::span<const Value> values, bool wants_float) const;
  How how();
  std::vector<Range> ranges();
  Range range();
  Expr guard();
  void use(Expr e, Span where);
  void refuse_operation(Op op, Span where);

  // Declarations.
  void header();
  void parameters();
  void declarations();
  bool at_declaration() const;
  bool at_unknown_role() const;
  Role role();
  void array_declaration();
  void extended_axes(Array& array);
  void constant_table(Array& array);
  void table_row(std::vector<Scalar>& values, DType t, std::size_t axis,
                 std::vector<std::int64_t>& shape);
  Value table_entry();
  void combiner_declaration();
  std::vector<Parameter> operands();
  std::vector<Expr> tuple(std::span<const Parameter> components);

  // Items.
  void items(Body& body);
  void item(Body& body);
  void block(Body& body, std::string_view after);
  void for_item(Body& body, Symbol label);
  void branch_or_while(Body& body, Symbol label, Domain domain, const Token& first);
  void scan_item(Body& body, Symbol label, Domain domain, const Token& first);
  void scan_line(Scan& scan, const Domain& domain);
  void sweep_item(Body& body, Symbol label);
  void when_item(Body& body, Symbol label);
  void repeat_item(Body& body, Symbol label);
  void call_item(Body& body, Symbol label);
  void lines(Body& body, Symbol label, Domain domain, const Token& first, int owner);
  void local(Group& group);
  Symbol optional_label();
  void let_line();
  Statement line(const std::vector<Range>& ranges);
  void merge_line(Statement& s, Symbol label, Expr condition, Span where);
  Statement assignment(std::span<const Range> ranges);
  static std::string help_at(const Token& word);  // where a statement is expected
  Target target();
  std::optional<DType> target_dtype(const Target& t, Span where);
  void accumulation(Statement& s, std::optional<DType> t);
  void tuple_assignment(Statement& s);
  void finish_order(Statement& s, std::span<const Range> ranges);
  Symbol array_name(std::string_view purpose);
  Domain inherited_domain() const;
  void finish_spans();

  int new_owner();

  std::uint32_t file_;
  std::vector<Token> tokens_;
  std::size_t position_ = 0;
  int depth_ = 0;
  Program& program_;
  Graph& graph_;
  RawMaker maker_;
  Build build_;
  Diagnostics& diagnostics_;

  std::unordered_map<Symbol, std::vector<Binding>> bindings_;
  std::vector<Symbol> bound_;  // in order, for unbinding
  std::unordered_map<Symbol, std::size_t> arrays_, parameters_;
  std::unordered_set<std::string_view> reported_;  // unknown names, each reported once
  std::unordered_set<Symbol> past_lets_;           // names of lets that ended with their statement

  // The ranges that an item without `for` takes: those of the innermost branch or while.
  const std::vector<Range>* inherited_ = nullptr;

  Policy implied_policy_ = Policy::Error;  // of a read that states none

  Scan* in_scan_ = nullptr;  // the scan whose line is being parsed
  How stated_;               // of the assignment being parsed

  // Uses are noted under the number of the item they stand in; labels are known only at the end.
  // A `for` with one line turns out to be a statement, not a group: the line's number is then
  // another name for the item's.
  struct Use {
    int owner;
    Expr e;
    Span where;
  };
  std::vector<Use> uses_;
  std::vector<int> owners_;
  int owner_ = -1;
};

}  // namespace lathe::ir
