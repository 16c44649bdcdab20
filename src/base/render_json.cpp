// SPDX-License-Identifier: Apache-2.0
// Diagnostics as JSON for editors and scripts.

#include <nlohmann/json.hpp>

#include "base/diagnostics.h"

namespace lathe {
namespace {

using Json = nlohmann::ordered_json;

void add_place(Json& object, Span span, const SourceMap& sources) {
  if (!span.known()) return;
  const Location begin = sources.location(span);
  const Location end = sources.location(span.file, std::max(span.begin, span.end));
  object["file"] = begin.file;
  object["line"] = begin.line;
  object["column"] = begin.column;
  object["end_line"] = end.line;
  object["end_column"] = end.column;
}

}  // namespace

std::string render_json(const Diagnostic& diagnostic, const SourceMap& sources) {
  Json object;
  object["severity"] = name(diagnostic.severity);
  object["message"] = diagnostic.message;
  add_place(object, diagnostic.span, sources);
  Json notes = Json::array();
  for (const Note& note : diagnostic.notes) {
    Json item;
    item["message"] = note.message;
    add_place(item, note.span, sources);
    notes.push_back(std::move(item));
  }
  object["notes"] = std::move(notes);
  if (!diagnostic.help.empty()) object["help"] = diagnostic.help;
  // A message may quote bytes of the user's file that are not UTF-8.
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string render_json(const Diagnostics& diagnostics, const SourceMap& sources) {
  std::string out = "[";
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    out += out.size() == 1 ? "\n" : ",\n";
    out += render_json(diagnostic, sources);
  }
  return out + "\n]\n";
}

}  // namespace lathe
