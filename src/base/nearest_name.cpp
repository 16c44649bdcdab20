// SPDX-License-Identifier: Apache-2.0
#include "base/nearest_name.h"

#include <algorithm>
#include <vector>

namespace lathe {
namespace {

constexpr std::size_t kLongest = 64;  // nobody mistypes a name of that length by a few letters

// Edit distance, given up above `limit`.
std::size_t distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() > b.size() + limit || b.size() > a.size() + limit) return limit + 1;
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1] ? 1 : 0)});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

NearestName::NearestName(std::string_view text)
    : text_(text),
      best_(text.size() <= 2   ? 1
            : text.size() <= 5 ? 2
                               : 3) {}

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
