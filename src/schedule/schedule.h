// SPDX-License-Identifier: Apache-2.0
#pragma once
// Schedule: in which order the points of a program run and where its values live, as a tree that
// reads like the loops it becomes. It never changes a bit of a result.
//
//   schedule hdiff machine x86-64-v4
//   parallel k:                           # 80 or more iterations, none depends on another
//     for j:
//       lap -> nowhere                    # recomputed at each use
//       vector i/8:
//         fly(j = j+1) -> window(j, 2)    # at iteration j the row j+1; the last two are kept
//         out -> stream                   # stores around the caches
//     prefetch in 1024
//
// Which points of a statement run below its loops?
// * A statement that writes an output, or a temporary that is `whole`, owns its points: each runs
//   once, all its variables are loops around it or get loops of their own where it stands.
// * A temporary in a `register`, `window` or `tile` is computed on demand: in each iteration of the
//   loop that its storage belongs to, over the box that the statements below that loop read. Boxes
//   of different iterations may overlap: then points are computed again.
// Loops are named after the variables of statements. `S(i = x+1)` says that S's variable i is x+1
// where the loop is at x.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "ir/program.h"

namespace lathe::schedule {

using ir::Symbol;

enum class NodeKind : std::uint8_t {
  For,       // for d, for d/T
  Parallel,  // parallel d, parallel d/T
  Vector,    // vector d/W
  Unroll,    // unroll d/U
  Jam,  // jam d/U: U iterations share the vector loop inside, each vector of all of them at once
  Forward,   // forward k: the loop of a sweep
  Backward,  // backward k
  Repeat,    // repeat LABEL:
  When,      // when LABEL: ... else: ...
  Compute,   // S, S -> place
  Call,      // call LABEL
  Copy,      // copy A -> tile [layout]: what the statements below read of A, packed
  Prefetch,  // prefetch A BYTES: ahead of the innermost loop before it; prefetch A next k: what the
             // next iteration of the loop over k reads or writes of it
};

// Loops that become so many copies of their body.
inline bool is_copied(NodeKind kind) { return kind == NodeKind::Unroll || kind == NodeKind::Jam; }

enum class PlaceKind : std::uint8_t { Whole, Nowhere, Register, Window, Tile, Stream, InPlace };

struct Place {
  PlaceKind kind = PlaceKind::Whole;
  Symbol window = {};      // Window: the loop it rolls along
  std::int64_t depth = 0;  // Window
  // Whole, Tile: the array's axes as they lie in memory, the last contiguous; none: as declared.
  std::vector<Symbol> layout = {};
  Symbol over = {};  // InPlace: the temporary whose storage it takes over
  friend bool operator==(const Place&, const Place&) = default;
};

inline bool has_layout(PlaceKind kind) {
  return kind == PlaceKind::Whole || kind == PlaceKind::Tile;
}
inline constexpr const char* kNoLayout = "only 'whole' and 'tile' have a layout";

// A variable of a statement is the loop's variable plus `shift`.
struct Bind {
  Symbol variable, loop;
  std::int64_t shift = 0;
  friend bool operator==(const Bind&, const Bind&) = default;
};

// One axis of a packed copy: index d, d/n (the tile's number) or d%n (the place in the tile).
struct PackAxis {
  enum class Part : std::uint8_t { All, Quotient, Remainder };
  std::size_t axis = 0;  // of the copied array
  Part part = Part::All;
  std::int64_t tile = 1;
  Symbol name = {};  // of the axis, as the text shows it; none: its number is shown
  friend bool operator==(const PackAxis& a, const PackAxis& b) {
    return a.axis == b.axis && a.part == b.part && a.tile == b.tile;
  }
};

struct Node {
  NodeKind kind = NodeKind::Compute;
  Symbol name;                   // the loop's variable; the label; the array of Copy and Prefetch
  std::int64_t tile = 0;         // loops: iterations per step; 0: point by point
  std::vector<Bind> binds;       // Compute: those that are not `d = d`
  Place place;                   // Compute: of the temporary it writes
  std::vector<PackAxis> layout;  // Copy
  std::int64_t bytes = 0;        // Prefetch: how far ahead
  Symbol next;                   // Prefetch: for the next iteration of that loop; none: see bytes
  std::vector<Node> body;        // loops, Repeat, When
  std::vector<Node> otherwise;   // When
  std::string reason;            // why it is so; printed as a comment
  Span span;                     // in the lockfile

  bool is_loop() const { return kind <= NodeKind::Backward; }
};

// When a kernel may assume more than the program says, dispatched at the call.
struct Variant {
  Symbol size;  // `variant k == 3`
  std::int64_t value = 0;
  friend bool operator==(const Variant&, const Variant&) = default;
};

// What a schedule remembers of each part of its program, to say what changed.
struct Fingerprint {
  std::string part;  // "statement lap", "array u", "header"
  std::uint64_t hash = 0;
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};
std::vector<Fingerprint> fingerprints(const ir::Program& program);

struct Schedule {
  std::string program;  // its name
  std::string machine;  // whom it was made for; information only
  std::vector<Fingerprint> parts;
  std::vector<Variant> variants;
  std::vector<Node> body;

  // ---- Editing. Throws UserError when there is no such statement or loop.
  class At {
   public:
    At& nowhere();
    At& in_register();
    At& window(Symbol loop, std::int64_t depth);
    At& tile();
    At& whole();
    At& stream();
    At& in_place(Symbol over);
    At& layout(std::vector<Symbol> axes);  // after tile() or whole()

   private:
    friend struct Schedule;
    explicit At(Node& node) : node_(&node) {}
    Node* node_;
  };
  At at(std::string_view label);
  Node& loop(std::string_view label, std::string_view variable);  // around that statement
};

bool same_tree(const std::vector<Node>& a, const std::vector<Node>& b);  // reasons do not count

// The lockfile. It ends with the fingerprints, in hexadecimal.
std::string print(const Schedule& schedule);
// Variants and the tree, as `explain` shows them.
std::string print_tree(const Schedule& schedule);
// The text becomes a file of program.sources. Names get the program's symbols. Reports what does
// not parse, names that the program does not have, and, when parts of the program changed since
// the file was written, which ones; then nothing is returned.
std::optional<Schedule> parse_schedule(std::string path, std::string text,
                                       const ir::Program& program, Diagnostics& diagnostics);

// Each item by itself, in order, every loop serial: legal for every prepared program.
Schedule plain_schedule(const ir::Program& program);

}  // namespace lathe::schedule
