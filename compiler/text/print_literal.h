// Literals as MLIR writes them: dense<…> with lists up to 100 elements, raw bytes above.
#pragma once

#include <string>

#include "compiler/ir/literal.h"

namespace weft::text {

std::string print_literal(const ir::Literal& literal);  // "dense<[1, 2]> : tensor<2xi32>"

}  // namespace weft::text
