// SPDX-License-Identifier: Apache-2.0
#include "frontend/array/graph_key.h"

#include "frontend/array/contraction.h"
#include "frontend/array/dim_order.h"

namespace lathe::array {
namespace {

class Writer {
 public:
  Writer(GraphKey& key, const Sizes& sizes) : key_(key), sizes_(sizes) {}

  void add(std::uint64_t word) { key_.words.push_back(word); }
  void add(const std::string& text) {
    if (!text.empty()) add(hash_text(text));
  }
  void size(const Dim& given) { settled(sizes_.settled(given)); }

  // An axis of length 1 that nobody knew of: its program reads it differently.
  void spread(const Node& operand, const Shape& shape, std::size_t first, std::size_t rank) {
    std::uint64_t bits = 1;
    for (std::size_t a = 0; a < operand.rank(); ++a) {
      const Dim& mine = operand.shape[a];
      const Dim& result = shape[first + a + rank - operand.rank()];
      bits = bits * 2;
      if (mine.is_constant() || mine == result) continue;
      const Dim settled_mine = sizes_.settled(mine);
      if (settled_mine == sizes_.settled(result)) continue;
      if (sizes_.value(settled_mine) == 1) ++bits;
    }
    add(bits);
  }

  // The same for axes of a contraction's factors.
  void spread_factors(const Node& n) {
    std::uint64_t bits = 1;
    all_factor_axes(n, [&](std::int64_t label, std::size_t factor, std::size_t axis) {
      const Dim& mine = n.operands[factor]->shape[axis];
      if (mine.is_constant()) return true;
      bits = bits * 2 + (is_spread(n, label, mine, sizes_) ? 1 : 0);
      return true;
    });
    add(bits);
  }

 private:
  void settled(const Dim& d) {
    if (d.is_constant()) {
      add(static_cast<std::uint64_t>(d.constant()) * 4);
      return;
    }
    if (const SymbolRef s = d.symbol()) {
      add(number(s) * 4 + 1);
      return;
    }
    add(d.form()->terms.size() * 4 + 2);
    add(static_cast<std::uint64_t>(d.constant()));
    for (const DimTerm& t : d.form()->terms) {
      add(static_cast<std::uint64_t>(t.coefficient));
      add(t.factors.size());
      for (const AtomRef& f : t.factors) {
        if (f->symbol) {
          add(number(f->symbol) * 4 + 1);
          continue;
        }
        add(static_cast<std::uint64_t>(f->kind) * 4 + 3);
        settled(f->a);
        settled(f->b);
      }
    }
  }
  std::uint64_t number(const SymbolRef& s) {
    for (std::size_t i = 0; i < key_.symbols.size(); ++i)
      if (key_.symbols[i] == s) return i;
    key_.symbols.push_back(s);
    return key_.symbols.size() - 1;
  }

  GraphKey& key_;
  const Sizes& sizes_;
};

}  // namespace

GraphKey graph_key(const std::vector<const Node*>& order, const Nodes& outputs, const Sizes& sizes,
                   const NodeSet& leaves) {
  GraphKey key;
  key.words.reserve(order.size() * 8);
  Writer w(key, sizes);
  std::unordered_map<const Node*, std::uint64_t> number;
  number.reserve(order.size());
  for (const Node* n : order) {
    number.emplace(n, number.size());
    const bool leaf = n->kind == Kind::Input || n->kind == Kind::Data || leaves.count(n) > 0;
    const auto kind = leaf && n->kind != Kind::Input ? Kind::Data : n->kind;
    w.add(static_cast<std::uint64_t>(kind) | static_cast<std::uint64_t>(n->dtype) << 8 |
          static_cast<std::uint64_t>(n->op) << 16 | static_cast<std::uint64_t>(n->pin) << 24 |
          n->rank() << 32 | n->operands.size() << 40);
    for (const Dim& d : n->shape) w.size(d);
    for (const std::string& l : n->labels) w.add(l);
    if (leaf) {
      key.leaf_nodes.push_back(n);
      if (n->kind == Kind::Input) w.add(n->text);
      continue;
    }
    for (const NodeRef& o : n->operands) w.add(number.at(o.get()));
    for (std::int64_t i : n->ints) w.add(static_cast<std::uint64_t>(i));
    for (const Dim& d : n->dims) w.size(d);
    if (n->kind == Kind::Constant) w.add(n->value.bits);
    if (n->kind == Kind::Call) w.add(n->text);
    if (n->kind == Kind::Map)
      for (const NodeRef& o : n->operands) w.spread(*o, n->shape, 0, n->rank());
    if (n->kind == Kind::Contract) w.spread_factors(*n);
    if (n->kind == Kind::Gather || n->kind == Kind::Scatter) {
      const Node& laid = n->kind == Kind::Gather ? *n : *n->operands[1];
      std::size_t bar = 0;
      while (n->ints[bar] >= 0) ++bar;
      const auto position = static_cast<std::size_t>(n->ints[bar + 1]);
      const std::size_t rank = laid.rank() - (n->operands[0]->rank() - bar);
      for (std::size_t i = n->kind == Kind::Gather ? 1 : 2; i < n->operands.size(); ++i)
        w.spread(*n->operands[i], laid.shape, position, rank);
      if (n->kind == Kind::Gather) w.add(finds_itself(*n, sizes) ? 1 : 0);
    }
  }
  for (const NodeRef& o : outputs) w.add(number.at(o.get()));
  std::uint64_t h = 0;
  for (std::uint64_t word : key.words) h = hash_combine(h, word);
  key.hash = h;
  return key;
}

}  // namespace lathe::array
