// SPDX-License-Identifier: Apache-2.0
// Scalars, stores, and statements on whole buffers.

#include <algorithm>

#include "ir/loops_text.h"
#include "ir/loops_verifier.h"
#include "ir/loops_verify.h"
#include "ir/verify_context.h"

namespace lathe::loops {

using ir::Role;
using lathe::quoted;

void KernelVerifier::check(const Let& s) {
  check_expr(s.value);
  if (s.value) bind(s.name, {What::Let, s.value->dtype});
}

void KernelVerifier::check(const Var& s) {
  check_expr(s.initial);
  if (s.initial) bind(s.name, {What::Var, s.initial->dtype});
}

void KernelVerifier::check(const Assign& s) {
  const Name* n = find(s.name);
  const std::string name = quoted(s.name.text());
  if (!n || n->what != What::Var) {
    error(n ? name + " cannot be assigned: it is not a var" : name + " is not bound here");
    return;
  }
  check_expr(s.value, n->dtype, "the value of " + name);
  if (n->parallel != parallel_)
    error(name + " belongs outside of the parallel loop that assigns it",
          "give each iteration a var of its own, or a place in a buffer");
  else if (n->vector != vector_)
    error(name + " belongs outside of the vector loop that assigns it",
          "keep a value per lane in a lanes buffer");
}

void KernelVerifier::check(const Store& s) {
  check_indices(s.indices);
  const Name* n = buffer(s.buffer, "written");
  if (!n) {
    check_expr(s.value);
    return;
  }
  const std::string name = quoted(s.buffer.text());
  check_rank(*n, s.buffer, s.indices.size());
  check_expr(s.value, n->dtype, "the value for " + name);
  const Buffer& b = *n->buffer;
  if (b.space == Space::Table) error("the table " + name + " is written");
  if (b.space == Space::Argument && b.role == Role::Input)
    error("the input " + name + " is written");
  if (s.stream && b.space != Space::Argument && b.space != Space::Scratch)
    error("a streaming store goes to an argument or a scratch buffer, not to " + name);
  check_lanes(*n, s.indices);
}

void KernelVerifier::check(const VectorLoad& s) {
  check_indices(s.indices);
  const Name* n = buffer(s.from, "loaded from");
  if (s.width < 1 || s.width > kMaxLoadWidth)
    error("a load takes 1 to " + std::to_string(kMaxLoadWidth) + " elements, not " +
          std::to_string(s.width));
  if (!n) return;
  check_rank(*n, s.from, s.indices.size());
  if (n->buffer->axes.empty()) error(quoted(s.from.text()) + " has no axis to load along");
  check_lanes(*n, s.indices);
  Name loaded;
  loaded.what = What::Register;
  loaded.dtype = n->dtype;
  loaded.load = &s;
  bind(s.name, loaded);
}

void KernelVerifier::check(const Prefetch& s) {
  check_indices(s.indices);
  const Name* n = buffer(s.buffer, "prefetched");
  if (!n) return;
  check_rank(*n, s.buffer, s.indices.size());
  if (n->buffer->space == Space::Stack || n->buffer->space == Space::Lanes)
    error(quoted(s.buffer.text()) + " is at hand already: it cannot be prefetched");
}

void KernelVerifier::check(const Break& s) {
  check_expr(s.condition, DType::Bool, "the condition");
  if (!vector_ && (!innermost_ || innermost_->kind != Kind::Serial))
    error("'break' leaves a serial loop, but the innermost loop around it is none");
}

void KernelVerifier::check(const Fault& s) {
  for (Expr e : s.values) check_expr(e, DType::I64, "a value of the fault");
  if (s.site >= kernel_.sites.size()) {
    error("there is no site " + std::to_string(s.site));
    return;
  }
  const Site& site = kernel_.sites[s.site];
  const std::size_t named = site.variables.size();
  bool fits = s.values.size() >= named;
  if (site.kind == Site::Kind::Division || site.kind == Site::Kind::NegativePower)
    fits = s.values.size() == named;
  if (site.kind == Site::Kind::WhileCap) fits = s.values.size() == named + 1;
  if (!fits)
    error("the fault has " + ir::plural(s.values.size(), "value") + ", which does not fit site " +
          std::to_string(s.site));
}

void KernelVerifier::check(const Rotate& s) {
  check_serial("a rotation");
  if (s.buffers.size() < 2) error("rotating one buffer changes nothing");
  const Buffer* first = nullptr;
  std::vector<Symbol> seen;
  for (Symbol name : s.buffers) {
    const Name* n = buffer(name, "rotated");
    if (!n) continue;
    const Buffer& b = *n->buffer;
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      error(quoted(name.text()) + " is rotated twice");
    seen.push_back(name);
    if (b.space == Space::Table || b.space == Space::Stack || b.space == Space::Lanes) {
      error("the " + std::string(loops::name(b.space)) + " buffer " + quoted(name.text()) +
            " cannot be rotated");
      continue;
    }
    if (b.space == Space::Argument && b.role == Role::Input)
      error("the input " + quoted(name.text()) + " cannot be rotated");
    if (!first) first = &b;
    bool same =
        b.dtype == first->dtype && b.axes.size() == first->axes.size() && b.layout == first->layout;
    for (std::size_t x = 0; same && x < b.axes.size(); ++x)
      same = b.axes[x].lo == first->axes[x].lo && b.axes[x].hi == first->axes[x].hi;
    if (!same)
      error(quoted(name.text()) + " and " + quoted(first->name.text()) +
            " cannot be rotated: they differ in dtype, extents or layout");
  }
}

void KernelVerifier::check(const Call& s) {
  check_serial("a call");
  if (s.label) check_name(s.label);
  std::vector<ir::CallOperand> inputs, outputs;
  for (const auto* list : {&s.inputs, &s.outputs})
    for (Symbol name : *list) {
      const Name* n = buffer(name, "passed");
      if (!n) return;
      const Buffer& b = *n->buffer;
      if (b.space > Space::Scratch)
        error("the " + std::string(loops::name(b.space)) + " buffer " + quoted(name.text()) +
              " cannot be passed to a call");
      const bool writable =
          b.space == Space::Scratch || (b.space == Space::Argument && b.role != Role::Input);
      (list == &s.inputs ? inputs : outputs).push_back({name, b.dtype, b.axes.size(), writable});
    }
  for (ir::Refusal& r : ir::call_refusals(s.function.text(), inputs, outputs))
    error(std::move(r.message), std::move(r.help));
}

}  // namespace lathe::loops
