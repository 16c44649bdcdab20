// SPDX-License-Identifier: Apache-2.0
#include "kernel_batch.h"

#include <algorithm>
#include <map>
#include <set>

namespace lathe::testing {

std::string text(const Build& build) {
  return build.compiler + " -O" + std::to_string(build.optimize);
}

namespace {

std::shared_ptr<const host::Compiler> find_compiler(const std::string& name) {
  static std::map<std::string, std::shared_ptr<const host::Compiler>> known;
  const auto [at, fresh] = known.emplace(name, nullptr);
  if (fresh) {
    std::optional<Diagnostic> problem;
    host::CompilerSettings settings;
    settings.program = name;
    settings.timeout_seconds = 1800;  // campaigns run beside other work
    at->second = host::Compiler::find(settings, problem);
  }
  return at->second;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// `lathe_run` -> `k7_lathe_run`, and so on for all that a kernel defines at file scope.
std::string with_own_names(std::string_view code, const std::set<std::string, std::less<>>& names,
                           const std::string& prefix) {
  std::string out;
  for (std::size_t at = 0; at < code.size();) {
    std::size_t end = at;
    while (end < code.size() && is_word(code[end])) ++end;
    if (end == at) {
      out += code[at++];
      continue;
    }
    const std::string_view word = code.substr(at, end - at);
    if (names.find(word) != names.end()) out += prefix;
    out += word;
    at = end;
  }
  return out;
}

// Lines that begin in the first column define something: its name is the word before the first
// bracket of either kind, or before ` {`.
std::set<std::string, std::less<>> defined_names(std::string_view code) {
  std::set<std::string, std::less<>> names;
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t end = std::min(code.find('\n', at), code.size());
    const std::string_view line = code.substr(at, end - at);
    at = end + 1;
    if (line.empty() || !is_word(line.front())) continue;
    std::size_t stop = line.find_first_of("([{");
    if (stop == line.npos) continue;
    while (stop > 0 && !is_word(line[stop - 1])) --stop;
    std::size_t begin = stop;
    while (begin > 0 && is_word(line[begin - 1])) --begin;
    if (begin < stop) names.emplace(line.substr(begin, stop - begin));
  }
  return names;
}

}  // namespace

bool is_available(const Build& build) { return find_compiler(build.compiler) != nullptr; }

// Definitions are separated by empty lines, types by line ends.
void KernelBatch::take_definitions(std::string_view library) {
  const auto take = [&](std::string_view definition) {
    const auto found = std::find(definitions_.begin(), definitions_.end(), definition);
    if (found == definitions_.end()) definitions_.emplace_back(definition);
  };
  while (library.starts_with("typedef ")) {
    const std::size_t end = library.find('\n') + 1;
    take(library.substr(0, end));
    library.remove_prefix(end);
  }
  while (!library.empty()) {
    std::size_t end = library.find("\n\n");
    end = end == library.npos ? library.size() : end + 2;
    if (library.front() != '\n') take(library.substr(0, end));
    library.remove_prefix(library.front() == '\n' ? 1 : end);
  }
}

std::size_t KernelBatch::add(const emit::EmitResult& kernel) {
  const std::string_view all = kernel.text;
  if (head_.empty()) head_ = all.substr(0, kernel.library_begin);
  take_definitions(all.substr(kernel.library_begin, kernel.code_begin - kernel.library_begin));
  const std::string_view code = all.substr(kernel.code_begin);
  codes_.push_back(
      with_own_names(code, defined_names(code), "k" + std::to_string(codes_.size()) + "_"));
  needs_libm_ |= kernel.needs_libm;
  return codes_.size() - 1;
}

std::string KernelBatch::text() const {
  std::string out = head_;
  for (const std::string& d : definitions_)
    if (d.starts_with("typedef ")) out += d;
  out += "\n";
  for (const std::string& d : definitions_)
    if (!d.starts_with("typedef ")) out += d;
  for (const std::string& c : codes_) out += c + "\n";
  return out;
}

std::vector<Entry> KernelBatch::compile(const Build& build, emit::EmitOptions options) {
  const auto compiler = find_compiler(build.compiler);
  if (!compiler) throw UserError("there is no " + build.compiler);
  options.optimize = build.optimize;
  const host::TemporaryFolder folder("targets");
  host::CompileRequest request;
  const std::string source = text();
  request.text = source;
  request.flags = emit::emit_flags(options);
  for (const char* flag : {"-Wall", "-Wextra", "-Werror"}) request.flags.emplace_back(flag);
  request.folder = folder.path();
  const auto name = [](std::size_t k) { return "k" + std::to_string(k) + "_lathe_run"; };
  for (std::size_t k = 0; k < codes_.size(); ++k) request.symbols.push_back(name(k));
  const host::CompileResult result = compiler->compile(request);
  if (result.error) throw UserError(*result.error);
  std::string problem;
  const auto library = host::Library::open(result.path, problem);
  if (!library) throw UserError(testing::text(build) + ": " + problem);
  loaded_.push_back(library);
  std::vector<Entry> entries;
  for (std::size_t k = 0; k < codes_.size(); ++k)
    entries.push_back(library->function<int(lathe_context*)>(name(k).c_str()));
  return entries;
}

}  // namespace lathe::testing
