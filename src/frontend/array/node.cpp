// SPDX-License-Identifier: Apache-2.0
// Hash-consing, and the end of nodes. The table does not own: a node whose last reference goes is
// taken out of it, and its operands wait on a list, so that chains of any length end without
// recursion.

#include "frontend/array/node.h"

#include <mutex>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "frontend/array/dim_order.h"

namespace lathe::array {
namespace {

struct Table {
  std::mutex mutex;
  std::unordered_multimap<std::uint64_t, const Node*> nodes;
};
Table& table() {
  static Table* const made = new Table;  // nodes of static storage end after it would
  return *made;
}

bool is_shared_kind(const Node& n) { return n.kind != Kind::Data; }

std::uint64_t hash_of(const Node& n) {
  std::uint64_t h = static_cast<std::uint64_t>(n.kind) * 4096 +
                    static_cast<std::uint64_t>(n.dtype) * 256 + static_cast<std::uint64_t>(n.op);
  h = hash_combine(h, static_cast<std::uint64_t>(n.pin));
  for (const NodeRef& o : n.operands)
    h = hash_combine(h, reinterpret_cast<std::uintptr_t>(o.get()));
  if (n.kind != Kind::Positions)  // its length is whatever it is: the same for the same mask
    for (const Dim& d : n.shape) h = hash_combine(h, d.hash());
  for (std::int64_t i : n.ints) h = hash_combine(h, static_cast<std::uint64_t>(i));
  for (const Dim& d : n.dims) h = hash_combine(h, d.hash());
  h = hash_combine(h, n.value.bits);
  if (n.kind == Kind::Input || n.kind == Kind::Call) h = hash_combine(h, hash_text(n.text));
  for (const std::string& l : n.labels) h = hash_combine(h, hash_text(l));
  return n.witnesses ? hash_combine(h, n.witnesses->hash) : h;
}

bool same_witnesses(const Node& a, const Node& b) {
  if (a.witnesses == b.witnesses) return true;
  return a.witnesses && b.witnesses && a.witnesses->inputs == b.witnesses->inputs;
}

bool same(const Node& a, const Node& b) {
  return a.kind == b.kind && a.dtype == b.dtype && a.op == b.op && a.pin == b.pin &&
         a.operands == b.operands && (a.kind == Kind::Positions || a.shape == b.shape) &&
         a.ints == b.ints && a.dims == b.dims && a.value == b.value && a.labels == b.labels &&
         a.conditions == b.conditions && same_witnesses(a, b) &&
         ((a.kind != Kind::Input && a.kind != Kind::Call) || a.text == b.text);
}

// Gives one reference back; true when it was the last one, and the node is out of the table. The
// last one goes under the lock, so nobody can find the node meanwhile.
bool give_back(const Node* n) {
  std::uint32_t count = n->references.load();
  while (count > 1)
    if (n->references.compare_exchange_weak(count, count - 1)) return false;
  const std::lock_guard lock(table().mutex);
  if (n->references.fetch_sub(1) != 1) return false;  // somebody found it before
  if (!is_shared_kind(*n)) return true;
  const auto [from, to] = table().nodes.equal_range(n->hash);
  for (auto it = from; it != to; ++it) {
    if (it->second != n) continue;
    table().nodes.erase(it);
    break;
  }
  return true;
}

void drop(const Node* node) {
  if (!give_back(node)) return;
  std::vector<const Node*> ending{node};
  while (!ending.empty()) {
    Node* n = const_cast<Node*>(ending.back());
    ending.pop_back();
    for (NodeRef& o : n->operands) {
      const Node* operand = o.release();
      if (operand && give_back(operand)) ending.push_back(operand);
    }
    delete n;  // witnesses end in here: they have none themselves
  }
}

}  // namespace

NodeRef::NodeRef(const NodeRef& other) : node_(other.node_) {
  if (node_) node_->references.fetch_add(1, std::memory_order_relaxed);
}
NodeRef::~NodeRef() {
  if (node_) drop(node_);
}

Node::Node(Node&& other) noexcept
    : kind(other.kind),
      dtype(other.dtype),
      op(other.op),
      pin(other.pin),
      operands(std::move(other.operands)),
      shape(std::move(other.shape)),
      ints(std::move(other.ints)),
      dims(std::move(other.dims)),
      value(other.value),
      text(std::move(other.text)),
      labels(std::move(other.labels)),
      conditions(std::move(other.conditions)),
      storage(std::move(other.storage)),
      witnesses(std::move(other.witnesses)),
      place(other.place),
      hash(other.hash) {}

NodeRef intern(Node node) {
  node.hash = hash_of(node);
  if (!is_shared_kind(node)) return NodeRef(new Node(std::move(node)));
  const std::lock_guard lock(table().mutex);
  const auto [from, to] = table().nodes.equal_range(node.hash);
  for (auto it = from; it != to; ++it) {
    if (!same(*it->second, node)) continue;
    it->second->references.fetch_add(1);
    return NodeRef(it->second);
  }
  const Node* made = new Node(std::move(node));
  table().nodes.emplace(made->hash, made);
  return NodeRef(made);
}

namespace {
Node copy_of(const Node& n) {
  Node c;
  c.kind = n.kind;
  c.dtype = n.dtype;
  c.op = n.op;
  c.pin = n.pin;
  c.operands = n.operands;
  c.shape = n.shape;
  c.ints = n.ints;
  c.dims = n.dims;
  c.value = n.value;
  c.text = n.text;
  c.labels = n.labels;
  c.conditions = n.conditions;
  c.storage = n.storage;
  c.witnesses = n.witnesses;
  c.place = n.place;
  return c;
}
}  // namespace

NodeRef with_pin(const NodeRef& x, Pin pin) {
  if (x->pin == pin) return x;
  Node c = copy_of(*x);
  c.pin = pin;
  return intern(std::move(c));
}

NodeRef with_labels(const NodeRef& x, std::vector<std::string> labels) {
  Node c = copy_of(*x);
  c.labels = std::move(labels);
  return intern(std::move(c));
}

NodeRef with_witnesses(const NodeRef& x, std::shared_ptr<const Witnesses> witnesses) {
  Node c = copy_of(*x);
  c.witnesses = std::move(witnesses);
  return intern(std::move(c));
}

NodeRef plain(const Node& x, std::vector<NodeRef> operands) {
  Node c = copy_of(x);
  c.pin = Pin::None;
  c.labels.clear();
  c.witnesses = nullptr;
  c.operands = std::move(operands);
  return intern(std::move(c));
}

std::vector<const Witnesses*> witnesses_among(const std::vector<const Node*>& nodes) {
  std::vector<const Witnesses*> out;
  std::unordered_set<const Witnesses*> seen;
  for (const Node* n : nodes)
    if (n->witnesses && seen.insert(n->witnesses.get()).second) out.push_back(n->witnesses.get());
  return out;
}

std::shared_ptr<const Witnesses> inputs_among(const std::vector<const Node*>& nodes) {
  const auto made = std::make_shared<Witnesses>();
  std::unordered_set<const Node*> seen;
  const auto add = [&](const Node& n) {
    NodeRef input = plain(n, {});
    if (!seen.insert(input.get()).second) return;
    made->hash = hash_combine(made->hash, reinterpret_cast<std::uintptr_t>(input.get()));
    made->named.emplace(input->text, input.get());
    made->inputs.push_back(std::move(input));
  };
  for (const Node* n : nodes)
    if (n->kind == Kind::Input) add(*n);
  for (const Witnesses* w : witnesses_among(nodes))
    for (const NodeRef& i : w->inputs) add(*i);
  return made->inputs.empty() ? nullptr : made;
}

Place make_place(const char* file, int line) {
  if (!file) return {};
  // Most places come from one literal after another; the set is asked for the rest.
  static std::mutex mutex;
  static std::set<std::string>* const names = new std::set<std::string>;
  thread_local const char* last = nullptr;
  thread_local const std::string* last_name = nullptr;
  if (last == file && last_name && *last_name == file) return {last_name, line};
  const std::lock_guard lock(mutex);
  last = file;
  last_name = &*names->insert(file).first;
  return {last_name, line};
}

std::string to_text(const Place& place) {
  return place.file ? *place.file + ":" + std::to_string(place.line) : std::string();
}

}  // namespace lathe::array
