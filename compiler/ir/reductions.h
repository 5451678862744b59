// What is known about the body of a reduction: standard kinds by table, selections by their decision table.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "compiler/ir/ir.h"

namespace weft::ir {

enum class ReductionKind : std::uint8_t {
#define REDUCTION(name, ...) name,
#include "compiler/ir/reductions.def"
#undef REDUCTION
};
struct ReductionInfo {
  std::string_view name;
  Op combine;          // the body's one operation
  bool commutes;
};
const ReductionInfo& info_of(ReductionKind kind);
// The identity element of a kind in a dtype (0, 1, +inf, lowest, all ones …); for f16 and bf16 in their own format.
Literal identity_of(ReductionKind kind, DType dtype);

// A body that picks, for every operand alike, the accumulator's element or the new one, by comparing a key:
// minimum or maximum, a NaN key first of all, ties by position or by a smaller payload. Equal keys are one number to
// it: where -0 and +0 tie, the body may give the key of the one and the payload of the other.
struct Selection {
  std::size_t key = 0;              // which operand is compared
  bool is_minimum = true;           // the smaller key wins (else the larger)
  enum class Nan : std::uint8_t { wins, never /* integer key */, other } nan = Nan::wins;
  enum class Tie : std::uint8_t { first, last, smaller_payload, larger_payload } tie = Tie::first;
  std::size_t tie_payload = 0;      // the operand compared on a tie by payload
};

// What a body with k operands does. Either every component is standard, or the whole is a selection, or neither
// (unproven): then it may only be applied in order.
struct Reducer {
  std::vector<std::optional<ReductionKind>> components;  // of each operand, when independent of the others
  std::optional<Selection> selection;
  bool all_standard() const;
};
// Looks at the region of a reduce (arguments: k accumulators, then k elements). Any spelling is recognised whose
// results are decided by comparisons of the key and one payload: the body is evaluated on every order of them.
Reducer classify_reducer(const Graph& graph, RegionId body);

}  // namespace weft::ir
