// docs/tour.md: the prose stands here, every dump in it comes from the library.
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "tests/docs/committed.h"
#include "tests/docs/tour_program.h"

namespace weft {
namespace {

std::string source() {
  std::ifstream file(std::string(WEFT_SOURCE_DIR) + "/tests/docs/tour_program.h");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string block(const std::string& language, std::string text) {
  if (text.empty() || text.back() != '\n') text += '\n';
  return "```" + language + "\n" + text + "```\n";
}

// The lines from the one that holds `first` to the next that holds `last`.
std::string excerpt(const std::string& text, const std::string& first, const std::string& last) {
  const std::size_t found = text.find(first);
  if (found == std::string::npos) return "no line has " + first;
  const std::size_t begin = text.rfind('\n', found) + 1;
  return text.substr(begin, text.find('\n', text.find(last, found + first.size())) + 1 - begin);
}

// The innermost loop: from the label before the first product to the jump back.
std::string product_loop(const std::string& assembly) {
  const std::size_t product = assembly.find("vmulps");
  if (product == std::string::npos) return "no product";
  const std::size_t label = assembly.rfind("\n.L", product) + 1;
  return assembly.substr(label, assembly.find('\n', assembly.find("\tj", product)) + 1 - label);
}

std::string written_page() {
  const auto lowered = min_energy.lower(ShapeDtype{{1'000'000}, f32});
  const auto compiled = lowered.compile({.target = "avx2"});
  const Array samples = load_npy(std::string(WEFT_SOURCE_DIR) + "/examples/data/ecg_windows_192x334_f32.npy");
  const auto [idx, energy] = min_energy(samples.reshape({-1}));
  std::string page;
  const auto add = [&](const std::string& text) { page += text; };

  add(R"(# A program through every level

This page follows one small program from C++ to machine code. A test writes every dump below again and compares, so the
page shows what the library does today (target `weft_docs` brings it up to date).

## 1. The program

)");
  add(block("cpp", source()));
  add(R"(
As written, it squares every element, finds the smallest square, and looks the square up again. A library that runs one
operation after another reads or writes four million bytes for each of these; a hand-written loop reads `x` once.

## 2. Traced

The first call with arguments of new types runs the C++ function once, with arrays that stand for values to come. Each
operation appends a node to a graph; `lower(ShapeDtype{{1'000'000}, f32})` does only that. `text()` prints the graph as
StableHLO:

)");
  add(block("mlir", compiled.text(IrStage::traced)));
  add(R"(
The `vmap` has left no trace: the function was traced for one element, and the graph of the element was then made one
of arrays (`compiler/transform`). `argmin` is a reduction of two operands, the elements and their positions, whose body
takes the smaller element, then the smaller position, and a NaN before all others. `energies(idx)` counts from the end
where the index is negative, as everywhere in NumPy, and clamps it into the array.

## 3. Rewritten

Passes turn the graph into an equal one, each rewrite recorded with the lines of the program that it concerns
(`compiler/rewrite`). `explain()` shows in full what an expert would have done by hand, and counts the bookkeeping that
made way for it (`explain({.details = true})` shows that in full too); all is exact here, which means the same bits.

)");
  add(block("", compiled.explain().to_string()));
  add(R"(
The one that matters is `reuse_selected_value`: the element at the place of the smallest one is the smallest one, which
the reduction already has. It needed the comparisons with 0 and the length out of the way, which the first two details
did: a position is never negative. `one_pass` is the kernel of section 4. What is left:

)");
  add(block("mlir", compiled.text(IrStage::optimized)));
  add(R"(
## 4. Fused and lowered to loops

`compiler/fuse` decides what is held in memory. Here that is only what the program is given and gives back: the squares
are read by one reduction, at the places where it reads them, so they are computed there. One group, one kernel;
`compiler/lower` makes it a loop nest over buffers with an affine access for each load and store:

)");
  add(block("", compiled.text(IrStage::loops)));
  add(fmt::format(R"(
`i0 < 1000000 reduced` is the loop. `reduce 0 select minimum of operand 0` says that the body was recognised for what it
means, not for its name: any body that keeps one of two candidates by comparing them gets the same code, and a body
that is not recognised still runs, in order. The temporaries are {} bytes: the best of each block of 4096
elements. Blocks have a fixed size, so the result does not depend on the number of threads.

)",
                  compiled.memory().temporary_bytes));
  add(R"(## 5. Machine code

`compiler/codegen` writes LLVM IR with explicit vectors; no pass of LLVM changes it afterwards. The program has one
entry, which hands the blocks to the worker pool and then picks the best of them:

)");
  add(block("llvm", excerpt(compiled.text(IrStage::llvm), "define i32 @weft_entry", "}")));
  add(R"(
The loop inside a block, for AVX2 (`CompileOptions::target`; the default is the best that the CPU has):

)");
  add(block("asm", product_loop(compiled.text(IrStage::assembly))));
  add(R"(
Thirty-two elements a round, and no position in sight: the loop finds the smallest square of the block and whether there
was a NaN. Only the block that wins is read again, to find where its smallest square is (`find_winner.cpp`).

## 6. Run

)");
  add(block("cpp",
            "const Array samples = load_npy(\"examples/data/ecg_windows_192x334_f32.npy\");\n"
            "const auto [idx, energy] = min_energy(samples.reshape({-1}));"));
  add(fmt::format(R"(
gives index {} and energy {}; {} of the samples tie for it, and the first one wins. `scripts/demo` runs this
program and prints its time beside that of a plain loop.
)",
                  to_string(idx), to_string(energy), to_string(sum(samples * samples == energy))));
  return page;
}

TEST(TourPage, IsWhatTheLibraryDoes) {
  // Another version may choose other instructions for the same code.
  const std::string shown = "22.1.8";
  if (shown != WEFT_LLVM_VERSION)
    GTEST_SKIP() << "the page shows the code of LLVM " << shown << ", this is " << WEFT_LLVM_VERSION;
  testing::expect_committed("tour.md", written_page());
}

}  // namespace
}  // namespace weft
