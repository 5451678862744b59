// An attribute as it is written, before an operation says what it should be.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/literal.h"

namespace weft::text {

struct NamedAttribute;

struct AttributeValue {
  enum class Kind : std::uint8_t {
    unit,     // a key without a value
    boolean,  // integer is 0 or 1
    integer,  // integer
    real,     // real
    string,   // text
    symbol,   // text, without the @
    list,     // items; [1, 2] and array<i64: 1, 2>
    dense,    // literal
    keyword,  // text is VALUE of #stablehlo<name VALUE>
    record,   // fields; {a = 1} and #stablehlo.name<a = 1>
    other     // a type, a location, another dialect's: nothing that an operation of ours takes
  };
  Kind kind = Kind::unit;
  std::size_t offset = 0;
  std::int64_t integer = 0;
  double real = 0;
  std::string name, text;
  std::vector<AttributeValue> items;
  std::vector<NamedAttribute> fields;
  ir::Literal literal;
};

struct NamedAttribute {
  std::string key;
  std::size_t offset = 0;
  AttributeValue value;
};
using Dictionary = std::vector<NamedAttribute>;

}  // namespace weft::text
