// SPDX-License-Identifier: Apache-2.0
// Default prefetches.
//
// Where an array is read in several rows at once only one of them comes from memory, and the
// hardware's own guesses are busy with all of them: some bytes ahead in that row. In a sweep over
// tiles of rows each iteration touches a short piece of row of every array, and the hardware has to
// begin anew each time: those pieces are asked for one iteration before. Where a gather reads
// nobody can guess: what some later points read is asked for, so that more of it is on its way at a
// time.

#include <algorithm>
#include <set>

#include "ir/index_form.h"
#include "ir/traverse.h"
#include "schedule/default_parts.h"
#include "schedule/nest.h"

namespace lathe::schedule {
namespace {

// Bytes. On Zen 5 with 100 GB/s, 1,024 come too late: horizontal diffusion in f64 takes 1.25 times
// as long, and as long with 8,192 as with 4,096.
constexpr std::int64_t kAhead = 4096;
constexpr std::size_t kMostAhead = 6;  // arrays
// Of gathers. Zen 5, 10,000,000 f64, one thread: 41 ms with none, 28 with 64, 23 with 128, 22 to 26
// with 256.
constexpr std::int64_t kPointsAhead = 128;
constexpr std::size_t kMostOfSweeps = 10;  // arrays

using Lines = std::map<Symbol, std::vector<const ir::Statement*>>;  // by label of the tree

bool ends_in_vectors(const Node& n) {
  if (n.kind == NodeKind::Vector) return true;
  return std::any_of(n.body.begin(), n.body.end(), ends_in_vectors);
}

template <class F>
void for_each_compute(const std::vector<Node>& body, F&& f) {
  for (const Node& n : body) {
    if (n.kind == NodeKind::Compute) f(n);
    for_each_compute(n.body, f);
    for_each_compute(n.otherwise, f);
  }
}

Node prefetch(Symbol array) {
  Node p;
  p.kind = NodeKind::Prefetch;
  p.name = array;
  return p;
}

// One row of each array per iteration: a sweep that holds vector loops over statements alone.
bool sweeps_rows(const Node& n) {
  return (n.kind == NodeKind::Forward || n.kind == NodeKind::Backward) &&
         std::all_of(n.body.begin(), n.body.end(), [](const Node& inner) {
           return inner.kind == NodeKind::Vector &&
                  std::all_of(inner.body.begin(), inner.body.end(),
                              [](const Node& x) { return x.kind == NodeKind::Compute; });
         });
}

bool holds_rows_of_sweep(const Node& n) {
  return sweeps_rows(n) || std::any_of(n.body.begin(), n.body.end(), holds_rows_of_sweep) ||
         std::any_of(n.otherwise.begin(), n.otherwise.end(), holds_rows_of_sweep);
}

// The arrays in memory of which each iteration of the sweep touches another row.
std::vector<Symbol> rows_of_sweep(const ir::Program& program, const Nest& nest, const Lines& lines,
                                  const Node& sweep) {
  std::vector<Symbol> out;
  for (const Node& vector : sweep.body) {
    const auto touch = [&](Symbol name, std::span<const Expr> indices) {
      if (indices.size() < 2 || ir::shifted_variable(indices.back()) != vector.name) return;
      if (std::any_of(indices.begin(), indices.end(), [](Expr e) { return !ir::reads(e).empty(); }))
        return;  // where the next row lies is not known yet
      const bool moves = std::any_of(indices.begin(), indices.end() - 1,
                                     [&](Expr e) { return ir::shifted_variable(e) == sweep.name; });
      const ir::Array* array = program.find_array(name);
      if (!moves || !array || nest.find_storage(name) || nest.layouts.count(name) > 0) return;
      if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
    };
    for_each_compute(vector.body, [&](const Node& leaf) {
      const auto it = lines.find(leaf.name);
      if (it == lines.end()) return;
      for (const ir::Statement* st : it->second) {
        for (Expr root : st->values)
          for (Expr e : ir::reads(root)) touch(e->name, e->args());
        if (leaf.place.kind == PlaceKind::Stream) continue;  // goes around the caches
        for (const ir::Target& t : st->targets) touch(t.array, t.indices);
      }
    });
  }
  return out;
}

void prefetch_sweeps(const ir::Program& program, const Nest& nest, const Lines& lines, Node& n) {
  if (!sweeps_rows(n)) {
    for (std::vector<Node>* body : {&n.body, &n.otherwise})
      for (Node& inner : *body) prefetch_sweeps(program, nest, lines, inner);
    return;
  }
  const std::vector<Symbol> arrays = rows_of_sweep(program, nest, lines, n);
  if (arrays.empty() || arrays.size() > kMostOfSweeps) return;
  for (Symbol a : arrays) {
    n.body.push_back(prefetch(a));
    n.body.back().next = n.name;
  }
  n.body.back().reason = "rows of the next iteration, while this one computes";
}

// What a value reads whatever its conditions are, at places that other arrays say point by point.
std::vector<Symbol> gathered(Expr value, Symbol point) {
  std::vector<Symbol> out;
  std::vector<Expr> work = {value};
  std::set<Expr> seen;  // membership only
  while (!work.empty()) {
    const Expr e = work.back();
    work.pop_back();
    if (!seen.insert(e).second || e->op == ir::Op::Reduce) continue;
    const std::size_t count = ir::has(e->op, ir::kLazy) ? 1 : e->arg_count;
    for (std::size_t i = 0; i < count; ++i) work.push_back(e->arg(i));
    if (e->op != ir::Op::Read || e->arg_count == 0) continue;
    const auto by_data = [&](Expr index) {
      return ir::mentions(index, point) && !ir::reads(index).empty();
    };
    if (ir::shifted_variable(e->args().back()) != point &&
        std::any_of(e->args().begin(), e->args().end(), by_data) &&
        std::all_of(e->args().begin(), e->args().end(), ir::is_quick))
      out.push_back(e->name);
  }
  return out;
}

void prefetch_gathers(const ir::Program& program, const Lines& lines, Node& n) {
  std::vector<Symbol> arrays;
  for_each_compute(n.body, [&](const Node& leaf) {
    const auto it = lines.find(leaf.name);
    if (it == lines.end()) return;
    for (const ir::Statement* st : it->second) {
      if (st->domain.ranges.empty() || st->domain.guard || st->accumulate) continue;
      for (Expr root : st->values)
        for (Symbol a : gathered(root, st->domain.ranges.back().variable))
          if (std::find(arrays.begin(), arrays.end(), a) == arrays.end()) arrays.push_back(a);
    }
  });
  if (arrays.size() > kMostAhead) return;
  for (Symbol a : arrays) {
    n.body.push_back(prefetch(a));
    const auto size = static_cast<std::int64_t>(ir::size_bytes(program.find_array(a)->dtype));
    n.body.back().bytes = kPointsAhead * size;
  }
}

void prefetch_ahead(const Lines& lines, Node& n) {
  std::vector<Symbol> arrays;
  std::map<Symbol, std::set<std::vector<Expr>>> rows;
  std::set<Symbol> inner;
  bool several = false;
  for_each_compute(n.body, [&](const Node& leaf) {
    const auto it = lines.find(leaf.name);
    if (it == lines.end()) return;
    for (const ir::Statement* st : it->second) {
      for (const ir::Target& t : st->targets) inner.insert(t.array);
      if (st->domain.ranges.empty()) continue;
      const Symbol last = st->domain.ranges.back().variable;
      for (Expr root : st->values)
        for (Expr e : ir::reads(root)) {
          if (e->arg_count < 2 || ir::shifted_variable(e->args().back()) != last) continue;
          if (rows.count(e->name) == 0) arrays.push_back(e->name);
          std::vector<Expr> row(e->args().begin(), e->args().end() - 1);
          several |= rows[e->name].insert(row).second && rows[e->name].size() > 1;
        }
    }
  });
  std::erase_if(arrays, [&](Symbol a) { return inner.count(a) > 0; });
  std::set<Symbol> again;  // read by several loops of one iteration
  if (is_point_loop(n) && n.body.size() > 1) {
    std::set<Symbol> once;
    for (const Node& child : n.body) {
      std::set<Symbol> here;
      for_each_compute({child}, [&](const Node& leaf) {
        const auto it = lines.find(leaf.name);
        if (it == lines.end()) return;
        for (const ir::Statement* st : it->second)
          for (Expr root : st->values)
            for (Symbol a : ir::arrays_read(root)) here.insert(a);
      });
      for (Symbol a : here)
        if (!once.insert(a).second) again.insert(a);
    }
  }
  if (!several) std::erase_if(arrays, [&](Symbol a) { return again.count(a) == 0; });
  if (arrays.size() > kMostAhead) return;
  for (Symbol a : arrays) {
    n.body.push_back(prefetch(a));
    n.body.back().bytes = kAhead;
  }
}

}  // namespace

// A nest with sweeps of rows has their prefetches only.
void prefetch_rows(const ir::Program& program, Schedule& s) {
  Lines statements;
  ir::for_each_statement(program.body,
                         [&](const ir::Statement& st) { statements[st.label] = {&st}; });
  const auto in_vectors = [](const Node& n) { return n.is_loop() && ends_in_vectors(n); };
  for (Node& n : s.body)
    if (in_vectors(n) && !holds_rows_of_sweep(n)) {
      prefetch_ahead(statements, n);
      prefetch_gathers(program, statements, n);
    }
  if (std::none_of(s.body.begin(), s.body.end(), holds_rows_of_sweep)) return;
  const std::unique_ptr<Nest> nest = resolve(program, s);
  Lines lines = statements;  // and of groups
  for (const Leaf& leaf : nest->leaves) lines.try_emplace(leaf.label, leaf.lines);
  for (Node& n : s.body)
    if (in_vectors(n)) prefetch_sweeps(program, *nest, lines, n);
}

}  // namespace lathe::schedule
