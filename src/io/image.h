// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pictures: 8-bit images, a colour map from numbers to colours, and PNG files.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lathe::io {

struct Image {
  std::size_t width = 0, height = 0;
  std::size_t channels = 3;          // 1: gray, 3: red, green, blue (sRGB)
  std::vector<std::uint8_t> pixels;  // row by row from the top, channels innermost
};

using Rgb = std::array<std::uint8_t, 3>;

// A colour for 0..1 (beyond: the ends): dark violet, blue, green, yellow. Lightness grows evenly,
// so that equal steps look equal and the picture survives being printed in gray. NaN is light red.
Rgb colormap(double t);

// The values that get the first and the last colour.
struct ValueRange {
  double low = 0, high = 1;
};

// The smallest and largest finite value; 0..1 when there is none.
ValueRange finite_range(std::span<const double> values);

// A picture of a row-major array, row 0 on top, each element a square of scale x scale pixels.
// When low equals high every finite value gets the middle colour.
Image heat_map(std::span<const double> values, std::size_t rows, std::size_t columns,
               ValueRange range, std::size_t scale = 1);

// The scale that makes the longer side of a picture about `pixels` long; at least 1.
std::size_t scale_to(std::size_t rows, std::size_t columns, std::size_t pixels = 512);

// Writes a PNG, atomically. Throws UserError.
void write_png(const std::string& path, const Image& image);

}  // namespace lathe::io
