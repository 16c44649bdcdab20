// SPDX-License-Identifier: Apache-2.0
// The static rules of values.h, one value at a time, and one walk for cycles.

#include <algorithm>
#include <set>

#include "ir/text.h"
#include "schedule/values.h"

namespace lathe::schedule {
namespace {

using Names = std::set<std::string_view>;

Names names_of(const std::vector<Dim>& dims) {
  Names out;
  for (const Dim& d : dims) out.insert(d.name.text());
  return out;
}
Names joined(Names a, const Names& b) {
  a.insert(b.begin(), b.end());
  return a;
}
bool inside(const Names& a, const Names& b) {
  return std::includes(b.begin(), b.end(), a.begin(), a.end());
}
bool disjoint(const Names& a, const Names& b) {
  return std::none_of(a.begin(), a.end(), [&](std::string_view x) { return b.contains(x); });
}

class Checker {
 public:
  explicit Checker(const ValueGraph& graph) : graph_(graph) {}

  std::vector<std::string> run() {
    for (ValueId id = 0; id < graph_.values.size(); ++id) {
      const Value& v = graph_.at(id);
      where_ = v.name.empty() ? "value " + std::to_string(id) : v.name;
      dims_ = names_of(v.dims);
      require(dims_.size() == v.dims.size(), "has a dimension twice");
      require(v.loops <= v.dims.size(), "has more loops than dimensions");
      if (!v.name.empty()) require(names_.insert(v.name).second, "has the name of another value");
      bool known = true;
      for_each_operand(v, [&](ValueId x) { known = known && x < graph_.values.size(); });
      require(known, "is defined by a value that is not there");
      if (known) std::visit([&](const auto& def) { rules(v, def); }, v.def);
    }
    check_cycles();
    return std::move(out_);
  }

 private:
  void require(bool holds, const char* what) {
    if (!holds) out_.push_back(where_ + " " + what);
  }
  Names dims(ValueId id) const { return names_of(graph_.at(id).dims); }
  void same_dtype(const Value& v, ValueId x) {
    require(graph_.at(x).dtype == v.dtype, "has another dtype than what defines it");
  }
  void consume(ValueId x) {
    require(consumed_.insert(x).second, "consumes a value that another fby has consumed");
  }

  void rules(const Value& v, const Inst& inst) {
    require((inst.value == nullptr) == !inst.opaque.empty(), "is opaque without a reason");
    if (inst.value) require(inst.value->dtype == v.dtype, "has another dtype than its expression");
    for (const ValueId x : operands_of(v))
      require(inside(dims(x), dims_), "reads a value of which a dimension does not enclose it");
    if (inst.over == kNoValue) return;
    same_dtype(v, inst.over);
    require(dims(inst.over) == dims_, "is over a value with other dimensions");
  }

  void rules(const Value& v, const Map& map) {
    same_dtype(v, map.v);
    const Value& from = graph_.at(map.v);
    require(from.dims.size() - from.loops == map.indices.size(),
            "maps a value with another number of axes");
    for (std::size_t l = 0; l < from.loops; ++l)
      require(dims_.contains(from.dims[l].name.text()), "is not inside the loops of its value");
    // What its indices read is broadcast to its reader; what counts is what they vary with.
    for (ValueId x : operands_of(v)) {
      if (const auto* b = std::get_if<Bcast>(&graph_.at(x).def)) x = b->v;
      require(inside(dims(x), dims_),
              "gathers by a value of which a dimension does not enclose it");
    }
  }

  void rules(const Value& v, const Bcast& bcast) {
    same_dtype(v, bcast.v);
    Names added;
    for (const ir::Symbol d : bcast.dims) added.insert(d.text());
    require(disjoint(added, dims(bcast.v)), "broadcasts along a dimension that is there");
    require(joined(added, dims(bcast.v)) == dims_, "has other dimensions than its broadcast");
  }

  void rules(const Value& v, const Fby& fby) {
    const Names along = names_of(fby.along);
    require(fby.init != kNoValue && fby.next != kNoValue, "is a fby without init or next");
    if (fby.init == kNoValue || fby.next == kNoValue) return;
    same_dtype(v, fby.init);
    same_dtype(v, fby.next);
    require(disjoint(dims(fby.init), along), "has an init that varies along the fby");
    require(joined(dims(fby.init), along) == dims_, "has an init that is not known everywhere");
    require(dims(fby.next) == dims_, "has a next with other dimensions");
    consume(fby.init);
    consume(fby.next);
  }

  void rules(const Value& v, const Last& last) {
    const Names along = names_of(last.along);
    same_dtype(v, last.v);
    require(inside(along, dims(last.v)), "is last along a dimension that its value lacks");
    require(joined(dims_, along) == dims(last.v) && disjoint(dims_, along),
            "has other dimensions than its last");
    require(last.otherwise != kNoValue, "has no value for the empty case");
    if (last.otherwise == kNoValue) return;
    same_dtype(v, last.otherwise);
    require(dims(last.otherwise) == dims_, "has another value for the empty case");
    if (last.until != kNoValue)
      require(graph_.at(last.until).dtype == ir::DType::Bool, "has an until that is no bool");
  }

  void rules(const Value& v, const Extern&) { require(v.loops == 0, "is given inside a loop"); }

  // Depth first, without `next`: those are read one point later.
  void check_cycles() {
    enum : std::uint8_t { New, Open, Done };
    std::vector<std::uint8_t> state(graph_.values.size(), New);
    std::vector<std::pair<ValueId, bool>> pending;
    for (ValueId root = 0; root < graph_.values.size(); ++root) pending.emplace_back(root, false);
    while (!pending.empty()) {
      const auto [id, leave] = pending.back();
      pending.pop_back();
      if (leave) {
        state[id] = Done;
        continue;
      }
      if (state[id] != New) continue;
      state[id] = Open;
      pending.emplace_back(id, true);
      const auto* fby = std::get_if<Fby>(&graph_.at(id).def);
      for_each_operand(graph_.at(id), [&, id = id](ValueId x) {
        if (x >= graph_.values.size() || (fby && x == fby->next)) return;
        if (state[x] == Open)
          out_.push_back(graph_.at(id).name + " is defined by itself");
        else
          pending.emplace_back(x, false);
      });
    }
  }

  const ValueGraph& graph_;
  std::vector<std::string> out_;
  std::string where_;
  Names dims_;
  std::set<std::string> names_;
  std::set<ValueId> consumed_;
};

}  // namespace

std::vector<std::string> check_values(const ValueGraph& graph) { return Checker(graph).run(); }

}  // namespace lathe::schedule
