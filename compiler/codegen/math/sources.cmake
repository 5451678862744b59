list(APPEND backend_sources
  compiler/codegen/math/by_lane.cpp
)
