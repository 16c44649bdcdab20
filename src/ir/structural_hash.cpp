// SPDX-License-Identifier: Apache-2.0
// The hash that lockfiles are keyed by: of everything that same_program compares. Every list goes
// in with its length and every item with its kind, so that no two shapes run together.

#include "base/hash.h"
#include "ir/text.h"

namespace lathe::ir {
namespace {

class ProgramHasher {
 public:
  void add(std::uint64_t v) { h_.add(v); }
  void add(int v) { h_.add(static_cast<std::uint64_t>(v)); }
  void add(bool b) { h_.add(b ? std::uint64_t{1} : std::uint64_t{2}); }
  void add(Symbol s) { h_.add(s.text()); }
  void add(DType t) { add(static_cast<int>(t)); }
  void add(Expr e) { h_.add(e ? e->hash : 0); }
  void add(const Scalar& s) {
    add(s.dtype);
    h_.add(s.bits);
  }
  template <class T>
  void add(const std::vector<T>& items) {
    h_.add(static_cast<std::uint64_t>(items.size()));
    for (const T& item : items) add(item);
  }
  template <class... T>
  void all(const T&... parts) {
    (add(parts), ...);
  }

  void add(const Parameter& p) { all(p.name, p.is_size, p.dtype); }
  void add(const Axis& a) { all(a.name, a.lo, a.hi); }
  void add(const Array& a) {
    all(a.name, a.dtype, static_cast<int>(a.role), a.axes, a.extended, a.extended_axes, a.values);
  }
  void add(const Combiner& c) { all(c.name, c.left, c.right, c.result, c.neutral); }
  void add(const Range& r) { all(r.variable, r.lo, r.hi); }
  void add(const Domain& d) { all(d.ranges, d.guard); }
  void add(const Target& t) { all(t.array, t.indices); }
  void add(const Local& l) { all(l.name, l.dtype); }
  void add(const Accumulation& a) {
    all(static_cast<int>(a.op), a.combiner, static_cast<int>(a.order), a.dtype, a.fresh);
  }
  void add(const Statement& s) {
    all(s.label, s.domain, s.targets, s.values, s.accumulate.has_value());
    if (s.accumulate) add(*s.accumulate);
  }
  void add(const Group& g) { all(g.label, g.domain, g.locals, g.statements); }
  void add(const Branch& b) { all(b.label, b.domain, b.condition, b.then_body, b.else_body); }
  void add(const While& w) { all(w.label, w.domain, w.condition, w.body); }
  void add(const Sweep& s) { all(s.label, s.range, s.forward, s.body); }
  void add(const Scan& s) { all(s.range, s.exclusive, s.blocked, s.statement); }
  void add(const When& w) { all(w.label, w.condition, w.then_body, w.else_body); }
  void add(const Repeat& r) { all(r.label, r.range, r.rotate, r.capped, r.until, r.body); }
  void add(const Call& c) { all(c.label, c.function, c.inputs, c.outputs); }
  void add(const Item& item) {
    add(static_cast<int>(item.node.index()));
    std::visit([&](const auto& n) { add(n); }, item.node);
  }

  std::uint64_t finish() const { return h_.finish(); }

 private:
  Hasher h_;
};

}  // namespace

std::uint64_t structural_hash(const Program& program) {
  ProgramHasher h;
  h.all(program.name, program.parameters, program.arrays, program.combiners, program.body);
  return h.finish();
}

}  // namespace lathe::ir
