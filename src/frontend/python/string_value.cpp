// SPDX-License-Identifier: Apache-2.0
// Escapes. Between them the text is copied in runs.

#include "frontend/python/string_value.h"

#include "base/utf8.h"

namespace lathe::python {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

class BodyReader {
 public:
  BodyReader(std::string& out, std::string_view body, BodyRules rules)
      : out_(out), body_(body), rules_(rules) {}

  std::optional<StringFault> run() {
    while (at_ < body_.size() && !fault_) {
      const char c = body_[at_];
      if (c == '\\' && !rules_.raw) {
        escape();
      } else if (c == '\r') {  // a line end, as everywhere
        out_ += '\n';
        ++at_;
      } else {
        out_ += c;
        // The lexer let pass only braces in pairs.
        at_ += rules_.braces && (c == '{' || c == '}') && next() == c ? 2 : 1;
      }
    }
    return std::move(fault_);
  }

 private:
  char next() const { return at_ + 1 < body_.size() ? body_[at_ + 1] : '\0'; }

  void put(char32_t code) {
    if (rules_.bytes)
      out_ += static_cast<char>(code & 0xff);
    else
      append_utf8(out_, code);
  }

  void simple(char value) {
    out_ += value;
    at_ += 2;
  }

  void escape() {
    const char c = next();
    switch (c) {
      case '\n':
      case '\r': at_ += 2; return;
      case '\\':
      case '\'':
      case '"': return simple(c);
      case 'a': return simple('\a');
      case 'b': return simple('\b');
      case 'f': return simple('\f');
      case 'n': return simple('\n');
      case 'r': return simple('\r');
      case 't': return simple('\t');
      case 'v': return simple('\v');
      case 'x': return hex(2);
      default: break;
    }
    if (c >= '0' && c <= '7') return octal();
    if (!rules_.bytes && c == 'u') return hex(4);
    if (!rules_.bytes && c == 'U') return hex(8);
    if (!rules_.bytes && c == 'N') return named();
    out_ += '\\';
    ++at_;
  }

  void octal() {
    char32_t code = 0;
    std::size_t i = at_ + 1;
    for (; i < body_.size() && i < at_ + 4 && body_[i] >= '0' && body_[i] <= '7'; ++i)
      code = code * 8 + static_cast<char32_t>(body_[i] - '0');
    put(code);
    at_ = i;
  }

  void hex(std::size_t count) {
    char32_t code = 0;
    std::size_t i = at_ + 2;
    for (; i < body_.size() && i < at_ + 2 + count && hex_value(body_[i]) >= 0; ++i)
      code = code * 16 + static_cast<char32_t>(hex_value(body_[i]));
    const std::string shown = std::string("\\") + next();
    if (i < at_ + 2 + count) {
      fault_ = {at_, i, "'" + shown + "' needs " + std::to_string(count) + " hexadecimal digits",
                "write '\\\\' for a backslash, or put r before the string"};
    } else if (code > 0x10ffff) {
      fault_ = {at_, i, "there is no character of this number", "the largest one is \\U0010ffff"};
    }
    put(code);
    at_ = i;
  }

  void named() {
    const std::size_t close = body_.find('}', at_);
    if (at_ + 2 >= body_.size() || body_[at_ + 2] != '{' || close == body_.npos ||
        close == at_ + 3) {
      fault_ = {at_, at_ + 2, "'\\N' needs the name of a character in braces",
                "write '\\\\' for a backslash, or put r before the string"};
      at_ += 2;
      return;
    }
    out_ += body_.substr(at_, close + 1 - at_);
    at_ = close + 1;
  }

  std::string& out_;
  std::string_view body_;
  BodyRules rules_;
  std::size_t at_ = 0;
  std::optional<StringFault> fault_;
};

}  // namespace

StringForm string_form(std::string_view token) {
  StringForm form;
  std::size_t at = 0;
  for (; token[at] != '"' && token[at] != '\''; ++at) {
    const char c = static_cast<char>(token[at] | 0x20);
    form.bytes = form.bytes || c == 'b';
    form.raw = form.raw || c == 'r';
    form.u_prefix = form.u_prefix || token[at] == 'u';
  }
  const std::size_t rest = token.size() - at;
  const bool triple = rest >= 6 && token[at + 1] == token[at] && token[at + 2] == token[at];
  const std::size_t quotes = triple ? 3 : 1;
  form.body = at + quotes;
  form.length = rest >= 2 * quotes ? rest - 2 * quotes : 0;
  return form;
}

bool is_verbatim(std::string_view body, BodyRules rules) {
  for (const char c : body)
    if ((c == '\\' && !rules.raw) || c == '\r' || (rules.braces && (c == '{' || c == '}')))
      return false;
  return true;
}

std::optional<StringFault> append_value(std::string& out, std::string_view body, BodyRules rules) {
  if (rules.bytes) {
    for (std::size_t i = 0; i < body.size(); ++i)
      if ((body[i] & 0x80) != 0)
        return StringFault{i, i + decode_utf8(body, i).length, "bytes hold only ASCII characters",
                           "write the byte as \\xff, or drop the b before the string"};
  }
  if (is_verbatim(body, rules)) {
    out += body;
    return std::nullopt;
  }
  return BodyReader(out, body, rules).run();
}

}  // namespace lathe::python
