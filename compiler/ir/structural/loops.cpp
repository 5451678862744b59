// Loops: while (a condition on carried values) and weft.scan (a counted loop over sequences).
#include <algorithm>

#include "compiler/ir/structural/elements.h"
#include "compiler/ir/structural/support.h"

namespace weft::ir {
namespace {

std::vector<Type> types_of(const Graph& graph, const std::vector<ValueId>& values) {
  std::vector<Type> types;
  for (ValueId value : values) types.push_back(graph.type(value));
  return types;
}

std::string list_of(const std::vector<Type>& types) {
  std::string text;
  for (const Type& type : types) text += (text.empty() ? "" : ", ") + type.to_string();
  return "(" + text + ")";
}

std::optional<TypeAnswer> fault_of_signature(const Graph& graph, RegionId region, const char* what,
                                             const std::vector<Type>& takes, const std::vector<Type>& gives) {
  const std::vector<Type> arguments = types_of(graph, graph.region(region).arguments);
  const std::vector<Type> results = types_of(graph, graph.region(region).results);
  if (arguments != takes)
    return wrong_type("C1", fmt::format("the {} takes {}, needs {}", what, list_of(arguments), list_of(takes)));
  if (results != gives)
    return wrong_type("C2", fmt::format("the {} gives {}, needs {}", what, list_of(results), list_of(gives)));
  return std::nullopt;
}

// --- while: regions are the condition and the body ---

TypeAnswer while_types(const TypeQuery& query) {
  if (query.regions.size() != 2) return wrong_structure("C0", "needs two regions, its condition and its body");
  const Type predicate{Shape{}, DType::b1};
  if (auto fault =
          fault_of_signature(query.graph, query.regions[0], "condition", query.operands, {predicate}))
    return *fault;
  if (auto fault = fault_of_signature(query.graph, query.regions[1], "body", query.operands, query.operands))
    return *fault;
  TypeAnswer answer;
  answer.types = query.operands;
  return answer;
}

std::vector<Literal> while_value(const Evaluation& evaluation) {
  std::vector<Literal> carried(evaluation.operands.begin(), evaluation.operands.end());
  while (evaluation.region(0, carried)[0].at<std::uint8_t>(0) != 0)
    carried = evaluation.region(1, std::move(carried));
  return carried;
}

// --- batching of both ---

std::vector<Batched> add_arguments(Graph& graph, RegionId region, std::span<const Type> types,
                                   const std::vector<bool>& is_batched, std::int64_t size) {
  std::vector<Batched> arguments;
  for (std::size_t i = 0; i < types.size(); ++i) {
    Type type = types[i];
    if (is_batched[i]) type.shape = with_batch(type.shape, size);
    arguments.push_back({graph.add_argument(region, type), is_batched[i]});
  }
  return arguments;
}

// Adds to `flags` those of the results; true when there are new ones.
bool widen(std::vector<bool>& flags, std::span<const Batched> results) {
  bool grows = false;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    grows = grows || (results[i].is_batched && !flags[i]);
    flags[i] = flags[i] || results[i].is_batched;
  }
  return grows;
}

// A predicate of each element of the batch chooses between two values of any rank.
ValueId choose(Builder& to, ValueId predicates, ValueId on_true, ValueId on_false) {
  const Shape shape = to.type(on_true).shape;
  const ValueId mask = shape.rank() == 1 ? predicates : to.broadcast(predicates, shape, {0});
  return to.select(mask, on_true, on_false);
}

std::vector<Batched> while_batch(const Batching& batching) {
  Graph& graph = batching.to.graph();
  std::vector<Type> types;
  std::vector<bool> flags;
  for (std::size_t i = 0; i < batching.operands.size(); ++i) {
    types.push_back(batching.unbatched_type(i));
    flags.push_back(batching.operands[i].is_batched);
  }
  // Which carried values differ between the elements; all do when the condition does.
  bool stops_apart = false;
  for (bool grows = true; grows;) {
    const RegionId trial = graph.add_region();
    const std::vector<Batched> arguments = add_arguments(graph, trial, types, flags, batching.size);
    stops_apart = stops_apart || batching.inline_body(trial, 0, arguments)[0].is_batched;
    if (stops_apart) std::fill(flags.begin(), flags.end(), true);
    const RegionId body = graph.add_region();
    grows = widen(flags, batching.inline_body(
                             body, 1, add_arguments(graph, body, types, flags, batching.size)));
  }

  const RegionId condition = graph.add_region(), body = graph.add_region();
  Builder inside(graph, condition);
  ValueId goes_on =
      batching.inline_body(condition, 0, add_arguments(graph, condition, types, flags, batching.size))[0].value;
  if (stops_apart) goes_on = inside.reduce(goes_on, inside.scalar(DType::b1, 0), {0}, Op::or_);
  graph.region(condition).results = {goes_on};

  inside.set_region(body);
  const std::vector<Batched> carried = add_arguments(graph, body, types, flags, batching.size);
  const ValueId active = stops_apart ? batching.inline_body(body, 0, carried)[0].value : kNone;
  const std::vector<Batched> next = batching.inline_body(body, 1, carried);
  std::vector<ValueId> results, operands;
  for (std::size_t i = 0; i < next.size(); ++i) {
    ValueId value = flags[i] ? batching.batched(next[i], inside) : next[i].value;
    if (stops_apart) value = choose(inside, active, value, carried[i].value);
    results.push_back(value);
    operands.push_back(flags[i] ? batching.batched(i) : batching.operands[i].value);
  }
  graph.region(body).results = std::move(results);
  const NodeId node =
      batching.to.node(Op::while_, std::move(operands), NoAttributes{}, {}, {condition, body});
  std::vector<Batched> answer;
  for (std::size_t i = 0; i < flags.size(); ++i) answer.push_back({graph.node(node).results[i], flags[i]});
  return answer;
}

// --- scan ---

struct Parts {
  std::size_t carries = 0, sequences = 0;
  bool is_dynamic = false;
};
std::optional<Parts> parts_of(const ScanAttributes& scan, std::size_t operands) {
  Parts parts;
  parts.is_dynamic = scan.length == kDynamicLength;
  const std::int64_t rest =
      static_cast<std::int64_t>(operands) - scan.carries - static_cast<std::int64_t>(parts.is_dynamic);
  if (scan.carries < 0 || rest < 0) return std::nullopt;
  parts.carries = static_cast<std::size_t>(scan.carries);
  parts.sequences = static_cast<std::size_t>(rest);
  return parts;
}

Type element_type(const Type& sequence) {
  return {Shape(sequence.shape.extents().subspan(1)), sequence.dtype};
}
Type stacked_type(const Type& element, std::int64_t length) {
  return {with_batch(element.shape, length), element.dtype};
}

TypeAnswer scan_types(const TypeQuery& query) {
  const auto& scan = std::get<ScanAttributes>(query.attributes);
  const std::optional<Parts> parts = parts_of(scan, query.operands.size());
  if (!parts || scan.length < kDynamicLength)
    return wrong_structure("I1", fmt::format("{} carried values and length {} do not suit {} operands",
                                             scan.carries, scan.length, query.operands.size()));
  if (query.regions.size() != 1) return wrong_structure("I2", "needs one region, its body");
  const Type count{Shape{}, DType::i64};
  if (parts->is_dynamic && (parts->sequences > 0 || query.operands.back() != count))
    return wrong_type("C3", "without a length, the last operand must be the count, an i64 scalar, and no "
                            "sequences can be read");
  std::vector<Type> takes{count}, gives;
  for (std::size_t i = 0; i < parts->carries; ++i) takes.push_back(query.operands[i]);
  gives.assign(takes.begin() + 1, takes.end());
  for (std::size_t i = 0; i < parts->sequences; ++i) {
    const Type& sequence = query.operands[parts->carries + i];
    if (sequence.shape.rank() == 0 || sequence.shape[0] != scan.length)
      return wrong_shape("C4", fmt::format("sequence {} is {}, needs {} elements along its first dimension",
                                           i, sequence.to_string(), scan.length));
    takes.push_back(element_type(sequence));
  }
  const std::vector<Type> results = types_of(query.graph, query.graph.region(query.regions[0]).results);
  for (std::size_t i = parts->carries; i < results.size(); ++i) gives.push_back(results[i]);
  if (auto fault = fault_of_signature(query.graph, query.regions[0], "body", takes, gives)) return *fault;
  if (parts->is_dynamic && results.size() > parts->carries)
    return wrong_structure("C5", "results cannot be stacked when the length is not known");
  TypeAnswer answer;
  answer.types.assign(gives.begin(), gives.begin() + static_cast<std::ptrdiff_t>(parts->carries));
  for (std::size_t i = parts->carries; i < results.size(); ++i)
    answer.types.push_back(stacked_type(results[i], scan.length));
  return answer;
}

Literal element_at(const Literal& sequence, std::int64_t position) {
  const Type type = element_type(sequence.type);
  const auto bytes = static_cast<std::size_t>(type.nbytes());
  return {type, runtime::Buffer::copy_of(sequence.buffer.data() + static_cast<std::size_t>(position) * bytes, bytes),
          false};
}

std::vector<Literal> scan_value(const Evaluation& evaluation) {
  const auto& scan = attributes_of<ScanAttributes>(evaluation.node);
  const Parts parts = *parts_of(scan, evaluation.operands.size());
  const std::int64_t length = parts.is_dynamic ? evaluation.operands.back().at<std::int64_t>(0) : scan.length;
  const auto carries = static_cast<std::ptrdiff_t>(parts.carries);
  std::vector<Literal> carried(evaluation.operands.begin(), evaluation.operands.begin() + carries), stacked;
  for (std::size_t i = parts.carries; i < evaluation.node.results.size(); ++i)
    stacked.push_back(uninitialized(evaluation.graph.type(evaluation.node.results[i])));
  for (std::int64_t step = 0; step < length; ++step) {
    const std::int64_t position = scan.reverse ? length - 1 - step : step;
    std::vector<Literal> arguments{Literal::scalar_integer(DType::i64, position)};
    std::move(carried.begin(), carried.end(), std::back_inserter(arguments));
    for (std::size_t i = 0; i < parts.sequences; ++i)
      arguments.push_back(element_at(evaluation.operands[parts.carries + i], position));
    std::vector<Literal> results = evaluation.region(0, std::move(arguments));
    for (std::size_t i = 0; i < stacked.size(); ++i) {
      const Literal element = results[parts.carries + i].materialized();
      const auto bytes = static_cast<std::size_t>(element.type.nbytes());
      if (bytes > 0)
        std::memcpy(stacked[i].buffer.data() + static_cast<std::size_t>(position) * bytes, element.buffer.data(), bytes);
    }
    results.resize(parts.carries);
    carried = std::move(results);
  }
  std::move(stacked.begin(), stacked.end(), std::back_inserter(carried));
  return carried;
}

// The mapped axis of a sequence comes after the axis that is walked.
ValueId swap_first_two(Builder& to, ValueId value) {
  Dims permutation;
  for (int dim = 0; dim < to.type(value).shape.rank(); ++dim) permutation.push_back(dim);
  std::swap(permutation[0], permutation[1]);
  return to.transpose(value, permutation);
}

// The body once more with these arguments batched; gives its region without results, which are `results`.
RegionId batch_scan_body(const Batching& batching, const Parts& parts, std::span<const Type> types,
                         const std::vector<bool>& flags, std::vector<Batched>& arguments,
                         std::vector<Batched>& results) {
  Graph& graph = batching.to.graph();
  const RegionId body = graph.add_region();
  arguments = {{graph.add_argument(body, {Shape{}, DType::i64}), false}};
  const std::vector<Batched> rest =
      add_arguments(graph, body, types.first(parts.carries + parts.sequences), flags, batching.size);
  arguments.insert(arguments.end(), rest.begin(), rest.end());
  results = batching.inline_body(body, 0, arguments);
  return body;
}

std::vector<Batched> scan_batch(const Batching& batching) {
  const auto& scan = attributes_of<ScanAttributes>(batching.node);
  const Parts parts = *parts_of(scan, batching.operands.size());
  Builder& to = batching.to;
  Graph& graph = to.graph();
  const bool stops_apart = parts.is_dynamic && batching.operands.back().is_batched;
  std::vector<Type> types;
  std::vector<bool> flags;
  for (std::size_t i = 0; i < parts.carries + parts.sequences; ++i) {
    const Type& type = batching.unbatched_type(i);
    types.push_back(i < parts.carries ? type : element_type(type));
    flags.push_back(batching.operands[i].is_batched || (stops_apart && i < parts.carries));
  }
  std::vector<Batched> arguments, results;
  RegionId body = kNone;
  for (bool grows = true; grows;) {
    body = batch_scan_body(batching, parts, types, flags, arguments, results);
    std::vector<bool> carried(flags.begin(), flags.begin() + static_cast<std::ptrdiff_t>(parts.carries));
    grows = widen(carried, results);
    std::copy(carried.begin(), carried.end(), flags.begin());
  }
  Builder inside(graph, body);
  ValueId active = kNone;
  if (stops_apart) {
    const ValueId counts = batching.operands.back().value;
    const ValueId position = inside.broadcast_scalar(arguments[0].value, Shape(to.type(counts).shape));
    active = inside.compare(Direction::LT, position, counts);
  }
  std::vector<ValueId> gives, operands;
  std::vector<bool> is_batched;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const bool widens = i < parts.carries && flags[i];
    ValueId value = widens ? batching.batched(results[i], inside) : results[i].value;
    if (stops_apart) value = choose(inside, active, value, arguments[1 + i].value);
    gives.push_back(value);
    is_batched.push_back(widens || results[i].is_batched);
  }
  graph.region(body).results = std::move(gives);
  for (std::size_t i = 0; i < parts.carries; ++i)
    operands.push_back(flags[i] ? batching.batched(i) : batching.operands[i].value);
  for (std::size_t i = parts.carries; i < parts.carries + parts.sequences; ++i)
    operands.push_back(flags[i] ? swap_first_two(to, batching.operands[i].value) : batching.operands[i].value);
  if (parts.is_dynamic) {
    ValueId count = batching.operands.back().value;
    if (stops_apart)
      count = to.reduce(count, to.constant(Literal::scalar_integer(DType::i64, 0)), {0}, Op::maximum);
    operands.push_back(count);
  }
  const NodeId node = to.node(Op::scan, std::move(operands), scan, {}, {body});
  std::vector<Batched> answer;
  for (std::size_t i = 0; i < is_batched.size(); ++i) {
    const ValueId result = graph.node(node).results[i];
    const bool is_stacked = i >= parts.carries && is_batched[i];
    answer.push_back({is_stacked ? swap_first_two(to, result) : result, is_batched[i]});
  }
  return answer;
}

}  // namespace

namespace rules {
const StructuralRules& while_loop() {
  static const StructuralRules rules{while_types, while_value, while_batch};
  return rules;
}
const StructuralRules& scan() {
  static const StructuralRules rules{scan_types, scan_value, scan_batch};
  return rules;
}
}  // namespace rules
}  // namespace weft::ir
