// SPDX-License-Identifier: Apache-2.0
// Elementwise operations: broadcasting of shapes that may not be known yet.
//
//   (n, 3) and (3,)   -> (n, 3)              (n,) and (1,)  -> (n,)
//   (n,)   and (m,)   -> (spread(n, m),)     under the condition n == m or n == 1 or m == 1
//
// Lengths of arrays that are there are known, but one program serves all lengths: that two of them
// are equal is checked now, and again whenever the program is used.

#include <algorithm>

#include "frontend/array/make.h"
#include "ir/typing.h"

namespace lathe::array {
namespace {

std::string both_shapes(const Nodes& operands) {
  std::string out;
  for (std::size_t i = 0; i < operands.size(); ++i)
    out += (i == 0 ? "" : i + 1 == operands.size() ? " and " : ", ") + describe(*operands[i]);
  return out;
}

[[noreturn]] void refuse_pair(const Maker& m, const Nodes& operands, int axis, const Dim& a,
                              const Dim& b) {
  refuse(m,
         "shapes cannot be broadcast together: " + both_shapes(operands) + ", axis " +
             std::to_string(axis) + " is " + to_text(a) + " and " + to_text(b),
         "lengths must be equal, or one of them 1; reshape or expand_dims moves axes");
}

// The length of both together.
Dim joined(const Maker& m, const Nodes& operands, int axis, const Dim& a, const Dim& b,
           std::vector<Condition>& conditions) {
  if (a.is(1)) return b;
  if (b.is(1) || a == b) return a;
  const auto x = known_value(a), y = known_value(b);
  if (x && y) {
    if (*x != *y && *x != 1 && *y != 1) refuse_pair(m, operands, axis, a, b);
    if (*x != *y) {  // a length that happens to be 1 now: decided when the program runs
      conditions.push_back({Condition::Rule::Broadcast, a, b, axis});
      return spread(a, b);
    }
    conditions.push_back({Condition::Rule::Equal, a, b, axis});
    return a.is_constant() ? a : b.is_constant() ? b : a;
  }
  const Answer equal = compare(a, b);
  if (equal == Answer::Yes) return a;
  if (equal == Answer::No) {
    // Different, but either may still be 1.
    if (compare(a, Dim(1)) == Answer::No && compare(b, Dim(1)) == Answer::No)
      refuse_pair(m, operands, axis, a, b);
  }
  conditions.push_back({Condition::Rule::Broadcast, a, b, axis});
  return spread(a, b);
}

std::vector<std::string> joined_labels(const Nodes& operands, std::size_t rank) {
  std::vector<std::string> out;
  for (const NodeRef& o : operands) {
    for (std::size_t a = 0; a < o->labels.size(); ++a) {
      if (o->labels[a].empty()) continue;
      out.resize(rank);
      std::string& to = out[a + rank - o->rank()];
      if (to.empty()) to = o->labels[a];
    }
  }
  return out;
}

}  // namespace

Shape broadcast_shapes(const Maker& m, const Nodes& operands, std::vector<Condition>& conditions) {
  std::size_t rank = 0;
  for (const NodeRef& o : operands) rank = std::max(rank, o->rank());
  Shape out(rank, Dim(1));
  for (const NodeRef& o : operands) {
    for (std::size_t a = 0; a < o->rank(); ++a) {
      Dim& to = out[a + rank - o->rank()];
      to = joined(m, operands, static_cast<int>(a + rank - o->rank()), to, o->shape[a], conditions);
    }
  }
  return out;
}

NodeRef map(const Maker& m, ir::Op op, ir::DType t, Nodes operands) {
  Node n;
  n.kind = Kind::Map;
  n.op = op;
  n.dtype = t;
  n.shape = broadcast_shapes(m, operands, n.conditions);
  n.labels = joined_labels(operands, n.shape.size());
  n.operands = std::move(operands);
  n.text = m.operation;
  n.place = m.place;
  return intern(std::move(n));
}

NodeRef cast(const NodeRef& x, ir::DType t, Place place) {
  if (x->dtype == t && !x->is_weak()) return x;
  if (x->kind == Kind::Constant) return constant(x->value.cast(t));
  Node n;
  n.kind = Kind::Cast;
  n.dtype = t;
  n.shape = x->shape;
  n.labels = x->labels;
  n.operands = {x};
  n.text = "astype";
  n.place = place;
  return intern(std::move(n));
}

}  // namespace lathe::array
