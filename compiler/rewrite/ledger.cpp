// What the ledger says as text, and how it counts.
#include "compiler/rewrite/ledger.h"

#include <algorithm>

#include <fmt/format.h>

namespace weft::rewrite {

std::string_view name_of(NumericClass numeric) {
  switch (numeric) {
    case NumericClass::exact:
      return "exact";
    case NumericClass::reassociates:
      return "reassociates";
    case NumericClass::changes_rounding:
      return "changes rounding";
  }
  return "";
}

std::string Firing::to_string() const {
  std::string lines;
  for (const ir::SourceLine& line : where) lines += (lines.empty() ? " at " : ", ") + line.to_string();
  std::string text = fmt::format("{}: {} [{}]{}\n", pass, rule, name_of(numeric), lines);
  if (!before.empty()) text += fmt::format("  before  {}\n", before);
  if (!after.empty()) text += fmt::format("  after   {}\n", after);
  if (flops_saved != 0 || bytes_saved != 0)
    text += fmt::format("  saves   {} flops, {} bytes\n", flops_saved, bytes_saved);
  return text;
}

void Ledger::record(Firing firing) {
  std::vector<ir::SourceLine> where;
  const auto is_known = [&](const ir::SourceLine& line) {
    return std::any_of(where.begin(), where.end(), [&](const ir::SourceLine& known) {
      return known.file == line.file && known.line == line.line;
    });
  };
  for (ir::SourceLine& line : firing.where)
    if (!line.file.empty() && !is_known(line)) where.push_back(std::move(line));
  firing.where = std::move(where);
  firings_.push_back(std::move(firing));
}

std::size_t Ledger::count(std::string_view pass_or_rule) const {
  return static_cast<std::size_t>(std::count_if(firings_.begin(), firings_.end(), [&](const Firing& firing) {
    return firing.pass == pass_or_rule || firing.rule == pass_or_rule;
  }));
}

void Ledger::set_rank(std::size_t first, Rank rank) {
  for (std::size_t i = first; i < firings_.size(); ++i) firings_[i].rank = rank;
}

std::string Ledger::summary() const {
  struct Rule {
    const Firing* first;
    std::size_t count = 0;
    std::int64_t flops = 0, bytes = 0;
  };
  std::string text;
  std::vector<Rule> rules;
  for (const Firing& firing : firings_) {
    if (firing.rank == Rank::headline) {
      text += firing.to_string();
      continue;
    }
    auto rule = std::find_if(rules.begin(), rules.end(), [&](const Rule& known) {
      return known.first->pass == firing.pass && known.first->rule == firing.rule;
    });
    if (rule == rules.end()) rule = rules.insert(rule, {&firing});
    ++rule->count;
    rule->flops += firing.flops_saved;
    rule->bytes += firing.bytes_saved;
  }
  if (!rules.empty()) text += "details, one line a rule:\n";
  for (const Rule& rule : rules) {
    text += fmt::format("  {}: {} [{}]", rule.first->pass, rule.first->rule, name_of(rule.first->numeric));
    if (rule.count > 1) text += fmt::format(" {} times", rule.count);
    if (rule.flops != 0 || rule.bytes != 0) text += fmt::format(", saves {} flops, {} bytes", rule.flops, rule.bytes);
    text += "\n";
  }
  return text;
}

std::string Ledger::to_string() const {
  std::string text;
  for (const PassRun& run : runs_)
    text +=
        fmt::format("{}: {} to {} operations, {} firings, {:.3f} ms{}\n", run.pass, run.nodes_before,
                    run.nodes_after, run.firings, run.seconds * 1e3, run.firings == 0 ? " (unchanged)" : "");
  for (const Firing& firing : firings_) text += firing.to_string();
  return text;
}

}  // namespace weft::rewrite
