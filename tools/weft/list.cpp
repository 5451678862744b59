// weft passes, weft ops: what the tables of the compiler say.
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "compiler/ir/ir.h"
#include "compiler/rewrite/rewrite.h"
#include "tools/weft/commands.h"

namespace weft::tool {
namespace {

int list_passes() {
  for (const rewrite::PassInfo& pass : rewrite::passes()) fmt::print("{:<22} {}\n", pass.name, pass.summary);
  return kSuccess;
}

// The element types of an elementwise operation, by kind.
std::string types_of(ir::Op op) {
  if (!ir::is_elementwise(op)) return "by its rules";
  struct Kind {
    DTypeKind kind;
    const char* name;
  };
  constexpr Kind kKinds[] = {{DTypeKind::boolean, "b1"},
                             {DTypeKind::signed_integer, "i8..i64"},
                             {DTypeKind::unsigned_integer, "u8..u64"},
                             {DTypeKind::floating, "f16 bf16 f32 f64"},
                             {DTypeKind::complex, "c64 c128"}};
  std::string text;
  for (const Kind& kind : kKinds) {
    for (int dtype = 0; dtype < kDTypeCount; ++dtype) {
      if (kind_of(static_cast<DType>(dtype)) != kind.kind) continue;
      if (ir::accepts(op, static_cast<DType>(dtype)))
        text += (text.empty() ? "" : " ") + std::string(kind.name);
      break;
    }
  }
  return text;
}

int list_operations() {
  for (const ir::Op op : ir::all_ops()) {
    const ir::OpInfo& info = ir::info_of(op);
    fmt::print("{:<34} {:<40} {}\n", info.text, types_of(op), info.summary);
  }
  return kSuccess;
}

}  // namespace

void add_lists(CLI::App& app, Action& action) {
  app.add_subcommand("passes", "List the rewrites, in the order in which they run")->callback([&action] {
    action = list_passes;
  });
  app.add_subcommand("ops", "List the operations, the element types that each accepts, and what each does")
      ->callback([&action] { action = list_operations; });
}

}  // namespace weft::tool
