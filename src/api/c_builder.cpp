// SPDX-License-Identifier: Apache-2.0
// A builder writes a program's text. Each piece is looked at first: names must be names, and the
// brackets of a range or a statement must pair up inside it. So a piece stays where it was put, and
// what the parser says later is about that piece.

#include <cctype>
#include <optional>

#include "api/c_handles.h"
#include "api/c_program.h"
#include "base/quoted.h"

struct lathe_builder {
  std::string name, parameters, declarations, body;
  std::optional<lathe::Diagnostic> problem;  // the first
  bool no_memory = false;

  void refuse(std::string message, std::string help) {
    if (!problem)
      problem =
          lathe::Diagnostic{lathe::Severity::Error, std::move(message), {}, {}, std::move(help)};
  }
};

namespace lathe::api {
namespace {

constexpr const char* kRoles[] = {"input", "output", "inout", "state"};

bool is_name(std::string_view text) {
  const auto letter = [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
  };
  if (text.empty() || !letter(text.front())) return false;
  for (char c : text)
    if (!letter(c) && !std::isdigit(static_cast<unsigned char>(c))) return false;
  return true;
}

bool check_name(lathe_builder& b, const char* kind, const char* name) {
  if (name && is_name(name)) return true;
  b.refuse(quoted(name ? name : "") + " cannot be the name of a " + kind,
           "begin with a letter or '_', go on with letters, digits and '_'");
  return false;
}

bool check_dtype(lathe_builder& b, const char* kind, const char* name, lathe_dtype dtype) {
  const int number = static_cast<int>(dtype);
  if (number >= 0 && number < ir::kDTypeCount) return true;
  b.refuse(std::string(kind) + " " + quoted(name ? name : "") + " has a dtype with the number " +
               std::to_string(number),
           "use one of the enumeration lathe_dtype");
  return false;
}

// What does not pair up: a bracket without its partner, or nothing.
std::string unpaired(std::string_view text) {
  std::string open;
  bool comment = false;
  for (char c : text) {
    if (c == '#') comment = true;
    if (c == '\n') comment = false;
    if (comment) continue;
    if (c == '(' || c == '[') open += c;
    if (c != ')' && c != ']') continue;
    if (open.empty() || open.back() != (c == ')' ? '(' : '[')) return std::string(1, c);
    open.pop_back();
  }
  return open.empty() ? "" : std::string(1, open.back());
}

bool check_piece(lathe_builder& b, const std::string& what, std::string_view text) {
  const std::string alone = unpaired(text);
  if (alone.empty()) return true;
  b.refuse("the text of " + what + " has a " + quoted(alone) + " without its partner",
           "complete it: " + std::string(text));
  return false;
}

void declare(lathe_builder& b, const char* role, const char* name, lathe_dtype dtype,
             const char* ranges) {
  if (!check_name(b, "array", name)) return;
  if (!check_dtype(b, "array", name, dtype)) return;
  const std::string text = ranges ? ranges : "";
  if (!check_piece(b, "the ranges of " + quoted(name), text)) return;
  if (text.find_first_of("\n#") != std::string::npos)
    return b.refuse("the ranges of " + quoted(name) + " have more than one line, or a comment",
                    "write them as in \"i: n, j: 0..m+1\"");
  b.declarations += std::string("  ") + role + " " + name + ": " +
                    std::string(ir::name(to_dtype(dtype))) +
                    (text.empty() ? "" : "[" + text + "]") + "\n";
}

void add_parameter(lathe_builder& b, const char* name, std::string_view type) {
  if (!check_name(b, "parameter", name)) return;
  b.parameters += (b.parameters.empty() ? "" : ", ") + std::string(name) + ": " + std::string(type);
}

// Builder functions return nothing, so what goes wrong waits for lathe_build.
template <class F>
void quietly(lathe_builder* b, F&& f) {
  if (!b) return;
  try {
    f(*b);
  } catch (const std::exception&) {
    b->no_memory = true;
  }
}

}  // namespace
}  // namespace lathe::api

using namespace lathe;
using namespace lathe::api;

lathe_builder* lathe_builder_create(const char* program_name) {
  auto* b = new (std::nothrow) lathe_builder;
  quietly(b, [&](lathe_builder& to) {
    if (check_name(to, "program", program_name)) to.name = program_name;
  });
  return b;
}

void lathe_builder_destroy(lathe_builder* builder) { delete builder; }

void lathe_builder_size(lathe_builder* builder, const char* name) {
  quietly(builder, [&](lathe_builder& b) { add_parameter(b, name, "size"); });
}

void lathe_builder_parameter(lathe_builder* builder, const char* name, lathe_dtype dtype) {
  quietly(builder, [&](lathe_builder& b) {
    if (check_dtype(b, "parameter", name, dtype)) add_parameter(b, name, ir::name(to_dtype(dtype)));
  });
}

void lathe_builder_array(lathe_builder* builder, lathe_role role, const char* name,
                         lathe_dtype dtype, const char* ranges) {
  quietly(builder, [&](lathe_builder& b) {
    const int number = static_cast<int>(role);
    if (number < 0 || number > LATHE_STATE)
      return b.refuse("array " + quoted(name ? name : "") + " has a role with the number " +
                          std::to_string(number),
                      "use one of the enumeration lathe_role");
    declare(b, kRoles[number], name, dtype, ranges);
  });
}

void lathe_builder_temporary(lathe_builder* builder, const char* name, lathe_dtype dtype,
                             const char* ranges) {
  quietly(builder, [&](lathe_builder& b) { declare(b, "temp", name, dtype, ranges); });
}

void lathe_builder_statement(lathe_builder* builder, const char* text) {
  quietly(builder, [&](lathe_builder& b) {
    std::string_view rest = text ? text : "";
    if (!check_piece(b, "a statement", rest)) return;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      b.body += "  " + std::string(rest.substr(0, end)) + "\n";
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  });
}

lathe_code lathe_build(const lathe_builder* builder, lathe_program** program, lathe_error** error) {
  std::string text;
  const lathe_code code = guarded(error, LATHE_ERROR_PROGRAM, nullptr, [&] {
    require(builder && program, "lathe_build needs a builder and a place for the program");
    *program = nullptr;
    if (builder->no_memory) throw std::bad_alloc();
    if (builder->problem) throw UserError(*builder->problem);
    text = "program " + builder->name + "(" + builder->parameters + ")\n" + builder->declarations +
           builder->body;
  });
  if (code != LATHE_OK) return code;
  return make_program(builder->name + ".lathe", text, program, error);
}
