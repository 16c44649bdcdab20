// SPDX-License-Identifier: Apache-2.0
#pragma once
// The class behind lower() (private to src/lower). One class in several files:
//   lowering.cpp      buffers, sites, control nodes
//   expressions.cpp   reads: storage, policies, checks; reductions inside of expressions
//   loop.cpp          loops that hold loops: bounds, shifts, conditions of their statements
//   innermost.cpp     statements at one point
//   vector_loop.cpp   loops that hold statements: interior and edges, vectors
//   jam.cpp           iterations that share a vector loop
//   rounds.cpp        whiles whose points run their own rounds
//   vector_rows.cpp   rows in which not all statements of a vector loop take part
//   lane_stores.cpp   where lanes may store back what they find
//   gathers.cpp       reads at places that other reads say, tested in the lanes
//   reduction.cpp     accumulations in their order: tree.cpp, tree_lanes.cpp, accumulation.cpp,
//                     register_tile.cpp; places of extrema: first_place.cpp, extreme_rows.cpp,
//                     row_places.cpp
//   packing.cpp       copies of parts of arrays
//   watch.cpp         maps of what has been written, and tests of them

#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "ir/loops.h"
#include "ir/traverse.h"
#include "lower/lower.h"
#include "lower/order_body.h"
#include "rewrite/rules.h"
#include "schedule/ranges.h"

namespace lathe::lower {

using ir::DType;
using ir::Op;
using loops::Body;
using schedule::Leaf;
using schedule::Node;

inline constexpr std::int64_t kBlock = 4096;    // points of a block, of trees and chains
inline constexpr std::int64_t kLanes = 64;      // of a tree's block
inline constexpr std::int64_t kShortTree = 32;  // points that a tree takes left to right
inline constexpr std::int64_t kFew = 16;        // lanes where a place is looked for ...
inline constexpr std::int64_t kFewRow = 64;     // ... in rows of so many points

// What is combined: one operation, or a tuple by a combiner.
struct Combining {
  const ir::Combiner* combiner = nullptr;
  Op op = Op::Add;  // Fma: contract
  std::vector<DType> dtypes;
  std::vector<ir::Scalar> neutral;  // where sums start
  std::vector<ir::Scalar> absent;   // joining it changes nothing, not even a sign: -0.0 for sums
  bool exact_absent = true;         // false: absent points must be skipped instead
};

class TileWriter;

// The coefficient of v in an affine expression; nothing when it is not affine in v.
std::optional<std::int64_t> coefficient(Expr e, Symbol v);

class Lowering {
 public:
  Lowering(const schedule::Nest& nest, const LowerOptions& options);
  loops::Kernel run();

 private:
  friend class TileWriter;
  // ---- lowering.cpp
  void add_buffers();
  void find_proven_reads();
  void nodes(const std::vector<Node>& body, std::size_t depth, Body& out);
  void control(const Node& n, std::size_t depth, Body& out);
  void open_storage(const std::vector<const Node*>& path, Body& out);
  void open_late(const Node& n, Body& out);
  std::vector<std::size_t> layout_of(Symbol array) const;  // empty: as declared
  bool windowed(Symbol array, std::size_t axis) const;
  static std::int64_t window_extent(std::int64_t depth);
  void report_cap(const ir::Repeat& r, const Leaf& around, Body& out);
  std::size_t site(loops::Site s);
  Symbol fresh(std::string_view stem) { return graph_.fresh_symbol(stem); }

  // ---- expressions.cpp
  // An expression of the leaf over loop variables and buffers. Reductions in it are computed in
  // `before`, under the conditions under which they are needed. Set current_label_ first.
  Expr resolve(const Leaf& leaf, Expr e, Body& before);
  std::vector<Expr> resolve(const Leaf& leaf, const std::vector<Expr>& all, Body& before);
  Expr rebuild(const Leaf& leaf, Expr root, std::unordered_map<Expr, Expr>& done);
  Expr read(const Leaf& leaf, Expr node, std::span<const Expr> args);
  Expr in_range(Symbol array, std::span<const Expr> indices);
  std::vector<Expr> element(Symbol array, std::vector<Expr> indices);  // in its storage
  Symbol buffer_of(Symbol array) const;
  // Of what is accumulated.
  Expr old_content(const Leaf& leaf, Symbol array, DType dtype, const std::vector<Expr>& at);
  std::vector<std::pair<Expr, Expr>> needed_reductions(Expr root);
  Expr conditional_reduction(const Leaf& leaf, Expr node, Expr condition, Body& before);
  Expr reduction(const Leaf& leaf, Expr node, Body& before);
  struct Conditions {
    std::vector<Expr> all;
    std::size_t domain = 0;  // so many of them, the first: is the point one of the statement's?
  };
  // For bounds and conditions: the expression itself, or a scalar computed in `out` if it needs
  // checks.
  Expr settle(Expr e, Body& out);
  // All of them, the later ones evaluated where the domain holds.
  Expr settle(const Conditions& conditions, Body& out);

  // ---- loop.cpp
  struct Member {
    std::size_t leaf;
    schedule::Interval range;  // in the loop's own numbers
  };
  std::vector<Member> members(const Node& n, std::size_t depth);
  void loop(const Node& n, std::size_t depth, Body& out);
  void add_conditions(const Node& n, std::size_t depth, const std::vector<Member>& all,
                      const schedule::Interval& hull, Body& out);
  Expr early_end(const Leaf& leaf, Expr e, Body& out);  // accumulation.cpp
  std::vector<Expr> conditions_of_ends(const Node& n, std::size_t leaf, Body& out);
  void read_bounds(const Node& n, std::vector<Member>& all, Body& out);
  void unrolled(const Node& n, std::size_t depth, const schedule::Interval& hull, Body& out);
  // For a copy of a loop's body: `at` in place of the loop's variable, in what the loops around ask
  // of each leaf (conditions_). The caller keeps the conditions as they were.
  void put_into_conditions(Symbol v, Expr at);
  void run_body(const Node& n, std::size_t depth, Body& out);  // one iteration
  bool is_innermost(const Node& n) const;
  const std::vector<std::size_t>& leaves_below(const Node& n);
  Expr bound(std::size_t leaf, Expr e, Body& out);

  // ---- innermost.cpp, vector_loop.cpp
  std::vector<Expr> deferred_conditions(std::size_t leaf, Body& before);
  std::vector<Expr> demanded_conditions(const Leaf& leaf, Body& before);
  bool runs_over(Expr at, Expr lo, Expr hi);
  Conditions conditions_of(std::size_t leaf, const ir::Statement& line, Body& before);
  // One more condition. A reduction in it is evaluated only where those before it hold.
  void add_guard(const Leaf& leaf, Expr guard, Conditions& conditions, Body& before);
  // A Fault where a target lies outside of its array, unless that was excluded; checked builds name
  // the leaf's point, where all of its variables have values.
  void check_writes(const ir::Statement& line, const std::vector<std::vector<Expr>>& elements,
                    const std::vector<Expr>& conditions, Body& out, const Leaf* at_point = nullptr);
  void tasks_of(std::size_t leaf, const ir::Statement& line, std::vector<Task>& tasks, Body& out);
  bool holds_reduction(const Leaf& leaf, const ir::Statement& line) const;
  bool needs_statements(const Leaf& leaf, const ir::Statement& line) const;
  void batch(std::span<const Node> siblings, Body& out);
  void emit(const std::vector<Task>& tasks, bool flat, Body& out);
  std::size_t read_site(Expr read);
  void name_array(loops::Site& where, Symbol label, Expr read, Symbol array) const;
  void declare_register(Symbol array, DType dtype, Body& out);
  void innermost(const Node& n, std::size_t depth, const schedule::Interval& hull, Body& out);
  // ---- rounds.cpp
  struct RoundTasks {
    std::vector<Task> before, round, after;
    Body statements;  // of a round, before its tasks
    Symbol on;        // a Var: is there another round?
    loops::Fault cap;
  };
  RoundTasks round_tasks(std::size_t leaf, bool lanes, Body& declarations);
  std::size_t cap_site(const Leaf& leaf);
  void run_rounds(const RoundTasks& tasks, Body once, Body& out);
  void rounds_at_point(std::size_t leaf, Body& out);
  // What leaves of a vector loop do at a point, if that is nothing but tasks.
  struct PointTasks {
    std::vector<Task> tasks;
    Body statements;  // declarations of registers
    bool simple = true;
    std::map<std::size_t, RoundTasks> rounds;  // by segment; their tasks are among those above
  };
  PointTasks point_of(const Node& n, std::span<const Node> leaves);
  // ---- jam.cpp
  void jam(const Node& n, std::size_t depth, const schedule::Interval& hull, Body& out);
  void jammed(const Node& vector, std::size_t depth, const schedule::Interval& hull, Body& out);
  PointTasks points_of(const Node& n, std::span<const Node> leaves);  // of a jam: of all copies
  // What is known of conditions on loops around: nothing; all hold that mostly do; those hold under
  // which the leaves run at all.
  enum class Row : std::uint8_t { Unknown, Usual, Unusual };
  // Vectors, and the points around them.
  void vectors(const Node& n, std::span<const Node> leaves, std::size_t depth,
               const schedule::Interval& hull, Row row, Body& out);
  // ---- vector_rows.cpp. False: it is not for this loop.
  bool row_by_row(const Node& n, std::size_t depth, const schedule::Interval& hull, Body& out);
  void run_some(const Node& n, std::span<const Node> leaves, Body& out);
  struct Split {
    Expr lo = nullptr, hi = nullptr;         // of the interior
    std::vector<Expr> uniform;               // conditions without the variable, true inside
    std::unordered_map<Expr, Expr> assumed;  // what becomes of conditions inside
  };
  Split find_interior(const Node& n, Expr lo, Expr hi, const std::vector<Task>& tasks, Row row);
  void prefetch(const Node& loop, const schedule::Interval& range, std::span<const Task> tasks,
                Body& out);
  void ask_for_next_rows(std::vector<Expr>& element, std::size_t contiguous,
                         const schedule::Interval& range, std::int64_t ahead, std::int64_t size);
  // The condition under which every access of the tasks is in range for all of lo..hi, but for the
  // reads that are tested where they happen; null: no such test.
  Expr vector_safety(Symbol v, Expr lo, Expr hi, const std::vector<Task>& tasks,
                     const std::unordered_set<Expr>& tested = {});

  // ---- gathers.cpp
  std::unordered_set<Expr> tested_in_lanes(Symbol v, const std::vector<Task>& tasks);
  Expr trusted_but(const std::unordered_set<Expr>& tested, Expr root);
  void rename_checked(Expr read, Expr renamed);
  struct Ahead {  // what gathers read some points later
    Body prefetches;
    std::int64_t points = 0;  // the farthest of them
    Expr pays = nullptr;      // is it worth asking for?
  };
  Ahead ahead_of_gathers(Symbol v, const std::vector<Task>& tasks);
  std::vector<ir::Axis> axes_of(Symbol buffer) const;

  // ---- lane_stores.cpp
  bool keeps_to_itself(const Leaf& leaf, const ir::Statement& line) const;
  const std::set<Symbol>& shared_in(const Node& loop);
  bool keep_apart(const Node& vector, const std::vector<Task>& tasks);
  static std::unordered_set<Expr> unconditional(const std::vector<Task>& tasks);
  std::set<Symbol> touched_conditionally(const std::vector<Task>& tasks) const;

  // ---- reduction.cpp
  Combining combining(const ir::Accumulation& how) const;
  Combining combining(Op op, DType dtype) const;
  Combining in_bytes(Combining c) const;
  std::vector<Expr> join(const Combining& c, const std::vector<Expr>& left,
                         const std::vector<Expr>& right);
  // Of a contract the values are factors: fma of the last two.
  std::vector<Expr> absorb(const Combining& c, const std::vector<Expr>& acc,
                           const std::vector<Expr>& values);
  struct Axis1 {  // one variable of a reduction
    Symbol variable;
    Expr lo, hi;
  };
  // Accumulators: Vars, or elements of small buffers. `flag` says whether there is a value, where
  // absent points must be skipped.
  struct Cell {
    std::vector<Symbol> names;
    Expr index = nullptr;  // null: Vars
    Symbol flag;
  };
  struct Value {
    std::vector<Expr> values;
    bool point = true;       // a point's values (of a contract: factors), or a partial result
    Expr present = nullptr;  // null: always
  };
  using Use = FunctionRef<void(Body&, const Value&)>;
  using Point = FunctionRef<void(Body&, Use)>;
  using Bound = FunctionRef<Expr(Expr, Body&)>;
  // `skips`: it may stay without a value.
  Cell new_cell(const Combining& c, const std::vector<ir::Scalar>& initial, Body& out, bool skips);
  std::vector<Expr> load(const Combining& c, const Cell& cell);
  Expr is_present(const Combining& c, const Cell& cell);
  void store(const Combining& c, const Cell& cell, const std::vector<Expr>& values, Body& out);
  void merge(const Combining& c, const Cell& into, const Value& value, Body& out);
  // acc = acc (+) all points, in the order.
  void reduce(const Combining& c, ir::Order order, std::span<const Axis1> axes, const Cell& acc,
              Bound bound, Point point, Body& out);
  void reduce_serial(const Combining& c, std::span<const Axis1> axes, bool chain, const Cell& acc,
                     Bound bound, Point point, Body& out);
  void reduce_tree(const Combining& c, std::span<const Axis1> axes, const Cell& result, Bound bound,
                   Point point, Body& out);
  // ---- tree_lanes.cpp
  std::vector<Expr> lane_values(Symbol v, Expr at, Point here);
  loops::For lane_loop(Symbol lane, std::int64_t count, bool vector);
  Expr full_rows(const Combining& c, Symbol v, Expr first, Expr end, const Cell& lanes, Point here,
                 Expr& short_end, Body& out);
  void short_rows(const Combining& c, Symbol v, Expr first, Expr from, Expr to, const Cell& lanes,
                  Point here, Body& out);
  void store_row(const Combining& c, const Cell& to, const std::vector<Expr>& values, Body& body);
  // ---- first_place.cpp
  Expr condition_of_place(const Combining& c, Expr value, Expr at) const;
  void first_place_rows(const Combining& c, Expr holds, Symbol base, Symbol lane, Expr first,
                        Expr rest, const Cell& lanes, Body& out);
  // A maximum or minimum whose blocks are remembered, because a place of it is looked for next.
  struct KeptBlocks {
    Symbol target, blocks;  // buffers: of the result, of those of the blocks
    Symbol variable;
    Expr lo, hi, value;  // what it is taken of
  };
  bool is_looked_for(const Combining& c, const ir::Statement& s) const;
  bool is_looked_for_here(const Combining& c, const Leaf& leaf, std::size_t depth) const;
  Symbol keep_blocks(const Combining& c, Symbol target, Symbol v, Expr lo, Expr hi, Point here,
                     Body& out);
  bool first_place_in_blocks(const Combining& c, Symbol v, Expr lo, Expr hi, const Cell& acc,
                             Point here, Body& out);
  static bool asks_for_extreme(Expr holds, Expr x, Expr t);
  static bool is_unchanged_since(std::span<const loops::Stmt> body, Symbol target, Expr value);
  // ---- extreme_rows.cpp, row_places.cpp
  struct KeptRow {  // where a maximum or minimum is, because a place of it is looked for next
    Expr target;    // the result, as it is read
    Symbol known;   // a bool: `at` says where
    Symbol at;      // within the 64 points from here on
    Symbol variable;
    Expr lo, hi, value;  // what it is taken of
    bool exact;          // else no NaN is known, and any zero is a zero
  };
  bool row_of_place(const Combining& c, const Leaf& leaf, std::size_t depth, Expr target,
                    const Axis1& axis, const Cell& acc, Bound bound, Point here, Body& out);
  bool is_only_compared(const ir::Statement& line) const;
  static DType count_dtype(DType t);
  loops::Buffer few_lanes(std::string_view stem, DType t, loops::Space space);
  bool extreme_in_rows(const Combining& c, KeptRow kept, const Cell& acc, Point here,
                       FunctionRef<void(Body&)> usual, Body& out);
  void rows_of_extreme(const Combining& c, const KeptRow& kept, const Cell& acc, Point here,
                       Body& out);
  void row_of_extreme(const Combining& c, const KeptRow& kept, const Cell& best, const Cell& met,
                      Expr extreme, const Cell& acc, Body& out);
  bool first_place_in_row(const Combining& c, Symbol v, Expr lo, Expr hi, const Cell& acc,
                          Point here, FunctionRef<void(Body&)> usual, Body& out);
  static bool takes_long(std::span<const Expr> values);
  void join_lanes(const Combining& c, const Cell& lanes, bool all_present, Body& out,
                  std::int64_t count = kLanes);
  void clear_lanes(const Combining& c, const Cell& lanes, Body& out);
  Cell block_result(const Combining& c, Symbol v, Expr lo, Expr hi, Expr b, Point here, Body& out);
  // `kept`: a buffer for the results of the blocks, too; empty: nobody asks for them.
  void parallel_tree(const Combining& c, Symbol v, Expr lo, Expr hi, const Cell& acc, Point here,
                     Symbol kept, Body& out);
  void left_to_right(const Combining& c, Symbol v, Expr lo, Expr hi, const Cell& acc, Point here,
                     Body& out);
  void parallel_rows(const Combining& c, std::span<const Axis1> axes, std::int64_t grain,
                     const Cell& acc, Bound bound, Point point, Body& out);
  void block_lanes(const Combining& c, Symbol v, Expr first, Expr end, const Cell& lanes,
                   Point here, Body& out);
  Expr trusted(Expr root) { return trusted_but({}, root); }  // the same with every read in range
  void tree_blocks(const Combining& c, Symbol v, Expr lo, Expr hi, const Cell& result, Point here,
                   Body& out);
  // ---- register_tile.cpp: emits the nest below n if it is one.
  bool register_tile(const Node& n, std::size_t depth, Body& out);
  std::size_t register_group(const std::vector<Node>& body, std::size_t at, Body& out);

  // ---- packing.cpp
  struct Packed {  // a copy of a part of an array
    Symbol buffer;
    std::vector<schedule::PackAxis> layout;
    std::vector<schedule::Interval> region;  // per axis of the array
  };
  void pack(const Node& copy, std::span<const Node> after, std::size_t depth, Body& out);
  Expr packed_read(const Packed& p, Expr node, std::vector<Expr> indices);
  struct TilePoint {  // a symbol that stands for any point of a register tile
    Expr base = nullptr;
    std::int64_t width = 1;
    Symbol offset;  // stands for the point - base
  };
  const TilePoint* find_tile_point(Symbol v) const;
  bool starts_tile(Expr base, Expr lo, std::int64_t tile) const;

  // ---- watch.cpp: LowerOptions::watch
  void find_watched();
  void open_maps(const ir::Array& array, bool late, Body& out);
  void over_elements(const std::vector<ir::Axis>& axes, Body& out,
                     FunctionRef<void(const std::vector<Expr>& at, Body&)> each);
  bool may_meet(const Leaf& leaf, const ir::Statement& line, const ir::Target& target) const;
  // A read that is tested where it happens. `node`: the program's own; null: the old content of
  // what is accumulated.
  Expr watched_read(const Leaf& leaf, Expr node, Symbol array, DType dtype,
                    const std::vector<Expr>& indices);
  std::vector<Symbol> variables_of(Expr read) const;
  void test_read(Expr read, const std::vector<Expr>& indices, Body& out);
  void test_target(const Leaf& leaf, const ir::Statement& line, std::size_t target,
                   const std::vector<Expr>& element, Body& out);
  // What the map of a target becomes when it is set to a value; null: it has none.
  Expr mark_of(const ir::Statement& line, std::size_t target, Expr value);
  Expr copied_mark(Symbol array, Expr value);
  void watch_call(const ir::Call& call, Body& out, bool after);
  void fault_unless(Expr fine, loops::Site where, std::vector<Expr> values, Body& out);

  // Emits the nest below n if it is one accumulation over its reduced variables.
  bool always_exists(const Leaf& leaf, const ir::Target& t) const;
  bool accumulation_nest(const Node& n, std::size_t depth, Body& out);

  Expr i64(std::int64_t v) { return build_.integer(v); }
  Expr both(Expr a, Expr b) { return !a ? b : !b ? a : build_.logical_and(a, b); }
  Expr all_of(const std::vector<Expr>& conditions);
  Expr constant(const ir::Scalar& s) { return graph_.constant(s); }

  const schedule::Nest& nest_;
  const LowerOptions& options_;
  ir::Graph& graph_;
  rewrite::Simplifier maker_;
  ir::Build build_;
  schedule::Ranges ranges_;
  loops::Kernel kernel_;
  std::set<std::pair<Symbol, Expr>> proven_;      // reads (label, node) never out of range
  std::set<std::pair<Symbol, Expr>> safe_;        // the same, whatever the conditions around
  std::set<Symbol> proven_writes_, safe_writes_;  // labels whose targets never are
  std::vector<loops::Buffer> late_;               // extents are computed; not made yet
  std::map<const Node*, std::vector<std::size_t>> below_;
  std::vector<std::vector<Expr>> conditions_;            // per leaf: of the loops around
  std::map<Symbol, Symbol> buffers_;                     // of private temporaries, while in scope
  std::map<Symbol, std::vector<Expr>> registers_;        // value of a scalar or register: {value}
  std::map<Symbol, std::vector<ir::Axis>> buffer_axes_;  // of those
  std::vector<std::vector<Symbol>> deferred_;  // per leaf: variables whose bounds use inner ones
  struct Edge {  // a condition that a loop's variable is in the range of one of its statements
    const Node* loop = nullptr;
    Expr bound = nullptr;
    bool lower = false;
  };
  std::unordered_map<Expr, Edge> edges_;
  std::vector<const Node*> path_;
  std::map<const Node*, std::set<Symbol>> shared_in_;
  std::unordered_set<Expr> risky_;       // reads that may only happen where the program has them
  std::vector<const Node*> prefetches_;  // of the bodies around
  bool trusts_writes_ = false;           // somebody tests them for a whole loop
  std::map<Symbol, Packed> packed_;      // arrays with a copy, while in scope
  std::map<Symbol, std::size_t> cap_sites_;            // by label of the while
  std::optional<std::vector<Expr>> round_conditions_;  // instead of those of the leaf, in a round
  struct Jam {
    const Node* loop = nullptr;
    Symbol base;               // the first of the iterations that run together
    Expr end = nullptr;        // of all iterations
    Expr condition = nullptr;  // when they can; null: never
  };
  std::optional<Jam> jam_;              // while its vector loop is made
  bool is_rare_ = false;                // code for few rows: shortness counts
  std::map<const Node*, Expr> starts_;  // first value of each loop around
  // While a register tile is written: its points, and its rows as packed arrays see them.
  std::map<Symbol, TilePoint> tile_points_;
  ir::Renaming raw_rows_;
  std::unordered_set<Expr> padded_reads_;  // of packed arrays, at any point of a tile
  Symbol current_label_;
  std::map<std::pair<Symbol, Expr>, std::size_t> read_sites_;        // by label and read
  std::unordered_map<Expr, std::pair<Symbol, Expr>> checked_reads_;  // Error read -> label, its own
  struct Watched {
    loops::Site site;
    std::vector<Expr> point;  // values of its variables
    bool proven = false;      // to be in range
    Symbol written;           // the map; empty: only the range is tested
  };
  std::unordered_map<Expr, Watched> watched_;
  std::map<Symbol, Symbol> written_;  // array -> the map of its elements that have been written
  std::map<std::pair<Symbol, Symbol>, Symbol> set_by_;  // label, array -> when each was last set
  std::vector<KeptBlocks> kept_blocks_;
  std::vector<KeptRow> kept_rows_;
  std::vector<Expr> reductions_;  // around what is being resolved, outermost first
  Expr copied_ = nullptr;         // a read whose element may be unwritten
};

}  // namespace lathe::lower
