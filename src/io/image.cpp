// SPDX-License-Identifier: Apache-2.0
// Heat maps. The colour map is a path through a perceptual space (Oklab: lightness, green to red,
// blue to yellow): lightness is a straight line, the two colour coordinates follow a few points.
// The path is turned into 8-bit sRGB once, at 256 places.

#include "io/image.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/diagnostics.h"

namespace lathe::io {
namespace {

struct ColourPoint {
  double green_red, blue_yellow;
};

// Chosen so that every colour between them is inside sRGB: violet, blue, teal, green, yellow.
constexpr ColourPoint kPath[] = {
    {0.08, -0.09}, {0.00, -0.11}, {-0.06, -0.05}, {-0.11, 0.05}, {-0.10, 0.12}, {-0.03, 0.17},
};
constexpr double kDarkest = 0.28, kLightest = 0.92;
constexpr Rgb kNotANumber = {255, 138, 128};

std::uint8_t to_srgb(double linear) {
  const double c = std::clamp(linear, 0.0, 1.0);
  const double encoded = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(encoded * 255));
}

Rgb from_oklab(double lightness, double green_red, double blue_yellow) {
  const auto cube = [](double x) { return x * x * x; };
  const double l = cube(lightness + 0.3963377774 * green_red + 0.2158037573 * blue_yellow);
  const double m = cube(lightness - 0.1055613458 * green_red - 0.0638541728 * blue_yellow);
  const double s = cube(lightness - 0.0894841775 * green_red - 1.2914855480 * blue_yellow);
  return {to_srgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          to_srgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          to_srgb(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

std::array<Rgb, 256> make_table() {
  std::array<Rgb, 256> table{};
  constexpr std::size_t kSegments = std::size(kPath) - 1;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(table.size() - 1);
    const double along = t * kSegments;
    const auto segment = std::min(static_cast<std::size_t>(along), kSegments - 1);
    const double part = along - static_cast<double>(segment);
    const ColourPoint a = kPath[segment], b = kPath[segment + 1];
    table[i] = from_oklab(kDarkest + t * (kLightest - kDarkest),
                          a.green_red + part * (b.green_red - a.green_red),
                          a.blue_yellow + part * (b.blue_yellow - a.blue_yellow));
  }
  return table;
}

}  // namespace

Rgb colormap(double t) {
  static const std::array<Rgb, 256> kTable = make_table();
  if (std::isnan(t)) return kNotANumber;
  return kTable[static_cast<std::size_t>(std::lround(std::clamp(t, 0.0, 1.0) * 255))];
}

ValueRange finite_range(std::span<const double> values) {
  bool any = false;
  ValueRange range;
  for (const double v : values) {
    if (!std::isfinite(v)) continue;
    range.low = any ? std::min(range.low, v) : v;
    range.high = any ? std::max(range.high, v) : v;
    any = true;
  }
  return range;
}

Image heat_map(std::span<const double> values, std::size_t rows, std::size_t columns,
               ValueRange range, std::size_t scale) {
  check(values.size() == rows * columns && scale > 0, "a heat map of another size than its data");
  Image image;
  image.width = columns * scale;
  image.height = rows * scale;
  image.pixels.reserve(image.width * image.height * 3);
  // Halves first: high - low may overflow.
  const double width = range.high / 2 - range.low / 2;
  const auto place = [&](double v) {
    if (std::isinf(v)) return v;
    return width > 0 ? (v / 2 - range.low / 2) / width : std::isnan(v) ? v : 0.5;
  };
  std::vector<std::uint8_t> line;
  for (std::size_t row = 0; row < rows; ++row) {
    line.clear();
    for (std::size_t column = 0; column < columns; ++column) {
      const Rgb colour = colormap(place(values[row * columns + column]));
      for (std::size_t i = 0; i < scale; ++i) line.insert(line.end(), colour.begin(), colour.end());
    }
    for (std::size_t i = 0; i < scale; ++i) {
      image.pixels.insert(image.pixels.end(), line.begin(), line.end());
    }
  }
  return image;
}

std::size_t scale_to(std::size_t rows, std::size_t columns, std::size_t pixels) {
  const std::size_t side = std::max({rows, columns, std::size_t{1}});
  return std::max<std::size_t>(1, pixels / side);
}

}  // namespace lathe::io
