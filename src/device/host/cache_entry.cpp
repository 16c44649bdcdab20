// SPDX-License-Identifier: Apache-2.0
#include "device/host/cache_entry.h"

#include <unistd.h>

#include <algorithm>
#include <map>

#include "base/number_text.h"
#include "base/sha256.h"
#include "device/host/cache_folder.h"
#include "device/host/cpu.h"

namespace lathe::host {
namespace {

constexpr std::string_view kFirstLine = "lathe-kernel 1\n";
constexpr std::string_view kLastLine = "end\n";
constexpr std::size_t kKeyLength = 64;

std::string escape(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == '\n') {
      out += "\\n";
    } else {
      if (c == '\\') out += '\\';
      out += c;
    }
  }
  return out;
}

std::string unescape(std::string_view value) {
  std::string out;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '\\' && i + 1 < value.size()) {
      ++i;
      out += value[i] == 'n' ? '\n' : value[i];
    } else {
      out += value[i];
    }
  }
  return out;
}

}  // namespace

bool is_key(std::string_view text) {
  return text.size() == kKeyLength &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

KeyParts KeyParts::of(std::string_view text, const std::vector<std::string>& flags,
                      const std::string& compiler_identity) {
  KeyParts out;
  out.text_hash = sha256_hex(text);
  for (const std::string& flag : flags) out.flags += (out.flags.empty() ? "" : "\n") + flag;
  out.compiler = compiler_identity;
  out.cpu = cpu_features();
  out.abi = std::to_string(kKernelAbi);
  return out;
}

std::string KeyParts::key() const {
  Sha256 hash;
  for (const NamedPart& part : kKeyParts) hash.add_part(part.name).add_part(this->*part.value);
  return hash.hex();
}

std::string Manifest::print() const {
  std::string out(kFirstLine);
  const auto line = [&](const char* name, const std::string& value) {
    out += name + (" " + escape(value)) + "\n";
  };
  line("key", key);
  line("label", label);
  line("content", content);
  for (const NamedPart& part : kKeyParts) line(part.name, parts.*part.value);
  line("created", std::to_string(created));
  line("compile_microseconds", std::to_string(compile_microseconds));
  out += kLastLine;
  return out;
}

std::optional<Manifest> Manifest::parse(std::string_view text) {
  if (!text.starts_with(kFirstLine) || !text.ends_with(kLastLine)) return std::nullopt;
  text.remove_prefix(kFirstLine.size());
  text.remove_suffix(kLastLine.size());
  std::map<std::string_view, std::string> values;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    values[line.substr(0, blank)] = unescape(line.substr(blank + 1));
  }
  Manifest out;
  out.key = values["key"];
  out.label = values["label"];
  out.content = values["content"];
  for (const NamedPart& part : kKeyParts) out.parts.*part.value = values[part.name];
  const auto created = parse_int64(values["created"]);
  const auto taken = parse_int64(values["compile_microseconds"]);
  if (!created || !taken) return std::nullopt;
  out.created = created.value;
  out.compile_microseconds = taken.value;
  if (out.key != out.parts.key() || !is_key(out.content)) return std::nullopt;
  return out;
}

std::string read_entry(int folder, const std::string& key, Manifest& manifest,
                       std::string& problem) {
  std::string text, object;
  if (!read_in(folder, key + ".manifest", text, kMaxManifest)) return "";
  const std::optional<Manifest> parsed = Manifest::parse(text);
  if (!parsed || parsed->key != key) {
    problem = "its manifest is damaged";
    return "";
  }
  if (!read_in(folder, key + ".so", object, kMaxObject)) {
    problem = "its shared object is missing";
    return "";
  }
  if (sha256_hex(object) != parsed->content) {
    problem = "its shared object is not the one that was written";
    return "";
  }
  manifest = *parsed;
  return object;
}

int write_entry(int folder, const Manifest& manifest, std::string_view object,
                std::string_view text) {
  // Only the .so is synced, 4 ms on a cheap disk: a manifest or text that a power cut leaves short
  // is noticed or only for people.
  int error = put_in(folder, manifest.key + ".c", text, false);
  if (error == 0) error = put_in(folder, manifest.key + ".so", object, true);
  if (error == 0) error = put_in(folder, manifest.key + ".manifest", manifest.print(), false);
  if (error != 0) remove_entry(folder, manifest.key);
  return error;
}

void remove_entry(int folder, const std::string& key) {
  // The manifest first: a process that is killed in between leaves no entry, only files to sweep.
  for (const char* suffix : {".manifest", ".so", ".c"}) {
    ::unlinkat(folder, (key + suffix).c_str(), 0);
  }
}

std::string key_of_file(std::string_view name) {
  const std::string_view key = name.substr(0, name.find('.'));
  const std::string_view suffix = name.substr(key.size());
  const bool known = suffix == ".manifest" || suffix == ".so" || suffix == ".c" ||
                     suffix == ".lock" || suffix == ".note";
  return known && is_key(key) ? std::string(key) : "";
}

}  // namespace lathe::host
