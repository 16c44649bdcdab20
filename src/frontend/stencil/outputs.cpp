// SPDX-License-Identifier: Apache-2.0
// One walk from the last statement to the first, with the fields whose values still matter:
//
//   t = u[-1, 0, 0]      v matters:  left out, t is set again below
//   w = t[1, 0, 0]                   left out
//   t = u[0, 2, 0]                   stays, since v reads t
//   v = t                            stays
//
// Loops are walked until what their rounds need of one another no longer changes. In doubt a
// statement stays: then an output is said to need more than it does, never less.

#include "frontend/stencil/outputs.h"

#include <utility>

namespace lathe::stencil {
namespace {

void add(std::vector<bool>& to, const std::vector<bool>& from) {
  for (std::size_t f = 0; f < to.size(); ++f) to[f] = to[f] || from[f];
}

class Selection {
 public:
  Selection(const std::vector<FieldUse>& fields, std::size_t output)
      : fields_(fields), matters_(fields.size()) {
    matters_[output] = true;
  }

  std::vector<Step> among(const std::vector<Step>& steps) {
    std::vector<Step> kept;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      Step s = *step;
      if (s.kind == Step::Kind::Assign ? assign(s) : compound(s)) kept.push_back(std::move(s));
    }
    return {std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend())};
  }

 private:
  bool assign(const Step& s) {
    if (!matters_[s.target]) return false;
    const FieldUse& target = fields_[s.target];
    const bool all_levels = !target.has_axis[2] || (s.levels.full() && !s.levels.runtime);
    if (depth_ == 0 && all_levels && !s.region && s.target_level == 0 && !target.has_data)
      matters_[s.target] = false;  // what it was before is gone
    read(s);
    return true;
  }

  // False if nothing of it stays.
  bool compound(Step& s) {
    ++depth_;
    const bool any = s.kind == Step::Kind::Branch ? branch(s) : loop(s);
    --depth_;
    if (any) read(s);
    return any;
  }

  bool branch(Step& s) {
    const std::vector<bool> after = matters_;
    s.body = among(s.body);
    const std::vector<bool> then = std::exchange(matters_, after);
    s.otherwise = among(s.otherwise);
    add(matters_, then);
    return !s.body.empty() || !s.otherwise.empty();
  }

  bool loop(Step& s) {
    const std::vector<Step> whole = std::move(s.body);
    for (;;) {
      const std::vector<bool> before = matters_;
      s.body = among(whole);
      if (!s.body.empty()) read(s);
      add(matters_, before);
      if (matters_ == before) return !s.body.empty();
    }
  }

  void read(const Step& s) {
    for (const FieldRead& r : s.reads) matters_[r.field] = true;
  }

  const std::vector<FieldUse>& fields_;
  std::vector<bool> matters_;
  int depth_ = 0;  // branches and loops around
};

}  // namespace

std::vector<Step> steps_for(const std::vector<FieldUse>& fields, const std::vector<Step>& steps,
                            std::size_t output) {
  return Selection(fields, output).among(steps);
}

std::vector<bool> read_by(const std::vector<Step>& steps, std::size_t fields) {
  std::vector<bool> out(fields);
  for (const Step& s : steps) {
    for (const FieldRead& r : s.reads) out[r.field] = true;
    for (const std::vector<Step>* side : {&s.body, &s.otherwise}) add(out, read_by(*side, fields));
  }
  return out;
}

}  // namespace lathe::stencil
