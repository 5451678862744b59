// weft::signal: convolution and correlation, as scipy.signal has them.
#pragma once

#include <weft/array.h>

namespace weft::signal {

// Which part of the convolution of n and k elements: all n + k - 1; the n in the middle; those where the
// shorter array lies inside of the longer one.
enum class ConvolveMode : std::uint8_t { full, same, valid };

// Of arrays with equally many axes, along all of them. Dtypes promote; integers stay integers and wrap.
Array convolve(const Operand& a, const Operand& b, ConvolveMode mode = ConvolveMode::full);
Array correlate(const Operand& a, const Operand& b, ConvolveMode mode = ConvolveMode::full);
// Of matrices.
Array convolve2d(const Operand& a, const Operand& b, ConvolveMode mode = ConvolveMode::full);
Array correlate2d(const Operand& a, const Operand& b, ConvolveMode mode = ConvolveMode::full);

}  // namespace weft::signal
