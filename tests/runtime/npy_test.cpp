// .npy files: round trips, both orders, all versions, and clear refusals.
#include "runtime/npy.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include <weft/error.h>

namespace {

using namespace weft::runtime;
using weft::DType;
using weft::Shape;
using weft::ShapeDtype;

std::string temporary(const std::string& name) {
  return (std::filesystem::path(testing::TempDir()) /
          ("weft_npy_test_" + std::to_string(getpid()) + "_" + name))
      .string();
}

std::string write_file(const std::string& name, const std::string& bytes) {
  const std::string path = temporary(name);
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string npy_bytes(const std::string& dictionary, const std::string& data, char version = 1) {
  std::string file = "\x93NUMPY";
  file += {version, '\0', static_cast<char>(dictionary.size()), '\0'};
  if (version > 1) file += {'\0', '\0'};
  return file + dictionary + data;
}

Tensor load_bytes(const std::string& bytes) { return load_npy(write_file("in.npy", bytes)); }

std::string message_of(const std::string& bytes) {
  try {
    load_bytes(bytes);
  } catch (const weft::UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Npy, every_dtype_survives_a_round_trip) {
  for (int i = 0; i < weft::kDTypeCount; ++i) {
    for (const Shape& shape : {Shape(), Shape{3}, Shape{2, 0}, Shape{2, 3, 4}}) {
      const ShapeDtype type{shape, static_cast<DType>(i)};
      const Buffer buffer = Buffer::allocate_zeroed(static_cast<std::size_t>(type.nbytes()));
      for (std::size_t b = 0; b < buffer.size(); ++b)
        buffer.data()[b] = static_cast<std::byte>(i == 0 ? b % 2 : b);
      save_npy(temporary("round.npy"), {type, buffer});
      const Tensor back = load_npy(temporary("round.npy"));
      EXPECT_EQ(back.type, type);
      EXPECT_EQ(std::memcmp(back.buffer.data(), buffer.data(), buffer.size()), 0) << type.to_string();
      if (type.nbytes() == 0) continue;
      EXPECT_EQ((std::filesystem::file_size(temporary("round.npy")) - buffer.size()) % 64, 0u);
    }
  }
}

TEST(Npy, fortran_order_becomes_row_major) {
  // [2,3,2] with the value 100 i + 10 j + k, column-major.
  std::string data;
  for (int k = 0; k < 2; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 2; ++i) data += static_cast<char>(100 * i + 10 * j + k);
    }
  }
  const Tensor tensor =
      load_bytes(npy_bytes("{'shape': (2, 3, 2), 'fortran_order': True, 'descr': '|i1'}", data));
  int at = 0;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 2; ++k)
        EXPECT_EQ(static_cast<int>(tensor.buffer.data()[at++]), 100 * i + 10 * j + k);
    }
  }
}

TEST(Npy, versions_1_to_3_are_read) {
  for (const char version : {1, 2, 3}) {
    const Tensor tensor = load_bytes(
        npy_bytes("{\"descr\": \"<u2\", 'fortran_order': False, 'shape': (2L,), }  \n", "abcd", version));
    EXPECT_EQ(tensor.type.to_string(), "u16[2]");
  }
  EXPECT_NE(message_of(npy_bytes("{}", "", 4)).find("version 4.0"), std::string::npos);
}

TEST(Npy, refusals_say_why) {
  const auto file = [](const std::string& descr, const std::string& shape) {
    return npy_bytes("{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + "}",
                     "0123456789");
  };
  const auto refused = [&](const std::string& bytes, const char* why) {
    EXPECT_NE(message_of(bytes).find(why), std::string::npos) << message_of(bytes);
  };
  refused(file("'>f4'", "(1,)"), "big-endian");
  refused(file("'|O'", "(1,)"), "Python objects");
  refused(file("[('a', '<f4')]", "(1,)"), "structured");
  refused(file("'<U3'", "(1,)"), "'<U3'");
  refused(file("'<f4'", "(3,)"), "truncated");
  refused(file("'<f4'", "(-1,)"), "negative");
  refused(file("'<f4'", "(4611686018427387904, 4611686018427387904)"), "overflows");
  refused(file("'<f4'", "(1"), "bad header");
  refused(file("'<f4'", "1"), "bad header");
  refused(file("''", "()"), "element type");
  refused("", "too short");
  refused("something else entirely", "magic");
  EXPECT_THROW(load_npy(temporary("absent.npy")), weft::ExecutionError);
  EXPECT_THROW(load_npy(testing::TempDir()), weft::ExecutionError);
  EXPECT_THROW(save_npy(temporary("no/such/folder.npy"), {{Shape(), DType::f32}, Buffer::allocate(4)}),
               weft::ExecutionError);
}

TEST(Npy, every_truncation_is_an_exception) {
  const std::string whole =
      npy_bytes("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n", std::string(16, 'x'));
  EXPECT_NO_THROW(load_bytes(whole));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(load_bytes(whole.substr(0, length)), weft::UserError) << length;
  }
}

}  // namespace
