// Runs one elementwise operation, compiled for 1, 4 and 16 lanes, over arrays.
#pragma once

#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>
#include <llvm/IR/Module.h>

#include <weft/dtype.h>

#include "compiler/codegen/elements.h"
#include "compiler/codegen/loops.h"
#include "compiler/link/link.h"
#include "tests/codegen/targets.h"

namespace weft::codegen {

struct Operation {
  ir::Op op;
  ir::Attributes attributes = ir::NoAttributes{};
  std::optional<std::uint64_t> last_operand = std::nullopt;  // an integer constant instead of an array
};

inline constexpr unsigned kLaneCounts[] = {1, 4, 16};

// void f(const void* const* in, void* const* out, i64 n): out[k] is computed with kLaneCounts[k] lanes.
class ElementKernel {
 public:
  ElementKernel(const Target& target, const Operation& operation, std::vector<DType> operands, DType result,
                bool quick = false)
      : operands_(std::move(operands)), result_(result) {
    link::NativeModule native("element", target);
    llvm::IRBuilder<> builder(*native.context);
    Emitter emitter{builder, *native.module, target};
    llvm::Type* pointer = builder.getPtrTy();
    auto* type =
        llvm::FunctionType::get(builder.getVoidTy(), {pointer, pointer, builder.getInt64Ty()}, false);
    auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "f", *native.module);
    builder.SetInsertPoint(llvm::BasicBlock::Create(*native.context, "entry", function));
    const auto load_pointer = [&](llvm::Value* table, std::size_t index) {
      return builder.CreateLoad(pointer, builder.CreateConstGEP1_64(pointer, table, index));
    };
    std::vector<llvm::Value*> in;
    for (std::size_t i = 0; i < operands_.size(); ++i) in.push_back(load_pointer(function->getArg(0), i));
    for (std::size_t k = 0; k < std::size(kLaneCounts); ++k) {
      llvm::Value* out = load_pointer(function->getArg(1), k);
      emit_loop(emitter, builder.getInt64(0), function->getArg(2), kLaneCounts[k], {},
                [&](llvm::Value* i, const Values&) {
                  emit_point(emitter, operation, in, out, i, kLaneCounts[k]);
                  return Values{};
                });
    }
    builder.CreateRetVoid();
    linked_ = link::link(std::move(native), target, "f", {.quick = quick});
  }

  void run(const std::vector<const void*>& in, const std::vector<void*>& out, std::size_t n) const {
    using Function = void (*)(const void* const*, void* const*, std::int64_t);
    reinterpret_cast<Function>(linked_.entry)(in.data(), out.data(), static_cast<std::int64_t>(n));
  }

 private:
  void emit_point(Emitter& emitter, const Operation& operation, const std::vector<llvm::Value*>& in,
                  llvm::Value* out, llvm::Value* i, unsigned lanes) {
    auto& builder = emitter.builder;
    llvm::LLVMContext& context = builder.getContext();
    const auto address = [&](llvm::Value* base, DType dtype) {
      return builder.CreateGEP(memory_type(context, dtype, 1), base, i);
    };
    std::vector<llvm::Value*> values;
    for (std::size_t k = 0; k < in.size(); ++k) {
      const DType dtype = operands_[k];
      llvm::Value* loaded = builder.CreateAlignedLoad(memory_type(context, dtype, lanes),
                                                      address(in[k], dtype), llvm::Align(size_of(dtype)));
      values.push_back(to_register(emitter, dtype, loaded));
    }
    std::vector<DType> types = operands_;
    if (operation.last_operand) {
      types.push_back(operands_.back());
      values.push_back(emitter.integer(values.back()->getType(), *operation.last_operand));
    }
    llvm::Value* value = emit_element(emitter, operation.op, operation.attributes, types, result_, values);
    builder.CreateAlignedStore(to_memory(emitter, result_, value), address(out, result_),
                               llvm::Align(size_of(result_)));
  }

  std::vector<DType> operands_;
  DType result_;
  link::Linked linked_;
};

// A vector whose elements can be addressed, for bool too.
template <class T>
struct Array {
  explicit Array(std::vector<T> values = {}) : size(values.size()), data(new T[size + 16]()) {
    for (std::size_t i = 0; i < size; ++i) data[i] = values[i];
  }
  std::size_t size;
  std::unique_ptr<T[]> data;
};

template <class T>
constexpr bool is_half_type = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;
template <class T>
constexpr bool is_float_type = std::is_floating_point_v<T> || is_half_type<T>;

// The type that values of T are computed in.
template <class T>
using Computed = std::conditional_t<is_half_type<T>, float, T>;

template <class T>
bool is_nan(T value) {
  if constexpr (is_float_type<T>) return std::isnan(static_cast<Computed<T>>(value));
  return false;
}

template <class T>
bool same(T a, T b) {
  return (is_nan(a) && is_nan(b)) || std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class T>
std::string show(T value) {
  std::uint64_t bits = 0;
  std::memcpy(static_cast<void*>(&bits), &value, sizeof(T));
  char text[64];
  if constexpr (is_float_type<T>)
    std::snprintf(text, sizeof text, "%a (%#llx)", static_cast<double>(value),
                  static_cast<unsigned long long>(bits));
  else
    std::snprintf(text, sizeof text, "%lld (%#llx)", static_cast<long long>(value),
                  static_cast<unsigned long long>(bits));
  return text;
}

template <class T>
std::vector<T> special_values() {
  if constexpr (std::is_same_v<T, bool>) {
    return {false, true};
  } else if constexpr (is_float_type<T>) {
    std::vector<T> values;
    const double inf = INFINITY;
    for (double v : {0.0,
                     0.25,
                     0.49999999,
                     0.49999999999999994,
                     0.5,
                     0.75,
                     1.0,
                     1.5,
                     2.5,
                     3.5,
                     7.0,
                     100.5,
                     127.5,
                     128.5,
                     129.0,
                     254.5,
                     255.5,
                     256.5,
                     32767.5,
                     32768.5,
                     65504.0,
                     65519.9,
                     65535.5,
                     65536.5,
                     8388607.5,
                     8388609.0,
                     2147483520.0,
                     2147483647.5,
                     2147483648.0,
                     4294967295.5,
                     4294967296.0,
                     9007199254740993.0,
                     9223371487098961920.0,
                     9223372036854774784.0,
                     9223372036854775808.0,
                     18446744073709549568.0,
                     18446744073709551616.0,
                     1e30,
                     3.4e38,
                     1e300,
                     1.7976931348623157e308,
                     inf,
                     6.1e-5,
                     5.96e-8,
                     2.98e-8,
                     1.1754943508222875e-38,
                     1.4e-45,
                     9.2e-41,
                     4.6e-41,
                     2.2250738585072014e-308,
                     4.9e-324})
      for (double sign : {1.0, -1.0}) values.push_back(static_cast<T>(sign * v));
    values.push_back(static_cast<T>(std::nan("")));
    return values;
  } else {
    std::vector<T> values;
    for (int shift = 0; shift <= static_cast<int>(8 * sizeof(T)); ++shift)
      for (int near : {-1, 0, 1}) {
        const unsigned __int128 power = static_cast<unsigned __int128>(1) << shift;
        values.push_back(static_cast<T>(power + static_cast<unsigned __int128>(near)));
        values.push_back(static_cast<T>(-(power + static_cast<unsigned __int128>(near))));
      }
    for (int v : {3, 5, 6, 7, 10, 11, 23, 41, 64, 100}) {
      values.push_back(static_cast<T>(v));
      values.push_back(static_cast<T>(-v));
    }
    return values;
  }
}

// Random bits; for floats half of the values are of ordinary size instead.
template <class T>
T random_value(std::mt19937_64& random) {
  const std::uint64_t bits = random();
  if constexpr (std::is_same_v<T, bool>) {
    return (bits & 1) != 0;
  } else {
    if (is_float_type<T> && (bits >> 63) != 0)
      return static_cast<T>(static_cast<double>(static_cast<std::int64_t>(bits << 1)) * 0x1p-58);
    if (!is_float_type<T> && (bits >> 62) == 3) return static_cast<T>(static_cast<double>(bits % 200));
    T value;
    std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
    return value;
  }
}

// The operands of a call: the special values in all combinations, or every value of a type of up to 16 bits
// if there is one operand, then random ones.
template <class... T>
std::tuple<Array<T>...> operands_of() {
  std::tuple<std::vector<T>...> columns;
  const auto append = [&](const T&... row) {
    std::apply([&](auto&... column) { (column.push_back(row), ...); }, columns);
  };
  if constexpr (sizeof...(T) == 1) {
    for (const auto& x : special_values<T...>()) append(x);
    using X = std::tuple_element_t<0, std::tuple<T...>>;
    if constexpr (sizeof(X) == 2)
      for (unsigned bits = 0; bits < 65536; ++bits) {
        X value;
        std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
        append(value);
      }
  } else if constexpr (sizeof...(T) == 2) {
    using X = std::tuple_element_t<0, std::tuple<T...>>;
    using Y = std::tuple_element_t<1, std::tuple<T...>>;
    for (const auto& x : special_values<X>())
      for (const auto& y : special_values<Y>()) append(x, y);
  }
  std::mt19937_64 random(7);
  while (std::get<0>(columns).size() < 4096 || std::get<0>(columns).size() % 16 != 0)
    append(random_value<T>(random)...);
  return std::apply([](auto&... column) { return std::tuple<Array<T>...>(Array<T>(column)...); }, columns);
}

// Compares the operation with `reference` on every target, at 1, 4 and 16 lanes, with full and with quick
// code generation.
template <class R, class... T, class Reference>
void check_element(const std::string& name, const Operation& operation, Reference reference) {
  const auto operands = operands_of<T...>();
  const std::size_t n = std::get<0>(operands).size;
  std::vector<const void*> in;
  std::apply([&](const auto&... array) { (in.push_back(array.data.get()), ...); }, operands);
  for (const Target& target : available_targets())
    for (bool quick : {false, true}) {
      const ElementKernel kernel(target, operation, {dtype_of<T>()...}, dtype_of<R>(), quick);
      Array<R> results[3] = {Array<R>(std::vector<R>(n)), Array<R>(std::vector<R>(n)),
                             Array<R>(std::vector<R>(n))};
      kernel.run(in, {results[0].data.get(), results[1].data.get(), results[2].data.get()}, n);
      int shown = 0;
      for (std::size_t i = 0; i < n && shown < 3; ++i) {
        const R want =
            std::apply([&](const auto&... array) -> R { return reference(array.data[i]...); }, operands);
        for (std::size_t k = 0; k < 3; ++k) {
          if (same(results[k].data[i], want)) continue;
          std::string given;
          std::apply([&](const auto&... array) { ((given += show(array.data[i]) + " "), ...); }, operands);
          ADD_FAILURE() << name << " " << name_of(dtype_of<R>()) << " on " << target.name() << ", "
                        << kLaneCounts[k] << " lanes" << (quick ? ", quick" : "") << ", of " << given
                        << ": got " << show(results[k].data[i]) << ", want " << show(want);
          ++shown;
        }
      }
    }
}

}  // namespace weft::codegen
