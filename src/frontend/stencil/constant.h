// SPDX-License-Identifier: Apache-2.0
#pragma once
// Python expressions whose value is known when a stencil is compiled.

#include "base/function_ref.h"
#include "frontend/stencil/value.h"

namespace lathe::stencil {

// What a name stands for; null when it is not known at compile time.
using Names = FunctionRef<const Value*(std::string_view)>;

// Numbers as Python computes them, up to 64 bits of int; tuples, dicts, axes and their points
// (I[0] + 1), NumPy's scalars and dtypes, constants of `math`. Unknown, with a reason, for the
// rest.
Value evaluate(const python::Expr& e, Names names);

// The same for a unary or binary operation on values.
Value apply(python::UnaryOperator op, const Value& x);
Value apply(python::BinaryOperator op, const Value& a, const Value& b);
Value compare(python::CompareOperator op, const Value& a, const Value& b);

bool truth(const Value& v);  // of a constant

// What a name means in GTScript itself, whether or not the file imports it: axes, dtypes,
// functions.
const Value* gtscript_name(std::string_view name);
// The names of a module that stencils may use: gtscript, numpy, math; null for others.
const Value* known_module(std::string_view dotted);

}  // namespace lathe::stencil
