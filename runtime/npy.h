// Reading and writing NumPy's .npy (format versions 1 to 3) and .npz files.
#pragma once

#include <map>
#include <string>

#include <weft/shape.h>

#include "runtime/buffer.h"

namespace weft::runtime {

struct Tensor {
  ShapeDtype type;
  Buffer buffer;  // contiguous, row-major
};

// Fortran order is transposed to row-major on reading; big-endian files, object arrays and truncated files throw
// TypeError or ExecutionError with the path. bfloat16 is written as '<V2' (what ml_dtypes reads).
Tensor load_npy(const std::string& path);
void save_npy(const std::string& path, const Tensor& tensor);
std::map<std::string, Tensor> load_npz(const std::string& path);
void save_npz(const std::string& path, const std::map<std::string, Tensor>& tensors);

}  // namespace weft::runtime
