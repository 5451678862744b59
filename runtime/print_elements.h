// How the elements of one array print: digits and width chosen for all of them together, as NumPy chooses.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <weft/dtype.h>

namespace weft::runtime {

class ElementFormat {
 public:
  // `elements` are those that will be shown.
  ElementFormat(DType dtype, const std::vector<const std::byte*>& elements);
  std::string aligned(const std::byte* element) const;  // padded to the common width
  std::string scalar(const std::byte* element) const;   // alone, with all the digits that tell it apart

 private:
  std::string text_of_float(double value) const;
  void choose_notation(const std::vector<double>& finite);
  DType dtype_;
  std::size_t width_ = 0;
  bool is_scientific_ = false;
  std::size_t left_ = 0, right_ = 0;  // characters before and after the point
};

}  // namespace weft::runtime
