list(APPEND weft_sources
  compiler/load_backend.cpp
  compiler/compile.cpp
  compiler/options.cpp
  compiler/explain_plan.cpp
)
