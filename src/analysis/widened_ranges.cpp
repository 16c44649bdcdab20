// SPDX-License-Identifier: Apache-2.0
#include "analysis/widened_ranges.h"

#include <algorithm>

namespace lathe::analysis {
namespace {

using ir::Expr;
using ir::PwAff;

// The widened bounds as expressions; those that did not change stay as they were written.
class Answer {
 public:
  Answer(const ir::Program& program, const WidenedRanges& ranges, Diagnostics& diagnostics)
      : program_(program), widened_(ranges), diagnostics_(diagnostics) {}

  std::optional<Extents> run(const Needs& written) {
    Extents out;
    collect(program_.body, out);
    for (const ir::Array& a : program_.arrays)
      if (a.extended) out.arrays.push_back({a.name, axes(a, written.at(a.name))});
    if (failed_) return std::nullopt;
    return out;
  }

 private:
  Expr bound(Span span, const PwAff& e, Expr original) {
    if (e == ir::to_bound(original)) return original;
    const Expr made = ir::to_expr(program_, e);
    if (made == nullptr) fail(span);
    return made != nullptr ? made : original;
  }
  void fail(Span span) {
    if (!failed_)
      diagnostics_.error(span, "an extended temporary needs a range that depends on data").help =
          "declare its range";
    failed_ = true;
  }
  void collect_ranges(Symbol label, Span span, const std::vector<ir::Range>& ranges, Extents& out) {
    Extents::Widened w{label, ranges};
    bool changed = false;
    for (ir::Range& r : w.ranges) {
      const auto [lo, hi] = widened_.interval_of(label, r);
      const ir::Range wide{r.variable, bound(span, lo, r.lo), bound(span, hi, r.hi)};
      changed = changed || wide.lo != r.lo || wide.hi != r.hi;
      r = wide;
    }
    if (changed) out.items.push_back(std::move(w));
  }
  void collect(const ir::Body& items, Extents& out) {
    for (const ir::Item& item : items) {
      std::visit(
          [&](const auto& node) {
            if constexpr (requires { node.statement.domain; })
              collect_ranges(node.statement.label, node.statement.span,
                             node.statement.domain.ranges, out);
            else if constexpr (requires { node.domain; })
              collect_ranges(node.label, node.span, node.domain.ranges, out);
          },
          item.node);
      ir::for_each_body(item, [&](const ir::Body& inner) { collect(inner, out); });
    }
  }
  std::vector<ir::Axis> axes(const ir::Array& a, const Region& r) {
    std::vector<ir::Axis> out = a.axes;
    for (std::size_t k = 0; k < out.size(); ++k) {
      out[k].lo = bound(a.span, r.lo[k], out[k].lo);
      out[k].hi = bound(a.span, r.hi[k], out[k].hi);
    }
    return out;
  }

  const ir::Program& program_;
  const WidenedRanges& widened_;
  Diagnostics& diagnostics_;
  bool failed_ = false;
};

}  // namespace

bool mentions(const PwAff& index, const std::string& variable) {
  const auto used = index.variables();
  return std::find(used.begin(), used.end(), variable) != used.end();
}

WidenedRanges::WidenedRanges(const ir::Program& program) : program_(program) {
  for (const ir::Array& a : program.arrays) {
    if (!a.extended) continue;
    Region r;
    for (const ir::Axis& axis : a.axes) {
      r.lo.push_back(ir::to_bound(axis.lo));
      r.hi.push_back(ir::to_bound(axis.hi));
    }
    declared_.emplace(a.name, r);
    written_.emplace(a.name, r);
  }
}

WidenedRanges::Interval WidenedRanges::interval_of(Symbol label, const ir::Range& r) const {
  const auto at = ranges_.find({label, r.variable});
  if (at != ranges_.end()) return at->second;
  return {ir::to_bound(r.lo), ir::to_bound(r.hi)};
}

bool WidenedRanges::is_widened(Symbol label, const ir::Range& r) const {
  return interval_of(label, r) != Interval{ir::to_bound(r.lo), ir::to_bound(r.hi)};
}

ir::SetExpr WidenedRanges::set_of(Symbol label, const ir::Range& r) const {
  const auto [lo, hi] = interval_of(label, r);
  return ir::range_set(std::string(r.variable.text()), lo, hi);
}

void WidenedRanges::widen(Symbol label, const std::vector<ir::Range>& ranges,
                          const ir::Target& target, const Region& need) {
  if (declared_.count(target.array) == 0) return;
  const Region& declared = declared_.at(target.array);
  for (std::size_t k = 0; k < target.indices.size(); ++k) {
    const auto index = ir::to_pw_aff(target.indices[k]);
    for (const ir::Range& r : ranges) {
      const PwAff v = PwAff::var(std::string(r.variable.text()));
      if (!index || !mentions(*index, v.name())) continue;
      const PwAff shift = *index - v, lo = ir::to_bound(r.lo), hi = ir::to_bound(r.hi);
      if (!shift.variables().empty() || !(lo + shift == declared.lo[k]) ||
          !(hi + shift == declared.hi[k]))
        continue;
      auto [at, fresh] = ranges_.try_emplace({label, r.variable}, Interval{lo, hi});
      at->second = {lower_of(at->second.first, need.lo[k] - shift),
                    upper_of(at->second.second, need.hi[k] - shift)};
      written_.at(target.array).lo[k] = lower_of(written_.at(target.array).lo[k], need.lo[k]);
      written_.at(target.array).hi[k] = upper_of(written_.at(target.array).hi[k], need.hi[k]);
    }
  }
}

void WidenedRanges::contain(Symbol outer, const std::vector<ir::Range>& outer_ranges,
                            Symbol inner) {
  for (const ir::Range& r : outer_ranges) {
    const auto at = ranges_.find({inner, r.variable});
    if (at == ranges_.end()) continue;
    auto [own, fresh] = ranges_.try_emplace({outer, r.variable}, interval_of(outer, r));
    own->second = {lower_of(own->second.first, at->second.first),
                   upper_of(own->second.second, at->second.second)};
  }
}

void WidenedRanges::contain_all(Symbol outer, const std::vector<ir::Range>& ranges,
                                const ir::Body& items) {
  for (const ir::Item& item : items)
    std::visit(
        [&](const auto& node) {
          if constexpr (requires { node.statement.label; })
            contain(outer, ranges, node.statement.label);
          else
            contain(outer, ranges, node.label);
        },
        item.node);
}

std::optional<Extents> WidenedRanges::answer(Diagnostics& diagnostics) const {
  return Answer(program_, *this, diagnostics).run(written_);
}

}  // namespace lathe::analysis
