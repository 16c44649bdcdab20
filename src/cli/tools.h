// SPDX-License-Identifier: Apache-2.0
#pragma once
// The subcommands of `lathe` around a program: diff (two ways to run it), emit (a bundle that needs
// no Lathe), cache (the kernels that are kept). Their words for CLI11 are in tool_options.cpp.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"

namespace CLI {
class App;
}

namespace lathe::cli {

struct DiffArgs {
  std::string file;
  std::string a = "interp", b = "c";  // cli/ways.h
  std::vector<std::string> set, in;   // as `lathe run` has them
  std::uint64_t ulps = 0;             // floats that are no further apart count as equal
  bool every = false;                 // compare after every item, even when the results are equal
  bool json = false;
  StencilArgs stencil;
  std::string domain;               // of stencils: 128x128x80
  std::vector<std::string> origin;  // of stencils: NAME=2,2,0
};
// 0 equal, 1 different, 2 one of the runs failed.
int diff(const DiffArgs& args, Streams io);

struct EmitArgs {
  std::string file;
  std::string target = "c";
  std::string folder;
  std::string schedule;              // a lockfile
  std::vector<std::string> set, in;  // of the golden data
  bool json = false;
  StencilArgs stencil;
};
int emit(const EmitArgs& args, Streams io);

struct CacheArgs {
  std::string action;      // list, info, clear, verify
  std::string key;         // how keys begin
  std::string older_than;  // 30d, 12h, 45m, 10s
  bool all = false;
  bool repair = false;
  bool json = false;
};
int cache(const CacheArgs& args, Streams io);

struct ToolWords {
  DiffArgs diff;
  EmitArgs emit;
  CacheArgs cache;
};
// Words of stencils, for every command that takes them.
void add_stencil_options(CLI::App& command, StencilArgs& args);
void add_domain_options(CLI::App& command, std::string& domain, std::vector<std::string>& origin);
void add_tools(CLI::App& app, ToolWords& words);
bool is_tool(std::string_view name);
// `name` is one of the three.
int call_tool(std::string_view name, const ToolWords& words, Streams io);

}  // namespace lathe::cli
