// SPDX-License-Identifier: Apache-2.0
#pragma once
// `lathe` called as a function, in a folder of its own.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <span>
#include <sstream>

#include "cli/commands.h"
#include "io/npy.h"
#include "unit/io/temporary_folder.h"

namespace lathe::cli {

struct Said {
  int status;
  std::string out, err;
};

inline Said lathe(const std::vector<std::string>& words) {
  std::ostringstream out, err;
  const int status = main_with(words, {out, err});
  return {status, out.str(), err.str()};
}

inline std::string content(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Programs and arrays in files; the current folder is where they are, so that messages are short.
class CommandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_ / "");
  }
  void TearDown() override { std::filesystem::current_path(before_); }

  static void put(const std::string& file, const std::string& text) { std::ofstream(file) << text; }

  template <class T>
  static void put_array(const std::string& file, ir::DType dtype, std::vector<std::int64_t> shape,
                        std::initializer_list<T> values) {
    io::write_npy(file, dtype, shape, std::as_bytes(std::span(values.begin(), values.size())));
  }

  template <class T>
  static std::vector<T> array_in(const std::string& file) {
    const io::NpyArray a = io::read_npy(file);
    std::vector<T> out(a.data.size() / sizeof(T));
    io::copy_elements(a, std::as_writable_bytes(std::span(out)));
    return out;
  }

  // v[i] = a * u[i], and the sum.
  static void put_scale() {
    put("scale.lathe", R"(program scale(n: size, a: f64)
  input  u: f64[i: n]
  output v: f64[i: n]
  output total: f64

  for i in 0..n: v[i] = a * u[i]
  total = sum i in 0..n: v[i]
)");
  }

 private:
  io::TemporaryFolder folder_;
  std::filesystem::path before_;
};

}  // namespace lathe::cli
