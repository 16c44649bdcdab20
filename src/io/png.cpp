// SPDX-License-Identifier: Apache-2.0
// PNG through libpng's one-call interface: it reports errors in a struct, where the older one jumps
// over destructors.

#include <png.h>

#include "base/diagnostics.h"
#include "base/files.h"
#include "io/image.h"

namespace lathe::io {

void write_png(const std::string& path, const Image& image) {
  check(image.channels == 1 || image.channels == 3, "an image of neither one nor three channels");
  check(image.pixels.size() == image.width * image.height * image.channels,
        "pixels that do not fill their image");
  constexpr std::size_t kMaxSide = 30000;
  if (image.width < 1 || image.height < 1 || image.width > kMaxSide || image.height > kMaxSide) {
    throw UserError("cannot write '" + path + "': a picture of " + std::to_string(image.width) +
                    " x " + std::to_string(image.height) + " pixels is not between 1 x 1 and " +
                    std::to_string(kMaxSide) + " x " + std::to_string(kMaxSide));
  }
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = image.channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  const auto row_bytes = static_cast<png_int_32>(image.width * image.channels);

  std::vector<std::byte> file(PNG_IMAGE_PNG_SIZE_MAX(png));
  png_alloc_size_t size = file.size();
  const int written = png_image_write_to_memory(&png, file.data(), &size, 0, image.pixels.data(),
                                                row_bytes, nullptr);
  const std::string reason = png.message;
  png_image_free(&png);
  if (written == 0) throw UserError("cannot write '" + path + "': " + reason);
  file.resize(size);
  AtomicFile out(path);
  out.write(file);
  out.commit();
}

}  // namespace lathe::io
