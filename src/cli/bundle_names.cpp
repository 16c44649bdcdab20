// SPDX-License-Identifier: Apache-2.0
// Names and types of a bundle: what the program's author wrote, as far as C and C++ let it stand.

#include <algorithm>
#include <set>

#include "cli/bundle.h"

namespace lathe::cli {
namespace {

constexpr std::string_view kTaken[] = {
    "alignas",      "alignof",   "and",       "asm",      "auto",      "bool",     "break",
    "case",         "catch",     "char",      "class",    "complex",   "concept",  "const",
    "continue",     "decltype",  "default",   "delete",   "do",        "double",   "else",
    "enum",         "explicit",  "export",    "extern",   "false",     "float",    "for",
    "friend",       "goto",      "if",        "inline",   "int",       "linux",    "long",
    "mutable",      "namespace", "new",       "noexcept", "not",       "nullptr",  "operator",
    "or",           "private",   "protected", "public",   "register",  "requires", "restrict",
    "return",       "short",     "signed",    "sizeof",   "static",    "struct",   "switch",
    "template",     "this",      "throw",     "true",     "try",       "typedef",  "typeid",
    "typename",     "typeof",    "union",     "unix",     "unsigned",  "using",    "virtual",
    "void",         "volatile",  "while",     "xor",      "NULL",      "bitand",   "bitor",
    "compl",        "and_eq",    "or_eq",     "xor_eq",   "not_eq",    "wchar_t",  "friend",
    "thread_local", "co_await",  "co_return", "co_yield", "constexpr", "consteval"};

std::string letters(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    out += letter || (c >= '0' && c <= '9' && !out.empty()) ? c : '_';
  }
  // Names with a leading underscore or two in a row belong to the compiler.
  while (out.starts_with('_')) out.erase(0, 1);
  for (std::size_t at; (at = out.find("__")) != out.npos;) out.erase(at, 1);
  return out.empty() ? "x" : out;
}

std::string unused(std::string_view text, std::set<std::string>& used) {
  std::string name = letters(text);
  const bool taken = std::find(std::begin(kTaken), std::end(kTaken), name) != std::end(kTaken);
  if (taken || name.ends_with("_t")) name += "x";
  while (used.contains(name) || used.contains(name + "_strides") || used.contains(name + "_bounds"))
    name += "x";
  for (const char* suffix : {"", "_strides", "_bounds"}) used.insert(name + suffix);
  return name;
}

}  // namespace

Bundle plan_bundle(const std::string& file, api::Compiled& compiled, const interp::State& inputs,
                   const interp::State& results) {
  Bundle b;
  const api::Variant& v = compiled.variant(compiled.plain_key());
  check_calls(v);
  b.source = file;
  b.name = letters(compiled.prepared().name.text());
  if (b.name == "test" || b.name == "golden" || b.name == "Makefile")
    b.name += "_kernel";  // names of our own files
  b.function = b.name + "_run";
  b.signature = &compiled.signature();
  b.variant = &v;
  b.inputs = &inputs;
  b.results = &results;
  std::set<std::string> used;
  for (const api::ParameterInfo& p : b.signature->parameters())
    b.parameters.push_back({unused(p.name, used), "p" + std::to_string(b.parameters.size())});
  for (const api::ArgumentInfo& a : b.signature->arguments())
    b.arguments.push_back({unused(a.name, used), "a" + std::to_string(b.arguments.size())});
  return b;
}

std::string c_type(ir::DType t) {
  if (t == ir::DType::F64) return "double";
  if (t == ir::DType::F32) return "float";
  if (ir::is_signed_int(t)) return "int" + std::to_string(ir::width_bits(t)) + "_t";
  return bits_type(t);
}

std::string bits_type(ir::DType t) { return "uint" + std::to_string(ir::width_bits(t)) + "_t"; }

std::string c_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c < ' ' || c > '~' || c == '?' ? (c == '?' ? "\\?" : " ") : std::string(1, c);
  }
  return out + "\"";
}

bool has_strides(const api::ArgumentInfo& a) { return a.rank >= 2 && !a.computed; }

std::string prototype(const Bundle& b, bool local) {
  std::vector<std::string> words;
  const auto name = [&](const BundleName& n) { return local ? n.local : n.c; };
  for (std::size_t i = 0; i < b.parameters.size(); ++i)
    words.push_back(c_type(b.signature->parameters()[i].dtype) + " " + name(b.parameters[i]));
  for (std::size_t i = 0; i < b.arguments.size(); ++i) {
    const api::ArgumentInfo& a = b.signature->arguments()[i];
    const std::string n = name(b.arguments[i]);
    const std::string type = (a.is_written() ? "" : "const ") + c_type(a.dtype);
    words.push_back(type + (a.computed ? " **" : " *") + n);
    if (a.computed) words.push_back("int64_t *" + n + "_bounds");
    if (has_strides(a)) words.push_back("const int64_t *" + n + "_strides");
  }
  std::string text = "int " + b.function + "(";
  const std::string indent(text.size(), ' ');
  std::size_t column = text.size();
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i] + (i + 1 < words.size() ? "," : "");
    if (i > 0 && column + 1 + word.size() > 96) {
      text += "\n" + indent;
      column = indent.size();
    } else if (i > 0) {
      text += " ";
      ++column;
    }
    text += word;
    column += word.size();
  }
  return text + (words.empty() ? "void)" : ")");
}

std::vector<BundleFile> bundle_files(const Bundle& b) {
  return {{b.name + ".c", bundle_source(b)},
          {b.name + ".h", bundle_header(b)},
          {"golden.h", bundle_golden(b)},
          {"test.c", bundle_test(b)},
          {"Makefile", bundle_makefile(b)}};
}

}  // namespace lathe::cli
