list(APPEND weft_sources
  compiler/interpreter/special_values.cpp
  compiler/interpreter/elementwise.cpp
  compiler/interpreter/checks.cpp
  compiler/interpreter/interpreter.cpp
)
