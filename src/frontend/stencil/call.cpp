// SPDX-License-Identifier: Apache-2.0
#include "frontend/stencil/call.h"

#include <algorithm>

#include "base/quoted.h"

namespace lathe::stencil {
namespace {

constexpr std::int64_t kHuge = std::int64_t{1} << 60;

std::string list(const std::vector<std::int64_t>& numbers) {
  std::string text = "(";
  for (std::int64_t n : numbers) text += (text.size() > 1 ? ", " : "") + std::to_string(n);
  return text + (numbers.size() == 1 ? ",)" : ")");
}

std::size_t axis_number(char name) { return static_cast<std::size_t>(name - 'I'); }

class Planner {
 public:
  Planner(const Info& info, const std::map<std::string, Given>& given, const CallOptions& options)
      : info_(info), given_(given), options_(options) {}

  CallPlan run() {
    check_names();
    for (const Argument& a : info_.arguments)
      if (a.is_field && a.access != Access::None) check_kind(a);
    CallPlan plan;
    plan.domain = options_.domain ? *options_.domain : largest_domain();
    check_domain(plan.domain);
    for (const Argument& a : info_.arguments)
      if (a.is_field && a.access != Access::None) plan.parts.emplace(a.name, part(a, plan.domain));
    return plan;
  }

 private:
  void check_names() {
    for (const auto& [name, origin] : options_.origin) {
      if (name == "_all_") continue;
      const Argument* a = info_.find(name);
      if (!a || !a->is_field)
        throw UserError("an origin is given for " + quoted(name) +
                        ", which is not a field of stencil " + quoted(info_.name));
    }
  }

  void check_kind(const Argument& a) {
    const auto at = given_.find(a.name);
    if (at == given_.end())
      throw UserError("missing value for field " + quoted(a.name) + " of stencil " +
                      quoted(info_.name));
    const Given& g = at->second;
    if (g.dtype != a.dtype)
      throw UserError("field " + quoted(a.name) + " is " + std::string(python_name(a.dtype)) +
                          ", and the array given is " + std::string(python_name(g.dtype)),
                      {}, "convert the array, or compile the stencil for its dtype",
                      ErrorKind::DType);
    const std::size_t rank = a.axes.size() + a.data_dims.size();
    if (g.shape.size() != rank)
      throw UserError("the array for " + quoted(a.name) + " has " + std::to_string(g.shape.size()) +
                          " dimensions, and the field has " + std::to_string(rank),
                      {},
                      "its axes are " + a.axes +
                          (a.data_dims.empty() ? "" : ", then data of shape " + list(a.data_dims)));
    for (std::size_t d = 0; d < a.data_dims.size(); ++d)
      if (g.shape[a.axes.size() + d] != a.data_dims[d])
        throw UserError("field " + quoted(a.name) + " expects data dimensions " +
                        list(a.data_dims) + ", and the array has shape " + list(g.shape));
  }

  // In the order of the field's axes; nothing: not given.
  std::optional<std::vector<std::int64_t>> origin_of(const Argument& a) const {
    auto at = options_.origin.find(a.name);
    if (at == options_.origin.end()) at = options_.origin.find("_all_");
    if (at == options_.origin.end()) return std::nullopt;
    const std::vector<std::int64_t>& given = at->second;
    std::vector<std::int64_t> origin;
    if (given.size() == 1 && a.axes.size() != 1) {
      origin.assign(a.axes.size(), given[0]);
    } else if (given.size() == a.axes.size()) {
      origin = given;
    } else if (given.size() == 3) {
      for (char c : a.axes) origin.push_back(given[axis_number(c)]);
    } else {
      throw UserError("invalid origin " + list(given) + " of field " + quoted(a.name) +
                          ", whose axes are " + a.axes,
                      {}, "give one number per axis");
    }
    for (std::int64_t n : origin)
      if (n < 0)
        throw UserError("invalid origin " + list(given) + " of field " + quoted(a.name) +
                            ": it is the index of an element",
                        {}, "count from 0");
    return origin;
  }

  // How many elements lie before the first point of the domain: given, or as few as are needed by
  // all whose arrays are as long. One point has one index in arrays of one shape; unless a domain
  // is given that does not fit so.
  std::int64_t before(const Argument& a, std::size_t place, std::int64_t n) const {
    if (const auto origin = origin_of(a)) return (*origin)[place];
    const std::size_t axis = axis_number(a.axes[place]);
    const auto needed = [&](const Argument& x) {
      return std::max<std::int64_t>(0, -x.needed[axis].bounds(n).first);
    };
    const std::int64_t length = given_.at(a.name).shape[place];
    std::vector<const Argument*> alike;
    std::int64_t most = 0;
    for (const Argument& x : info_.arguments) {
      const std::size_t p = x.axes.find(a.axes[place]);
      if (!x.is_field || x.access == Access::None || p == std::string::npos || origin_of(x) ||
          given_.at(x.name).shape[p] != length)
        continue;
      alike.push_back(&x);
      most = std::max(most, needed(x));
    }
    const bool fits = !options_.domain || std::all_of(alike.begin(), alike.end(), [&](auto* x) {
      return most + x->needed[axis].bounds(n).second <= length;
    });
    return fits ? most : needed(a);
  }

  std::array<std::int64_t, 3> largest_domain() const {
    std::array<std::int64_t, 3> domain{kHuge, kHuge, kHuge};
    for (const Argument& a : info_.arguments) {
      if (!a.is_field || a.access == Access::None) continue;
      const Given& g = given_.at(a.name);
      for (std::size_t p = 0; p < a.axes.size(); ++p) {
        const std::size_t axis = axis_number(a.axes[p]);
        // The largest n that fits: needs grow with n.
        const std::int64_t above = a.needed[axis].above().value_or(0);
        const std::int64_t fits = g.shape[p] - before(a, p, g.shape[p]) - above;
        domain[axis] = std::min(domain[axis], fits);
      }
    }
    for (std::int64_t& n : domain)
      if (n == kHuge) n = 1;
    return domain;
  }

  void check_domain(const std::array<std::int64_t, 3>& domain) const {
    const std::string text = list({domain.begin(), domain.end()});
    for (std::int64_t n : domain) {
      if (n < 0 && options_.domain) throw UserError("invalid 'domain' value " + text);
      if (n <= 0)
        throw UserError(options_.domain ? "the compute domain " + text + " contains zero sizes"
                                        : "the arrays leave no compute domain: " + text,
                        {},
                        options_.domain ? ""
                                        : "make them larger by what the stencil reads "
                                          "around the domain");
    }
    if (domain[2] < info_.min_levels)
      throw UserError("the compute domain is too small: K has " + std::to_string(domain[2]) +
                      (domain[2] == 1 ? " level" : " levels") + ", and the intervals of stencil " +
                      quoted(info_.name) + " need " + std::to_string(info_.min_levels));
  }

  CallPlan::Part part(const Argument& a, const std::array<std::int64_t, 3>& domain) const {
    const Given& g = given_.at(a.name);
    CallPlan::Part r;
    for (std::size_t p = 0; p < a.axes.size(); ++p) {
      const std::size_t axis = axis_number(a.axes[p]);
      auto [lo, hi] = a.needed[axis].bounds(domain[axis]);
      const std::int64_t origin = before(a, p, domain[axis]);
      if (origin + lo < 0)
        throw UserError("the origin of field " + quoted(a.name) +
                            " is too small: " + std::to_string(origin) + " in " + a.axes[p] +
                            ", and the stencil reads " + std::to_string(-lo) + " before the domain",
                        a.span, "give it an origin of " + std::to_string(-lo) + " there, or more");
      if (hi > lo && origin + hi > g.shape[p])
        throw UserError(
            "the array for " + quoted(a.name) + " has " + std::to_string(g.shape[p]) + " in " +
                a.axes[p] + ", but must have at least " + std::to_string(origin + hi),
            a.span,
            "its origin is " + std::to_string(origin) + ", the domain has " +
                std::to_string(domain[axis]) +
                (hi > domain[axis]
                     ? ", and the stencil reads " + std::to_string(hi - domain[axis]) + " after it"
                     : std::string()));
      if (a.axes[p] == 'K' && a.has_any_level()) {
        lo = -origin, hi = g.shape[p] - origin;
        r.levels_before = origin, r.levels_after = hi - domain[axis];
      }
      r.origin.push_back(origin);
      r.begin.push_back(origin + lo);
      r.extent.push_back(std::max<std::int64_t>(0, hi - lo));
    }
    for (std::int64_t d : a.data_dims) {
      r.begin.push_back(0);
      r.extent.push_back(d);
    }
    return r;
  }

  const Info& info_;
  const std::map<std::string, Given>& given_;
  const CallOptions& options_;
};

}  // namespace

CallPlan plan_call(const Info& info, const std::map<std::string, Given>& given,
                   const CallOptions& options) {
  return Planner(info, given, options).run();
}

}  // namespace lathe::stencil
