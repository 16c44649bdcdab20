// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a set of programs exercises: operations, which operation feeds which, item kinds, policies,
// orders, dtypes, roles. A generator that never makes something tests nothing about it.

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ir/program.h"

namespace lathe::testing {

class Coverage {
 public:
  void add(const ir::Program& program);

  // What never occurred, as "op Lgamma", "policy mirror", ...; empty when everything did.
  std::vector<std::string> missing() const;
  // Pairs (user, operand) seen, and those that the typing rules allow.
  std::size_t pairs_seen() const { return pairs_.size(); }
  std::size_t pairs_possible() const;
  // A table for people.
  std::string report() const;

 private:
  void add(const ir::Body& body);
  void add(const ir::Domain& domain);
  void add(const ir::Statement& statement);
  void add_expr(ir::Expr e);
  // Shapes that once held mistakes (coverage_shapes.cpp).
  static const std::vector<std::string>& shapes();
  void add_shapes(const ir::Program& program);
  void count(const std::string& what) { ++counts_[what]; }

  std::map<std::string, std::size_t> counts_;
  std::set<std::pair<ir::Op, ir::Op>> pairs_;
  std::set<ir::Expr> seen_;  // of the program being added
  std::size_t programs_ = 0;
};

}  // namespace lathe::testing
