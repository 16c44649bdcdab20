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
#include "device/host/descriptor.h"
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
  return out;
}

CompileResult Compiler::compile(const CompileRequest& request) const {
  CompileResult result;
  const std::string source = request.folder + "/kernel.c";
  const std::string object = request.folder + "/kernel.so";
  {
    // Not AtomicFile: nobody else looks here, and syncing to disk would cost 10 ms.
    const Descriptor file(::open(source.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!file || !write_all(file.get(), request.text)) {
      result.error = problem_with("cannot write '" + source + "': " + std::strerror(errno));
      return result;
    }
  }
  ::unlink(object.c_str());  // what is there afterwards is new

  Command command{path_, request.flags, clean_environment(), timeout_seconds_};
  for (const char* flag : {"-std=gnu11", "-shared", "-fPIC", "-x", "c"}) {
    command.arguments.push_back(flag);
  }
  command.arguments.insert(command.arguments.end(), {source, "-o", object, "-nostdlib", "-lgcc"});
  // Intermediate files of a compiler that gets killed are removed with the folder.
  std::erase_if(command.environment, [](const std::string& v) { return v.starts_with("TMPDIR="); });
  command.environment.push_back("TMPDIR=" + request.folder);

  const ProcessResult run = run_process(command);
  result.seconds = run.seconds;
  result.output = run.output;
  const std::string who = "the C compiler '" + path_ + "'";
  if (run.start_error != 0) {
    result.error =
        problem_with("cannot start " + who + ": " + std::strerror(run.start_error), kHowToChoose);
  } else if (run.timed_out) {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%g", timeout_seconds_);
    result.error = problem_with(who + " was stopped after " + seconds + " s");
  } else if (run.signal != 0) {
    result.error = problem_with(who + " was ended by signal " + std::to_string(run.signal) + " (" +
                                ::strsignal(run.signal) + ")");
  } else if (run.exit_code != 0) {
    result.error = problem_with(who + " failed with exit code " + std::to_string(run.exit_code));
  }
  if (!result.error) {
    const Descriptor file(::open(object.c_str(), O_RDONLY | O_CLOEXEC));
    std::string bytes, problem;
    if (!file) {
      problem = "it wrote no shared object";
    } else if (!read_all(file.get(), bytes, std::size_t{1} << 30)) {
      problem = std::string("what it wrote cannot be read: ") + std::strerror(errno);
    } else if (problem = shared_object_problem(bytes, request.symbols); !problem.empty()) {
      problem = "what it wrote is of no use: " + problem;
    }
    if (!problem.empty()) {
      result.error = problem_with(who + " said that all is well, but " + problem, kHowToChoose);
    }
  }
  if (!result.error) {
    result.path = object;
  } else if (!run.output.empty()) {
    result.error->note("it printed: " + first_lines(run.output, 20));
  }
  return result;
}

}  // namespace lathe::host
