// SPDX-License-Identifier: Apache-2.0
// The values of an array, laid out as NumPy lays them out: every element of arrays of up to 1000,
// else three at each end of longer axes; columns aligned, floats at their points; lines broken
// before they are longer than 75.
//
//   [ 0.0,  1.5,  3.0,  4.5,       [[1.0 , 2.25],
//    10.5, 12.0]                    [3.5 , 4.0 ]]
//
// Digits are ours: as few as read back as the same number.

#include <algorithm>

#include "frontend/array/print.h"

namespace lathe::array {
namespace {

constexpr std::int64_t kMostShown = 1000, kAtEdges = 3;
constexpr std::size_t kLineWidth = 75;
constexpr std::string_view kLeftOut = "...";

class ValuesText {
 public:
  explicit ValuesText(const Node& n) : n_(n) {
    std::int64_t count = 1;
    for (const std::int64_t e : n.storage->extents) {
      if (e == 0) is_empty_ = true;
      // Once there are too many, how many does not matter.
      if (!leaves_out_) count *= e;
      leaves_out_ = leaves_out_ || count > kMostShown;
    }
    leaves_out_ = leaves_out_ && !is_empty_;
  }

  std::string text(std::size_t indent) {
    if (is_empty_) return "[]";
    collect(0, n_.storage->data);
    if (n_.rank() == 0) return elements_[0];
    align();
    return block(0, indent + 1, kLineWidth);
  }

 private:
  // The indices of an axis that are shown; -1 stands for those left out.
  template <class F>
  void for_each_shown(std::size_t axis, F f) const {
    const std::int64_t length = n_.storage->extents[axis];
    const bool cut = leaves_out_ && length > 2 * kAtEdges;
    for (std::int64_t i = 0; i < length; ++i) {
      if (cut && i == kAtEdges) {
        f(-1);
        i = length - kAtEdges;
      }
      f(i);
    }
  }

  void collect(std::size_t axis, const std::byte* at) {
    if (axis == n_.rank()) {
      elements_.push_back(ir::to_text(ir::Scalar::load(n_.dtype, at)));
      return;
    }
    for_each_shown(axis, [&](std::int64_t i) {
      if (i >= 0) collect(axis + 1, at + i * n_.storage->strides[axis]);
    });
  }

  // Floats without exponents stand with their points below each other; the rest ends in one column.
  void align() {
    const auto has = [](const std::string& text, char c) {
      return text.find(c) != std::string::npos;
    };
    const bool at_points =
        ir::is_float(n_.dtype) &&
        std::none_of(elements_.begin(), elements_.end(), [&](auto& e) { return has(e, 'e'); });
    std::size_t after = 0, width = 0;
    if (at_points)
      for (const std::string& e : elements_)
        if (has(e, '.')) after = std::max(after, e.size() - e.find('.'));
    for (std::string& e : elements_) {
      if (at_points && has(e, '.')) e.append(after - (e.size() - e.find('.')), ' ');
      width = std::max(width, e.size());
    }
    for (std::string& e : elements_) e.insert(0, width - e.size(), ' ');
  }

  // One axis and those inside of it. `width` is what a line may take up to the brackets that close
  // the axes around.
  std::string block(std::size_t axis, std::size_t indent, std::size_t width) {
    return axis + 1 == n_.rank() ? row(axis, indent, width) : rows(axis, indent, width);
  }

  std::string row(std::size_t axis, std::size_t indent, std::size_t width) {
    const std::string margin(indent, ' ');
    std::string out, line = margin;
    bool first = true;
    for_each_shown(axis, [&](std::int64_t i) {
      if (!first) line += ", ";
      first = false;
      const std::string word = i < 0 ? std::string(kLeftOut) : elements_[next_++];
      if (line.size() + word.size() + 1 > width && line.size() > indent) {
        line.pop_back();
        out += line + "\n";
        line = margin;
      }
      line += word;
    });
    return "[" + (out + line).substr(indent) + "]";
  }

  std::string rows(std::size_t axis, std::size_t indent, std::size_t width) {
    // Blocks of more than one axis have lines between them.
    const std::string apart =
        "," + std::string(n_.rank() - axis - 1, '\n') + std::string(indent, ' ');
    std::string out;
    for_each_shown(axis, [&](std::int64_t i) {
      if (!out.empty()) out += apart;
      out += i < 0 ? std::string(kLeftOut) : block(axis + 1, indent + 1, width - 1);
    });
    return "[" + out + "]";
  }

  const Node& n_;
  bool is_empty_ = false, leaves_out_ = false;
  std::vector<std::string> elements_;  // those that are shown
  std::size_t next_ = 0;
};

}  // namespace

std::string values_text(const Node& n, std::size_t indent) { return ValuesText(n).text(indent); }

}  // namespace lathe::array
