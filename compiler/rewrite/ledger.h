// The ledger: every firing of every rewrite, with the user's lines and what it did. All passes go through it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/ir.h"

namespace weft::rewrite {

// What a rewrite may do to the numbers.
enum class NumericClass : std::uint8_t { exact, reassociates, changes_rounding };
std::string_view name_of(NumericClass numeric);

// What an expert would have done by hand, and the bookkeeping that made way for it.
enum class Rank : std::uint8_t { detail, headline };

struct Firing {
  std::string pass;                   // "merge_equal_nodes"
  std::string rule;                   // "select_of_equal_arms"
  std::vector<ir::SourceLine> where;  // of every operation involved, deduplicated
  std::string before, after;          // as text
  NumericClass numeric = NumericClass::exact;
  Rank rank = Rank::detail;
  std::int64_t flops_saved = 0, bytes_saved = 0;
  std::string to_string() const;  // several lines, as explain() prints it
};
struct PassRun {
  std::string pass;
  double seconds = 0;
  std::size_t firings = 0;
  std::size_t nodes_before = 0, nodes_after = 0;
};

class Ledger {
 public:
  void record(Firing firing);
  void record(PassRun run) { runs_.push_back(std::move(run)); }
  const std::vector<Firing>& firings() const { return firings_; }
  const std::vector<PassRun>& runs() const { return runs_; }
  std::size_t count(std::string_view pass_or_rule) const;
  std::string to_string() const;  // every run of a pass, then every firing in full
  std::string summary() const;    // headlines in full, details as one line a rule with its count
  void set_rank(std::size_t first, Rank rank);  // of all firings from number `first` on

 private:
  std::vector<Firing> firings_;
  std::vector<PassRun> runs_;
};

}  // namespace weft::rewrite
