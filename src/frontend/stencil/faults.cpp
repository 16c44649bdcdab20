// SPDX-License-Identifier: Apache-2.0
#include "frontend/stencil/faults.h"

#include <algorithm>
#include <cstdlib>

namespace lathe::stencil {
namespace {

// The numbers of "[0..4, -1..2]" or "[1, 7]" that begins at `at`, two for a range.
std::vector<std::int64_t> numbers(const std::string& text, std::size_t at) {
  std::vector<std::int64_t> out;
  while (at < text.size() && text[at] != ']') {
    const bool begins = text[at] == '-' || (text[at] >= '0' && text[at] <= '9');
    if (!begins) {
      ++at;
      continue;
    }
    char* end = nullptr;
    out.push_back(std::strtoll(text.c_str() + at, &end, 10));
    at = static_cast<std::size_t>(end - text.c_str());
  }
  return out;
}

// "statement 'b' reads 'v' at [1, 0, 0, 4], but v covers [0..2, 0..2, 0..2, 0..4]": is it the data
// index that is outside? Those follow I, J and K.
bool is_of_data(const std::string& message, const Info& info) {
  const std::string reads = " reads '", covers = " covers [";
  const std::size_t name = message.find(reads), range = message.find(covers);
  if (name == message.npos || range == message.npos) return false;
  const std::size_t begin = name + reads.size(), end = message.find('\'', begin);
  const std::string array = message.substr(begin, end - begin);
  const auto index = numbers(message, end), box = numbers(message, range + covers.size());
  if (box.size() != 2 * index.size()) return false;
  const auto argument = std::find_if(
      info.arguments.begin(), info.arguments.end(),
      [&](const Argument& a) { return a.is_field && (a.name == array || a.symbol == array); });
  // Temporaries with data dimensions lie over all axes.
  const std::size_t axes = argument == info.arguments.end() ? 3 : argument->axes.size();
  for (std::size_t n = axes; n < index.size(); ++n)
    if (index[n] < box[2 * n] || index[n] >= box[2 * n + 1]) return true;
  return false;
}

}  // namespace

Diagnostic in_the_users_words(const Diagnostic& said, const Info& info) {
  Diagnostic d = said;
  switch (said.kind) {
    case ErrorKind::Index:
      if (said.message.find(" reads ") == std::string::npos) break;
      // Offsets in I and J are known, and the call was refused before it ran.
      d.help =
          is_of_data(said.message, info)
              ? "a data index that is computed must name an element that is there: keep it inside "
                "with min and max"
              : "an index that is computed must name a level that the array has: keep it inside "
                "with min and max, or give a field more levels; temporaries have those of the "
                "domain";
      break;
    case ErrorKind::Division:
      d.help = "guard it: a % b if b != 0 else 0; without checking the result is 0";
      break;
    case ErrorKind::Power:
      d.help = "compute in floats: float(a) ** b; without checking the result is 0";
      break;
    default: break;
  }
  return d;
}

}  // namespace lathe::stencil
