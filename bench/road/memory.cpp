// SPDX-License-Identifier: Apache-2.0
// The most that a process ever held can only be asked of a process that did nothing else.

#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdio>
#include <filesystem>

#include "road/contender.h"
#include "road/latency.h"

namespace lathe::bench {
namespace {

Row memory_row() {
  for (const Row& row : all_rows())
    if (row.text() == "hdiff f64 256^2x80") return row;
  return all_rows().front();
}

Record record(const Row& row, std::string who, double bytes) {
  return {.bench = "peak_memory",
          .dtype = row.dtype,
          .size = row.bench + " " + row.size_text,
          .who = std::move(who),
          .bytes = bytes};
}

}  // namespace

int print_memory(const Options& options) {
  const Row row = memory_row();
  const ir::Program program = load_program(options.programs, row.bench, row.dtype);
  api::Compiled compiled(program);
  Workspace space(program, row.sizes);
  for (int i = 0; i < 3; ++i) make_lathe(compiled, space, options.threads)->run();
  struct rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  fmt::print("{}\n", static_cast<double>(usage.ru_maxrss) * 1024);
  return 0;
}

std::vector<Record> peak_memory(const Options& options) {
  const Row row = memory_row();
  const ir::Program program = load_program(options.programs, row.bench, row.dtype);
  const Workspace space(program, row.sizes);
  std::vector<Record> out = {record(row, "arguments", static_cast<double>(space.bytes()))};
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command =
      fmt::format("'{}' --memory-child --programs '{}'", self, options.programs);
  if (std::FILE* child = ::popen(command.c_str(), "r")) {
    double bytes = 0;
    if (std::fscanf(child, "%lf", &bytes) == 1) out.push_back(record(row, "lathe", bytes));
    ::pclose(child);
  }
  if (options.python.empty()) return out;
  Peer numpy("numpy", options.python, options.peers + "/peer.py", options.threads);
  if (const auto contender = numpy.make(row, space)) {
    contender->run();
    out.push_back(record(row, "numpy", std::stod(numpy.ask("memory"))));
  }
  return out;
}

}  // namespace lathe::bench
