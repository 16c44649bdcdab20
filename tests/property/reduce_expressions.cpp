// SPDX-License-Identifier: Apache-2.0
// The fine edits of a reduction: ranges, expressions, axes, declarations, sizes.

#include <algorithm>

#include "ir/traverse.h"
#include "program_slots.h"
#include "reducer.h"

namespace lathe::testing {

using namespace ir;

// Every slot, with one variable replaced.
void substitute(Program& p, Symbol variable, Expr by) {
  RawMaker maker(*p.graph);
  for (Expr* slot : all_slots(p)) *slot = rename(maker, *slot, {{variable, by}});
}

// A variable becomes its lower bound, or 0.
bool Reducer::drop_ranges() {
  bool any = false;
  std::vector<Symbol> variables;
  for (Domain* d : all_domains(result_.smallest.program))
    for (const Range& r : d->ranges) variables.push_back(r.variable);
  for (Symbol v : variables)
    any |= attempt([&](Case& c) {
      Expr lo = nullptr;
      for (Domain* d : all_domains(c.program))
        for (const Range& r : d->ranges)
          if (r.variable == v && !lo) lo = r.lo;
      if (!lo) return false;
      for (Domain* d : all_domains(c.program))
        std::erase_if(d->ranges, [&](const Range& r) { return r.variable == v; });
      substitute(c.program, v, lo);
      return true;
    });
  return any;
}

// The same for one statement alone.
bool Reducer::drop_own_ranges() {
  bool any = false;
  for (std::size_t s = 0; s < all_statements(result_.smallest.program).size(); ++s)
    for (std::size_t r = all_statements(result_.smallest.program)[s]->domain.ranges.size();
         r-- > 0;)
      any |= attempt([&](Case& c) {
        Statement& st = *all_statements(c.program)[s];
        const Range range = st.domain.ranges[r];
        st.domain.ranges.erase(st.domain.ranges.begin() + static_cast<std::ptrdiff_t>(r));
        RawMaker maker(*c.program.graph);
        const auto put = [&](Expr& e) {
          if (e) e = rename(maker, e, {{range.variable, range.lo}});
        };
        for (Expr& e : st.values) put(e);
        for (Target& t : st.targets)
          for (Expr& e : t.indices) put(e);
        for (Range& other : st.domain.ranges) {
          put(other.lo);
          put(other.hi);
        }
        put(st.domain.guard);
        return true;
      });
  return any;
}

namespace {

// Smaller stand-ins for one node: constants, then its operands of the same dtype.
std::vector<Expr> stand_ins(Graph& graph, Expr e) {
  std::vector<Expr> candidates;
  if (is_const(e)) return candidates;
  candidates.push_back(graph.constant(Scalar::of_int(e->dtype, 1)));
  candidates.push_back(graph.constant(Scalar::of_int(e->dtype, 0)));
  if (e->dtype == DType::I64 && e->arg_count == 0) candidates.clear();
  if (e->op == Op::Param || e->op == Op::Index)
    candidates = {graph.constant(Scalar::of_int(e->dtype, 2))};
  if (e->op == Op::Read && e->policy != Policy::Error) {
    const view::Read r(e);
    candidates.push_back(graph.read(e->name, e->dtype, r.indices));
  }
  if (e->op == Op::Reduce) return candidates;  // its operands stand under its variables
  for (Expr a : e->args())
    if (a->dtype == e->dtype) candidates.push_back(a);
  return candidates;
}

}  // namespace

bool Reducer::shrink_expressions() {
  bool any = false;
  for (std::size_t s = 0; s < all_slots(result_.smallest.program).size(); ++s) {
    bool again = true;
    while (again) {
      again = false;
      const Expr root = *all_slots(result_.smallest.program)[s];
      std::vector<Expr> nodes = post_order(root);
      std::reverse(nodes.begin(), nodes.end());  // big ones first
      for (Expr node : nodes) {
        for (Expr by : stand_ins(*result_.smallest.program.graph, node)) {
          again = attempt([&](Case& c) {
            RawMaker maker(*c.program.graph);
            Expr& slot = *all_slots(c.program)[s];
            slot = rewrite(maker, slot, [&](Expr e) { return e == node ? by : nullptr; });
            return true;
          });
          if (again) break;
        }
        if (again) break;
      }
      any |= again;
    }
  }
  return any;
}

// Takes axis `k` of an array away, with its index everywhere.
bool Reducer::drop_axes() {
  bool any = false;
  for (std::size_t a = 0; a < result_.smallest.program.arrays.size(); ++a)
    for (std::size_t k = result_.smallest.program.arrays[a].axes.size(); k-- > 0;)
      any |= attempt([&](Case& c) {
        Array& array = c.program.arrays[a];
        if (array.role == Role::Const) return false;
        const auto at = static_cast<std::ptrdiff_t>(k);
        array.axes.erase(array.axes.begin() + at);
        for (Statement* s : all_statements(c.program))
          for (Target& t : s->targets)
            if (t.array == array.name) t.indices.erase(t.indices.begin() + at);
        RawMaker maker(*c.program.graph);
        // Bottom-up, because reads stand in indices of reads.
        for (Expr* slot : all_slots(c.program)) {
          std::unordered_map<Expr, Expr> done;
          for (Expr e : post_order(*slot)) {
            std::vector<Expr> args;
            for (Expr x : e->args()) args.push_back(done.at(x));
            if ((e->op == Op::Read || e->op == Op::Inside) && e->name == array.name)
              args.erase(args.begin() + at);
            done[e] = e->arg_count == 0 ? e : maker.remake(e, args);
          }
          *slot = done.at(*slot);
        }
        return true;
      });
  return any;
}

bool Reducer::drop_declarations() {
  bool any = false;
  for (std::size_t a = result_.smallest.program.arrays.size(); a-- > 0;)
    any |= attempt([&](Case& c) {
      c.program.arrays.erase(c.program.arrays.begin() + static_cast<std::ptrdiff_t>(a));
      return true;
    });
  for (std::size_t k = result_.smallest.program.combiners.size(); k-- > 0;)
    any |= attempt([&](Case& c) {
      c.program.combiners.erase(c.program.combiners.begin() + static_cast<std::ptrdiff_t>(k));
      return true;
    });
  for (std::size_t k = result_.smallest.program.parameters.size(); k-- > 0;)
    any |= attempt([&](Case& c) {
      c.program.parameters.erase(c.program.parameters.begin() + static_cast<std::ptrdiff_t>(k));
      return true;
    });
  // Extents: a number instead of a formula, no halo.
  for (std::size_t a = 0; a < result_.smallest.program.arrays.size(); ++a)
    for (std::size_t k = 0; k < result_.smallest.program.arrays[a].axes.size(); ++k) {
      any |= attempt([&](Case& c) {
        if (c.program.arrays[a].role == Role::Const) return false;
        Expr& lo = c.program.arrays[a].axes[k].lo;
        const Expr zero = c.program.graph->constant(Scalar::of_int(DType::I64, 0));
        return std::exchange(lo, zero) != zero;
      });
      any |= attempt([&](Case& c) {
        if (c.program.arrays[a].role == Role::Const) return false;
        Expr& hi = c.program.arrays[a].axes[k].hi;
        if (hi->arg_count == 0) return false;
        for (Expr e : post_order(hi))
          if (e->op == Op::Param) {
            hi = e;
            return true;
          }
        return false;
      });
    }
  return any;
}

bool Reducer::shrink_sizes() {
  bool any = false;
  for (const Parameter& p : std::vector(result_.smallest.program.parameters)) {
    if (!p.is_size) continue;
    const std::string name(p.name.text());
    for (std::int64_t n = 0; n < 4; ++n) {
      const std::int64_t now = state_of(result_.smallest).parameters.at(name).as_int();
      if (n >= now) break;
      if (attempt([&](Case& c) {
            c.sizes[name] = n;
            return true;
          })) {
        any = true;
        break;
      }
    }
  }
  return any;
}

}  // namespace lathe::testing
