// SPDX-License-Identifier: Apache-2.0
// Traffic through a cache: a loop whose single iteration fits keeps what the next iteration touches
// again, so the whole loop moves each byte of its footprint once. A loop whose iteration does not
// fit moves what its parts move, once per iteration.
//
//   parallel k:        a level does not fit: 80 times
//     for j:           five rows of phi, one of coeff fit: the level's footprint, once
//       vector i/8: ...

#include "schedule/cost.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>

#include "ir/traverse.h"
#include "schedule/cost_parts.h"

namespace lathe::schedule {
namespace {

constexpr double kFits = 0.8;  // of a cache: the rest holds what passes through
// Bytes a cycle and thread from L2 and from the last cache, both ways together.
constexpr double kL2Bytes = 28, kLastBytes = 9;
constexpr double kParallelSeconds = 4e-6;  // to wake the threads up and to wait for them
constexpr double kLatency = 4;             // cycles from one addition to the next that needs it
constexpr double kOverlap = 0.2;           // of all that is not the longest: hidden only in part
constexpr double kEfficiency = 0.8;        // of the slots that a core has, in good code

enum Level { kL1, kL2, kLast, kLevels };

// Bytes of one array through one cache.
struct Traffic {
  double in = 0, out = 0;  // towards the core, and back
};

class NestModel {
 public:
  NestModel(const Footprints& footprints, const CostMachine& machine, bool stream)
      : footprints_(footprints), machine_(machine), stream_(stream) {}

  NestCost cost(const Node& root) {
    leaves_.clear();
    for (const CountedLeaf& leaf : footprints_.leaves())
      if (leaf.leaf->node == &root || (!leaf.leaf->path.empty() && leaf.leaf->path[0] == &root))
        leaves_.push_back(&leaf);
    NestCost out;
    if (leaves_.empty()) return out;
    out.label = std::string(leaves_[0]->leaf->label.text());
    find_threads();
    std::set<Symbol> arrays;
    for (const CountedLeaf* leaf : leaves_)
      for (const Touch& t : leaf->touches)
        if (!footprints_.is_register(t.array)) arrays.insert(t.array);
    for (const Symbol array : arrays) {
      for (const Level level : {kL1, kL2, kLast}) {
        const Traffic moved = traffic(root, array, level);
        if (level == kL1) out.l2_bytes += moved.in + moved.out;
        if (level == kL2) out.last_bytes += moved.in + moved.out;
        if (level == kLast) out.memory_read += moved.in, out.memory_written += moved.out;
      }
    }
    add_seconds(out);
    return out;
  }

 private:
  using Leaves = std::vector<const CountedLeaf*>;

  void find_threads() {
    threads_ = 1;
    regions_ = 0;
    for (const CountedLeaf* leaf : leaves_) {
      double around = 1;
      for (std::size_t q = 0; q < leaf->leaf->path.size(); ++q) {
        const Node& n = *leaf->leaf->path[q];
        if (n.kind == NodeKind::Parallel) {
          threads_ =
              std::max(threads_, std::min<double>(machine_.threads, std::ceil(leaf->trips[q])));
          regions_ = std::max(regions_, around);
          break;
        }
        around *= leaf->trips[q];
      }
    }
  }

  Leaves below(const Node& n, std::size_t depth) const {
    Leaves out;
    for (const CountedLeaf* leaf : leaves_)
      if (leaf->leaf->node == &n ||
          (leaf->leaf->path.size() > depth && leaf->leaf->path[depth] == &n))
        out.push_back(leaf);
    return out;
  }

  // Bytes that these leaves touch of the array while the first q nodes around stand still.
  double footprint(const Leaves& leaves, Symbol array, std::size_t q, bool writes) const {
    std::optional<Box> all;
    for (const CountedLeaf* leaf : leaves)
      for (const Touch& t : leaf->touches) {
        if (t.array != array || (t.target != nullptr) != writes) continue;
        const Box one = footprints_.box(*leaf, t, q);
        all = all ? hull(*all, one) : one;
      }
    return all ? footprints_.bytes(array, *all) : 0;
  }

  // Of all arrays in one iteration of the loop at `depth`.
  double iteration_bytes(const Leaves& leaves, std::size_t depth) const {
    std::set<Symbol> arrays;
    for (const CountedLeaf* leaf : leaves)
      for (const Touch& t : leaf->touches) arrays.insert(t.array);
    double out = 0;
    for (const Symbol array : arrays) {
      if (footprints_.is_register(array)) continue;
      out += std::max(footprint(leaves, array, depth + 1, false),
                      footprint(leaves, array, depth + 1, true));
    }
    return out;
  }

  double capacity(Level level, bool inside_parallel) const {
    if (level == kL1) return kFits * static_cast<double>(machine_.l1);
    if (level == kL2) return kFits * static_cast<double>(machine_.l2);
    return kFits * static_cast<double>(machine_.last) / (inside_parallel ? threads_ : 1);
  }

  Traffic traffic(const Node& root, Symbol array, Level level) const {
    return traffic(root, 0, array, level, false);
  }

  Traffic traffic(const Node& n, std::size_t depth, Symbol array, Level level,
                  bool inside_parallel) const {
    const Leaves leaves = below(n, depth);
    Traffic out;
    if (leaves.empty()) return out;
    const bool parallel = inside_parallel || n.kind == NodeKind::Parallel;
    const bool fits = n.kind == NodeKind::Compute || n.kind == NodeKind::Vector ||
                      iteration_bytes(leaves, depth) <= capacity(level, parallel);
    if (fits) return once(leaves, depth, array, level);
    double trips = 1;
    for (const CountedLeaf* leaf : leaves)
      if (depth < leaf->trips.size()) trips = std::max(trips, leaf->trips[depth]);
    for (const Node& child : n.body) {
      const Traffic part = traffic(child, depth + 1, array, level, parallel);
      out.in += trips * part.in;
      out.out += trips * part.out;
    }
    return out;
  }

  // Each byte of the footprint once. Private arrays that fit stay where they are.
  Traffic once(const Leaves& leaves, std::size_t depth, Symbol array, Level level) const {
    Traffic out;
    const double read = footprint(leaves, array, depth, false);
    const double written = footprint(leaves, array, depth, true);
    if (footprints_.is_private(array) && std::max(read, written) <= capacity(level, true))
      return out;
    out.out = written;
    out.in = read;
    // A line that is written in part is fetched first, unless the store goes around the caches.
    bool streamed = false, accumulated = false;
    for (const CountedLeaf* leaf : leaves)
      for (const ir::Statement* s : leaf->leaf->lines)
        for (const ir::Target& t : s->targets) {
          if (t.array != array) continue;
          streamed |= stream_ && leaf->leaf->node->place.kind == PlaceKind::Stream;
          accumulated |= s->accumulate.has_value();
        }
    if (written > 0 && !streamed) out.in = std::max(read, written);
    if (accumulated) out.in = std::max(out.in, written);
    if (streamed && level != kLast) out.out = 0;
    return out;
  }

  // Lanes of a leaf: its vector loop's, or those of a tree of additions.
  double lanes(const CountedLeaf& leaf) const {
    const ir::Statement& s = *leaf.leaf->lines.front();
    double bytes = 4;
    for (const Expr e : s.values)
      bytes = std::max(bytes, static_cast<double>(ir::size_bytes(e->dtype)));
    const double most = static_cast<double>(machine_.vector_bytes) / bytes;
    for (const Node* n : leaf.leaf->path)
      if (n->kind == NodeKind::Vector) return most;
    const bool gathers = s.accumulate && (s.accumulate->order == ir::Order::Tree ||
                                          s.accumulate->order == ir::Order::Free);
    return gathers && !s.accumulate->combiner ? most : 1;
  }

  // Cycles in which an accumulation waits for its own last result.
  double waiting_cycles(const CountedLeaf& leaf, double lanes) const {
    const ir::Statement& s = *leaf.leaf->lines.front();
    if (!s.accumulate || s.accumulate->order == ir::Order::Tree) return 0;
    double chains = 1;  // independent ones, in the loops below the reduced one
    for (std::size_t q = leaf.leaf->path.size(); q-- > 0;) {
      const Node& n = *leaf.leaf->path[q];
      bool reduced = n.is_loop();
      for (const Expr index : s.targets.front().indices)
        for (Expr e : ir::post_order(index))
          reduced &= !(e->op == ir::Op::Index && e->name == n.name);
      if (reduced) return kLatency * leaf.points / lanes / std::max(1.0, chains);
      chains *= leaf.trips[q] / (n.kind == NodeKind::Vector ? lanes : 1);
    }
    return 0;
  }

  void add_seconds(NestCost& out) const {
    double slots = 0, moves = 0, waiting = 0;
    for (const CountedLeaf* leaf : leaves_) {
      const double wide = lanes(*leaf);
      const PointWork work = point_work(*leaf, footprints_, wide, machine_);
      out.operations += work.operations * leaf->points;
      slots += work.arithmetic * leaf->points / wide;
      moves += work.moves * leaf->points / wide;
      waiting += waiting_cycles(*leaf, wide);
    }
    const CostMachine::Rates& rates = threads_ > 1 ? machine_.all : machine_.one;
    const double share = threads_ * machine_.clock;
    struct Part {
      const char* name;
      double seconds;
    };
    const std::array<Part, 5> parts = {{
        {"memory", std::max({out.memory_read / rates.read, out.memory_written / rates.write,
                             (out.memory_read + out.memory_written) / rates.triad})},
        {"last cache", out.last_bytes / (share * kLastBytes)},
        {"L2", out.l2_bytes / (share * kL2Bytes)},
        {"arithmetic", std::max(slots / machine_.units, moves / 2) / (share * kEfficiency)},
        {"latency", waiting / share},
    }};
    double longest = 0, all = 0;
    for (const Part& part : parts) {
      all += part.seconds;
      if (part.seconds > longest) longest = part.seconds, out.bound = part.name;
    }
    out.seconds =
        longest + kOverlap * (all - longest) + (threads_ > 1 ? regions_ * kParallelSeconds : 0);
  }

  const Footprints& footprints_;
  const CostMachine& machine_;
  bool stream_;
  Leaves leaves_;
  double threads_ = 1, regions_ = 0;
};

}  // namespace

Cost predict(const Nest& nest, const SizeNumbers& sizes, const CostMachine& machine, bool stream) {
  const Footprints footprints(nest, sizes);
  NestModel model(footprints, machine, stream);
  Cost out;
  out.complete = footprints.complete();
  for (const Node& n : nest.body) {
    if (n.kind == NodeKind::Call) out.complete = false;
    NestCost one = model.cost(n);
    if (one.label.empty()) continue;
    out.seconds += one.seconds;
    out.nests.push_back(std::move(one));
  }
  return out;
}

std::string to_text(const Cost& cost) {
  std::string out;
  char line[256];
  for (const NestCost& n : cost.nests) {
    std::snprintf(line, sizeof line,
                  "%-16s %10.4g ms, bound by %s: memory %.4g MB read, %.4g MB written; last cache "
                  "%.4g MB; L2 %.4g MB; %.4g Mop\n",
                  n.label.c_str(), n.seconds * 1e3, n.bound.c_str(), n.memory_read / 1e6,
                  n.memory_written / 1e6, n.last_bytes / 1e6, n.l2_bytes / 1e6, n.operations / 1e6);
    out += line;
  }
  std::snprintf(line, sizeof line, "%-16s %10.4g ms%s\n", "all", cost.seconds * 1e3,
                cost.complete ? "" : ", without what depends on data");
  return out + line;
}

}  // namespace lathe::schedule
