// SPDX-License-Identifier: Apache-2.0
// Which pixels are bright? A program from a builder, one channel of a picture without copying it, a
// result whose length nobody knows before, and what an error looks like.

#include <lathe/lathe.h>

#include <cstdio>
#include <vector>

int main() {
  const std::int64_t height = 4, width = 6;
  std::vector<std::uint8_t> picture;  // red, green, blue, red, green, blue ...
  for (int i = 0; i < height * width; ++i)
    for (int channel = 0; channel < 3; ++channel)
      picture.push_back(static_cast<std::uint8_t>((i * 37 + channel * 90) % 256));

  lathe::Builder builder("bright");
  builder.size("h").size("w").parameter("limit", lathe::DType::U8);
  builder.array(lathe::Role::Input, "pixel", lathe::DType::U8, "y: h, x: w");
  builder.temporary("is_bright", lathe::DType::Bool, "k: h*w");
  builder.temporary("count", lathe::DType::I64, "");
  builder.array(lathe::Role::Output, "found", lathe::DType::I64, "k: count");
  builder.statement("for y in 0..h, x in 0..w: is_bright[y*w + x] = pixel[y, x] > limit");
  builder.statement("call nonzero_count(is_bright) -> count");
  builder.statement("call nonzero(is_bright) -> found");

  try {
    const lathe::Kernel kernel = builder.build().compile();
    const lathe::View green =
        lathe::View(picture.data() + 1, {height, width}).strided({3 * width, 3}).read_only();

    std::vector<std::int64_t> places;
    auto allocate = [&](std::string_view, const lathe::View& result) -> void* {
      places.resize(static_cast<std::size_t>(result.shape()[0]));
      return places.data();
    };
    kernel.run({{"h", height}, {"w", width}, {"limit", 200}}, {{"pixel", green}},
               lathe::RunOptions().allocate(allocate));
    std::printf("bright pixels:");
    for (std::int64_t k : places)
      std::printf(" (%d, %d)", static_cast<int>(k / width), static_cast<int>(k % width));
    std::printf("\n");

    // The sizes say 5 rows, the picture has 4.
    kernel.run({{"h", 5}, {"w", width}, {"limit", 200}}, {{"pixel", green}},
               lathe::RunOptions().allocate(allocate));
  } catch (const lathe::Error& e) {
    std::fputs(e.what(), stdout);
  }
  return 0;
}
