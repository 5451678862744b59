// The files that arrays are read from and written to: every failure is an exception with the path.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <weft/error.h>

#include "runtime/npy_format.h"

namespace weft::runtime {

InputFile::InputFile(const std::string& path) : path_(path) {
  descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a FIFO must not hang
  if (descriptor_ < 0) throw ExecutionError("load: cannot open " + path + ": " + std::strerror(errno));
  struct stat status {};
  if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(descriptor_);
    throw ExecutionError("load: " + path + " is not a regular file");
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

InputFile::~InputFile() { close(descriptor_); }

void InputFile::read_at(std::uint64_t offset, void* out, std::size_t bytes) const {
  auto* target = static_cast<char*>(out);
  while (bytes > 0) {
    const std::size_t step = std::min(bytes, std::size_t{1} << 30);
    const ssize_t got = pread(descriptor_, target, step, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw ExecutionError("load: cannot read " + path_ + ": " + std::strerror(errno));
    if (got == 0) throw ExecutionError("load: " + path_ + " is truncated");
    target += got;
    offset += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::size_t>(got);
  }
}

void FileStretch::read(void* out, std::size_t bytes) {
  if (bytes > remaining()) throw ExecutionError("load: " + file_.path() + " is truncated");
  file_.read_at(at_, out, bytes);
  at_ += bytes;
}

OutputFile::OutputFile(const std::string& path) : path_(path), stream_(std::fopen(path.c_str(), "wbe")) {
  if (stream_ == nullptr) throw ExecutionError("save: cannot create " + path + ": " + std::strerror(errno));
}

OutputFile::~OutputFile() {
  if (stream_ == nullptr) return;
  std::fclose(stream_);
  std::remove(path_.c_str());
}

void OutputFile::write(const void* data, std::size_t bytes) {
  if (bytes > 0 && std::fwrite(data, 1, bytes, stream_) != bytes) fail("write");
  written_ += bytes;
}

void OutputFile::finish() {
  if (std::fflush(stream_) != 0) fail("write");
  if (std::fclose(std::exchange(stream_, nullptr)) != 0) fail("close");
}

void OutputFile::fail(const char* action) {
  throw ExecutionError(std::string("save: cannot ") + action + " " + path_ + ": " + std::strerror(errno));
}

}  // namespace weft::runtime
