// Runs a graph through lowering and code generation alone: what the plan says is what runs.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/build.h"
#include "compiler/load_backend.h"
#include "compiler/lower/nest.h"
#include "runtime/executable.h"
#include "tests/targets.h"

namespace weft::test {

struct Ran {
  lower::Plan plan;
  std::vector<ir::Literal> results;
};

inline std::vector<ir::Literal> run_plan(const lower::Plan& plan, const std::vector<ir::Literal>& arguments,
                                         const std::string& target, int threads = 1) {
  lower::BackendRequest request;
  request.plan = &plan;
  request.target = target;
  lower::BackendResult native;
  std::vector<void*> frame;
  for (const ir::Literal& argument : arguments) frame.push_back(argument.buffer.data());
  std::vector<ir::Literal> results;
  for (const ir::Type& type : plan.results) {
    results.push_back({type, runtime::Buffer::allocate(static_cast<std::size_t>(type.nbytes())), false});
    frame.push_back(results.back().buffer.data());
  }
  std::vector<ir::Literal> constants;
  for (const ir::Literal& constant : plan.constants) {
    constants.push_back(constant.materialized());
    frame.push_back(constants.back().buffer.data());
  }
  const runtime::Buffer arena = runtime::Buffer::allocate(static_cast<std::size_t>(plan.arena_bytes));
  frame.push_back(arena.data());
  if (plan.has_code()) {
    native = compiler::load_backend()(request);
    reinterpret_cast<runtime::Entry>(native.entry)(frame.data(), threads);
  }
  return results;
}

}  // namespace weft::test
