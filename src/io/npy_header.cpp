// SPDX-License-Identifier: Apache-2.0
// The .npy header, read by a parser of just the Python dict that may stand there:
//
//   {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
//
// Keys come in any order, each once; strings have no escapes. Nothing is evaluated.

#include "io/npy_header.h"

#include <bit>
#include <optional>
#include <string_view>

#include "base/checked.h"
#include "base/diagnostics.h"
#include "base/number_text.h"

namespace lathe::io {
namespace {

using ir::DType;

static_assert(std::endian::native == std::endian::little, "elements are mapped as they lie");

constexpr std::string_view kMagic = "\x93NUMPY";

class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  [[noreturn]] void fail(const std::string& reason) const {
    throw UserError("cannot read '" + name_ + "': " + reason);
  }

  void parse(NpyHeader& header) {
    std::optional<std::string> descr;
    bool has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr" && !descr) {
        descr = descr_string();
      } else if (key == "fortran_order" && !has_order) {
        header.fortran_order = boolean();
        has_order = true;
      } else if (key == "shape" && !has_shape) {
        header.shape = tuple();
        has_shape = true;
      } else {
        fail("its header holds the key '" + key + "', which is unknown or there twice");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (at_ != text_.size()) fail_here();
    if (!descr || !has_order || !has_shape) {
      fail("its header must hold 'descr', 'fortran_order' and 'shape'");
    }
    set_dtype(*descr, header);
  }

 private:
  [[noreturn]] void fail_here() const {
    fail("its header is not a Python dict of the .npy format (at byte " + std::to_string(at_) +
         " of the header)");
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  bool accept(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail_here();
  }

  bool accept_word(std::string_view word) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  // Only short printable ones: they are quoted in messages.
  std::string string() {
    skip_blanks();
    if (at_ == text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) fail_here();
    const char quote = text_[at_++];
    std::string out;
    while (at_ < text_.size() && text_[at_] != quote) {
      const char c = text_[at_];
      if (c < 0x20 || c > 0x7e || c == '\\' || out.size() == 64) fail_here();
      out.push_back(c);
      ++at_;
    }
    expect(quote);
    return out;
  }

  std::string descr_string() {
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '[') {
      fail("it holds records (a structured dtype); save each field as an array of its own");
    }
    return string();
  }

  bool boolean() {
    if (accept_word("True")) return true;
    if (!accept_word("False")) fail_here();
    return false;
  }

  std::int64_t size() {
    skip_blanks();
    const std::size_t start = at_;
    if (at_ < text_.size() && text_[at_] == '-') ++at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    const std::string_view digits = text_.substr(start, std::min<std::size_t>(at_ - start, 32));
    const ParsedNumber<std::int64_t> value = parse_int64(digits);
    if (value.fault == NumberFault::TooLarge || at_ - start > 32) {
      fail("its shape holds the size " + std::string(digits) + ", which is too large");
    }
    if (!value) fail_here();
    if (value.value < 0) fail("its shape holds the negative size " + std::string(digits));
    accept('L');  // Python 2 wrote long integers so
    return value.value;
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> sizes;
    expect('(');
    bool comma = true;
    while (!accept(')')) {
      if (!comma) fail_here();
      sizes.push_back(size());
      if (sizes.size() > kMaxNpyRank) {
        fail("its shape has more than " + std::to_string(kMaxNpyRank) + " axes");
      }
      comma = accept(',');
    }
    if (sizes.size() == 1 && !comma) fail_here();  // "(3)" is a number, not a tuple
    return sizes;
  }

  void set_dtype(const std::string& descr, NpyHeader& header) const {
    struct Spelling {
      std::string_view text;
      DType dtype;
    };
    constexpr Spelling kSpellings[] = {
        {"b1", DType::Bool}, {"i1", DType::I8},  {"i2", DType::I16}, {"i4", DType::I32},
        {"i8", DType::I64},  {"u1", DType::U8},  {"u2", DType::U16}, {"u4", DType::U32},
        {"u8", DType::U64},  {"f2", DType::F16}, {"f4", DType::F32}, {"f8", DType::F64},
        {"V2", DType::BF16},
    };
    const char order = descr.empty() ? ' ' : descr[0];
    for (const Spelling& spelling : kSpellings) {
      if (std::string_view(descr).substr(descr.empty() ? 0 : 1) != spelling.text) continue;
      const bool ordered = order == '<' || order == '>' || order == '=';
      const bool one_byte = ir::size_bytes(spelling.dtype) == 1;
      const bool raw = spelling.dtype == DType::BF16;  // raw bytes have no order to swap
      if (raw ? order != '<' && order != '|' : !ordered && !(one_byte && order == '|')) break;
      header.dtype = spelling.dtype;
      header.swapped = order == '>' && !one_byte;
      return;
    }
    fail("its elements have the dtype '" + descr +
         "'; supported are b1, i1 to i8, u1 to u8, f2, f4, f8 in either byte order, and <V2 for "
         "bfloat16");
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
};

// Sizes of 0 must not hide a product that would overflow: strides are computed from it.
std::size_t bytes_of(const NpyHeader& header, const HeaderParser& parser) {
  CheckedInt bytes = static_cast<std::int64_t>(ir::size_bytes(header.dtype));
  bool empty = false;
  for (const std::int64_t size : header.shape) {
    empty = empty || size == 0;
    if (size != 0) bytes = checked_mul(bytes, size);
  }
  if (!bytes) {
    parser.fail("its shape " + shape_text(header.shape) + " of " +
                std::string(ir::name(header.dtype)) + " needs more than 2^63 bytes");
  }
  return empty ? 0 : static_cast<std::size_t>(*bytes);
}

std::string_view descr_of(DType dtype) {
  switch (dtype) {
    case DType::Bool: return "|b1";
    case DType::I8: return "|i1";
    case DType::I16: return "<i2";
    case DType::I32: return "<i4";
    case DType::I64: return "<i8";
    case DType::U8: return "|u1";
    case DType::U16: return "<u2";
    case DType::U32: return "<u4";
    case DType::U64: return "<u8";
    case DType::F16: return "<f2";
    case DType::BF16: return "<V2";
    case DType::F32: return "<f4";
    case DType::F64: return "<f8";
  }
  internal_error("an unknown dtype");
}

}  // namespace

NpyHeader parse_npy_header(std::span<const std::byte> file, const std::string& name) {
  const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
  const HeaderParser outer({}, name);
  if (!bytes.starts_with(kMagic)) {
    outer.fail(bytes.starts_with("PK") ? "it is an archive (.npz?), not a .npy file"
                                       : "it is not a .npy file");
  }
  const auto byte = [&](std::size_t i) -> std::size_t {
    return i < file.size() ? std::to_integer<std::size_t>(file[i]) : 0;
  };
  const std::size_t major = byte(6), minor = byte(7);
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t begin = 8 + length_bytes;
  if (file.size() < begin) outer.fail("it ends inside its header");
  if (major < 1 || major > 3 || minor != 0) {
    outer.fail("it has version " + std::to_string(major) + "." + std::to_string(minor) +
               " of the .npy format; known are 1.0, 2.0 and 3.0");
  }
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length |= byte(8 + i) << (8 * i);
  if (length > kMaxNpyHeader) {
    outer.fail("its header has " + std::to_string(length) + " bytes; at most " +
               std::to_string(kMaxNpyHeader) + " are accepted");
  }
  if (length > file.size() - begin) outer.fail("it ends inside its header");

  NpyHeader header;
  HeaderParser parser(bytes.substr(begin, length), name);
  parser.parse(header);
  header.data_offset = begin + length;
  header.data_bytes = bytes_of(header, parser);
  return header;
}

std::string make_npy_header(ir::DType dtype, std::span<const std::int64_t> shape) {
  check(shape.size() <= kMaxNpyRank, "a .npy array of too many axes");
  std::string text = "{'descr': '" + std::string(descr_of(dtype)) +
                     "', 'fortran_order': False, 'shape': " + shape_text(shape) + ", }";
  constexpr std::size_t kAlign = 64;
  const std::size_t before = kMagic.size() + 4;
  const std::size_t total = (before + text.size() + 1 + kAlign - 1) / kAlign * kAlign;
  text.resize(total - before - 1, ' ');
  text.push_back('\n');
  std::string out(kMagic);
  out += '\1';
  out += '\0';
  out += static_cast<char>(text.size() & 0xff);
  out += static_cast<char>(text.size() >> 8);
  return out + text;
}

std::string shape_text(std::span<const std::int64_t> shape) {
  std::string out = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) out += ", ";
    out += std::to_string(shape[i]);
  }
  if (shape.size() == 1) out += ",";
  return out + ")";
}

}  // namespace lathe::io
