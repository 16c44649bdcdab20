// SPDX-License-Identifier: Apache-2.0
// Templates become functions. A function's text is added after its needs, because expanding the
// text asks for them first.

#include "emit/c/library.h"

#include "base/diagnostics.h"
#include "emit/c/types.h"

namespace lathe::emit {

using ir::DType;

struct Library::Context {
  DType dtype;  // as it is named: f16 too
  int lanes;
};

namespace {

unsigned kind_of(DType t) {
  if (t == DType::F16) return kFloat16;
  if (t == DType::BF16) return kBFloat16;
  if (t == DType::F32) return kFloat32;
  if (t == DType::F64) return kFloat64;
  const std::size_t bytes = ir::size_bytes(t);
  if (ir::is_signed_int(t)) return bytes == 8 ? kSigned64 : bytes == 4 ? kSigned32 : kSignedOther;
  return bytes == 8 ? kUnsigned64 : bytes == 4 ? kUnsigned32 : kUnsignedOther;
}

std::string suffix(DType t, int lanes) {
  std::string text(name(t));
  return lanes == 1 ? text : text + "x" + std::to_string(lanes);
}

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

std::size_t word_end(std::string_view text, std::size_t at) {
  while (at < text.size() && is_word(text[at])) ++at;
  return at;
}

std::size_t closing(std::string_view text, std::size_t at, char open, char close) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == open) ++depth;
    if (text[at] == close && --depth == 0) return at;
  }
  internal_error("a closed bracket in a template");
}

std::string for_lanes(std::string_view text, int lanes, std::string_view between) {
  std::string out;
  for (int lane = 0; lane < lanes; ++lane) {
    if (lane > 0) out += between;
    for (char c : text) c == '#' ? out += std::to_string(lane) : out += c;
  }
  return out;
}

const FunctionTemplate& find_template(std::string_view wanted, DType t, int lanes) {
  const auto bytes = static_cast<unsigned>(lanes) * static_cast<unsigned>(ir::size_bytes(held(t)));
  for (auto table : {integer_templates(), divide_templates(), float_templates(),
                     rounding_templates(), half_templates(), memory_templates()})
    for (const FunctionTemplate& f : table)
      if (f.name == wanted && (f.kinds & kind_of(t)) != 0 && f.vector == (lanes > 1) &&
          (f.bytes == 0 || f.bytes == bytes))
        return f;
  internal_error("no C function '" + std::string(wanted) + "' for " + suffix(t, lanes));
}

}  // namespace

std::string Library::type(DType t, int lanes) {
  const std::string name = suffix(t, lanes);
  if (lanes == 1 || !types_.insert(name).second) return name;
  const std::size_t bytes = ir::size_bytes(t) * static_cast<std::size_t>(lanes);
  type_lines_.push_back("typedef " + suffix(t, 1) + " " + name + " __attribute__((vector_size(" +
                        std::to_string(bytes) + ")));\n");
  return name;
}

std::string Library::expand(std::string_view text, const Context& context) {
  const DType t = held(context.dtype);
  const std::size_t size = ir::size_bytes(t);
  const int lanes = context.lanes;
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool modulo = c == '%' && text[at + 1] == ' ';
    if (modulo || (c != '$' && c != '%' && c != '@')) {
      out += c;
      continue;
    }
    if (c == '%') {  // %u32, %f64x2
      const std::size_t end = word_end(text, at + 1);
      const std::string_view word = text.substr(at + 1, end - at - 1);
      const std::size_t x = word.find('x');
      const int count = x == word.npos ? lanes : std::stoi(std::string(word.substr(x + 1)));
      out += type(*ir::parse_dtype(word.substr(0, x)), count);
      at = end - 1;
      continue;
    }
    if (c == '@') {  // @min, @min:f32, @min:1
      const std::size_t end = word_end(text, at + 1);
      const std::string_view wanted = text.substr(at + 1, end - at - 1);
      DType other = context.dtype;
      int count = lanes;
      at = end - 1;
      if (end + 1 < text.size() && text[end] == ':') {
        const std::size_t last = word_end(text, end + 1);
        const std::string_view word = text.substr(end + 1, last - end - 1);
        if (word.front() >= '0' && word.front() <= '9')
          count = std::stoi(std::string(word));
        else
          other = *ir::parse_dtype(word);
        at = last - 1;
      }
      out += function(wanted, other, count);
      continue;
    }
    const char what = text[++at];
    switch (what) {
      case 'T': out += type(t, lanes); break;
      case 'E': out += type(t, 1); break;
      case 'S': out += type(signed_of(size), lanes); break;
      case 'U': out += type(unsigned_of(size), lanes); break;
      case 'W': out += type(unsigned_of(lanes == 1 && size < 4 ? 4 : size), lanes); break;
      case 'L': out += std::to_string(lanes); break;
      case 'B': out += std::to_string(8 * size); break;
      case 'X': out += size == 4 ? "ps" : "pd"; break;
      case 'I':
        out += ir::is_unsigned_int(t) ? 'u' : 's';
        out += size == 4 ? 'd' : 'q';
        break;
      case 'f': out += size == 4 ? "f" : ""; break;
      case '(':
      case '[': {
        const char close = what == '(' ? ')' : ']';
        const std::size_t end = closing(text, at, what, close);
        const std::string inner = expand(text.substr(at + 1, end - at - 1), context);
        out += for_lanes(inner, lanes, what == '(' ? ", " : " ");
        at = end;
        break;
      }
      default: internal_error("a placeholder in a template");
    }
  }
  return out;
}

void Library::define_function(const std::string& name, std::string_view result,
                              std::string_view parameters, std::string_view body,
                              const Context& context) {
  std::string text =
      "FN " + expand(result, context) + " " + name + "(" + expand(parameters, context) + ") {\n";
  const std::string lines = expand(body, context);
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    if (lines[at] != '#') text += "  ";
    text += lines.substr(at, end - at) + "\n";
    at = end + 1;
  }
  if (lines.find("__builtin_fm") != lines.npos) needs_libm_ = true;  // fma without hardware, fmod
  if (lines.find("__builtin_sqrt") != lines.npos) needs_libm_ = true;
  if (lines.find("__builtin_scalbn") != lines.npos) needs_libm_ = true;
  define(text + "}\n");
}

std::string Library::function(std::string_view wanted, DType t, int lanes) {
  const std::string name = std::string(wanted) + "_" + suffix(t, lanes);
  if (!begin(name)) return name;
  if (wanted == "store_part") {
    define_function(name, "void", "$E *p, $T x, i64 n", store_part_body(lanes), {t, lanes});
    return name;
  }
  const FunctionTemplate& f = find_template(wanted, t, lanes);
  define_function(name, f.result, f.parameters, f.body, {t, lanes});
  return name;
}

// The first n lanes in pieces of falling size. Not a masked store: a load that overlaps one waits
// until it is in the cache, even where the mask is off (0.1 microseconds per row of a stencil).
std::string Library::store_part_body(int lanes) {
  std::string body = "if (n == $L) {\n  @store(p, x);\n  return;\n}\n";
  for (int half = lanes / 2; half > 0; half /= 2) {
    std::string low, rest;
    for (int lane = 0; lane < half; ++lane) low += ", " + std::to_string(lane);
    for (int lane = 0; lane < lanes; ++lane) rest += ", " + std::to_string((lane + half) % lanes);
    body += "if (n & " + std::to_string(half) + ") ";
    if (half == 1) {
      body += "*p = x[0];";
      break;
    }
    body += "{\n  @store:" + std::to_string(half) + "(p, __builtin_shufflevector(x, x" + low +
            "));\n  p += " + std::to_string(half) + ";\n  x = __builtin_shufflevector(x, x" + rest +
            ");\n}\n";
  }
  return body;
}

// --- Conversions by value.

namespace {

std::string number(DType t, double v) { return literal(ir::Scalar::of_double(t, v)); }

}  // namespace

std::string Library::conversion(DType from, DType to, int lanes, bool small) {
  const std::string name =
      (small ? "cast_small_" : "cast_") + suffix(from, 1) + "_" + suffix(to, lanes);
  if (!begin(name)) return name;
  std::string body = conversion_body(from, to, lanes);
  if (small)  // in range, or a NaN
    body = "return __builtin_convertvector(($T)(($S)(x == x) & ($S)x), %" +
           std::string(ir::name(held(to))) + ");";
  define_function(name, "%" + std::string(ir::name(held(to))),
                  "%" + std::string(ir::name(held(from))) + " x", body, {held(from), lanes});
  return name;
}

// `from` and `to` are not bool. Halves are f32 on both sides, and only need to be rounded.
std::string Library::conversion_body(DType from, DType to, int lanes) {
  const std::string target = "%" + std::string(ir::name(held(to)));
  const auto convert = [&](const std::string& x, const std::string& type) {
    return lanes == 1 ? "(" + type + ")" + x : "__builtin_convertvector(" + x + ", " + type + ")";
  };
  if (ir::is_half(to)) {
    const std::string round = "@round:" + std::string(ir::name(to));
    if (held(from) == DType::F32) return "return " + round + "(x);";
    if (from == DType::F64) return "return " + round + "(@to_odd(x));";
    if (ir::size_bytes(from) >= 4) {
      const std::string bits = std::to_string(ir::width_bits(from)), u = "u" + bits, i = "i" + bits;
      const std::string odd = "@to_odd" + bits + ":" + u;
      if (ir::is_unsigned_int(from)) return "return " + round + "(" + odd + "(x));";
      const std::string size = "const %f32 y = " + odd + "((%" + u + ")@abs(x));\n";
      if (lanes == 1) return size + "return " + round + "(x < 0 ? -y : y);";
      const std::string below = "(%" + i + ")(x < 0)";
      return size + "return " + round + "(@select:f32(" +
             (bits == "64" ? convert(below, "%i32") : below) + ", -y, y));";
    }
    return "return " + round + "(" + convert(lanes == 1 ? "x" : convert("x", "%i32"), "%f32") +
           ");";
  }
  const bool narrow = ir::is_int(from) ? ir::size_bytes(from) < 4 : ir::size_bytes(to) < 4;
  if (ir::is_float(from) && ir::is_int(to)) {
    const DType f = held(from);
    const ir::Scalar low = ir::Scalar::of_double(to, -__builtin_inf());
    const ir::Scalar high = ir::Scalar::of_double(to, __builtin_inf());
    const int exponent = ir::width_bits(to) - (ir::is_signed_int(to) ? 1 : 0);
    const std::string limit = number(f, __builtin_ldexp(1.0, exponent));
    const std::string least = number(f, low.as_double());
    if (lanes == 1)
      return "return x != x ? 0 : x >= " + limit + " ? " + literal(high) + " : x <= " + least +
             " ? " + literal(low) + " : (" + target + ")x;";
    const std::string inner = convert("y", narrow ? "%i32" : target);
    const std::string mask = "%i" + std::to_string(ir::width_bits(to));
    const std::string element(ir::name(to));
    return "const $S high = ($S)(x >= " + limit + "), low = ($S)(x <= " + least + ");\n" +
           "const $T y = ($T)(~(high | low | ($S)(x != x)) & ($S)x);\n" + "const " + target +
           " z = " + (narrow ? convert(inner, target) : inner) + ";\n" +
           "return @select:" + element + "(" + convert("high", mask) + ", @splat:" + element + "(" +
           literal(high) + "),\n  @select:" + element + "(" + convert("low", mask) +
           ", @splat:" + element + "(" + literal(low) + "), z));";
  }
  if (lanes > 1 && narrow && ir::is_int(from) && ir::is_float(to))
    return "return " + convert(convert("x", "%i32"), target) + ";";
  return "return " + convert("x", target) + ";";
}

// --- Tables and the whole.

std::string Library::table(const ir::Table& table) {
  std::string name = "table_" + suffix(table.dtype, 1) + "_" + std::to_string(table.values.size()) +
                     "_" + table.name.substr(table.name.rfind('.') + 1);
  if (!begin(name)) return name;
  std::string text = "static const " + suffix(held(table.dtype), 1) + " " + name + "[" +
                     std::to_string(table.values.size()) + "] = {";
  for (std::size_t i = 0; i < table.values.size(); ++i)
    text += (i % 4 == 0 ? "\n  " : " ") + literal(table.values[i]) + ",";
  define(text + "\n};\n");
  return name;
}

std::string Library::text() const {
  std::string out;
  for (const std::string& line : type_lines_) out += line;
  if (!type_lines_.empty()) out += "\n";
  for (const std::string& definition : definitions_) out += definition + "\n";
  return out;
}

}  // namespace lathe::emit
