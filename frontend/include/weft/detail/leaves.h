// The arrays of a tree as a list, and back.
#pragma once

#include <vector>

#include <weft/detail/erased_call.h>
#include <weft/detail/function_ref.h>

namespace weft::detail {

class CollectLeaves final : public Visitor {
 public:
  explicit CollectLeaves(std::vector<Array>& leaves) : leaves_(leaves) {}
  void leaf(Array& array) override { leaves_.push_back(array); }
  void fixed(const void*, std::size_t) override {}
  void enter(Kind, std::size_t) override {}
  void leave() override {}

 private:
  std::vector<Array>& leaves_;
};

template <class T>
std::vector<Array> leaves_of(T& tree) {
  std::vector<Array> leaves;
  CollectLeaves collect(leaves);
  visit(tree, collect);
  return leaves;
}

template <class T>
T with_leaves(T tree, std::span<const Array> leaves) {
  ReplaceLeaves fill(leaves);
  visit(tree, fill);
  return tree;
}

}  // namespace weft::detail
