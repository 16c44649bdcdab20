// SPDX-License-Identifier: Apache-2.0
#include "road_case.h"

#include <algorithm>

#include "special_values.h"

namespace lathe::testing {

using namespace ir;

namespace {

// Element operations of one run: a few milliseconds.
constexpr std::uint64_t kMostRoadOperations = 400'000;
constexpr std::int64_t kMostRoadElements = 60'000;

std::vector<std::string> size_names(const Program& program) {
  std::vector<std::string> names;
  for (const Parameter& p : program.parameters)
    if (p.is_size) names.emplace_back(p.name.text());
  return names;
}

// Elements of all arrays whose extents the sizes decide.
std::int64_t element_count(const Program& program, std::uint64_t seed, const Sizes& sizes) {
  Program none = program;
  none.arrays.clear();
  const interp::State state = random_state(none, seed, sizes);
  std::int64_t total = 0;
  for (const Array& a : program.arrays) {
    try {
      const interp::Bounds b = interp::declared_bounds(program, a, state);
      std::int64_t count = 1;
      for (std::size_t x = 0; x < b.lo.size(); ++x)
        count *= std::max<std::int64_t>(0, b.hi[x] - b.lo[x]);
      total += count;
    } catch (const UserError&) {  // computed on the way, and small
    }
  }
  return total;
}

// Whoever relies on outputs being zero, or writes more than its points, is seen.
void spoil_outputs(const Program& program, std::uint64_t seed, interp::State& state) {
  for (const Array& a : program.arrays) {
    if (a.role != Role::Output) continue;
    interp::Bounds bounds;
    try {
      bounds = interp::declared_bounds(program, a, state);
    } catch (const UserError&) {
      continue;  // its extent is computed on the way
    }
    Rng rng(seed ^ a.name.hash() ^ 0x90150);
    interp::Buffer b = interp::make_buffer(a.dtype, bounds.lo, bounds.hi);
    for (std::size_t at = 0; at < b.data.size(); at += size_bytes(a.dtype))
      random_value(a.dtype, rng).store(b.data.data() + at);
    state.arrays[std::string(a.name.text())] = std::move(b);
  }
}

}  // namespace

std::vector<Sizes> road_sizes(const Program& program, std::uint64_t seed) {
  constexpr std::int64_t kWide[] = {7,  8,  9,  15, 16, 17, 18, 23, 24, 25, 31, 32,
                                    33, 40, 47, 48, 63, 64, 65, 66, 95, 97, 129};
  constexpr std::int64_t kMiddle[] = {6, 7, 8, 9, 11, 12, 13, 16, 17, 19};
  constexpr std::int64_t kSmall[] = {1, 2, 3, 4, 5};
  Rng rng(seed ^ 0x512e5);
  const std::vector<std::string> names = size_names(program);
  std::vector<Sizes> all(4);
  const std::size_t wide = names.empty() ? 0 : rng.below(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    all[1][names[i]] = i == wide ? rng.pick(kWide) : rng.pick(kSmall);
    all[2][names[i]] = rng.pick(kMiddle);
    all[3][names[i]] = rng.between(0, 1);
  }
  if (names.empty()) all.resize(1);
  return all;  // the first as random_state() draws them
}

std::shared_ptr<const Subject> make_subject(const Case& c, const std::vector<Sizes>& sizes) {
  auto subject = std::make_shared<Subject>(Subject{c, {}});
  for (Sizes s : sizes) try {
      const auto halve = [&] {
        for (auto& [name, size] : s) size = (size + 1) / 2;
      };
      while (!s.empty() && element_count(c.program, c.seed, s) > kMostRoadElements &&
             std::any_of(s.begin(), s.end(), [](const auto& size) { return size.second > 1; }))
        halve();
      for (int tries = 0; tries < 4; ++tries) {
        RoadRun r;
        r.sizes = s;
        r.start = random_state(c.program, c.seed, s);
        spoil_outputs(c.program, c.seed, r.start);
        RunOptions how;
        how.operation_cap = kMostRoadOperations;
        Outcome out = testing::run(c.program, r.start, how);
        if (out.error.empty()) {
          r.wanted = std::move(out.state);
          subject->runs.push_back(std::move(r));
          break;
        }
        if (out.operations < kMostRoadOperations) break;
        halve();
      }
    } catch (const UserError&) {  // extents that only a run can tell
    }
  return subject;
}

Case road_case(std::uint64_t seed) {
  RandomOptions options;
  options.contractions = 14;
  Rng rng(seed ^ 0x40ad);
  // Small programs: what goes wrong on the road goes wrong in them, and they compile quickly.
  options.items = rng.percent(15) ? 6 : static_cast<int>(rng.between(0, 3));
  options.depth = static_cast<int>(rng.between(2, 3));
  return random_case(seed, options);
}

std::shared_ptr<const Subject> road_subject(std::uint64_t seed) {
  const Case c = road_case(seed);
  return make_subject(c, road_sizes(c.program, seed));
}

std::string text(const Sizes& sizes) {
  std::string out;
  for (const auto& [name, value] : sizes)
    out += (out.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return out;
}

}  // namespace lathe::testing
