// SPDX-License-Identifier: Apache-2.0
#pragma once
// One kept kernel: three files that are called by its key.
//
//   <key>.so        the shared object
//   <key>.c         the text it was made of, for people
//   <key>.manifest  what the key was made of and the hash of the .so; written last, so an entry
//                   exists when its manifest does
//
// A manifest is lines of `name value`, ended by the line `end`; backslash and newline in a value
// are written \\ and \n.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lathe::host {

// Raised when kernels compiled before can no longer be called.
inline constexpr int kKernelAbi = 1;

// Everything that decides about the machine code.
struct KeyParts {
  std::string text_hash;
  std::string flags;  // one per line
  std::string compiler;
  std::string cpu;
  std::string abi;

  static KeyParts of(std::string_view text, const std::vector<std::string>& flags,
                     const std::string& compiler_identity);
  std::string key() const;  // 64 hexadecimal digits
};

bool is_key(std::string_view text);  // 64 hexadecimal digits

struct NamedPart {
  const char* name;
  std::string KeyParts::*value;
};
inline constexpr NamedPart kKeyParts[] = {{"text", &KeyParts::text_hash},
                                          {"flags", &KeyParts::flags},
                                          {"compiler", &KeyParts::compiler},
                                          {"cpu", &KeyParts::cpu},
                                          {"abi", &KeyParts::abi}};

struct Manifest {
  std::string key;
  KeyParts parts;
  std::string content;       // SHA-256 of the .so
  std::string label;         // what the user calls it; not part of the key
  std::int64_t created = 0;  // seconds since 1970
  std::int64_t compile_microseconds = 0;

  std::string print() const;
  // Nothing when the text is short, damaged, or its parts do not give its key.
  static std::optional<Manifest> parse(std::string_view text);
};

inline constexpr std::size_t kMaxManifest = 1 << 20;
inline constexpr std::size_t kMaxObject = std::size_t{1} << 30;

// Reads the entry in an open folder and checks the .so against its hash. The bytes of the .so, or
// empty with `problem`: empty too when there is simply no such entry.
std::string read_entry(int folder, const std::string& key, Manifest& manifest,
                       std::string& problem);

// Writes all three files. Returns an errno; what was written of a failed entry is removed.
int write_entry(int folder, const Manifest& manifest, std::string_view object,
                std::string_view text);

void remove_entry(int folder, const std::string& key);

// The key of a file that is called like one of an entry ("<64 digits>.<suffix>"), else empty.
std::string key_of_file(std::string_view name);

}  // namespace lathe::host
