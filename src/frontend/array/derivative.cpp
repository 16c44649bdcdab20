// SPDX-License-Identifier: Apache-2.0
// Reverse mode over the nodes in order: each passes its adjoint on to its operands. Forward mode is
// the reverse of the reverse: a vjp is linear in its cotangent, and the derivative of that is the
// jvp, without a second set of rules.

#include "frontend/array/derivative.h"

#include <algorithm>
#include <atomic>
#include <unordered_map>
#include <unordered_set>

#include "frontend/array/compose.h"
#include "frontend/array/contraction.h"
#include "frontend/array/lower.h"

namespace lathe::array {
namespace {

bool depends(const Node& n) { return ir::is_float(n.dtype); }

NodeRef shared(const Node* n) {
  n->references.fetch_add(1, std::memory_order_relaxed);
  return NodeRef(n);
}

// A product of all others, also where there are zeros: from the left times from the right.
NodeRef others_product(const Maker& m, const NodeRef& x, int axis) {
  std::vector<IndexItem> turned(x->rank());
  turned[static_cast<std::size_t>(axis)].kind = IndexItem::Kind::Slice;
  turned[static_cast<std::size_t>(axis)].step = -1;
  const NodeRef before = scan(m, ir::Op::Mul, x, axis, true);
  const NodeRef after = index(m, scan(m, ir::Op::Mul, index(m, x, turned), axis, true), turned);
  return binary_of(m, "multiply", before, after);
}

NodeRef reduce_adjoint(const Maker& m, const NodeRef& node, const NodeRef& g) {
  const NodeRef& x = node->operands[0];
  Axes axes;
  for (std::int64_t a : node->ints) axes.push_back(static_cast<int>(a));
  const NodeRef wide = expand_dims(m, g, axes);
  switch (node->op) {
    case ir::Op::Add: return broadcast_to(m, wide, x->shape);
    case ir::Op::Mul: {
      // The reduced axes last, as one.
      Axes order;
      Shape kept;
      Dim count(1);
      for (std::size_t a = 0; a < x->rank(); ++a) {
        if (std::count(axes.begin(), axes.end(), static_cast<int>(a))) continue;
        order.push_back(static_cast<int>(a));
        kept.push_back(x->shape[a]);
      }
      for (int a : axes) count = count * x->shape[static_cast<std::size_t>(a)];
      order.insert(order.end(), axes.begin(), axes.end());
      const NodeRef turned = permute(m, x, order);
      Shape flat = kept;
      flat.push_back(count);
      const NodeRef others =
          others_product(m, reshape(m, turned, flat), static_cast<int>(kept.size()));
      Axes back(order.size());
      for (std::size_t i = 0; i < order.size(); ++i)
        back[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
      const NodeRef placed = permute(m, reshape(m, others, turned->shape), back);
      return binary_of(m, "multiply", wide, placed);
    }
    case ir::Op::Min:
    case ir::Op::Max: {
      const NodeRef best = expand_dims(m, node, axes);
      const NodeRef mine = cast(binary_of(m, "equal", x, best), x->dtype, m.place);
      const NodeRef count = reduce(m, ir::Op::Add, mine, axes, true);
      return binary_of(m, "multiply", mine, binary_of(m, "divide", wide, count));
    }
    default: return {};
  }
}

Nodes contract_adjoints(const Maker& m, const NodeRef& node, const NodeRef& g) {
  std::vector<std::vector<int>> labels(node->operands.size());
  all_factor_axes(*node, [&](std::int64_t l, std::size_t factor, std::size_t) {
    labels[factor].push_back(static_cast<int>(l));
    return true;
  });
  std::vector<int> result;
  for (std::int64_t l : result_labels(*node)) result.push_back(static_cast<int>(l));
  Nodes out;
  for (std::size_t f = 0; f < labels.size(); ++f) {
    const NodeRef& x = node->operands[f];
    Nodes factors{g};
    std::vector<std::vector<int>> given{result};
    for (std::size_t o = 0; o < labels.size(); ++o) {
      if (o == f) continue;
      factors.push_back(node->operands[o]);
      given.push_back(labels[o]);
    }
    std::vector<int> wanted;
    Axes missing;
    for (std::size_t a = 0; a < labels[f].size(); ++a) {
      const int l = labels[f][a];
      if (std::count(labels[f].begin(), labels[f].end(), l) > 1)
        refuse(m, "the derivative of a contraction that takes a diagonal is not there",
               "take diagonal() first");
      bool found = false;
      for (const auto& g_labels : given)
        found = found || std::count(g_labels.begin(), g_labels.end(), l) > 0;
      if (found)
        wanted.push_back(l);
      else
        missing.push_back(static_cast<int>(a));
    }
    NodeRef part = contract(m, factors, given, wanted, false);
    if (!missing.empty()) part = expand_dims(m, part, missing);
    // Axes that only this factor has, or that were 1 in the others, were read with one of theirs;
    // those that are 1 here met longer ones.
    Shape whole = part->shape;
    for (std::size_t a = 0; a < x->rank(); ++a)
      if (compare(x->shape[a], whole[a]) != Answer::Yes) whole[a] = spread(whole[a], x->shape[a]);
    out.push_back(unspread(m, spread_to(m, part, whole), x->shape));
  }
  return out;
}

Nodes adjoints_of(const Maker& m, const NodeRef& node, const NodeRef& g) {
  switch (node->kind) {
    case Kind::Map: return map_adjoints(m, node, g);
    case Kind::Cast: return {cast(g, node->operands[0]->dtype, m.place)};
    case Kind::Reduce: return {reduce_adjoint(m, node, g)};
    case Kind::Contract: return contract_adjoints(m, node, g);
    case Kind::Scan: return scan_adjoints(m, node, g);
    case Kind::Call: return call_adjoints(m, node, g);
    default: return shape_adjoints(m, node, g);
  }
}

}  // namespace

NodeRef zeros_like(const Maker& m, const Node& x) {
  return broadcast_to(m, constant(ir::Scalar::of_int(x.dtype, 0)), x.shape);
}

namespace {

// What is one array, pinned here and labelled there, or the result of a derivative, is one node
// without pins, labels and witnesses. Most graphs have none: then a node stands for itself.
class Sameness {
 public:
  void add(const std::vector<const Node*>& order) {
    for (const Node* n : order) {
      if (plain_.count(n)) continue;
      Nodes operands;
      bool changed = n->pin != Pin::None || !n->labels.empty() || n->witnesses;
      for (const NodeRef& o : n->operands) {
        operands.push_back(plain_.at(o.get()));
        changed = changed || operands.back().get() != o.get();
      }
      plain_.emplace(n, n->kind == Kind::Data ? of_data(n)
                        : changed             ? plain(*n, std::move(operands))
                                              : shared(n));
    }
  }
  const Node* of(const Node* n) const { return plain_.at(n).get(); }

 private:
  // Nodes of data are not shared: of those with the same memory the first one stands for all.
  NodeRef of_data(const Node* n) {
    return data_.emplace(n->storage.get(), shared(n)).first->second;
  }
  std::unordered_map<const Node*, NodeRef> plain_;
  std::unordered_map<const Storage*, NodeRef> data_;
};

// Which nodes of `order` lead to an input: only those need an adjoint.
std::unordered_set<const Node*> leading_to(const Nodes& inputs, const Sameness& same,
                                           const std::vector<const Node*>& order) {
  std::unordered_set<const Node*> wanted, out;
  for (const NodeRef& x : inputs) wanted.insert(same.of(x.get()));
  for (const Node* n : order) {
    bool leads = wanted.count(same.of(n)) > 0;
    for (const NodeRef& o : n->operands) leads = leads || (out.count(o.get()) && depends(*o));
    if (leads) out.insert(n);
  }
  return out;
}

void require_float(const Node& n, Place place) {
  if (!depends(n))
    refuse({"derivative", place}, "only floats have one, not " + describe(n), {}, ErrorKind::DType);
}

// `own` is what the user called.
Nodes reverse(const Nodes& outputs, const Nodes& cotangents, const Nodes& inputs,
              const Maker& own) {
  std::unordered_map<const Node*, NodeRef> adjoint;
  auto add = [&](NodeRef& sum, const NodeRef& g) { sum = sum ? binary_of(own, "add", sum, g) : g; };
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    require_float(*outputs[o], own.place);
    add(adjoint[outputs[o].get()],
        broadcast_to(own, cast(cotangents[o], outputs[o]->dtype, own.place), outputs[o]->shape));
  }
  for (const NodeRef& x : inputs) require_float(*x, own.place);
  const std::vector<const Node*> order = in_order(outputs);
  Sameness same;
  same.add(order);
  same.add(in_order(inputs));
  const std::unordered_set<const Node*> leads = leading_to(inputs, same, order);
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const Node& n = **it;
    const auto g = adjoint.find(&n);
    if (g == adjoint.end() || n.operands.empty() || !depends(n)) continue;
    const auto needed = [&](const NodeRef& o) { return leads.count(o.get()) && depends(*o); };
    if (std::none_of(n.operands.begin(), n.operands.end(), needed)) continue;
    const NodeRef passed = g->second;
    const Nodes parts = adjoints_of({n.text, n.place}, shared(&n), passed);
    for (std::size_t o = 0; o < parts.size() && o < n.operands.size(); ++o)
      if (parts[o] && needed(n.operands[o])) add(adjoint[n.operands[o].get()], parts[o]);
  }
  std::unordered_map<const Node*, NodeRef> found;  // by what stands for a node
  for (const Node* n : order)
    if (const auto g = adjoint.find(n); g != adjoint.end()) add(found[same.of(n)], g->second);
  Nodes out;
  for (const NodeRef& x : inputs) {
    const auto g = found.find(same.of(x.get()));
    out.push_back(g == found.end() ? zeros_like(own, *x) : g->second);
  }
  return out;
}

// The inputs of all that a derivative was made of, known to each of `made`. Which of them each
// still needs is not asked: that would be a walk for each.
Nodes with_all_inputs(Nodes made, const std::vector<const Nodes*>& made_of) {
  Nodes all;
  for (const Nodes* some : made_of) all.insert(all.end(), some->begin(), some->end());
  const std::shared_ptr<const Witnesses> inputs = inputs_among(in_order(all));
  if (!inputs) return made;
  for (NodeRef& m : made)
    if (m->kind != Kind::Data) m = with_witnesses(m, inputs);
  return made;
}

}  // namespace

Nodes vjp(const Nodes& outputs, const Nodes& cotangents, const Nodes& inputs, Place place) {
  const Maker own{"vjp", place};
  if (outputs.size() != cotangents.size())
    refuse(own, "takes a cotangent for each output: " + std::to_string(outputs.size()) +
                    " outputs, " + std::to_string(cotangents.size()) + " cotangents");
  return with_all_inputs(reverse(outputs, cotangents, inputs, own),
                         {&outputs, &cotangents, &inputs});
}

Nodes jvp(const Nodes& outputs, const Nodes& inputs, const Nodes& tangents, Place place) {
  const Maker own{"jvp", place};
  if (inputs.size() != tangents.size())
    refuse(own, "takes a tangent for each input: " + std::to_string(inputs.size()) + " inputs, " +
                    std::to_string(tangents.size()) + " tangents");
  static std::atomic<std::uint64_t> serial{0};
  Nodes cotangents;
  for (const NodeRef& o : outputs)
    cotangents.push_back(input("cotangent_" + std::to_string(++serial), o->dtype, o->shape, place));
  return with_all_inputs(
      reverse(reverse(outputs, cotangents, inputs, own), tangents, cotangents, own),
      {&outputs, &inputs, &tangents});
}

}  // namespace lathe::array
