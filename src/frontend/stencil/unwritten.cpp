// SPDX-License-Identifier: Apache-2.0
// One walk in the order of execution carries the levels on which each temporary has a value:
// surely, or perhaps (written in a branch, a loop, a region, or on levels that come from data).
// Levels are those of one domain that is so high that the ends of intervals do not meet.

#include "frontend/stencil/unwritten.h"

#include <algorithm>
#include <set>

#include "base/quoted.h"

namespace lathe::stencil {
namespace {

// Levels, as ranges that do not touch, in order.
class LevelSet {
 public:
  using Range = std::pair<std::int64_t, std::int64_t>;  // first, and one more than the last

  void add(Range r) {
    if (r.first >= r.second) return;
    std::vector<Range> all;
    for (const Range& x : ranges_) {
      if (x.second < r.first || r.second < x.first)
        all.push_back(x);
      else
        r = {std::min(r.first, x.first), std::max(r.second, x.second)};
    }
    all.push_back(r);
    std::sort(all.begin(), all.end());
    ranges_ = std::move(all);
  }
  void add(const LevelSet& other) {
    for (const Range& r : other.ranges_) add(r);
  }
  LevelSet common(const LevelSet& other) const {
    LevelSet both;
    for (const Range& x : ranges_)
      for (const Range& y : other.ranges_)
        both.add({std::max(x.first, y.first), std::min(x.second, y.second)});
    return both;
  }
  // The first level of a range that is not in it.
  std::optional<std::int64_t> missing(Range r) const {
    for (const Range& x : ranges_)
      if (x.first <= r.first && r.first < x.second) r.first = x.second;
    if (r.first >= r.second) return std::nullopt;
    return r.first;
  }
  bool empty() const { return ranges_.empty(); }

 private:
  std::vector<Range> ranges_;
};

struct Written {
  LevelSet surely, perhaps;  // the latter without the former
};
using State = std::vector<Written>;  // by field

std::int64_t farthest(const std::vector<Step>& steps) {
  std::int64_t far = 0;
  const auto see = [&](std::optional<std::int64_t> n) {
    if (n) far = std::max(far, *n < 0 ? -*n : *n);
  };
  for (const Step& s : steps) {
    for (const Edge& e : {s.levels.lo, s.levels.hi}) see(e.start), see(e.end);
    see(s.target_level);
    for (const FieldRead& r : s.reads) see(r.level);
    for (const std::vector<Step>* inner : {&s.body, &s.otherwise})
      far = std::max(far, farthest(*inner));
  }
  return far;
}

class WrittenWalk {
 public:
  WrittenWalk(const std::vector<FieldUse>& fields, std::int64_t levels, Diagnostics& diagnostics)
      : fields_(fields), levels_(levels), diagnostics_(diagnostics), now_(fields.size()) {}

  void body(const std::vector<Step>& steps) {
    for (const Step& s : steps) {
      if (depth_ == 0 && !s.region && !s.levels.runtime)
        for (const FieldRead& r : s.reads) read(s, r);
      switch (s.kind) {
        case Step::Kind::Assign: write(s); break;
        case Step::Kind::Branch: branch(s); break;
        case Step::Kind::While: sides(s.body); break;
        case Step::Kind::Sweep: sweep(s); break;
      }
    }
  }

 private:
  std::int64_t level(const Edge& e) const { return e.start ? *e.start : levels_ + *e.end; }
  LevelSet::Range range(const Levels& l, bool has_levels, std::int64_t offset) const {
    if (!has_levels) return {0, levels_};
    return {level(l.lo) + offset, level(l.hi) + offset};
  }

  void write(const Step& s) {
    if (fields_[s.target].api) return;
    Written& w = now_[s.target];
    const bool known = s.target_level && !s.levels.runtime;
    const auto levels =
        range(s.levels, fields_[s.target].has_axis[2] && known, known ? *s.target_level : 0);
    (known && !s.region ? w.surely : w.perhaps).add(levels);
  }

  // What a block that may run leaves behind.
  State sides(const std::vector<Step>& steps) {
    const State before = now_;
    ++depth_;
    body(steps);
    --depth_;
    State after = std::exchange(now_, before);
    for (std::size_t f = 0; f < now_.size(); ++f) {
      now_[f].perhaps.add(after[f].surely);
      now_[f].perhaps.add(after[f].perhaps);
    }
    return after;
  }

  void branch(const Step& s) {
    const State before = now_;
    const State yes = sides(s.body);
    State joined = std::exchange(now_, before);
    const State no = sides(s.otherwise);
    for (std::size_t f = 0; f < now_.size(); ++f) {
      now_[f].perhaps.add(joined[f].perhaps);
      now_[f].surely = yes[f].surely.common(no[f].surely);
    }
  }

  // Rounds see one another: other levels are those of all rounds.
  void sweep(const Step& s) {
    const State before = now_;
    ++depth_;
    body(s.body);
    --depth_;
    of_all_rounds_ = std::exchange(now_, before);
    in_sweep_ = true;
    body(s.body);
    in_sweep_ = false;
  }

  void read(const Step& s, const FieldRead& r) {
    const FieldUse& f = fields_[r.field];
    if (f.api || f.has_data || r.lazy || !r.level) return;
    const bool all_rounds = in_sweep_ && (*r.level != 0 || !f.has_axis[2]);
    const Written& w = all_rounds ? of_all_rounds_[r.field] : now_[r.field];
    const auto levels = range(s.levels, f.has_axis[2], *r.level);
    LevelSet any = w.surely;
    any.add(w.perhaps);
    const auto never = any.missing(levels);
    if (!never && !w.surely.missing(levels)) return;
    if (!warned_.insert(r.field).second) return;
    if (!never) {
      diagnostics_
          .warning(r.span, "temporary " + quoted(f.name) +
                               " may have no value here: " + "it is written under conditions alone")
          .help = "give it a value before";
      return;
    }
    const std::string where =
        !f.has_axis[2]
            ? ""
            : " at level " + std::to_string(*never < levels_ / 2 ? *never : *never - levels_);
    diagnostics_
        .warning(r.span, "temporary " + quoted(f.name) + " is read" + where +
                             ", where nothing has written it")
        .help = f.has_axis[2] ? "write it on that level, too, or read it in a smaller interval"
                              : "write it first";
  }

  const std::vector<FieldUse>& fields_;
  std::int64_t levels_;
  Diagnostics& diagnostics_;
  State now_, of_all_rounds_;
  std::set<std::size_t> warned_;
  int depth_ = 0;  // branches and while loops around
  bool in_sweep_ = false;
};

}  // namespace

void warn_of_unwritten(const std::vector<FieldUse>& fields, const std::vector<Step>& steps,
                       std::int64_t least, Diagnostics& diagnostics) {
  const std::int64_t levels = std::max(least, 4 * farthest(steps) + 4);
  WrittenWalk(fields, levels, diagnostics).body(steps);
}

}  // namespace lathe::stencil
