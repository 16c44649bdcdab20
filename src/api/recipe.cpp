// SPDX-License-Identifier: Apache-2.0
#include "api/recipe.h"

#include <elf.h>
#include <link.h>

#include <charconv>
#include <cstring>

#include "base/sha256.h"

namespace lathe::api {

namespace {

constexpr std::string_view kKinds[] = {"argument", "scratch", "allocated"};

std::string_view next(std::string_view& text, char separator) {
  const std::string_view part = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), part.size() + 1));
  return part;
}

bool read_number(std::string_view word, std::size_t& out) {
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, out);
  return error == std::errc() && rest == end;
}

bool read_slot(std::string_view line, const Signature& signature, ir::Graph& graph, Recipe& r) {
  SlotPlan plan;
  emit::ArraySlot slot;
  const std::string_view kind = next(line, ' '), argument = next(line, ' ');
  const std::string_view rank = next(line, ' '), dtype = next(line, ' '), name = next(line, ' ');
  std::size_t k = 0;
  while (k < std::size(kKinds) && kKinds[k] != kind) ++k;
  const auto t = ir::parse_dtype(dtype);
  if (k == std::size(kKinds) || !t || !read_number(rank, plan.rank) || name.empty()) return false;
  plan.from = static_cast<SlotPlan::From>(k);
  if (argument != "-") {
    std::size_t number = 0;
    if (!read_number(argument, number) || number >= signature.arguments().size()) return false;
    plan.argument = number;
    const ArgumentInfo& a = signature.arguments()[number];
    if (a.name != name || a.dtype != *t || a.rank != plan.rank) return false;
  } else if (plan.from == SlotPlan::From::Argument) {
    return false;
  }
  slot.name = graph.symbol(name);
  slot.dtype = *t;
  slot.rank = plan.rank;
  slot.allocated = plan.from == SlotPlan::From::Allocated;
  while (!line.empty()) {
    std::size_t axis = 0;
    if (!read_number(next(line, ' '), axis) || axis >= slot.rank) return false;
    slot.layout.push_back(axis);
  }
  plan.first_axis = r.plan.axis_count;
  r.plan.axis_count += plan.rank;
  r.plan.slots.push_back(plan);
  r.code.arrays.push_back(std::move(slot));
  return true;
}

bool read_scratch(std::string_view line, std::size_t parameters, Recipe& r) {
  ScratchBuffer s;
  std::string_view head = next(line, '|'), order = next(line, '|');
  std::size_t bytes = 0, place = 0;
  if (!read_number(next(head, ' '), s.slot) || !read_number(next(head, ' '), bytes)) return false;
  if (s.slot >= r.plan.slots.size()) return false;
  s.element_size = static_cast<std::int64_t>(bytes);
  if (const std::string_view word = next(head, ' '); word != "-") {
    if (!read_number(word, place)) return false;
    s.place = place;
  }
  while (!order.empty()) {
    std::size_t axis = 0;
    if (!read_number(next(order, ' '), axis)) return false;
    s.order.push_back(axis);
  }
  const std::size_t rank = r.plan.slots[s.slot].rank;
  for (std::size_t x = 0; x < rank; ++x) {
    s.lo.push_back(Formula::parse(next(line, '|'), parameters));
    s.hi.push_back(Formula::parse(next(line, '|'), parameters));
    if (!s.lo.back() || !s.hi.back()) return false;
  }
  if (!line.empty() || s.order.size() != rank) return false;
  const emit::ArraySlot& slot = r.code.arrays[s.slot];
  s.as_array.name = slot.name;
  s.as_array.dtype = slot.dtype;
  r.plan.scratch.push_back(std::move(s));
  return true;
}

}  // namespace

std::optional<std::string> print_recipe(const std::string& kernel, const CallPlan& plan,
                                        const emit::EmitResult& code) {
  if (!code.calls.empty() || !code.checks.empty()) return std::nullopt;
  std::string out = "recipe 1\nkernel " + kernel + "\nbodies " + std::to_string(code.bodies) + "\n";
  for (std::size_t n = 0; n < plan.slots.size(); ++n) {
    const SlotPlan& s = plan.slots[n];
    const emit::ArraySlot& a = code.arrays[n];
    out += "slot " + std::string(kKinds[static_cast<std::size_t>(s.from)]) + " " +
           (s.argument ? std::to_string(*s.argument) : "-") + " " + std::to_string(s.rank) + " " +
           std::string(ir::name(a.dtype)) + " " + std::string(a.name.text());
    for (std::size_t axis : a.layout) out += " " + std::to_string(axis);
    out += "\n";
  }
  for (const ScratchBuffer& s : plan.scratch) {
    out += "scratch " + std::to_string(s.slot) + " " + std::to_string(s.element_size) + " " +
           (s.place ? std::to_string(*s.place) : "-") + "|";
    for (std::size_t i = 0; i < s.order.size(); ++i)
      out += (i == 0 ? "" : " ") + std::to_string(s.order[i]);
    for (std::size_t x = 0; x < s.lo.size(); ++x) {
      if (!s.lo[x] || !s.hi[x]) return std::nullopt;
      out += "|" + s.lo[x]->text() + "|" + s.hi[x]->text();
    }
    out += "\n";
  }
  out += "places " + std::to_string(plan.place_count) + "\n";
  return out + "end " + sha256_hex(out) + "\n";
}

std::optional<Recipe> parse_recipe(std::string_view text, const Signature& signature,
                                   ir::Graph& graph) {
  const std::size_t end = text.rfind("end ");
  if (end == text.npos || !text.ends_with('\n')) return std::nullopt;
  const std::string_view hash = text.substr(end + 4, text.size() - end - 5);
  text = text.substr(0, end);
  if (sha256_hex(text) != hash || next(text, '\n') != "recipe 1") return std::nullopt;
  Recipe r;
  while (!text.empty()) {
    std::string_view line = next(text, '\n');
    const std::string_view what = next(line, ' ');
    std::size_t number = 0;
    bool fine = true;
    if (what == "kernel") {
      r.kernel = line;
    } else if (what == "bodies") {
      fine = read_number(line, number);
      r.code.bodies = static_cast<int>(number);
    } else if (what == "slot") {
      fine = read_slot(line, signature, graph, r);
    } else if (what == "scratch") {
      fine = read_scratch(line, signature.parameters().size(), r);
    } else if (what == "places") {
      fine = read_number(line, r.plan.place_count);
    } else {
      fine = false;
    }
    if (!fine) return std::nullopt;
  }
  for (const ScratchBuffer& s : r.plan.scratch)
    if (s.place && *s.place >= r.plan.place_count) return std::nullopt;
  return r;
}

// ---- The build: the identity that the linker gave to the object that holds this function.

namespace {

int find_identity(dl_phdr_info* info, std::size_t, void* out) {
  const auto here = reinterpret_cast<std::uintptr_t>(&find_identity);
  bool mine = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& p = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + p.p_vaddr;
    mine |= p.p_type == PT_LOAD && here >= begin && here < begin + p.p_memsz;
  }
  if (!mine) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& p = info->dlpi_phdr[i];
    if (p.p_type != PT_NOTE) continue;
    const char* at = reinterpret_cast<const char*>(info->dlpi_addr + p.p_vaddr);
    const char* const end = at + p.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const char* const content = at + sizeof note + (note.n_namesz + 3) / 4 * 4;
      if (note.n_type == NT_GNU_BUILD_ID && content + note.n_descsz <= end) {
        static_cast<std::string*>(out)->assign(content, note.n_descsz);
        return 1;
      }
      at = content + (note.n_descsz + 3) / 4 * 4;
    }
  }
  return 1;
}

}  // namespace

std::string build_identity() {
  static const std::string identity = [] {
    std::string bytes;
    dl_iterate_phdr(find_identity, &bytes);
    return bytes.empty() ? bytes : sha256_hex(bytes);
  }();
  return identity;
}

}  // namespace lathe::api
