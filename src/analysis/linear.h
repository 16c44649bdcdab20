// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sets that isl understands, made of sets that it does not.
//
// Terms in parameters alone that are not affine (`n*m`, `k // q`, a read without variables) become
// parameters of their own: the name is the term's text, and facts() says what their factors imply.
// Comparisons that stay nonlinear in a variable (`i*n < m`, `ptr[i] <= j`) and opaque conditions
// are dropped: the upper set contains the true one, the lower set lies inside it.

#include <map>
#include <optional>
#include <string>

#include "ir/domain.h"

namespace lathe::analysis {

struct LinearSet {
  ir::SetExpr set = ir::SetExpr::universe();
  bool exact = true;  // nothing was dropped
};

class Linearizer {
 public:
  LinearSet upper(const ir::SetExpr& s) { return linear(s, ir::SetExpr::universe()); }
  LinearSet lower(const ir::SetExpr& s) { return linear(s, ir::SetExpr::empty()); }
  // Nothing when it is not affine in its variables.
  std::optional<ir::PwAff> linear(const ir::PwAff& e);

  // What holds for the terms met so far, whatever the parameters are: with p for n*m,
  //   n < 0 or m < 0, or p == 0 with n == 0 or m == 0, or n, m >= 1 and p >= n, p >= m, ...
  ir::SetExpr facts() const;
  bool has_terms() const { return !terms_.empty(); }
  // The terms in place of their names.
  ir::PwAff restore(const ir::PwAff& e) const;
  ir::SetExpr restore(const ir::SetExpr& s) const;

 private:
  LinearSet linear(const ir::SetExpr& s, const ir::SetExpr& unknown);
  ir::PwAff name_term(const ir::PwAff& term);

  std::map<std::string, ir::PwAff> terms_;  // by the new parameter's name
};

}  // namespace lathe::analysis
