// The check dialect of StableHLO's tests, read as custom_calls of the targets check.expect_*. Expected
// literals and tolerances become constant operands.
#include <fmt/format.h>

#include "compiler/text/body.h"
#include "compiler/text/parse_literal.h"

namespace weft::text {
namespace {

constexpr double kTolerance = 1e-4;  // of the dialect; the custom_call target has another
constexpr std::int64_t kMostUlps = 1, kLeastUlps = 0;

struct Form {
  std::string_view name, target;
  bool has_literal, has_tolerance, has_ulps;
};
constexpr Form kForms[] = {
    {"check.expect_eq", "check.expect_eq", false, false, false},
    {"check.expect_eq_const", "check.expect_eq", true, false, false},
    {"check.expect_almost_eq", "check.expect_almost_eq", false, true, false},
    {"check.expect_almost_eq_const", "check.expect_almost_eq", true, true, false},
    {"check.expect_close", "check.expect_close", false, false, true},
};

// ", key = number"; the type that may follow is the operation's.
struct Options {
  double tolerance = kTolerance;
  std::int64_t most_ulps = kMostUlps, least_ulps = kLeastUlps;
};
void read_option(Reader& reader, const Form& form, Options& options) {
  const Token key = reader.expect(TokenKind::word, "an option");
  reader.expect("=");
  if (form.has_tolerance && key.text == "tolerance")
    options.tolerance = reader.real();
  else if (form.has_ulps && key.text == "max_ulp_difference")
    options.most_ulps = reader.integer();
  else if (form.has_ulps && key.text == "min_ulp_difference")
    options.least_ulps = reader.integer();
  else
    reader.fail(key.offset, fmt::format("{} has no option {}", form.name, key.text));
}

void read_dictionary_options(Reader& reader, const Form& form, std::size_t offset, Options& options) {
  if (!reader.at("{")) return;
  Fields fields(reader, form.name, offset);
  fields.add(read_dictionary(reader));
  if (form.has_tolerance) options.tolerance = fields.real_or("tolerance", options.tolerance);
  if (form.has_ulps) {
    options.most_ulps = fields.integer_or("max_ulp_difference", options.most_ulps);
    options.least_ulps = fields.integer_or("min_ulp_difference", options.least_ulps);
  }
  fields.finish();
}

}  // namespace

ir::ValueId BodyReader::add_constant(ir::RegionId region, ir::Literal literal, std::size_t offset) {
  Statement constant;
  constant.offset = offset;
  constant.name = "stablehlo.constant";
  constant.op = ir::Op::constant;
  constant.signature.results = {literal.type};
  constant.attributes = ir::ConstantAttributes{std::move(literal)};
  return graph_.node(finish(region, std::move(constant))).results[0];
}

// check.expect_eq %a, %b : T
// check.expect_almost_eq_const %a, dense<…> : T, tolerance = 0.1
// check.expect_close %a, %b, max_ulp_difference = 3 : T, T
void BodyReader::read_check(ir::RegionId region, Statement& statement) {
  const Form* form = nullptr;
  for (const Form& each : kForms)
    if (each.name == statement.name) form = &each;
  if (!form) reader_.fail(statement.offset, fmt::format("unknown operation '{}'", statement.name));
  Options options;
  std::vector<ir::ValueId> values{use()};
  reader_.expect(",");
  if (form->has_literal) {
    values.push_back(add_constant(region, read_literal(reader_), statement.offset));
  } else {
    values.push_back(use());
  }
  while (reader_.accept(",")) read_option(reader_, *form, options);
  read_dictionary_options(reader_, *form, statement.offset, options);
  std::vector<ir::Type> types = types_of(values);
  if (!form->has_literal) {
    reader_.expect(":");
    types.assign(2, reader_.tensor_type());
    if (reader_.accept(",")) types[1] = reader_.tensor_type();
    read_dictionary_options(reader_, *form, statement.offset, options);
  }
  const auto add_number = [&](ir::Literal literal) {
    types.push_back(literal.type);
    values.push_back(add_constant(region, std::move(literal), statement.offset));
  };
  if (types[0] != types[1])
    reader_.fail(statement.offset, fmt::format("{}: {} is compared with {}", statement.name,
                                               types[0].to_string(), types[1].to_string()));
  if (form->has_tolerance) add_number(ir::Literal::scalar(DType::f64, options.tolerance));
  if (form->has_ulps) {
    add_number(ir::Literal::scalar_integer(DType::i64, options.most_ulps));
    add_number(ir::Literal::scalar_integer(DType::i64, options.least_ulps));
  }
  statement.op = ir::Op::custom_call;
  statement.operands = std::move(values);
  statement.signature.operands = std::move(types);
  statement.attributes = ir::CustomCallAttributes{std::string(form->target), true};
}

}  // namespace weft::text
