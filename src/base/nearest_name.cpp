// SPDX-License-Identifier: Apache-2.0
#include "base/nearest_name.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lathe {
namespace {

constexpr std::size_t kLongest = 64;  // nobody mistypes a name of that length by a few letters

// Letters to insert, delete, replace or swap with their neighbour; given up above `limit`.
std::size_t distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() > b.size() + limit || b.size() > a.size() + limit) return limit + 1;
  std::vector<std::size_t> before, last, row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

NearestName::NearestName(std::string_view text)
    : text_(text),
      // One letter in three may be wrong: more is another word.
      best_(std::clamp<std::size_t>(text.size() / 3, 1, 3)) {}

void NearestName::consider(std::string_view name) {
  if (text_.size() > kLongest) return;
  const std::size_t d = distance(text_, name, best_);
  if (d > best_ || d >= std::max(text_.size(), name.size())) return;
  if (d == best_ && !found_.empty() && found_ <= name) return;
  best_ = d;
  found_ = name;
}

std::string NearestName::help(std::string_view otherwise) const {
  return found_.empty() ? std::string(otherwise) : "did you mean '" + found() + "'?";
}

}  // namespace lathe
