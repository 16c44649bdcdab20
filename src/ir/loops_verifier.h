// SPDX-License-Identifier: Apache-2.0
#pragma once
// The verifier of kernels (private to src/ir): one class, its checks split by concern.
//   loops_verify.cpp          scopes, the walk over statements, loops
//   loops_verify_buffers.cpp  parameters, buffers, sites, allocations
//   loops_verify_stmt.cpp     the other statements
//   loops_verify_expr.cpp     one expression

#include <string>
#include <unordered_map>
#include <vector>

#include "ir/loops.h"

namespace lathe::loops {

class KernelVerifier {
 public:
  KernelVerifier(const Kernel& kernel, Diagnostics& diagnostics)
      : kernel_(kernel), diagnostics_(diagnostics) {}
  void run();

 private:
  // What a name means, and the parallel and vector loop in which it was bound.
  struct Name {
    enum class What : std::uint8_t { Parameter, Variable, Let, Var, Buffer, Register };
    What what = What::Parameter;
    DType dtype = DType::I64;
    const Buffer* buffer = nullptr;
    const VectorLoad* load = nullptr;  // Register
    const For* parallel = nullptr;
    const For* vector = nullptr;
  };
  using What = Name::What;

  Diagnostic& error(std::string message, std::string help = {});
  void bind(Symbol name, Name meaning);
  void check_name(Symbol name);
  const Name* find(Symbol name) const;
  // A buffer that is in scope, or an error.
  const Name* buffer(Symbol name, std::string_view purpose);

  // Declarations.
  void check_declarations();
  void check_buffer(const Buffer& b);
  void check_declared(const Buffer& b);
  void check_layout(const Buffer& b);
  void check_table(const Buffer& b);
  void check_site(const Site& s);

  // Statements.
  void check_body(const Body& body);
  void check_stmt(const Stmt& s);
  void check(const For& s);
  void check(const If& s);
  void check(const Let& s);
  void check(const Var& s);
  void check(const Assign& s);
  void check(const Store& s);
  void check(const Alloc& s);
  void check(const VectorLoad& s);
  void check(const Prefetch& s);
  void check(const Break& s);
  void check(const Fault& s);
  void check(const Rotate& s);
  void check(const Call& s);
  void check(const Comment& s);
  void check_loop_kind(const For& s);
  void check_outside_of_lanes(const Stmt& s);
  void check_serial(std::string_view what);
  void check_rank(const Name& b, Symbol name, std::size_t indices);
  void check_indices(const std::vector<Expr>& indices);
  bool check_lanes(const Name& b, const std::vector<Expr>& indices);

  // Expressions.
  bool check_expr(Expr e);
  bool check_expr(Expr e, DType t, std::string_view what);
  bool check_leaf(Expr e);
  bool check_read(Expr e);
  bool check_register(Expr e, const VectorLoad& load);

  const Kernel& kernel_;
  Diagnostics& diagnostics_;
  std::unordered_map<Symbol, Name> names_;
  std::vector<Symbol> bound_;  // in order, for leaving scopes
  std::string place_;          // of a declaration that is being checked
  const Stmt* at_ = nullptr;   // the statement that is being checked
  std::vector<const Stmt*> around_;
  const For* parallel_ = nullptr;
  const For* vector_ = nullptr;
  const For* innermost_ = nullptr;
};

}  // namespace lathe::loops
