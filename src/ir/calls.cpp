// SPDX-License-Identifier: Apache-2.0
// The table of operations on whole arrays; their meaning is the interpreter's.

#include "ir/calls.h"

#include <array>

namespace lathe::ir {
namespace {

constexpr std::array<CallInfo, 6> kCalls = {{
    // name          kind                    inputs outputs bit_exact
    {"sort", CallKind::Sort, 1, 1, true},
    {"argsort", CallKind::Argsort, 1, 1, true},
    {"searchsorted", CallKind::Searchsorted, 2, 1, true},
    {"nonzero_count", CallKind::NonzeroCount, 1, 1, true},
    {"nonzero", CallKind::Nonzero, 1, 1, true},
    {"cholesky", CallKind::Cholesky, 1, 1, true},
}};

}  // namespace

std::span<const CallInfo> all_calls() { return kCalls; }

const CallInfo* find_call(std::string_view name) {
  for (const CallInfo& call : kCalls)
    if (call.name == name) return &call;
  return nullptr;
}

}  // namespace lathe::ir
