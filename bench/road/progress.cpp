// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "road/options.h"

namespace lathe::bench {

Progress::Progress(std::size_t rows)
    : terminal_(::isatty(2) == 1), rows_(rows), start_(std::chrono::steady_clock::now()) {}

void Progress::begin(const std::string& row) {
  row_ = row;
  show(0, "getting ready");
}

void Progress::round(int done, int of) {
  show(static_cast<double>(done) / of, fmt::format("round {} of {}", done, of));
}

void Progress::end() {
  ++done_;
  if (terminal_) std::fputs("\r\033[K", stderr);
}

void Progress::show(double part, const std::string& text) {
  if (!terminal_) return;
  const double done = static_cast<double>(done_) + part;
  const double passed =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  std::string left;
  if (done_ > 0) {
    const double seconds = passed / done * (static_cast<double>(rows_) - done);
    left = seconds < 90 ? fmt::format(", {:.0f} s left", seconds)
                        : fmt::format(", {:.0f} min left", seconds / 60);
  }
  std::fputs(fmt::format("\r\033[K[{}/{}] {}: {}{}", done_ + 1, rows_, row_, text, left).c_str(),
             stderr);
  std::fflush(stderr);
}

bool has_part(const std::vector<std::string>& parts, const std::string& text) {
  for (const std::string& part : parts)
    if ((" " + text + " ").find(part) != std::string::npos) return true;
  return false;
}

}  // namespace lathe::bench
