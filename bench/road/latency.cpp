// SPDX-License-Identifier: Apache-2.0
#include "road/latency.h"

#include <fmt/format.h>

#include <chrono>

#include "base/files.h"
#include "device/host/temporary_folder.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "road/measure.h"
#include "road/workspace.h"

namespace lathe::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

ir::Program parse(const std::string& text) {
  Diagnostics diagnostics;
  auto program = ir::parse_program("bench.lathe", text, diagnostics);
  if (!program || !ir::verify(*program, diagnostics)) throw UserError(diagnostics.all().front());
  return std::move(*program);
}

struct Latency {
  double total = 0, compiler = 0;
  double lathe() const { return total - compiler; }
};

// From text to the end of the first run, whose own time at such sizes is nothing.
Latency first_result(const std::string& text, const std::string& folder,
                     const std::map<std::string, ir::Scalar>& parameters) {
  const auto begin = Clock::now();
  host::CacheSettings settings;
  settings.folder = folder;
  host::Cache cache(settings);
  const ir::Program program = parse(text);
  api::CompileOptions options;
  options.cache = &cache;
  api::Compiled compiled(program, options);
  interp::State state;
  state.parameters = parameters;
  for (const ir::Array& a : program.arrays)
    if (a.role == ir::Role::Input)
      state.arrays[std::string(a.name.text())] =
          interp::make_buffer(a, interp::declared_bounds(program, a, state));
  compiled.run(state);
  Latency out;
  out.total = seconds_since(begin);
  out.compiler = compiled.variant(compiled.plain_key()).library.compile_seconds;
  return out;
}

Record record(std::string bench, std::string size, std::string who, double seconds) {
  return {.bench = std::move(bench),
          .dtype = "f64",
          .size = std::move(size),
          .who = std::move(who),
          .seconds = seconds};
}

std::string statements_text(int count) {
  std::string out = "program many(n: size)\n";
  for (int s = 0; s < count; ++s) {
    out += fmt::format("  input  a{}: f64[i: n]\n", s);
    out += fmt::format("  output b{}: f64[i: n]\n", s);
  }
  out += "\n";
  for (int s = 0; s < count; ++s)
    out += fmt::format("  for i in 0..n: b{0}[i] = a{0}[i] * a{0}[i] + {0}\n", s);
  return out;
}

}  // namespace

std::vector<Record> compile_latency(const Options& options) {
  const std::string text = read_file(options.programs + "/ten.lathe");
  const std::map<std::string, ir::Scalar> parameters = {
      {"n", ir::Scalar::of_int(ir::DType::I64, 5)},
      {"m", ir::Scalar::of_int(ir::DType::I64, 9)},
      {"dt", ir::Scalar::of_double(ir::DType::F64, 0.1)}};
  std::vector<double> cold, share, compiler, cached;
  for (int i = 0; i < (options.quick ? 3 : 9); ++i) {
    const host::TemporaryFolder folder("bench");
    const Latency first = first_result(text, folder.path(), parameters);
    cold.push_back(first.total);
    share.push_back(first.lathe());
    compiler.push_back(first.compiler);
    cached.push_back(first_result(text, folder.path(), parameters).total);
  }
  return {record("compile_cold", "10 statements", "lathe and cc", median(cold)),
          record("compile_cold", "10 statements", "lathe", median(share)),
          record("compile_cold", "10 statements", "cc", median(compiler)),
          record("compile_cached", "10 statements", "lathe", median(cached))};
}

std::vector<Record> compile_statements(const Options& options) {
  std::vector<Record> out;
  for (const int count : {1, 2, 5, 10, 20, 50, 100, 200, 350, 500}) {
    if (options.quick && count > 100) break;
    const host::TemporaryFolder folder("bench");
    const Latency found = first_result(statements_text(count), folder.path(),
                                       {{"n", ir::Scalar::of_int(ir::DType::I64, 100)}});
    out.push_back(record("compile_statements", std::to_string(count), "lathe and cc", found.total));
    out.push_back(record("compile_statements", std::to_string(count), "lathe", found.lathe()));
  }
  return out;
}

std::vector<Record> call_overhead(const Options& options) {
  const ir::Program program = load_program(options.programs, "tiny", "f64");
  api::Compiled compiled(program);
  const Workspace space(program, {{"n", 64}, {"m", 8}});
  std::vector<Record> out;
  for (const int threads : {1, 2}) {
    api::Compiled::Arguments arguments = space.call_arguments();
    api::RunOptions how;
    how.threads = threads;
    std::vector<double> rounds;
    for (int round = 0; round < 15; ++round) {
      constexpr int kCalls = 1000;
      const auto begin = Clock::now();
      for (int i = 0; i < kCalls; ++i) compiled.run(arguments, how);
      rounds.push_back(seconds_since(begin) / kCalls);
    }
    out.push_back(record("call_overhead",
                         fmt::format("{} thread{}", threads, threads > 1 ? "s" : ""), "lathe",
                         median(rounds)));
  }
  return out;
}

}  // namespace lathe::bench
