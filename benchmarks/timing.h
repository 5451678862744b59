// Timing of one call: samples of at least 20 us each, the least and the median reported.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace benchmark_tools {

struct Timing {
  double least = 0, median = 0;  // seconds a call
};

inline double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class Call>
Timing measure(const Call& call, double budget = 0.3) {
  call();
  long calls = 1;
  for (;; calls *= 4) {
    const double start = seconds();
    for (long i = 0; i < calls; ++i) call();
    if (seconds() - start >= 20e-6 || calls > (1L << 28)) break;
  }
  std::vector<double> samples;
  for (const double end = seconds() + budget; seconds() < end || samples.size() < 7;) {
    const double start = seconds();
    for (long i = 0; i < calls; ++i) call();
    samples.push_back((seconds() - start) / static_cast<double>(calls));
  }
  std::sort(samples.begin(), samples.end());
  return {samples.front(), samples[samples.size() / 2]};
}

// `W1 | x*x weft | min 12.3 us | med 12.5 us | note`
inline void report(const char* work, const std::string& name, Timing timing, const std::string& note = "") {
  std::printf("%-6s| %-46s| min %12.3f us | med %12.3f us | %s\n", work, name.c_str(), timing.least * 1e6,
              timing.median * 1e6, note.c_str());
  std::fflush(stdout);
}

}  // namespace benchmark_tools
