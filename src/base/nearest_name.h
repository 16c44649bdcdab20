// SPDX-License-Identifier: Apache-2.0
#pragma once
// "did you mean ...?"

#include <cstddef>
#include <string>
#include <string_view>

namespace lathe {

// Of the names it is shown, the one that differs from `text` by the fewest edits, if those are few
// for its length; among equals, the first in the alphabet. The names must outlive it.
class NearestName {
 public:
  explicit NearestName(std::string_view text);
  void consider(std::string_view name);
  std::string found() const { return std::string(found_); }  // empty: none is near
  // "did you mean 'lap'?", or `otherwise`.
  std::string help(std::string_view otherwise = {}) const;

 private:
  std::string_view text_, found_;
  std::size_t best_;
};

}  // namespace lathe
