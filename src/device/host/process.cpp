// SPDX-License-Identifier: Apache-2.0
// posix_spawn starts the program without copying this process's page tables, which matters in
// processes with gigabytes of arrays. A pidfd and the output pipe are polled together: the pipe
// alone would wait for grandchildren that keep it open, the process alone would let it fill.

#include "device/host/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <deque>

#include "base/stop.h"
#include "device/host/descriptor.h"

namespace lathe::host {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxOutput = 64 << 10;
// How often a thread that waits looks whether it is to stop.
constexpr double kLookSeconds = 0.05;

int open_process(pid_t pid) {
#if defined(SYS_pidfd_open)
  return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));  // sets close-on-exec
#else
  (void)pid;
  return -1;
#endif
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (const std::string& s : strings) out.push_back(const_cast<char*>(s.c_str()));
  out.push_back(nullptr);
  return out;
}

// posix_spawn with all that its C interface needs. Returns an errno.
int spawn(const Command& command, int output, pid_t& pid) {
  std::vector<std::string> words = {command.program};
  words.insert(words.end(), command.arguments.begin(), command.arguments.end());
  const std::vector<char*> argv = pointers(words), envp = pointers(command.environment);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, output, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  const int error =
      ::posix_spawn(&pid, command.program.c_str(), &actions, &attributes, argv.data(), envp.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// Takes what is in the pipe now, but no more than a megabyte: others wait. False at its end.
bool drain(int pipe, ProcessResult& result) {
  char buffer[1 << 14];
  for (int reads = 0; reads < 64; ++reads) {
    const ssize_t got = ::read(pipe, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN;
    if (got == 0) return false;
    const std::size_t room = kMaxOutput - result.output.size();
    result.output.append(buffer, std::min(room, static_cast<std::size_t>(got)));
    if (static_cast<std::size_t>(got) > room) result.output_cut = true;
  }
  return true;
}

// True when the process has ended; its status goes to the result.
bool reap(pid_t pid, int options, ProcessResult& result) {
  int status = 0;
  pid_t got = 0;
  do {
    got = ::waitpid(pid, &status, options);
  } while (got < 0 && errno == EINTR);
  if (got == 0) return false;
  if (got < 0) {
    // The application around us has reaped it (SIGCHLD ignored, or a wait for any child). How it
    // ended is lost; callers look at what it has written anyway.
    result.exit_code = 0;
  } else if (WIFEXITED(status)) {
    result.exit_code = WEXITSTATUS(status);
  } else {
    result.signal = WTERMSIG(status);
  }
  return true;
}

// A program that has been started, until it is reaped.
class Child {
 public:
  explicit Child(const Command& command) : timeout_(command.timeout_seconds) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
      result_.start_error = errno;
      return;
    }
    from_ = Descriptor(ends[0]);
    const Descriptor to(ends[1]);
    (void)::fcntl(from_.get(), F_SETFL, O_NONBLOCK);
    result_.start_error = spawn(command, to.get(), pid_);
    running_ = result_.start_error == 0;
    if (running_) process_ = Descriptor(open_process(pid_));
  }
  ~Child() {  // on the way out of an exception
    if (!running_) return;
    ::kill(-pid_, SIGKILL);
    reap(pid_, 0, result_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool running() const { return running_; }
  bool failed() const { return !running_ && !result_.ok(); }
  ProcessResult& result() { return result_; }

  // Looks whether it has ended, or its time has. Gives the seconds that it has left.
  double look() {
    if (reap(pid_, WNOHANG, result_)) {
      end();
      return 0;
    }
    const double left = timeout_ - elapsed();
    if (left > 0) return left;
    result_.timed_out = true;
    kill();
    return 0;
  }
  void kill() {
    if (!running_) return;
    ::kill(-pid_, SIGKILL);
    reap(pid_, 0, result_);
    end();
  }
  // What to wait for: something it says, or its end.
  void wait_for(std::vector<pollfd>& waits) const {
    waits.push_back({talking_ ? from_.get() : -1, POLLIN, 0});
    waits.push_back({process_.get(), POLLIN, 0});
  }
  bool has_handle() const { return process_.get() >= 0; }
  void listen() { talking_ = talking_ && drain(from_.get(), result_); }

 private:
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  void end() {
    running_ = false;  // whatever happens: its number may be another's now
    result_.seconds = elapsed();
    drain(from_.get(), result_);
  }

  const Clock::time_point start_ = Clock::now();
  const double timeout_;
  ProcessResult result_;
  Descriptor from_, process_;
  pid_t pid_ = 0;
  bool running_ = false, talking_ = true;
};

}  // namespace

std::vector<ProcessResult> run_processes(const std::vector<Command>& commands) {
  std::deque<Child> children;
  for (const Command& c : commands) children.emplace_back(c);
  for (;;) {
    double longest = kLookSeconds;
    bool any = false;
    std::vector<pollfd> waits;
    for (Child& c : children) {
      if (!c.running()) continue;
      const double left = c.look();
      if (!c.running()) continue;
      any = true;
      // Without a pidfd (old kernels) the process is asked every two milliseconds.
      longest = std::min({longest, left, c.has_handle() ? kLookSeconds : 0.002});
      c.wait_for(waits);
    }
    if (!any) break;
    if (std::any_of(children.begin(), children.end(), [](const Child& c) { return c.failed(); })) {
      for (Child& c : children) {
        if (!c.running()) continue;
        c.result().given_up = true;
        c.kill();
      }
      break;
    }
    if (is_stop_asked()) throw Stopped();
    (void)::poll(waits.data(), waits.size(), static_cast<int>(longest * 1000) + 1);
    for (Child& c : children)
      if (c.running()) c.listen();
  }
  std::vector<ProcessResult> results;
  for (Child& c : children) results.push_back(std::move(c.result()));
  return results;
}

ProcessResult run_process(const Command& command) {
  return std::move(run_processes({command}).front());
}

std::vector<std::string> clean_environment() {
  std::vector<std::string> out;
  for (const char* name : {"PATH", "HOME", "TMPDIR"}) {
    if (const char* value = std::getenv(name)) out.push_back(std::string(name) + "=" + value);
  }
  out.push_back("LC_ALL=C");
  return out;
}

std::string find_program(const std::string& name) {
  const auto is_program = [](const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
           ::access(path.c_str(), X_OK) == 0;
  };
  if (name.empty()) return "";
  if (name.find('/') != std::string::npos) return is_program(name) ? name : "";
  const char* variable = std::getenv("PATH");
  const std::string path = variable ? variable : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    // An empty or relative entry means the current folder: a bad place to find compilers in.
    if (path[at] == '/') {
      const std::string candidate = path.substr(at, end - at) + "/" + name;
      if (is_program(candidate)) return candidate;
    }
    at = end + 1;
  }
  return "";
}

}  // namespace lathe::host
