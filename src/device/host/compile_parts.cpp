// SPDX-License-Identifier: Apache-2.0
#include "device/host/compile_parts.h"

#include <algorithm>

namespace lathe::host {
namespace {

// What a further compiler and the linker cost, about 30 ms, is what 8 KiB of functions take.
constexpr std::size_t kWorthwhile = 8 << 10;
constexpr std::size_t kMostParts = 8;

std::size_t end_of_function(std::string_view text, std::size_t begin) {
  const std::size_t end = text.find("\n}\n", begin);
  return end == text.npos ? text.size() : end + 3;
}

std::size_t function_bytes(std::string_view text, const std::vector<std::size_t>& functions) {
  std::size_t sum = 0;
  for (const std::size_t f : functions) sum += end_of_function(text, f) - f;
  return sum;
}

}  // namespace

std::size_t part_count(std::string_view text, const std::vector<std::size_t>& functions,
                       std::size_t processors) {
  const std::size_t worth = function_bytes(text, functions) / kWorthwhile;
  return std::max<std::size_t>(1, std::min({functions.size(), processors, worth, kMostParts}));
}

std::vector<std::string> parts_of(std::string_view text, const std::vector<std::size_t>& functions,
                                  std::size_t count) {
  const std::size_t all = function_bytes(text, functions);
  std::vector<std::string> parts(count);
  std::size_t at = 0, before = 0, part = 0;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    const std::size_t begin = functions[f], end = end_of_function(text, begin);
    // It belongs where its middle lies, but no part is left without any.
    const std::size_t wanted = (before + (end - begin) / 2) * count / std::max<std::size_t>(1, all);
    if (f > 0 && (wanted > part || functions.size() - f < count - part)) ++part;
    part = std::min(part, count - 1);
    const std::string_view head = text.substr(begin, text.find(" {\n", begin) - begin);
    for (std::size_t p = 0; p < count; ++p) {
      parts[p] += text.substr(at, begin - at);
      if (p == part)
        parts[p] += text.substr(begin, end - begin);
      else
        parts[p].append(head).append(";\n");
    }
    at = end;
    before += end - begin;
  }
  for (std::string& p : parts) p += text.substr(at);
  return parts;
}

}  // namespace lathe::host
