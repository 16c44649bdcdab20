// SPDX-License-Identifier: Apache-2.0
// Lifetimes are intervals, so handing places out in the order of first touches needs as few as can
// be. Among the free ones a place that held the same shape is taken first: sizes are not known yet,
// and equal shapes waste nothing.

#include "api/scratch.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "ir/traverse.h"

namespace lathe::api {
namespace {

using loops::Symbol;

// The buffers that a statement touches, those of its bodies included.
class Touches {
 public:
  explicit Touches(const loops::Kernel& kernel) {
    for (std::size_t n = 0; n < kernel.buffers.size(); ++n) numbers_[kernel.buffers[n].name] = n;
  }

  template <class F>
  void for_each(const loops::Stmt& s, F&& f) {
    touched_.clear();
    visit(s);
    for (std::size_t n : touched_) f(n);
  }

 private:
  void visit(const loops::Stmt& s) {
    loops::for_each_expr(s, [&](ir::Expr e) {
      if (e == nullptr) return;
      for (Symbol name : ir::arrays_read(e)) add(name);
    });
    if (const auto* n = std::get_if<loops::Store>(&s.node)) add(n->buffer);
    if (const auto* n = std::get_if<loops::VectorLoad>(&s.node)) add(n->from);
    if (const auto* n = std::get_if<loops::Prefetch>(&s.node)) add(n->buffer);
    if (const auto* n = std::get_if<loops::Rotate>(&s.node))
      for (Symbol name : n->buffers) add(name);
    if (const auto* n = std::get_if<loops::Call>(&s.node)) {
      for (Symbol name : n->inputs) add(name);
      for (Symbol name : n->outputs) add(name);
    }
    loops::for_each_body(s, [&](const loops::Body& body) {
      for (const loops::Stmt& inner : body) visit(inner);
    });
  }

  void add(Symbol name) {
    const auto found = numbers_.find(name);
    if (found != numbers_.end()) touched_.insert(found->second);
  }

  std::unordered_map<Symbol, std::size_t> numbers_;
  std::unordered_set<std::size_t> touched_;
};

bool same_shape(const loops::Buffer& a, const loops::Buffer& b) {
  return ir::size_bytes(a.dtype) == ir::size_bytes(b.dtype) &&
         std::equal(
             a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end(),
             [](const ir::Axis& x, const ir::Axis& y) { return x.lo == y.lo && x.hi == y.hi; });
}

std::vector<std::optional<Lifetime>> lifetimes(const loops::Kernel& kernel) {
  std::vector<std::optional<Lifetime>> out(kernel.buffers.size());
  Touches touches(kernel);
  for (std::size_t s = 0; s < kernel.body.size(); ++s) {
    touches.for_each(kernel.body[s], [&](std::size_t n) {
      if (kernel.buffers[n].space != loops::Space::Scratch) return;
      if (!out[n]) out[n] = Lifetime{s, s};
      out[n]->last = s;
    });
  }
  // Rotating exchanges memory between names, so nobody can say which one a name ends up with.
  loops::for_each_stmt(kernel.body, [&](const loops::Stmt& s) {
    const auto* rotate = std::get_if<loops::Rotate>(&s.node);
    if (rotate == nullptr) return;
    for (std::size_t n = 0; n < out.size(); ++n)
      if (out[n] && std::find(rotate->buffers.begin(), rotate->buffers.end(),
                              kernel.buffers[n].name) != rotate->buffers.end())
        out[n] = Lifetime{0, kernel.body.size() - 1};
  });
  return out;
}

}  // namespace

ScratchPlaces plan_scratch(const loops::Kernel& kernel) {
  ScratchPlaces out;
  out.lifetimes = lifetimes(kernel);
  out.places.resize(kernel.buffers.size());
  std::vector<std::size_t> order;
  for (std::size_t n = 0; n < kernel.buffers.size(); ++n)
    if (out.lifetimes[n]) order.push_back(n);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return out.lifetimes[a]->first < out.lifetimes[b]->first;
  });
  struct Place {
    std::size_t last;    // statement up to which it is taken
    std::size_t tenant;  // buffer that lies there
  };
  std::vector<Place> places;
  for (std::size_t n : order) {
    const Lifetime life = *out.lifetimes[n];
    std::optional<std::size_t> chosen;
    for (std::size_t p = 0; p < places.size(); ++p) {
      if (places[p].last >= life.first) continue;
      if (!chosen) chosen = p;
      if (!same_shape(kernel.buffers[places[p].tenant], kernel.buffers[n])) continue;
      chosen = p;
      break;
    }
    if (!chosen) {
      chosen = places.size();
      places.push_back({});
    }
    places[*chosen] = {life.last, n};
    out.places[n] = chosen;
  }
  out.count = places.size();
  return out;
}

}  // namespace lathe::api
