// SPDX-License-Identifier: Apache-2.0
#include "ir/calls.h"

#include <algorithm>

namespace lathe::ir {
namespace {

constexpr CallInfo kCalls[] = {
    {"sort", CallKind::Sort, 1, 1, true},
    {"argsort", CallKind::Argsort, 1, 1, true},
    {"searchsorted", CallKind::Searchsorted, 2, 1, true},
    {"nonzero_count", CallKind::NonzeroCount, 1, 1, true},
    {"nonzero", CallKind::Nonzero, 1, 1, true},
    {"cholesky", CallKind::Cholesky, 1, 1, true},
};

}  // namespace

std::span<const CallInfo> all_calls() { return kCalls; }

const CallInfo* find_call(std::string_view name) {
  const auto* found = std::find_if(std::begin(kCalls), std::end(kCalls),
                                   [&](const CallInfo& c) { return c.name == name; });
  return found == std::end(kCalls) ? nullptr : found;
}

}  // namespace lathe::ir
