// Asks the kernel once: memory, affinity, and the limits of every control group that this process is in.
#include "runtime/machine.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

namespace weft::runtime {
namespace {

bool lists(std::string_view commas, std::string_view word) {
  for (std::size_t start = 0; start <= commas.size();) {
    const std::size_t end = std::min(commas.find(',', start), commas.size());
    if (commas.substr(start, end - start) == word) return true;
    start = end + 1;
  }
  return false;
}

// Calls `look` with the folder of each control group that binds `controller`, innermost first: parents bind
// too. Lines are "0::/path" for version 2, whose folders hold every controller, and "9:cpu,cpuacct:/path" for
// version 1.
void for_each_group(const std::string& controller, const std::function<void(const std::string&)>& look) {
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const bool version2 = second == first + 1;
    if (!version2 && !lists(std::string_view(line).substr(first + 1, second - first - 1), controller))
      continue;
    std::string root = "/sys/fs/cgroup";
    if (!version2) root.append("/").append(controller);
    std::string path = line.substr(second + 1);
    while (path.size() > 1) {
      look(root + path);
      path.resize(std::min(path.rfind('/'), path.size()));
    }
    look(root);
  }
}

// A limit of "max" is no number and so no limit.
double read_number(const std::string& path, double otherwise) {
  std::ifstream file(path);
  double value = 0;
  return file >> value && value > 0 ? value : otherwise;
}

std::size_t find_usable_memory() {
  double least = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  for_each_group("memory", [&least](const std::string& folder) {
    least = std::min(least, read_number(folder + "/memory.max", least));
    least = std::min(least, read_number(folder + "/memory.limit_in_bytes", least));
  });
  return static_cast<std::size_t>(least);
}

// Cores that a quota amounts to, rounded up; a very large number without one.
double quota_cores(const std::string& folder) {
  constexpr double kNoLimit = 1e9;
  std::ifstream version2(folder + "/cpu.max");
  double quota = 0, period = 0;
  if (version2 >> quota >> period && quota > 0 && period > 0) return std::ceil(quota / period);
  quota = read_number(folder + "/cpu.cfs_quota_us", 0);
  period = read_number(folder + "/cpu.cfs_period_us", 0);
  return quota > 0 && period > 0 ? std::ceil(quota / period) : kNoLimit;
}

int find_usable_cores() {
  double cores = std::max(1u, std::thread::hardware_concurrency());
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) cores = CPU_COUNT(&set);
  for_each_group("cpu",
                 [&cores](const std::string& folder) { cores = std::min(cores, quota_cores(folder)); });
  return std::max(1, static_cast<int>(cores));
}

}  // namespace

std::size_t usable_memory() {
  static const std::size_t bytes = find_usable_memory();
  return bytes;
}

int usable_cores() {
  static const int cores = find_usable_cores();
  return cores;
}

}  // namespace weft::runtime
