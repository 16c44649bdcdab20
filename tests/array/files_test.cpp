// SPDX-License-Identifier: Apache-2.0
// Arrays in .npy files.
#include <gtest/gtest.h>
#include <lathe/array.h>
#include <unistd.h>

#include <fstream>
#include <numeric>

namespace lathe {
namespace {

class Files : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const {
    return ::testing::TempDir() + "lathe_" + std::to_string(getpid()) + "_" + name;
  }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  static std::string message(const std::function<void()>& f) {
    try {
      f();
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing";
  }
  // A header as NumPy writes it, with the elements aligned or not.
  static std::string header(const std::string& dtype, bool fortran, const std::string& shape,
                            std::size_t alignment = 64) {
    std::string text = "{'descr': '" + dtype +
                       "', 'fortran_order': " + (fortran ? "True" : "False") +
                       ", 'shape': " + shape + ", }";
    while ((10 + text.size() + 1) % alignment != 0) text += ' ';
    text += '\n';
    std::string out("\x93NUMPY\x01\x00", 8);
    out += static_cast<char>(text.size() % 256);
    out += static_cast<char>(text.size() / 256);
    return out + text;
  }
};

template <class T>
void round_trip(const std::string& file) {
  std::vector<T> v(12);
  std::iota(v.begin(), v.end(), T(1));
  const Array a = array(v, {3, 4});
  save_npy(file, a);
  EXPECT_EQ(load_npy(file).to_vector<T>(), v);
  save_npy(file, transpose(a));
  EXPECT_EQ(load_npy(file).to_vector<T>(), transpose(a).eval().to_vector<T>());
}

TEST_F(Files, HoldArraysOfEveryDtype) {
  const std::string file = path("all.npy");
  round_trip<std::int8_t>(file);
  round_trip<std::int16_t>(file);
  round_trip<std::int32_t>(file);
  round_trip<std::int64_t>(file);
  round_trip<std::uint8_t>(file);
  round_trip<std::uint16_t>(file);
  round_trip<std::uint32_t>(file);
  round_trip<std::uint64_t>(file);
  round_trip<float>(file);
  round_trip<double>(file);
  save_npy(file, arange(3) > 1);
  EXPECT_EQ(load_npy(file).dtype(), DType::Bool);
  EXPECT_EQ(astype<std::int64_t>(load_npy(file)).eval().to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{0, 0, 1}));
  save_npy(file, astype(arange(3), DType::F16));
  EXPECT_EQ(load_npy(file).dtype(), DType::F16);
  EXPECT_EQ(astype<double>(load_npy(file)).eval().to_vector<double>(),
            (std::vector<double>{0, 1, 2}));
  save_npy(file, zeros({0, 3}));
  EXPECT_EQ(load_npy(file).shape(0).value(), 0);
  save_npy(file, Array(2.5));
  EXPECT_EQ(load_npy(file).item<double>(), 2.5);
  unlink(file.c_str());
}

TEST_F(Files, LoadEitherOrderEitherByteOrderAndUnaligned) {
  const std::string numbers("\1\0\2\0\3\0\4\0\5\0\6\0", 12);
  using Ints = std::vector<std::int16_t>;
  std::string file = write("order.npy", header("<i2", true, "(2, 3)") + numbers);
  EXPECT_EQ(load_npy(file).to_vector<std::int16_t>(), (Ints{1, 3, 5, 2, 4, 6}));
  EXPECT_EQ((load_npy(file) * 2).eval().to_vector<std::int16_t>(), (Ints{2, 6, 10, 4, 8, 12}));
  file = write("order.npy", header(">i2", false, "(3, 2)") + numbers);
  EXPECT_EQ(load_npy(file).to_vector<std::int16_t>(), (Ints{256, 512, 768, 1024, 1280, 1536}));
  file = write("order.npy", header("<i2", false, "(6,)", 13) + numbers);
  EXPECT_EQ(load_npy(file).to_vector<std::int16_t>(), (Ints{1, 2, 3, 4, 5, 6}));
  unlink(file.c_str());
}

TEST_F(Files, MayBeReplacedByWhatWasMadeOfThem) {
  const std::string file = path("same.npy");
  save_npy(file, arange(1000));
  const Array a = load_npy(file);
  save_npy(file, a + 1);
  EXPECT_EQ(sum(load_npy(file) - a).eval().item<std::int64_t>(), 1000);
  unlink(file.c_str());
}

TEST_F(Files, SayWhatIsWrong) {
  EXPECT_EQ(message([&] { load_npy("/nowhere/a.npy"); }),
            "error: cannot read '/nowhere/a.npy': there is no such file\n");
  const std::string cut = write("cut.npy", header("<f8", false, "(2,)") + "12345678");
  EXPECT_EQ(message([&] { load_npy(cut); }),
            "error: cannot read '" + cut +
                "': its shape (2,) of f64 needs 16 bytes of elements, but there are 8\n");
  unlink(cut.c_str());
  EXPECT_EQ(message([&] { save_npy("/nowhere/a.npy", arange(3)); }),
            "error: cannot write '/nowhere/a.npy': there is no such folder\n");
  const Array none = input<double>("x", {size("n")});
  EXPECT_EQ(message([&] {
              save_npy(path("none.npy"), none, Here{"mine.cpp", 7});
            }),
            "error: input 'x' has no data\n  note: at mine.cpp:7\n"
            "  help: give an array of shape (n,) for it\n");
  lathe_error* error = nullptr;
  EXPECT_NE(lathe_lazy_save_npy("a.npy", arange(3).get(), &error), 0);
  EXPECT_STREQ(lathe_error_text(error),
               "error: the array has no values yet\n  help: evaluate it first\n");
  lathe_error_destroy(error);
}

}  // namespace
}  // namespace lathe
