// SPDX-License-Identifier: Apache-2.0
// Which temporaries are cheaper to compute again than to store?

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "ir/traverse.h"
#include "passes/passes.h"
#include "passes/rebuild.h"
#include "schedule/default_parts.h"
#include "schedule/inline_prepared.h"

namespace lathe::schedule {
namespace {

using ir::Expr;
using ir::Op;

constexpr std::size_t kCheap = 8;      // operations that are recomputed rather than stored
constexpr std::size_t kRowCheap = 16;  // the same for neighbours in a row: no window helps there
constexpr std::size_t kLongest = 256;  // to move more each time makes chains of them quadratic
constexpr std::size_t kMinimum = 3;    // operations of a minimum, with its rules for NaN and zeros

std::size_t operations(Expr e, bool* heavy) {
  std::size_t n = 0;
  for (Expr x : ir::post_order(e)) {
    if (x->op == Op::Reduce || ir::has(x->op, ir::kElementary) || x->op == Op::Div ||
        x->op == Op::Sqrt || x->op == Op::FloorDiv || x->op == Op::Mod)
      *heavy = true;
    if (x->arg_count > 0 && x->op != Op::Read && x->dtype != ir::DType::I64 &&
        x->dtype != ir::DType::Bool)
      n += (x->op == Op::Min || x->op == Op::Max) && ir::is_float(x->dtype) ? kMinimum : 1;
  }
  return n;
}

struct Use {
  std::size_t reads = 0;  // different elements, as each statement writes them
  bool repeated = false;  // some statement reads an element at many of its points
  const ir::Statement* writer = nullptr;
  std::size_t writers = 0;
  Expr first = nullptr;
  std::set<std::size_t> differ;  // indices in which the elements differ

  // The only index in which they differ, counted from the last: 0 are neighbours in a row.
  std::optional<std::size_t> step() const {
    if (differ.size() != 1 || !first) return std::nullopt;
    return first->arg_count - 1 - *differ.begin();
  }
};

using Reads = std::unordered_map<Expr, std::vector<Expr>>;  // of roots: most stay as they are

std::map<Symbol, Use> uses(const ir::Program& program, Reads& known) {
  std::map<Symbol, Use> out;
  ir::for_each_statement(program.body, [&](const ir::Statement& s) {
    std::set<Expr> seen;
    for (const ir::Target& t : s.targets) {
      out[t.array].writer = &s;
      ++out[t.array].writers;
    }
    for (Expr root : passes::expressions(s)) {
      const auto [at, is_new] = known.try_emplace(root);
      if (is_new) at->second = ir::reads(root);
      for (Expr e : at->second)
        if (seen.insert(e).second) {
          Use& u = out[e->name];
          ++u.reads;
          for (const ir::Range& r : s.domain.ranges) u.repeated |= !ir::mentions(e, r.variable);
          if (!u.first) u.first = e;
          for (std::size_t x = 0; x < e->arg_count; ++x)
            if (e->arg(x) != u.first->arg(x)) u.differ.insert(x);
        }
    }
  });
  return out;
}

// A window rolls along one loop. If another temporary is read at neighbours along a loop further
// in, that one has the window.
bool window_is_taken(const ir::Program& program, const std::map<Symbol, Use>& all,
                     std::size_t step) {
  return std::any_of(program.arrays.begin(), program.arrays.end(), [&](const ir::Array& a) {
    const auto it = all.find(a.name);
    if (a.role != ir::Role::Temp || it == all.end() || it->second.writers != 1) return false;
    const auto other = it->second.step();
    return other && *other > 0 && *other < step;
  });
}

// Temporaries in the order in which the program sets them: what one is computed from is decided
// first, and then counts among its operations.
std::vector<Symbol> temporaries_as_set(const ir::Program& program) {
  std::vector<Symbol> order;
  std::set<Symbol> seen;
  ir::for_each_statement(program.body, [&](const ir::Statement& s) {
    for (const ir::Target& t : s.targets) {
      const ir::Array* a = program.find_array(t.array);
      if (a && a->role == ir::Role::Temp && !a->axes.empty() && seen.insert(a->name).second)
        order.push_back(a->name);
    }
  });
  return order;
}

// Why the temporary need not be stored; empty: it is.
std::string why_cheap(const ir::Program& program, const std::map<Symbol, Use>& all, Symbol array) {
  const auto it = all.find(array);
  if (it == all.end() || it->second.writers != 1 || it->second.reads == 0) return {};
  const ir::Statement& w = *it->second.writer;
  if (w.accumulate || w.targets.size() != 1) return {};
  bool heavy = false;
  const std::size_t work = operations(w.values.front(), &heavy);
  const std::size_t reads = it->second.reads;
  const auto step = it->second.step();
  const bool along_rows = reads == 2 && !heavy && work <= kRowCheap && step &&
                          (*step == 0 || window_is_taken(program, all, *step));
  if ((heavy && it->second.repeated) || work > kLongest) return {};
  if (reads > 1 && !along_rows && (heavy || work > kCheap || work * (reads - 1) > 4 * kCheap))
    return {};
  return reads == 1 ? "read at one point only"
                    : std::to_string(work) + " operations, read at " + std::to_string(reads) +
                          " points: cheaper to compute again than to store";
}

}  // namespace

std::vector<std::pair<Symbol, std::string>> inline_cheap(ir::Program& program) {
  std::vector<std::pair<Symbol, std::string>> gone;
  Reads known;
  std::map<Symbol, Use> all = uses(program, known);
  // What several statements read, and these became one, is read at fewer points: once more.
  for (std::size_t before = gone.size() + 1; before != gone.size();) {
    before = gone.size();
    for (Symbol array : temporaries_as_set(program)) {
      std::string why = why_cheap(program, all, array);
      if (why.empty()) continue;
      const Symbol label = all.at(array).writer->label;
      passes::Outcome outcome = inline_prepared(program, array);
      if (auto* p = std::get_if<ir::Program>(&outcome)) {
        // A call may still want the array: then nothing is gained.
        bool remains = false;
        ir::for_each_statement(p->body,
                               [&](const ir::Statement& s) { remains |= s.label == label; });
        if (remains) continue;
        program = std::move(*p);
        all = uses(program, known);
        gone.push_back({label, std::move(why)});
      }
    }
  }
  return gone;
}

}  // namespace lathe::schedule
