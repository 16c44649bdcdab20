// SPDX-License-Identifier: Apache-2.0
// Printing and running loop nests. Both recurse: a nest is as deep as its set has variables.

#include "analysis/loop_nest.h"

#include "base/diagnostics.h"

namespace lathe::analysis {
namespace {

void print(const LoopNest& nest, const std::string& indent, std::string& out) {
  const auto print_all = [&](const std::vector<LoopNest>& body, const std::string& at) {
    for (const LoopNest& inner : body) print(inner, at, out);
  };
  switch (nest.kind) {
    case LoopNest::Kind::Block: print_all(nest.body, indent); break;
    case LoopNest::Kind::For:
      out += indent + "for " + nest.iterator + " = " + to_text(nest.first) + " .. " +
             to_text(nest.last) + (nest.step == 1 ? "" : " step " + std::to_string(nest.step)) +
             "\n";
      print_all(nest.body, indent + "  ");
      break;
    case LoopNest::Kind::If:
      out += indent + "if " + to_text(nest.condition) + "\n";
      print_all(nest.body, indent + "  ");
      if (!nest.otherwise.empty()) out += indent + "else\n";
      print_all(nest.otherwise, indent + "  ");
      break;
    case LoopNest::Kind::Point: {
      out += indent + "(";
      for (std::size_t k = 0; k < nest.point.size(); ++k)
        out += (k == 0 ? "" : ", ") + to_text(nest.point[k]);
      out += ")\n";
      break;
    }
  }
}

using Values = std::map<std::string, std::int64_t>;

std::int64_t value(const ir::PwAff& e, const Values& values) {
  const auto v = e.evaluate(values);
  check(v.has_value(), "a loop bound that the parameters give");
  return *v;
}

void visit(const LoopNest& nest, Values& values,
           FunctionRef<void(const std::vector<std::int64_t>&)> f) {
  switch (nest.kind) {
    case LoopNest::Kind::Block:
      for (const LoopNest& inner : nest.body) visit(inner, values, f);
      break;
    case LoopNest::Kind::For: {
      const std::int64_t first = value(nest.first, values), last = value(nest.last, values);
      for (std::int64_t at = first; at <= last; at += nest.step) {
        values[nest.iterator] = at;
        for (const LoopNest& inner : nest.body) visit(inner, values, f);
      }
      values.erase(nest.iterator);
      break;
    }
    case LoopNest::Kind::If: {
      const auto holds = nest.condition.contains(values);
      check(holds.has_value(), "a loop condition that the parameters decide");
      for (const LoopNest& inner : *holds ? nest.body : nest.otherwise) visit(inner, values, f);
      break;
    }
    case LoopNest::Kind::Point: {
      std::vector<std::int64_t> point;
      for (const ir::PwAff& e : nest.point) point.push_back(value(e, values));
      f(point);
      break;
    }
  }
}

}  // namespace

std::string to_text(const LoopNest& nest) {
  std::string out;
  print(nest, "", out);
  return out;
}

void run(const LoopNest& nest, const std::map<std::string, std::int64_t>& parameters,
         FunctionRef<void(const std::vector<std::int64_t>&)> f) {
  Values values = parameters;
  visit(nest, values, f);
}

}  // namespace lathe::analysis
