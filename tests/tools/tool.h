// Runs the tool in a shell and keeps what it said.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace weft::tool {

// A folder that lives as long as the test.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "weft_tool_XXXXXX").string();
    if (mkdtemp(pattern.data())) path_ = pattern;
  }
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline std::string content_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

struct Said {
  int status = -1;  // the exit code; -1 when the process did not end by itself
  std::string out, err;
};

inline Said run_in_shell(const std::string& command, const std::string& folder) {
  const Scratch scratch;
  const std::string whole =
      "cd '" + folder + "' && " + command + " >" + (scratch / "out") + " 2>" + (scratch / "err");
  const int status = std::system(whole.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(scratch / "out"),
          content_of(scratch / "err")};
}

// `arguments` is shell text; the tool runs in `folder`, by default that of the test programs.
inline Said weft(const std::string& arguments, const std::string& folder = WEFT_PROGRAMS) {
  return run_in_shell(std::string("'") + WEFT_TOOL + "' " + arguments, folder);
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace weft::tool
