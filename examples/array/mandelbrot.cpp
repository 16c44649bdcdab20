// SPDX-License-Identifier: Apache-2.0
// The Mandelbrot set as a PNG: `mandelbrot out.png`. The picture is computed by arrays; the file is
// written here, without compression.
#include <lathe/array.h>

#include <cstdio>
#include <fstream>
#include <iostream>

namespace {

// Points that have not escaped go on; five steps are one kernel, which serves all of them.
lathe::Array iterations(std::int64_t rows, std::int64_t columns, int limit) {
  using namespace lathe;
  const Array re = linspace(-2.25, 0.75, columns)(newaxis);
  const Array im = linspace(-1.25, 1.25, rows)(_, newaxis);
  Array x = zeros({rows, columns}), y = zeros({rows, columns});
  Array count = zeros<std::int32_t>({rows, columns});
  for (int i = 1; i <= limit; ++i) {
    const Array inside = x * x + y * y <= 4;
    count += astype<std::int32_t>(inside);
    const Array next = where(inside, x * x - y * y + re, x);
    y = where(inside, 2 * x * y + im, y);
    x = next;
    if (i % 5 != 0) continue;
    const std::vector<Array> now = eval({x, y, count});
    x = now[0];
    y = now[1];
    count = now[2];
  }
  return count;
}

void add_number(std::string& to, std::uint32_t v) {
  for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(v >> shift);
}

void add_chunk(std::string& file, const std::string& kind, const std::string& body) {
  const std::string all = kind + body;
  std::uint32_t crc = 0xffffffff;
  for (const char c : all) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0u);
  }
  add_number(file, static_cast<std::uint32_t>(body.size()));
  file += all;
  add_number(file, ~crc);
}

// Eight bits of grey; zlib blocks that are stored as they are.
std::string png(const std::vector<std::uint8_t>& grey, std::uint32_t rows, std::uint32_t columns) {
  std::string raw;
  for (std::uint32_t i = 0; i < rows; ++i) {
    raw += '\0';
    for (std::uint32_t j = 0; j < columns; ++j) raw += static_cast<char>(grey[i * columns + j]);
  }
  std::string body = "\x78\x01";
  std::uint32_t low = 1, high = 0;
  for (const char c : raw) {
    low = (low + static_cast<unsigned char>(c)) % 65521;
    high = (high + low) % 65521;
  }
  for (std::size_t at = 0; at < raw.size(); at += 65535) {
    const std::size_t size = std::min<std::size_t>(65535, raw.size() - at);
    body += static_cast<char>(at + size == raw.size() ? 1 : 0);
    for (const std::size_t v : {size, ~size & 0xffff}) {
      body += static_cast<char>(v & 255);
      body += static_cast<char>(v >> 8);
    }
    body += raw.substr(at, size);
  }
  add_number(body, high << 16 | low);
  std::string header;
  add_number(header, columns);
  add_number(header, rows);
  header += std::string("\x08\0\0\0\0", 5);
  std::string file = "\x89PNG\r\n\x1a\n";
  add_chunk(file, "IHDR", header);
  add_chunk(file, "IDAT", body);
  add_chunk(file, "IEND", "");
  return file;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace lathe;
  const Array picture = astype<std::uint8_t>(iterations(240, 288, 50) * 5).eval();
  if (argc > 1)
    std::ofstream(argv[1], std::ios::binary) << png(picture.to_vector<std::uint8_t>(), 240, 288);
  std::cout << "pixels inside: " << sum(picture == 250).eval().item<std::int64_t>() << "\n";
  const std::vector<std::int32_t> small = iterations(13, 50, 50).to_vector<std::int32_t>();
  for (std::size_t i = 0; i < small.size(); ++i)
    std::cout << " .:-=+*#%@"[std::min(small[i], 50) / 6 % 10] << (i % 50 == 49 ? "\n" : "");
}
