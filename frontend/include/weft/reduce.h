// reduce: any number of arrays reduced together by the user's own body, in one pass.
#pragma once

#include <weft/detail/leaves.h>

namespace weft {
namespace detail {

using ReduceBody = FunctionRef<void(std::span<const Array>, std::span<const Array>, std::vector<Array>&)>;
std::vector<Array> run_reduce(std::span<const Array> operands, std::span<const Array> inits,
                              const ReduceBody& body, const Axes& axes, const Location& where);

// A function object, so that an unqualified call with std::pair arguments does not find std::reduce.
struct ReduceFunction {
  // body(accumulator, element) is associative; it need not commute. Inits take the operands' dtypes.
  template <class Operands, class Inits, class Body>
  lift_t<Operands> operator()(const Operands& operands, const Inits& inits, const Body& body,
                              const Axes& axes = {}, Location where = Location::current()) const {
    using Tree = lift_t<Operands>;
    check_not_empty(body, "reduce", where);
    static_assert(
        std::is_invocable_v<const Body&, Tree, Tree>,
        "the body of reduce takes two values shaped like the operands: the accumulator and an element");
    Tree tree(operands);
    lift_t<Inits> init_tree(inits);
    const std::vector<Array> operand_leaves = leaves_of(tree), init_leaves = leaves_of(init_tree);
    const std::vector<Array> results = run_reduce(
        operand_leaves, init_leaves,
        [&](std::span<const Array> accumulators, std::span<const Array> elements, std::vector<Array>& out) {
          auto combined = detail::call(body, with_leaves(tree, accumulators), with_leaves(tree, elements));
          CollectLeaves collect(out);
          visit(combined, collect);
        },
        axes, where);
    return with_leaves(std::move(tree), results);
  }
};

}  // namespace detail

inline constexpr detail::ReduceFunction reduce;

}  // namespace weft
