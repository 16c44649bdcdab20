// SPDX-License-Identifier: Apache-2.0
// Contractions: products summed over labels that the result does not have. matmul, tensordot, outer
// and einsum all end here, so that one path makes them fast.

#include <algorithm>
#include <map>

#include "frontend/array/make.h"

namespace lathe::array {

NodeRef contract(const Maker& m, Nodes factors, const std::vector<std::vector<int>>& labels,
                 const std::vector<int>& result, bool strict) {
  const ir::DType t = common_dtype(m, factors);
  Node n;
  n.kind = Kind::Contract;
  n.op = ir::Op::Fma;
  n.dtype = t;
  std::map<int, Dim> length;
  std::map<int, std::string> names;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    for (std::size_t a = 0; a < labels[f].size(); ++a) {
      const int l = labels[f][a];
      const Dim& d = factors[f]->shape[a];
      if (!factors[f]->label(a).empty()) names.emplace(l, factors[f]->label(a));
      const auto [at, fresh] = length.emplace(l, d);
      if (fresh || at->second == d) continue;
      const bool kept = std::find(result.begin(), result.end(), l) != result.end();
      const auto before = labels[f].begin() + static_cast<std::ptrdiff_t>(a);
      const bool is_diagonal = std::find(labels[f].begin(), before, l) != before;
      const bool spreads = kept || (!strict && (!is_diagonal || d.is(1) || at->second.is(1)));
      if (spreads) {
        if (d.is(1)) continue;
        if (at->second.is(1)) {
          at->second = d;
          continue;
        }
      }
      const auto v = known_value(at->second), w = known_value(d);
      // Of axes that broadcast either may be 1, now or when the program runs.
      const bool may_spread = spreads && (v && w ? *v == 1 || *w == 1
                                                 : compare(at->second, Dim(1)) != Answer::No ||
                                                       compare(d, Dim(1)) != Answer::No);
      const bool differ = v && w ? *v != *w : compare(at->second, d) == Answer::No;
      if (differ && !may_spread) {
        std::string shapes;
        for (std::size_t i = 0; i < factors.size(); ++i)
          shapes += (i ? " and " : "") + describe(*factors[i]);
        refuse(m,
               "lengths do not match: " + shapes + ", " + to_text(at->second) + " against " +
                   to_text(d),
               "axes that are multiplied together must have the same length");
      }
      if (spreads && (differ || !(v && w))) {
        n.conditions.push_back({Condition::Rule::Broadcast, at->second, d, static_cast<int>(a)});
        at->second = spread(at->second, d);
        continue;
      }
      n.conditions.push_back({Condition::Rule::Equal, at->second, d, static_cast<int>(a)});
    }
    for (int l : labels[f]) n.ints.push_back(l);
    n.ints.push_back(-1);
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    n.ints.push_back(result[i]);
    n.shape.push_back(length.at(result[i]));
    if (!names.count(result[i])) continue;
    n.labels.resize(result.size());
    n.labels[i] = names[result[i]];
  }
  for (const NodeRef& f : factors) n.operands.push_back(converted(m, f, t));
  n.text = m.operation;
  n.place = m.place;
  return intern(std::move(n));
}

NodeRef matmul(const Maker& m, const NodeRef& a, const NodeRef& b) {
  if (a->rank() == 0 || b->rank() == 0)
    refuse(m, "takes arrays with axes, not " + describe(*a) + " and " + describe(*b),
           "multiply numbers with *");
  // Labels: 0 rows, 1 columns, 2 summed; 3 and on for the axes before, counted from the right.
  auto labelled = [](std::size_t rank, bool left) {
    std::vector<int> out;
    if (rank == 1) return std::vector<int>{2};
    for (std::size_t i = rank; i > 2; --i) out.push_back(static_cast<int>(i));
    out.push_back(left ? 0 : 2);
    out.push_back(left ? 2 : 1);
    return out;
  };
  const std::vector<int> la = labelled(a->rank(), true), lb = labelled(b->rank(), false);
  std::vector<int> result;
  for (std::size_t i = std::max(a->rank(), b->rank()); i > 2; --i)
    result.push_back(static_cast<int>(i));
  if (a->rank() > 1) result.push_back(0);
  if (b->rank() > 1) result.push_back(1);
  return contract(m, {a, b}, {la, lb}, result);
}

NodeRef tensordot(const Maker& m, const NodeRef& a, const NodeRef& b, const Axes& of_a,
                  const Axes& of_b) {
  if (of_a.size() != of_b.size())
    refuse(m, "takes as many axes of the one array as of the other, not " +
                  std::to_string(of_a.size()) + " and " + std::to_string(of_b.size()));
  std::vector<int> la(a->rank(), -1), lb(b->rank(), -1), result;
  int next = 0;
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    la[static_cast<std::size_t>(of_a[i])] = next;
    lb[static_cast<std::size_t>(of_b[i])] = next++;
  }
  for (std::vector<int>* l : {&la, &lb}) {
    for (int& x : *l) {
      if (x >= 0) continue;
      x = next++;
      result.push_back(x);
    }
  }
  return contract(m, {a, b}, {la, lb}, result);
}

}  // namespace lathe::array
