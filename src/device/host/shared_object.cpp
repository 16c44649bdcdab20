// SPDX-License-Identifier: Apache-2.0
// Reads just enough of ELF: the file header, the segments (each must lie inside the file), and the
// dynamic symbols by way of their section. Every offset comes from the file and is checked.

#include "device/host/shared_object.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

namespace lathe::host {
namespace {

// The `index`th T of a table at `offset`, or nothing when it would reach over the end.
template <class T>
std::optional<T> entry(std::string_view bytes, std::uint64_t offset, std::uint64_t index) {
  std::uint64_t begin = 0, end = 0;
  if (__builtin_mul_overflow(index, sizeof(T), &begin) ||
      __builtin_add_overflow(begin, offset, &begin) ||
      __builtin_add_overflow(begin, sizeof(T), &end) || end > bytes.size()) {
    return std::nullopt;
  }
  T out;
  std::memcpy(&out, bytes.data() + begin, sizeof out);
  return out;
}

bool inside(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
  return offset <= bytes.size() && size <= bytes.size() - offset;
}

constexpr int kThisMachine =
#if defined(__x86_64__)
    EM_X86_64;
#elif defined(__aarch64__)
    EM_AARCH64;
#else
    EM_NONE;  // not checked
#endif

std::string header_problem(const ElfW(Ehdr) & header) {
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return "it is not an ELF file";
  const int width = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  const bool this_machine = header.e_ident[EI_CLASS] == width &&
                            (kThisMachine == EM_NONE || header.e_machine == kThisMachine);
  if (!this_machine) return "it is for another kind of machine";
  if (header.e_type != ET_DYN) return "it is not a shared object";
  if (header.e_phentsize != sizeof(ElfW(Phdr))) return "its program header is damaged";
  if (header.e_shnum > 0 && header.e_shentsize != sizeof(ElfW(Shdr))) {
    return "its section header is damaged";
  }
  return "";
}

// The names of functions that the dynamic symbol table defines.
std::vector<std::string_view> defined_functions(std::string_view bytes, const ElfW(Ehdr) & header) {
  std::vector<std::string_view> out;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto symbols = entry<ElfW(Shdr)>(bytes, header.e_shoff, i);
    if (!symbols || symbols->sh_type != SHT_DYNSYM) continue;
    const auto names = entry<ElfW(Shdr)>(bytes, header.e_shoff, symbols->sh_link);
    if (!names || !inside(bytes, names->sh_offset, names->sh_size)) continue;
    const std::string_view text = bytes.substr(names->sh_offset, names->sh_size);
    for (std::uint64_t s = 0; s < symbols->sh_size / sizeof(ElfW(Sym)); ++s) {
      const auto symbol = entry<ElfW(Sym)>(bytes, symbols->sh_offset, s);
      if (!symbol) break;
      if (symbol->st_shndx == SHN_UNDEF || symbol->st_name >= text.size()) continue;
      if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC) continue;
      const std::string_view rest = text.substr(symbol->st_name);
      out.push_back(rest.substr(0, rest.find('\0')));
    }
  }
  return out;
}

}  // namespace

std::string shared_object_problem(std::string_view bytes, const std::vector<std::string>& symbols) {
  if (bytes.empty()) return "it is empty";
  const auto header = entry<ElfW(Ehdr)>(bytes, 0, 0);
  if (!header) return "it is not an ELF file";
  if (std::string problem = header_problem(*header); !problem.empty()) return problem;
  bool loads = false;
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    const auto segment = entry<ElfW(Phdr)>(bytes, header->e_phoff, i);
    if (!segment || !inside(bytes, segment->p_offset, segment->p_filesz))
      return "it ends too early";
    loads |= segment->p_type == PT_LOAD;
  }
  if (!loads) return "it holds no code";
  const std::uint64_t sections = std::uint64_t{header->e_shnum} * sizeof(ElfW(Shdr));
  if (!inside(bytes, header->e_shoff, sections)) return "it ends too early";
  const std::vector<std::string_view> functions = defined_functions(bytes, *header);
  for (const std::string& symbol : symbols) {
    if (std::find(functions.begin(), functions.end(), symbol) == functions.end()) {
      return "it has no function '" + symbol + "'";
    }
  }
  return "";
}

}  // namespace lathe::host
