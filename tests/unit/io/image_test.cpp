// SPDX-License-Identifier: Apache-2.0
#include "io/image.h"

#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <limits>

#include "base/diagnostics.h"
#include "base/files.h"
#include "unit/io/temporary_folder.h"

namespace lathe::io {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

double lightness(Rgb c) { return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]; }

TEST(Colormap, GetsLighterAllTheWay) {
  for (int i = 1; i < 256; ++i) {
    EXPECT_GT(lightness(colormap(i / 255.0)) + 0.6, lightness(colormap((i - 1) / 255.0))) << i;
  }
  EXPECT_LT(lightness(colormap(0)), 60);
  EXPECT_GT(lightness(colormap(1)), 200);
}

TEST(Colormap, NeighboursAreCloseAndSoonDifferent) {
  for (int i = 2; i < 256; ++i) {
    const Rgb a = colormap((i - 2) / 255.0), b = colormap(i / 255.0);
    int change = 0;
    for (std::size_t c = 0; c < 3; ++c) change = std::max(change, std::abs(a[c] - b[c]));
    EXPECT_GE(change, 1) << i;
    EXPECT_LE(change, 10) << i;
  }
}

TEST(Colormap, BeyondTheEnds) {
  EXPECT_EQ(colormap(-1), colormap(0));
  EXPECT_EQ(colormap(kInf), colormap(1));
  EXPECT_EQ(colormap(-kInf), colormap(0));
  EXPECT_EQ(colormap(std::nan("")), (Rgb{255, 138, 128}));
}

TEST(HeatMap, RangeIgnoresWhatIsNotFinite) {
  const std::vector<double> values = {kInf, 3, std::nan(""), -2, -kInf};
  EXPECT_EQ(finite_range(values).low, -2);
  EXPECT_EQ(finite_range(values).high, 3);
  EXPECT_EQ(finite_range({}).high, 1);
}

TEST(HeatMap, EachElementIsASquare) {
  const std::vector<double> values = {0, 1, 2, 3, 4, std::nan("")};
  const Image image = heat_map(values, 2, 3, {0, 4}, 2);
  EXPECT_EQ(image.width, 6u);
  EXPECT_EQ(image.height, 4u);
  for (std::size_t y = 0; y < 4; ++y) {
    for (std::size_t x = 0; x < 6; ++x) {
      const std::uint8_t* p = &image.pixels[(y * 6 + x) * 3];
      EXPECT_EQ((Rgb{p[0], p[1], p[2]}), colormap(values[(y / 2) * 3 + x / 2] / 4));
    }
  }
}

TEST(HeatMap, ExtremeRanges) {
  const auto colour = [](double v, ValueRange range) {
    const Image image = heat_map(std::span(&v, 1), 1, 1, range);
    return Rgb{image.pixels[0], image.pixels[1], image.pixels[2]};
  };
  constexpr double kMax = std::numeric_limits<double>::max();
  EXPECT_EQ(colour(0, {-kMax, kMax}), colormap(0.5));
  EXPECT_EQ(colour(7, {7, 7}), colormap(0.5));
  EXPECT_EQ(colour(kInf, {7, 7}), colormap(1));
  EXPECT_EQ(colour(std::nan(""), {7, 7}), colormap(std::nan("")));
}

TEST(HeatMap, Scale) {
  EXPECT_EQ(scale_to(64, 32), 8u);
  EXPECT_EQ(scale_to(5000, 10), 1u);
  EXPECT_EQ(scale_to(0, 0), 512u);
}

Image read_back(const std::string& path, std::uint32_t format) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_file(&png, path.c_str()), 0) << png.message;
  EXPECT_EQ(png.format, format);
  Image image{png.width, png.height, PNG_IMAGE_SAMPLE_CHANNELS(format), {}};
  image.pixels.resize(PNG_IMAGE_SIZE(png));
  EXPECT_NE(png_image_finish_read(&png, nullptr, image.pixels.data(), 0, nullptr), 0);
  return image;
}

TEST(WritePng, ReadsBack) {
  const TemporaryFolder folder;
  for (const std::size_t channels : {1u, 3u}) {
    Image image{5, 3, channels, {}};
    for (std::size_t i = 0; i < 15 * channels; ++i) {
      image.pixels.push_back(static_cast<std::uint8_t>(i * 5));
    }
    write_png(folder / "a.png", image);
    const Image back =
        read_back(folder / "a.png", channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB);
    EXPECT_EQ(back.width, 5u);
    EXPECT_EQ(back.height, 3u);
    EXPECT_EQ(back.pixels, image.pixels);
  }
}

TEST(WritePng, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const auto message = [](const std::string& path, const Image& image) {
    try {
      write_png(path, image);
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message("a.png", Image{0, 3, 1, {}}),
            "cannot write 'a.png': a picture of 0 x 3 pixels is not between 1 x 1 and "
            "30000 x 30000");
  EXPECT_EQ(message(folder / "no/a.png", Image{1, 1, 1, {0}}),
            "cannot write '" + (folder / "no/a.png") + "': there is no such folder");
  EXPECT_THROW(write_png("a.png", Image{2, 2, 3, {}}), InternalError);
}

}  // namespace
}  // namespace lathe::io
