list(APPEND backend_sources
  compiler/codegen/target.cpp
  compiler/codegen/emitter.cpp
  compiler/codegen/elements.cpp
  compiler/codegen/elements_arithmetic.cpp
  compiler/codegen/elements_bits.cpp
  compiler/codegen/elements_compare.cpp
  compiler/codegen/elements_convert.cpp
  compiler/codegen/elements_float.cpp
  compiler/codegen/elements_half.cpp
  compiler/codegen/elements_integer.cpp
  compiler/codegen/elements_pieces.cpp
  compiler/codegen/elements_transcendental.cpp
  compiler/codegen/loops.cpp
)
list(APPEND backend_sources
  compiler/codegen/body.cpp
  compiler/codegen/transpose_square.cpp
  compiler/codegen/map_kernel.cpp
  compiler/codegen/accumulator.cpp
  compiler/codegen/track.cpp
  compiler/codegen/fold_context.cpp
  compiler/codegen/find_winner.cpp
  compiler/codegen/refold.cpp
  compiler/codegen/fold_lanes.cpp
  compiler/codegen/fold_rows.cpp
  compiler/codegen/fold_kernel.cpp
  compiler/codegen/kernel_phases.cpp
  compiler/codegen/small_kernel.cpp
  compiler/codegen/host_call.cpp
  compiler/codegen/loop_function.cpp
  compiler/codegen/clean_up.cpp
  compiler/codegen/codegen.cpp
)
include(${CMAKE_CURRENT_LIST_DIR}/math/sources.cmake OPTIONAL)
