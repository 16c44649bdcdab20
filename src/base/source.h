// SPDX-License-Identifier: Apache-2.0
#pragma once
// Source text and places in it.
//
// A Span is three numbers, so every statement and use site can carry one. The SourceMap that the
// numbers point into is needed only when a message is shown.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lathe {

inline constexpr std::uint32_t kNoFile = 0xffffffff;

// Bytes begin..end of a file's text. The default span belongs to no file.
struct Span {
  std::uint32_t file = kNoFile;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool known() const { return file != kNoFile; }
  friend bool operator==(const Span&, const Span&) = default;
};

// The smallest span that covers both; the known one when the other is unknown. The two must be of
// one file, otherwise the first is returned.
Span join(Span a, Span b);

// A place as people say it. Lines and columns count from 1, columns in Unicode code points.
struct Location {
  std::string_view file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct SourceFile {
  std::string name;
  std::string text;                        // no byte order mark, lines end in '\n'
  std::vector<std::uint32_t> line_starts;  // byte offset of each line; never empty

  // The 1-based line that holds the offset; offsets past the end belong to the last line.
  std::uint32_t line_of(std::uint32_t offset) const;
  // The text of a 1-based line, without its end.
  std::string_view line_text(std::uint32_t line) const;
};

// Owns the files of one run. Files keep their address.
class SourceMap {
 public:
  // Drops a byte order mark and turns "\r\n" into "\n", so that the same program gives the same
  // spans whatever editor wrote it. Throws UserError for texts of 4 GiB and more.
  std::uint32_t add(std::string name, std::string text);

  const SourceFile& file(std::uint32_t id) const;
  std::uint32_t file_count() const { return static_cast<std::uint32_t>(files_.size()); }

  // The text under a known span.
  std::string_view text(Span span) const;
  // Where a known span begins.
  Location location(Span span) const;
  // Where the byte of a file is.
  Location location(std::uint32_t file, std::uint32_t offset) const;

 private:
  std::vector<std::unique_ptr<const SourceFile>> files_;
};

class Diagnostics;

// Reports what no program may contain: invalid UTF-8 and NUL, other control characters, carriage
// returns that end no line. Answers whether the text is clean; a parser need not run otherwise.
bool check_source_text(const SourceMap& sources, std::uint32_t file, Diagnostics& diagnostics);

}  // namespace lathe
