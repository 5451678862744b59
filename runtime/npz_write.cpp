// Writes .npz archives: stored members, sizes in ZIP64 fields where 32 bits do not hold them.
#include <zlib.h>

#include <limits>
#include <vector>

#include <weft/error.h>

#include "runtime/npy_format.h"

namespace weft::runtime {
namespace {

constexpr std::uint64_t kEscape32 = 0xFFFFFFFF, kEscape16 = 0xFFFF;
constexpr int kUtf8Names = 1 << 11;
constexpr int kNewYear1980 = 0x0021;  // the date of every member, so that equal arrays give equal files

struct Record {
  std::string bytes;
  Record& put(std::uint64_t value, int width) {
    for (int i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
    return *this;
  }
};

struct Written {
  std::string name;
  std::uint32_t crc;
  std::uint64_t size, offset;
};

std::uint64_t escaped(std::uint64_t value) { return value >= kEscape32 ? kEscape32 : value; }

// The fields that the local header and the directory have in common, from "version needed" to "extra length".
void put_common(Record& record, const Written& member, std::uint64_t extra_bytes) {
  record.put(45, 2).put(kUtf8Names, 2).put(0, 2).put(0, 2).put(kNewYear1980, 2).put(member.crc, 4);
  record.put(escaped(member.size), 4).put(escaped(member.size), 4);
  record.put(member.name.size(), 2).put(extra_bytes, 2);
}

std::string local_header(const Written& member) {
  const bool large = member.size >= kEscape32;
  Record record;
  record.put(0x04034b50, 4);
  put_common(record, member, large ? 20 : 0);
  record.bytes += member.name;
  if (large) record.put(1, 2).put(16, 2).put(member.size, 8).put(member.size, 8);
  return record.bytes;
}

std::string directory_entry(const Written& member) {
  Record extra;
  if (member.size >= kEscape32) extra.put(member.size, 8).put(member.size, 8);
  if (member.offset >= kEscape32) extra.put(member.offset, 8);
  Record record;
  record.put(0x02014b50, 4).put(45, 2);
  put_common(record, member, extra.bytes.empty() ? 0 : extra.bytes.size() + 4);
  record.put(0, 2).put(0, 2).put(0, 2).put(0, 4).put(escaped(member.offset), 4);
  record.bytes += member.name;
  if (!extra.bytes.empty()) record.put(1, 2).put(extra.bytes.size(), 2).bytes += extra.bytes;
  return record.bytes;
}

std::string end_records(std::uint64_t entries, std::uint64_t bytes, std::uint64_t offset) {
  Record record;
  if (entries >= kEscape16 || bytes >= kEscape32 || offset >= kEscape32) {
    record.put(0x06064b50, 4).put(44, 8).put(45, 2).put(45, 2).put(0, 4).put(0, 4);
    record.put(entries, 8).put(entries, 8).put(bytes, 8).put(offset, 8);
    record.put(0x07064b50, 4).put(0, 4).put(offset + bytes, 8).put(1, 4);
  }
  const std::uint64_t entries16 = entries >= kEscape16 ? kEscape16 : entries;
  record.put(0x06054b50, 4).put(0, 2).put(0, 2).put(entries16, 2).put(entries16, 2);
  record.put(escaped(bytes), 4).put(escaped(offset), 4).put(0, 2);
  return record.bytes;
}

Written write_member(OutputFile& file, const std::string& name, const Tensor& tensor) {
  const std::string header = array_header(tensor.type);
  const std::span<const std::byte> data = array_bytes(tensor, name);
  uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(header.data()), header.size());
  crc = crc32_z(crc, reinterpret_cast<const Bytef*>(data.data()), data.size());
  const Written member{name + ".npy", static_cast<std::uint32_t>(crc), header.size() + data.size(),
                       file.written()};
  if (member.name.size() > kEscape16)
    throw ExecutionError("save: the name of an array is too long for a .npz file");
  const std::string local = local_header(member);
  file.write(local.data(), local.size());
  file.write(header.data(), header.size());
  file.write(data.data(), data.size());
  return member;
}

}  // namespace

void save_npz(const std::string& path, const std::map<std::string, Tensor>& tensors) {
  OutputFile file(path);
  std::vector<Written> members;
  for (const auto& [name, tensor] : tensors) members.push_back(write_member(file, name, tensor));
  const std::uint64_t offset = file.written();
  for (const Written& member : members) {
    const std::string entry = directory_entry(member);
    file.write(entry.data(), entry.size());
  }
  const std::string end = end_records(members.size(), file.written() - offset, offset);
  file.write(end.data(), end.size());
  file.finish();
}

}  // namespace weft::runtime
