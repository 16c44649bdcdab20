// SPDX-License-Identifier: Apache-2.0
#pragma once
// The body of a group of a program, as text. Reads are trusted, those of arrays r... risky, those
// of arrays e... checked; locals of the group become Vars. `domains`: guards are domains of their
// tasks.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <unordered_set>

#include "body_text.h"
#include "ir/traverse.h"
#include "lower/order_body.h"

namespace lathe::lower {

inline std::string ordered(std::string_view lines, bool flat = false, bool channels = false,
                           bool domains = false) {
  const std::string text = R"(program test(n: size, a: f64)
  input u: f64[i: n]
  input r: f64[i: n]
  input e: f64[i: n]
  input m: f64[i: n, c: 3]
  input p: i64[i: n]
  output v: f64[i: n]
  output w: f64[i: n]
  output z: f64[i: n]

  for i in 0..n:
    local x: f64
)" + std::string(lines);
  Diagnostics diagnostics;
  auto sources = std::make_shared<SourceMap>();
  const auto program = ir::parse_program("test.lathe", text, diagnostics, sources);
  EXPECT_TRUE(program) << render_text(diagnostics, *sources) << text;
  if (!program) return "";
  ir::RawMaker maker(*program->graph);
  const auto& group = std::get<ir::Group>(program->body[0].node);

  const auto change = [&](ir::Expr e) -> ir::Expr {
    if (e->op != ir::Op::Read) return nullptr;
    if (e->arg_count == 0) return maker.graph().param(e->name, e->dtype);
    if (e->name.text()[0] == 'e') return nullptr;
    // Indices of the programs here are no reads but of p, and those are not nested.
    std::vector<ir::Expr> indices;
    for (ir::Expr index : e->args()) {
      if (index->op == ir::Op::Read)
        index = maker.graph().read(index->name, index->dtype, index->args(), ir::Policy::Trusted);
      indices.push_back(index);
    }
    return maker.graph().read(e->name, e->dtype, indices, ir::Policy::Trusted);
  };
  const auto prepared = [&](ir::Expr e) { return ir::rewrite(maker, e, change); };

  std::vector<Task> tasks;
  for (const ir::Statement& s : group.statements) {
    Task task;
    if (s.domain.guard) task.conditions.push_back(prepared(s.domain.guard));
    if (domains) task.domain = task.conditions.size();
    task.target = s.targets[0].array;
    task.assign = s.targets[0].indices.empty();
    for (ir::Expr index : s.targets[0].indices) task.indices.push_back(prepared(index));
    task.value = prepared(s.values[0]);
    task.label = s.label;
    tasks.push_back(task);
  }
  const auto risky = [](ir::Expr e) { return e->name.text()[0] == 'r'; };
  const auto site = [](ir::Expr) { return std::size_t{0}; };
  const auto axes = [&](ir::Symbol name) { return program->find_array(name)->axes; };
  FunctionRef<bool(ir::Expr)> risky_ref = risky;
  FunctionRef<std::size_t(ir::Expr)> site_ref = site;
  FunctionRef<std::vector<ir::Axis>(ir::Symbol)> axes_ref = axes;
  OrderOptions options;
  options.flat = flat;
  options.channels = channels;
  options.risky = &risky_ref;
  options.site_of = &site_ref;
  options.axes_of = &axes_ref;
  std::string body = body_text(order_body(maker, tasks, options));
  constexpr std::string_view kNoise = "; trusted";
  for (std::size_t at; (at = body.find(kNoise)) != std::string::npos;)
    body.erase(at, kNoise.size());
  return "\n" + body;
}

}  // namespace lathe::lower
