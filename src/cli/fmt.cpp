// SPDX-License-Identifier: Apache-2.0
// Formatting is printing, with the comments put back. The printed text is parsed again: declarations
// and items then stand in the same order in both texts, so a comment moves to where the thing after
// it (or, at the end of a line, the thing before it) now stands.

#include <algorithm>
#include <functional>
#include <map>
#include <ostream>

#include "base/files.h"
#include "cli/commands.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace lathe::cli {
namespace {

// First bytes of everything that has a place, in textual order.
std::vector<std::uint32_t> anchors(const ir::Program& p) {
  std::vector<std::uint32_t> found = {0};
  const auto add = [&](Span s) {
    if (s.known()) found.push_back(s.begin);
  };
  for (const ir::Array& a : p.arrays) add(a.span);
  for (const ir::Combiner& c : p.combiners) add(c.span);
  const std::function<void(const ir::Body&)> walk = [&](const ir::Body& body) {
    for (const ir::Item& item : body) {
      std::visit(
          [&](const auto& n) {
            if constexpr (std::is_same_v<std::decay_t<decltype(n)>, ir::Scan>)
              add(n.statement.span);
            else
              add(n.span);
          },
          item.node);
      if (auto* g = std::get_if<ir::Group>(&item.node))
        for (const ir::Statement& s : g->statements) add(s.span);
      ir::for_each_body(item, walk);
    }
  };
  walk(p.body);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

struct Comment {
  std::string text;
  bool own_line;
  std::size_t anchor;  // own line: the one after it; else the one before it
};

std::vector<Comment> comments(const SourceFile& file, const std::vector<std::uint32_t>& at) {
  std::vector<Comment> found;
  for (std::uint32_t line = 1; line <= file.line_starts.size(); ++line) {
    const std::string_view text = file.line_text(line);
    const std::size_t hash = text.find('#');
    if (hash == std::string_view::npos) continue;
    const std::uint32_t offset = file.line_starts[line - 1] + static_cast<std::uint32_t>(hash);
    const bool own_line = text.find_first_not_of(" \t") == hash;
    const auto next = std::upper_bound(at.begin(), at.end(), offset);
    std::size_t anchor = static_cast<std::size_t>(next - at.begin());
    if (!own_line) --anchor;
    if (own_line && line == 1) anchor = 0;
    std::string kept(text.substr(hash));
    kept.erase(kept.find_last_not_of(" \t") + 1);
    found.push_back({kept, own_line, anchor});
  }
  // Comments above the program belong to it, not to its first declaration.
  const bool program_first = !file.text.starts_with("#");
  if (!program_first) {
    const std::size_t header = file.text.find("program");
    std::size_t seen = 0;
    for (Comment& c : found)
      if (c.own_line && seen++ < static_cast<std::size_t>(std::count(
                                     file.text.begin(),
                                     file.text.begin() + static_cast<std::ptrdiff_t>(header), '#')))
        c.anchor = 0;
  }
  return found;
}

std::string with_comments(const SourceFile& printed, const std::vector<std::uint32_t>& at,
                          const std::vector<Comment>& comments) {
  std::map<std::uint32_t, std::vector<const Comment*>> above, behind;
  std::vector<const Comment*> end;
  for (const Comment& c : comments) {
    if (c.anchor >= at.size())
      end.push_back(&c);
    else
      (c.own_line ? above : behind)[printed.line_of(at[c.anchor])].push_back(&c);
  }
  std::string out;
  for (std::uint32_t line = 1; line <= printed.line_starts.size(); ++line) {
    const std::string_view text = printed.line_text(line);
    if (line == printed.line_starts.size() && text.empty()) break;
    const std::size_t indent = std::min(text.find_first_not_of(' '), text.size());
    for (const Comment* c : above[line]) out += std::string(indent, ' ') + c->text + "\n";
    out += text;
    for (const Comment* c : behind[line]) out += "  " + c->text;
    out += "\n";
  }
  for (const Comment* c : end) out += "  " + c->text + "\n";
  return out;
}

std::optional<std::string> format(const std::string& name, const std::string& text, Streams io) {
  auto sources = std::make_shared<SourceMap>();
  Diagnostics diagnostics;
  const auto program = ir::parse_program(name, text, diagnostics, sources);
  io.err << render_text(diagnostics, *sources);
  if (!program) return std::nullopt;
  const auto again = ir::parse_program("formatted", ir::print(*program), diagnostics, sources);
  lathe::check(again && ir::same_program(*program, *again), "a printed program that parses back");
  const SourceFile& original = sources->file(0);
  const auto from = anchors(*program), to = anchors(*again);
  lathe::check(from.size() == to.size(), "the same places before and after formatting");
  return with_comments(sources->file(1), to, comments(original, from));
}

}  // namespace

int fmt(const FmtArgs& args, Streams io) {
  int status = 0;
  for (const std::string& file : args.files) {
    const std::string before = read_file(file);
    const auto after = format(file, before, io);
    if (!after) {
      status = 1;
    } else if (args.check) {
      if (*after == before) continue;
      io.out << file << " would be reformatted\n";
      status = 1;
    } else if (args.write) {
      if (*after != before) write_file(file, *after);
    } else {
      io.out << *after;
    }
  }
  return status;
}

}  // namespace lathe::cli
