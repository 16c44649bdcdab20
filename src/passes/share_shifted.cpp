// SPDX-License-Identifier: Apache-2.0
// Statements that compute one thing at neighbouring points read it from a new temporary. Where that
// lives, and whether it is computed again after all, is for the schedule to decide.
//
// Only what is the same wherever it is computed can be moved: everything it reads is an input, or a
// temporary that one statement sets before. The temporary covers every point that was asked for and
// no others, for the offsets are neighbours along one variable; all its reads are shown to stay in
// what is declared and set.

#include <algorithm>
#include <set>

#include "ir/build.h"
#include "ir/traverse.h"
#include "passes/passes.h"
#include "passes/settled.h"
#include "passes/shift_classes.h"

namespace lathe::passes {
namespace {

using ir::Op;

constexpr std::size_t kLeastWeight = 6;  // operations; less is quicker computed than loaded
constexpr int kMostRounds = 32;
constexpr std::size_t kMostOffsets = 4;

struct Occurrence {
  std::size_t item;  // of the body
  Expr node;
  Shift shift;
};

bool may_fail(Expr e) {
  switch (e->op) {
    case Op::FloorDiv:
    case Op::Mod:
    case Op::Pow:
    case Op::TruncDiv:
    case Op::TruncMod: return !ir::is_float(e->dtype);
    default: return false;
  }
}

class ShiftedSharing {
 public:
  explicit ShiftedSharing(const ir::Program& program)
      : program_(program), graph_(*program.graph), settled_(program) {
    collect();
  }

  // The program with the heaviest one shared; nothing when there is none.
  std::optional<ir::Program> run() {
    std::vector<std::pair<std::size_t, int>> order;  // heaviest first, then in order of text
    for (const auto& [id, list] : occurrences_)
      if (list.size() > 1) order.push_back({weights_.at(id), id});
    std::sort(order.begin(), order.end(), [](auto a, auto b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (const auto& [weight, id] : order)
      for (const std::vector<Occurrence>& row : rows(occurrences_.at(id)))
        if (auto out = share(row)) return out;
    return std::nullopt;
  }

 private:
  // A statement that one could take parts of.
  static const ir::Statement* site(const ir::Item& item) {
    const auto* s = std::get_if<ir::Statement>(&item.node);
    return s && !s->accumulate && s->targets.size() == 1 && !s->domain.ranges.empty() ? s : nullptr;
  }

  void collect() {
    for (std::size_t i = 0; i < program_.body.size(); ++i) {
      const ir::Statement* s = site(program_.body[i]);
      if (!s || s->values[0]->has_reduce) continue;
      std::vector<Symbol> variables;
      for (const ir::Range& r : s->domain.ranges) variables.push_back(r.variable);
      classes_.classify(s->values[0], variables);
      for (Expr e : ir::post_order(s->values[0])) {
        const Shifted& c = classes_.of(e);
        if (c.class_id < 0 || c.weight < kLeastWeight || c.shift.used == 0) continue;
        if (e->dtype != ir::DType::F32 && e->dtype != ir::DType::F64) continue;
        occurrences_[c.class_id].push_back({i, e, c.shift});
        weights_[c.class_id] = c.weight;
      }
    }
  }

  // Those that are neighbours along one variable, as many at once as there are.
  static std::vector<std::vector<Occurrence>> rows(const std::vector<Occurrence>& list) {
    std::vector<std::vector<Occurrence>> found;
    for (std::size_t v = 0; v < kMostVariables; ++v) {
      std::map<Shift, std::map<std::int64_t, std::vector<Occurrence>>> lines;
      for (const Occurrence& o : list) {
        Shift others = o.shift;
        others.at[v] = 0;
        if (o.shift.uses(v)) lines[others][o.shift.at[v]].push_back(o);
      }
      for (const auto& [others, line] : lines)
        for (auto it = line.begin(); it != line.end();) {
          std::vector<Occurrence> row;
          std::size_t offsets = 0;
          std::int64_t next = it->first;
          for (; it != line.end() && it->first == next && offsets < kMostOffsets; ++it, ++next) {
            row.insert(row.end(), it->second.begin(), it->second.end());
            ++offsets;
          }
          if (offsets > 1) found.push_back(std::move(row));
        }
    }
    for (auto& row : found)
      std::stable_sort(row.begin(), row.end(),
                       [](const Occurrence& a, const Occurrence& b) { return a.item < b.item; });
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });
    return found;
  }

  // The points that all occurrences ask for, in variables of the first.
  std::optional<std::vector<ir::Range>> points(const std::vector<Occurrence>& list) const {
    const Occurrence& first = list.front();
    std::vector<ir::Range> hull;
    for (const ir::Range& r : site(program_.body[first.item])->domain.ranges) {
      const auto v = place(r.variable);
      if (v && first.shift.uses(*v)) hull.push_back(r);
    }
    for (ir::Range& h : hull) {
      if (!declarable(h)) return std::nullopt;
      const std::size_t v = *place(h.variable);
      Sum lo = as_sum(h.lo), hi = as_sum(h.hi);
      for (const Occurrence& o : list) {
        const auto& ranges = site(program_.body[o.item])->domain.ranges;
        const auto r = std::find_if(ranges.begin(), ranges.end(),
                                    [&](const ir::Range& x) { return x.variable == h.variable; });
        if (r == ranges.end()) return std::nullopt;
        const std::int64_t moved = o.shift.at[v] - first.shift.at[v];
        const Sum low = as_sum(r->lo), high = as_sum(r->hi);
        if (low.base != lo.base || high.base != hi.base) return std::nullopt;
        lo.number = std::min(lo.number, low.number + moved);
        hi.number = std::max(hi.number, high.number + moved);
      }
      h.lo = from_sum(graph_, lo.base, lo.number);
      h.hi = from_sum(graph_, hi.base, hi.number);
    }
    return hull;
  }

  std::optional<std::size_t> place(Symbol variable) const {
    const auto& all = classes_.variables();
    const auto it = std::find(all.begin(), all.end(), variable);
    if (it == all.end()) return std::nullopt;
    return static_cast<std::size_t>(it - all.begin());
  }

  std::optional<ir::Program> share(const std::vector<Occurrence>& list) {
    const auto hull = points(list);
    if (!hull) return std::nullopt;
    const Occurrence& first = list.front();
    ir::RawMaker raw(graph_);
    bool fine = true;
    const Expr value = ir::rewrite(raw, first.node, [&](Expr e) -> Expr {
      fine = fine && !may_fail(e);
      if (e->op != Op::Read) return nullptr;
      const Expr what = settled_.source(e);
      fine = fine && settled_.holds(what, *hull, first.item);
      return what;
    });
    if (!fine || !is_unchanged(list)) return std::nullopt;
    const ir::Statement& origin = *site(program_.body[first.item]);
    ir::Program out = program_;
    ir::Array temp;
    temp.name = graph_.fresh_symbol("shared");
    temp.dtype = first.node->dtype;
    temp.span = origin.span;
    std::vector<Expr> here;
    for (const ir::Range& h : *hull) {
      temp.axes.push_back({h.variable, h.lo, h.hi});
      here.push_back(graph_.index(h.variable));
    }
    for (const Occurrence& o : list) replace(out, o, first, temp, *hull);
    ir::Statement set;
    set.label = temp.name;
    set.domain.ranges = *hull;
    set.targets = {{temp.name, here}};
    set.values = {value};
    set.span = origin.span;
    out.arrays.push_back(std::move(temp));
    out.body.insert(out.body.begin() + static_cast<std::ptrdiff_t>(first.item), {std::move(set)});
    return out;
  }

  // Is what they read the same from the first to the last, and from the copies that they read on?
  bool is_unchanged(const std::vector<Occurrence>& list) const {
    for (const Occurrence& o : list)
      for (Expr read : ir::reads(o.node)) {
        std::size_t since = list.front().item;
        const Expr what = settled_.source(read, &since);
        const bool is_copy = what != read;
        if (is_copy && !settled_.is_unchanged(read->name, o.item, program_.body.size()))
          return false;
        if (!settled_.is_unchanged(what->name, since, list.back().item)) return false;
      }
    return true;
  }

  void replace(ir::Program& out, const Occurrence& o, const Occurrence& first,
               const ir::Array& temp, const std::vector<ir::Range>& hull) {
    std::vector<Expr> indices;
    for (const ir::Range& h : hull) {
      const std::size_t v = *place(h.variable);
      indices.push_back(
          from_sum(graph_, graph_.index(h.variable), o.shift.at[v] - first.shift.at[v]));
    }
    const Expr read = graph_.read(temp.name, temp.dtype, indices);
    auto& s = std::get<ir::Statement>(out.body[o.item].node);
    ir::RawMaker raw(graph_);
    s.values[0] =
        ir::rewrite(raw, s.values[0], [&](Expr e) { return e == o.node ? read : nullptr; });
  }

  const ir::Program& program_;
  ir::Graph& graph_;
  const Settled settled_;
  ShiftClasses classes_{settled_};
  std::map<int, std::vector<Occurrence>> occurrences_;
  std::map<int, std::size_t> weights_;
};

}  // namespace

ir::Program share_shifted(const ir::Program& program) {
  ir::Program out = program;
  for (int round = 0; round < kMostRounds; ++round) {
    auto shared = ShiftedSharing(out).run();
    if (!shared) break;
    out = std::move(*shared);
  }
  return out;
}

}  // namespace lathe::passes
