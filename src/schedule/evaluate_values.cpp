// SPDX-License-Identifier: Apache-2.0
// The denotation of values, as values.h states it: a function from indices to elements, evaluated
// on demand and remembered. Slow, and for small sizes: it follows the definitions word by word,
// so that it can be an oracle.
//
// One thing is taken from the interpreter: the order in which `tree` and `chain` reductions combine
// their points (interp/reduction.h). A fby says what is combined; in those orders not how.

#include <map>

#include "interp/reduction.h"
#include "interp/row_ops.h"
#include "interp/space.h"
#include "ir/traverse.h"
#include "schedule/values.h"

namespace lathe::schedule {
namespace {

using ir::Expr;
using ir::Op;
using ir::Policy;
using ir::Scalar;
using ir::Symbol;

// The index of each dimension, by name; the last one of a name counts.
class Point {
 public:
  std::int64_t at(Symbol name) const {
    for (std::size_t n = entries_.size(); n-- > 0;)
      if (entries_[n].first == name) return entries_[n].second;
    internal_error("a dimension of the point");
  }
  void set(Symbol name, std::int64_t x) {
    for (auto& [known, value] : entries_)
      if (known == name) {
        value = x;
        return;
      }
    entries_.emplace_back(name, x);
  }

 private:
  std::vector<std::pair<Symbol, std::int64_t>> entries_;
};

std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
  const std::int64_t r = a % b;
  return r < 0 ? r + b : r;
}

class Evaluator {
 public:
  struct TooMany {};

  Evaluator(const ValueGraph& graph, interp::State& state, std::uint64_t most)
      : graph_(graph),
        state_(state),
        left_(most),
        space_(graph.program, state, options_),
        memory_(graph.values.size()) {}

  Scalar element(ValueId id, std::span<const std::int64_t> index) {
    const Value& v = graph_.at(id);
    Point p;
    for (std::size_t a = 0; a < index.size(); ++a) p.set(v.dims[v.loops + a].name, index[a]);
    return value(id, p);
  }

 private:
  Scalar value(ValueId id, const Point& p) {
    const Value& v = graph_.at(id);
    if (const auto* b = std::get_if<Bcast>(&v.def)) return value(b->v, p);
    std::vector<std::int64_t> key;
    for (const Dim& d : v.dims) key.push_back(p.at(d.name));
    auto& memory = memory_[id];
    if (const auto found = memory.find(key); found != memory.end()) return found->second;
    if (left_-- == 0) throw TooMany();
    const Scalar result = std::visit([&](const auto& def) { return compute(v, def, p); }, v.def);
    check(result.dtype == v.dtype, "a value of its dtype");
    memory.emplace(std::move(key), result);
    return result;
  }

  Scalar compute(const Value&, const Bcast& b, const Point& p) { return value(b.v, p); }

  Scalar compute(const Value& v, const Extern& e, const Point& p) {
    if (!e.given) return Scalar{v.dtype, 0};
    const ir::Array& a = *graph_.program.find_array(v.array);
    std::vector<std::int64_t> index;
    for (const Dim& d : v.dims) index.push_back(p.at(d.name));
    if (a.role != ir::Role::Const) return state_.arrays.at(std::string(a.name.text())).at(index);
    const interp::Bounds& bounds = bounds_of(a);
    std::int64_t offset = 0;
    for (std::size_t x = 0; x < index.size(); ++x)
      offset = offset * (bounds.hi[x] - bounds.lo[x]) + index[x] - bounds.lo[x];
    return a.values.at(static_cast<std::size_t>(offset));
  }

  Scalar compute(const Value& v, const Inst& inst, const Point& p) {
    check(inst.value != nullptr, "a value that can be evaluated");
    bool holds = true;
    for (const ir::Range& r : inst.domain) {
      const std::int64_t x = p.at(r.variable);
      holds = holds && integer(r.lo, p, v) <= x && x < integer(r.hi, p, v);
      if (!holds) break;
    }
    holds = holds && (inst.guard == nullptr || expression(inst.guard, p, v).as_bool());
    if (holds) return expression(inst.value, p, v);
    return inst.over == kNoValue ? Scalar{v.dtype, 0} : value(inst.over, p);
  }

  Scalar compute(const Value& v, const Map& map, const Point& p) {
    const Value& from = graph_.at(map.v);
    std::vector<std::int64_t> index;
    for (Expr e : map.indices) index.push_back(integer(e, p, v));
    if (const ir::Array* a = v.array ? graph_.program.find_array(v.array) : nullptr)
      if (!fold(map, bounds_of(*a), index))
        return map.policy == Policy::Value ? expression(map.fill, p, v) : Scalar{v.dtype, 0};
    Point q;
    for (std::size_t l = 0; l < from.loops; ++l) q.set(from.dims[l].name, p.at(from.dims[l].name));
    for (std::size_t a = 0; a < index.size(); ++a) q.set(from.dims[from.loops + a].name, index[a]);
    return value(map.v, q);
  }

  // Brings an index into the array, as the policy says; false when it names no element.
  static bool fold(const Map& map, const interp::Bounds& b, std::vector<std::int64_t>& index) {
    bool inside = true;
    for (std::size_t a = 0; a < index.size(); ++a)
      inside = inside && b.lo[a] <= index[a] && index[a] < b.hi[a];
    if (inside || map.policy == Policy::Trusted) return true;
    if (map.policy == Policy::Zero || map.policy == Policy::Value) return false;
    if (map.policy == Policy::Error) throw UserError("a read outside of its array");
    for (std::size_t a = 0; a < index.size(); ++a) {
      const std::int64_t extent = b.hi[a] - b.lo[a], x = index[a] - b.lo[a];
      if (extent <= 0) throw UserError("a read of an empty array");
      if (0 <= x && x < extent) continue;
      std::int64_t folded = x < 0 ? 0 : extent - 1;
      if (map.policy == Policy::Wrap) folded = floor_mod(x, extent);
      if (map.policy == Policy::Mirror) {
        const std::int64_t r = extent == 1 ? 0 : floor_mod(x, 2 * (extent - 1));
        folded = r < extent ? r : 2 * (extent - 1) - r;
      }
      index[a] = b.lo[a] + folded;
    }
    return true;
  }

  Scalar compute(const Value& v, const Fby& fby, const Point& p) {
    Point before = p;
    return step_back(v, fby.along, before) ? value(fby.next, before) : value(fby.init, p);
  }

  Scalar compute(const Value& v, const Last& last, const Point& p) {
    if (last.reduce &&
        (last.reduce->order == ir::Order::Tree || last.reduce->order == ir::Order::Chain))
      return reduce(v, last, p);
    Point end = p;
    bool any = false;
    std::optional<Point> stop;
    // All points in order, so that each finds the one before in memory.
    for_each_point(v, last.along, 0, end, [&](const Point& q) {
      any = true;
      value(last.v, q);
      if (last.until == kNoValue || !value(last.until, q).as_bool()) return true;
      stop = q;
      return false;
    });
    if (!any) return value(last.otherwise, p);
    if (stop) return value(last.v, *stop);
    check(last_point(v, last.along, 0, end), "a point");
    return value(last.v, end);
  }

  // ---- The points of a nest.

  struct Interval {
    std::int64_t lo, hi;
  };
  Interval interval(const Value& v, const Dim& d, const Point& p) {
    return {integer(d.lo, p, v), integer(d.hi, p, v)};
  }

  template <class F>
  bool for_each_point(const Value& v, const std::vector<Dim>& dims, std::size_t level, Point& p,
                      F&& f) {
    if (level == dims.size()) return f(p);
    const auto [lo, hi] = interval(v, dims[level], p);
    for (std::int64_t n = 0; n < hi - lo; ++n) {
      p.set(dims[level].name, dims[level].down ? hi - 1 - n : lo + n);
      if (!for_each_point(v, dims, level + 1, p, f)) return false;
    }
    return true;
  }

  // Sets the dimensions from `level` on to their last point; false when there is none.
  bool last_point(const Value& v, const std::vector<Dim>& dims, std::size_t level, Point& p) {
    if (level == dims.size()) return true;
    const auto [lo, hi] = interval(v, dims[level], p);
    for (std::int64_t n = hi - lo; n-- > 0;) {
      p.set(dims[level].name, dims[level].down ? hi - 1 - n : lo + n);
      if (last_point(v, dims, level + 1, p)) return true;
    }
    return false;
  }

  // To the point before; false when p is the first.
  bool step_back(const Value& v, const std::vector<Dim>& dims, Point& p) {
    for (std::size_t level = dims.size(); level-- > 0;) {
      const Dim& d = dims[level];
      const auto [lo, hi] = interval(v, d, p);
      for (;;) {
        const std::int64_t x = p.at(d.name) + (d.down ? 1 : -1);
        if (x < lo || x >= hi) break;
        p.set(d.name, x);
        if (last_point(v, dims, level + 1, p)) return true;
      }
    }
    return false;
  }

  // ---- Reductions in an order of their own.

  Scalar reduce(const Value& v, const Last& last, const Point& p) {
    const ReduceOrder& how = *last.reduce;
    interp::Combination combination(space_, how.op, v.dtype);
    interp::Reducer reducer(combination, how.order, last.along.size());
    std::uint64_t cell = 0;
    value(last.otherwise, p).store(&cell);
    void* acc = &cell;
    reducer.start(&acc);
    Point q = p;
    reduce_level(v, last, 0, 0, q, reducer);
    reducer.finish(&acc);
    return Scalar::load(v.dtype, &cell);
  }

  void reduce_level(const Value& v, const Last& last, std::size_t level, std::int64_t element,
                    Point& p, interp::Reducer& reducer) {
    const ReduceOrder& how = *last.reduce;
    const auto [lo, hi] = interval(v, last.along[level], p);
    reducer.enter(level, hi <= lo ? 0 : hi - lo, element);
    for (std::int64_t x = lo; x < hi; ++x) {
      p.set(last.along[level].name, x);
      if (level + 1 < last.along.size()) {
        reduce_level(v, last, level + 1, x - lo, p, reducer);
        continue;
      }
      const std::uint8_t present = how.where == kNoValue || value(how.where, p).as_bool() ? 1 : 0;
      std::vector<std::uint64_t> cells(how.points.size());
      std::vector<const void*> rows;
      for (std::size_t r = 0; r < cells.size(); ++r) {
        if (present != 0) value(how.points[r], p).store(&cells[r]);
        rows.push_back(&cells[r]);
      }
      reducer.points(x - lo, rows.data(), &present, 1);
    }
    reducer.leave(level);
  }

  // ---- Expressions. Lazy where the language is.

  std::int64_t integer(Expr e, const Point& p, const Value& v) {
    return expression(e, p, v).cast(ir::DType::I64).as_int();
  }

  Scalar expression(Expr e, const Point& p, const Value& v) {
    std::unordered_map<Expr, Scalar> memo;
    return expression(e, p, v, memo);
  }

  Scalar expression(Expr e, const Point& p, const Value& v,
                    std::unordered_map<Expr, Scalar>& memo) {
    switch (e->op) {
      case Op::Const: return e->scalar();
      case Op::Index: return Scalar::of_int(ir::DType::I64, p.at(e->name));
      case Op::Param: return space_.parameter(e->name);
      case Op::Read:
      case Op::Reduce: return value(v.reads->at(e), p);
      default: break;
    }
    if (const auto found = memo.find(e); found != memo.end()) return found->second;
    const auto arg = [&](std::size_t a) { return expression(e->arg(a), p, v, memo); };
    const Scalar result = [&]() -> Scalar {
      switch (e->op) {
        case Op::Select: return arg(0).as_bool() ? arg(1) : arg(2);
        case Op::Gate: return arg(0).as_bool() ? arg(1) : Scalar{e->dtype, 0};
        case Op::And: return Scalar::of_bool(arg(0).as_bool() && arg(1).as_bool());
        case Op::Or: return Scalar::of_bool(arg(0).as_bool() || arg(1).as_bool());
        case Op::Inside: return inside(e, p, v);
        default: break;
      }
      std::vector<Scalar> args;
      for (std::size_t a = 0; a < e->arg_count; ++a) args.push_back(arg(a));
      return interp::apply(e->op, e->dtype, args);
    }();
    memo.emplace(e, result);
    return result;
  }

  Scalar inside(Expr e, const Point& p, const Value& v) {
    const interp::Bounds& b = bounds_of(*graph_.program.find_array(e->name));
    bool holds = true;
    const auto indices = ir::view::Read(e).indices;
    for (std::size_t a = 0; a < indices.size(); ++a) {
      const std::int64_t x = integer(indices[a], p, v);
      holds = holds && b.lo[a] <= x && x < b.hi[a];
    }
    return Scalar::of_bool(holds);
  }

  const interp::Bounds& bounds_of(const ir::Array& a) {
    const auto found = bounds_.find(&a);
    if (found != bounds_.end()) return found->second;
    return bounds_.emplace(&a, interp::declared_bounds(graph_.program, a, state_)).first->second;
  }

  const ValueGraph& graph_;
  interp::State& state_;
  std::uint64_t left_;  // elements that may still be computed
  interp::Options options_;
  interp::Space space_;
  std::vector<std::map<std::vector<std::int64_t>, Scalar>> memory_;
  std::unordered_map<const ir::Array*, interp::Bounds> bounds_;
};

}  // namespace

std::string why_not_evaluable(const ValueGraph& graph) {
  for (const ir::Array& a : graph.program.arrays)
    for (const ir::Axis& x : a.axes)
      if (!ir::reads(x.lo).empty() || !ir::reads(x.hi).empty())
        return "the extent of '" + std::string(a.name.text()) + "' is computed";
  std::vector<bool> seen(graph.values.size(), false);
  std::vector<ValueId> pending;
  const auto visit = [&](ValueId id) {
    if (seen[id]) return;
    seen[id] = true;
    pending.push_back(id);
  };
  for (const auto& [array, id] : graph.results) visit(id);
  while (!pending.empty()) {
    const Value& v = graph.at(pending.back());
    pending.pop_back();
    if (const auto* inst = std::get_if<Inst>(&v.def); inst && !inst->opaque.empty())
      return v.name + " is " + inst->opaque;
    for_each_operand(v, visit);
  }
  return "";
}

bool evaluate(const ValueGraph& graph, interp::State& state, std::uint64_t most) try {
  if (const std::string why = why_not_evaluable(graph); !why.empty())
    throw UserError("the value graph cannot be evaluated: " + why);
  Evaluator evaluator(graph, state, most);
  std::vector<std::pair<std::string, interp::Buffer>> results;
  for (const auto& [array, id] : graph.results) {
    const ir::Array& a = *graph.program.find_array(array);
    const interp::Bounds b = interp::declared_bounds(graph.program, a, state);
    interp::Buffer buffer = interp::make_buffer(a.dtype, b.lo, b.hi);
    std::vector<std::int64_t> index = b.lo;
    for (std::int64_t left = buffer.element_count(); left > 0; --left) {
      buffer.set(index, evaluator.element(id, index));
      for (std::size_t x = index.size(); x-- > 0;) {
        if (++index[x] < b.hi[x]) break;
        index[x] = b.lo[x];
      }
    }
    results.emplace_back(array.text(), std::move(buffer));
  }
  for (auto& [name, buffer] : results) state.arrays[name] = std::move(buffer);
  return true;
} catch (const Evaluator::TooMany&) {
  return false;
}

}  // namespace lathe::schedule
