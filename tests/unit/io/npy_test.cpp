// SPDX-License-Identifier: Apache-2.0
// .npy files made by hand, byte by byte.
#include "io/npy.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/diagnostics.h"
#include "base/files.h"
#include "io/npy_header.h"
#include "unit/io/temporary_folder.h"

namespace lathe::io {
namespace {

using ir::DType;

std::string file_of(const std::string& dict, const std::string& data, char major = 1) {
  std::string out = "\x93NUMPY";
  out += major;
  out += '\0';
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  for (std::size_t i = 0; i < length_bytes; ++i) {
    out += static_cast<char>((dict.size() >> (8 * i)) & 0xff);
  }
  return out + dict + data;
}

std::string dict_of(const std::string& descr, const std::string& shape,
                    const std::string& order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }  \n";
}

NpyArray parse(const std::string& file) {
  return read_npy(std::as_bytes(std::span(file)), "u.npy");
}

std::string message_of(const std::string& file) {
  try {
    parse(file);
  } catch (const UserError& error) {
    const std::string text = error.what();
    const std::string start = "cannot read 'u.npy': ";
    EXPECT_EQ(text.substr(0, start.size()), start);
    return text.substr(start.size());
  }
  return "no error";
}

template <class T>
std::string raw(std::initializer_list<T> values) {
  return std::string(reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T));
}

template <class T>
std::vector<T> elements(const NpyArray& array) {
  std::vector<T> out(array.data.size() / sizeof(T));
  copy_elements(array, std::as_writable_bytes(std::span(out)));
  return out;
}

TEST(ReadNpy, EveryVersion) {
  for (const char major : {'\1', '\2', '\3'}) {
    const std::string file =
        file_of(dict_of("<f8", "(2, 3)"), raw<double>({0, 1, 2, 3, 4, 5}), major);
    const NpyArray array = parse(file);
    EXPECT_EQ(array.dtype, DType::F64);
    EXPECT_EQ(array.shape, (std::vector<std::int64_t>{2, 3}));
    EXPECT_FALSE(array.fortran_order);
    EXPECT_FALSE(array.swapped);
    EXPECT_EQ(array.element_count(), 6);
    EXPECT_EQ(elements<double>(array), (std::vector<double>{0, 1, 2, 3, 4, 5}));
  }
}

TEST(ReadNpy, EveryDtype) {
  struct Case {
    const char* descr;
    DType dtype;
    bool swapped;
  };
  for (const Case& c :
       {Case{"|b1", DType::Bool, false}, {"|i1", DType::I8, false},   {"<i2", DType::I16, false},
        {"<i4", DType::I32, false},      {"<i8", DType::I64, false},  {"|u1", DType::U8, false},
        {"<u2", DType::U16, false},      {"<u4", DType::U32, false},  {"<u8", DType::U64, false},
        {"<f2", DType::F16, false},      {"<f4", DType::F32, false},  {"<f8", DType::F64, false},
        {"<V2", DType::BF16, false},     {"|V2", DType::BF16, false}, {"=f4", DType::F32, false},
        {">f4", DType::F32, true},       {">i8", DType::I64, true},   {">f2", DType::F16, true},
        {"<i1", DType::I8, false},       {">b1", DType::Bool, false}}) {
    const std::string data(ir::size_bytes(c.dtype), 1);
    const std::string file = file_of(dict_of(c.descr, "(1,)"), data);
    const NpyArray array = parse(file);
    EXPECT_EQ(array.dtype, c.dtype) << c.descr;
    EXPECT_EQ(array.swapped, c.swapped) << c.descr;
    EXPECT_EQ(array.data.size(), data.size());
  }
}

TEST(ReadNpy, BigEndianIsSwapped) {
  const std::string file =
      file_of(dict_of(">i4", "(2,)"), std::string("\0\0\1\2\xff\xff\xff\xfe", 8));
  EXPECT_EQ(elements<std::int32_t>(parse(file)), (std::vector<std::int32_t>{258, -2}));
}

TEST(ReadNpy, FortranOrderIsTurned) {
  // a[i, j, k] = 100 i + 10 j + k, first index fastest.
  std::string data;
  for (std::int16_t k = 0; k < 4; ++k) {
    for (std::int16_t j = 0; j < 3; ++j) {
      for (std::int16_t i = 0; i < 2; ++i) {
        data += raw<std::int16_t>({static_cast<std::int16_t>(100 * i + 10 * j + k)});
      }
    }
  }
  const std::string file = file_of(dict_of("<i2", "(2, 3, 4)", "True"), data);
  const std::vector<std::int16_t> got = elements<std::int16_t>(parse(file));
  for (std::size_t n = 0; n < 24; ++n) {
    EXPECT_EQ(static_cast<std::size_t>(got[n]), 100 * (n / 12) + 10 * (n / 4 % 3) + n % 4);
  }
}

TEST(ReadNpy, ScalarsAndEmptyArrays) {
  const std::string scalar = file_of(dict_of("<f4", "()", "True"), raw<float>({2.5f}));
  EXPECT_TRUE(parse(scalar).shape.empty());
  EXPECT_EQ(elements<float>(parse(scalar)), (std::vector<float>{2.5f}));
  const std::string empty = file_of(dict_of("<f4", "(3, 0, 5)", "True"), "");
  EXPECT_EQ(parse(empty).element_count(), 0);
  EXPECT_EQ(elements<float>(parse(empty)), std::vector<float>());
}

TEST(ReadNpy, BoolsBecomeZeroOrOne) {
  const std::string file = file_of(dict_of("|b1", "(4,)"), std::string("\0\1\2\xff", 4));
  EXPECT_EQ(elements<std::uint8_t>(parse(file)), (std::vector<std::uint8_t>{0, 1, 1, 1}));
}

TEST(ReadNpy, SpellingsOfTheHeader) {
  const std::string data = raw<double>({1, 2, 3});
  for (const char* dict :
       {"{\"shape\":(3,),\"descr\":\"<f8\",\"fortran_order\":False}",
        "{'shape': (3L,), 'fortran_order': True, 'descr': '<f8', }\n",
        "  { 'descr' : '<f8' , 'fortran_order' : False , 'shape' : ( 3 , ) }   \n"}) {
    const std::string file = file_of(dict, data);
    EXPECT_EQ(parse(file).element_count(), 3) << dict;
  }
}

TEST(ReadNpy, NotAnNpyFile) {
  EXPECT_EQ(message_of(""), "it is not a .npy file");
  EXPECT_EQ(message_of("hello, world"), "it is not a .npy file");
  EXPECT_EQ(message_of("PK\3\4"), "it is an archive (.npz?), not a .npy file");
  const std::string good = file_of(dict_of("<f8", "()"), raw<double>({1}));
  for (std::size_t cut = 6; cut < good.size() - 8; ++cut) {
    EXPECT_EQ(message_of(good.substr(0, cut)), "it ends inside its header") << cut;
  }
  EXPECT_EQ(message_of(file_of("", "", 4)),
            "it has version 4.0 of the .npy format; known are 1.0, 2.0 and 3.0");
  EXPECT_EQ(message_of(std::string("\x93NUMPY\1\7\0\0", 10)),
            "it has version 1.7 of the .npy format; known are 1.0, 2.0 and 3.0");
  EXPECT_EQ(message_of(std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12)),
            "its header has 4294967295 bytes; at most 65536 are accepted");
}

TEST(ReadNpy, WrongDicts) {
  const auto bad = [](const std::string& dict) { return message_of(file_of(dict, "")); };
  const auto at = [](int byte) {
    return "its header is not a Python dict of the .npy format (at byte " + std::to_string(byte) +
           " of the header)";
  };
  EXPECT_EQ(bad(""), at(0));
  EXPECT_EQ(bad("[]"), at(0));
  EXPECT_EQ(bad("{descr: 1}"), at(1));
  EXPECT_EQ(bad("{'descr' '<f8'}"), at(9));
  EXPECT_EQ(bad("{'descr': '<f8"), at(14));
  EXPECT_EQ(bad("{'de\\x73cr': '<f8'}"), at(4));
  EXPECT_EQ(bad("{'" + std::string(100, 'k') + "': 1}"), at(66));
  EXPECT_EQ(bad("{'fortran_order': 0}"), at(18));
  EXPECT_EQ(bad("{'fortran_order': False 'shape': ()}"), at(24));
  EXPECT_EQ(bad("{'shape': (3)}"), at(13));
  EXPECT_EQ(bad("{'shape': (3 4)}"), at(13));
  EXPECT_EQ(bad("{'shape': (,)}"), at(11));
  EXPECT_EQ(bad("{'shape': 3}"), at(10));
  EXPECT_EQ(bad("{'shape': (1.5,)}"), at(12));
  EXPECT_EQ(bad(dict_of("<f8", "()") + "x"), at(58));
  EXPECT_EQ(bad("{}"), "its header must hold 'descr', 'fortran_order' and 'shape'");
  EXPECT_EQ(bad("{'descr': '<f8', 'shape': ()}"),
            "its header must hold 'descr', 'fortran_order' and 'shape'");
  EXPECT_EQ(bad("{'order': 1}"),
            "its header holds the key 'order', which is unknown or there twice");
  EXPECT_EQ(bad("{'shape': (), 'shape': ()}"),
            "its header holds the key 'shape', which is unknown or there twice");
}

TEST(ReadNpy, WrongDtypes) {
  const auto refusal = [](const std::string& descr) {
    return "its elements have the dtype '" + descr +
           "'; supported are b1, i1 to i8, u1 to u8, f2, f4, f8 in either byte order, and <V2 "
           "for bfloat16";
  };
  for (const char* descr : {"|O", "<c16", "<U5", "|S3", "<f16", "<M8[ns]", "f8", "|f8", ">V2", "V2",
                            "", "<", "<f", "<f88", "|V3"}) {
    EXPECT_EQ(message_of(file_of(dict_of(descr, "()"), "")), refusal(descr));
  }
  EXPECT_EQ(message_of(file_of("{'descr': [('a', '<f8')], ", "")),
            "it holds records (a structured dtype); save each field as an array of its own");
}

TEST(ReadNpy, WrongShapes) {
  const auto with = [](const std::string& shape) {
    return message_of(file_of(dict_of("<f8", shape), ""));
  };
  EXPECT_EQ(with("(-3,)"), "its shape holds the negative size -3");
  EXPECT_EQ(with("(9223372036854775808,)"),
            "its shape holds the size 9223372036854775808, which is too large");
  EXPECT_EQ(with("(" + std::string(50, '9') + ",)"),
            "its shape holds the size " + std::string(32, '9') + ", which is too large");
  EXPECT_EQ(with("(4294967296, 4294967296)"),
            "its shape (4294967296, 4294967296) of f64 needs more than 2^63 bytes");
  EXPECT_EQ(with("(1152921504606846976,)"),
            "its shape (1152921504606846976,) of f64 needs more than 2^63 bytes");
  EXPECT_EQ(with("(0, 4294967296, 4294967296)"),
            "its shape (0, 4294967296, 4294967296) of f64 needs more than 2^63 bytes");
  std::string many = "(";
  for (int i = 0; i < 65; ++i) many += "1,";
  EXPECT_EQ(with(many + ")"), "its shape has more than 64 axes");
}

TEST(ReadNpy, WrongAmountOfData) {
  EXPECT_EQ(message_of(file_of(dict_of("<f8", "(3, 4)"), std::string(95, 'x'))),
            "its shape (3, 4) of f64 needs 96 bytes of elements, but there are 95");
  EXPECT_EQ(message_of(file_of(dict_of("|u1", "(3,)"), "abcd")),
            "its shape (3,) of u8 needs 3 bytes of elements, but there are 4");
  EXPECT_EQ(message_of(file_of(dict_of("<f8", "(1000000000000,)"), "")),
            "its shape (1000000000000,) of f64 needs 8000000000000 bytes of elements, but there "
            "are 0");
}

TEST(ReadNpy, FromAPath) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.npy";
  write_file(path, file_of(dict_of("<f8", "(1,)"), raw<double>({7})));
  const NpyArray array = read_npy(path);
  write_file(path, "");  // the old content stays mapped
  EXPECT_EQ(elements<double>(array), (std::vector<double>{7}));
  const auto message = [](const std::string& name) {
    try {
      read_npy(name);
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message(path), "cannot read '" + path + "': it is not a .npy file");
  EXPECT_EQ(message(folder / "none"),
            "cannot read '" + (folder / "none") + "': there is no such file");
  EXPECT_EQ(message("/"), "cannot read '/': it is a folder");
}

TEST(ReadNpy, BigFilesAreNotTouched) {
  // A file of 64 GiB that has no blocks on disk.
  const TemporaryFolder folder;
  const std::string path = folder / "big.npy";
  write_file(path, file_of(dict_of("<f8", "(8589934592,)"), ""));
  const auto header = std::filesystem::file_size(path);
  std::error_code error;
  std::filesystem::resize_file(path, header + (std::uintmax_t{1} << 36), error);
  if (error) GTEST_SKIP() << "no sparse files here";
  const NpyArray array = read_npy(path);
  EXPECT_EQ(array.element_count(), std::int64_t{1} << 33);
  EXPECT_EQ(array.data.back(), std::byte{0});
}

TEST(WriteNpy, HeaderIsPaddedTo64) {
  const std::string header = make_npy_header(DType::F32, std::vector<std::int64_t>{3, 4});
  EXPECT_EQ(header.size(), 128u);
  EXPECT_EQ(header.substr(10, 57), "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4),");
  EXPECT_EQ(header.back(), '\n');
  std::vector<std::int64_t> wide(kMaxNpyRank, 1000000000000);
  EXPECT_EQ(make_npy_header(DType::U8, wide).size() % 64, 0u);
}

TEST(WriteNpy, EveryDtypeReadsBack) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.npy";
  for (int t = 0; t < ir::kDTypeCount; ++t) {
    const auto dtype = static_cast<DType>(t);
    std::vector<std::byte> data(6 * ir::size_bytes(dtype));
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(i % 2);
    const std::vector<std::int64_t> shape = {2, 1, 3};
    write_npy(path, dtype, shape, data);
    const NpyArray array = read_npy(path);
    EXPECT_EQ(array.dtype, dtype);
    EXPECT_EQ(array.shape, shape);
    EXPECT_EQ(elements<std::byte>(array), data);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data.data()) % 64, 0u);
  }
  write_npy(path, DType::F64, std::vector<std::int64_t>{0, 3}, {});
  EXPECT_EQ(read_npy(path).shape, (std::vector<std::int64_t>{0, 3}));
  EXPECT_THROW(write_npy(path, DType::F64, std::vector<std::int64_t>{2}, {}), InternalError);
}

}  // namespace
}  // namespace lathe::io
