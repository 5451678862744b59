list(APPEND backend_sources
  compiler/codegen/target.cpp
  compiler/codegen/emitter.cpp
)
include(${CMAKE_CURRENT_LIST_DIR}/math/sources.cmake OPTIONAL)
