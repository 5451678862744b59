// How long a call takes, for the lessons that compare with plain C++.
#pragma once

#include <algorithm>
#include <chrono>

inline double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The shortest of several rounds, in microseconds.
template <class Call>
double best_of(int rounds, const Call& call) {
  double best = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const double start = seconds();
    call();
    best = std::min(best, seconds() - start);
  }
  return best * 1e6;
}
