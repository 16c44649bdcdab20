// SPDX-License-Identifier: Apache-2.0
#include "child.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

namespace lathe::testing {

std::string in_child(FunctionRef<std::string()> work, double seconds) {
  int ends[2];
  if (pipe(ends) != 0) return "error: no pipe to a child";
  const pid_t pid = fork();
  if (pid < 0) return "error: no child process";
  if (pid == 0) {
    close(ends[0]);
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody would read its answer
    const auto limit = static_cast<rlim_t>(seconds);
    const rlimit processor{limit, limit + 1};
    setrlimit(RLIMIT_CPU, &processor);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    const std::string text = work();
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t n = write(ends[1], text.data() + at, text.size() - at);
      if (n <= 0) _exit(1);
      at += static_cast<std::size_t>(n);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char bytes[4096];
  for (ssize_t n; (n = read(ends[0], bytes, sizeof bytes)) > 0;)
    text.append(bytes, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  if (WIFSIGNALED(status))
    return WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL
               ? "hang: more than " + std::to_string(static_cast<int>(seconds)) + " s"
               : std::string("crash: ") + strsignal(WTERMSIG(status));
  if (WEXITSTATUS(status) != 0) return "crash: exit " + std::to_string(WEXITSTATUS(status));
  return text;
}

}  // namespace lathe::testing
