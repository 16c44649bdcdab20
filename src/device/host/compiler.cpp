// SPDX-License-Identifier: Apache-2.0
// What the fixed flags cost, in processor time of a 15-line kernel at -O1 (gcc 12, clang 14; the
// least of 13 runs on a busy machine, where medians were 1.3 to 1.5 times as much):
//
//   -shared -fPIC              gcc 34 ms   clang 74 ms
//   ... -nostdlib                  28          57     no start files, no libc to search: taken
//   ... -nostdlib -fuse-ld=gold    32          60
//   ... -nostdlib -fuse-ld=lld     43          73     lld itself is slow to load
//   ... -nostdlib -pipe            29           -     nothing gained
//   (-c alone, for comparison      25          37)
//
// In a second series -lgcc and the absence of the linker plugin made no difference beyond noise;
// clang warns about the latter.
//
// So gcc spends nine tenths in the compiler proper, clang two thirds. A kernel's calls to memcpy
// and memset, which compilers invent, are found in the process that loads it; -lgcc holds what has
// no other home, as division of 128-bit numbers.

#include "device/host/compiler.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/files.h"
#include "base/sha256.h"
#include "device/host/compile_parts.h"
#include "device/host/descriptor.h"
#include "device/host/limits.h"
#include "device/host/process.h"
#include "device/host/shared_object.h"

namespace lathe::host {
namespace {

Diagnostic problem_with(std::string message, std::string help = {}) {
  return {Severity::Error, std::move(message), {}, {}, std::move(help)};
}

const char* const kHowToChoose = "install gcc or clang, or name a C compiler in LATHE_CC";

std::string follow_links(const std::string& path) {
  char* real = ::realpath(path.c_str(), nullptr);
  const std::string out = real ? real : path;
  std::free(real);
  return out;
}

// gcc and clang themselves say the same as long as their file is the same. A script or ccache may
// start something else tomorrow, so what those say is asked each time.
bool may_remember(const std::string& real_path) {
  const std::string name = real_path.substr(real_path.rfind('/') + 1);
  if (name.find("gcc") == std::string::npos && name.find("clang") == std::string::npos)
    return false;
  const Descriptor file(::open(real_path.c_str(), O_RDONLY | O_CLOEXEC));
  char magic[4] = {};
  return file && ::read(file.get(), magic, 4) == 4 && std::memcmp(magic, "\177ELF", 4) == 0;
}

// The output of --version, from the memo when it was written for the same file.
std::string version_text(const CompilerSettings& settings, const std::string& path,
                         const std::string& file_facts, std::optional<Diagnostic>& problem) {
  std::string memo;
  if (!settings.memo_folder.empty() && may_remember(follow_links(path))) {
    memo = settings.memo_folder + "/compiler-" + sha256_hex(path + "\n" + file_facts).substr(0, 32);
    const Descriptor file(::open(memo.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    std::string text;
    if (file && read_all(file.get(), text, 1 << 16) && text.ends_with("\nend\n")) return text;
  }
  const ProcessResult run = run_process(
      {path, {"--version"}, clean_environment(), std::min(10.0, settings.timeout_seconds)});
  if (run.start_error != 0) {
    problem = problem_with(
        "cannot start the C compiler '" + path + "': " + std::strerror(run.start_error),
        kHowToChoose);
  } else if (run.timed_out) {
    problem =
        problem_with("the C compiler '" + path + "' does not answer '--version'", kHowToChoose);
  } else if (!memo.empty() && run.ok()) {
    try {
      write_file(memo, run.output + "\nend\n");
    } catch (const UserError&) {
      // Only a memo: the next process asks again.
    }
  }
  return run.output;
}

std::string first_lines(const std::string& text, std::size_t max_lines) {
  std::string out;
  std::size_t lines = 0;
  for (std::size_t at = 0; at < text.size() && lines < max_lines; ++lines) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += (lines > 0 ? "\n" : "") + text.substr(at, end - at);
    at = end + 1;
  }
  return out;
}

}  // namespace

std::shared_ptr<const Compiler> Compiler::find(const CompilerSettings& settings,
                                               std::optional<Diagnostic>& problem) {
  const char* variable = std::getenv("LATHE_CC");
  const std::string chosen =
      !settings.program.empty() ? settings.program : std::string(variable ? variable : "");
  std::string path;
  if (!chosen.empty()) {
    path = find_program(chosen);
    if (path.empty()) {
      problem = problem_with("there is no C compiler '" + chosen + "'",
                             "LATHE_CC names one program, by its path or by a name on PATH, "
                             "without arguments");
      return nullptr;
    }
  } else {
    for (const char* name : {"cc", "gcc", "clang"}) {
      if (path = find_program(name); !path.empty()) break;
    }
    if (path.empty()) {
      problem = problem_with("there is no C compiler: no cc, gcc or clang on PATH", kHowToChoose);
      return nullptr;
    }
  }

  const std::string real = follow_links(path);
  struct stat status {};
  if (::stat(real.c_str(), &status) != 0) {
    problem = problem_with("cannot read the C compiler '" + real + "': " + std::strerror(errno));
    return nullptr;
  }
  const std::string facts = std::to_string(status.st_size) + " bytes of " +
                            std::to_string(status.st_mtim.tv_sec) + "." +
                            std::to_string(status.st_mtim.tv_nsec);
  const std::string text = version_text(settings, path, facts, problem);
  if (problem) return nullptr;

  std::shared_ptr<Compiler> out(new Compiler);
  out->path_ = path;
  out->version_ = text.substr(0, text.find('\n'));
  out->identity_ = real + ", " + out->version_ + ", " + facts;
  out->kind_ = text.find("clang") != std::string::npos                      ? CompilerKind::Clang
               : text.find("Free Software Foundation") != std::string::npos ? CompilerKind::Gcc
                                                                            : CompilerKind::Other;
  out->timeout_seconds_ = settings.timeout_seconds;
  out->processors_ =
      settings.processors > 0 ? settings.processors : static_cast<std::size_t>(hardware_threads());
  return out;
}

namespace {

// Not AtomicFile: nobody else looks there, and syncing to disk would cost 10 ms.
std::optional<Diagnostic> write_source(const std::string& path, std::string_view text) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (file && write_all(file.get(), text)) return std::nullopt;
  return problem_with("cannot write '" + path + "': " + std::strerror(errno));
}

// How it ended, where that is not well.
std::optional<Diagnostic> failure(const ProcessResult& run, const std::string& who,
                                  double timeout_seconds) {
  if (run.start_error != 0)
    return problem_with("cannot start " + who + ": " + std::strerror(run.start_error),
                        kHowToChoose);
  if (run.timed_out) {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%g", timeout_seconds);
    return problem_with(who + " was stopped after " + seconds + " s");
  }
  if (run.signal != 0)
    return problem_with(who + " was ended by signal " + std::to_string(run.signal) + " (" +
                        ::strsignal(run.signal) + ")");
  if (run.exit_code != 0)
    return problem_with(who + " failed with exit code " + std::to_string(run.exit_code));
  return std::nullopt;
}

bool is_for_linker(const std::string& flag) {
  return flag == "-shared" || flag.starts_with("-Wl,") || flag.starts_with("-l");
}

std::string no_library(const std::string& object, const std::vector<std::string>& symbols) {
  const Descriptor file(::open(object.c_str(), O_RDONLY | O_CLOEXEC));
  std::string bytes;
  if (!file) return "it wrote no shared object";
  if (!read_all(file.get(), bytes, std::size_t{1} << 30))
    return std::string("what it wrote cannot be read: ") + std::strerror(errno);
  const std::string problem = shared_object_problem(bytes, symbols);
  return problem.empty() ? "" : "what it wrote is of no use: " + problem;
}

}  // namespace

// A source, or objects: the linker's work is part of it.
Command Compiler::to_library(const CompileRequest& request,
                             const std::vector<std::string>& inputs) const {
  Command command = with_flags(request, request.flags);
  for (const char* flag : {"-std=gnu11", "-shared", "-fPIC"}) command.arguments.push_back(flag);
  if (inputs.front().ends_with(".c"))
    command.arguments.insert(command.arguments.end(), {"-x", "c"});
  command.arguments.insert(command.arguments.end(), inputs.begin(), inputs.end());
  command.arguments.insert(command.arguments.end(),
                           {"-o", request.folder + "/kernel.so", "-nostdlib", "-lgcc"});
  return command;
}

Command Compiler::to_object(const CompileRequest& request, const std::string& source,
                            const std::string& object) const {
  std::vector<std::string> flags = request.flags;
  std::erase_if(flags, is_for_linker);
  Command command = with_flags(request, std::move(flags));
  command.arguments.insert(command.arguments.end(),
                           {"-std=gnu11", "-fPIC", "-x", "c", "-c", source, "-o", object});
  return command;
}

Command Compiler::with_flags(const CompileRequest& request, std::vector<std::string> flags) const {
  Command command{path_, std::move(flags), clean_environment(), timeout_seconds_};
  // Intermediate files of a compiler that gets killed are removed with the folder.
  std::erase_if(command.environment, [](const std::string& v) { return v.starts_with("TMPDIR="); });
  command.environment.push_back("TMPDIR=" + request.folder);
  return command;
}

// Runs them all, in the time that the compilation has left. The result says what they said, or what
// the one said that failed; false: one did.
bool Compiler::run_all(std::vector<Command> commands, CompileResult& result) const {
  for (Command& c : commands) c.timeout_seconds = timeout_seconds_ - result.seconds;
  double longest = 0;
  for (const ProcessResult& run : run_processes(commands)) {
    longest = std::max(longest, run.seconds);
    if (run.given_up || result.error) continue;
    result.error = failure(run, who(), timeout_seconds_);
    if (result.error)
      result.output = run.output;
    else
      result.output += run.output;
  }
  result.seconds += longest;
  return !result.error;
}

namespace {

// Not the text's fault: gcc's and clang's words for a crash of their own.
bool fell_over(const CompileResult& result) {
  return result.error && (result.output.find("internal compiler error") != std::string::npos ||
                          result.output.find("PLEASE submit a bug report") != std::string::npos);
}

bool is_level(const std::string& flag) { return flag.starts_with("-O"); }

}  // namespace

CompileResult Compiler::compile(const CompileRequest& request) const {
  CompileResult result = compile_once(request);
  for (const char* lower : {"-O1", "-O0"}) {
    if (!fell_over(result)) break;
    CompileRequest plain = request;
    std::erase_if(plain.flags, is_level);
    plain.flags.push_back(lower);
    result = compile_once(plain);
  }
  return result;
}

CompileResult Compiler::compile_once(const CompileRequest& request) const {
  CompileResult result;
  const std::string stem = request.folder + "/kernel";
  const std::size_t count = part_count(request.text, request.functions, processors_);
  std::vector<std::string> inputs = {stem + ".c"};
  result.error = write_source(inputs[0], request.text);
  std::vector<Command> parts;
  if (count > 1) {
    inputs.clear();
    for (const std::string& text : parts_of(request.text, request.functions, count)) {
      const std::string part = stem + "-" + std::to_string(inputs.size());
      if (!result.error) result.error = write_source(part + ".c", text);
      parts.push_back(to_object(request, part + ".c", part + ".o"));
      inputs.push_back(part + ".o");
    }
  }
  if (result.error) return result;
  ::unlink((stem + ".so").c_str());  // what is there afterwards is new
  if (run_all(parts, result) && run_all({to_library(request, inputs)}, result)) {
    const std::string problem = no_library(stem + ".so", request.symbols);
    if (!problem.empty())
      result.error = problem_with(who() + " said that all is well, but " + problem, kHowToChoose);
  }
  if (!result.error)
    result.path = stem + ".so";
  else if (!result.output.empty())
    result.error->note("it printed: " + first_lines(result.output, 20));
  return result;
}

}  // namespace lathe::host
