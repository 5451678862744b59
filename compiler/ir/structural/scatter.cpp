// scatter: result = input, and then result[i] = body(result[i], update) for every element of every update
// box.
#include "compiler/ir/structural/elements.h"

namespace weft::ir {
namespace {

bool is_window_dim(const ScatterAttributes& scatter, std::int64_t input_dim) {
  return !contains(scatter.inserted_window_dims, input_dim) &&
         !contains(scatter.input_batching_dims, input_dim);
}

// --- types ---

std::optional<TypeAnswer> body_fault(const TypeQuery& query, std::size_t count) {
  if (query.regions.size() != 1) return wrong_structure("C23", "needs one region, its body");
  const Region& body = query.graph.region(query.regions[0]);
  if (body.arguments.size() != 2 * count || body.results.size() != count)
    return wrong_structure("C23",
                           fmt::format("the body takes {} arguments and gives {} results, needs {} and {}",
                                       body.arguments.size(), body.results.size(), 2 * count, count));
  for (std::size_t i = 0; i < count; ++i) {
    const Type element{Shape{}, query.operands[i].dtype};
    for (ValueId value : {body.arguments[i], body.arguments[count + i], body.results[i]})
      if (query.graph.type(value) != element)
        return wrong_type("C23", fmt::format("the body has {} where the elements are {}",
                                             query.graph.type(value).to_string(), element.to_string()));
  }
  return std::nullopt;
}

std::optional<TypeAnswer> operands_fault(const TypeQuery& query, std::size_t count) {
  const Type &input = query.operands[0], &update = query.operands[count + 1];
  for (std::size_t i = 0; i < count; ++i) {
    const Type &each = query.operands[i], &its_update = query.operands[count + 1 + i];
    if (each.shape != input.shape)
      return wrong_shape(
          "C1", fmt::format("inputs {} and {} differ in shape", input.to_string(), each.to_string()));
    if (its_update.shape != update.shape)
      return wrong_shape(
          "C3", fmt::format("updates {} and {} differ in shape", update.to_string(), its_update.to_string()));
    if (its_update.dtype != each.dtype)
      return wrong_type("C6", fmt::format("{} is updated with {}", each.to_string(), its_update.to_string()));
  }
  if (!is_integer(query.operands[count].dtype))
    return wrong_type("I2", fmt::format("indices are {}, not integers", query.operands[count].to_string()));
  return std::nullopt;
}

struct DimList {
  const Dims* dims;
  const char *what, *rule;
  int limit;
  bool is_sorted;
};

std::optional<TypeAnswer> numbers_fault(const ScatterAttributes& s, const Type& input, const Type& indices,
                                        const Type& update) {
  const int rank = input.shape.rank(), indices_rank = indices.shape.rank();
  if (s.index_vector_dim < 0 || s.index_vector_dim > indices_rank)
    return wrong_shape("C22", fmt::format("index_vector_dim {} is out of range for {}", s.index_vector_dim,
                                          indices.to_string()));
  const std::int64_t vector =
      s.index_vector_dim == indices_rank ? 1 : indices.shape[static_cast<int>(s.index_vector_dim)];
  if (static_cast<std::int64_t>(s.scatter_dims_to_operand_dims.size()) != vector)
    return wrong_shape("C19", fmt::format("scatter_dims_to_operand_dims has {} entries, index vectors {}",
                                          s.scatter_dims_to_operand_dims.size(), vector));
  const std::size_t dims =
      s.update_window_dims.size() + s.inserted_window_dims.size() + s.input_batching_dims.size();
  if (static_cast<int>(dims) != rank)
    return wrong_shape(
        "C2", fmt::format("window, inserted and batching dimensions are {} in all, {} has rank {}", dims,
                          input.to_string(), rank));
  for (const DimList& each :
       {DimList{&s.update_window_dims, "window dimension", "C7", update.shape.rank(), true},
        DimList{&s.inserted_window_dims, "inserted dimension", "C10", rank, true},
        DimList{&s.input_batching_dims, "input batching dimension", "C12", rank, true},
        DimList{&s.scatter_dims_to_operand_dims, "indexed dimension", "C21", rank, false},
        DimList{&s.scatter_indices_batching_dims, "index batching dimension", "C14", indices_rank, false}})
    if (auto fault = fault_of_dims(*each.dims, each.limit, each.what, each.is_sorted))
      return wrong_shape(each.rule, *fault);
  for (std::int64_t dim : s.input_batching_dims)
    if (contains(s.inserted_window_dims, dim) || contains(s.scatter_dims_to_operand_dims, dim))
      return wrong_shape("C20", fmt::format("input dimension {} is named twice", dim));
  if (contains(s.scatter_indices_batching_dims, s.index_vector_dim))
    return wrong_shape(
        "C16", fmt::format("index batching dimension {} is that of the index vectors", s.index_vector_dim));
  if (s.input_batching_dims.size() != s.scatter_indices_batching_dims.size())
    return wrong_shape("C17", "input and index batching dimensions differ in number");
  for (std::size_t i = 0; i < s.input_batching_dims.size(); ++i)
    if (input.shape[static_cast<int>(s.input_batching_dims[i])] !=
        indices.shape[static_cast<int>(s.scatter_indices_batching_dims[i])])
      return wrong_shape("C18", "input and index batching dimensions differ in extent");
  return std::nullopt;
}

// The updates are boxes no larger than the input, one at each index vector.
std::optional<TypeAnswer> update_fault(const ScatterAttributes& s, const Type& input, const Type& indices,
                                       const Type& update) {
  std::vector<std::int64_t> places, window;
  for (int dim = 0; dim < indices.shape.rank(); ++dim)
    if (dim != s.index_vector_dim) places.push_back(indices.shape[dim]);
  for (int dim = 0; dim < input.shape.rank(); ++dim)
    if (is_window_dim(s, dim)) window.push_back(input.shape[dim]);
  bool fits = static_cast<std::size_t>(update.shape.rank()) == places.size() + window.size();
  std::size_t place = 0, in_window = 0;
  for (int dim = 0; fits && dim < update.shape.rank(); ++dim) {
    if (contains(s.update_window_dims, dim))
      fits = in_window < window.size() && update.shape[dim] <= window[in_window++];
    else
      fits = place < places.size() && update.shape[dim] == places[place++];
  }
  if (fits) return std::nullopt;
  return wrong_shape("C4", fmt::format("updates {} do not fit {} at indices {}", update.to_string(),
                                       input.to_string(), indices.to_string()));
}

TypeAnswer scatter_types(const TypeQuery& query) {
  if (query.operands.size() < 3 || query.operands.size() % 2 == 0)
    return wrong_structure("C5", "takes as many inputs as updates, at least one, and indices");
  const std::size_t count = query.operands.size() / 2;
  const auto& scatter = std::get<ScatterAttributes>(query.attributes);
  const Type &input = query.operands[0], &indices = query.operands[count],
             &update = query.operands[count + 1];
  if (auto fault = operands_fault(query, count)) return *fault;
  if (auto fault = numbers_fault(scatter, input, indices, update)) return *fault;
  if (auto fault = update_fault(scatter, input, indices, update)) return *fault;
  if (auto fault = body_fault(query, count)) return *fault;
  TypeAnswer answer;
  answer.types.assign(query.operands.begin(), query.operands.begin() + static_cast<std::ptrdiff_t>(count));
  return answer;
}

// --- reference value ---

// Where in the input an element of the updates belongs; it may lie outside.
Position target_of(const ScatterAttributes& s, const Literal& indices, int input_rank,
                   const Position& update) {
  Position place, window;
  for (std::size_t dim = 0; dim < update.size(); ++dim)
    (contains(s.update_window_dims, static_cast<std::int64_t>(dim)) ? window : place).push_back(update[dim]);
  const int indices_rank = indices.type.shape.rank();
  Position at(static_cast<std::size_t>(input_rank), 0), index;
  std::size_t next = 0;
  for (int dim = 0; dim < indices_rank; ++dim) index.push_back(dim == s.index_vector_dim ? 0 : place[next++]);
  for (std::size_t i = 0; i < s.scatter_dims_to_operand_dims.size(); ++i) {
    if (s.index_vector_dim < indices_rank)
      index[static_cast<std::size_t>(s.index_vector_dim)] = static_cast<std::int64_t>(i);
    at[static_cast<std::size_t>(s.scatter_dims_to_operand_dims[i])] =
        index_value(indices, flat_index(indices.type.shape, index));
  }
  for (std::size_t i = 0; i < s.input_batching_dims.size(); ++i)
    at[static_cast<std::size_t>(s.input_batching_dims[i])] =
        index[static_cast<std::size_t>(s.scatter_indices_batching_dims[i])];
  next = 0;
  for (int dim = 0; dim < input_rank; ++dim) {
    std::int64_t& start = at[static_cast<std::size_t>(dim)];
    // What would be too large for an index lies outside as well.
    if (is_window_dim(s, dim) && __builtin_add_overflow(start, window[next++], &start)) start = -1;
  }
  return at;
}

bool is_inside(const Shape& shape, const Position& at) {
  for (int dim = 0; dim < shape.rank(); ++dim)
    if (at[static_cast<std::size_t>(dim)] < 0 || at[static_cast<std::size_t>(dim)] >= shape[dim])
      return false;
  return true;
}

std::vector<Literal> scatter_value(const Evaluation& evaluation) {
  const auto& scatter = attributes_of<ScatterAttributes>(evaluation.node);
  const std::size_t count = evaluation.node.results.size();
  const Literal& indices = evaluation.operands[count];
  const Shape &shape = evaluation.operands[0].type.shape,
              &updates = evaluation.operands[count + 1].type.shape;
  std::vector<Literal> results;
  for (std::size_t i = 0; i < count; ++i)
    results.push_back(
        {evaluation.operands[i].type,
         runtime::Buffer::copy_of(evaluation.operands[i].buffer.data(),
                                  static_cast<std::size_t>(evaluation.operands[i].type.nbytes())),
         false});
  for_each_position(updates, [&](const Position& position, std::int64_t flat) {
    const Position at = target_of(scatter, indices, shape.rank(), position);
    if (!is_inside(shape, at)) return;
    const std::int64_t to = flat_index(shape, at);
    std::vector<Literal> arguments;
    for (std::size_t i = 0; i < count; ++i) arguments.push_back(element_of(results[i], to));
    for (std::size_t i = 0; i < count; ++i)
      arguments.push_back(element_of(evaluation.operands[count + 1 + i], flat));
    const std::vector<Literal> combined = evaluation.region(0, std::move(arguments));
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t size = size_of(results[i].type.dtype);
      std::memcpy(results[i].buffer.data() + static_cast<std::size_t>(to) * size, combined[i].buffer.data(),
                  size);
    }
  });
  return results;
}

// --- batching ---

// Under batched indices the batch pairs inputs with indices; else it is one more dimension of every window.
std::vector<Batched> scatter_batch(const Batching& batching) {
  ScatterAttributes s = attributes_of<ScatterAttributes>(batching.node);
  const std::size_t count = batching.node.results.size();
  const bool has_batched_indices = batching.operands[count].is_batched;
  for (Dims* dims : {&s.update_window_dims, &s.inserted_window_dims, &s.input_batching_dims,
                     &s.scatter_dims_to_operand_dims})
    *dims = shifted(*dims);
  if (has_batched_indices) {
    s.input_batching_dims = with_batch(s.input_batching_dims, 0);
    s.scatter_indices_batching_dims = with_batch(shifted(s.scatter_indices_batching_dims), 0);
    ++s.index_vector_dim;
  } else {
    s.update_window_dims = with_batch(s.update_window_dims, 0);
  }
  s.indices_are_sorted = s.indices_are_sorted && !has_batched_indices;
  std::vector<ValueId> operands;
  for (std::size_t i = 0; i < batching.operands.size(); ++i)
    operands.push_back(i == count ? batching.operands[i].value : batching.batched(i));
  const NodeId node = batching.to.node(Op::scatter, std::move(operands), s, {}, {unbatched_body(batching)});
  std::vector<Batched> results;
  for (ValueId result : batching.to.graph().node(node).results) results.push_back(batched_result(result));
  return results;
}

}  // namespace

namespace rules {
const StructuralRules& scatter() {
  static const StructuralRules rules{scatter_types, scatter_value, scatter_batch};
  return rules;
}
}  // namespace rules
}  // namespace weft::ir
