list(APPEND backend_sources
  compiler/codegen/math/lanes.cpp
  compiler/codegen/math/exponential.cpp
  compiler/codegen/math/logarithm.cpp
  compiler/codegen/math/trigonometric.cpp
  compiler/codegen/math/inverse_trigonometric.cpp
  compiler/codegen/math/hyperbolic.cpp
  compiler/codegen/math/power.cpp
  compiler/codegen/math/error_function.cpp
  compiler/codegen/math/by_lane.cpp
)
