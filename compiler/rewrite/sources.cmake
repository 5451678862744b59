# The passes print what they did and fold constants: they join as soon as the text form and the interpreter are there.
if(EXISTS ${CMAKE_SOURCE_DIR}/compiler/text/sources.cmake AND EXISTS ${CMAKE_SOURCE_DIR}/compiler/interpreter/sources.cmake)
  set(WEFT_HAS_REWRITES ON)
  list(APPEND weft_sources
    compiler/rewrite/ledger.cpp
    compiler/rewrite/rebuild.cpp
    compiler/rewrite/known_values.cpp
    compiler/rewrite/rewrite.cpp
    compiler/rewrite/inline_calls.cpp
    compiler/rewrite/canonicalize.cpp
    compiler/rewrite/canonicalize_movement.cpp
    compiler/rewrite/canonicalize_arithmetic.cpp
    compiler/rewrite/canonicalize_choice.cpp
    compiler/rewrite/fold_constants.cpp
    compiler/rewrite/merge_equal_nodes.cpp
    compiler/rewrite/reuse_selected_value.cpp
    compiler/rewrite/push_reshapes.cpp
    compiler/rewrite/remove_dead_nodes.cpp
  )
endif()
