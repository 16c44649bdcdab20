// SPDX-License-Identifier: Apache-2.0
#pragma once
// Derivatives of graphs, as graphs: they share nodes with what they are derivatives of.

#include "frontend/array/make.h"

namespace lathe::array {

// For each of `inputs` (any nodes of the graph), the sum over outputs of cotangent times
// derivative. An input is where it is however it was pinned or labelled there; one that the outputs
// do not depend on gets zeros. Values of all inputs of the graph may be given to the results, also
// of those that a derivative does not need. Throws UserError for what has no derivative here.
Nodes vjp(const Nodes& outputs, const Nodes& cotangents, const Nodes& inputs, Place place);
// For each output, the derivative along `tangents` of the inputs.
Nodes jvp(const Nodes& outputs, const Nodes& inputs, const Nodes& tangents, Place place);

// ---- For derivative*.cpp.

// What a node passes on to its operands: null where nothing.
Nodes map_adjoints(const Maker& m, const NodeRef& node, const NodeRef& adjoint);
Nodes shape_adjoints(const Maker& m, const NodeRef& node, const NodeRef& adjoint);
Nodes scan_adjoints(const Maker& m, const NodeRef& node, const NodeRef& adjoint);
Nodes call_adjoints(const Maker& m, const NodeRef& node, const NodeRef& adjoint);
// The derivative of lgamma.
NodeRef digamma(const Maker& m, const NodeRef& x);
// Summed over what was spread, so that it has that shape.
NodeRef unspread(const Maker& m, const NodeRef& adjoint, const Shape& shape);
NodeRef zeros_like(const Maker& m, const Node& x);

}  // namespace lathe::array
