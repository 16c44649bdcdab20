// SPDX-License-Identifier: Apache-2.0
// Prefetches of a vector loop: some bytes ahead along the row, or what the next iteration of a loop
// around touches.
//
//   forward k:                                 vector i: prefetch u[k+1, i]
//     vector i/8: s                       ->             prefetch w[k+2, i]
//     prefetch u next k, w next k                        ... u[k, i], w[k, i], w[k+1, i]

#include <algorithm>

#include "ir/traverse.h"
#include "lower/lowering.h"

namespace lathe::lower {

using schedule::NodeKind;

static constexpr std::int64_t kWholeRow = 32768;  // bytes: some of them stay in the second cache

// The elements of an array that the tasks read, and those that they write where `written`.
static std::vector<std::vector<Expr>> touched_elements(std::span<const Task> tasks, Symbol buffer,
                                                       bool written) {
  std::vector<std::vector<Expr>> out;
  std::vector<Expr> roots;
  for (const Task& t : tasks) {
    roots.push_back(t.value);
    roots.insert(roots.end(), t.conditions.begin(), t.conditions.end());
    roots.insert(roots.end(), t.indices.begin(), t.indices.end());
  }
  for (Expr e : ir::post_order(roots))
    if (e->op == Op::Read && e->name == buffer && e->arg_count > 0)
      out.emplace_back(e->args().begin(), e->args().end());
  for (const Task& t : tasks)
    if (written && !t.assign && t.target == buffer && !t.indices.empty()) out.push_back(t.indices);
  return out;
}

// What lies ahead in a short row of a jam is at its end and then the row below, which runs together
// with it: the beginnings of the next rows would come late. So short rows are asked for as a whole.
void Lowering::ask_for_next_rows(std::vector<Expr>& element, std::size_t contiguous,
                                 const schedule::Interval& range, std::int64_t ahead,
                                 std::int64_t size) {
  const Expr length = ranges_.tidy(build_.sub(range.hi, range.lo));
  const Expr is_short = build_.le(length, i64(kWholeRow / size));
  const Expr rows = build_.select(is_short, i64(jam_->loop->tile), i64(0));
  const Expr next = build_.add(graph_.index(jam_->base), rows);
  for (std::size_t x = 0; x < element.size(); ++x)
    if (x == contiguous)
      element[x] = build_.add(element[x], build_.select(is_short, i64(0), i64(ahead)));
    else
      element[x] = ir::rename(maker_, element[x], {{jam_->base, next}});
}

// Of several rows of an array, the one that is met first comes from memory; the others follow out
// of the caches.
void Lowering::prefetch(const Node& loop, const schedule::Interval& range,
                        std::span<const Task> tasks, Body& out) {
  const Symbol v = nest_.variables.at(&loop);
  for (const Node* p : prefetches_) {
    const Node* next = nullptr;
    for (const Node* n : path_)
      if (p->next && schedule::runs_in_order(*n) && n->name == p->next) next = n;
    if (p->next && !next) continue;
    const bool together = jam_ && next == jam_->loop;
    const std::int64_t step = together                                   ? next->tile
                              : next && next->kind == NodeKind::Backward ? -1
                                                                         : 1;
    const std::vector<std::size_t> layout = layout_of(p->name);
    std::vector<Expr> leading;
    std::size_t contiguous = 0;
    for (std::vector<Expr>& at : touched_elements(tasks, buffer_of(p->name), next != nullptr)) {
      contiguous = layout.empty() ? at.size() - 1 : layout.back();
      if (coefficient(at[contiguous], v) != 1) continue;
      // To look up where another iteration reads is a read of its own, which nobody has checked.
      if ((next || jam_) &&
          std::any_of(at.begin(), at.end(), [](Expr e) { return !ir::reads(e).empty(); }))
        continue;
      std::int64_t ahead = 0;
      for (std::size_t x = 0; !leading.empty() && x < at.size() && ahead == 0; ++x) {
        const Expr d = ranges_.tidy(build_.sub(at[x], leading[x]));
        ahead = ir::is_const(d) ? step * d->scalar().as_int() : 0;
      }
      if (leading.empty() || ahead > 0) leading = std::move(at);
    }
    if (leading.empty()) continue;
    const Symbol buffer = buffer_of(p->name);
    if (next) {
      const Symbol k = together ? jam_->base : nest_.variables.at(next);
      // The same lines once more, if the loop runs along memory or over no axis of the array.
      const bool other_rows = std::any_of(leading.begin(), leading.end(), [&](Expr& e) {
        return &e != &leading[contiguous] && ir::mentions(e, k);
      });
      if (!other_rows) continue;
      const ir::Renaming later = {{k, ranges_.add(graph_.index(k), step)}};
      for (Expr& e : leading) e = ranges_.tidy(ir::rename(maker_, e, later));
    } else {
      const ir::Array& array = *nest_.program.find_array(p->name);
      const auto size = static_cast<std::int64_t>(ir::size_bytes(array.dtype));
      if (jam_)
        ask_for_next_rows(leading, contiguous, range, p->bytes / size, size);
      else
        leading[contiguous] = ranges_.add(leading[contiguous], p->bytes / size);
    }
    out.push_back({loops::Prefetch{buffer, std::move(leading)}});
  }
}

}  // namespace lathe::lower
