// SPDX-License-Identifier: Apache-2.0
// Variables, arrays and writes.

#include "interp/space.h"

#include <cstring>

#include "interp/nest.h"

namespace lathe::interp {

Space::Space(const ir::Program& program, State& state, const Options& options)
    : program(program), state(state), options(options) {
  for (const ir::Parameter& p : program.parameters)
    parameters_.emplace(p.name, state.parameters.at(std::string(p.name.text())));
  for (const ir::Array& a : program.arrays) {
    array_ids_.emplace(a.name, static_cast<Id>(arrays_.size()));
    RunArray run;
    run.name = a.name;
    run.dtype = a.dtype;
    run.declared = &a;
    for (const Options::Watch& w : options.watch) run.watched |= w.array == a.name.text();
    arrays_.push_back(std::move(run));
  }
}

Space::~Space() = default;

Id Space::variable(Symbol name) {
  const auto [found, added] = variable_ids_.emplace(name, static_cast<Id>(values_.size()));
  if (added) values_.push_back(0);
  return found->second;
}

ir::Scalar Space::parameter(Symbol name) const {
  const auto found = parameters_.find(name);
  check(found != parameters_.end(), "a parameter of the program");
  return found->second;
}

std::int64_t Space::evaluate(Expr e) {
  std::unique_ptr<RowProgram>& rows = scalars_[e];
  if (!rows)
    rows = std::make_unique<RowProgram>(*this, std::vector<Expr>{e}, std::vector<ir::Target>{},
                                        Symbol(), false);
  rows->start();
  rows->run(0, 1);
  if (rows->faulty() && rows->root_fault(0, 0)) rows->explain_root(0, 0);
  return ir::Scalar::load(e->dtype, rows->row(0)).as_int();
}

// --- Arrays.

Id Space::find(Symbol name) const {
  const auto found = array_ids_.find(name);
  check(found != array_ids_.end(), "an array of the program");
  return found->second;
}

void Space::attach(Id id, Buffer& buffer) {
  RunArray& a = arrays_[id];
  a.buffer = &buffer;
  a.stride.assign(buffer.lo.size(), 1);
  for (std::size_t x = buffer.lo.size(); x-- > 1;) a.stride[x - 1] = a.stride[x] * buffer.extent(x);
  if (!options.checked || a.declared == nullptr) return;
  const auto count = static_cast<std::size_t>(buffer.element_count());
  a.set_by.assign(count, 0);
  const bool starts_unwritten =
      a.declared->role == ir::Role::Temp || a.declared->role == ir::Role::Output;
  if (starts_unwritten) a.written.assign(count, 0);
}

// Temporaries and outputs whose extents the program computes come into being when first used.
void Space::allocate(Id id) {
  const ir::Array& declared = *arrays_[id].declared;
  Bounds bounds;
  for (const ir::Axis& axis : declared.axes) {
    bounds.lo.push_back(evaluate(axis.lo));
    bounds.hi.push_back(evaluate(axis.hi));
  }
  Buffer& slot = declared.role == ir::Role::Const ? hidden_.emplace_back()
                                                  : state.arrays[std::string(declared.name.text())];
  slot = make_buffer(declared, std::move(bounds));
  for (std::size_t v = 0; v < declared.values.size(); ++v)  // a constant table
    declared.values[v].store(slot.data.data() + v * ir::size_bytes(declared.dtype));
  attach(id, slot);
}

Id Space::hidden(std::string_view stem, DType t, std::string what) {
  const Id id = static_cast<Id>(arrays_.size());
  RunArray a;
  a.name = program.graph->fresh_symbol(stem);
  a.dtype = t;
  a.what = std::move(what);
  array_ids_.emplace(a.name, id);
  arrays_.push_back(std::move(a));
  return id;
}

void Space::reset(Id id, Bounds bounds) {
  RunArray& a = arrays_[id];
  if (a.buffer == nullptr) a.buffer = &hidden_.emplace_back();
  const std::string range = range_text(bounds.lo, bounds.hi);
  *a.buffer = make_buffer(a.dtype, std::move(bounds), {a.what + " over " + range, span});
  attach(id, *a.buffer);
}

// Contents move one place to the left.
void Space::rotate(std::span<const Id> ids) {
  for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
    RunArray& a = allocated(ids[i]);
    RunArray& b = allocated(ids[i + 1]);
    check(a.buffer->data.size() == b.buffer->data.size(), "arrays of one shape in a rotation");
    std::swap(a.buffer->data, b.buffer->data);
    std::swap(a.written, b.written);
    std::swap(a.set_by, b.set_by);
  }
}

std::vector<std::int64_t> RunArray::index_of(std::int64_t offset) const {
  std::vector<std::int64_t> index(rank());
  for (std::size_t x = 0; x < rank(); ++x) {
    index[x] = buffer->lo[x] + offset / stride[x];
    offset %= stride[x];
  }
  return index;
}

// --- Writing.

void Space::write(Id id, const Places& places, const void* values, const std::uint8_t* active,
                  std::size_t n, bool set) {
  RunArray& a = allocated(id);
  const std::size_t size = ir::size_bytes(a.dtype);
  const bool noted = log != nullptr || a.watched || options.checked;
  if (!noted && active == nullptr && places.offset == nullptr && places.step == 1) {
    std::memmove(a.element(places.first), values, n * size);
    canonicalise_nans(a.dtype, a.element(places.first), n);
    return;
  }
  const auto* from = static_cast<const std::byte*>(values);
  for (std::size_t p = 0; p < n; ++p) {
    if (active != nullptr && active[p] == 0) continue;
    const std::int64_t offset = places.at(p);
    std::uint64_t value = 0;
    std::memcpy(&value, from + p * size, size);
    canonicalise_nans(a.dtype, &value, 1);
    if (noted) note_write(a, id, offset, &value, set);
    std::memcpy(a.element(offset), &value, size);
  }
}

// Everything about a write but the write.
void Space::note_write(RunArray& a, Id id, std::int64_t offset, const void* value, bool set) {
  const auto at = static_cast<std::size_t>(offset);
  const ir::Scalar before = ir::Scalar::load(a.dtype, a.element(offset));
  if (log != nullptr)
    log->push_back({id, offset, before.bits, a.written.empty() ? std::uint8_t{1} : a.written[at]});
  if (!a.written.empty()) a.written[at] = 1;
  if (!a.set_by.empty() && set) {
    if (a.set_by[at] == run_) fail_twice(a, offset);
    a.set_by[at] = run_;
  }
  if (!a.watched || options.events == nullptr) return;
  const std::vector<std::int64_t> index = a.index_of(offset);
  const ir::Array* declared = program.find_array(a.name);
  for (const Options::Watch& w : options.watch)
    if (w.array == a.name.text() && w.index == index)
      options.events->push_back(
          {a.name, declared ? ir::as_users_write(declared->users_order, index) : index, before,
           ir::Scalar::load(a.dtype, value), label, span});
}

void Space::undo(UndoLog& log) {
  for (auto u = log.rbegin(); u != log.rend(); ++u) {
    RunArray& a = arrays_[u->array];
    const ir::Scalar now = ir::Scalar::load(a.dtype, a.element(u->offset));
    ir::Scalar{a.dtype, u->bits}.store(a.element(u->offset));
    if (!a.written.empty()) a.written[static_cast<std::size_t>(u->offset)] = u->written;
    u->bits = now.bits;
  }
}

void Space::redo(const UndoLog& undone) {
  for (const Undo& u : undone) {
    RunArray& a = arrays_[u.array];
    const auto at = static_cast<std::size_t>(u.offset);
    const ir::Scalar before = ir::Scalar::load(a.dtype, a.element(u.offset));
    if (log != nullptr)
      log->push_back(
          {u.array, u.offset, before.bits, a.written.empty() ? std::uint8_t{1} : a.written[at]});
    ir::Scalar{a.dtype, u.bits}.store(a.element(u.offset));
    if (!a.written.empty()) a.written[at] = 1;
  }
}

void Space::fill(Id id, ir::Scalar value) {
  const RunArray& a = allocated(id);
  const std::int64_t count = a.buffer->element_count();
  std::uint64_t row[kRow];
  const std::size_t size = ir::size_bytes(a.dtype);
  for (std::size_t p = 0; p < kRow; ++p) value.store(reinterpret_cast<std::byte*>(row) + p * size);
  for_each_piece(0, count, [&](std::int64_t first, std::size_t n) {
    write(id, {nullptr, first, 1}, row, nullptr, n, false);
  });
}

Bounds bounds_of(const Buffer& buffer) { return {buffer.lo, buffer.hi}; }

}  // namespace lathe::interp
