// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes one register tile (private to src/lower):
//   register_tile.cpp  loops around it, blocks of a chain, point by point
//   tile_lanes.cpp     in registers
//   tile_group.cpp     with the statements that set and use its elements

#include "lower/lowering.h"
#include "schedule/register_tile.h"

namespace lathe::lower {

class TileWriter {
 public:
  TileWriter(Lowering& l, std::size_t leaf, const schedule::RegisterTile& shape);
  TileWriter(Lowering& l, const schedule::RegisterGroup& group);
  bool pays() const;
  void write(Body& out);

 private:
  struct Kept {  // a kept variable
    const Node* node = nullptr;
    Expr lo = nullptr, hi = nullptr;
    std::int64_t width = 1;
    bool single = false;  // lo..hi is one tile
    Expr base = nullptr;  // first point of the tile
    // Stand for the point as unpacked arrays see it (rows: never beyond the last one), as packed
    // ones do, and for its distance from the base.
    Symbol point, raw, offset;
  };
  // Where an element's registers start from, and where they go to: the first block of a chain from
  // the content and back; a later one from nothing, and at its end it is joined to the content;
  // between pieces of a later block, the part that waits.
  enum class Block { First, Boundary, Middle };
  struct Stage {
    Expr first_block = nullptr;  // null: there is only one
    Expr starts = nullptr;       // this piece is the first of its block; null: each is a whole one
    Expr ends = nullptr;         // ... the last
    Symbol part;                 // where unfinished blocks wait
  };

  bool fits(const Kept& k) const;
  bool has_points(const Kept& k) const;
  bool in_blocks() const;
  Expr named(std::string_view stem, Expr value, Body& out);
  void over_rows(std::size_t i, Body& out);
  void over_reduced(std::size_t i, Body& out);
  loops::For reduced_loop(std::size_t i);
  void block(Body& out);
  Symbol part_buffer(Expr length);
  void tile(std::size_t from, Body& out);
  std::vector<Expr> tile_values();
  std::vector<Expr> target();
  // For each kind of piece that may stand here, told apart at run time; `boundary`: does a later
  // block start (or end) with it? Null: always.
  void staged(Body& out, Expr boundary, FunctionRef<void(Body&, Block)> each);
  Expr from(Block block, const std::vector<Expr>& indices);
  loops::Stmt put(Block block, const std::vector<Expr>& indices, Expr value);
  void reduce(Body body, Body& out);
  void by_points(Body& out);

  // ---- tile_lanes.cpp
  struct Row {
    std::vector<std::int64_t> at;  // per variable of rows_
    Symbol registers;              // a Lanes buffer
  };
  void in_registers(const std::vector<Expr>& values, Body& out);
  std::vector<Row> all_rows();
  // The expression at a row and lane: rows_.point and raw, lanes_.point put in.
  Expr at(Expr e, const Row& row, Expr lane);
  Expr content(const Row& row);
  std::vector<Expr> element_at(const Row& row, Expr lane);
  void each_row(const std::vector<Row>& rows, bool guarded, Body& out,
                FunctionRef<loops::Stmt(const Row&, Expr)> make);
  void each_element(const std::vector<Row>& rows, Body& out,
                    FunctionRef<void(Body&, Expr row, Expr lane, const ir::Renaming&)> make);
  std::vector<Expr> element_at(const ir::Renaming& point);
  // `guarded`: rows may be missing.
  void direct_start(const std::vector<Row>& rows, bool guarded, Body& out);
  void direct_end(const std::vector<Row>& rows, bool guarded, Body& out);
  void cut_start(const std::vector<Row>& rows, Symbol stack, Body& out);
  void cut_end(const std::vector<Row>& rows, Symbol stack, Body& out);
  loops::For lane_loop();
  Expr whole_tile();
  Expr in_stack(Symbol stack, Expr row, Expr lane);
  void spill(const std::vector<Row>& rows, Symbol stack, Body& out);
  void unspill(const std::vector<Row>& rows, Symbol stack, Body& out);
  Symbol edge_buffer(const std::vector<Row>& rows, Body& out);
  std::vector<Row> allocate_rows(Body& out);
  Expr hoisted(Expr e, std::unordered_map<Expr, Expr>& known, Body& out);
  Body point_of(const std::vector<Row>& rows, const std::vector<Expr>& values, Body& out);

  // ---- tile_group.cpp
  bool group_fits_lanes();
  void group_in_registers(const std::vector<Expr>& values, Body& out);
  void group_by_points(Body& out);
  void group_reduce(const std::vector<Row>& rows, Symbol stack, Body point, Body& out);
  // An expression of another statement of the group, at rows_.raw and lanes_.point.
  Expr resolve_for(std::size_t leaf, Expr e);
  Task user_task(const Leaf& leaf, std::size_t number, FunctionRef<Expr(Expr)> place);
  void users(const std::vector<Row>& rows, bool guarded, Body& out);

  Lowering& l_;
  const std::size_t number_;
  const Leaf& leaf_;
  const ir::Statement& s_;
  const schedule::RegisterTile& shape_;
  const schedule::RegisterGroup* group_ = nullptr;
  const Combining c_;
  std::vector<Kept> rows_;
  Kept lanes_;
  std::vector<Expr> guards_;
  Stage stage_;
  std::size_t from_ = 0;                       // the first reduced loop inside of the tile
  std::optional<std::pair<Expr, Expr>> last_;  // bounds of the last one, if not its own
  bool padded_ = false;                        // lanes beyond the last point may be computed
  Symbol lane_;
};

}  // namespace lathe::lower
