// SPDX-License-Identifier: Apache-2.0

#include "analysis/written.h"

#include <algorithm>
#include <map>
#include <set>

namespace lathe::analysis {

using ir::Comparison;
using ir::PwAff;
using ir::SetExpr;

bool is_sequential(const StatementAccess& s, const std::string& variable) {
  return std::find(s.sequential.begin(), s.sequential.end(), variable) != s.sequential.end();
}

bool indices_determine_point(const StatementAccess& s, const Access& write) {
  for (const std::string& v : s.variables) {
    if (is_sequential(s, v)) continue;
    const bool alone = std::any_of(write.affine.begin(), write.affine.end(), [&](const auto& e) {
      if (!e || e->variables() != std::vector<std::string>{v}) return false;
      // v + c or -v + c, c without variables
      return (*e - PwAff::var(v)).variables().empty() || (*e + PwAff::var(v)).variables().empty();
    });
    if (!alone) return false;
  }
  return true;
}

std::optional<SetExpr> written_elements(const Access& write,
                                        const std::vector<std::string>& names) {
  if (!write.is_affine() || write.whole) return std::nullopt;
  std::map<std::string, PwAff> solved;
  std::vector<SetExpr> parts;
  for (std::size_t k = 0; k < write.affine.size(); ++k) {
    const PwAff &index = *write.affine[k], element = PwAff::var(names[k]);
    const std::vector<std::string> used = index.variables();
    if (used.empty()) {
      parts.push_back(SetExpr::compare(element, Comparison::Eq, index));
      continue;
    }
    const PwAff shift = index - PwAff::var(used[0]);
    if (used.size() > 1 || !shift.variables().empty()) return std::nullopt;
    const auto [at, fresh] = solved.try_emplace(used[0], element - shift);
    if (!fresh) parts.push_back(SetExpr::compare(element - shift, Comparison::Eq, at->second));
  }
  for (const std::string& v : write.domain.variables())
    if (solved.count(v) == 0) return std::nullopt;
  parts.push_back(write.domain.map_leaves([&](const PwAff& e) -> std::optional<PwAff> {
    if (e.kind() != PwAff::Kind::Var) return std::nullopt;
    return solved.at(e.name());
  }));
  return SetExpr::intersection(std::move(parts));
}

namespace {

void add_rotated(const ir::Body& body, std::set<Symbol>& to) {
  for (const ir::Item& item : body) {
    if (const auto* r = std::get_if<ir::Repeat>(&item.node))
      to.insert(r->rotate.begin(), r->rotate.end());
    ir::for_each_body(item, [&](const ir::Body& inner) { add_rotated(inner, to); });
  }
}

}  // namespace

WriteIndex::WriteIndex(const ir::Program& program, const std::vector<StatementAccess>& all) {
  for (std::size_t k = 0; k < all.size(); ++k)
    for (const Access& w : all[k].writes) {
      std::vector<std::size_t>& list = writers[w.array];
      if (list.empty() || list.back() != k) list.push_back(k);
    }
  add_rotated(program.body, rotated);
}

std::optional<SetExpr> points_not_written(const WriteIndex& index,
                                          const std::vector<StatementAccess>& all,
                                          std::size_t reader, const Access& a,
                                          const LowerBounds& least) {
  if (index.rotated.count(a.array) != 0) return std::nullopt;
  const auto writers = index.writers.find(a.array);
  if (writers == index.writers.end()) return a.domain;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < a.indices.size(); ++k) names.push_back("`e" + std::to_string(k));
  std::vector<SetExpr> parts = {a.domain};
  std::set<std::string> seen;
  const auto box = as_box(a.domain);
  for (const std::size_t w : writers->second) {
    const bool same_loop = shared_loops(all[w], all[reader]) > 0;
    if (w >= reader && !same_loop) continue;
    for (const Access& write : all[w].writes) {
      if (!(write.array == a.array)) continue;
      const auto covered = written_elements(write, names);
      if (!covered) return std::nullopt;
      if (!seen.insert(covered->key()).second) continue;
      const SetExpr here = covered->map_leaves([&](const PwAff& e) -> std::optional<PwAff> {
        const auto at = std::find(names.begin(), names.end(), e.name());
        if (e.kind() != PwAff::Kind::Var || at == names.end()) return std::nullopt;
        return a.affine[static_cast<std::size_t>(at - names.begin())];
      });
      if (box && holds_on(*box, here, least)) return SetExpr::empty();
      parts.push_back(complement(here));
      if (parts.size() > 12) return std::nullopt;  // too many pieces to complement
    }
  }
  return SetExpr::intersection(std::move(parts));
}

}  // namespace lathe::analysis
