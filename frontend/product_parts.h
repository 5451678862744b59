// Sums of products on arrays of the current trace.
#pragma once

#include "frontend/elementwise.h"

namespace weft::frontend {

// Both operands have one dtype; the sum has `result`.
Array record_dot(const Array& a, const Array& b, ir::DotAttributes dot, DType result);
Array record_convolution(const Array& lhs, const Array& rhs, const ir::ConvolutionAttributes& conv,
                         DType result);
Array record_transpose(const Array& x, const ir::Dims& permutation);  // x itself when it is in order

// body(a, b in their common dtype), recorded or run at once; weak when both are.
using ProductBody = detail::FunctionRef<Array(const Array&, const Array&)>;
Array product(const char* function, const Operand& a, const Operand& b, std::string_view statics,
              const ProductBody& body);

}  // namespace weft::frontend
