// SPDX-License-Identifier: Apache-2.0
// Parses the files named on standard input, one per line, and prints one line for each: the tree as
// ast.dump prints it, or "error: " and the first message. For python_oracle_test.py.
//
//   python_dump [--positions | --time] < list
//
// --positions prints where every node stands; --time parses only, and prints how fast.

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "base/files.h"
#include "frontend/python/dump.h"
#include "frontend/python/encoding.h"
#include "frontend/python/parser.h"

namespace {

using namespace lathe;

std::vector<std::string> read_names() {
  std::vector<std::string> names(1);
  for (int c = std::getchar(); c != EOF; c = std::getchar()) {
    if (c == '\n')
      names.emplace_back();
    else
      names.back() += static_cast<char>(c);
  }
  if (names.back().empty()) names.pop_back();
  return names;
}

std::string line_for(const std::string& name, python::Positions positions) {
  SourceMap sources;
  Diagnostics diagnostics;
  Arena arena;
  const std::uint32_t file = python::add_source(sources, name, read_file(name));
  const auto module = python::parse_module(sources, file, diagnostics, arena);
  if (module) return python::dump(*module, sources, positions);
  const Diagnostic& first = diagnostics.all().front();
  const std::string place =
      first.span.known() ? std::to_string(sources.location(first.span).line) + ": " : "";
  return "error: " + place + first.message;
}

void measure(const std::vector<std::string>& names) {
  SourceMap sources;
  std::size_t bytes = 0, memory = 0;
  for (const std::string& name : names) {
    const std::uint32_t file = python::add_source(sources, name, read_file(name));
    bytes += sources.file(file).text.size();
  }
  const auto start = std::chrono::steady_clock::now();
  for (std::uint32_t file = 0; file < sources.file_count(); ++file) {
    Diagnostics diagnostics;
    Arena arena;
    python::parse_module(sources, file, diagnostics, arena);
    memory += arena.bytes_used();
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  std::printf("%zu files, %.1f MB, %.1f MB/s, %.2f bytes of tree per byte\n", names.size(),
              static_cast<double>(bytes) * 1e-6, static_cast<double>(bytes) * 1e-6 / taken.count(),
              static_cast<double>(memory) / static_cast<double>(bytes));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  const std::vector<std::string> names = read_names();
  if (mode == "--time") {
    measure(names);
    return 0;
  }
  const auto positions =
      mode == "--positions" ? python::Positions::Print : python::Positions::Leave;
  for (const std::string& name : names) {
    std::puts(line_for(name, positions).c_str());
    std::fflush(stdout);
  }
  return 0;
}
