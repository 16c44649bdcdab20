// SPDX-License-Identifier: Apache-2.0
#pragma once
// The subcommands of `lathe`. Each returns the exit status: 0 fine, 1 the user's program or data is
// wrong (said on stderr, or on stdout as JSON), 2 wrong usage.

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "cli/stencils.h"
#include "ir/program.h"

namespace lathe::cli {

struct Streams {
  std::ostream& out;
  std::ostream& err;
};

struct CheckArgs {
  std::vector<std::string> files;  // .lathe, .py, or file.py:stencil
  StencilArgs stencil;
  bool info = false;  // of stencils: arguments, what they need, temporaries
  bool json = false;
};
int check(const CheckArgs& args, Streams io);

struct RunArgs {
  std::string file;
  std::vector<std::string> set;    // n=100
  std::vector<std::string> in;     // u=u.npy, u=random:SEED, u=ramp, u=zeros
  std::vector<std::string> out;    // v=v.npy, v=v.png
  std::vector<std::string> watch;  // v[3,4]
  std::optional<std::int64_t> while_cap;
  bool checked = false;
  bool steps = false;             // one line per top-level item as it runs
  bool optimize = false;          // run the pass pipeline first
  std::string target = "interp";  // or c
  std::string schedule;           // a lockfile
  int threads = 0;                // 0: all
  int repeat = 1;
  bool time = false;
  bool json = false;
  StencilArgs stencil;
  std::string domain;               // of stencils: 128x128x80
  std::vector<std::string> origin;  // of stencils: NAME=2,2,0
};
int run(const RunArgs& args, Streams io);

struct ExplainArgs {
  std::string file;
  std::string pass;              // only this stage
  bool prepare = false;          // also the stages that make programs ready for loops
  bool list = false;             // names of the stages
  bool domains = false;          // loop domains as trees
  bool versions = false;         // who reads which version of which array
  std::vector<std::string> set;  // n=100: sizes for which the schedule's cost is shown
  std::string machine;           // decide for this one: x86-64-v3; empty: for this machine
  std::string schedule;          // a lockfile instead of the default decisions
  StencilArgs stencil;
  bool json = false;
};
int explain(const ExplainArgs& args, Streams io);

struct BenchArgs {
  bool again = false;  // measure now, whatever an earlier process found
  bool json = false;
};
int bench(const BenchArgs& args, Streams io);

struct FmtArgs {
  std::vector<std::string> files;
  bool write = false;  // in place; otherwise to stdout
  bool check = false;  // only say which files would change
};
int fmt(const FmtArgs& args, Streams io);
// What `fmt` makes of a text: the same program, tokens and comments, canonical blanks. Nothing
// after the errors of a text that is no program were printed.
std::optional<std::string> format(const std::string& name, const std::string& text, Streams io);

// What `lathe` does; main() is a call of this. Never throws.
int main_with(const std::vector<std::string>& args, Streams io);

// Wrong usage: says so, and returns its exit status.
int refuse(const std::string& message, const std::string& help, Streams io);

// Parsed and checked, or nothing after its errors were reported.
struct Loaded {
  ir::Program program;
  std::shared_ptr<SourceMap> sources;
  std::optional<stencil::Stencil> stencil;  // where it comes from, if that is a .py file

  // What went wrong when it ran.
  Diagnostic in_the_users_words(const Diagnostic& said) const;
};
std::optional<Loaded> load(const std::string& file, bool json, Streams io,
                           const StencilArgs& stencil = {});

// On stderr, or as JSON on stdout: {"errors": [...]}, each as in base/diagnostics.h.
// What only the passes find, such as regions that would grow without end.
bool compiles(const ir::Program& program, Diagnostics& diagnostics);
void report_errors(const Diagnostics& diagnostics, const SourceMap& sources, bool json, Streams io);

}  // namespace lathe::cli
