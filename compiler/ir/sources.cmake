list(APPEND weft_sources
  compiler/ir/ir.cpp
  compiler/ir/literal.cpp
  compiler/ir/attributes.cpp
  compiler/ir/debug_print.cpp
  compiler/ir/infer.cpp
  compiler/ir/build.cpp
  compiler/ir/verify.cpp
  compiler/ir/reductions.cpp
  compiler/ir/structural/batching.cpp
  compiler/ir/structural/leaves.cpp
  compiler/ir/structural/views.cpp
  compiler/ir/structural/indexing.cpp
  compiler/ir/structural/convert.cpp
  compiler/ir/structural/choose.cpp
  compiler/ir/structural/reduce.cpp
  compiler/ir/structural/call.cpp
)
