// Reads the operations of functions and of regions within operations into a Graph.
#pragma once

#include "compiler/ir/build.h"
#include "compiler/text/attributes.h"
#include "compiler/text/locations.h"

namespace weft::text {

// Types as they stand after the colon of an operation; operands are empty where only results were written.
struct Signature {
  std::vector<ir::Type> operands, results;
};

// One operation while it is read.
struct Statement {
  std::size_t offset = 0;  // of the operation's name
  std::string name;
  ir::Op op = ir::Op::constant;
  std::vector<ir::ValueId> operands;
  ir::Attributes attributes;
  Signature signature;
  std::vector<ir::RegionId> regions;
  bool is_compact = false;  // a reduce that names its body's one operation: both have one location
};

class BodyReader {
 public:
  BodyReader(Reader& reader, ir::Graph& graph, Locations& locations)
      : reader_(reader), graph_(graph), locations_(locations) {}

  // "%arg0: tensor<f32> {…} loc(…)": adds the argument, which is visible until leave().
  void read_argument(ir::RegionId region);
  // Operations up to the closing brace of a function that declares these results.
  void read_function_body(ir::RegionId region, const std::vector<ir::Type>& results);
  void leave();  // forgets the names of the function
  // What only the whole program decides: calls and the verifier's rules.
  void check_program(std::size_t module_offset) const;

 private:
  struct ResultName {
    std::string_view name;
    std::size_t count, offset;
  };
  struct Call {
    ir::NodeId node;
    std::size_t offset;
  };

  // body.cpp: statements, names, regions, the generic form.
  void read_operations(ir::RegionId region, bool is_function, const std::vector<ir::Type>* results);
  bool read_terminator(ir::RegionId region, bool is_function, const std::vector<ir::Type>* results);
  void read_statement(ir::RegionId region);
  std::vector<ResultName> read_result_names();
  void read_generic(Statement& statement);
  std::vector<ir::RegionId> read_regions();
  ir::RegionId read_region();
  void define(const Token& name, std::vector<ir::ValueId> values);
  void forget_since(std::size_t count);
  ir::ValueId use();                                            // %x or %x#1
  std::vector<ir::ValueId> uses_until(std::string_view close);  // after the opening bracket
  std::vector<ir::ValueId> uses();                              // %a, %b
  ir::NodeId finish(ir::RegionId region, Statement statement);
  ir::TypeAnswer infer(const Statement& statement) const;
  void check_operands(const Statement& statement) const;
  void check_call(const Call& call) const;
  std::vector<ir::Type> types_of(const std::vector<ir::ValueId>& values) const;

  // pretty_forms.cpp: what stands after the operation's name.
  void read_pretty(Statement& statement);
  void read_elementwise(Statement& statement);
  void read_plain_rest(Statement& statement);
  void read_constant(Statement& statement);
  void read_compare(Statement& statement);
  void read_select(Statement& statement);
  void read_slice(Statement& statement);
  void read_reduce_precision(Statement& statement);
  void read_call(Statement& statement);
  void read_custom_call(Statement& statement);
  void read_concatenate(Statement& statement);
  void read_pad(Statement& statement);
  void read_windows(Statement& statement);
  ir::Dims read_named_dims(std::string_view name);
  void read_with_dims(Statement& statement, std::string_view word);
  void read_reduce(Statement& statement);
  ir::RegionId read_applied_body(const Statement& statement);
  ir::RegionId read_reducer(std::size_t count);
  void read_ignored_dictionary(const Statement& statement);
  Signature read_signature(std::size_t operands);
  Signature read_function_type();
  std::vector<ir::Type> read_types(std::string_view close);

  // control_forms.cpp
  void read_while(Statement& statement);
  ir::RegionId read_named_region(const std::vector<Token>& names, const std::vector<ir::Type>& types);
  // product_forms.cpp: dot_general and convolution.
  void read_dot_general(Statement& statement);
  std::pair<ir::Dims, ir::Dims> read_dim_pairs();
  void read_precision();
  void read_convolution(Statement& statement);
  void read_window(ir::ConvolutionAttributes& conv);

  // checks.cpp: the check dialect, as calls of the custom_call targets of that name.
  void read_check(ir::RegionId region, Statement& statement);
  ir::ValueId add_constant(ir::RegionId region, ir::Literal literal, std::size_t offset);

  ir::LocationId location_at(std::size_t offset);

  Reader& reader_;
  ir::Graph& graph_;
  Locations& locations_;
  std::unordered_map<std::string_view, std::vector<ir::ValueId>> visible_;
  std::vector<std::string_view> defined_;  // in order, to forget a region's names at its end
  std::vector<std::size_t> offsets_;       // of each node
  std::vector<Call> calls_;
};

}  // namespace weft::text
