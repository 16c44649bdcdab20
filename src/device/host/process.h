// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs other programs to their end, without a shell and with a watchdog.

#include <string>
#include <vector>

namespace lathe::host {

struct Command {
  std::string program;                 // a path; PATH is not searched
  std::vector<std::string> arguments;  // without the program's own name
  // The whole environment of the program. See clean_environment().
  std::vector<std::string> environment;
  double timeout_seconds = 60;
};

struct ProcessResult {
  int start_error = 0;  // errno when the program could not be started; all else is then empty
  bool timed_out = false;
  bool given_up = false;  // not waited for, because one that ran beside it failed
  int exit_code = -1;     // -1: ended by a signal
  int signal = 0;
  std::string output;  // stdout and stderr together, the first 64 KiB
  bool output_cut = false;
  double seconds = 0;

  bool ok() const { return start_error == 0 && !timed_out && exit_code == 0; }
};

// The program gets its own process group, an empty standard input and no signals blocked or
// ignored. When the time is over, the whole group is killed. Output beyond the limit is read and
// dropped, so that a talkative program neither blocks nor fills memory. Where this thread is asked
// to stop (base/stop.h) the group is killed as well, and Stopped thrown.
ProcessResult run_process(const Command& command);

// Several at once, each as above. As soon as one fails the others are killed.
std::vector<ProcessResult> run_processes(const std::vector<Command>& commands);

// PATH, HOME and TMPDIR of this process, and LC_ALL=C. Variables that silently change what a
// compiler includes or links (CPATH, LIBRARY_PATH, GCC_EXEC_PREFIX, LD_PRELOAD ...) do not pass.
std::vector<std::string> clean_environment();

// The file that `name` means: itself when it has a slash, else the first executable on PATH. Links
// are not followed: ccache and busybox look at the name they are called by. Empty: there is none.
std::string find_program(const std::string& name);

}  // namespace lathe::host
