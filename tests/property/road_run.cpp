// SPDX-License-Identifier: Apache-2.0
#include "road_run.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <numeric>

#include "ir/traverse.h"

namespace lathe::testing {

using namespace ir;

namespace {

constexpr std::byte kRubbish{0xa5};
constexpr std::size_t kRoom = 128;  // bytes before and after the elements

bool is_argument(const Array& a) { return a.role != Role::Temp && a.role != Role::Const; }

// An argument in memory of its own.
class Placed {
 public:
  Placed(const interp::Buffer& b, const Layout& layout) : buffer_(b) {
    const auto size = static_cast<std::int64_t>(size_bytes(b.dtype));
    view_ = {nullptr, b.dtype, b.lo, b.hi, std::vector<std::int64_t>(b.lo.size())};
    std::int64_t stride = size * layout.step, first = 0;
    for (std::size_t i = layout.order.size(); i-- > 0;) {
      const std::size_t axis = layout.order[i];
      view_.strides[axis] = layout.backwards[axis] ? -stride : stride;
      if (layout.backwards[axis]) first += stride * std::max<std::int64_t>(0, b.extent(axis) - 1);
      stride *= b.extent(axis);
    }
    memory_.assign(static_cast<std::size_t>(std::max(stride, size)) + 2 * kRoom, kRubbish);
    view_.data = memory_.data() + kRoom + first;
    each([&](std::byte* element, const std::byte* packed) {
      std::memcpy(element, packed, static_cast<std::size_t>(size));
    });
  }

  const api::ArrayView& view() const { return view_; }

  // The elements as they are now; whatever lies around them must be as it was.
  bool take(interp::Buffer& out) {
    out = buffer_;
    const std::size_t size = size_bytes(buffer_.dtype);
    std::size_t at = 0;
    each([&](std::byte* element, const std::byte*) {
      std::memcpy(out.data.data() + at, element, size);
      std::memset(element, static_cast<int>(kRubbish), size);
      at += size;
    });
    return std::all_of(memory_.begin(), memory_.end(), [](std::byte b) { return b == kRubbish; });
  }

 private:
  // f(where it lies, where it lies in the dense buffer), row by row.
  template <class F>
  void each(F f) {
    const std::size_t size = size_bytes(buffer_.dtype);
    std::vector<std::int64_t> at(buffer_.lo.size(), 0);
    for (std::size_t i = 0; i < buffer_.data.size(); i += size) {
      std::int64_t offset = 0;
      for (std::size_t x = 0; x < at.size(); ++x) offset += at[x] * view_.strides[x];
      f(view_.data + offset, buffer_.data.data() + i);
      for (std::size_t x = at.size(); x-- > 0;) {
        if (++at[x] < buffer_.extent(x)) break;
        at[x] = 0;
      }
    }
  }

  interp::Buffer buffer_;
  std::vector<std::byte> memory_;
  api::ArrayView view_;
};

}  // namespace

Layout argument_layout(const Array& array, std::uint64_t seed) {
  Layout l;
  l.order.resize(array.axes.size());
  std::iota(l.order.begin(), l.order.end(), std::size_t{0});
  l.backwards.assign(array.axes.size(), false);
  if (seed % 4 != 0 || array.axes.empty()) return l;  // most callers have dense arrays
  Rng rng(seed ^ array.name.hash() ^ 0x57de);
  if (rng.percent(30)) rng.shuffle(l.order);
  for (std::size_t x = 0; x < array.axes.size(); ++x) l.backwards[x] = rng.percent(20);
  // Otherwise extents of 1 could give the last axis stride 1 after all: another variant.
  const bool inside = l.order.back() + 1 != l.order.size();
  if (inside || rng.percent(30)) l.step = rng.between(2, 3);
  return l;
}

namespace {

using Arguments = api::Compiled::Arguments;

// Computed extents: the host allocates, densely.
struct Call {
  Arguments arguments;
  std::deque<Placed> placed;
  std::vector<std::pair<std::string, Placed*>> by_name;
};

void bind(Call& call, const Program& program, std::uint64_t seed, const interp::State& state) {
  call.arguments.parameters = state.parameters;
  for (const Array& a : program.arrays) {
    const auto given = state.arrays.find(std::string(a.name.text()));
    if (!is_argument(a) || given == state.arrays.end()) continue;
    call.placed.emplace_back(given->second, argument_layout(a, seed));
    call.by_name.emplace_back(given->first, &call.placed.back());
    call.arguments.arrays[given->first] = call.placed.back().view();
  }
}

}  // namespace

api::VariantKey road_key(const api::Compiled& compiled, std::uint64_t seed, bool stream) {
  api::VariantKey key;
  key.stream = stream;
  for (const Array& a : compiled.prepared().arrays) {
    if (!is_argument(a)) continue;
    const Layout l = argument_layout(a, seed);
    const bool computed = std::any_of(a.axes.begin(), a.axes.end(), [](const Axis& x) {
      return !arrays_read(x.lo).empty() || !arrays_read(x.hi).empty();
    });
    key.unit.push_back(
        computed || l.order.empty() ||
        (l.step == 1 && l.order.back() + 1 == l.order.size() && !l.backwards[l.order.back()]));
  }
  return key;
}

std::string run_compiled(api::Compiled& compiled, const Case& c, const RoadRun& run, int threads) {
  Call call;
  bind(call, c.program, c.seed, run.start);
  interp::State state;
  auto allocate = [&](const std::string& name, const std::vector<std::int64_t>& lo,
                      const std::vector<std::int64_t>& hi) {
    const Array* a = compiled.prepared().find_array(compiled.prepared().graph->symbol(name));
    interp::Buffer& b = state.arrays[name] = interp::make_buffer(a->dtype, lo, hi);
    api::ArrayView view{b.data.data(), b.dtype, lo, hi, std::vector<std::int64_t>(lo.size())};
    auto stride = static_cast<std::int64_t>(size_bytes(b.dtype));
    for (std::size_t x = lo.size(); x-- > 0;) {
      view.strides[x] = stride;
      stride *= b.extent(x);
    }
    return view;
  };
  FunctionRef<api::ArrayView(const std::string&, const std::vector<std::int64_t>&,
                             const std::vector<std::int64_t>&)>
      allocator(allocate);
  call.arguments.allocate = &allocator;
  try {
    api::RunOptions how;
    how.threads = threads;
    compiled.run(call.arguments, how);
  } catch (const std::exception& e) {
    return std::string("error: ") + e.what();
  }
  for (const auto& [name, placed] : call.by_name)
    if (!placed->take(state.arrays[name]))
      return "difference: something outside of the elements of '" + name + "' was written";
  const std::string d = difference(c.program, run.wanted, state);
  return d.empty() ? "" : "difference: " + d;
}

}  // namespace lathe::testing
