// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostics.h"
#include "frontend/array/make.h"

namespace lathe::array {

void refuse(const Maker& m, const std::string& message, const std::string& help, ErrorKind kind) {
  Diagnostic d;
  d.kind = kind;
  d.message = m.operation.empty() ? message : std::string(m.operation) + ": " + message;
  if (m.place.file) d.note("at " + to_text(m.place));
  d.says_where = m.place.file != nullptr;
  d.help = help;
  throw UserError(std::move(d));
}

std::string describe(const Node& n) {
  std::string out = std::string(ir::name(n.dtype)) + to_text(n.shape);
  std::string labels;
  for (std::size_t a = 0; a < n.labels.size(); ++a)
    labels += (a ? ", " : "") + (n.labels[a].empty() ? std::string("-") : n.labels[a]);
  return labels.empty() ? out : out + " [" + labels + "]";
}

}  // namespace lathe::array
