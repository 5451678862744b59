// How long a call takes, and what was done for it, for the lessons that compare with plain C++.
#pragma once

#include <algorithm>
#include <chrono>
#include <iostream>

#include <weft/stages.h>

inline double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The headlines: the first few in full or by their names, the others by their number.
inline void print_headlines(const weft::Explanation& explanation, int in_full, int by_name) {
  int count = 0;
  for (const weft::Rewrite& rewrite : explanation) {
    if (!rewrite.is_headline) continue;
    if (++count <= in_full)
      std::cout << rewrite.text;
    else if (count <= in_full + by_name)
      std::cout << rewrite.pass << ": " << rewrite.rule << " [" << rewrite.numeric << "] " << rewrite.after << "\n";
  }
  if (count > in_full + by_name) std::cout << "and " << count - in_full - by_name << " more headlines\n";
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
