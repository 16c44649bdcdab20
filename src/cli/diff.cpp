// SPDX-License-Identifier: Apache-2.0
// lathe diff: two ways to run a program, side by side. Results decide whether they are equal; then
// the program is cut after its items, one by one, to find the first that the two ways disagree on.
//
//   lap, v, row     v differs: cut after lap: equal; after v: different. So it is v's statement.

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/quoted.h"
#include "cli/bindings.h"
#include "cli/compare.h"
#include "cli/stencil_binding.h"
#include "cli/tools.h"
#include "cli/ways.h"
#include "passes/rebuild.h"
#include "pipeline.h"

namespace lathe::cli {
namespace {

using Json = nlohmann::ordered_json;
using Comparisons = std::vector<std::pair<std::string, Comparison>>;  // by array, as declared

// Cutting after every item in turn takes as many runs; in longer programs the place is bisected.
constexpr std::size_t kMaxCuts = 24;

struct Pair {
  Way a, b;
  std::uint64_t ulps = 0;

  Comparisons run(const ir::Program& program, const interp::State& inputs) const {
    const interp::State x = run_way(a, program, inputs), y = run_way(b, program, inputs);
    Comparisons out;
    for (const std::string& name : result_names(program))
      out.emplace_back(name, compare(x.arrays.at(name), y.arrays.at(name), ulps));
    return out;
  }
};

bool all_equal(const Comparisons& arrays) {
  for (const auto& [name, c] : arrays)
    if (!c.equal()) return false;
  return true;
}

// The first statement, in program order, that writes an array that differs.
struct Finding {
  std::string statement, array;
  Span span;
  Comparison comparison;
};

Finding first_writer(const ir::Body& body, const Comparisons& arrays) {
  std::map<std::string_view, const Comparison*> different;
  for (const auto& [name, c] : arrays)
    if (!c.equal()) different[name] = &c;
  for (const ir::Item& item : body) {
    std::optional<Finding> found;
    ir::for_each_statement(ir::Body{item}, [&](const ir::Statement& s) {
      for (const ir::Target& t : s.targets)
        if (const auto it = different.find(t.array.text()); !found && it != different.end())
          found = Finding{std::string(s.label.text()), std::string(t.array.text()), s.span,
                          *it->second};
    });
    if (found) return *found;
    for (const ir::Symbol array : passes::touched(item).writes)  // calls, rotations
      if (const auto it = different.find(array.text()); it != different.end())
        return {std::string(passes::label_of(item).text()), std::string(array.text()),
                passes::span_of(item), *it->second};
  }
  internal_error("a statement that writes what differs");
}

class Search {
 public:
  Search(const Pair& pair, const ir::Program& program, const interp::State& inputs)
      : pair_(pair), program_(program), inputs_(inputs) {}

  // Nothing when both agree after every item that the program can be cut after.
  std::optional<Finding> run() {
    const std::size_t items = program_.body.size();
    std::size_t equal = 0;  // they agree after so many items
    if (items > kMaxCuts) {
      if (!different_after(items)) return std::nullopt;
      std::size_t different = items;
      while (different - equal > 1) {
        const std::size_t middle = equal + (different - equal) / 2;
        (different_after(middle) ? different : equal) = middle;
      }
    }
    for (std::size_t count = equal + 1; count <= items; ++count) {
      if (!different_after(count)) continue;
      const auto item = program_.body.begin() + static_cast<std::ptrdiff_t>(count) - 1;
      // An array of an earlier item differs only now: that item's successor made it differ.
      const passes::Touched touched = passes::touched(*item);
      Comparisons here;
      for (const auto& entry : last_)
        if (touched.writes.contains(program_.graph->symbol(entry.first))) here.push_back(entry);
      return all_equal(here) ? first_writer(program_.body, last_)
                             : first_writer(ir::Body{*item}, here);
    }
    return std::nullopt;
  }

 private:
  bool different_after(std::size_t count) {
    const auto cut = cut_after(program_, count);
    if (!cut) return false;
    last_ = pair_.run(*cut, inputs_);
    return !all_equal(last_);
  }

  const Pair& pair_;
  const ir::Program& program_;
  const interp::State& inputs_;
  Comparisons last_;
};

std::string ulps_text(const Comparison& c, std::uint64_t ulps) {
  if (ulps == kNoUlps) return is_float(c.dtype) ? "one is not a number" : "no distance";
  if (ulps == 0) return "zeros of different sign";
  return fmt::format("{} ulp{} of {}", ulps, ulps == 1 ? "" : "s", ir::name(c.dtype));
}

std::string extent_text(const Comparison& c) {
  if (c.ranges_differ) return "has different ranges";
  if (c.equal())
    return fmt::format("equal in {} element{}", c.elements, c.elements == 1 ? "" : "s");
  std::string text = fmt::format("differs in {} of {} element{}", c.different, c.elements,
                                 c.elements == 1 ? "" : "s");
  if (is_float(c.dtype) && c.max_ulps != kNoUlps && c.max_ulps > 0)
    text += ", by at most " + ulps_text(c, c.max_ulps);
  return text;
}

void print_finding(const Finding& f, const SourceMap& sources, std::ostream& out) {
  const Comparison& c = f.comparison;
  Diagnostic d;
  d.severity = Severity::Note;
  d.span = f.span;
  if (c.ranges_differ) {
    d.message = lathe::quoted(f.statement) +
                " is the first that differs: " + lathe::quoted(f.array) + " has different ranges";
    out << render_text(d, sources);
    return;
  }
  d.message = lathe::quoted(f.statement) + " is the first that differs, at " + f.array +
              index_text(c.first);
  out << render_text(d, sources);
  const std::string a = ir::to_text(c.a), b = ir::to_text(c.b);
  const std::size_t width = std::max(a.size(), b.size());
  out << fmt::format("  a  {:<{}}  {} {}\n", a, width, ir::name(c.a.dtype), bits_text(c.a))
      << fmt::format("  b  {:<{}}  {} {}\n", b, width, ir::name(c.b.dtype), bits_text(c.b));
  if (is_float(c.dtype)) out << "  " << ulps_text(c, c.ulps) << "\n";
}

Json number_json(std::uint64_t ulps) { return ulps == kNoUlps ? Json(nullptr) : Json(ulps); }

Json finding_json(const Finding& f, const SourceMap& sources) {
  const Comparison& c = f.comparison;
  Json json = {{"statement", f.statement}, {"array", f.array}};
  if (f.span.known()) {
    const Location at = sources.location(f.span);
    json["file"] = at.file;
    json["line"] = at.line;
  }
  if (c.ranges_differ) return json;
  const auto value = [](const ir::Scalar& s) {
    return Json({{"value", ir::to_text(s)},
                 {"dtype", std::string(ir::name(s.dtype))},
                 {"bits", bits_text(s)}});
  };
  json["index"] = c.first;
  json["a"] = value(c.a);
  json["b"] = value(c.b);
  json["ulps"] = number_json(c.ulps);
  return json;
}

void report(const DiffArgs& args, const Pair& pair, const Comparisons& results, bool equal,
            const std::optional<Finding>& first, const SourceMap& sources, std::ostream& out) {
  if (args.json) {
    Json json = {{"a", describe(pair.a)}, {"b", describe(pair.b)}, {"equal", equal}};
    json["results"] = Json::array();
    for (const auto& [name, c] : results)
      json["results"].push_back({{"array", name},
                                 {"elements", c.elements},
                                 {"different", c.different},
                                 {"ranges_differ", c.ranges_differ},
                                 {"max_ulps", number_json(c.max_ulps)}});
    if (first) json["first"] = finding_json(*first, sources);
    out << json.dump(2) << "\n";
    return;
  }
  out << "a: " << describe(pair.a) << "\nb: " << describe(pair.b) << "\n";
  if (first) print_finding(*first, sources, out);
  for (const auto& [name, c] : results) out << name << ": " << extent_text(c) << "\n";
  if (equal)
    out << (args.ulps == 0 ? "equal, bit for bit\n"
                           : fmt::format("equal within {} ulps\n", args.ulps));
}

// Of a stencil, what it starts from on the compute domain.
interp::State inputs_of(const DiffArgs& args, const Loaded& loaded, const ir::Program& program) {
  check_domain_words(args.domain, args.origin, args.file, loaded.stencil.has_value());
  if (!loaded.stencil) return bind_inputs(program, args.set, args.in);
  const StencilWords words{args.domain, args.origin, args.set, args.in};
  return StencilBinding(*loaded.stencil, args.stencil.layout, words).state();
}

}  // namespace

int diff(const DiffArgs& args, Streams io) {
  const auto loaded = load(args.file, args.json, io, args.stencil);
  if (!loaded) return 2;
  try {
    const Pair pair{parse_way("--a", args.a), parse_way("--b", args.b), args.ulps};
    const ir::Program program = run_pass(*find_pass("compute-extents"), loaded->program);
    const interp::State inputs = inputs_of(args, *loaded, program);
    const Comparisons results = pair.run(program, inputs);
    bool equal = all_equal(results);
    std::optional<Finding> first;
    const bool locked = !pair.a.schedule.empty() || !pair.b.schedule.empty();
    if ((!equal || args.every) && !locked) first = Search(pair, program, inputs).run();
    if (first) equal = false;
    // Decisions about a cut program may be others: what went wrong then no longer does.
    if (!equal && !first) first = first_writer(program.body, results);
    report(args, pair, results, equal, first, *loaded->sources, io.out);
    return equal ? 0 : 1;
  } catch (const UserError& e) {
    Diagnostics diagnostics;
    diagnostics.add(loaded->in_the_users_words(e.diagnostic()));
    report_errors(diagnostics, *loaded->sources, args.json, io);
    return 2;
  }
}

}  // namespace lathe::cli
