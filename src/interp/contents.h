// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an accumulation accumulates into: the old contents of its targets.

#include <map>
#include <optional>
#include <vector>

#include "interp/reduction.h"

namespace lathe::interp {

// The contents that the statement accumulates into: one tuple per kept point.
class Contents {
 public:
  Contents(Space& space, const ir::Statement& s, const Combination& combination, bool waits)
      : space_(space), combination_(combination), fresh_(s.accumulate->fresh), waits_(waits) {
    for (const ir::Target& t : s.targets) {
      const auto local = space.locals.find(t.array);
      arrays_.push_back(local != space.locals.end() ? local->second.array : space.find(t.array));
    }
    for (std::size_t c = 0; c < arrays_.size(); ++c)
      waits_ = waits_ || space.array(arrays_[c]).dtype != combination.dtype(c);
  }

  void begin() {
    waiting_.clear();
    unwritten_.reset();
    if (fresh_ && !waits_) clear();
  }

  // Puts the old content of the elements into acc. Old content that nothing has written is an
  // error only if something is stored.
  void load(const std::vector<std::int64_t>& offsets, void* const* acc) {
    unwritten_.reset();
    const auto found = waits_ ? waiting_.find(offsets) : waiting_.end();
    for (std::size_t c = 0; c < arrays_.size(); ++c) {
      if (found != waiting_.end()) {
        found->second[c].store(acc[c]);
      } else if (waits_ && fresh_) {
        combination_.neutral(c).store(acc[c]);
      } else {
        old(c, offsets[c]).store(acc[c]);
      }
    }
  }

  bool is_unwritten() const { return unwritten_.has_value(); }

  void store(const std::vector<std::int64_t>& offsets, void* const* acc) {
    if (unwritten_) throw Fault(*unwritten_);
    if (waits_) {
      std::vector<ir::Scalar>& entry = waiting_[offsets];
      entry.clear();
      for (std::size_t c = 0; c < arrays_.size(); ++c)
        entry.push_back(ir::Scalar::load(combination_.dtype(c), acc[c]));
      return;
    }
    for (std::size_t c = 0; c < arrays_.size(); ++c)
      space_.write(arrays_[c], {nullptr, offsets[c], 0}, acc[c], nullptr, 1, false);
  }

  void end() {
    if (!waits_) return;
    if (fresh_) clear();
    for (const auto& [offsets, values] : waiting_)
      for (std::size_t c = 0; c < arrays_.size(); ++c) {
        std::uint64_t cell = 0;
        values[c].cast(space_.array(arrays_[c]).dtype).store(&cell);
        space_.write(arrays_[c], {nullptr, offsets[c], 0}, &cell, nullptr, 1, false);
      }
    waiting_.clear();
  }

 private:
  ir::Scalar old(std::size_t c, std::int64_t offset) {
    const RunArray& a = space_.allocated(arrays_[c]);
    if (!a.written.empty() && a.written[static_cast<std::size_t>(offset)] == 0) {
      Fault fault;
      fault.kind = Fault::Kind::Unwritten;
      fault.array = a.name;
      fault.index = a.index_of(offset);
      unwritten_ = std::move(fault);
    }
    return ir::Scalar::load(a.dtype, a.element(offset)).cast(combination_.dtype(c));
  }

  void clear() {
    for (std::size_t c = 0; c < arrays_.size(); ++c)
      space_.fill(arrays_[c], combination_.neutral(c).cast(space_.array(arrays_[c]).dtype));
  }

  Space& space_;
  const Combination& combination_;
  bool fresh_, waits_;
  std::optional<Fault> unwritten_;
  std::vector<Id> arrays_;
  std::map<std::vector<std::int64_t>, std::vector<ir::Scalar>> waiting_;
};

}  // namespace lathe::interp
