// Linking: code runs on every target, failures are errors and leave the linker usable, released code is
// unmapped.
#include "compiler/link/link.h"

#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include <weft/error.h>

#include "compiler/codegen/emitter.h"
#include "tests/codegen/targets.h"

namespace weft::link {
namespace {

using codegen::available_targets;
using codegen::Emitter;
using codegen::Target;
using IntFunction = std::int64_t (*)(std::int64_t);
using DoubleFunction = double (*)(double);

// A function `f` of one value of type T; `body` gives its result.
template <class Body>
NativeModule one_function(const Target& target, bool of_double, Body body) {
  NativeModule native("test", target);
  llvm::IRBuilder<> builder(*native.context);
  llvm::Type* type = of_double ? builder.getDoubleTy() : static_cast<llvm::Type*>(builder.getInt64Ty());
  auto* function = llvm::Function::Create(llvm::FunctionType::get(type, {type}, false),
                                          llvm::Function::ExternalLinkage, "f", *native.module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(*native.context, "entry", function));
  Emitter emitter{builder, *native.module, target};
  builder.CreateRet(body(emitter, function->getArg(0)));
  return native;
}

Linked link_add(const Target& target, std::uint64_t amount, const LinkOptions& options = {}) {
  return link(one_function(target, false,
                           [&](Emitter& e, llvm::Value* x) {
                             return e.builder.CreateAdd(x, e.integer(x->getType(), amount));
                           }),
              target, "f", options);
}

std::int64_t call(const Linked& linked, std::int64_t x) {
  return reinterpret_cast<IntFunction>(linked.entry)(x);
}

template <class Function>
std::string compile_error(Function function) {
  try {
    function();
  } catch (const CompileError& error) {
    return error.what();
  }
  return "";
}

// LLVM cannot select this on a target without AVX-512: a fatal error in the middle of code generation.
NativeModule fatal_module(const Target& target) {
  return one_function(target, false, [](Emitter& e, llvm::Value* x) -> llvm::Value* {
    llvm::Value* wide = e.splat(e.builder.CreateTrunc(x, e.builder.getInt32Ty()), 16);
    llvm::Type* floats = e.with_element(wide->getType(), e.builder.getFloatTy());
    llvm::Value* value = e.builder.CreateBitCast(wide, floats);
    value = e.builder.CreateIntrinsic(
        llvm::Intrinsic::x86_avx512_mask_rndscale_ps_512, {},
        {value, e.builder.getInt32(0), value, e.builder.getInt16(0xffff), e.builder.getInt32(4)});
    value = e.builder.CreateBitCast(value, wide->getType());
    return e.builder.CreateZExt(e.builder.CreateExtractElement(value, std::uint64_t{0}), x->getType());
  });
}

int executable_mappings() {
  std::ifstream maps("/proc/self/maps");
  int count = 0;
  for (std::string line; std::getline(maps, line);) count += line.find("r-xp") != std::string::npos;
  return count;
}

TEST(Target, the_best_is_chosen_and_unknown_names_are_errors) {
  EXPECT_EQ(codegen::choose_target("").name(), available_targets().front().name());
  EXPECT_EQ(codegen::choose_target("sse2").vector_bytes, 16);
  EXPECT_NE(compile_error([] { codegen::choose_target("avx"); }).find("none of avx512, avx2, sse2"),
            std::string::npos);
}

TEST(Target, an_older_cpu_can_be_pretended) {
  const char* const variable = "WEFT_MAX_CPU_ISA";
  const char* const before = std::getenv(variable);
  const std::string kept = before ? before : "";
  ::setenv(variable, "sse2", 1);
  EXPECT_EQ(codegen::choose_target("").name(), "sse2");
  EXPECT_NE(compile_error([] { codegen::choose_target("avx2"); }).find("this CPU has no avx2"), std::string::npos);
  ::setenv(variable, "avx1024", 1);
  try {
    codegen::choose_target("");
    ADD_FAILURE() << "accepted";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("WEFT_MAX_CPU_ISA"), std::string::npos) << error.what();
  }
  ::setenv(variable, kept.c_str(), 1);
}

TEST(Link, a_function_runs_on_every_target_and_level) {
  for (const Target& target : available_targets())
    for (bool quick : {false, true}) {
      const Linked linked = link_add(target, 41, {.quick = quick});
      EXPECT_EQ(call(linked, 1), 42) << target.name() << " quick " << quick;
      EXPECT_TRUE(linked.assembly.empty());
    }
}

TEST(Link, text_is_kept_when_asked) {
  const Linked linked = link_add(codegen::choose_target(""), 41, {.keep_text = true});
  EXPECT_NE(linked.llvm_ir.find("define i64 @f"), std::string::npos);
  EXPECT_NE(linked.assembly.find("41"), std::string::npos);
  EXPECT_EQ(call(linked, 1), 42);
}

TEST(Link, modules_with_the_same_names_do_not_meet) {
  const Target target = codegen::choose_target("");
  const Linked one = link_add(target, 1), two = link_add(target, 2);
  EXPECT_EQ(call(one, 0), 1);
  EXPECT_EQ(call(two, 0), 2);
}

TEST(Link, fma_rounds_once_on_every_target) {
  for (const Target& target : available_targets()) {
    const Linked linked = link(
        one_function(target, true,
                     [](Emitter& e, llvm::Value* x) { return e.fma(x, x, e.number(x->getType(), -1.0)); }),
        target, "f", {});
    const double x = 1.0 + 0x1p-30;
    EXPECT_EQ(reinterpret_cast<DoubleFunction>(linked.entry)(x), 0x1p-29 + 0x1p-60) << target.name();
  }
}

TEST(Link, listed_functions_are_called_and_others_refused) {
  const Target target = codegen::choose_target("");
  const auto calling = [&](const char* symbol) {
    return one_function(target, true, [&](Emitter& e, llvm::Value* x) {
      llvm::Value* vector =
          e.call_lanes(symbol, {e.splat(x, 4)}, llvm::FixedVectorType::get(x->getType(), 4));
      return e.builder.CreateExtractElement(vector, std::uint64_t{2});
    });
  };
  const Linked linked = link(calling("roundeven"), target, "f", {});
  EXPECT_EQ(reinterpret_cast<DoubleFunction>(linked.entry)(2.5), 2.0);
  const std::string message = compile_error([&] { link(calling("lgamma_r"), target, "f", {}); });
  EXPECT_NE(message.find("lgamma_r"), std::string::npos) << message;
  EXPECT_EQ(call(link_add(target, 3), 0), 3);
}

TEST(Link, invalid_ir_and_missing_entries_are_errors) {
  const Target target = codegen::choose_target("");
  NativeModule invalid = one_function(target, false, [](Emitter&, llvm::Value* x) { return x; });
  invalid.module->getFunction("f")->front().getTerminator()->eraseFromParent();
  EXPECT_NE(compile_error([&] { link(std::move(invalid), target, "f", {}); }).find("invalid LLVM IR"),
            std::string::npos);
  NativeModule other = one_function(target, false, [](Emitter&, llvm::Value* x) { return x; });
  EXPECT_NE(compile_error([&] { link(std::move(other), target, "g", {}); }).find("does not define g"),
            std::string::npos);
}

TEST(Link, diagnostics_of_the_code_generator_are_errors) {
  const Target target = codegen::choose_target("");
  NativeModule bad = one_function(target, false, [](Emitter& e, llvm::Value* x) {
    auto* type = llvm::FunctionType::get(x->getType(), {x->getType()}, false);
    return e.builder.CreateCall(llvm::InlineAsm::get(type, "", "={no_such_register},r", false), {x});
  });
  EXPECT_NE(compile_error([&] { link(std::move(bad), target, "f", {}); }).find("code generation"),
            std::string::npos);
  EXPECT_EQ(call(link_add(target, 4), 0), 4);
}

TEST(Link, a_fatal_error_is_an_error_and_the_next_link_works) {
  const Target target = codegen::choose_target("sse2");
  const Linked before = link_add(target, 5);
  for (bool keep_text : {false, true}) {
    const std::string message =
        compile_error([&] { link(fatal_module(target), target, "f", {.keep_text = keep_text}); });
    EXPECT_NE(message.find("code generation"), std::string::npos) << message;
    EXPECT_EQ(call(link_add(target, 6), 0), 6);
  }
  EXPECT_EQ(call(before, 0), 5);
}

TEST(Link, released_code_is_unmapped) {
  const Target target = codegen::choose_target("");
  std::vector<Linked> kept;
  for (int i = 0; i < 20; ++i) kept.push_back(link_add(target, 1));
  const int with_code = executable_mappings();
  std::shared_ptr<const void> last_copy = kept[0].code;
  kept.clear();
  EXPECT_LE(executable_mappings(), with_code - 19);
  last_copy.reset();
  EXPECT_LE(executable_mappings(), with_code - 20);
}

TEST(Link, threads_link_at_the_same_time) {
  const Target target = codegen::choose_target(""), oldest = codegen::choose_target("sse2");
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        right += call(link_add(target, static_cast<std::uint64_t>(100 * t + i), {.quick = i % 2 == 0}), 1) ==
                 100 * t + i + 1;
        if (i % 8 == t) compile_error([&] { link(fatal_module(oldest), oldest, "f", {}); });
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 80);
}

}  // namespace
}  // namespace weft::link
