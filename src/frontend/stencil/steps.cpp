// SPDX-License-Identifier: Apache-2.0
// One walk from the last statement to the first carries what is needed of each temporary, as
// analysis/extents.cpp does for programs; here also for the arrays of the caller, and in offsets,
// since a definition has nothing else. A statement that sets a whole temporary ends the need for
// it. Loops are walked until what their rounds need of one another no longer changes.

#include "frontend/stencil/steps.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/quoted.h"

namespace lathe::stencil {
namespace {

using Plane = std::array<Extent, 2>;

Plane domain() { return {Extent::domain(), Extent::domain()}; }

void add(Plane& to, const Plane& from) {
  for (std::size_t a = 0; a < 2; ++a) to[a].add(from[a]);
}

class Walk {
 public:
  Walk(const std::vector<FieldUse>& fields, Diagnostics& diagnostics)
      : fields_(fields), diagnostics_(diagnostics), now_(fields.size()), carried_(fields.size()) {
    result_.fields.resize(fields.size());
    result_.any_level.resize(fields.size());
  }

  Needed run(const std::vector<Step>& steps) {
    body(steps);
    return std::move(result_);
  }

 private:
  void fail(Span span, std::string message, std::string help) {
    if (!failed_) diagnostics_.error(span, std::move(message)).help = std::move(help);
    failed_ = true;
  }

  void body(const std::vector<Step>& steps) {
    for (auto step = steps.rbegin(); step != steps.rend() && !failed_; ++step) visit(*step);
  }

  void visit(const Step& s) {
    switch (s.kind) {
      case Step::Kind::Assign: return assign(s);
      case Step::Kind::Branch: return branch(s);
      case Step::Kind::While:
        loop(s, [&] { read_all(s, reach_of(s)); });
        if (!failed_) check_ends(s);
        return;
      case Step::Kind::Sweep: return loop(s, [] {});
    }
  }

  // Where the points of a step lie, with the region cut out.
  static Plane cut(Plane where, const std::optional<Region>& region) {
    if (!region) return where;
    for (std::size_t a = 0; a < 2; ++a)
      where[a] = where[a].clipped(region->lo[a].value_or(Edge{}), region->hi[a].value_or(Edge{}));
    return where;
  }

  Plane reach_of(std::size_t field) const {
    Plane where = domain();
    if (!fields_[field].api) add(where, now_[field]);
    return where;
  }
  // A branch or loop covers the statements in it.
  Plane reach_of(const Step& s) const { return cut(range_of(s), s.region); }
  Plane range_of(const Step& s) const {
    Plane where = domain();
    for (const std::vector<Step>* side : {&s.body, &s.otherwise})
      for (const Step& inner : *side)
        add(where, inner.kind == Step::Kind::Assign ? reached_.at(&inner) : range_of(inner));
    return where;
  }

  void assign(const Step& s) {
    // A branch around it covers its range, whatever the region.
    reached_[&s] = reach_of(s.target);
    // compute-extents bounds a range whose ends hang on both sizes and numbers by one of them.
    for (Extent& e : reached_[&s]) e = e.flattened(1);
    const Plane where = cut(reached_[&s], s.region);
    const FieldUse& target = fields_[s.target];
    if (target.api) {
      note_levels(s.target, s.levels, s.target_level, s.span, "written");
      for (std::size_t a = 0; a < 2; ++a)
        if (target.has_axis[a]) result_.fields[s.target][a].add(where[a]);
    } else {
      note_levels(s.target, s.levels, s.target_level, s.span, "written");
      const bool whole = !s.region && depth_ == 0 && s.target_level == 0 && !target.has_data &&
                         ((in_sweep_ && !other_planes_.count(s.target)) || !target.has_axis[2] ||
                          (s.levels.full() && !s.levels.runtime));
      if (whole) now_[s.target] = {};
    }
    read_all(s, where);
  }

  void branch(const Step& s) {
    ++depth_;
    const std::vector<Plane> after = now_;
    body(s.body);
    std::vector<Plane> before_then = std::exchange(now_, after);
    body(s.otherwise);
    for (std::size_t f = 0; f < now_.size(); ++f) {
      add(now_[f], before_then[f]);
      add(now_[f], after[f]);
    }
    --depth_;
    if (!failed_) read_all(s, reach_of(s));
  }

  // Beyond the domain, where a loop may have to run for a temporary, the caller's fields do not
  // change: a loop that waits for one of them would not end there.
  void check_ends(const Step& s) {
    Plane whole = domain();
    if (s.region) whole = cut(whole, s.region);
    if (reach_of(s) == whole) return;
    for (const FieldRead& r : s.reads) {
      if (!fields_[r.field].api || !writes(s, r.field)) continue;
      return fail(
          r.span,
          "the while loop tests " + quoted(fields_[r.field].name) +
              ", which is written on the compute domain alone, and runs beyond it for a "
              "temporary that is read with an offset",
          "loop over a temporary, and assign " + quoted(fields_[r.field].name) + " after the loop");
    }
  }

  static bool writes(const Step& s, std::size_t field) {
    if (s.kind == Step::Kind::Assign && s.target == field) return true;
    for (const std::vector<Step>* side : {&s.body, &s.otherwise})
      for (const Step& inner : *side)
        if (writes(inner, field)) return true;
    return false;
  }

  // Fields that a sweep writes on other levels than its own.
  void find_other_planes(const Step& s) {
    if (s.kind == Step::Kind::Assign && s.target_level != 0) other_planes_.insert(s.target);
    for (const std::vector<Step>* side : {&s.body, &s.otherwise})
      for (const Step& inner : *side) find_other_planes(inner);
  }

  template <class F>
  void loop(const Step& s, F&& each_round) {
    const bool sweep = s.kind == Step::Kind::Sweep;
    const std::vector<Plane> after = now_, outer_carried = carried_;
    const bool outer_sweep = std::exchange(in_sweep_, in_sweep_ || sweep);
    carried_.assign(fields_.size(), {});
    if (sweep) {
      other_planes_.clear();
      find_other_planes(s);
    }
    if (!sweep) ++depth_;
    constexpr int kRounds = 3;
    for (int round = 0; !failed_; ++round) {
      const std::vector<Plane> before = carried_;
      now_ = after;
      for (std::size_t f = 0; f < now_.size(); ++f) add(now_[f], carried_[f]);
      body(s.body);
      if (failed_) break;
      each_round();
      // What a round needs from before itself of a temporary that holds one value for all rounds.
      for (std::size_t f = 0; f < now_.size(); ++f)
        if (!sweep || !fields_[f].has_axis[2]) add(carried_[f], now_[f]);
      if (carried_ == before) break;
      if (round < kRounds) continue;
      for (std::size_t f = 0; f < now_.size() && !failed_; ++f)
        if (!fields_[f].api && carried_[f] != before[f])
          fail(s.span,
               std::string("the region of temporary ") + quoted(fields_[f].name) +
                   " would grow with every " + (sweep ? "level" : "round of the while loop"),
               "make " + quoted(fields_[f].name) +
                   " a field of the stencil: then offset reads beyond the domain see its halo");
      break;
    }
    if (!sweep) --depth_;
    in_sweep_ = outer_sweep;
    for (std::size_t f = 0; f < now_.size(); ++f) {
      add(now_[f], after[f]);
      add(now_[f], carried_[f]);
    }
    carried_ = outer_carried;
  }

  void read_all(const Step& s, const Plane& where) {
    for (const FieldRead& r : s.reads) {
      Plane region;
      for (std::size_t a = 0; a < 2; ++a) region[a] = where[a].shifted(r.offset[a]);
      const FieldUse& field = fields_[r.field];
      note_levels(r.field, s.levels, r.level, r.span, "read");
      if (r.at && !field.api) note_absolute(field, *r.at, r.span);
      if (field.api) {
        for (std::size_t a = 0; a < 2; ++a)
          if (field.has_axis[a]) result_.fields[r.field][a].add(region[a]);
      } else {
        const bool other_level = in_sweep_ && field.has_axis[2] && r.level != 0;
        add(other_level ? carried_[r.field] : now_[r.field], region);
      }
    }
  }

  // t.at(K=2). What stands in a branch may be there for domains that have the level.
  void note_absolute(const FieldUse& use, std::int64_t level, Span span) {
    if (level < 0)
      return fail(span,
                  "temporary " + quoted(use.name) + " is read " + std::to_string(-level) +
                      (level == -1 ? " level" : " levels") +
                      " below the domain: at K=" + std::to_string(level),
                  "levels count from 0, the lowest one; temporaries have the levels of the domain");
    if (depth_ == 0) result_.min_levels = std::max(result_.min_levels, level + 1);
  }

  // K: ranges of the caller's arrays grow; temporaries have the domain's levels.
  void note_levels(std::size_t field, const Levels& levels, std::optional<std::int64_t> offset,
                   Span span, std::string_view verb) {
    const FieldUse& use = fields_[field];
    if (!use.has_axis[2]) return;
    const bool data = levels.runtime || !offset;
    const Extent here = data ? Extent::domain() : Extent(levels.lo, levels.hi).shifted(*offset);
    if (use.api) {
      if (!offset || (levels.runtime && *offset != 0)) result_.any_level[field] = true;
      return result_.fields[field][2].add(here);
    }
    if (data) return;
    const Edge lo = {levels.lo.start, levels.lo.end}, hi = {levels.hi.start, levels.hi.end};
    const auto beyond = [&](std::int64_t by, std::string_view side, const std::string& interval,
                            std::string help) {
      fail(span,
           "temporary " + quoted(use.name) + " is " + std::string(verb) + " " + std::to_string(by) +
               (by == 1 ? " level " : " levels ") + std::string(side) + " the domain: at K" +
               (*offset < 0 ? "" : "+") + std::to_string(*offset) + ", in an interval that " +
               interval,
           std::move(help) + "; temporaries have the levels of the domain");
    };
    if (lo.start && *lo.start + *offset < 0)
      return beyond(-(*lo.start + *offset), "below", "begins at level " + std::to_string(*lo.start),
                    "begin it at level " + std::to_string(-*offset) + ": interval(" +
                        std::to_string(-*offset) + ", ...)");
    if (hi.end && *hi.end + *offset > 0)
      return beyond(
          *hi.end + *offset, "above",
          *hi.end == 0 ? "ends at the top" : "ends " + std::to_string(-*hi.end) + " below the top",
          "end it " + std::to_string(*offset) + " below the top: interval(..., -" +
              std::to_string(*offset) + ")");
    if (lo.end) result_.min_levels = std::max(result_.min_levels, -(*lo.end + *offset));
    if (hi.start) result_.min_levels = std::max(result_.min_levels, *hi.start + *offset);
  }

  const std::vector<FieldUse>& fields_;
  Diagnostics& diagnostics_;
  Needed result_;
  std::vector<Plane> now_, carried_;
  std::map<const Step*, Plane> reached_;
  std::set<std::size_t> other_planes_;
  int depth_ = 0;  // branches and while loops around
  bool in_sweep_ = false;
  bool failed_ = false;
};

}  // namespace

Needed find_needed(const std::vector<FieldUse>& fields, const std::vector<Step>& steps,
                   Diagnostics& diagnostics) {
  return Walk(fields, diagnostics).run(steps);
}

}  // namespace lathe::stencil
