// einsum: subscripts become labels of axes; operands are joined pair by pair, the smallest result first.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <weft/products.h>

#include "frontend/product_parts.h"
#include "frontend/reduction_parts.h"

namespace weft {
namespace frontend {
namespace {

// A letter, or -1, -2 … for the axes of "...", counted from the last one.
using Labels = std::vector<int>;

struct Term {
  Array value;
  Labels labels;
};

struct Contraction {
  std::vector<Labels> inputs;
  Labels output;
  std::map<int, std::int64_t> extents;
};

bool has(const Labels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}
std::int64_t place_of(const Labels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) - labels.begin();
}
std::string name_of(int label) { return label < 0 ? "..." : std::string(1, static_cast<char>(label)); }

// --- subscripts ---

// The labels of one operand's subscripts; "..." stands for `hidden` axes.
Labels read_labels(std::string_view text, int hidden) {
  Labels labels;
  bool is_dotted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 3) == "..." && !is_dotted) {
      for (int k = hidden; k > 0; --k) labels.push_back(-k);
      is_dotted = true;
      i += 2;
    } else if ((text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z')) {
      labels.push_back(text[i]);
    } else {
      fail_type(fmt::format("the subscripts {} have a '{}' where a letter or ... stands", text, text[i]));
    }
  }
  return labels;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back().push_back(c);
  }
  return parts;
}

Labels labels_of_operand(const std::string& text, const Array& x) {
  const int letters = static_cast<int>(read_labels(text, 0).size());
  const bool is_dotted = text.find("...") != std::string::npos;
  const int rank = x.ndim();
  if (letters > rank || (!is_dotted && letters != rank))
    fail_shape(fmt::format("the subscripts {} name {} axes of {}", text, letters, x.type().to_string()));
  return read_labels(text, rank - letters);
}

void note_extents(Contraction& plan, const Labels& labels, const Array& x) {
  const Shape shape = x.shape();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::int64_t extent = shape[static_cast<int>(i)];
    for (std::size_t j = 0; j < i; ++j)
      if (labels[j] == labels[i] && shape[static_cast<int>(j)] != extent)
        fail_shape(fmt::format("the axes {} of {} differ: {} and {}", name_of(labels[i]),
                               x.type().to_string(), shape[static_cast<int>(j)], extent));
    const auto [known, is_new] = plan.extents.try_emplace(labels[i], extent);
    if (is_new || extent == 1 || known->second == extent) continue;
    if (known->second != 1)
      fail_shape(fmt::format("axis {} has {} elements, and {} in {}", name_of(labels[i]), known->second,
                             extent, x.type().to_string()));
    known->second = extent;
  }
}

// The labels that stand once in alphabetical order, behind those of "...".
Labels implicit_output(const Contraction& plan, int hidden) {
  Labels output;
  for (int k = hidden; k > 0; --k) output.push_back(-k);
  std::map<int, int> count;
  for (const Labels& labels : plan.inputs)
    for (const int label : labels)
      if (label >= 0) ++count[label];
  for (const auto& [label, times] : count)
    if (times == 1) output.push_back(label);
  return output;
}

void check_output(const Contraction& plan, const std::string& text, int hidden) {
  for (std::size_t i = 0; i < plan.output.size(); ++i) {
    const int label = plan.output[i];
    if (!plan.extents.contains(label))
      fail_type(fmt::format("the output names {}, which no operand has", name_of(label)));
    if (place_of(plan.output, label) != static_cast<std::int64_t>(i))
      fail_type(fmt::format("the output names {} twice", name_of(label)));
  }
  if (hidden > 0 && text.find("...") == std::string::npos)
    fail_type(fmt::format("the output {} lacks the ... of the operands", text));
}

Contraction plan_of(const std::string& subscripts, std::span<const Array> operands) {
  std::string text = subscripts;
  std::erase(text, ' ');
  const std::size_t arrow = text.find("->");
  const std::vector<std::string> inputs = split_at_commas(text.substr(0, arrow));
  if (inputs.size() != operands.size())
    fail_type(fmt::format("{} names {} operands, there are {}", subscripts, inputs.size(), operands.size()));
  Contraction plan;
  int hidden = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    plan.inputs.push_back(labels_of_operand(inputs[i], operands[i]));
    note_extents(plan, plan.inputs.back(), operands[i]);
    for (const int label : plan.inputs.back()) hidden = std::max(hidden, -label);
  }
  if (arrow == std::string::npos) {
    plan.output = implicit_output(plan, hidden);
    return plan;
  }
  const std::string output = text.substr(arrow + 2);
  plan.output = read_labels(output, hidden);
  check_output(plan, output, hidden);
  return plan;
}

// --- contraction ---

// The axes of a repeated label become one: they are brought to the end as one axis, whose every (n + 1)th
// element is on the diagonal.
Term with_diagonals(Term term) {
  for (std::size_t i = 0; i < term.labels.size(); ++i) {
    const auto again = std::find(term.labels.begin() + static_cast<std::ptrdiff_t>(i) + 1, term.labels.end(),
                                 term.labels[i]);
    if (again == term.labels.end()) continue;
    const auto j = static_cast<std::size_t>(again - term.labels.begin());
    ir::Dims permutation;
    std::vector<std::int64_t> extents;
    Labels labels;
    for (std::size_t k = 0; k < term.labels.size(); ++k) {
      if (k == i || k == j) continue;
      permutation.push_back(static_cast<std::int64_t>(k));
      extents.push_back(type_of(term.value).shape[static_cast<int>(k)]);
      labels.push_back(term.labels[k]);
    }
    permutation.push_back(static_cast<std::int64_t>(i));
    permutation.push_back(static_cast<std::int64_t>(j));
    const std::int64_t n = type_of(term.value).shape[static_cast<int>(i)];
    extents.push_back(n * n);
    labels.push_back(term.labels[i]);
    ir::SliceAttributes slice{ir::Dims(extents.size(), 0), extents, ir::Dims(extents.size(), 1)};
    slice.stride.back() = n + 1;
    const Array square = reshape_to(record_transpose(term.value, permutation), Shape(extents));
    return with_diagonals({record(ir::Op::slice, {square}, std::move(slice)), std::move(labels)});
  }
  return term;
}

// Axes of extent 1 whose label is longer elsewhere repeat: they are dropped.
Term without_repeated_axes(Term term, const Contraction& plan) {
  Labels labels;
  std::vector<std::int64_t> extents;
  for (std::size_t i = 0; i < term.labels.size(); ++i) {
    const std::int64_t extent = type_of(term.value).shape[static_cast<int>(i)];
    if (extent != plan.extents.at(term.labels[i])) continue;
    labels.push_back(term.labels[i]);
    extents.push_back(extent);
  }
  return {reshape_to(term.value, Shape(extents)), std::move(labels)};
}

// Sums over the labels that `is_needed` denies.
template <class Needed>
Term summed(const Term& term, const Needed& is_needed) {
  std::vector<int> axes;
  Labels labels;
  for (std::size_t i = 0; i < term.labels.size(); ++i) {
    if (is_needed(term.labels[i]))
      labels.push_back(term.labels[i]);
    else
      axes.push_back(static_cast<int>(i));
  }
  if (axes.empty()) return term;
  return {reduce_with(ir::ReductionKind::sum, term.value, axes), std::move(labels)};
}

class Einsum {
 public:
  Einsum(const Contraction& plan, std::span<const Array> operands) : plan_(plan) {
    const DType dtype = promote(operands).dtype;
    for (std::size_t i = 0; i < operands.size(); ++i)
      terms_.push_back(
          without_repeated_axes(with_diagonals({convert_to(operands[i], dtype), plan.inputs[i]}), plan));
  }

  Array run() {
    for (std::size_t i = 0; i < terms_.size(); ++i)
      terms_[i] = summed(terms_[i], [&](int label) { return is_needed(label, i, i); });
    while (terms_.size() > 1) {
      const auto [i, j] = cheapest_pair();
      const Term joined = contract(i, j);
      terms_.erase(terms_.begin() + static_cast<std::ptrdiff_t>(j));
      terms_[i] = joined;
    }
    ir::Dims permutation;
    for (const int label : plan_.output) permutation.push_back(place_of(terms_[0].labels, label));
    return record_transpose(terms_[0].value, permutation);
  }

 private:
  // By the output or a term other than these two.
  bool is_needed(int label, std::size_t i, std::size_t j) const {
    if (has(plan_.output, label)) return true;
    for (std::size_t k = 0; k < terms_.size(); ++k)
      if (k != i && k != j && has(terms_[k].labels, label)) return true;
    return false;
  }

  double result_size(std::size_t i, std::size_t j) const {
    double size = 1;
    const auto count = [&](const Labels& labels, const Labels& others) {
      for (const int label : labels)
        if (!has(others, label) && is_needed(label, i, j))
          size *= static_cast<double>(plan_.extents.at(label));
    };
    count(terms_[i].labels, {});
    count(terms_[j].labels, terms_[i].labels);
    return size;
  }

  std::pair<std::size_t, std::size_t> cheapest_pair() const {
    std::pair<std::size_t, std::size_t> best{0, 1};
    double least = result_size(0, 1);
    for (std::size_t i = 0; i < terms_.size(); ++i)
      for (std::size_t j = i + 1; j < terms_.size(); ++j)
        if (const double size = result_size(i, j); size < least) {
          least = size;
          best = {i, j};
        }
    return best;
  }

  Term contract(std::size_t i, std::size_t j) const {
    const auto labels_if = [&](const Term& of, const Term& other, bool is_shared, bool is_kept) {
      Labels labels;
      for (const int label : of.labels)
        if (has(other.labels, label) == is_shared && is_needed(label, i, j) == is_kept)
          labels.push_back(label);
      return labels;
    };
    const Term *left = &terms_[i], *right = &terms_[j];
    Labels batch = labels_if(*left, *right, true, true);
    // A batch in the output's order spares a transpose; so may the other order of the operands.
    std::sort(batch.begin(), batch.end(),
              [&](int a, int b) { return place_of(plan_.output, a) < place_of(plan_.output, b); });
    const auto all_of = [&](const Term& a, const Term& b) {
      Labels all = batch;
      for (const Labels& free : {labels_if(a, b, false, true), labels_if(b, a, false, true)})
        all.insert(all.end(), free.begin(), free.end());
      return all;
    };
    if (all_of(*left, *right) != plan_.output && all_of(*right, *left) == plan_.output)
      std::swap(left, right);
    const Labels contracted = labels_if(*left, *right, true, false);
    ir::DotAttributes dot;
    for (const int label : batch) {
      dot.lhs_batching.push_back(place_of(left->labels, label));
      dot.rhs_batching.push_back(place_of(right->labels, label));
    }
    for (const int label : contracted) {
      dot.lhs_contracting.push_back(place_of(left->labels, label));
      dot.rhs_contracting.push_back(place_of(right->labels, label));
    }
    return {record_dot(left->value, right->value, std::move(dot), type_of(left->value).dtype),
            all_of(*left, *right)};
  }

  const Contraction& plan_;
  std::vector<Term> terms_;
};

}  // namespace
}  // namespace frontend

Array einsum(const Subscripts& subscripts, const std::vector<Array>& given) {
  const frontend::Call call("einsum", subscripts.loc);
  std::vector<Operand> operands;
  for (const Array& x : given) operands.emplace_back(x, subscripts.loc);
  std::vector<const Operand*> pointers;
  for (const Operand& x : operands) pointers.push_back(&x);
  const std::vector<Array> settled = frontend::settle_scalars(pointers, frontend::Domain::same);
  const frontend::Contraction plan = frontend::plan_of(subscripts.text, settled);
  return frontend::apply("einsum", subscripts.loc, settled, subscripts.text, [&](std::span<const Array> in) {
    return frontend::as_weak(frontend::Einsum(plan, in).run(), frontend::promote(in).is_weak);
  });
}

}  // namespace weft
