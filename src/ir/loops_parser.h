// SPDX-License-Identifier: Apache-2.0
#pragma once
// The parser of kernels (private to src/ir): the expressions of programs (text_parser.h), with
// declarations and statements of its own.
//   loops_parse.cpp        header, buffers, sites
//   loops_parse_stmt.cpp   statements
//
// The expression grammar looks names up in a Program: here one that holds the parameters, and as
// arrays the buffers that were declared so far. Scalars of Let and Var are bound like the operands
// of a combiner: uses become Param nodes.

#include "ir/loops_text.h"
#include "ir/text_parser.h"

namespace lathe::loops {

class KernelParser : private ir::Parser {
 public:
  KernelParser(std::uint32_t file, std::vector<ir::Token> tokens, ir::Program& names,
               Kernel& kernel, Diagnostics& diagnostics);
  void run();

 private:
  using TokenKind = ir::TokenKind;
  using Token = ir::Token;

  // Names and buffers declared while it lives go out of scope with it.
  class Block {
   public:
    explicit Block(KernelParser& p) : names_(p), p_(p), size_(p.scoped_.size()) {}
    ~Block() {
      for (; p_.scoped_.size() > size_; p_.scoped_.pop_back()) p_.arrays_.erase(p_.scoped_.back());
    }
    Block(const Block&) = delete;

   private:
    ScopeMark names_;
    KernelParser& p_;
    std::size_t size_;
  };

  // Declarations.
  void kernel_header();
  void declarations();
  bool at_buffer(std::size_t ahead) const;
  bool at_declaration() const;
  Buffer buffer();
  void attributes(Buffer& b);
  void site();
  void site_comment(Site& s);
  Site::Kind site_kind();
  void declare(Symbol name, DType t, std::vector<Axis> axes);
  std::int64_t number(std::string_view what);
  std::vector<Symbol> names(std::string_view what);
  bool at_comment() const;

  // Statements.
  bool begins(std::string_view word) const;
  void statements(Body& body);
  void statement(Body& body);
  Stmt simple_statement();
  void block(Body& body, std::string_view after);
  For loop(Kind kind);
  void loop_options(For& f);
  If branch();
  Let let();
  Var var();
  VectorLoad load();
  Stmt assignment();
  Store store(bool stream);
  Fault fault();
  Rotate rotation();
  Call call(Symbol label);
  Symbol buffer_name();
  std::vector<Expr> element();
  Expr expression_of(DType t, Symbol target);

  Kernel& kernel_;
  std::string_view text_;
  std::vector<Symbol> scoped_;  // buffers in the order of their declaration
};

}  // namespace lathe::loops
