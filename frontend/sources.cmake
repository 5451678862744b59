list(APPEND weft_sources
  frontend/array.cpp
  frontend/element.cpp
  frontend/promotion.cpp
  frontend/print_elements.cpp
  frontend/printing.cpp
)
# What traces and runs joins as soon as the compiler's table of contents can be linked.
if("compiler/compile.cpp" IN_LIST weft_sources AND EXISTS ${CMAKE_SOURCE_DIR}/compiler/transform/sources.cmake)
  set(WEFT_HAS_FRONTEND ON)
  list(APPEND weft_sources
    frontend/call.cpp
    frontend/trace.cpp
    frontend/import_function.cpp
    frontend/program.cpp
    frontend/record.cpp
    frontend/elementwise.cpp
    frontend/elementwise_options.cpp
    frontend/composed.cpp
    frontend/reduction_parts.cpp
    frontend/reductions.cpp
    frontend/shaping.cpp
    frontend/indexing.cpp
    frontend/creation.cpp
    frontend/selection.cpp
    frontend/lax.cpp
    frontend/files.cpp
    frontend/jit.cpp
    frontend/stages.cpp
    frontend/vmap.cpp
    frontend/reduce.cpp
  )
endif()
