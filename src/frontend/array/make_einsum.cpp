// SPDX-License-Identifier: Apache-2.0
// einsum: its text, and the order in which more than two arrays are contracted. Two at a time: the
// pair whose contraction costs least goes first, lengths that nobody knows counting as 64.

#include <algorithm>
#include <map>
#include <set>

#include "base/quoted.h"
#include "frontend/array/make.h"

namespace lathe::array {
namespace {

constexpr int kEllipsis = 256;  // labels of axes behind ..., counted from the right

using Labels = std::vector<int>;

struct EinsumText {
  std::vector<Labels> inputs;
  Labels result;
};

Labels read_labels(const Maker& m, std::string_view text, const std::string& whole,
                   const Node* operand, std::size_t& spread_rank) {
  Labels out;
  std::size_t letters = 0;
  for (char c : text) letters += c != '.' && c != ' ' ? 1 : 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ') continue;
    if (c == '.') {
      if (text.substr(i, 3) != "...") refuse(m, quoted(whole) + " has a single '.'");
      i += 2;
      if (operand && operand->rank() < letters) break;  // told below
      const std::size_t rank = operand ? operand->rank() - letters : spread_rank;
      spread_rank = std::max(spread_rank, rank);
      for (std::size_t r = rank; r > 0; --r) out.push_back(kEllipsis + static_cast<int>(r));
      continue;
    }
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')))
      refuse(m, quoted(whole) + " has a " + quoted(std::string(1, c)) + ", which is no label",
             "labels are letters");
    out.push_back(c);
  }
  if (operand && out.size() != operand->rank())
    refuse(m, quoted(std::string(text)) + " names " + std::to_string(out.size()) + " axes, but " +
                  describe(*operand) + " has " + std::to_string(operand->rank()));
  return out;
}

EinsumText read_text(const Maker& m, const std::string& text, const Nodes& operands) {
  EinsumText out;
  const std::size_t arrow = text.find("->");
  std::string_view left = std::string_view(text).substr(0, arrow);
  std::size_t spread_rank = 0;
  std::map<int, int> seen;
  for (std::size_t n = 0;; ++n) {
    const std::size_t comma = left.find(',');
    if (n >= operands.size())
      refuse(m, quoted(text) + " names more arrays than the " + std::to_string(operands.size()) +
                    " that are given");
    out.inputs.push_back(
        read_labels(m, left.substr(0, comma), text, operands[n].get(), spread_rank));
    for (int l : out.inputs.back()) ++seen[l];
    if (comma == std::string_view::npos) break;
    left.remove_prefix(comma + 1);
  }
  if (out.inputs.size() != operands.size())
    refuse(m, quoted(text) + " names " + std::to_string(out.inputs.size()) + " arrays, but " +
                  std::to_string(operands.size()) + " are given");
  if (arrow != std::string::npos) {
    out.result =
        read_labels(m, std::string_view(text).substr(arrow + 2), text, nullptr, spread_rank);
    std::set<int> once;
    for (int l : out.result) {
      if (!seen.count(l))
        refuse(m, quoted(text) + " has a label in the result that no array has: " +
                      quoted(std::string(1, static_cast<char>(l))));
      if (!once.insert(l).second)
        refuse(m, quoted(text) + " has a label twice in the result: " +
                      quoted(std::string(1, static_cast<char>(l))));
    }
    return out;
  }
  for (std::size_t r = spread_rank; r > 0; --r)
    out.result.push_back(kEllipsis + static_cast<int>(r));
  for (const auto& [l, count] : seen)
    if (count == 1 && l < kEllipsis) out.result.push_back(l);
  return out;
}

double guess(const Dim& d) {
  const auto v = known_value(d);
  return v ? static_cast<double>(*v) : 64;
}

}  // namespace

NodeRef einsum(const Maker& m, const std::string& text, const Nodes& operands) {
  if (operands.empty()) refuse(m, "needs at least one array");
  EinsumText parsed = read_text(m, text, operands);
  struct Part {
    NodeRef array;
    Labels labels;
  };
  std::vector<Part> parts;
  std::map<int, double> length;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    parts.push_back({operands[i], parsed.inputs[i]});
    for (std::size_t a = 0; a < parsed.inputs[i].size(); ++a) {
      double& l = length[parsed.inputs[i][a]];
      l = std::max(l, guess(operands[i]->shape[a]));
    }
  }
  while (parts.size() > 2) {
    std::size_t best_i = 0, best_j = 1;
    double least = -1;
    auto kept_of = [&](std::size_t i, std::size_t j) {
      Labels kept;
      for (const Labels* from : {&parts[i].labels, &parts[j].labels}) {
        for (int l : *from) {
          bool needed = std::count(parsed.result.begin(), parsed.result.end(), l) > 0;
          for (std::size_t k = 0; k < parts.size(); ++k)
            if (k != i && k != j)
              needed = needed || std::count(parts[k].labels.begin(), parts[k].labels.end(), l) > 0;
          if (needed && !std::count(kept.begin(), kept.end(), l)) kept.push_back(l);
        }
      }
      return kept;
    };
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (std::size_t j = i + 1; j < parts.size(); ++j) {
        std::set<int> all(parts[i].labels.begin(), parts[i].labels.end());
        all.insert(parts[j].labels.begin(), parts[j].labels.end());
        double cost = 1;
        for (int l : all) cost *= length[l];
        if (least >= 0 && cost >= least) continue;
        least = cost;
        best_i = i;
        best_j = j;
      }
    }
    const Labels kept = kept_of(best_i, best_j);
    Part joined{contract(m, {parts[best_i].array, parts[best_j].array},
                         {parts[best_i].labels, parts[best_j].labels}, kept, false),
                kept};
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(best_j));
    parts[best_i] = std::move(joined);
  }
  Nodes arrays;
  std::vector<Labels> labels;
  for (const Part& p : parts) {
    arrays.push_back(p.array);
    labels.push_back(p.labels);
  }
  return contract(m, arrays, labels, parsed.result, false);
}

}  // namespace lathe::array
