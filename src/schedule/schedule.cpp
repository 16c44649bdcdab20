// SPDX-License-Identifier: Apache-2.0
#include "schedule/schedule.h"

#include <algorithm>

#include "base/hash.h"
#include "ir/accumulation_order.h"
#include "ir/text.h"

namespace lathe::schedule {
namespace {

Node* find(std::vector<Node>& body, std::string_view label) {
  for (Node& n : body) {
    if (n.kind == NodeKind::Compute && n.name.text() == label) return &n;
    for (std::vector<Node>* inner : {&n.body, &n.otherwise})
      if (Node* found = find(*inner, label)) return found;
  }
  return nullptr;
}

// The outermost loop over `variable` that has the statement below it.
Node* find_loop(std::vector<Node>& body, std::string_view label, std::string_view variable) {
  for (Node& n : body) {
    for (std::vector<Node>* inner : {&n.body, &n.otherwise}) {
      if (!find(*inner, label)) continue;
      if (n.is_loop() && n.name.text() == variable) return &n;
      if (Node* found = find_loop(*inner, label, variable)) return found;
    }
  }
  return nullptr;
}

std::uint64_t hash_of(std::string_view text) { return hash_text(text); }

class PlainTree {
 public:
  std::vector<Node> body(const ir::Body& items) {
    std::vector<Node> out;
    for (const ir::Item& item : items) std::visit([&](const auto& n) { add(n, out); }, item.node);
    return out;
  }

 private:
  static Node leaf(NodeKind kind, Symbol label) {
    Node n;
    n.kind = kind;
    n.name = label;
    return n;
  }
  static void nest(const std::vector<ir::Range>& ranges, Symbol label, std::vector<Node>& out) {
    Node inner = leaf(NodeKind::Compute, label);
    for (std::size_t r = ranges.size(); r-- > 0;) {
      Node loop = leaf(NodeKind::For, ranges[r].variable);
      loop.body.push_back(std::move(inner));
      inner = std::move(loop);
    }
    out.push_back(std::move(inner));
  }

  // What is reduced runs inside of what is kept, so that an accumulator can stay in a register.
  void add(const ir::Statement& s, std::vector<Node>& out) {
    std::vector<ir::Range> ranges = s.domain.ranges;
    if (s.accumulate)
      if (const auto reduced = ir::reduced_variables(s.targets, ranges))
        std::stable_partition(ranges.begin(), ranges.end(), [&](const ir::Range& r) {
          return std::find(reduced->begin(), reduced->end(), r.variable) == reduced->end();
        });
    nest(ranges, s.label, out);
  }
  void add(const ir::Group& g, std::vector<Node>& out) { nest(g.domain.ranges, g.label, out); }
  void add(const ir::While& w, std::vector<Node>& out) { nest(w.domain.ranges, w.label, out); }
  void add(const ir::Sweep& s, std::vector<Node>& out) {
    Node n = leaf(s.forward ? NodeKind::Forward : NodeKind::Backward, s.range.variable);
    n.body = body(s.body);
    out.push_back(std::move(n));
  }
  void add(const ir::Repeat& r, std::vector<Node>& out) {
    Node n = leaf(NodeKind::Repeat, r.label);
    n.body = body(r.body);
    out.push_back(std::move(n));
  }
  void add(const ir::When& w, std::vector<Node>& out) {
    Node n = leaf(NodeKind::When, w.label);
    n.body = body(w.then_body);
    n.otherwise = body(w.else_body);
    out.push_back(std::move(n));
  }
  void add(const ir::Call& c, std::vector<Node>& out) {
    out.push_back(leaf(NodeKind::Call, c.label));
  }
  template <class T>
  void add(const T&, std::vector<Node>&) {
    internal_error("an item that preparation removes");
  }
};

}  // namespace

std::vector<Fingerprint> fingerprints(const ir::Program& program) {
  std::vector<Fingerprint> out;
  std::string header(program.name.text());
  for (const ir::Parameter& p : program.parameters) {
    header += ' ';
    header += p.name.text();
    header += p.is_size ? " size" : std::string(" ") + std::string(name(p.dtype));
  }
  out.push_back({"header", hash_of(header)});
  for (const ir::Array& a : program.arrays) {
    std::string text = std::string(name(a.role)) + ' ' + std::string(name(a.dtype));
    for (const ir::Axis& x : a.axes) text += ' ' + ir::print(x.lo) + ".." + ir::print(x.hi);
    for (const ir::Scalar& v : a.values) text += ' ' + to_text(v);
    out.push_back({"array " + std::string(a.name.text()), hash_of(text)});
  }
  // Items by their text: what a person would see as changed. Inner items count with their outer
  // one.
  const std::vector<std::string> texts = ir::print_items(program);
  std::size_t at = 0;
  const auto add = [&](Symbol label) {
    out.push_back({"statement " + std::string(label.text()), hash_of(texts[at++])});
  };
  for (const ir::Item& item : program.body)
    std::visit(
        [&](const auto& n) {
          if constexpr (requires { n.label; }) {
            add(n.label);
          } else {
            add(n.statement.label);
          }
        },
        item.node);
  return out;
}

Schedule::At Schedule::at(std::string_view label) {
  if (Node* n = find(body, label)) return At(*n);
  throw UserError("the schedule has no statement '" + std::string(label) + "'");
}

Node& Schedule::loop(std::string_view label, std::string_view variable) {
  if (Node* n = find_loop(body, label, variable)) return *n;
  throw UserError("the schedule has no loop over '" + std::string(variable) + "' around '" +
                  std::string(label) + "'");
}

Schedule::At& Schedule::At::nowhere() { return node_->place = {PlaceKind::Nowhere, {}, 0}, *this; }
Schedule::At& Schedule::At::in_register() {
  return node_->place = {PlaceKind::Register, {}, 0}, *this;
}
Schedule::At& Schedule::At::window(Symbol loop, std::int64_t depth) {
  return node_->place = {PlaceKind::Window, loop, depth}, *this;
}
Schedule::At& Schedule::At::tile() { return node_->place = {PlaceKind::Tile, {}, 0}, *this; }
Schedule::At& Schedule::At::whole() { return node_->place = {PlaceKind::Whole, {}, 0}, *this; }
Schedule::At& Schedule::At::stream() { return node_->place = {PlaceKind::Stream, {}, 0}, *this; }
Schedule::At& Schedule::At::in_place(Symbol over) {
  return node_->place = {PlaceKind::InPlace, {}, 0, {}, over}, *this;
}
Schedule::At& Schedule::At::layout(std::vector<Symbol> axes) {
  if (!has_layout(node_->place.kind)) throw UserError(kNoLayout);
  return node_->place.layout = std::move(axes), *this;
}

bool same_tree(const std::vector<Node>& a, const std::vector<Node>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Node &x = a[i], &y = b[i];
    if (x.kind != y.kind || x.name != y.name || x.tile != y.tile || x.binds != y.binds ||
        !(x.place == y.place) || x.layout != y.layout || x.bytes != y.bytes || x.next != y.next ||
        !same_tree(x.body, y.body) || !same_tree(x.otherwise, y.otherwise))
      return false;
  }
  return true;
}

Schedule plain_schedule(const ir::Program& program) {
  Schedule s;
  s.program = program.name.text();
  s.parts = fingerprints(program);
  s.body = PlainTree().body(program.body);
  return s;
}

}  // namespace lathe::schedule
