// SPDX-License-Identifier: Apache-2.0

#include "analysis/check_text.h"

#include <algorithm>

#include "ir/text.h"

namespace lathe::analysis {
namespace {

using ir::PwAff;

std::string without_blanks(std::string text) {
  // `i // 2` keeps its blanks, sums and differences lose theirs.
  for (const char* op : {" + ", " - "})
    for (std::size_t at = text.find(op); at != std::string::npos; at = text.find(op, at))
      text.replace(at, 3, 1, op[1]);
  return text;
}

std::string index_text(const Access& a, std::size_t k) {
  return a.affine[k] ? compact(*a.affine[k]) : without_blanks(ir::print(a.indices[k], 20));
}

// The statement's own range of the variable.
const ir::Range* find_range(const StatementAccess& s, const std::string& variable) {
  if (s.statement == nullptr) return nullptr;
  for (const ir::Range& r : s.statement->domain.ranges)
    if (r.variable.text() == variable) return &r;
  return nullptr;
}

}  // namespace

std::string compact(const PwAff& e) { return without_blanks(to_text(e)); }

std::string range_text(ir::Expr lo, ir::Expr hi) {
  return compact(ir::to_bound(lo)) + ".." + compact(ir::to_bound(hi));
}

std::string access_text(const Access& a) {
  std::string text(a.array.text());
  if (a.indices.empty()) return text;
  for (std::size_t k = 0; k < a.indices.size(); ++k)
    text += (k == 0 ? "[" : ", ") + index_text(a, k);
  return text + "]";
}

std::string join(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::string range_help(const StatementAccess& s, const Access& a, const ir::Array& array,
                       std::size_t axis, bool below, const Bounds& reached) {
  std::vector<std::string> ways;
  const PwAff &index = *a.affine[axis], lo = ir::to_bound(array.axes[axis].lo),
              hi = ir::to_bound(array.axes[axis].hi);
  const std::vector<std::string> used = index.variables();
  const auto& bound = below ? reached.lower : reached.upper;
  if (used.size() == 1 && bound) {
    const PwAff shift = index - PwAff::var(used[0]);
    const PwAff excess = below ? lo - *bound : *bound - hi + PwAff::integer(1);
    const ir::Range* range = find_range(s, used[0]);
    if (range != nullptr && shift.variables().empty() && excess.kind() == PwAff::Kind::Int) {
      const PwAff from = ir::to_bound(range->lo), to = ir::to_bound(range->hi);
      ways.push_back("shrink the range of " + used[0] + " to " +
                     compact(below ? from + excess : from) + ".." +
                     compact(below ? to : to - excess));
    }
  }
  if (!a.write) {
    std::string text = access_text(a);
    text.back() = ';';
    ways.push_back("read with a policy: " + text + " clamp]");
  } else if (bound && array.role != ir::Role::Const) {
    const PwAff wide_lo = below ? *bound : lo, wide_hi = below ? hi : *bound + PwAff::integer(1);
    ways.push_back("declare axis " + quoted(array.axes[axis].name) + " as " + compact(wide_lo) +
                   ".." + compact(wide_hi));
  }
  return join(ways, ", or ");
}

}  // namespace lathe::analysis
