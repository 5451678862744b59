list(APPEND weft_sources
  compiler/interpreter/special_values.cpp
  compiler/interpreter/interpreter.cpp
)
