// What the .npy and .npz readers share: byte sources, and the array format itself.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>

#include "runtime/npy.h"

namespace weft::runtime {

// Bytes that come in order: a stretch of a file, or a member of an archive as it is inflated.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual void read(void* out, std::size_t bytes) = 0;  // throws ExecutionError when the file ends early
  virtual std::uint64_t remaining() const = 0;
};

// A file opened for reading; every failure is an ExecutionError that names the path.
class InputFile {
 public:
  explicit InputFile(const std::string& path);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();
  void read_at(std::uint64_t offset, void* out, std::size_t bytes) const;
  std::uint64_t size() const { return size_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

class FileStretch : public ByteSource {
 public:
  FileStretch(const InputFile& file, std::uint64_t begin, std::uint64_t end)
      : file_(file), at_(begin), end_(end) {}
  void read(void* out, std::size_t bytes) override;
  std::uint64_t remaining() const override { return end_ - at_; }

 private:
  const InputFile& file_;
  std::uint64_t at_, end_;
};

// A file opened for writing; a file that could not be finished is removed.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();
  void write(const void* data, std::size_t bytes);
  void finish();
  std::uint64_t written() const { return written_; }

 private:
  [[noreturn]] void fail(const char* action);
  std::string path_;
  std::FILE* stream_ = nullptr;
  std::uint64_t written_ = 0;
};

// Reads one array, header and all. `name` is what messages call it: the path, or "path: member".
Tensor read_array(ByteSource& source, const std::string& name);
// Magic, version, length and dictionary: everything before the data.
std::string array_header(const ShapeDtype& type);
// The bytes of the data; throws ExecutionError when the buffer is shorter than the type.
std::span<const std::byte> array_bytes(const Tensor& tensor, const std::string& name);

}  // namespace weft::runtime
