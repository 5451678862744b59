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
  for (ir::SourceLine& line : firing.where)
    if (!line.file.empty() && std::find(where.begin(), where.end(), line) == where.end())
      where.push_back(std::move(line));
  firing.where = std::move(where);
  firings_.push_back(std::move(firing));
}

std::size_t Ledger::count(std::string_view pass_or_rule) const {
  return static_cast<std::size_t>(std::count_if(firings_.begin(), firings_.end(), [&](const Firing& firing) {
    return firing.pass == pass_or_rule || firing.rule == pass_or_rule;
  }));
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
