// SPDX-License-Identifier: Apache-2.0
#pragma once
// Questions about integer sets (ir/domain.h). Boxes are answered by interval arithmetic; the rest
// by isl, which only the isl_*.cpp files include, within a budget of operations per question.
//
// Every answer is safe: Yes and No are proofs, Unknown is what is said over budget. Reads and
// opaque conditions are any value and any subset; products of parameters (`n*m`) are parameters of
// their own with the facts that follow from their factors.
//
// Sets have parameters. `context` is what is known of them (sizes are not negative); a question is
// about all their values in the context at once.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/loop_nest.h"
#include "ir/domain.h"

namespace lathe::analysis {

using ir::PwAff;
using ir::SetExpr;

enum class Proof { Yes, No, Unknown };

// lower <= e <= upper at every point of the set; nothing when no bound in parameters is known.
// Exact: for all parameters for which the set has a point, some point attains it.
struct Bounds {
  std::optional<PwAff> lower, upper;
  bool lower_exact = false, upper_exact = false;
};

// Which signs an expression can have.
struct Signs {
  bool negative = true, zero = true, positive = true;
};

struct SetCounters {
  long questions = 0;
  long by_boxes = 0;  // answered without isl
  long by_isl = 0;
  long gave_up = 0;  // over budget, or not expressible: Unknown
};

class IslSets;

// Not thread-safe: one per thread.
class SetQuery {
 public:
  static constexpr long kDefaultBudget = 200'000;
  explicit SetQuery(long max_operations = kDefaultBudget);
  ~SetQuery();

  // Yes: no parameter values in the context give it a point. No: some do.
  Proof is_empty(const SetExpr& s, const SetExpr& context = SetExpr::universe());
  Proof is_subset(const SetExpr& a, const SetExpr& b, const SetExpr& context = SetExpr::universe());
  // Yes: no parameter values in the context give them a common point.
  Proof disjoint(const SetExpr& a, const SetExpr& b, const SetExpr& context = SetExpr::universe());
  // Yes: whenever `outer` has a point, `inner` has one (perhaps another), for all parameter values
  // in the context.
  Proof has_point_whenever(const SetExpr& inner, const SetExpr& outer,
                           const SetExpr& context = SetExpr::universe());

  // Of a - b + shift over the points of the set, for two of its variables; true: perhaps.
  Signs signs(const SetExpr& s, const std::string& a, const std::string& b, std::int64_t shift,
              const SetExpr& context = SetExpr::universe());
  Bounds bounds(const PwAff& e, const SetExpr& s, const SetExpr& context = SetExpr::universe());
  // A set that equals `s` inside the context, simpler if possible.
  SetExpr gist(const SetExpr& s, const SetExpr& context);

  // Every point for the given parameter values, in lexicographic order of `order`, which names all
  // variables of the set. Nothing when the set is unbounded, opaque or larger than kMaxPoints.
  static constexpr std::size_t kMaxPoints = 100'000;
  std::optional<std::vector<std::vector<std::int64_t>>> points(
      const SetExpr& s, const std::map<std::string, std::int64_t>& parameters,
      const std::vector<std::string>& order);
  // Loops that visit every point once, in lexicographic order of `order`.
  std::optional<LoopNest> scan(const SetExpr& s, const std::vector<std::string>& order,
                               const SetExpr& context = SetExpr::universe());

  const SetCounters& counters() const { return counters_; }
  bool isl_started() const { return isl_ != nullptr; }

 private:
  IslSets& isl();
  Proof count(Proof answer, bool by_box);
  const std::optional<ir::Box>& box_of(const ir::SetExpr& s);

  long max_operations_;
  std::unique_ptr<IslSets> isl_;  // made by the first question that boxes cannot answer
  SetCounters counters_;
  // Answers: the same questions come back for every schedule that is tried.
  std::unordered_map<std::string, Proof> empty_, subset_;
  std::unordered_map<std::string, Signs> signs_;
  std::unordered_map<std::string, std::optional<ir::Box>> boxes_;
};

}  // namespace lathe::analysis
