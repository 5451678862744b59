// The passes as functions; private to this folder: others ask rewrite.h for them by name.
#pragma once

#include "compiler/rewrite/rewrite.h"

namespace weft::rewrite {

#define PASS(name, need, rank, summary) ir::Graph name(const ir::Graph& graph, Context& context);
#include "compiler/rewrite/passes.def"
#undef PASS

}  // namespace weft::rewrite
