// .npz archives: round trips, an archive made by another program, and damage of every kind.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>

#include <weft/error.h>

#include "runtime/npy.h"

namespace {

using namespace weft::runtime;
using weft::DType;
using weft::Shape;
using weft::ShapeDtype;

// Made by Python's zipfile as numpy.savez_compressed does: a = deflated f32[2,3] of 0..5, b = stored i16[2]
// of -1, 7; both with ZIP64 local headers.
constexpr const char* kArchive =
    "504b03042d0000000800000021004fe9002affffffffffffffff05001400612e6e707901001000980000000000000055"
    "000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9366a2aea3a09e965f54529498179f5f94920a"
    "12774bcc294e058a17672416a402f91a463a0ac69a3a0ab50a64032e063068b007120e4004c40d40bcc00100504b0304"
    "2d000000000000002100a193d39fffffffffffffffff05001400622e6e70790100100084000000000000008400000000"
    "000000934e554d5059010076007b276465736372273a20273c6932272c2027666f727472616e5f6f72646572273a2046"
    "616c73652c20277368617065273a2028322c292c207d2020202020202020202020202020202020202020202020202020"
    "202020202020202020202020202020202020202020202020202020202020202020200affff0700504b01022d032d0000"
    "000800000021004fe9002a5500000098000000050000000000000000000000800100000000612e6e7079504b01022d03"
    "2d000000000000002100a193d39f840000008400000005000000000000000000000080018c000000622e6e7079504b05"
    "06000000000200020066000000470100000000";

std::string archive_bytes() {
  std::string bytes;
  for (const char* at = kArchive; *at != '\0'; at += 2) {
    bytes += static_cast<char>(std::stoi(std::string(at, 2), nullptr, 16));
  }
  return bytes;
}

std::string temporary(const std::string& name) {
  return (std::filesystem::path(testing::TempDir()) /
          ("weft_npz_test_" + std::to_string(getpid()) + "_" + name))
      .string();
}

std::map<std::string, Tensor> load_bytes(const std::string& bytes) {
  const std::string path = temporary("in.npz");
  std::ofstream(path, std::ios::binary) << bytes;
  return load_npz(path);
}

TEST(Npz, an_archive_of_another_program_is_read) {
  const auto tensors = load_bytes(archive_bytes());
  ASSERT_EQ(tensors.size(), 2u);
  EXPECT_EQ(tensors.at("a").type.to_string(), "f32[2,3]");
  EXPECT_EQ(tensors.at("b").type.to_string(), "i16[2]");
  for (int i = 0; i < 6; ++i) EXPECT_EQ(reinterpret_cast<float*>(tensors.at("a").buffer.data())[i], i);
  EXPECT_EQ(reinterpret_cast<std::int16_t*>(tensors.at("b").buffer.data())[1], 7);
}

TEST(Npz, arrays_survive_a_round_trip) {
  std::map<std::string, Tensor> tensors;
  for (int i = 0; i < weft::kDTypeCount; ++i) {
    const ShapeDtype type{Shape{i, 3}, static_cast<DType>(i)};
    tensors["layer/" + std::to_string(i)] = {
        type, Buffer::allocate_zeroed(static_cast<std::size_t>(type.nbytes()))};
  }
  const ShapeDtype large{Shape{1 << 20}, DType::u8};
  tensors["large"] = {large, Buffer::allocate(1 << 20)};
  for (int i = 0; i < 1 << 20; ++i) tensors["large"].buffer.data()[i] = static_cast<std::byte>(i * 7);
  for (const auto& given : {tensors, std::map<std::string, Tensor>{}}) {
    save_npz(temporary("round.npz"), given);
    const auto back = load_npz(temporary("round.npz"));
    ASSERT_EQ(back.size(), given.size());
    for (const auto& [name, tensor] : given) {
      EXPECT_EQ(back.at(name).type, tensor.type);
      EXPECT_EQ(std::memcmp(back.at(name).buffer.data(), tensor.buffer.data(), tensor.buffer.size()), 0)
          << name;
    }
  }
}

TEST(Npz, every_truncation_is_an_exception) {
  const std::string whole = archive_bytes();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(load_bytes(whole.substr(0, length)), weft::UserError) << length;
  }
}

TEST(Npz, damaged_archives_throw_or_load_but_never_crash) {
  const std::string whole = archive_bytes();
  std::mt19937 random(11);
  for (std::size_t i = 0; i < whole.size() * 4; ++i) {
    std::string damaged = whole;
    damaged[i / 4] = static_cast<char>(i % 4 == 0 ? 0xFF : random());
    try {
      load_bytes(damaged);
    } catch (const weft::UserError&) {
    }
  }
}

TEST(Npz, a_flipped_bit_of_the_data_fails_the_checksum) {
  std::string damaged = archive_bytes();
  const auto second = damaged.find("b.npy");
  damaged[damaged.find("NUMPY", second) + 120] ^= 1;
  EXPECT_THROW(load_bytes(damaged), weft::UserError);
}

TEST(Npz, what_cannot_be_saved_throws_and_leaves_no_file) {
  const std::string path = temporary("short.npz");
  EXPECT_THROW(save_npz(path, {{"x", {{Shape{100}, DType::f64}, Buffer::allocate(8)}}}),
               weft::ExecutionError);
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
