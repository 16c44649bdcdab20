// SPDX-License-Identifier: Apache-2.0
// Places of elements, and what is said when a kernel goes wrong.

#include "interp/binding.h"
#include "interp/fault_words.h"
#include "interp/loops_machine.h"
#include "ir/loops_text.h"

namespace lathe::interp {
namespace {

const ir::Program& checked_binding(const ir::Program& interface, const State& state) {
  check_binding(interface, state);
  return interface;
}

}  // namespace

Frame::Frame(const loops::Kernel& kernel, const ir::Program& interface, State& state,
             const LoopsOptions& options)
    : kernel(kernel),
      space(checked_binding(interface, state), state, space_options),
      checked(options.checked),
      poison(options.poison) {}

void Frame::fail(std::string problem, std::size_t lane) const {
  std::string text = "kernel '" + std::string(kernel.name.text()) + "' " + problem;
  if (statement != nullptr) text += "\n  in: " + loops::head_text(*statement);
  std::vector<std::pair<Symbol, std::int64_t>> point;
  for (const auto& [variable, slot] : loops) {
    const Slot& s = slots[slot];
    point.emplace_back(variable, static_cast<std::int64_t>(s.row[s.per_lane ? lane : 0]));
  }
  if (!point.empty()) text += "\n  at " + point_text(point);
  throw InternalError(std::move(text), "loops");
}

void Frame::open(Id id, bool defined) {
  if (poison && !defined) {
    Buffer& b = *space.array(id).buffer;
    const int odd = b.dtype == DType::Bool ? 1 : 0x5b;
    std::fill(b.data.begin(), b.data.end(), static_cast<std::byte>(odd));
  }
  if (checked) ledger.open(id, space.array(id).buffer->element_count(), defined || poison);
}

std::int64_t Frame::offset(Id id, std::span<const std::int64_t> index, std::string_view verb,
                           std::size_t lane) {
  const RunArray& a = space.array(id);
  const Buffer& b = *a.buffer;
  std::int64_t offset = 0;
  for (std::size_t x = 0; x < index.size(); ++x) {
    if (index[x] < b.lo[x] || index[x] >= b.hi[x]) [[unlikely]]
      fail(std::string(verb) + " '" + std::string(names[id].text()) + "' at " +
               index_text({index.begin(), index.end()}) + ", but " +
               covers_text(names[id], bounds_of(b)),
           lane);
    offset += (index[x] - b.lo[x]) * a.stride[x];
  }
  return offset;
}

std::string Frame::element_text(Id id, std::int64_t offset) {
  const std::vector<std::int64_t> index = space.array(id).index_of(offset);
  return "'" + std::string(names[id].text()) + "'" +
         (index.empty() ? "" : " at " + index_text(index));
}

void Frame::check_read(Id id, std::int64_t offset, std::size_t lane) {
  switch (ledger.read(id, offset)) {
    case Ledger::Verdict::Good: return;
    case Ledger::Verdict::Undefined:
      fail("reads " + element_text(id, offset) + ", which nothing has written", lane);
    case Ledger::Verdict::Race:
      fail("reads " + element_text(id, offset) +
               ", which another iteration of the parallel loop writes",
           lane);
  }
}

void Frame::check_write(Id id, std::int64_t offset, std::size_t lane) {
  if (ledger.write(id, offset) == Ledger::Verdict::Good) return;
  fail("writes " + element_text(id, offset) +
           ", which another iteration of the parallel loop reads or writes",
       lane);
}

}  // namespace lathe::interp
