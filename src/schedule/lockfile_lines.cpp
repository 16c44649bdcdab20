// SPDX-License-Identifier: Apache-2.0
#include "schedule/lockfile_lines.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/number_text.h"
#include "schedule/default_schedule.h"

namespace lathe::schedule {
namespace {

constexpr std::size_t kMostChanges = 12;  // listed one by one

struct Word {
  std::string_view text;
  std::size_t begin;
};

std::vector<Word> words_of(std::string_view line, std::size_t begin) {
  std::vector<Word> words;
  const std::string_view code = line.substr(0, line.find('#'));
  for (std::size_t at = 0; at < code.size();) {
    if (code[at] == ' ' || code[at] == '\t') {
      ++at;
      continue;
    }
    const std::size_t end = std::min(code.find_first_of(" \t", at), code.size());
    words.push_back({code.substr(at, end - at), begin + at});
    at = end;
  }
  return words;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class Reader {
 public:
  Reader(std::uint32_t file, const std::string& text, Diagnostics& diagnostics)
      : file_(file), text_(text), diagnostics_(diagnostics) {
    out_.tree = text;
  }

  LockfileLines run() {
    bool has_header = false;
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      const std::string_view line = std::string_view(text_).substr(at, end - at);
      const std::vector<Word> words = words_of(line, at);
      if (!words.empty() && !has_header) {
        has_header = true;
        header(words, line, at);
      } else if (is_fingerprint(line, words)) {
        fingerprint(words);
        blank(at, end);
      }
      at = end + 1;
    }
    if (!has_header)
      diagnostics_.error({file_, 0, 0}, "the file holds no schedule").help = kHeaderHelp;
    return std::move(out_);
  }

 private:
  static constexpr const char* kHeaderHelp = "it begins with 'schedule PROGRAM machine MACHINE'";

  Span span(const Word& w) const {
    return {file_, static_cast<std::uint32_t>(w.begin),
            static_cast<std::uint32_t>(w.begin + w.text.size())};
  }
  void blank(std::size_t begin, std::size_t end) {
    std::fill(out_.tree.begin() + static_cast<std::ptrdiff_t>(begin),
              out_.tree.begin() + static_cast<std::ptrdiff_t>(end), ' ');
  }

  void header(const std::vector<Word>& words, std::string_view line, std::size_t begin) {
    out_.program_span = span(words[0]);
    if (words[0].text != "schedule" || words[0].begin != begin) {
      diagnostics_.error(span(words[0]), "this is not the header of a schedule").help = kHeaderHelp;
      return;
    }
    blank(begin, begin + line.size());
    if (words.size() < 2) {
      diagnostics_.error(span(words[0]), "the name of the program is missing").help = kHeaderHelp;
      return;
    }
    out_.program = words[1].text;
    out_.program_span = span(words[1]);
    if (words.size() == 2) return;
    if (words[2].text != "machine" || words.size() == 3) {
      diagnostics_.error(span(words[2]), "expected 'machine' and its name, not '" +
                                             std::string(words[2].text) + "'");
      return;
    }
    if (!is_lockfile_machine(words[3].text)) {
      diagnostics_.error(span(words[3]), "there is no machine '" + std::string(words[3].text) + "'")
          .help = "the machines are " + lockfile_machines();
      return;
    }
    for (std::size_t w = 3; w < words.size(); ++w)
      out_.machine += (w > 3 ? " " : "") + std::string(words[w].text);
  }

  // `of` may also be the label of a statement, but no name follows a label.
  static bool is_fingerprint(std::string_view line, const std::vector<Word>& words) {
    return words.size() >= 2 && words[0].text == "of" && line.starts_with("of") &&
           is_letter(words[1].text[0]);
  }

  void fingerprint(const std::vector<Word>& words) {
    const std::string_view kind = words[1].text;
    const bool header = kind == "header";
    const Word& hash = words.back();
    const bool digits = hash.text.size() == 16 &&
                        hash.text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    if ((!header && kind != "array" && kind != "statement") || words.size() != (header ? 3u : 4u) ||
        !digits) {
      diagnostics_.error(join(span(words[0]), span(hash)), "this is not a fingerprint").help =
          "it is a part of the program and 16 hexadecimal digits, as in 'of array u "
          "09d1b7f2c4a3568e'";
      return;
    }
    std::string part(kind);
    if (!header) part += " " + std::string(words[2].text);
    if (!listed_.insert(part).second) {
      diagnostics_.error(join(span(words[0]), span(hash)),
                         "this part of the program is listed twice");
      return;
    }
    out_.parts.push_back({part, parse_uint64("0x" + std::string(hash.text)).value});
    out_.part_spans.push_back(join(span(words[0]), span(hash)));
  }

  std::uint32_t file_;
  const std::string& text_;
  Diagnostics& diagnostics_;
  LockfileLines out_;
  std::set<std::string> listed_;
};

// "statement lap" -> "statement 'lap'"
std::string shown(const std::string& part) {
  const std::size_t blank = part.find(' ');
  if (blank == std::string::npos) return "the program's header";
  return part.substr(0, blank) + " '" + part.substr(blank + 1) + "'";
}

// Where the program has each part.
std::map<std::string, Span> part_places(const ir::Program& program) {
  std::map<std::string, Span> places;
  for (const ir::Array& a : program.arrays) places["array " + std::string(a.name.text())] = a.span;
  for (const ir::Item& item : program.body)
    std::visit(
        [&](const auto& n) {
          if constexpr (requires { n.label; })
            places["statement " + std::string(n.label.text())] = n.span;
          else
            places["statement " + std::string(n.statement.label.text())] = n.statement.span;
        },
        item.node);
  return places;
}

}  // namespace

LockfileLines read_lines(std::uint32_t file, const std::string& text, Diagnostics& diagnostics) {
  return Reader(file, text, diagnostics).run();
}

bool check_fresh(const LockfileLines& lines, const ir::Program& program, Diagnostics& diagnostics) {
  if (lines.program != program.name.text()) {
    diagnostics
        .error(lines.program_span, "this schedule is for program '" + lines.program + "', not '" +
                                       std::string(program.name.text()) + "'")
        .help = "give the file that was made for this program, or none to have one made";
    return false;
  }
  if (lines.parts.empty()) return true;  // written by hand: names and dependences are checked
  std::map<std::string, std::uint64_t> now;
  std::vector<Note> changes;
  std::map<std::string, Span> places = part_places(program);
  const std::vector<Fingerprint> parts = fingerprints(program);
  for (const Fingerprint& f : parts) now[f.part] = f.hash;
  std::map<std::string, std::uint64_t> then;
  for (std::size_t p = 0; p < lines.parts.size(); ++p) {
    const Fingerprint& f = lines.parts[p];
    then[f.part] = f.hash;
    const auto found = now.find(f.part);
    if (found == now.end())
      changes.push_back({shown(f.part) + " is gone", lines.part_spans[p]});
    else if (found->second != f.hash)
      changes.push_back({shown(f.part) + " changed", places[f.part]});
  }
  for (const Fingerprint& f : parts)
    if (!then.contains(f.part)) changes.push_back({shown(f.part) + " is new", places[f.part]});
  if (changes.empty()) return true;
  Diagnostic& d = diagnostics.error(
      lines.program_span,
      "program '" + lines.program + "' has changed since this schedule was made for it");
  for (std::size_t c = 0; c < changes.size() && c < kMostChanges; ++c)
    d.note(changes[c].message, changes[c].span);
  if (changes.size() > kMostChanges)
    d.note("and " + std::to_string(changes.size() - kMostChanges) + " more parts");
  d.help =
      "delete the file to have a new one made; if you know that the schedule still fits, "
      "delete its lines that begin with 'of'";
  return false;
}

}  // namespace lathe::schedule
