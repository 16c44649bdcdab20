// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which elements have been written, and by which iteration of a parallel loop they were touched:
// finds reads of undefined contents, and races.

#include <cstdint>
#include <vector>

#include "interp/space.h"

namespace lathe::interp {

class Ledger {
 public:
  enum class Verdict : std::uint8_t { Good, Undefined, Race };

  // The array has been allocated with `count` elements.
  void open(Id array, std::int64_t count, bool defined);
  Verdict read(Id array, std::int64_t offset);
  Verdict write(Id array, std::int64_t offset);
  // The first element that nothing has written; -1 when there is none.
  std::int64_t first_undefined(Id array) const;
  void define_all(Id array);
  void rotate(std::span<const Id> arrays);

  // Iterations of a parallel loop have numbers of their own, one after another; the number after
  // the last stands for "several of them".
  void enter_parallel(std::uint64_t count);
  void set_iteration(std::uint64_t k) { now_ = first_ + k; }
  void leave_parallel() { first_ = now_ = 0; }

 private:
  struct Touched {
    std::size_t count = 0;
    std::vector<std::uint8_t> defined;          // empty: all
    std::vector<std::uint64_t> writer, reader;  // empty: nobody; the last iteration
  };
  bool by_another(std::uint64_t iteration) const {
    return iteration >= first_ && iteration != now_;
  }
  Touched& stamped(Id array);

  std::vector<Touched> arrays_;
  std::uint64_t next_ = 1, first_ = 0, now_ = 0, several_ = 0;  // first_ 0: in no parallel loop
};

}  // namespace lathe::interp
