// SPDX-License-Identifier: Apache-2.0
#include "interp/loops_ledger.h"

#include <algorithm>

namespace lathe::interp {

void Ledger::open(Id array, std::int64_t count, bool defined) {
  if (arrays_.size() <= array) arrays_.resize(array + 1);
  Touched& t = arrays_[array];
  t.count = static_cast<std::size_t>(count);
  t.defined.assign(defined ? 0 : t.count, 0);
  t.writer.clear();
  t.reader.clear();
}

Ledger::Touched& Ledger::stamped(Id array) {
  Touched& t = arrays_[array];
  if (t.writer.empty()) {
    t.writer.assign(t.count, 0);
    t.reader.assign(t.count, 0);
  }
  return t;
}

Ledger::Verdict Ledger::read(Id array, std::int64_t offset) {
  const auto at = static_cast<std::size_t>(offset);
  if (first_ != 0) {
    Touched& t = stamped(array);
    if (by_another(t.writer[at])) return Verdict::Race;
    t.reader[at] = by_another(t.reader[at]) ? several_ : now_;
  }
  const Touched& t = arrays_[array];
  return t.defined.empty() || t.defined[at] != 0 ? Verdict::Good : Verdict::Undefined;
}

Ledger::Verdict Ledger::write(Id array, std::int64_t offset) {
  const auto at = static_cast<std::size_t>(offset);
  if (first_ != 0) {
    Touched& t = stamped(array);
    if (by_another(t.writer[at]) || by_another(t.reader[at])) return Verdict::Race;
    t.writer[at] = now_;
  }
  Touched& t = arrays_[array];
  if (!t.defined.empty()) t.defined[at] = 1;
  return Verdict::Good;
}

std::int64_t Ledger::first_undefined(Id array) const {
  const std::vector<std::uint8_t>& defined = arrays_[array].defined;
  const auto hole = std::find(defined.begin(), defined.end(), std::uint8_t{0});
  return hole == defined.end() ? -1 : hole - defined.begin();
}

void Ledger::define_all(Id array) { arrays_[array].defined.clear(); }

void Ledger::rotate(std::span<const Id> arrays) {
  for (std::size_t i = 0; i + 1 < arrays.size(); ++i)
    std::swap(arrays_[arrays[i]], arrays_[arrays[i + 1]]);
}

void Ledger::enter_parallel(std::uint64_t count) {
  first_ = next_;
  several_ = first_ + count;
  next_ = several_ + 1;
}

}  // namespace lathe::interp
