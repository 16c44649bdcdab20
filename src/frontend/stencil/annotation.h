// SPDX-License-Identifier: Apache-2.0
#pragma once
// Types as annotations write them: float, np.float32, Field[IJ, (float, (3,))], GlobalTable[...].

#include "base/diagnostics.h"
#include "frontend/stencil/environment.h"
#include "frontend/stencil/stencil.h"

namespace lathe::stencil {

struct FieldType {
  ir::DType dtype = ir::DType::F64;
  bool is_field = false;  // else a scalar
  bool table = false;
  std::string axes;  // subset of IJK in this order
  std::vector<std::int64_t> dims;
  std::string dtype_name = {};  // of Field["name"]; empty: its dtype has no such name
};

// Throws UserError with the place and what may be written instead.
FieldType parse_annotation(const python::Expr& e, const Scope& scope, const Options& options,
                           std::string_view of);

// The same of an annotation that Python has evaluated; `span` is where it is written.
FieldType annotation_of(const Value& object, Span span, const Options& options,
                        std::string_view of);

// float and int mean what the options say.
ir::DType resolve(const Value& dtype, const Options& options);

}  // namespace lathe::stencil
