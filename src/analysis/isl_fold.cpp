// SPDX-License-Identifier: Apache-2.0
#include "analysis/isl_fold.h"

#include <algorithm>
#include <bit>

namespace lathe::analysis {
namespace {

isl_pw_aff* folded(const std::vector<isl_aff*>& pieces, const Fold& f) {
  isl_pw_aff* r = nullptr;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    if ((f.which >> k & 1) == 0) continue;
    isl_pw_aff* p = isl_pw_aff_from_aff(isl_aff_copy(pieces[k]));
    r = r == nullptr ? p : f.minimum ? isl_pw_aff_min(r, p) : isl_pw_aff_max(r, p);
  }
  return r;
}

}  // namespace

// Which fold of its pieces is the value? isl has pieces of their own for corners, such as 0 where
// n is 1 beside n-1: all of them are tried first, then some, if they are few.
std::optional<Fold> fold_of(const std::vector<isl_aff*>& pieces, isl_pw_aff* value) {
  constexpr std::size_t kFew = 4;
  if (pieces.size() < 2 || pieces.size() > 31) return std::nullopt;
  const unsigned all = (1u << pieces.size()) - 1;
  std::vector<Fold> folds;
  const unsigned last = pieces.size() <= kFew ? 1 : all;
  for (unsigned which = all; which >= last; --which)
    for (const bool minimum : {true, false}) folds.push_back({which, minimum});
  std::stable_sort(folds.begin(), folds.end(), [](const Fold& a, const Fold& b) {
    return std::popcount(a.which) > std::popcount(b.which);
  });
  for (const Fold& f : folds) {
    isl_pw_aff* candidate =
        isl_pw_aff_intersect_domain(folded(pieces, f), isl_pw_aff_domain(isl_pw_aff_copy(value)));
    const bool same = isl_pw_aff_is_equal(candidate, value) == isl_bool_true;
    isl_pw_aff_free(candidate);
    if (same) return f;
  }
  return std::nullopt;
}

}  // namespace lathe::analysis
