// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is known of sizes when a program is made or run: values of symbols, and which of them are
// one and the same because a condition says so.

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/array/make.h"

namespace lathe::array {

class Sizes {
 public:
  // The value of a symbol. Throws UserError when it has another one; `where` names the source.
  void bind(const SymbolRef& symbol, std::int64_t value, const std::string& where);
  std::optional<std::int64_t> value(const SizeSymbol& symbol) const;
  std::optional<std::int64_t> value(const Dim& d) const;

  // A shape that was declared and the lengths that came. Solves for a symbol where there is one
  // unknown in an affine length; what stays open is returned, to be looked at again.
  void unify(const std::string& name, const Shape& declared,
             const std::vector<std::int64_t>& given);
  // What can be solved for at once; nothing is asked of the rest.
  void learn(const std::string& name, const Shape& declared,
             const std::vector<std::int64_t>& given);
  void finish();  // the rest of what unify() could not do yet; throws UserError

  // Throws UserError when a condition of the node does not hold with these values. What holds makes
  // symbols equal from then on.
  void check(const Node& node);

  // Without minima, maxima and spreads, equal symbols by one name.
  Dim settled(const Dim& d) const;

 private:
  struct Open {
    std::string name;
    Dim declared;
    std::int64_t given;
    std::size_t axis;
  };
  bool solve(const Open& open);
  std::string sources_of(const Dim& d) const;
  void equate(const Dim& a, const Dim& b);
  Dim representative(const SymbolRef& symbol) const;

  struct Bound {
    std::int64_t value;
    std::string where;
  };
  std::unordered_map<const SizeSymbol*, Bound> bound_;
  std::unordered_map<const SizeSymbol*, Dim> same_;  // towards the representative
  std::vector<Open> open_;
};

}  // namespace lathe::array
