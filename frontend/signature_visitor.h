// Visitors that read the arguments and results of a transformed call.
#pragma once

#include <array>

#include <weft/detail/erased_call.h>

#include "frontend/program.h"

namespace weft::frontend {

// Writes the exact structure of a tree into a signature, and remembers where its arrays are.
class SignatureVisitor final : public detail::Visitor {
 public:
  SignatureVisitor(Signature& signature, std::vector<const Array*>& leaves, bool with_types = true)
      : signature_(signature), leaves_(leaves), with_types_(with_types) {}
  void leaf(Array& array) override {
    signature_.add('a');
    if (with_types_) signature_.add_array(array);
    leaves_.push_back(&array);
  }
  void fixed(const void* data, std::size_t bytes) override {
    signature_.add('s');
    signature_.add(bytes);
    signature_.add_bytes(data, bytes);
  }
  void enter(Kind kind, std::size_t children) override {
    signature_.add('(');
    signature_.add(kind);
    signature_.add(children);
  }
  void leave() override { signature_.add(')'); }

 private:
  Signature& signature_;
  std::vector<const Array*>& leaves_;
  bool with_types_;
};

// Takes the arrays out of a result.
class TakeLeaves final : public detail::Visitor {
 public:
  explicit TakeLeaves(std::vector<Array>& leaves) : leaves_(leaves) {}
  void leaf(Array& array) override {
    state_of(array);  // a handle to nothing is no result
    leaves_.push_back(std::exchange(array, Array()));
  }
  void fixed(const void*, std::size_t) override {}
  void enter(Kind, std::size_t) override {}
  void leave() override {}

 private:
  std::vector<Array>& leaves_;
};

// Signature and arrays of one call, in buffers that each thread keeps: a call that hits allocates nothing
// here.
struct CallScratch {
  Signature signature;
  std::vector<const Array*> leaves;
  static CallScratch& of_this_thread();
  void read(detail::ErasedCall& call, bool with_types = true);
};

// Arrays for the results of a call; on the stack unless there are many.
class Results {
 public:
  explicit Results(std::size_t count) : count_(count) {
    if (count > few_.size()) many_.resize(count);
  }
  std::span<Array> all() { return {many_.empty() ? few_.data() : many_.data(), count_}; }

 private:
  std::size_t count_;
  std::array<Array, 8> few_;
  std::vector<Array> many_;
};

}  // namespace weft::frontend
