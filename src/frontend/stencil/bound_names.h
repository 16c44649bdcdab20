// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which names does a piece of Python bind, wherever in it? Functions and classes bind their own
// name; what is in them are names of their own.

#include <set>
#include <string>
#include <vector>

#include "base/function_ref.h"
#include "frontend/python/ast.h"

namespace lathe::stencil {

using NameSet = std::set<std::string_view>;

// Of assignments, loops, imports, definitions, patterns, `del`; also those whose parts change, as
// Cfg in Cfg.w = 6.0.
NameSet bound_names(python::StmtList body);
NameSet bound_names(const python::Stmt& statement);

NameSet target_names(const python::Expr& target);

// The name that an expression begins with, a of a.b[2].c; empty: none.
std::string_view root_name(const python::Expr& e);

// The expressions right below one; some may be null.
std::vector<const python::Expr*> children(const python::Expr& e);
// Those of a statement, without the statements in it: what it computes, and what it assigns to.
std::vector<const python::Expr*> computed(const python::Stmt& s);
std::vector<const python::Expr*> targets(const python::Stmt& s);

// Every expression below one, itself first; but what a lambda holds, which runs another time.
void for_each_expression(const python::Expr& e, FunctionRef<void(const python::Expr&)> f);

// The expressions of a statement, without the statements in it.
void for_each_expression(const python::Stmt& s, FunctionRef<void(const python::Expr&)> f);

}  // namespace lathe::stencil
