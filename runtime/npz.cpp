// The .npz format: a ZIP archive with one .npy member an array, stored or deflated, ZIP64 where sizes need
// it.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <vector>

#include <weft/error.h>

#include "runtime/npy_format.h"

namespace weft::runtime {
namespace {

constexpr std::uint32_t kLocalMagic = 0x04034b50, kCentralMagic = 0x02014b50, kEndMagic = 0x06054b50;
constexpr std::uint32_t kEnd64Magic = 0x06064b50, kLocator64Magic = 0x07064b50;
constexpr std::uint64_t kEscape32 = 0xFFFFFFFF, kEscape16 = 0xFFFF;  // "look in the ZIP64 fields"
constexpr std::uint64_t kEndBytes = 22, kCentralBytes = 46, kLocalBytes = 30, kLocator64Bytes = 20,
                        kEnd64Bytes = 56;
constexpr int kStored = 0, kDeflated = 8;

struct Member {
  std::string name;
  int flags = 0, method = 0;
  std::uint32_t crc = 0;
  std::uint64_t compressed = 0, size = 0, offset = 0;
};

struct Directory {
  std::uint64_t entries = 0, bytes = 0, offset = 0;
};

[[noreturn]] void fail(const InputFile& file, const std::string& why) {
  throw ExecutionError("load: " + file.path() + " is damaged or truncated: " + why);
}

// Little-endian fields of a record held in memory; reading past the end is the caller's to prevent.
std::uint64_t field(const unsigned char* at, int bytes) {
  std::uint64_t value = 0;
  for (int i = bytes - 1; i >= 0; --i) value = value << 8 | at[i];
  return value;
}

std::vector<unsigned char> read_record(const InputFile& file, std::uint64_t offset, std::uint64_t bytes) {
  if (offset > file.size() || bytes > file.size() - offset) fail(file, "a record lies outside the file");
  std::vector<unsigned char> record(bytes);
  file.read_at(offset, record.data(), bytes);
  return record;
}

Directory find_directory64(const InputFile& file, std::uint64_t end_offset, Directory found) {
  if (end_offset < kLocator64Bytes) return found;
  const auto locator = read_record(file, end_offset - kLocator64Bytes, kLocator64Bytes);
  if (field(locator.data(), 4) != kLocator64Magic) return found;
  const auto end64 = read_record(file, field(&locator[8], 8), kEnd64Bytes);
  if (field(end64.data(), 4) != kEnd64Magic) fail(file, "the ZIP64 end record is missing");
  return {field(&end64[32], 8), field(&end64[40], 8), field(&end64[48], 8)};
}

Directory find_directory(const InputFile& file) {
  if (file.size() < kEndBytes)
    throw TypeError("load: " + file.path() + " is not a .npz file: it is too short");
  // The end record is last but for a comment of at most 65535 bytes.
  const std::uint64_t window = std::min<std::uint64_t>(file.size(), kEndBytes + 65535);
  const std::uint64_t start = file.size() - window;
  const auto tail = read_record(file, start, window);
  for (std::uint64_t at = window - kEndBytes + 1; at-- > 0;) {
    const unsigned char* end = &tail[at];
    if (field(end, 4) != kEndMagic || at + kEndBytes + field(end + 20, 2) != window) continue;
    if (field(end + 4, 2) != 0 && field(end + 4, 2) != kEscape16) fail(file, "it is one part of several");
    const Directory found{field(end + 10, 2), field(end + 12, 4), field(end + 16, 4)};
    if (found.entries != kEscape16 && found.bytes != kEscape32 && found.offset != kEscape32) return found;
    return find_directory64(file, start + at, found);
  }
  throw TypeError("load: " + file.path() + " is not a .npz file, or is truncated: it has no end record");
}

// The extra field 1 holds, in this order, the 64-bit values of those fields that are escaped.
void read_extra64(const InputFile& file, const unsigned char* extra, std::uint64_t bytes, Member& member) {
  while (bytes >= 4) {
    const std::uint64_t id = field(extra, 2), length = field(extra + 2, 2);
    if (length > bytes - 4) return;  // other writers' trailing bytes are none of our business
    if (id == 1) {
      std::uint64_t at = 0;
      for (std::uint64_t* value : {&member.size, &member.compressed, &member.offset}) {
        if (*value != kEscape32) continue;
        if (at + 8 > length) fail(file, "the ZIP64 sizes of '" + member.name + "' are missing");
        *value = field(extra + 4 + at, 8);
        at += 8;
      }
      return;
    }
    extra += 4 + length;
    bytes -= 4 + length;
  }
}

std::vector<Member> read_directory(const InputFile& file) {
  const Directory directory = find_directory(file);
  const auto record = read_record(file, directory.offset, directory.bytes);
  std::vector<Member> members;
  std::uint64_t at = 0;
  for (std::uint64_t entry = 0; entry < directory.entries; ++entry) {
    if (record.size() - at < kCentralBytes) fail(file, "its directory ends early");
    const unsigned char* central = &record[at];
    if (field(central, 4) != kCentralMagic) fail(file, "its directory has a bad entry");
    const std::uint64_t name = field(central + 28, 2), extra = field(central + 30, 2),
                        comment = field(central + 32, 2);
    if (record.size() - at - kCentralBytes < name + extra + comment) fail(file, "its directory ends early");
    Member member;
    member.name.assign(reinterpret_cast<const char*>(central + kCentralBytes), name);
    member.flags = static_cast<int>(field(central + 8, 2));
    member.method = static_cast<int>(field(central + 10, 2));
    member.crc = static_cast<std::uint32_t>(field(central + 16, 4));
    member.compressed = field(central + 20, 4);
    member.size = field(central + 24, 4);
    member.offset = field(central + 42, 4);
    read_extra64(file, central + kCentralBytes + name, extra, member);
    members.push_back(std::move(member));
    at += kCentralBytes + name + extra + comment;
  }
  return members;
}

FileStretch packed_bytes(const InputFile& file, const Member& member) {
  const auto local = read_record(file, member.offset, kLocalBytes);
  if (field(local.data(), 4) != kLocalMagic) fail(file, "'" + member.name + "' has a bad local header");
  const std::uint64_t offset = member.offset + kLocalBytes + field(&local[26], 2) + field(&local[28], 2);
  if (offset > file.size() || member.compressed > file.size() - offset) {
    fail(file, "'" + member.name + "' lies outside the file");
  }
  return FileStretch(file, offset, offset + member.compressed);
}

// The bytes of one member, inflated if need be, with their checksum kept along the way.
class MemberSource : public ByteSource {
 public:
  MemberSource(const InputFile& file, const Member& member)
      : file_(file), member_(member), left_(member.size), packed_(packed_bytes(file, member)) {
    if (member.method == kStored) {
      if (member.size != member.compressed) fail(file, "'" + member.name + "' has two sizes");
      return;
    }
    // Deflate cannot shrink more than 1032 times: a size beyond that is a lie and must not be allocated.
    if (member.size / 1032 > member.compressed) fail(file, "'" + member.name + "' has an impossible size");
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK)
      throw ExecutionError("load: no memory to inflate " + file.path());
    inflating_ = true;
  }
  MemberSource(const MemberSource&) = delete;
  MemberSource& operator=(const MemberSource&) = delete;
  ~MemberSource() override {
    if (inflating_) inflateEnd(&stream_);
  }

  std::uint64_t remaining() const override { return left_; }

  void read(void* out, std::size_t bytes) override {
    if (bytes > left_) fail(file_, "'" + member_.name + "' ends early");
    auto* target = static_cast<unsigned char*>(out);
    left_ -= bytes;
    while (bytes > 0) {
      const std::size_t step = std::min(bytes, std::size_t{1} << 24);
      if (inflating_) {
        inflate_into(target, step);
      } else {
        packed_.read(target, step);
      }
      crc_ = static_cast<std::uint32_t>(crc32_z(crc_, target, step));
      target += step;
      bytes -= step;
    }
  }

  // Reads what the array did not use, so that the checksum covers the whole member.
  void finish() {
    std::vector<unsigned char> rest(std::min<std::uint64_t>(left_, 1 << 16));
    while (left_ > 0) read(rest.data(), std::min<std::uint64_t>(left_, rest.size()));
    if (crc_ != member_.crc) fail(file_, "'" + member_.name + "' has a wrong checksum");
  }

 private:
  void inflate_into(unsigned char* target, std::size_t bytes) {
    stream_.next_out = target;
    stream_.avail_out = static_cast<uInt>(bytes);
    while (stream_.avail_out > 0) {
      if (stream_.avail_in == 0) {
        const std::uint64_t step = std::min<std::uint64_t>(packed_.remaining(), input_.size());
        packed_.read(input_.data(), step);
        stream_.next_in = input_.data();
        stream_.avail_in = static_cast<uInt>(step);
      }
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_OK || (status == Z_STREAM_END && stream_.avail_out == 0)) continue;
      fail(file_, "'" + member_.name + "' cannot be inflated");
    }
  }

  const InputFile& file_;
  const Member& member_;
  std::uint64_t left_;
  FileStretch packed_;
  std::uint32_t crc_ = 0;
  bool inflating_ = false;
  z_stream stream_{};
  std::array<unsigned char, 1 << 16> input_;
};

Tensor read_member(const InputFile& file, const Member& member) {
  const std::string name = file.path() + ": " + member.name;
  if (member.flags & 1) throw TypeError("load: " + name + " is encrypted");
  if (member.method != kStored && member.method != kDeflated) {
    throw TypeError("load: " + name + " is compressed by method " + std::to_string(member.method) +
                    "; stored and deflated members can be read");
  }
  MemberSource source(file, member);
  Tensor tensor = read_array(source, name);
  source.finish();
  return tensor;
}

}  // namespace

std::map<std::string, Tensor> load_npz(const std::string& path) {
  constexpr std::string_view suffix = ".npy";
  const InputFile file(path);
  std::map<std::string, Tensor> tensors;
  for (const Member& member : read_directory(file)) {
    if (member.name.ends_with('/')) continue;  // a folder
    const bool named = member.name.ends_with(suffix);
    const std::string key = member.name.substr(0, member.name.size() - (named ? suffix.size() : 0));
    tensors.insert_or_assign(key, read_member(file, member));
  }
  return tensors;
}

}  // namespace weft::runtime
