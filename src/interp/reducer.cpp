// SPDX-License-Identifier: Apache-2.0
// The orders of accumulation. Points are numbered by e = index - lower bound; absent points keep
// their numbers and are skipped.
//
//   seq, free  old (+) x0 (+) x1 ..., left to right through all variables.
//   chain      the same, but from number 4,096 of the last variable on each block of 4,096 points
//              starts from the neutral element and is joined to what was before when it ends.
//   tree       of at most 32 points: left to right. Otherwise blocks of 4,096 points: point e goes
//              to lane e mod 64, in order; lanes join pairwise (l with l + 32, then + 16 ... + 1);
//              then blocks join pairwise (b with b + 1, then + 2, + 4 ...). Of several variables
//              the last forms rows, whose results are the points of the next one out.
//              In the end old (+) tree, unless no point exists.

#include <algorithm>
#include <cstring>

#include "interp/reduction.h"

namespace lathe::interp {

using ir::Order;

Reducer::Reducer(Combination& combination, Order order, std::size_t levels)
    : combination_(combination),
      order_(order),
      total_(combination, 1),
      part_(combination, 1),
      pointers_(combination.point_rows()) {
  if (order == Order::Tree)
    for (std::size_t l = 0; l < levels; ++l) trees_.push_back(std::make_unique<Tree>(combination));
}

void Reducer::set_width(std::size_t width) {
  if (width == width_) return;
  width_ = width;
  total_.set_width(width);
  part_.set_width(width);
  for (const auto& t : trees_) {
    t->sum.set_width(width);
    t->lanes.set_width(width);
    t->blocks.set_width(width);
  }
}

const void* const* Reducer::at(Rows rows, std::size_t p) {
  const std::size_t count = rows.partial ? combination_.components() : combination_.point_rows();
  for (std::size_t r = 0; r < count; ++r) {
    const DType t = combination_.dtype(combination_.is_contract() ? 0 : r);
    pointers_[r] = static_cast<const std::byte*>(rows.row[r]) + p * width_ * ir::size_bytes(t);
  }
  return pointers_.data();
}

void Reducer::combine(void* const* acc, Rows rows, std::size_t p, std::size_t n) {
  const void* const* from = at(rows, p);
  rows.partial ? combination_.join(acc, from, n * width_)
               : combination_.absorb(acc, from, n * width_);
}

void Reducer::begin(void* const* acc, Rows rows, std::size_t p, std::size_t n) {
  const void* const* from = at(rows, p);
  if (!rows.partial) return combination_.begin(acc, from, n * width_);
  for (std::size_t c = 0; c < combination_.components(); ++c)
    std::memcpy(acc[c], from[c], n * width_ * ir::size_bytes(combination_.dtype(c)));
}

void Reducer::start(void* const* old) {
  total_.set(0, old);
  any_ = false;
}

void Reducer::enter(std::size_t level, std::int64_t length, std::int64_t element) {
  chain_block_ = 0;
  if (order_ != Order::Tree) return;
  Tree& t = *trees_[level];
  t.length = length;
  t.element = element;
  t.block = 0;
  t.has_sum = false;
  t.block_present.clear();
  std::fill(t.lane_present.begin(), t.lane_present.end(), std::uint8_t{0});
}

void Reducer::points(std::int64_t e, const void* const* rows, const std::uint8_t* present,
                     std::size_t n) {
  any_ = any_ || (n > 0 && (present == nullptr || std::memchr(present, 1, n) != nullptr));
  const Rows points{rows, false};
  switch (order_) {
    case Order::Free:
    case Order::Seq: return sequence(total_, points, present, 0, n);
    case Order::Chain: return chain_points(e, points, present, n);
    case Order::Tree: return tree_points(*trees_.back(), e, points, present, n);
  }
}

void Reducer::point(const void* const* rows) {
  any_ = true;
  combination_.absorb(total_.at(0), rows, width_);
}

void Reducer::leave(std::size_t level) {
  if (order_ == Order::Chain) return end_chain_block();
  if (order_ != Order::Tree) return;
  Tree& t = *trees_[level];
  const std::uint8_t exists = tree_result(t) ? 1 : 0;
  if (level > 0) {
    tree_points(*trees_[level - 1], t.element, {t.sum.at(0), true}, &exists, 1);
  } else if (exists != 0) {
    combination_.join(total_.at(0), t.sum.at(0), width_);
  }
}

void Reducer::finish(void* const* result) {
  void** total = total_.at(0);
  for (std::size_t c = 0; c < combination_.components(); ++c)
    std::memcpy(result[c], total[c], width_ * ir::size_bytes(combination_.dtype(c)));
}

void Reducer::sequence(Accumulators& into, Rows rows, const std::uint8_t* present,
                       std::size_t begin, std::size_t n) {
  void** acc = into.at(0);
  for (std::size_t p = begin; p < begin + n; ++p)
    if (present == nullptr || present[p] != 0) combine(acc, rows, p, 1);
}

void Reducer::chain_points(std::int64_t e, Rows rows, const std::uint8_t* present, std::size_t n) {
  for (std::size_t p = 0; p < n;) {
    const std::int64_t block = (e + static_cast<std::int64_t>(p)) / kBlock;
    const std::int64_t left = (block + 1) * kBlock - e - static_cast<std::int64_t>(p);
    const std::size_t m = std::min(n - p, static_cast<std::size_t>(left));
    if (block != chain_block_) {
      end_chain_block();
      chain_block_ = block;
      part_.set_neutral(0);
    }
    sequence(block == 0 ? total_ : part_, rows, present, p, m);
    p += m;
  }
}

void Reducer::end_chain_block() {
  if (chain_block_ > 0) combination_.join(total_.at(0), part_.at(0), width_);
  chain_block_ = 0;
}

void Reducer::tree_points(Tree& t, std::int64_t e, Rows rows, const std::uint8_t* present,
                          std::size_t n) {
  if (t.length <= kShort) {
    for (std::size_t p = 0; p < n; ++p) {
      if (present != nullptr && present[p] == 0) continue;
      t.has_sum ? combine(t.sum.at(0), rows, p, 1) : begin(t.sum.at(0), rows, p, 1);
      t.has_sum = true;
    }
    return;
  }
  for (std::size_t p = 0; p < n;) {
    const std::int64_t here = e + static_cast<std::int64_t>(p);
    if (here / kBlock != t.block) end_tree_block(t);
    const std::int64_t lane = here % kLanes;  // lanes never cross a block
    const std::size_t m = std::min(n - p, static_cast<std::size_t>(kLanes - lane));
    lane_points(t, static_cast<std::size_t>(lane), rows, present, p, m);
    p += m;
  }
}

void Reducer::lane_points(Tree& t, std::size_t lane, Rows rows, const std::uint8_t* present,
                          std::size_t first, std::size_t n) {
  std::uint8_t* filled = t.lane_present.data() + lane;
  const bool all_points = present == nullptr || std::memchr(present + first, 0, n) == nullptr;
  if (all_points && std::memchr(filled, 0, n) == nullptr)
    return combine(t.lanes.at(lane), rows, first, n);
  if (all_points && std::memchr(filled, 1, n) == nullptr) {
    begin(t.lanes.at(lane), rows, first, n);
    std::memset(filled, 1, n);
    return;
  }
  for (std::size_t p = 0; p < n; ++p) {
    if (present != nullptr && present[first + p] == 0) continue;
    void** acc = t.lanes.at(lane + p);
    filled[p] != 0 ? combine(acc, rows, first + p, 1) : begin(acc, rows, first + p, 1);
    filled[p] = 1;
  }
}

// Accumulator `to` joins `from`, where they exist.
void Reducer::join_pair(Accumulators& a, std::vector<std::uint8_t>& present, std::size_t to,
                        std::size_t from) {
  if (present[from] == 0) return;
  void** other = a.at(from);
  const std::vector<const void*> partial(other, other + combination_.components());
  if (present[to] != 0) {
    combination_.join(a.at(to), partial.data(), width_);
  } else {
    a.set(to, partial.data());
  }
  present[to] = 1;
}

void Reducer::end_tree_block(Tree& t) {
  for (std::size_t half = kLanes / 2; half > 0; half /= 2)
    for (std::size_t l = 0; l < half; ++l) join_pair(t.lanes, t.lane_present, l, l + half);
  const auto b = static_cast<std::size_t>(t.block);
  t.blocks.resize(b + 1);
  t.block_present.resize(b + 1);
  t.blocks.set(b, t.lanes.at(0));
  t.block_present[b] = t.lane_present[0];
  std::fill(t.lane_present.begin(), t.lane_present.end(), std::uint8_t{0});
  ++t.block;
}

// Leaves the result of the level in t.sum; false when none of its points exists.
bool Reducer::tree_result(Tree& t) {
  if (t.length <= kShort) return t.has_sum;
  end_tree_block(t);
  const std::size_t count = t.block_present.size();
  for (std::size_t step = 1; step < count; step *= 2)
    for (std::size_t b = 0; b + step < count; b += 2 * step)
      join_pair(t.blocks, t.block_present, b, b + step);
  t.sum.set(0, t.blocks.at(0));
  return t.block_present[0] != 0;
}

}  // namespace lathe::interp
