// SPDX-License-Identifier: Apache-2.0
// One line per named value; maps and bcasts stand where they are read:
//
//   lap.0 = inst lap on (i, j) of f64 reads map(u, i - 1, j), map(u, i + 1, j)

#include "ir/text.h"
#include "schedule/values.h"

namespace lathe::schedule {
namespace {

class Printer {
 public:
  explicit Printer(const ValueGraph& graph) : graph_(graph) {}

  std::string line(const Value& v) const {
    const std::string tail = " on (" + names(v.dims) + ") of " + std::string(name(v.dtype));
    return v.name + " = " + std::visit([&](const auto& def) { return text(v, def, tail); }, v.def) +
           "\n";
  }

 private:
  static std::string names(const std::vector<Dim>& dims) {
    std::string out;
    for (const Dim& d : dims) out += (out.empty() ? "" : ", ") + std::string(d.name.text());
    return out;
  }
  static std::string along(const std::vector<Dim>& dims) {
    const bool down = !dims.empty() && dims[0].down;
    return " along " + names(dims) + (down ? " downward" : "");
  }

  // A value where it is read.
  std::string shown(ValueId id) const {
    const Value& v = graph_.at(id);
    if (!v.name.empty()) return v.name;
    if (const auto* m = std::get_if<Map>(&v.def)) return map_text(*m);
    if (const auto* b = std::get_if<Bcast>(&v.def)) return bcast_text(*b);
    internal_error("a value without a name");
  }
  std::string map_text(const Map& m) const {
    std::string out = std::string(m.by_data ? "gather(" : "map(") + shown(m.v);
    for (ir::Expr e : m.indices) out += ", " + ir::print(e);
    const bool plain = m.policy == ir::Policy::Error || m.policy == ir::Policy::Trusted;
    if (!plain) out += "; " + std::string(name(m.policy));
    if (m.fill) out += " " + ir::print(m.fill);
    return out + ")";
  }
  std::string bcast_text(const Bcast& b) const {
    if (b.dims.empty()) return "copy(" + shown(b.v) + ")";
    std::string out = "bcast(" + shown(b.v);
    for (const ir::Symbol d : b.dims) out += ", " + std::string(d.text());
    return out + ")";
  }
  std::string list(const std::vector<ValueId>& ids) const {
    std::string out;
    for (const ValueId id : ids) out += (out.empty() ? " reads " : ", ") + shown(id);
    return out;
  }

  // Does the expression of one of Lathe's own insts call its operands by their names?
  bool shows_operands(const Value& v) const {
    if (!v.reads) return true;
    for (const auto& [e, id] : *v.reads)
      if (e->op != ir::Op::Read || e->arg_count > 0 || graph_.at(id).name != e->name.text())
        return false;
    return true;
  }

  std::string text(const Value& v, const Inst& inst, const std::string& tail) const {
    std::string out =
        "inst " + (inst.label ? std::string(inst.label.text()) : ir::print(inst.value));
    if (!inst.opaque.empty()) out += " (opaque: " + inst.opaque + ")";
    out += tail;
    if (!inst.opaque.empty())
      out += list(inst.arguments);
    else if (inst.label || !shows_operands(v))
      out += list(operands_of(v));
    if (inst.over != kNoValue) out += " over " + shown(inst.over);
    return out;
  }
  std::string text(const Value&, const Map& m, const std::string& tail) const {
    return map_text(m) + tail;
  }
  std::string text(const Value&, const Bcast& b, const std::string& tail) const {
    return bcast_text(b) + tail;
  }
  std::string text(const Value&, const Fby& f, const std::string& tail) const {
    return "fby(" + shown(f.init) + ", " + shown(f.next) + ")" + along(f.along) + tail;
  }
  std::string text(const Value&, const Last& l, const std::string& tail) const {
    std::string out = "last(" + shown(l.v) + ")" + along(l.along);
    if (l.until != kNoValue) out += " until " + shown(l.until);
    out += " else " + shown(l.otherwise) + tail;
    if (l.reduce && l.reduce->order != ir::Order::Free)
      out += " in the order " + std::string(name(l.reduce->order));
    return out;
  }
  std::string text(const Value& v, const Extern& e, const std::string& tail) const {
    return (e.given ? "extern" : "extern, never written") + (v.array ? tail : std::string());
  }

  const ValueGraph& graph_;
};

}  // namespace

std::string print(const ValueGraph& graph) {
  const Printer printer(graph);
  std::string out;
  for (const Value& v : graph.values)
    if (!v.name.empty()) out += printer.line(v);
  for (const auto& [array, id] : graph.results)
    out += "result " + std::string(array.text()) + " = " + graph.at(id).name + "\n";
  return out;
}

}  // namespace lathe::schedule
