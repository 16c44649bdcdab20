// SPDX-License-Identifier: Apache-2.0
// The questions, by isl's C interface (cpp.h costs 2 s to compile and lacks half of what is
// needed).

#include "analysis/isl_sets.h"

#include <isl/ast_build.h>
#include <isl/ctx.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/union_map.h>

#include <algorithm>

#include "analysis/extrema.h"
#include "analysis/isl_convert.h"
#include "analysis/isl_fold.h"

namespace lathe::analysis {

using ir::Comparison;
using ir::PwAff;
using ir::SetExpr;

struct IslSets::Context {
  isl_ctx* ctx = nullptr;
  long budget = 0;

  void begin(long factor = 1) const {
    isl_ctx_reset_error(ctx);
    isl_ctx_reset_operations(ctx);
    isl_ctx_set_max_operations(ctx, static_cast<unsigned long>(budget * factor));
  }
  // Did everything since begin() work?
  bool finish() const {
    const bool good = isl_ctx_last_error(ctx) == isl_error_none;
    isl_ctx_reset_error(ctx);
    return good;
  }
  std::optional<bool> answer(isl_bool b) const {
    if (!finish() || b == isl_bool_error) return std::nullopt;
    return b == isl_bool_true;
  }
};

namespace {

isl_stat collect_piece(isl_set* where, isl_aff* aff, void* user) {
  isl_set_free(where);
  static_cast<std::vector<isl_aff*>*>(user)->push_back(aff);
  return isl_stat_ok;
}

// Is an intersection with unions empty? isl would multiply all unions out before it looks for a
// point. Most questions are decided without them (what is empty without its unions is empty), or by
// one alternative that has a point; so the unions are opened one by one, the smallest first. A
// comparison with a maximum is such a union.
class Alternatives {
 public:
  Alternatives(isl_ctx* ctx, const IslSpace& space) : ctx_(ctx), space_(space) {}

  // Takes `base`: its points in all of `parts`.
  isl_bool are_empty(isl_set* base, const std::vector<SetExpr>& parts) {
    std::vector<SetExpr> unions;
    for (const SetExpr& part : parts) base = add(base, part, unions);
    isl_bool empty = isl_set_is_empty(base);
    if (empty == isl_bool_false && !unions.empty()) empty = open_smallest(base, unions);
    isl_set_free(base);
    return empty;
  }

 private:
  // Conjuncts go into the base, unions wait.
  isl_set* add(isl_set* base, const SetExpr& part, std::vector<SetExpr>& unions) {
    if (part.kind() == SetExpr::Kind::Union) {
      unions.push_back(part);
      return base;
    }
    if (part.kind() == SetExpr::Kind::Compare && opened_ < kMostOpened)
      if (const auto opened = open_extremum(part)) {
        ++opened_;
        return add(base, *opened, unions);
      }
    if (part.kind() != SetExpr::Kind::Intersection)
      return isl_set_intersect(base, to_isl(ctx_, space_, part));
    for (const SetExpr& p : part.parts()) base = add(base, p, unions);
    return base;
  }

  isl_bool open_smallest(isl_set* base, std::vector<SetExpr> unions) {
    const auto smallest = std::min_element(
        unions.begin(), unions.end(),
        [](const SetExpr& a, const SetExpr& b) { return a.parts().size() < b.parts().size(); });
    const SetExpr opened = *smallest;
    unions.erase(smallest);
    unions.push_back(SetExpr::universe());
    for (const SetExpr& alternative : opened.parts()) {
      unions.back() = alternative;
      const isl_bool empty = are_empty(isl_set_copy(base), unions);
      if (empty != isl_bool_true) return empty;
    }
    return isl_bool_true;
  }

  // A sum of k minima is 2^k comparisons. isl has its own ways with it, and a budget.
  static constexpr int kMostOpened = 200;

  isl_ctx* ctx_;
  const IslSpace& space_;
  int opened_ = 0;
};

}  // namespace

IslSets::IslSets(long max_operations) : context_(std::make_unique<Context>()) {
  context_->ctx = isl_ctx_alloc();
  context_->budget = max_operations;
  isl_options_set_on_error(context_->ctx, ISL_ON_ERROR_CONTINUE);
}

IslSets::~IslSets() { isl_ctx_free(context_->ctx); }

std::optional<bool> IslSets::is_empty(const SetExpr& s) {
  context_->begin();
  const IslSpace space({s});
  isl_set* all = to_isl(context_->ctx, space, SetExpr::universe());
  return context_->answer(Alternatives(context_->ctx, space).are_empty(all, {s}));
}

std::optional<bool> IslSets::is_subset(const SetExpr& a, const SetExpr& b) {
  context_->begin();
  const IslSpace space({a, b});
  isl_set* x = to_isl(context_->ctx, space, a);
  isl_set* y = to_isl(context_->ctx, space, b);
  const isl_bool yes = isl_set_is_subset(x, y);
  isl_set_free(x);
  isl_set_free(y);
  return context_->answer(yes);
}

std::optional<bool> IslSets::parameters_subset(const SetExpr& a, const SetExpr& b) {
  context_->begin();
  const IslSpace space({a, b});
  isl_set* x = isl_set_params(to_isl(context_->ctx, space, a));
  isl_set* y = isl_set_params(to_isl(context_->ctx, space, b));
  const isl_bool yes = isl_set_is_subset(x, y);
  isl_set_free(x);
  isl_set_free(y);
  return context_->answer(yes);
}

std::optional<Extreme> IslSets::extreme(const PwAff& e, const SetExpr& s, bool largest) {
  context_->begin();
  // A fresh first variable t == e; the extreme of that.
  const std::string t = "`t`";
  const SetExpr with_t =
      SetExpr::intersection({s, SetExpr::compare(PwAff::var(t), Comparison::Eq, e)});
  const IslSpace space({with_t}, {t});
  isl_set* x = to_isl(context_->ctx, space, with_t);
  isl_pw_aff* value = largest ? isl_set_dim_max(x, 0) : isl_set_dim_min(x, 0);
  std::vector<isl_aff*> pieces;
  isl_pw_aff_foreach_piece(value, collect_piece, &pieces);

  // One piece is the answer. Several: is it their minimum or maximum, or that of some of them?
  // Otherwise the bound that holds on all pieces.
  const std::optional<Fold> fold = fold_of(pieces, value);
  const bool exact = pieces.size() == 1 || fold;
  const bool use_min = fold ? fold->minimum : !largest;
  isl_pw_aff_free(value);
  std::optional<PwAff> result;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    const PwAff p = take_aff(pieces[k], space);
    if (fold && (fold->which >> k & 1) == 0) continue;
    result = !result ? p : use_min ? min(*result, p) : max(*result, p);
  }
  if (!context_->finish() || !result) return std::nullopt;
  return Extreme{*result, exact};
}

std::optional<SetExpr> IslSets::gist(const SetExpr& s, const SetExpr& given) {
  context_->begin();
  const IslSpace space({s, given});
  isl_set* x = to_isl(context_->ctx, space, s);
  x = isl_set_gist(isl_set_coalesce(x), to_isl(context_->ctx, space, given));
  const SetExpr simple = take_set(x, space);
  if (!context_->finish()) return std::nullopt;
  return simple;
}

std::optional<std::vector<std::vector<std::int64_t>>> IslSets::points(
    const SetExpr& s, const std::vector<std::string>& order, std::size_t max_points) {
  context_->begin(1000);
  const IslSpace space({s}, order);
  struct Found {
    std::vector<std::vector<std::int64_t>> points;
    std::size_t max_points, dimensions;
  } found{{}, max_points, space.variables.size()};
  isl_set* x = to_isl(context_->ctx, space, s);
  isl_stat status = isl_stat_error;
  if (space.parameters.empty() && isl_set_is_bounded(x) == isl_bool_true)
    status = isl_set_foreach_point(
        x,
        [](isl_point* p, void* user) {
          auto& out = *static_cast<Found*>(user);
          std::vector<std::int64_t> at;
          for (std::size_t k = 0; k < out.dimensions; ++k)
            at.push_back(
                take_int(isl_point_get_coordinate_val(p, isl_dim_set, static_cast<int>(k))));
          isl_point_free(p);
          out.points.push_back(std::move(at));
          return out.points.size() > out.max_points ? isl_stat_error : isl_stat_ok;
        },
        &found);
  isl_set_free(x);
  if (!context_->finish() || status != isl_stat_ok) return std::nullopt;
  std::sort(found.points.begin(), found.points.end());
  return found.points;
}

std::optional<LoopNest> IslSets::scan(const SetExpr& s, const std::vector<std::string>& order,
                                      const SetExpr& given) {
  context_->begin(10);
  const IslSpace space({s, given}, order);
  isl_ctx* ctx = context_->ctx;
  const auto name_parameters = [&](isl_set* x) {
    for (std::size_t k = 0; k < space.parameters.size(); ++k)
      x = isl_set_set_dim_name(x, isl_dim_param, static_cast<unsigned>(k),
                               ("p" + std::to_string(k)).c_str());
    return x;
  };
  isl_set* x = isl_set_coalesce(name_parameters(to_isl(ctx, space, s)));
  x = isl_set_set_tuple_name(x, "S");
  isl_map* schedule = isl_map_reset_tuple_id(isl_set_identity(x), isl_dim_out);
  isl_id_list* iterators = isl_id_list_alloc(ctx, static_cast<int>(space.variables.size()));
  for (std::size_t k = 0; k < space.variables.size(); ++k)
    iterators =
        isl_id_list_add(iterators, isl_id_alloc(ctx, ("v" + std::to_string(k)).c_str(), nullptr));
  isl_set* known = isl_set_params(name_parameters(to_isl(ctx, space, given)));
  isl_ast_build* build = isl_ast_build_set_iterators(isl_ast_build_from_context(known), iterators);
  isl_ast_node* tree =
      isl_ast_build_node_from_schedule_map(build, isl_union_map_from_map(schedule));
  isl_ast_build_free(build);
  if (tree == nullptr) {
    context_->finish();
    return std::nullopt;
  }
  LoopNest nest;
  const bool good = take_loops(tree, space, nest);
  if (!context_->finish() || !good) return std::nullopt;
  return nest;
}

}  // namespace lathe::analysis
