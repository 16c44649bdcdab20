// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lines of C under construction, indented, with places that are filled in later.

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lathe::emit {

class Block {
 public:
  void line(std::string text) { items_.push_back({depth_, std::move(text), nullptr}); }
  void open(std::string text) {
    line(text.empty() ? "{" : std::move(text) + " {");
    ++depth_;
  }
  void reopen(std::string text) {  // "else" and the like
    --depth_;
    line("} " + std::move(text) + " {");
    ++depth_;
  }
  void close() {
    --depth_;
    line("}");
  }
  // What is added to the result later appears here.
  std::shared_ptr<Block> slot() {
    auto block = std::make_shared<Block>();
    items_.push_back({depth_, {}, block});
    return block;
  }
  void append(Block block) {
    items_.push_back({depth_, {}, std::make_shared<Block>(std::move(block))});
  }
  bool empty() const {
    for (const Item& item : items_)
      if (!item.block || !item.block->empty()) return false;
    return true;
  }
  void print(std::string& out, int depth = 0) const {
    for (const Item& item : items_) {
      if (item.block) {
        item.block->print(out, depth + item.depth);
      } else if (item.text.empty()) {
        out += '\n';
      } else {
        const bool flat = item.text.front() == '#';
        out.append(flat ? 0 : static_cast<std::size_t>(2 * (depth + item.depth)), ' ');
        out += item.text;
        out += '\n';
      }
    }
  }

 private:
  struct Item {
    int depth;
    std::string text;
    std::shared_ptr<Block> block;
  };
  std::vector<Item> items_;
  int depth_ = 0;
};

}  // namespace lathe::emit
