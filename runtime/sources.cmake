list(APPEND weft_sources
  runtime/error.cpp
)
