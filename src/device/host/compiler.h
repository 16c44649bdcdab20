// SPDX-License-Identifier: Apache-2.0
#pragma once
// The system's C compiler: finds it, knows it again, runs it on a text.
//
// Nothing here throws or crashes because of a compiler. One that is missing, fails, hangs, or says
// "done" without having made the shared object is an error value with a sentence for the user.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "device/host/process.h"

namespace lathe::host {

enum class CompilerKind { Gcc, Clang, Other };

struct CompilerSettings {
  std::string program;  // a name or path; empty: LATHE_CC, else the first of cc, gcc, clang
  double timeout_seconds = 60;
  // Where to remember what `--version` said (clang takes 20 ms to say it); empty: nowhere.
  std::string memo_folder;
  std::size_t processors = 0;  // that compile parts of a text at once; 0: hardware_threads()
};

struct CompileRequest {
  std::string_view text;             // C, without warnings: gcc and clang are asked for none
  std::vector<std::string> flags;    // -O1, -march=native ...: all that decides about the code
  std::vector<std::string> symbols;  // functions that the result must define
  std::string folder;                // private; receives kernel.c, kernel.so, intermediate files
  // Where functions begin (compile_parts.h): a long text is compiled by several processes at once.
  std::vector<std::size_t> functions = {};
};

struct CompileResult {
  std::optional<Diagnostic> error;
  std::string path;    // of the shared object, when there is no error
  std::string output;  // what the compiler printed: warnings, or the reason of the error
  double seconds = 0;

  bool ok() const { return !error; }
};

class Compiler {
 public:
  // Null, with the reason, when there is none.
  static std::shared_ptr<const Compiler> find(const CompilerSettings& settings,
                                              std::optional<Diagnostic>& problem);

  const std::string& path() const { return path_; }
  const std::string& version() const { return version_; }  // the first line of --version
  CompilerKind kind() const { return kind_; }
  // Differs when the compiler may produce other code: path with links followed, version, and the
  // file's size and time. Part of cache keys.
  const std::string& identity() const { return identity_; }

  // Adds what makes a shared object of C (see the .cpp for what each flag costs), and checks that
  // the result is one, whole, with the symbols. May be called from many threads at once.
  // Where the compiler crashes, it is asked again to optimise less: every level gives the same
  // bits.
  CompileResult compile(const CompileRequest& request) const;

 private:
  Compiler() = default;
  CompileResult compile_once(const CompileRequest& request) const;
  Command to_library(const CompileRequest& request, const std::vector<std::string>& inputs) const;
  Command to_object(const CompileRequest& request, const std::string& source,
                    const std::string& object) const;
  Command with_flags(const CompileRequest& request, std::vector<std::string> flags) const;
  bool run_all(std::vector<Command> commands, CompileResult& result) const;
  std::string who() const { return "the C compiler '" + path_ + "'"; }

  std::string path_, version_, identity_;
  CompilerKind kind_ = CompilerKind::Other;
  double timeout_seconds_ = 60;
  std::size_t processors_ = 1;
};

}  // namespace lathe::host
