// SPDX-License-Identifier: Apache-2.0
#pragma once
// Expressions to text: one Evaluator per statement.

#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "elementary/scaling.h"
#include "emit/c/printer.h"

namespace lathe::emit {

// Temporaries go to `out`, the value comes back as text. What was computed stays known, so an
// Evaluator lives for one statement and one chunk.
class Evaluator {
 public:
  Evaluator(Printer& printer, Block& out, const Form& form);
  Evaluator(Printer& printer, Block& out, Form&& form) = delete;  // it is kept, not copied
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  bool varies(Expr e) { return form_.lanes > 1 && lanes_.varies(e); }
  // One value if it is the same in all lanes, else one per lane.
  Value value(Expr e) { return evaluate(e, Mode::Lanes); }
  // One per lane of the form, broadcast if need be.
  Value in_lanes(Expr e);

  // Where elements lie, as the lanes see it.
  struct Access {
    enum Kind { Uniform, Contiguous, Strided, Scattered } kind = Uniform;
    Value at;            // flat index, at lane 0 of the chunk; one per lane if Scattered
    std::string stride;  // Strided: between lanes
  };
  Access access(Place& p, std::span<const Expr> indices);
  // The test that an index is inside its buffer; empty for a buffer without axes.
  std::string inside(Place& p, std::span<const Expr> indices);
  // A call that reports the index as outside, in checked mode.
  std::string report_outside(Symbol array, std::span<const Expr> indices, bool store);

  // The bodies of elementary functions are defined on raw bits: bitcast keeps every NaN.
  bool raw_bits = false;
  // Products of such a body that one instruction computes.
  std::unordered_map<Expr, elementary::Scaling> scalings;

 private:
  friend class Printer;
  enum class Mode : std::uint8_t { Lanes, First };  // First: the scalar at lane 0
  struct Key {
    Expr e;
    Mode mode;
    friend bool operator<(const Key& a, const Key& b) {
      return a.e->id != b.e->id ? a.e->id < b.e->id : a.mode < b.mode;
    }
  };

  Value evaluate(Expr e, Mode mode);
  Key key(Expr e, Mode mode) { return {e, varies(e) ? mode : Mode::First}; }
  bool counts(const Key& k) const;
  void operands(const Key& k, bool also_lazy, std::vector<Key>& to);
  bool lazy(Expr e, std::size_t operand);
  void look_through(const Key& root);
  std::vector<Key> order(const Key& root, bool also_lazy, std::size_t limit);
  void compute(const Key& k, bool root = false);
  Value combine_lazily(Expr e);
  void compute_common(Expr yes, Expr no);
  std::pair<Block, Value> in_branch(Expr e);
  Value known(Expr e, Mode mode) { return values_.at(key(e, mode)); }
  bool is_lane(Expr leaf) const;
  Value leaf(const Key& k);
  Value read(const Key& k);
  Value read_register(Place& p, Expr e);
  Value load_lanes(Place& p, const Access& a, const std::string& far);
  Value widened(std::string text, DType t, int lanes);
  Value flat(Place& p, std::span<const Expr> indices, Mode mode);

  // scalar_ops.cpp
  Value scalar_op(Expr e, std::span<const Value> args);
  Value scalar_cast(Expr e, const Value& x);
  Value scalar_bit_cast(Expr e, const Value& x);
  Value infix(Expr e, std::string_view sign, Strength strength, std::span<const Value> args);
  Value integer(Expr e, std::string_view function, std::string_view sign, Strength strength,
                std::span<const Value> args);
  // vector_ops.cpp
  Value vector_op(Expr e, std::span<const Value> args);
  Value vector_logic(Expr e, std::span<const Value> args);
  Value vector_select(Expr e, std::span<const Value> args);
  Value vector_cast(Expr e, const Value& x);
  Value vector_bit_cast(Expr e, const Value& x);
  Value comparison(Expr e, std::string_view sign, std::span<const Value> args);
  Value splat(const Value& v);
  Value mask(const Value& v, std::size_t bytes);
  // Both.
  Value apply(std::string_view function, DType t, int lanes, std::span<const Value> args);
  Value rounded(Value v, DType t);
  // The value as a name: for texts that are printed twice.
  std::string named(const Value& v);
  Value elementary(Expr e, std::span<const Value> args, int lanes);

  Printer& printer_;
  Block* out_;
  const Form& form_;
  struct IsLane {
    const Evaluator* self;
    bool operator()(Expr leaf) const { return self->is_lane(leaf); }
  } is_lane_;
  LaneAnalysis lanes_;
  std::map<Key, Value> values_;
  std::vector<Key> log_;  // what became known, in order: a branch forgets what it learned
  std::map<Key, int> uses_;
  std::map<Expr, bool> costly_;  // reads memory or calls a function: worth staying unevaluated
  std::size_t computed_ = 0, budget_ = 1000;
  int branch_depth_ = 0;
  bool eager_ = false;  // evaluate what may stay unevaluated, with every read guarded by its range
};

}  // namespace lathe::emit
