// SPDX-License-Identifier: Apache-2.0
#include "lower/drop_unread.h"

#include <algorithm>
#include <set>

#include "ir/traverse.h"

namespace lathe::lower {
namespace {

using ir::Expr;
using ir::Op;
using loops::Body;

// What statements read, name, or call; a store is no reader of its own target.
struct Used {
  std::set<Symbol> buffers, scalars;

  void add(Expr root, Symbol target) {
    if (!root) return;
    for (Expr e : ir::post_order(root)) {
      if (e->op == Op::Param) scalars.insert(e->name);
      if ((e->op == Op::Read || e->op == Op::Inside) && e->name != target) buffers.insert(e->name);
    }
  }
  void add(const loops::Stmt& s) {
    const auto* store = std::get_if<loops::Store>(&s.node);
    loops::for_each_expr(s, [&](Expr e) { add(e, store ? store->buffer : Symbol()); });
    if (const auto* load = std::get_if<loops::VectorLoad>(&s.node)) buffers.insert(load->from);
    if (const auto* rotate = std::get_if<loops::Rotate>(&s.node))
      buffers.insert(rotate->buffers.begin(), rotate->buffers.end());
    if (const auto* call = std::get_if<loops::Call>(&s.node)) {
      buffers.insert(call->inputs.begin(), call->inputs.end());
      buffers.insert(call->outputs.begin(), call->outputs.end());
    }
  }
};

Used used_by(const Body& body) {
  Used used;
  loops::for_each_stmt(body, [&](const loops::Stmt& s) { used.add(s); });
  return used;
}

bool says_nothing(const Body& body) {
  return std::all_of(body.begin(), body.end(), [](const loops::Stmt& s) {
    return std::holds_alternative<loops::Comment>(s.node);
  });
}

std::size_t erase(Body& body, const std::set<Symbol>& unread, const Used& used) {
  std::size_t gone = std::erase_if(body, [&](const loops::Stmt& s) {
    if (const auto* store = std::get_if<loops::Store>(&s.node))
      return unread.contains(store->buffer);
    if (const auto* prefetch = std::get_if<loops::Prefetch>(&s.node))
      return unread.contains(prefetch->buffer);
    if (const auto* alloc = std::get_if<loops::Alloc>(&s.node))
      return unread.contains(alloc->buffer.name);
    const auto* let = std::get_if<loops::Let>(&s.node);
    return let && !used.scalars.contains(let->name);
  });
  for (loops::Stmt& s : body) {
    if (auto* loop = std::get_if<loops::For>(&s.node)) gone += erase(loop->body, unread, used);
    if (auto* branch = std::get_if<loops::If>(&s.node)) {
      gone += erase(branch->then_body, unread, used);
      gone += erase(branch->else_body, unread, used);
    }
  }
  std::erase_if(body, [](const loops::Stmt& s) {
    if (const auto* loop = std::get_if<loops::For>(&s.node)) return says_nothing(loop->body);
    const auto* branch = std::get_if<loops::If>(&s.node);
    return branch && says_nothing(branch->then_body) && says_nothing(branch->else_body);
  });
  return gone;
}

}  // namespace

void drop_unread(loops::Kernel& kernel) {
  // What only the dropped stores needed may be unread after them.
  for (bool first = true;; first = false) {
    const Used used = used_by(kernel.body);
    std::set<Symbol> unread;
    for (const loops::Buffer& b : kernel.buffers)
      if (b.space == loops::Space::Scratch && !used.buffers.contains(b.name)) unread.insert(b.name);
    if (first && unread.empty()) return;
    const std::size_t gone = erase(kernel.body, unread, used);
    std::erase_if(kernel.buffers, [&](const loops::Buffer& b) { return unread.contains(b.name); });
    if (gone == 0) return;
  }
}

}  // namespace lathe::lower
