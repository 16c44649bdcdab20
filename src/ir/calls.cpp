// SPDX-License-Identifier: Apache-2.0
#include "ir/calls.h"

#include <algorithm>

namespace lathe::ir {
namespace {

constexpr CallInfo kCalls[] = {
    {"sort", CallKind::Sort, 1, 1, true},
    {"argsort", CallKind::Argsort, 1, 1, true},
    {"searchsorted", CallKind::Searchsorted, 2, 1, true},
    {"searchsorted_right", CallKind::SearchsortedRight, 2, 1, true},
    {"contains", CallKind::Contains, 2, 1, true},
    {"nonzero_count", CallKind::NonzeroCount, 1, 1, true},
    {"nonzero", CallKind::Nonzero, 1, 1, true},
    {"cholesky", CallKind::Cholesky, 1, 1, true},
    {"strict_cholesky", CallKind::StrictCholesky, 1, 1, true},
    {"solve", CallKind::Solve, 2, 1, true},
    {"det", CallKind::Det, 1, 1, true},
    {"slogdet", CallKind::Slogdet, 1, 1, true},
    {"cofactors", CallKind::Cofactors, 1, 1, true},
    {"qr", CallKind::Qr, 1, 1, true},
    {"qr_complete", CallKind::QrComplete, 1, 1, true},
    {"eigh", CallKind::Eigh, 1, 1, true},
    {"eigvalsh", CallKind::Eigvalsh, 1, 1, true},
    {"svd", CallKind::Svd, 1, 1, true},
    {"svd_full", CallKind::SvdFull, 1, 1, true},
    {"svdvals", CallKind::Svdvals, 1, 1, true},
};

}  // namespace

std::span<const CallInfo> all_calls() { return kCalls; }

const CallInfo* find_call(std::string_view name) {
  const auto* found = std::find_if(std::begin(kCalls), std::end(kCalls),
                                   [&](const CallInfo& c) { return c.name == name; });
  return found == std::end(kCalls) ? nullptr : found;
}

}  // namespace lathe::ir
